//! Rounds that are over, read back from the store.

use super::integrity::verify;
use super::{Host, HostError, TableSnapshot};
use crate::host::replay::{self, ReplayError};
use crate::operations::Recorder;
use crate::{Environment, RoundRecord, Store};
use paigow_table::{SeenEvent, Table, TableEvent, TableId, Time, View, Viewer};
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use utoipa::ToSchema;

/// How many events are read at once: those of some dozens of rounds, since most of what is asked for is near.
const AT_ONCE: u32 = 1_000;

/// An event of the past: its sequence number, its time, and what happened.
pub(crate) type PastEvent = (u64, Time, TableEvent);

/// A round that is over, to be shown again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SeenRound {
    /// What came of it.
    pub record: RoundRecord,
    /// The table before it.
    pub start: View,
    /// What happened, with every card: it is over.
    pub events: Vec<SeenAt>,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SeenAt {
    /// Its place in the table's log.
    pub seq: u64,
    /// When.
    pub at: Time,
    /// What.
    pub event: SeenEvent,
}

impl<S: Store, W: Environment> Host<S, W> {
    /// The records of those of some runs of rounds of a table that are over. The runs are in order.
    pub(crate) async fn rounds(
        &self,
        table: &TableId,
        runs: &[Range<u64>],
    ) -> Result<Vec<RoundRecord>, HostError> {
        let mut records = Vec::new();
        let mut at = TableSnapshot::default();
        for run in runs {
            // Reading goes on from the run before, unless there is a place nearer to this one.
            let past = self.before_round(table, run.start).await?;
            if past.seq > at.seq {
                at = past;
            }
            let mut recorder = Recorder::new(at.table.take());
            (at.seq, at.hash) = self
                .read_past(table, (at.seq, at.hash), |seq, at, event| {
                    if matches!(event, TableEvent::RoundOpened { round, .. } if *round >= run.end) {
                        return Ok(ControlFlow::Break(()));
                    }
                    recorder.happens(table, seq, at, event, &self.library)?;
                    Ok(ControlFlow::Continue(()))
                })
                .await?;
            let over = |record: &RoundRecord| run.contains(&record.round) && record.ended_at.is_some();
            let (made, now) = recorder.end();
            records.extend(made.into_iter().filter(over));
            at.table = now;
        }
        Ok(records)
    }

    /// How many rounds of a table have begun.
    pub(crate) async fn rounds_begun(&self, table: &TableId) -> Result<u64, HostError> {
        let place = self.place(table);
        let mut place = place.lock().await;
        self.refresh(table, &mut place).await?;
        Ok(self.load(table, &mut place).await?.table.round_number())
    }

    /// A round that is over with all its events, if it is.
    pub(crate) async fn seen_round(&self, id: &TableId, round: u64) -> Result<Option<SeenRound>, HostError> {
        let (table, rows) = self.up_to_round(id, round).await?;
        let mut recorder = Recorder::new(table);
        let mut start = None;
        let mut events = Vec::new();
        for (seq, at, event) in &rows {
            if matches!(event, TableEvent::RoundOpened { round: begins, .. } if *begins == round) {
                start = recorder.table().map(|table| table.view(&Viewer::Auditor));
            }
            recorder.happens(id, *seq, *at, event, &self.library)?;
            if let (Some(_), Some(table)) = (&start, recorder.table()) {
                events.push(SeenAt { seq: *seq, at: *at, event: table.seen(event, &Viewer::Auditor) });
            }
        }
        let (mut made, _) = recorder.end();
        let record = made.pop().filter(|last| last.round == round && last.ended_at.is_some());
        // What happened between this round and the next belongs to neither.
        events.retain(|event| record.as_ref().is_some_and(|record| event.seq <= record.last_seq));
        Ok(start.zip(record).map(|(start, record)| SeenRound { record, start, events }))
    }

    /// A table as it was when a round was over, or as it is now if the round goes on; `None` if there is no such round.
    pub(crate) async fn at_round(&self, id: &TableId, round: u64) -> Result<Option<Table>, HostError> {
        let (table, rows) = self.up_to_round(id, round).await?;
        let mut recorder = Recorder::new(table);
        for (seq, at, event) in &rows {
            recorder.happens(id, *seq, *at, event, &self.library)?;
        }
        // Before its first round a table has none, and round 0 is none.
        Ok(recorder.end().1.filter(|table| round > 0 && table.round_number() == round))
    }

    /// A table as it was before a round began, and the events from there up to the next round. A settled round may still be voided, until
    /// the next one begins. Events before the round are applied as they are read: an old table has more of them than fit in memory.
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
                _ if rows.is_empty() => replay::step(&mut table, id, seq, event, &self.library)?,
                _ => rows.push((seq, at, event.clone())),
            }
            Ok(ControlFlow::Continue(()))
        })
        .await?;
        let mut recorder = Recorder::new(table);
        recorder.set_keys(id, &rows, &self.keys)?;
        Ok((recorder.end().1, rows))
    }

    /// A table as it was some time before a round began; not long before, where the round is not long ago.
    async fn before_round(&self, table: &TableId, round: u64) -> Result<TableSnapshot, HostError> {
        if round <= 1 {
            return Ok(TableSnapshot::default());
        }
        let place = self.place(table);
        let mut place = place.lock().await;
        // The table in memory must be a prefix of the log read below.
        self.refresh(table, &mut place).await?;
        let loaded = self.load(table, &mut place).await?;
        Ok(loaded.snapshots.before(round).cloned().unwrap_or_default())
    }

    /// Reads the events after one again, until `sees` breaks. Returns sequence number and hash of the last one before that.
    async fn read_past(
        &self,
        table: &TableId,
        (mut after, mut hash): (u64, [u8; 32]),
        mut sees: impl FnMut(u64, Time, &TableEvent) -> Result<ControlFlow<()>, ReplayError>,
    ) -> Result<(u64, [u8; 32]), HostError> {
        loop {
            let rows = self.store.log(table, after, AT_ONCE).await?;
            for row in &rows {
                verify(table, &hash, row)?;
                let event = replay::event_of(table, row.seq, &row.json)?;
                if sees(row.seq, row.at, &event)?.is_break() {
                    return Ok((after, hash));
                }
                (after, hash) = (row.seq, row.hash);
            }
            if rows.len() < AT_ONCE as usize {
                return Ok((after, hash));
            }
        }
    }
}
