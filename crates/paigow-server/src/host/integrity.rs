//! Detects damaged tables when they are read, and closes them to play until their records are repaired.
//!
//! The host verifies the hash chain of every event that it reads. When it loads a table, the table's escrow must equal
//! the sum of its open holds, and the balance of every seated player must be the sum of the player's journal. It checks
//! the balance of any other player once, when a command first needs it. An audit checks everything; the host checks
//! only the records that a table relies on.

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

/// How long a damaged table is refused before it is read again. It may have been repaired by then.
const RECHECK_AFTER: Duration = Duration::from_mins(1);
/// Attempts to verify an escrow while other processes append to the table. After that the next read verifies it.
const ATTEMPTS_MAX: u32 = 3;

/// A table that is closed to play because its stored records are damaged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DamagedTable {
    /// Id of the table.
    pub table: TableId,
    /// Description of the damage.
    pub why: String,
}

/// Tables found damaged.
#[derive(Default)]
pub(super) struct Integrity {
    damaged: Mutex<BTreeMap<TableId, (String, Instant)>>,
}

impl Integrity {
    fn damaged(&self) -> MutexGuard<'_, BTreeMap<TableId, (String, Instant)>> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an error if the table was found damaged within the last minute.
    pub(super) fn check(&self, table: &TableId) -> Result<(), HostError> {
        match self.damaged().get(table) {
            Some((why, found)) if found.elapsed() < RECHECK_AFTER => {
                Err(HostError::Damaged { table: table.clone(), why: why.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Records the result of reading a table. Damage is logged and closes the table; a successful read reopens it.
    fn note<T>(&self, table: &TableId, read: Result<T, HostError>) -> Result<T, HostError> {
        let error = match read {
            Ok(read) => {
                if self.damaged().remove(table).is_some() {
                    tracing::info!(%table, "the records of a damaged table are valid again");
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

/// Verifies the hash of an event, given the hash of the event before it.
pub(super) fn verify(table: &TableId, previous: &[u8; 32], row: &LogRow) -> Result<(), ReplayError> {
    if event_hash(previous, table, row.seq, &row.command, &row.json) == row.hash {
        Ok(())
    } else {
        Err(ReplayError::Chain { table: table.clone(), seq: row.seq })
    }
}

/// Account of an owner in the table's currency.
fn account(table: &Table, owner: Owner) -> Account {
    Account { owner, currency: table.config().currency.clone() }
}

impl<S: Store, E: Environment> Host<S, E> {
    /// Lists the tables that are closed to play because their stored records are damaged.
    pub fn damaged_tables(&self) -> Vec<DamagedTable> {
        let damaged = self.integrity.damaged();
        damaged
            .iter()
            .map(|(table, (why, _))| DamagedTable { table: table.clone(), why: why.clone() })
            .collect()
    }

    /// Applies one page of the log and all later pages, and verifies the money of a newly loaded table. Returns whether
    /// the table changed.
    pub(super) async fn read_from(
        &self,
        id: &TableId,
        slot: &mut Option<LoadedTable>,
        rows: Result<Vec<LogRow>, HostError>,
    ) -> Result<bool, HostError> {
        let read = match rows {
            Ok(rows) => self.read_rows(id, slot, rows).await,
            Err(error) => Err(error),
        };
        let read = match read {
            Ok(changed) => self.check_money(id, slot).await.map(|moved| changed || moved),
            failed => failed,
        };
        let read = self.integrity.note(id, read);
        if let Err(HostError::Damaged { .. }) = read {
            self.rollback.note_damage(id);
            *slot = None;
            self.deadlines.set(id, None);
        }
        read
    }

    /// Verifies the escrow and the seated players' balances of a newly loaded table, once. Returns whether the table
    /// changed meanwhile.
    async fn check_money(&self, id: &TableId, slot: &mut Option<LoadedTable>) -> Result<bool, HostError> {
        let mut changed = false;
        for _ in 0..ATTEMPTS_MAX {
            let Some(loaded) = slot.as_ref().filter(|loaded| !loaded.is_checked && !loaded.table.is_closed())
            else {
                return Ok(changed);
            };
            let tip = loaded.tip;
            let escrow = account(&loaded.table, Owner::Escrow(id.clone()));
            let balances = self.store.balances(std::slice::from_ref(&escrow)).await?;
            let balance = balances.get(&escrow).copied().unwrap_or(0);
            // The escrow changes only with the table's events. If the tip is still the same, the balance belongs to it.
            let rows = self.next_page(id, slot.as_ref()).await?;
            changed |= self.read_rows(id, slot, rows).await?;
            let Some(loaded) = slot.as_mut().filter(|loaded| loaded.tip == tip) else { continue };
            let held: i128 = loaded.table.open_holds().map(|(_, cents)| i128::from(cents)).sum();
            if i128::from(balance) != held {
                let why = format!("its escrow has {balance} cents, but its open holds total {held}");
                return Err(HostError::Damaged { table: id.clone(), why });
            }
            let seated: BTreeSet<Account> = loaded
                .table
                .players()
                .map(|(_, player)| account(&loaded.table, Owner::Player(player.clone())))
                .collect();
            self.check_balances(id, loaded, seated).await?;
            loaded.is_checked = true;
        }
        Ok(changed)
    }

    /// Verifies players' balances against the journal. Each account is verified once while the table is loaded.
    pub(super) async fn check_balances(
        &self,
        id: &TableId,
        loaded: &mut LoadedTable,
        accounts: impl IntoIterator<Item = Account>,
    ) -> Result<(), HostError> {
        let players = accounts.into_iter().filter(|account| matches!(account.owner, Owner::Player(_)));
        let new: Vec<Account> = players.filter(|account| !loaded.verified.contains(account)).collect();
        if new.is_empty() {
            return Ok(());
        }
        if let Some(found) = self.store.mismatched_balances(&new).await?.first() {
            let (owner, stored, journal) = (&found.account.owner, found.stored, found.journal);
            let why = format!("account {owner} has {stored} cents, but its journal totals {journal}");
            if loaded.mismatched.insert(found.account.clone()) {
                tracing::error!(table = %id, %why, "a balance is not the sum of its journal");
            }
            return Err(HostError::Damaged { table: id.clone(), why });
        }
        loaded.verified.extend(new);
        Ok(())
    }

    /// Hash that the next event must cover: that of the last event, or the start value of an empty slot.
    pub(super) fn previous_hash(slot: Option<&LoadedTable>) -> [u8; 32] {
        slot.map_or(Tip::START.hash, |loaded| loaded.tip.hash)
    }
}
