//! Rounds as people read them: made from the stored events by playing them again.

use crate::host::PastEvent;
use crate::host::replay::{self, ReplayError};
use crate::host::revealed_keys::ShownKeys;
use crate::{EventRow, RulesCache};
use paigow::Amount;
use paigow_table::{
    Actor, ColorName, InvalidEvent, LineView, MasterKeys, RoundView, SeatView, SetBy, Table, TableEvent,
    TableId, Time, Viewer, VoidReason,
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A round, with everything that was dealt, done and paid in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[allow(missing_docs)] // the fields are named for what they hold
pub struct RoundRecord {
    pub table: TableId,
    pub round: u64,
    pub book: String,
    /// The digest of the rules, and the version of the program, that the table was opened with.
    pub rules: String,
    pub version: String,
    pub currency: String,
    pub opened_at: Time,
    /// When it was over.
    #[schema(required)]
    pub ended_at: Option<Time>,
    /// `open`, `settled`, `voided` or `abandoned`.
    pub outcome: &'static str,
    /// Why it was voided.
    #[schema(required)]
    pub reason: Option<VoidReason>,
    /// The events it is made of.
    pub first_seq: u64,
    pub last_seq: u64,
    /// Those who sat there when it was over.
    pub seats: Vec<SeatView>,
    /// The cards, the bank and the secret.
    #[schema(required)]
    pub play: Option<RoundView>,
    /// The settlement, line by line.
    pub lines: Vec<LineView>,
}

/// Something that happened, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)] // the fields are named for what they hold
pub struct RoundEntry {
    pub seq: u64,
    pub at: Time,
    pub by: String,
    pub says: String,
    pub event: TableEvent,
}

/// The rounds of a table's events from the first on. Cards of a round that is not over are not in its record.
///
/// # Errors
/// What is stored makes no table.
pub fn records(
    id: &TableId,
    rows: &[EventRow],
    library: &RulesCache,
) -> Result<Vec<RoundRecord>, ReplayError> {
    let mut recorder = Recorder::new(None);
    for row in rows {
        let event = replay::event_of(id, row.seq, &row.json)?;
        recorder.happens(id, row.seq, row.at, &event, library)?;
    }
    Ok(recorder.end().0)
}

/// Writes down the rounds of a table while its events happen again.
pub(crate) struct Recorder {
    table: Option<Table>,
    made: Vec<RoundRecord>,
}

impl Recorder {
    /// From a table on as it was at some time: the round it was in is not written down. From the first event on with none.
    pub(crate) fn new(table: Option<Table>) -> Recorder {
        Recorder { table, made: Vec::new() }
    }

    /// The table as it is by now, once it is open.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Gives the table the secrets that these events show, and those that follow from the master keys: cards are then known before a round
    /// is over.
    pub(crate) fn set_keys(
        &mut self,
        id: &TableId,
        events: &[PastEvent],
        master: &Arc<MasterKeys>,
    ) -> Result<(), ReplayError> {
        let Some(table) = self.table.take() else { return Ok(()) };
        let events = events.iter().map(|(_, _, event)| event);
        let shown = ShownKeys::of(id, table.opened_with(), events, Some(master.clone()));
        let misfit = |InvalidEvent(why)| ReplayError::InvalidEvent { table: id.clone(), seq: 0, why };
        self.table = Some(table.with_keys(Some(Arc::new(shown))).map_err(misfit)?);
        Ok(())
    }

    /// Lets the next event happen.
    pub(crate) fn happens(
        &mut self,
        id: &TableId,
        seq: u64,
        at: Time,
        event: &TableEvent,
        library: &RulesCache,
    ) -> Result<(), ReplayError> {
        replay::step(&mut self.table, id, seq, event, library)?;
        let Some(table) = &self.table else { return Ok(()) };
        if let TableEvent::RoundOpened { round, .. } = event {
            self.made.push(RoundRecord {
                table: id.clone(),
                round: *round,
                book: table.table_rules().book().id.clone(),
                rules: table.opened_with().to_owned(),
                version: table.opened_by().to_owned(),
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
        let voids = matches!(event, TableEvent::RoundVoided { .. });
        let Some(record) = self.made.last_mut().filter(|record| voids || record.ended_at.is_none()) else {
            return Ok(());
        };
        record.last_seq = seq;
        let over = match event {
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
        if let Some(outcome) = over {
            record.outcome = outcome;
            record.ended_at = Some(at);
            see(record, table);
        }
        Ok(())
    }

    /// What was written down, of a round that is not over what anybody may see; and the table as it is then.
    pub(crate) fn end(mut self) -> (Vec<RoundRecord>, Option<Table>) {
        let open = self.made.last_mut().filter(|record| record.ended_at.is_none());
        if let (Some(record), Some(table)) = (open, &self.table) {
            see(record, table);
        }
        (self.made, self.table)
    }
}

/// Puts in what anybody may see by now.
fn see(record: &mut RoundRecord, table: &Table) {
    let view = table.view(&Viewer::Watcher);
    record.seats = view.seats;
    // The lines are in the record already, as they were stored.
    record.play = view.round.map(|round| RoundView { lines: None, ..round });
}

/// What happened, event by event.
///
/// # Errors
/// An event cannot be read.
pub fn happenings(
    id: &TableId,
    rows: &[EventRow],
    library: &RulesCache,
) -> Result<Vec<RoundEntry>, ReplayError> {
    let mut book = None;
    rows.iter()
        .map(|row| {
            let event = replay::event_of(id, row.seq, &row.json)?;
            if matches!(event, TableEvent::Opened { .. }) {
                let opened = replay::opened(id, row.seq, &event, library).ok();
                book = opened.map(|table| table.table_rules().book().clone());
            }
            let says = sentence(&event);
            let says = book.as_ref().map_or(says.clone(), |book| book.in_its_terms(&says));
            Ok(RoundEntry { seq: row.seq, at: row.at, by: row.by.to_string(), says, event })
        })
        .collect()
}

/// An event in a sentence.
pub fn sentence(event: &TableEvent) -> String {
    match event {
        TableEvent::Opened { config, .. } => {
            format!("table {} is open, by {} for {}", config.table, config.book, config.currency)
        }
        TableEvent::Sat { seat, player } => format!("{player} sits down at seat {seat}"),
        TableEvent::Leaving { seat } => format!("seat {seat} leaves when the round is over"),
        TableEvent::Stood { seat } => format!("seat {seat} is free"),
        TableEvent::SatOut { seat, by: Actor::Clock } => {
            format!("seat {seat} sits out, having wagered nothing for a while")
        }
        TableEvent::SatOut { seat, .. } => format!("seat {seat} sits out"),
        TableEvent::Returned { seat } => format!("seat {seat} plays again"),
        TableEvent::RoundOpened { round, commitment, .. } => {
            format!("round {round} begins; the deal is committed to by {}", String::from(*commitment))
        }
        TableEvent::BankOffered { seat, .. } => format!("seat {seat} is offered to be the banker"),
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
        TableEvent::Ready { seat } => format!("seat {seat} is ready"),
        TableEvent::Dealt { cards, dice, .. } if cards.is_empty() => {
            format!("the dice choose {dice}, and hands are dealt")
        }
        TableEvent::Dealt { cards, dice, .. } => {
            format!("the dice choose {dice}, and hands are dealt from {cards}")
        }
        TableEvent::HandSet { seat, positions: Some([one, other]), by: SetBy::Player, .. } => {
            format!("seat {seat} sets cards {one} and {other} of its packet as the low hand")
        }
        TableEvent::HandSet { seat, front, by: SetBy::Player, .. } => {
            format!("seat {seat} sets {front} as the low hand")
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
            format!("nobody plays this round; the secret was {}", String::from(*secret))
        }
        TableEvent::Rested => "the table waits for players".to_owned(),
        TableEvent::Paused { .. } => "the table is paused".to_owned(),
        TableEvent::Resumed { .. } => "the table goes on".to_owned(),
        TableEvent::Closing { .. } => "the table closes when the round is over".to_owned(),
        TableEvent::Closed => "the table is closed".to_owned(),
        TableEvent::Noticed { text, .. } => format!("the house says: {text}"),
    }
}
