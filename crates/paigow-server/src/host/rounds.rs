//! Finished rounds, read from the store.

use super::integrity::verify;
use super::{Host, HostError, TableSnapshot};
use crate::host::replay::{self, ReplayError};
use crate::operations::Recorder;
use crate::{Environment, RoundRecord, Store, StoreError, TableHead};
use paigow_table::{SeenEvent, Table, TableEvent, TableId, Time, View, Viewer};
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use std::slice;
use utoipa::ToSchema;

/// Number of events read at once. It covers some dozens of rounds, because most requested rounds are close to a
/// snapshot.
const PAGE: u32 = 1_000;

/// Number of events read at once to find the start of a round. It covers a round.
const OPENING_PAGE: u32 = 100;

/// Time by which a clock may have been set back, in milliseconds. The times of a table's events are in order apart from
/// that.
const CLOCK_MARGIN_MS: u64 = 86_400_000;

/// A past event with its sequence number and its time.
pub(crate) type PastEvent = (u64, Time, TableEvent);

/// A finished round with its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SeenRound {
    /// Record of the round.
    pub record: RoundRecord,
    /// State of the table before the round.
    pub start: View,
    /// Events of the round, with every card, because it is over.
    pub events: Vec<SeenAt>,
}

/// An event with its sequence number and time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SeenAt {
    /// Sequence number within the table.
    pub seq: u64,
    /// Time of the event.
    pub at: Time,
    /// The event.
    pub event: SeenEvent,
}

impl<S: Store, E: Environment> Host<S, E> {
    /// Returns the records of the finished rounds in some ranges. The ranges must be in ascending order.
    pub(crate) async fn rounds(
        &self,
        table: &TableId,
        ranges: &[Range<u64>],
    ) -> Result<Vec<RoundRecord>, HostError> {
        let mut records = Vec::new();
        let mut at = Box::pin(self.oldest(table)).await?;
        for range in ranges {
            // Continue from the range before, unless a snapshot is closer to this one.
            let snapshot = self.before_round(table, range.start).await?;
            if snapshot.seq > at.seq {
                at = snapshot;
            }
            let mut recorder = Recorder::new(at.table.take());
            (at.seq, at.hash) = self
                .read_past(table, (at.seq, at.hash), |seq, at, event| {
                    if matches!(event, TableEvent::RoundOpened { round, .. } if *round >= range.end) {
                        return Ok(ControlFlow::Break(()));
                    }
                    recorder.apply(table, seq, at, event, &self.rules_cache)?;
                    Ok(ControlFlow::Continue(()))
                })
                .await?;
            let is_wanted = |record: &RoundRecord| range.contains(&record.round) && record.ended_at.is_some();
            let (recorded, current) = recorder.end();
            records.extend(recorded.into_iter().filter(is_wanted));
            at.table = current;
        }
        Ok(records)
    }

    /// Returns the records of a table's rounds that ended at or after `from` and before `until`.
    ///
    /// Reads only events around that period: their position in the log is found by bisection.
    pub(crate) async fn rounds_between(
        &self,
        TableHead { table, tip, .. }: &TableHead,
        from: Time,
        until: Time,
    ) -> Result<Vec<RoundRecord>, HostError> {
        let end = tip.seq;
        let (oldest, archived) = Box::pin(self.archived_until(table)).await?;
        let early = Time(from.0.saturating_sub(CLOCK_MARGIN_MS));
        let first = self.first_event_at(table, early, (oldest, end)).await?;
        if first > end {
            return Ok(Vec::new());
        }
        // The round before may have ended in the period.
        let start = match self.next_opening(table, first).await? {
            Some(round) => round.saturating_sub(1),
            None => self.rounds_begun(table).await?,
        };
        let start = start.max(archived + 1);
        let late = Time(until.0.saturating_add(CLOCK_MARGIN_MS));
        let last = self.first_event_at(table, late, (oldest, end)).await?;
        let end = self.next_opening(table, last).await?.unwrap_or(u64::MAX);
        let mut records = self.rounds(table, slice::from_ref(&(start..end))).await?;
        records.retain(|record| record.ended_at.is_some_and(|at| (from..until).contains(&at)));
        Ok(records)
    }

    /// Returns the sequence number of the first event at or after a time, or `end + 1` if there is none after event `after` and
    /// up to `end`.
    async fn first_event_at(
        &self,
        table: &TableId,
        time: Time,
        (after, end): (u64, u64),
    ) -> Result<u64, HostError> {
        let (mut low, mut high) = (after + 1, end + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let rows = self.store.log(table, middle - 1, 1).await?;
            if rows.first().is_some_and(|row| row.at < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Returns the number of the first round that opens at or after a sequence number, or `None` if there is none.
    async fn next_opening(&self, table: &TableId, seq: u64) -> Result<Option<u64>, HostError> {
        let mut after = seq.saturating_sub(1);
        loop {
            let rows = self.store.log(table, after, OPENING_PAGE).await?;
            for row in &rows {
                if let TableEvent::RoundOpened { round, .. } = replay::parse_event(table, row.seq, &row.json)?
                {
                    return Ok(Some(round));
                }
                after = row.seq;
            }
            if rows.len() < OPENING_PAGE as usize {
                return Ok(None);
            }
        }
    }

    /// Number of rounds that a table has begun.
    pub(crate) async fn rounds_begun(&self, table: &TableId) -> Result<u64, HostError> {
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        self.refresh(table, &mut slot).await?;
        Ok(self.load(table, &mut slot).await?.table.round_number())
    }

    /// Returns a finished round with all its events, or `None` if the round is not over or does not exist.
    pub(crate) async fn seen_round(&self, id: &TableId, round: u64) -> Result<Option<SeenRound>, HostError> {
        let (table, rows) = self.up_to_round(id, round).await?;
        let mut recorder = Recorder::new(table);
        let mut start = None;
        let mut events = Vec::new();
        for (seq, at, event) in &rows {
            if matches!(event, TableEvent::RoundOpened { round: begins, .. } if *begins == round) {
                start = recorder.table().map(|table| table.view(&Viewer::Auditor));
            }
            recorder.apply(id, *seq, *at, event, &self.rules_cache)?;
            if let (Some(_), Some(table)) = (&start, recorder.table()) {
                events.push(SeenAt { seq: *seq, at: *at, event: table.seen(event, &Viewer::Auditor) });
            }
        }
        let (mut recorded, _) = recorder.end();
        let record = recorded.pop().filter(|last| last.round == round && last.ended_at.is_some());
        // Events between this round and the next belong to neither.
        events.retain(|event| record.as_ref().is_some_and(|record| event.seq <= record.last_seq));
        Ok(start.zip(record).map(|(start, record)| SeenRound { record, start, events }))
    }

    /// Returns the table at the end of a round, or its current state if the round is not over. `None` if there is no
    /// such round.
    pub(crate) async fn table_at_round(&self, id: &TableId, round: u64) -> Result<Option<Table>, HostError> {
        let (table, rows) = self.up_to_round(id, round).await?;
        let mut recorder = Recorder::new(table);
        for (seq, at, event) in &rows {
            recorder.apply(id, *seq, *at, event, &self.rules_cache)?;
        }
        // A table before its first round has round number 0, which is not a round.
        Ok(recorder.end().1.filter(|table| round > 0 && table.round_number() == round))
    }

    /// Returns the table before a round, and the events from there to the start of the next round.
    ///
    /// The events after the settlement are included, because a settled round can be voided until the next one begins.
    /// Events before the round are applied as they are read, because those of an old table may not fit in memory.
    async fn up_to_round(
        &self,
        id: &TableId,
        round: u64,
    ) -> Result<(Option<Table>, Vec<PastEvent>), HostError> {
        let TableSnapshot { mut table, seq, hash, .. } = self.before_round(id, round).await?;
        let mut rows: Vec<PastEvent> = Vec::new();
        self.read_past(id, (seq, hash), |seq, at, event| {
            match event {
                TableEvent::RoundOpened { round: begins, .. } if *begins > round => {
                    return Ok(ControlFlow::Break(()));
                }
                TableEvent::RoundOpened { round: begins, .. } if *begins == round => {
                    rows.push((seq, at, event.clone()));
                }
                _ if rows.is_empty() => replay::step(&mut table, id, seq, event, &self.rules_cache)?,
                _ => rows.push((seq, at, event.clone())),
            }
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        let mut recorder = Recorder::new(table);
        recorder.set_keys(id, &rows, &self.keys)?;
        Ok((recorder.end().1, rows))
    }

    /// Returns the closest snapshot before a round. The more recent the round, the closer the snapshot.
    async fn before_round(&self, table: &TableId, round: u64) -> Result<TableSnapshot, HostError> {
        let (_, archived) = Box::pin(self.archived_until(table)).await?;
        if (1..=archived).contains(&round) {
            return Err(Box::pin(self.archived(table, round)).await);
        }
        if round <= archived + 1 {
            return Box::pin(self.oldest(table)).await;
        }
        let slot = self.slot(table);
        let mut slot = slot.lock().await;
        // The table in memory must be a prefix of the log that the caller reads.
        self.refresh(table, &mut slot).await?;
        let loaded = self.load(table, &mut slot).await?;
        if let Some(snapshot) = loaded.snapshots.before(round) {
            return Ok(snapshot.clone());
        }
        Box::pin(self.oldest(table)).await
    }

    /// Returns the error for an archived round.
    async fn archived(&self, table: &TableId, round: u64) -> HostError {
        match self.store.round_journal(table, round).await {
            Err(StoreError::Archived { file, .. }) => {
                HostError::Archived { table: table.clone(), round, file }
            }
            Err(error) => error.into(),
            // The block of the round has no row that names the archive.
            Ok(_) => HostError::Archived { table: table.clone(), round, file: String::new() },
        }
    }

    /// Passes the events after a sequence number to `visit` until it breaks. Returns sequence number and hash of the
    /// event before that.
    async fn read_past(
        &self,
        table: &TableId,
        (mut after, mut hash): (u64, [u8; 32]),
        mut visit: impl FnMut(u64, Time, &TableEvent) -> Result<ControlFlow<()>, ReplayError>,
    ) -> Result<(u64, [u8; 32]), HostError> {
        loop {
            let rows = self.store.log(table, after, PAGE).await?;
            for row in &rows {
                verify(table, &hash, row)?;
                let event = replay::parse_event(table, row.seq, &row.json)?;
                if visit(row.seq, row.at, &event)?.is_break() {
                    return Ok((after, hash));
                }
                (after, hash) = (row.seq, row.hash);
            }
            if rows.len() < PAGE as usize {
                return Ok((after, hash));
            }
        }
    }
}
