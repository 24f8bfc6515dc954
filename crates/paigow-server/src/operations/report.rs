//! Report of the house: handle and win by day, table and wager, beside the exact expectation before the deal.
//!
//! A round counts on the UTC day on which it ended. A report is made in two steps. [`ReportTally::add`] sums up rounds
//! and needs no odds. [`ReportTally::rows`] adds the expectation, which may need a count of the base game.
//!
//! The expectation of a base wager assumes that the player sets by the house way. The variance of each wager is exact. So
//! is that of side wagers on the same dealer's hand, and of a hand that pays its own wager and envy bonuses to other
//! players. Base wagers of a round share the dealer's hand; their covariance is measured. Side wagers on different hands of a
//! round count as independent, although the hands come from one deck.

mod round;

use crate::RoundRecord;
use paigow::{Amount, TableRules};
use paigow_answers::house_win::{HouseWin, SideHand, base_outcomes};
use paigow_answers::odds::BASE_GAME;
use paigow_answers::puzzle::Day;
use paigow_answers::{Exact, Work};
use paigow_math::{Fraction, Outcomes, standard_deviations};
use paigow_table::TableId;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Digits after the decimal point of standard deviations.
const DIGITS: u32 = 2;

/// Results of one wager at a table on a day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ReportRow {
    /// UTC day on which the rounds ended, such as `2026-11-17`.
    pub day: String,
    /// Name of the table.
    pub table: TableId,
    /// Currency of the table.
    pub currency: String,
    /// Name of the wager. `pai-gow` is the base game.
    pub wager: String,
    /// Title of the wager. The base game has the title `Pai Gow`.
    pub title: String,
    /// Number of wagers with action in settled rounds.
    pub wagers: u64,
    /// Number of void rounds in which the wager was placed. They have no handle and no win.
    pub voided: u64,
    /// Sum of the stakes with action.
    pub handle_cents: u64,
    /// Win of the house: lost stakes less payouts and envy bonuses, and commission and collection fees. Negative for a
    /// loss. Of wagers against a banking seat, the house wins only commission and fees. The result of the dealer's own
    /// hand against a banking seat belongs to the base game.
    pub win_cents: i64,
    /// Win divided by handle. `null` without handle.
    #[schema(required)]
    pub hold: Option<Exact>,
    /// Number of wagers with an expectation. Wagers against a banking seat have none. Neither have side wagers that the
    /// high hands decide, and side wagers that may share a maximum payout.
    pub judged_wagers: u64,
    /// Win of the house from the wagers with an expectation.
    pub judged_win_cents: i64,
    /// Expected win of the house before the deal from the wagers with an expectation, in cents. For the base game, players
    /// set by the house way. `null` if no wager has an expectation.
    #[schema(required)]
    pub expected: Option<Exact>,
    /// Standard deviation of `judged_win_cents`, as a decimal. Side wagers on different hands of a round count as
    /// independent. Base wagers of a round, which share the dealer's hand, count as correlated by one third, which is
    /// measured. `null` if no wager has an expectation.
    #[schema(required)]
    pub deviation_cents: Option<String>,
    /// Distance of `judged_win_cents` from `expected` in standard deviations, as a decimal. Negative if the house won less
    /// than expected. `null` if there is no standard deviation, or if it is zero.
    #[schema(required)]
    pub deviations: Option<String>,
}

/// CSV columns of a report.
pub const REPORT_COLUMNS: [&str; 15] = [
    "day",
    "table",
    "currency",
    "wager",
    "title",
    "wagers",
    "voided",
    "handle_cents",
    "win_cents",
    "hold",
    "judged_wagers",
    "judged_win_cents",
    "expected",
    "deviation_cents",
    "deviations",
];

impl ReportRow {
    /// Returns the CSV fields of the row.
    pub(crate) fn fields(&self) -> Vec<String> {
        // The fields always serialize.
        let row = serde_json::to_value(self).unwrap_or_default();
        let text = |name: &&str| match &row[*name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        REPORT_COLUMNS.iter().map(text).collect()
    }
}

/// Sums of the rounds of a report.
#[derive(Default)]
pub struct ReportTally {
    tables: BTreeMap<TableId, TalliedTable>,
    wagers: BTreeMap<(Day, TableId, String), WagerTally>,
}

/// Rules and currency of a table.
struct TalliedTable {
    rules: Arc<TableRules>,
    currency: String,
}

/// Sums of one wager at a table on a day.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct WagerTally {
    wagers: u64,
    voided: u64,
    handle_cents: u64,
    win_cents: i64,
    judged_wagers: u64,
    judged_win_cents: i64,
    /// Part of the judged win that is certain before the deal: collection fees.
    certain_cents: i64,
    /// Number of occurrences of each judged risk.
    risks: BTreeMap<Risk, u64>,
}

/// A part of the house's win that counts as independent of all others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Risk {
    /// The base wagers of a round against the dealer, by their stakes in ascending order.
    Base(Vec<Amount>),
    /// A hand that decides side wagers.
    Side(SideHand),
}

impl ReportTally {
    /// Adds a finished round of a table.
    pub fn add(&mut self, record: &RoundRecord, rules: &Arc<TableRules>) {
        let Some(ended_at) = record.ended_at else { return };
        let day = Day::at_ms(ended_at.0);
        for (wager, tally) in round::tallies(record, rules) {
            self.wagers.entry((day, record.table.clone(), wager)).or_default().add(tally);
        }
        self.tables
            .entry(record.table.clone())
            .or_insert_with(|| TalliedTable { rules: rules.clone(), currency: record.currency.clone() });
    }

    /// Returns a text that differs for tallies with different rows.
    pub(crate) fn key(&self) -> String {
        let digests: Vec<_> = self.tables.iter().map(|(id, table)| (id, table.rules.digest())).collect();
        format!("{digests:?} {:?}", self.wagers)
    }

    /// Returns the rows of the report, sorted by day, table and name of the wager.
    pub fn rows(&self, work: &Work) -> Vec<ReportRow> {
        let mut outcomes = BTreeMap::new();
        let rows = self.wagers.iter().filter_map(|((day, id, wager), tally)| {
            let table = self.tables.get(id)?;
            let has_base = tally.risks.keys().any(|risk| matches!(risk, Risk::Base(_)));
            let base =
                has_base.then(|| *outcomes.entry(id).or_insert_with(|| base_outcomes(&table.rules, work)));
            let index = table.rules.side_wager_index(wager).ok();
            let title = index.map_or("Pai Gow", |index| &table.rules.wager(index).title);
            let expected = tally.house_win(&table.rules, index, base.as_ref());
            let judged_win = Fraction::new(tally.judged_win_cents, 1);
            Some(ReportRow {
                day: day.to_string(),
                table: id.clone(),
                currency: table.currency.clone(),
                wager: wager.clone(),
                title: title.to_owned(),
                wagers: tally.wagers,
                voided: tally.voided,
                handle_cents: tally.handle_cents,
                win_cents: tally.win_cents,
                hold: (tally.handle_cents > 0)
                    .then(|| Exact(Fraction::new(tally.win_cents, tally.handle_cents))),
                judged_wagers: tally.judged_wagers,
                judged_win_cents: tally.judged_win_cents,
                deviation_cents: expected.as_ref().map(|win| win.variance.root(DIGITS)),
                deviations: expected
                    .as_ref()
                    .and_then(|win| standard_deviations(&judged_win, &win.expected, &win.variance, DIGITS)),
                expected: expected.map(|win| Exact(win.expected)),
            })
        });
        rows.collect()
    }
}

impl WagerTally {
    fn add(&mut self, other: WagerTally) {
        self.wagers += other.wagers;
        self.voided += other.voided;
        self.handle_cents += other.handle_cents;
        self.win_cents += other.win_cents;
        self.judged_wagers += other.judged_wagers;
        self.judged_win_cents += other.judged_win_cents;
        self.certain_cents += other.certain_cents;
        for (risk, count) in other.risks {
            *self.risks.entry(risk).or_default() += count;
        }
    }

    /// Returns the expectation and variance of the judged wagers, or `None` if there are none.
    fn house_win(
        &self,
        rules: &TableRules,
        index: Option<usize>,
        base: Option<&Outcomes>,
    ) -> Option<HouseWin> {
        let mut risks = self.risks.iter().filter_map(|(risk, count)| {
            let win = match risk {
                Risk::Base(stakes) => HouseWin::of_base(rules, base?, stakes),
                Risk::Side(hand) => HouseWin::of_side(rules, index?, hand)?,
            };
            Some(win.times(*count))
        });
        let first = risks.next()?;
        Some(risks.fold(first + HouseWin::certain(self.certain_cents), |sum, win| sum + win))
    }
}
