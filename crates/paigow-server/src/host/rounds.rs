//! Rounds that are over, read back from the store.

use super::{Host, HostError};
use crate::replay;
use crate::{RoundRecord, Store, World, records};
use paigow_table::{Event, SeenEvent, Table, TableId, Time, View, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

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

impl<S: Store, W: World> Host<S, W> {
    /// The records of all rounds of a table that are over.
    pub(crate) async fn rounds(&self, table: &TableId) -> Result<Vec<RoundRecord>, HostError> {
        let rows = self.store.events(table, 0).await?;
        let mut records = records(table, &rows, &self.library)?;
        records.retain(|record| record.ended_at.is_some());
        Ok(records)
    }

    /// A round that is over with all its events, if it is.
    pub(crate) async fn seen_round(&self, id: &TableId, round: u64) -> Result<Option<SeenRound>, HostError> {
        let rows = self.store.events(id, 0).await?;
        let found = records(id, &rows, &self.library)?;
        let found = found.into_iter().find(|record| record.round == round && record.ended_at.is_some());
        let Some(record) = found else { return Ok(None) };
        let mut table: Option<Table> = None;
        let mut start = None;
        let mut events = Vec::new();
        for row in rows {
            if row.seq > record.last_seq {
                break;
            }
            if row.seq == record.first_seq {
                start = table.as_ref().map(|table| table.view(&Viewer::Auditor));
            }
            let event: Event = replay::step(&mut table, id, row.seq, &row.json, &self.library)?;
            if let (Some(_), Some(table)) = (&start, &table) {
                events.push(SeenAt { seq: row.seq, at: row.at, event: table.seen(&event, &Viewer::Auditor) });
            }
        }
        Ok(start.map(|start| SeenRound { record, start, events }))
    }
}
