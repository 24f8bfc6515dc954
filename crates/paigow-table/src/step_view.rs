//! Steps of a settlement for viewers: codes and numbers, each with the time from which its state applies.

use crate::Table;
use crate::line_record::{party_code, wager_code};
use crate::table::RoundState;
use crate::view::nets_by_seat;
use paigow::{EnvyButton, StepPart, TableRules, WagerRef};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Maximum time between two steps, in milliseconds.
const STEP_MS_MAX: u64 = 1_000;

/// A step of a settlement, and the state of the table after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct StepView {
    /// Part of the settlement.
    pub part: StepPartCode,
    /// Party whose wagers, fees or bonuses are settled: `seat-3`, `dealer` or `banker`.
    pub who: String,
    /// Index of the step's first line in the settlement, from 0.
    pub first_line: usize,
    /// Number of lines of the step.
    pub lines: usize,
    /// Milliseconds after `settled_at` at which the state below applies.
    pub offset_ms: u64,
    /// Envy buttons on the table after the step.
    pub buttons: Vec<ButtonView>,
    /// Wagers not yet reconciled after the step.
    pub unreconciled: Vec<UnreconciledView>,
    /// Net win of each playing seat after the step. Negative for a loss.
    pub net_cents: BTreeMap<u8, i64>,
    /// Net win of the house after the step. Negative for a loss.
    pub house_cents: i64,
}

/// Part of a settlement: collection fees, base wagers, side wagers, the banker's commission or envy bonuses.
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
    /// Seat of the wager.
    pub seat: u8,
    /// Name of the wager.
    pub wager: String,
}

/// A wager that is not yet reconciled: paid, taken or returned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct UnreconciledView {
    /// Party that placed the wager: `seat-3` or `dealer`.
    pub who: String,
    /// Name of the wager.
    pub wager: String,
}

impl StepPartCode {
    /// Name of the part in JSON.
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

/// Returns the milliseconds between two steps. All steps fit into the pause between two rounds, with one more interval
/// at the end.
fn step_ms(steps: usize, between: u64) -> u64 {
    STEP_MS_MAX.min(between / (steps as u64 + 1))
}

impl Table {
    /// Returns the steps of a settled round. Empty if the rules are not available, or settle it with another number of
    /// lines than stored.
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
        let step_ms = step_ms(steps.len(), self.config.clocks.between);
        let unreconciled = |(who, wager): &(paigow::Party, WagerRef)| UnreconciledView {
            who: party_code(*who),
            wager: wager_code(*wager, table_rules),
        };
        let view = (1..).zip(steps).map(|(number, step)| StepView {
            part: step.part.into(),
            who: party_code(step.who),
            first_line: step.lines.start,
            lines: step.lines.len(),
            offset_ms: number * step_ms,
            buttons: step.buttons.iter().map(|button| ButtonView::of(*button, table_rules)).collect(),
            unreconciled: step.unreconciled.iter().map(unreconciled).collect(),
            net_cents: nets_by_seat(round, &step.nets),
            house_cents: step.nets.house.cents(),
        });
        view.collect()
    }
}
