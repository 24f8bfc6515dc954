//! A settlement step by step: which wagers a dealer reconciles in turn, and how the table stands after each step.
//!
//! Steps follow from the lines of a [`Settlement`] and their order, so nothing of them is stored. Envy buttons lie from the wager on
//! and are picked up together, when the last step is done: "No dealer may pick up any 'envy' button until all wagers are
//! reconciled" (SD-4; WA step 6; CA, settling), and envy bonuses are the end of the round (SD-5).

use crate::{Line, Nets, Outcome, Party, Reason, Seat, Settlement, Showdown, WagerRef};
use std::ops::Range;

/// Part of a settlement that a step belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepPart {
    /// The house's fee is taken.
    Collection,
    /// A base wager is reconciled.
    Base,
    /// The side wagers of a seat are reconciled.
    Bonus,
    /// The banker's commission is taken.
    Commission,
    /// Envy bonuses are paid to a seat.
    Envy,
}

impl StepPart {
    /// The word in answers.
    pub const fn name(self) -> &'static str {
        match self {
            StepPart::Collection => "collection",
            StepPart::Base => "base",
            StepPart::Bonus => "bonus",
            StepPart::Commission => "commission",
            StepPart::Envy => "envy",
        }
    }
}

/// An Envy button, beside the wager that earned it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnvyButton {
    /// Whose.
    pub seat: Seat,
    /// The wager.
    pub wager: WagerRef,
}

/// Consecutive lines of a settlement of one part and one party, and the table after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettlementStep {
    /// The part of the settlement.
    pub part: StepPart,
    /// Whose wagers, fees or bonuses.
    pub who: Party,
    /// The lines, by their positions in the settlement.
    pub lines: Range<usize>,
    /// The Envy buttons on the table after the step.
    pub buttons: Vec<EnvyButton>,
    /// The wagers that are not reconciled after the step, in the order in which they will be.
    pub unreconciled: Vec<(Party, WagerRef)>,
    /// What all steps so far are worth to each party.
    pub nets: Nets,
}

impl Line {
    /// The part of the settlement that the line belongs to.
    pub fn part(&self) -> StepPart {
        match (self.outcome, self.reason, self.wager) {
            (Outcome::Collection, ..) => StepPart::Collection,
            (Outcome::Commission, ..) => StepPart::Commission,
            (Outcome::Envy, ..) | (_, Reason::EnvyUnpaid { .. }, _) => StepPart::Envy,
            (_, _, WagerRef::PaiGow) => StepPart::Base,
            (_, _, WagerRef::Side(_)) => StepPart::Bonus,
        }
    }

    /// Whether the line reconciles a wager: a fee or an envy bonus does not.
    fn reconciles(&self) -> bool {
        matches!(self.part(), StepPart::Base | StepPart::Bonus)
    }
}

impl Showdown<'_> {
    /// The Envy buttons that wagers have earned, in the order of settling (SD-3).
    pub fn envy_buttons(&self) -> Vec<EnvyButton> {
        let table_rules = self.table_rules();
        let mut buttons = Vec::new();
        for seat in self.seats() {
            let Some(player) = self.player(seat) else { continue };
            for (place, stake) in player.stakes.sides.iter().enumerate().take(table_rules.side_wagers()) {
                if stake.is_some_and(|stake| table_rules.wager(place).earns_button(stake.amount)) {
                    buttons.push(EnvyButton { seat, wager: WagerRef::Side(place as u8) });
                }
            }
        }
        buttons
    }
}

impl Settlement {
    /// The settlement of this showdown step by step, in the order of its lines.
    pub fn steps(&self, showdown: &Showdown<'_>) -> Vec<SettlementStep> {
        let (lines, buttons) = (self.lines(), showdown.envy_buttons());
        let mut steps: Vec<SettlementStep> = Vec::new();
        let mut start = 0;
        for step in lines.chunk_by(|one, next| (one.part(), one.who) == (next.part(), next.who)) {
            let end = start + step.len();
            let mut unreconciled: Vec<(Party, WagerRef)> = Vec::new();
            for line in lines[end..].iter().filter(|line| line.reconciles()) {
                if !unreconciled.contains(&(line.who, line.wager)) {
                    unreconciled.push((line.who, line.wager));
                }
            }
            steps.push(SettlementStep {
                part: step[0].part(),
                who: step[0].who,
                lines: start..end,
                buttons: if end < lines.len() { buttons.clone() } else { Vec::new() },
                unreconciled,
                nets: Nets::of(&lines[..end]),
            });
            start = end;
        }
        steps
    }
}
