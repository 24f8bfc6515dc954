//! Damaged tables: found when they are read, and closed to play until what is stored is in order again.
//!
//! The chain of hashes is verified for every event that is read. When a table is loaded, its escrow must have what the table's open holds are, and the
//! balance of every seated player must be the sum of the player's journal; the same is checked once for every other player whose balance a command asks
//! for. An audit checks everything; this checks what the table is about to rely on.

use super::{Host, HostError, LoadedTable};
use crate::host::replay::ReplayError;
use crate::store::event_hash;
use crate::{Environment, LogRow, Store, Tip};
use paigow_table::{Account, Owner, Table, TableId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use utoipa::ToSchema;

/// How long a damaged table is refused without being read again. It may have been restored by then.
const REFUSED: Duration = Duration::from_mins(1);
/// How often an escrow is compared while others append to the table. After that it is compared when the table is read next.
const TRIES_MAX: u32 = 3;

/// A table that is closed to play because what is stored of it is damaged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DamagedTable {
    /// Which table.
    pub table: TableId,
    /// What is damaged.
    pub why: String,
}

/// The tables that were found damaged.
#[derive(Default)]
pub(super) struct Integrity {
    damaged: Mutex<BTreeMap<TableId, (String, Instant)>>,
}

impl Integrity {
    fn damaged(&self) -> MutexGuard<'_, BTreeMap<TableId, (String, Instant)>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a table that was found damaged a short while ago.
    pub(super) fn check(&self, table: &TableId) -> Result<(), HostError> {
        match self.damaged().get(table) {
            Some((why, found)) if found.elapsed() < REFUSED => {
                Err(HostError::Damaged { table: table.clone(), why: why.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Notes what came of reading a table: damage is logged and closes the table, a table in order is open again.
    fn note<T>(&self, table: &TableId, read: Result<T, HostError>) -> Result<T, HostError> {
        let error = match read {
            Ok(read) => {
                if self.damaged().remove(table).is_some() {
                    tracing::info!(%table, "the records of a damaged table are in order again");
                }
                return Ok(read);
            }
            Err(error) => error,
        };
        let why = match &error {
            HostError::Damaged { why, .. } => why.clone(),
            HostError::Replay(ReplayError::Rules { .. }) => return Err(error),
            HostError::Replay(damage) => damage.to_string(),
            HostError::Store(damage) if damage.is_damage() => damage.to_string(),
            _ => return Err(error),
        };
        let known = self.damaged().insert(table.clone(), (why.clone(), Instant::now()));
        if known.is_none() {
            tracing::error!(%table, %why, "a table is closed to play: its records are damaged");
        }
        Err(HostError::Damaged { table: table.clone(), why })
    }
}

/// Verifies the hash of an event that was read after another.
pub(super) fn verify(table: &TableId, before: &[u8; 32], row: &LogRow) -> Result<(), ReplayError> {
    if event_hash(before, table, row.seq, &row.command, &row.json) == row.hash {
        Ok(())
    } else {
        Err(ReplayError::Chain { table: table.clone(), seq: row.seq })
    }
}

fn purse(table: &Table, owner: Owner) -> Account {
    Account { owner, currency: table.config().currency.clone() }
}

impl<S: Store, W: Environment> Host<S, W> {
    /// The tables that are closed to play because what is stored of them is damaged.
    pub fn damaged_tables(&self) -> Vec<DamagedTable> {
        let damaged = self.integrity.damaged();
        damaged
            .iter()
            .map(|(table, (why, _))| DamagedTable { table: table.clone(), why: why.clone() })
            .collect()
    }

    /// Applies one part of the log and every later part, and checks the table's money if it was loaded. Returns whether the table changed.
    pub(super) async fn read_from(
        &self,
        id: &TableId,
        place: &mut Option<LoadedTable>,
        rows: Result<Vec<LogRow>, HostError>,
    ) -> Result<bool, HostError> {
        let read = match rows {
            Ok(rows) => self.read_rows(id, place, rows).await,
            Err(error) => Err(error),
        };
        let read = match read {
            Ok(changed) => self.check_money(id, place).await.map(|moved| changed || moved),
            failed => failed,
        };
        let read = self.integrity.note(id, read);
        if let Err(HostError::Damaged { .. }) = read {
            self.rollback.damaged(id);
            *place = None;
            self.deadlines.set(id, None);
        }
        read
    }

    /// Compares a table that was loaded with its money, once. Returns whether the table changed meanwhile.
    async fn check_money(&self, id: &TableId, place: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        let mut changed = false;
        for _ in 0..TRIES_MAX {
            let Some(loaded) =
                place.as_ref().filter(|loaded| !loaded.is_checked && !loaded.table.is_closed())
            else {
                return Ok(changed);
            };
            let tip = loaded.tip;
            let escrow = purse(&loaded.table, Owner::Escrow(id.clone()));
            let has = self.store.balances(std::slice::from_ref(&escrow)).await?;
            let has = has.get(&escrow).copied().unwrap_or(0);
            // The escrow moves only with the table's events: it is that of this event if the table still ends with it.
            let rows = self.next_part(id, place.as_ref()).await?;
            changed |= self.read_rows(id, place, rows).await?;
            let Some(loaded) = place.as_mut().filter(|loaded| loaded.tip == tip) else { continue };
            let held: i128 = loaded.table.open_holds().map(|(_, cents)| i128::from(cents)).sum();
            if i128::from(has) != held {
                let why = format!("its escrow has {has} cents, and its open holds come to {held}");
                return Err(HostError::Damaged { table: id.clone(), why });
            }
            let seated: BTreeSet<Account> = loaded
                .table
                .players()
                .map(|(_, player)| purse(&loaded.table, Owner::Player(player.clone())))
                .collect();
            self.check_balances(id, loaded, seated).await?;
            loaded.is_checked = true;
        }
        Ok(changed)
    }

    /// Compares players' balances with the journal, each once while the table is loaded.
    pub(super) async fn check_balances(
        &self,
        id: &TableId,
        loaded: &mut LoadedTable,
        accounts: impl IntoIterator<Item = Account>,
    ) -> Result<(), HostError> {
        let players = accounts.into_iter().filter(|account| matches!(account.owner, Owner::Player(_)));
        let new: Vec<Account> = players.filter(|account| !loaded.proved.contains(account)).collect();
        if new.is_empty() {
            return Ok(());
        }
        if let Some(found) = self.store.misstated(&new).await?.first() {
            let (owner, stored, journal) = (&found.account.owner, found.stored, found.journal);
            let why = format!("account {owner} has {stored} cents, and its journal comes to {journal}");
            if loaded.misstated.insert(found.account.clone()) {
                tracing::error!(table = %id, %why, "a balance is not the sum of its journal");
            }
            return Err(HostError::Damaged { table: id.clone(), why });
        }
        loaded.proved.extend(new);
        Ok(())
    }

    /// The hash that the next event of a table that may not be there yet must cover.
    pub(super) fn hash_before(place: Option<&LoadedTable>) -> [u8; 32] {
        place.map_or(Tip::START.hash, |loaded| loaded.tip.hash)
    }
}
