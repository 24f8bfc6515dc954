//! Metrics of money: transfers and rounds that this process has committed, and money at stake at open tables.
//!
//! The labels are bounded. Books are those of the program and of the operator's folder, and currencies are those that
//! operators issue. No label names a player or a table.

use crate::store::encode_purpose;
use paigow_table::{Currency, Owner, Table, TableEvent, Transfer};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::collections::BTreeMap;

/// Labels of transfers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct TransferLabels {
    currency: String,
    /// Rule book of the table, or empty outside tables.
    book: String,
    purpose: &'static str,
    /// Kind of the debited account.
    from: &'static str,
    /// Kind of the credited account.
    to: &'static str,
}

/// Labels of rounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RoundLabels {
    currency: String,
    book: String,
    outcome: &'static str,
}

/// Labels of money at stake.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, EncodeLabelSet)]
struct StakeLabels {
    currency: String,
    book: String,
}

/// Counters of committed transfers and rounds. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoneyCounts {
    cents: Family<TransferLabels, Counter>,
    rounds: Family<RoundLabels, Counter>,
}

impl MoneyCounts {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let cents = "Cents transferred between accounts, by purpose and kinds of accounts";
        registry.register("money_cents", cents, self.cents.clone());
        registry.register("rounds", "Rounds that ended", self.rounds.clone());
    }

    /// Counts transfers outside tables.
    pub(crate) fn record_chips(&self, transfers: &[Transfer]) {
        self.record_transfers("", transfers);
    }

    /// Counts the effects of a command at a table.
    pub(crate) fn record(
        &self,
        book: &str,
        currency: &Currency,
        events: &[TableEvent],
        transfers: &[Transfer],
    ) {
        self.record_transfers(book, transfers);
        for event in events {
            let outcome = match event {
                TableEvent::Settled { .. } => "settled",
                TableEvent::RoundVoided { .. } => "voided",
                TableEvent::RoundAbandoned { .. } => "abandoned",
                _ => continue,
            };
            let labels = RoundLabels { currency: currency.to_string(), book: book.to_owned(), outcome };
            self.rounds.get_or_create(&labels).inc();
        }
    }

    fn record_transfers(&self, book: &str, transfers: &[Transfer]) {
        for Transfer { debit, credit, cents, purpose, .. } in transfers {
            let labels = TransferLabels {
                currency: debit.currency.to_string(),
                book: book.to_owned(),
                purpose: encode_purpose(*purpose),
                from: account_kind(&debit.owner),
                to: account_kind(&credit.owner),
            };
            self.cents.get_or_create(&labels).inc_by(*cents);
        }
    }
}

/// Kind of an account: the name of its owner without the player or table.
const fn account_kind(owner: &Owner) -> &'static str {
    match owner {
        Owner::Player(_) => "player",
        Owner::Escrow(_) => "escrow",
        Owner::House => "house",
        Owner::Guarantee => "bank",
        Owner::Commission => "commission",
        Owner::Collection => "collection",
        Owner::Issue => "issue",
    }
}

/// Money at stake at one table.
pub(crate) struct TableStakes {
    labels: StakeLabels,
    sums: StakeSums,
}

/// Sums of money at stake.
#[derive(Clone, Copy, Default)]
struct StakeSums {
    held: u64,
    banks: u64,
    cover: u64,
    action: u64,
}

impl TableStakes {
    pub(crate) fn of(table: &Table) -> TableStakes {
        let labels = StakeLabels {
            currency: table.config().currency.to_string(),
            book: table.table_rules().book().id.clone(),
        };
        let held = table.open_holds().map(|(_, cents)| cents).fold(0, u64::saturating_add);
        let bank = table.seat_bank();
        let (cover, action) = bank.unwrap_or_default();
        TableStakes { labels, sums: StakeSums { held, banks: u64::from(bank.is_some()), cover, action } }
    }
}

/// Gauges of money at stake, set when the metrics are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct StakeGauges {
    held: Family<StakeLabels, Gauge>,
    banks: Family<StakeLabels, Gauge>,
    cover: Family<StakeLabels, Gauge>,
    action: Family<StakeLabels, Gauge>,
}

impl StakeGauges {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let held = "Cents held in the escrows of open tables";
        registry.register("held_cents", held, self.held.clone());
        registry.register("banking_seats", "Seats that bank an open round", self.banks.clone());
        let cover = "Cents that banking seats have put up in open rounds";
        registry.register("bank_cover_cents", cover, self.cover.clone());
        let action = "Cents of base wagers against banking seats in open rounds";
        registry.register("bank_action_cents", action, self.action.clone());
    }

    /// Replaces all values by the sums over these tables.
    pub(crate) fn set(&self, tables: Vec<TableStakes>) {
        let mut sums: BTreeMap<StakeLabels, StakeSums> = BTreeMap::new();
        for TableStakes { labels, sums: table } in tables {
            let sum = sums.entry(labels).or_default();
            sum.held = sum.held.saturating_add(table.held);
            sum.banks += table.banks;
            sum.cover = sum.cover.saturating_add(table.cover);
            sum.action = sum.action.saturating_add(table.action);
        }
        for family in [&self.held, &self.banks, &self.cover, &self.action] {
            // A book or currency without open tables has no value.
            family.clear();
        }
        let set = |family: &Family<StakeLabels, Gauge>, labels: &StakeLabels, value: u64| {
            family.get_or_create(labels).set(i64::try_from(value).unwrap_or(i64::MAX));
        };
        for (labels, sum) in &sums {
            set(&self.held, labels, sum.held);
            set(&self.banks, labels, sum.banks);
            set(&self.cover, labels, sum.cover);
            set(&self.action, labels, sum.action);
        }
    }
}
