//! A settlement as viewers see it happen: steps in codes and numbers, each with the time from which its state holds.

use crate::Table;
use crate::line_record::{party_code, wager_code};
use crate::table::RoundState;
use crate::view::nets_by_seat;
use paigow::{EnvyButton, StepPart, TableRules, WagerRef};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The longest time between two steps, in milliseconds.
const STEP_MS_MAX: u64 = 1_000;

/// A step of a settlement, and the table after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct StepView {
    /// The part of the settlement.
    pub part: StepPartCode,
    /// Whose wagers, fees or bonuses: `seat-3`, `dealer` or `banker`.
    pub who: String,
    /// Position of the step's first line.
    pub first_line: usize,
    /// How many lines the step has.
    pub lines: usize,
    /// Milliseconds after `settled_at` from which on the state below holds.
    pub offset_ms: u64,
    /// The Envy buttons on the table after the step.
    pub buttons: Vec<ButtonView>,
    /// The wagers that are not reconciled after the step.
    pub unreconciled: Vec<UnreconciledView>,
    /// What each seat that plays has won or lost by then.
    pub net_cents: BTreeMap<u8, i64>,
    /// What the house has won or lost by then.
    pub house_cents: i64,
}

/// Part of a settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // as in `paigow::StepPart`
pub enum StepPartCode {
    Collection,
    Base,
    Bonus,
    Commission,
    Envy,
}

/// An Envy button beside a wager.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ButtonView {
    /// Whose.
    pub seat: u8,
    /// The wager.
    pub wager: String,
}

/// A wager that is not reconciled yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UnreconciledView {
    /// Whose: `seat-3` or `dealer`.
    pub who: String,
    /// The wager.
    pub wager: String,
}

impl StepPartCode {
    /// The word in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            StepPartCode::Collection => StepPart::Collection.name(),
            StepPartCode::Base => StepPart::Base.name(),
            StepPartCode::Bonus => StepPart::Bonus.name(),
            StepPartCode::Commission => StepPart::Commission.name(),
            StepPartCode::Envy => StepPart::Envy.name(),
        }
    }
}

impl From<StepPart> for StepPartCode {
    fn from(part: StepPart) -> StepPartCode {
        match part {
            StepPart::Collection => StepPartCode::Collection,
            StepPart::Base => StepPartCode::Base,
            StepPart::Bonus => StepPartCode::Bonus,
            StepPart::Commission => StepPartCode::Commission,
            StepPart::Envy => StepPartCode::Envy,
        }
    }
}

impl ButtonView {
    fn of(button: EnvyButton, table_rules: &TableRules) -> ButtonView {
        ButtonView { seat: button.seat.number(), wager: wager_code(button.wager, table_rules) }
    }
}

/// Milliseconds between two of so many steps. All of them fit into the time between two rounds, with one more for the end.
fn pace(steps: usize, between: u64) -> u64 {
    STEP_MS_MAX.min(between / (steps as u64 + 1))
}

impl Table {
    /// The steps of a round that is settled; none where the rules are not at hand, or make other lines than are stored.
    pub(crate) fn steps(&self, round: &RoundState) -> Vec<StepView> {
        let rules = round.dealt.as_ref();
        let Some((settlement, showdown)) =
            rules.and_then(|rules| rules.settlement().zip(rules.showdown().ok()))
        else {
            return Vec::new();
        };
        if round.lines.as_ref().is_none_or(|stored| stored.len() != settlement.lines().len()) {
            return Vec::new();
        }
        let (table_rules, steps) = (showdown.table_rules(), settlement.steps(&showdown));
        let pace = pace(steps.len(), self.config.clocks.between);
        let unreconciled = |(who, wager): &(paigow::Party, WagerRef)| UnreconciledView {
            who: party_code(*who),
            wager: wager_code(*wager, table_rules),
        };
        let view = (1..).zip(steps).map(|(number, step)| StepView {
            part: step.part.into(),
            who: party_code(step.who),
            first_line: step.lines.start,
            lines: step.lines.len(),
            offset_ms: number * pace,
            buttons: step.buttons.iter().map(|button| ButtonView::of(*button, table_rules)).collect(),
            unreconciled: step.unreconciled.iter().map(unreconciled).collect(),
            net_cents: nets_by_seat(round, &step.nets),
            house_cents: step.nets.house.cents(),
        });
        view.collect()
    }
}
