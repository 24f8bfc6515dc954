//! Steps of a settlement: the wagers that a dealer reconciles in turn, and the state of the table after each step.
//!
//! Steps are derived from the lines of a [`Settlement`] and are not stored. Envy buttons stay beside their wagers until
//! the last step and are then picked up together: "No dealer may pick up any 'envy' button until all wagers are
//! reconciled" (SD-4; WA step 6; CA, settling). Envy bonuses end the round (SD-5).

use crate::{Line, Nets, Outcome, Party, Reason, Seat, Settlement, Showdown, WagerRef};
use std::ops::Range;

/// Part of a settlement to which a step belongs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepPart {
    /// The house takes its fee.
    Collection,
    /// The dealer reconciles a base wager.
    Base,
    /// The dealer reconciles the side wagers of a seat.
    Bonus,
    /// The house takes the banker's commission.
    Commission,
    /// A seat is paid envy bonuses.
    Envy,
}

impl StepPart {
    /// Name of the part in responses.
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
    /// Seat of the wager.
    pub seat: Seat,
    /// Wager that earned the button.
    pub wager: WagerRef,
}

/// Consecutive lines of one part and one party, and the state of the table after them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettlementStep {
    /// Part of the settlement.
    pub part: StepPart,
    /// Party whose wagers, fees or bonuses are settled.
    pub who: Party,
    /// Indices of the lines in the settlement.
    pub lines: Range<usize>,
    /// Envy buttons on the table after the step.
    pub buttons: Vec<EnvyButton>,
    /// Wagers that are still unreconciled after the step, in the order of settling.
    pub unreconciled: Vec<(Party, WagerRef)>,
    /// Net result of each party from all steps so far.
    pub nets: Nets,
}

impl Line {
    /// Part of the settlement to which the line belongs.
    pub fn part(&self) -> StepPart {
        match (self.outcome, self.reason, self.wager) {
            (Outcome::Collection, ..) => StepPart::Collection,
            (Outcome::Commission, ..) => StepPart::Commission,
            (Outcome::Envy, ..) | (_, Reason::EnvyUnpaid { .. }, _) => StepPart::Envy,
            (_, _, WagerRef::PaiGow) => StepPart::Base,
            (_, _, WagerRef::Side(_)) => StepPart::Bonus,
        }
    }

    /// Returns whether the line reconciles a wager. Fees, commissions and envy bonuses do not.
    fn reconciles(&self) -> bool {
        matches!(self.part(), StepPart::Base | StepPart::Bonus)
    }
}

impl Showdown<'_> {
    /// Returns the Envy buttons that wagers have earned, in the order of settling (SD-3).
    pub fn envy_buttons(&self) -> Vec<EnvyButton> {
        let table_rules = self.table_rules();
        let mut buttons = Vec::new();
        for seat in self.seats() {
            let Some(player) = self.player(seat) else { continue };
            for (index, stake) in player.stakes.sides.iter().enumerate().take(table_rules.side_wager_count())
            {
                if stake.is_some_and(|stake| table_rules.wager(index).earns_button(stake.amount)) {
                    buttons.push(EnvyButton { seat, wager: WagerRef::Side(index as u8) });
                }
            }
        }
        buttons
    }
}

impl Settlement {
    /// Returns the steps of the settlement of this showdown, in the order of its lines.
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
