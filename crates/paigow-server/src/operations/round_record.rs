//! Records of rounds, made by replaying the stored events.

use crate::host::PastEvent;
use crate::host::replay::{self, ReplayError};
use crate::host::revealed_keys::RevealedKeys;
use crate::{CheckpointRow, EventRow, RulesCache};
use paigow::Amount;
use paigow_table::{
    Actor, ColorName, InvalidEvent, LineView, MasterKeys, RoundView, SeatView, SetBy, Table, TableEvent,
    TableId, Time, Viewer, VoidReason,
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A round with its cards, actions and payouts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)] // the fields are named after their content
pub struct RoundRecord {
    pub table: TableId,
    pub round: u64,
    pub book: String,
    /// Digest of the rules that the table was opened with.
    pub rules: String,
    /// Version of the program that opened the table.
    pub version: String,
    pub currency: String,
    pub opened_at: Time,
    /// Time of the end, or null if the round is open.
    #[schema(required)]
    pub ended_at: Option<Time>,
    /// `open`, `settled`, `voided` or `abandoned`.
    pub outcome: &'static str,
    /// Reason of a void round.
    #[schema(required)]
    pub reason: Option<VoidReason>,
    /// Sequence number of the first event.
    pub first_seq: u64,
    /// Sequence number of the last event.
    pub last_seq: u64,
    /// Seats at the end of the round.
    pub seats: Vec<SeatView>,
    /// Cards, bank and secret.
    #[schema(required)]
    pub play: Option<RoundView>,
    /// Lines of the settlement.
    pub lines: Vec<LineView>,
}

/// An event with a sentence that describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)] // the fields are named after their content
pub struct RoundEntry {
    pub seq: u64,
    pub at: Time,
    pub by: String,
    pub says: String,
    pub event: TableEvent,
}

/// Returns the rounds of a table, from its events since the first. The record of an open round has no cards.
///
/// # Errors
/// The stored events do not replay.
pub fn records(
    id: &TableId,
    rows: &[EventRow],
    rules_cache: &RulesCache,
) -> Result<Vec<RoundRecord>, ReplayError> {
    records_after(id, None, rows, rules_cache)
}

/// Returns the rounds of a table after its checkpoint. With `None`, the events start with the first.
///
/// # Errors
/// The stored events do not replay.
pub fn records_after(
    id: &TableId,
    start: Option<&CheckpointRow>,
    rows: &[EventRow],
    rules_cache: &RulesCache,
) -> Result<Vec<RoundRecord>, ReplayError> {
    let mut recorder = Recorder::new(start.map(|start| restored(start, rules_cache)).transpose()?);
    for row in rows {
        let event = replay::parse_event(id, row.seq, &row.json)?;
        recorder.apply(id, row.seq, row.at, &event, rules_cache)?;
    }
    Ok(recorder.end().0)
}

/// Returns a table at its checkpoint.
pub(super) fn restored(start: &CheckpointRow, rules_cache: &RulesCache) -> Result<Table, ReplayError> {
    let first = replay::parse_event(&start.table, 1, &start.opened)?;
    replay::restored(&start.table, start.seq, &first, &start.json, rules_cache)
}

/// Records the rounds of a table while its events are replayed.
pub(crate) struct Recorder {
    table: Option<Table>,
    records: Vec<RoundRecord>,
}

impl Recorder {
    /// Starts with a state of the table, whose current round is not recorded. With `None`, starts with the first event.
    pub(crate) fn new(table: Option<Table>) -> Recorder {
        Recorder { table, records: Vec::new() }
    }

    /// Current state of the table, or `None` before its opening.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Gives the table the secrets that these events reveal and those that the master keys derive.
    ///
    /// The cards of a round are then known before it ends.
    pub(crate) fn set_keys(
        &mut self,
        id: &TableId,
        events: &[PastEvent],
        master: &Arc<MasterKeys>,
    ) -> Result<(), ReplayError> {
        let Some(table) = self.table.take() else { return Ok(()) };
        let events = events.iter().map(|(_, _, event)| event);
        let revealed = RevealedKeys::of(id, table.opening_rules_digest(), events, Some(master.clone()));
        let invalid = |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: 0, why };
        self.table = Some(table.with_keys(Some(Arc::new(revealed))).map_err(invalid)?);
        Ok(())
    }

    /// Applies the next event.
    pub(crate) fn apply(
        &mut self,
        id: &TableId,
        seq: u64,
        at: Time,
        event: &TableEvent,
        rules_cache: &RulesCache,
    ) -> Result<(), ReplayError> {
        replay::step(&mut self.table, id, seq, event, rules_cache)?;
        let Some(table) = &self.table else { return Ok(()) };
        if let TableEvent::RoundOpened { round, .. } = event {
            self.records.push(RoundRecord {
                table: id.clone(),
                round: *round,
                book: table.table_rules().book().id.clone(),
                rules: table.opening_rules_digest().to_owned(),
                version: table.opening_version().to_owned(),
                currency: table.config().currency.to_string(),
                opened_at: at,
                ended_at: None,
                outcome: "open",
                reason: None,
                first_seq: seq,
                last_seq: seq,
                seats: Vec::new(),
                play: None,
                lines: Vec::new(),
            });
        }
        // A settled round may still be voided.
        let is_void = matches!(event, TableEvent::RoundVoided { .. });
        let Some(record) = self.records.last_mut().filter(|record| is_void || record.ended_at.is_none())
        else {
            return Ok(());
        };
        record.last_seq = seq;
        let outcome = match event {
            TableEvent::Settled { settlement, .. } => {
                record.lines = table.lines(settlement);
                Some("settled")
            }
            TableEvent::RoundVoided { reason, .. } => {
                record.reason = Some(reason.clone());
                record.lines.clear();
                Some("voided")
            }
            TableEvent::RoundAbandoned { .. } => Some("abandoned"),
            _ => None,
        };
        if let Some(outcome) = outcome {
            record.outcome = outcome;
            record.ended_at = Some(at);
            add_public_view(record, table);
        }
        Ok(())
    }

    /// Returns the records and the last state of the table. The record of an open round has only its public view.
    pub(crate) fn end(mut self) -> (Vec<RoundRecord>, Option<Table>) {
        let open = self.records.last_mut().filter(|record| record.ended_at.is_none());
        if let (Some(record), Some(table)) = (open, &self.table) {
            add_public_view(record, table);
        }
        (self.records, self.table)
    }
}

/// Adds seats and round to a record, as the public sees them.
fn add_public_view(record: &mut RoundRecord, table: &Table) {
    let view = table.view(&Viewer::Watcher);
    record.seats = view.seats;
    // The record already has the stored lines.
    record.play = view.round.map(|round| RoundView { lines: None, ..round });
}

/// Returns the events of a table, each with a sentence in the terms of its book. `opened` is the JSON of the table's first
/// event, if it is not among them.
///
/// # Errors
/// An event cannot be read.
pub fn described_events(
    id: &TableId,
    opened: Option<&str>,
    rows: &[EventRow],
    rules_cache: &RulesCache,
) -> Result<Vec<RoundEntry>, ReplayError> {
    let book_of = |first: &TableEvent| {
        let opened = replay::opened(id, 1, first, rules_cache).ok();
        opened.map(|table| table.table_rules().book().clone())
    };
    let first = opened.map(|json| replay::parse_event(id, 1, json)).transpose()?;
    let mut book = first.as_ref().and_then(book_of);
    rows.iter()
        .map(|row| {
            let event = replay::parse_event(id, row.seq, &row.json)?;
            if matches!(event, TableEvent::Opened { .. }) {
                book = book_of(&event);
            }
            let says = sentence(&event);
            let says = book.as_ref().map_or(says.clone(), |book| book.with_book_terms(&says));
            Ok(RoundEntry { seq: row.seq, at: row.at, by: row.by.to_string(), says, event })
        })
        .collect()
}

/// Returns a sentence that describes an event.
pub fn sentence(event: &TableEvent) -> String {
    match event {
        TableEvent::Opened { config, .. } => {
            format!("table {} is open, by {} for {}", config.table, config.book, config.currency)
        }
        TableEvent::Sat { seat, player } => format!("{player} sits down at seat {seat}"),
        TableEvent::Leaving { seat } => format!("seat {seat} leaves when the round is over"),
        TableEvent::Stood { seat } => format!("seat {seat} is free"),
        TableEvent::SatOut { seat, by: Actor::Clock } => {
            format!("seat {seat} sits out after rounds without a wager")
        }
        TableEvent::SatOut { seat, .. } => format!("seat {seat} sits out"),
        TableEvent::Returned { seat } => format!("seat {seat} plays again"),
        TableEvent::RoundOpened { round, commitment, .. } => {
            format!("round {round} begins; the deal is committed to by {}", String::from(*commitment))
        }
        TableEvent::BankOffered { seat, .. } => format!("seat {seat} is asked to be the banker"),
        TableEvent::BankPassed { seat, .. } => format!("seat {seat} declines to be the banker"),
        TableEvent::BankTaken { seat, cents, .. } => {
            format!("seat {seat} is the banker and puts up ${:#}", Amount::from_cents(*cents))
        }
        TableEvent::BankGivenBack { seat } => format!("seat {seat} is no longer the banker"),
        TableEvent::PilePicked { seat, pile } => format!("seat {seat} picks pile {pile} to go first"),
        TableEvent::WagersOpened { .. } => "wagers are open".to_owned(),
        TableEvent::Wagered { seat, wager, cents, color, .. } => {
            let on = match color {
                Some(ColorName::Red) => " on red",
                Some(ColorName::Black) => " on black",
                None => "",
            };
            format!("seat {seat} wagers ${:#} on {wager}{on}", Amount::from_cents(*cents))
        }
        TableEvent::Cleared { seat, wager } => format!("seat {seat} takes back {wager}"),
        TableEvent::BytesAdded { seat, bytes } => {
            format!("seat {seat} adds bytes to the deal: {}", String::from(bytes.clone()))
        }
        TableEvent::Committed { seat, commitment } => {
            format!("seat {seat} commits to its bytes by {}", String::from(*commitment))
        }
        TableEvent::WagersClosed { commitments, .. } => match commitments.len() {
            0 => "wagers are closed; no seat has committed to bytes".to_owned(),
            count => format!("wagers are closed; {count} seats have committed to bytes and reveal them"),
        },
        TableEvent::Revealed { seat, bytes } => {
            format!("seat {seat} reveals {}", String::from(bytes.clone()))
        }
        TableEvent::Ready { seat } => format!("seat {seat} is ready to go on"),
        TableEvent::Dealt { cards, dice, .. } if cards.is_empty() => {
            format!("the dice choose {dice}, and hands are dealt")
        }
        TableEvent::Dealt { cards, dice, .. } => {
            format!("the dice choose {dice}, and hands are dealt from {cards}")
        }
        TableEvent::HandSet { seat, positions: Some([one, other]), by: SetBy::Player, .. } => {
            format!("seat {seat} sets cards {one} and {other} of its packet as the low hand")
        }
        TableEvent::HandSet { seat, low, by: SetBy::Player, .. } => {
            format!("seat {seat} sets {low} as the low hand")
        }
        TableEvent::HandSet { seat, by: SetBy::HouseWay, .. } => format!("seat {seat} is set the house way"),
        TableEvent::HandSet { seat, by: SetBy::Clock, .. } => {
            format!("seat {seat} is out of time and set the house way")
        }
        TableEvent::Settled { secret, settlement, .. } => {
            let lines = if settlement.len() == 1 { "line" } else { "lines" };
            let (count, secret) = (settlement.len(), String::from(*secret));
            format!("the round is settled in {count} {lines}; the secret was {secret}")
        }
        TableEvent::RoundVoided { reason, secret: Some(secret), .. } => {
            format!("the round is void: {reason}; the secret was {}", String::from(*secret))
        }
        TableEvent::RoundVoided { reason, secret: None, .. } => {
            format!("the round is void: {reason}; the house does not show its secret")
        }
        TableEvent::RoundAbandoned { secret, .. } => {
            format!("the round is abandoned; the secret was {}", String::from(*secret))
        }
        TableEvent::Rested => "the table waits for players".to_owned(),
        TableEvent::Paused { .. } => "the table is paused".to_owned(),
        TableEvent::Resumed { .. } => "the table is resumed".to_owned(),
        TableEvent::Closing { .. } => "the table closes when the round is over".to_owned(),
        TableEvent::Closed => "the table is closed".to_owned(),
        TableEvent::Noticed { text, .. } => format!("the house says: {text}"),
    }
}
