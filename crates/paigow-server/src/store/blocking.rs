//! Blocking access to an existing store, for the command line.
//!
//! A future is compiled in the crate that polls it. These methods poll the futures of a store here, so that the command
//! line does not compile the whole store again.

use crate::{
    AnyStore, ArchiveRow, AuditOptions, AuditReport, CheckpointRow, CompactReport, Environment, EventRow,
    HeadSigner, JournalRow, People, RulesCache, Store, StoreError, SystemEnvironment, TableHead, audit_with,
    compact,
};
use paigow_table::{TableId, Time};
use std::path::Path;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// An existing store and the runtime that its methods block on.
pub struct BlockingStore {
    store: AnyStore,
    runtime: Runtime,
}

impl BlockingStore {
    /// Opens the store at an address `postgres://…`, or in an existing file.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub fn open(location: &str) -> Result<BlockingStore, StoreError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let store = runtime.block_on(AnyStore::open_existing(location))?;
        Ok(BlockingStore { store, runtime })
    }

    /// Blocking form of [`audit_with`].
    ///
    /// # Errors
    /// The store failed.
    pub fn audit(&self, rules: RulesCache, options: AuditOptions) -> Result<AuditReport, StoreError> {
        self.runtime.block_on(audit_with(&self.store, rules, options))
    }

    /// Copies the store to a new file, as a consistent snapshot.
    ///
    /// # Errors
    /// The copy failed, or the store is a PostgreSQL database ([`StoreError::PostgresBackup`]).
    pub fn backup(&self, file: &Path) -> Result<(), StoreError> {
        match &self.store {
            AnyStore::Sqlite(store) => self.runtime.block_on(store.backup(file)),
            AnyStore::Postgres(_) => Err(StoreError::PostgresBackup),
        }
    }

    /// Seals all rounds that are older than these minutes and releases the space of their rows.
    ///
    /// # Errors
    /// The store failed. Blocks that were sealed stay.
    pub fn compact(&self, minutes: u64) -> Result<CompactReport, StoreError> {
        let before = Time(SystemEnvironment.now().0.saturating_sub(minutes.saturating_mul(60_000)));
        self.runtime.block_on(compact(&self.store, before))
    }

    /// Blocking form of [`Store::tables`].
    ///
    /// # Errors
    /// The store failed.
    pub fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        self.runtime.block_on(self.store.tables())
    }

    /// Returns all events of a table that are not archived, and the checkpoint before them.
    ///
    /// # Errors
    /// The store failed.
    pub fn events(&self, table: &TableId) -> Result<(Option<CheckpointRow>, Vec<EventRow>), StoreError> {
        self.runtime.block_on(async {
            let start = self.store.checkpoint(table).await?;
            let after = start.as_ref().map_or(0, |start| start.seq);
            Ok((start, self.store.events(table, after).await?))
        })
    }

    /// Returns all archives of the store, in the order of their numbers.
    ///
    /// # Errors
    /// The store failed.
    pub fn archives(&self) -> Result<Vec<ArchiveRow>, StoreError> {
        self.runtime.block_on(self.store.archives())
    }

    /// Returns at most `limit` transfers of the journal after a sequence number.
    ///
    /// # Errors
    /// The store failed.
    pub fn journal(&self, after: u64, limit: u32) -> Result<Vec<JournalRow>, StoreError> {
        self.runtime.block_on(self.store.journal(None, after, limit))
    }

    /// Replaces the operator secret. A signer signs the entry of the house log.
    ///
    /// # Errors
    /// The store failed.
    pub fn replace_operator_secret(
        &self,
        digest: [u8; 32],
        at: Time,
        signer: Option<Arc<dyn HeadSigner>>,
    ) -> Result<(), StoreError> {
        if let Some(signer) = signer {
            self.store.sign_heads(signer);
        }
        self.runtime.block_on(self.store.replace_operator_secret(digest, at))
    }
}
