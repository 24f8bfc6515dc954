//! Checkpoints: the state of a table between two rounds, without the finished round.
//!
//! A table continues from a checkpoint and the events after it, as from its first event. `docs/store.md` documents the
//! JSON. Programs read every version that an earlier program wrote.

use super::{InvalidEvent, LastBank, SeatState, Table, TablePhase};
use crate::{PlayerId, TableEvent, TableId, Time};
use paigow::{Seat, TableRules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// State of a table between two rounds, from which it continues without its earlier events.
///
/// A restored table has no last round. It can do everything except void that round, so a checkpoint is useful where the
/// next command opens a round or closes the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    version: u32,
    table: TableId,
    /// Number of rounds opened so far.
    rounds: u64,
    /// Number of holds placed so far.
    holds: u64,
    /// Version of the fair-deal protocol of the last round, or 0 if there was none.
    protocol: u8,
    /// Time at which the next round opens, or `None` if the table waits.
    until: Option<Time>,
    paused: bool,
    closing: bool,
    /// Whether an event contradicts the rules of a table whose digest could not be compared.
    rules_contradicted: bool,
    last_bank: Option<LastBank>,
    seats: BTreeMap<u8, SeatState>,
    /// Number of events since the last round opened, of players who have left a seat.
    departed: BTreeMap<PlayerId, u16>,
}

/// Reasons that a checkpoint cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the checkpoint cannot be used: {}", .0.join("; "))]
pub struct InvalidCheckpoint(pub Vec<String>);

/// The part of a checkpoint that every version has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl InvalidCheckpoint {
    fn one(fault: impl Into<String>) -> InvalidCheckpoint {
        InvalidCheckpoint(vec![fault.into()])
    }
}

impl Checkpoint {
    /// Version of the format that this program writes.
    pub const VERSION: u32 = 1;

    /// Id of the table.
    pub fn table(&self) -> &TableId {
        &self.table
    }

    /// Number of rounds before the checkpoint.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the JSON of the checkpoint. Equal checkpoints have the same text.
    pub fn to_json(&self) -> String {
        // Every key of a map is a number or a name, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// The text is not a checkpoint, a later program wrote it, or its values contradict each other. Lists every
    /// contradiction.
    pub fn from_json(json: &str) -> Result<Checkpoint, InvalidCheckpoint> {
        let unreadable = |why: serde_json::Error| InvalidCheckpoint::one(why.to_string());
        let AnyVersion { version } = serde_json::from_str(json).map_err(unreadable)?;
        if version != Checkpoint::VERSION {
            return Err(InvalidCheckpoint::one(format!(
                "it has version {version}, and this program reads version {}",
                Checkpoint::VERSION
            )));
        }
        let read: Checkpoint = serde_json::from_str(json).map_err(unreadable)?;
        let faults = read.faults();
        if faults.is_empty() { Ok(read) } else { Err(InvalidCheckpoint(faults)) }
    }

    /// Lists the values that no table can have together.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut check = |is_valid: bool, fault: &dyn Fn() -> String| {
            if !is_valid {
                faults.push(fault());
            }
        };
        let Checkpoint { rounds, protocol, .. } = self;
        check(*protocol <= 2, &|| format!("there is no fair-deal protocol {protocol}"));
        check((*rounds == 0) == (*protocol == 0), &|| {
            format!("{rounds} rounds contradict protocol {protocol} of the last round")
        });
        let has_round = *rounds > 0;
        check(has_round || self.holds == 0, &|| format!("{} holds, but no round", self.holds));
        check(has_round || self.until.is_none(), &|| "a pause after a round, but no round".to_owned());
        check(has_round || self.last_bank.is_none(), &|| "a last banker, but no round".to_owned());
        let is_seat = |seat: u8| Seat::new(seat).is_some();
        if let Some(LastBank { seat, rounds: banked, .. }) = &self.last_bank {
            check(is_seat(*seat), &|| format!("there is no seat {seat}, the seat of the last banker"));
            check(*banked > 0 && u64::from(*banked) <= *rounds, &|| {
                format!("the last banker banked {banked} of {rounds} rounds")
            });
        }
        for (seat, state) in &self.seats {
            check(is_seat(*seat), &|| format!("there is no seat {seat}"));
            let SeatState { first_round, missed, .. } = state;
            // Rounds from the first one that the player could take part in.
            let present = rounds.saturating_add(1).saturating_sub(*first_round);
            check(*first_round > 0 && *first_round <= rounds.saturating_add(1), &|| {
                format!("seat {seat} takes part from round {first_round}, after {rounds} rounds")
            });
            check(u64::from(*missed) <= present, &|| {
                format!("seat {seat} missed {missed} of {present} rounds")
            });
            check(!state.next || self.until.is_some(), &|| {
                format!("seat {seat} asked for the next round of a table that waits")
            });
            check(state.time_paid.is_none() || has_round, &|| {
                format!("seat {seat} paid for playing time, but no round")
            });
        }
        for (player, changes) in &self.departed {
            check(*changes > 0, &|| format!("player {player} left without a change"));
        }
        faults
    }
}

impl Table {
    /// Returns the state of the table without its last round. `None` while a round is open, and once the table is
    /// closed.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let until = match self.phase {
            TablePhase::Waiting => None,
            TablePhase::Between { until } => Some(until),
            _ => return None,
        };
        if self.closed || self.round.as_ref().is_some_and(|round| !round.over) {
            return None;
        }
        Some(Checkpoint {
            version: Checkpoint::VERSION,
            table: self.id().clone(),
            rounds: self.rounds,
            holds: self.holds,
            protocol: self.protocol,
            until,
            paused: self.paused,
            closing: self.closing,
            rules_contradicted: self.opened_with.contradicted,
            last_bank: self.last_bank.clone(),
            seats: self.seats.clone(),
            departed: self.departed_changes.clone(),
        })
    }

    /// Creates a table from its first event, its rules and a checkpoint. As after [`Table::open`], the caller sets the
    /// digest of the rules and the keys, and then applies the events after the checkpoint.
    ///
    /// # Errors
    /// The event does not open a table, or the checkpoint belongs to another table or contradicts itself.
    pub fn restore(
        first: &TableEvent,
        table_rules: Arc<TableRules>,
        checkpoint: &Checkpoint,
    ) -> Result<Table, InvalidCheckpoint> {
        let opened = Table::open(first, table_rules);
        let mut table = opened.map_err(|InvalidEvent(why)| InvalidCheckpoint::one(why))?;
        let mut faults = checkpoint.faults();
        if checkpoint.table != *table.id() {
            faults.push(format!("it belongs to table {}, not to table {}", checkpoint.table, table.id()));
        }
        if !faults.is_empty() {
            return Err(InvalidCheckpoint(faults));
        }
        let Checkpoint { rounds, holds, protocol, until, paused, closing, .. } = *checkpoint;
        (table.rounds, table.holds, table.protocol) = (rounds, holds, protocol);
        (table.paused, table.closing) = (paused, closing);
        table.phase = until.map_or(TablePhase::Waiting, |until| TablePhase::Between { until });
        table.opened_with.contradicted = checkpoint.rules_contradicted;
        table.last_bank.clone_from(&checkpoint.last_bank);
        table.seats.clone_from(&checkpoint.seats);
        table.departed_changes.clone_from(&checkpoint.departed);
        Ok(table)
    }
}
