//! Seals old rounds of all tables into blocks, and releases the space of their rows.

use crate::{AnyStore, NotSealable, SealOutcome, SealRule, Store, StoreError};
use paigow_table::Time;
use serde::Serialize;

/// Number of blocks, rounds and events that were sealed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SealCounts {
    /// Number of blocks.
    pub blocks: u64,
    /// Number of rounds that end in the blocks.
    pub rounds: u64,
    /// Number of events.
    pub events: u64,
    /// Tables whose rows do not verify, each with the reason. `paigow audit` has the details.
    pub refused: Vec<String>,
}

/// Result of compacting a store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CompactReport {
    /// Numbers of sealed blocks, rounds and events.
    pub sealed: SealCounts,
    /// Size of the database before, in bytes.
    pub bytes_before: u64,
    /// Size of the database after, in bytes.
    pub bytes_after: u64,
}

/// Seals all rounds before a time and releases the space of their rows.
///
/// # Errors
/// The store failed. Blocks that were sealed stay.
pub async fn compact(store: &AnyStore, before: Time) -> Result<CompactReport, StoreError> {
    let bytes_before = store.size().await?;
    let rule = SealRule { before, rounds_min: SealRule::ROUNDS_MIN };
    let sealed = seal_tables(store, rule, || false).await?;
    store.release_space().await?;
    Ok(CompactReport { sealed, bytes_before, bytes_after: store.size().await? })
}

/// Seals the rounds of all tables that the rule allows, until `is_stopped` returns `true`.
pub(crate) async fn seal_tables(
    store: &AnyStore,
    rule: SealRule,
    is_stopped: impl Fn() -> bool,
) -> Result<SealCounts, StoreError> {
    let mut counts = SealCounts::default();
    for head in store.tables().await? {
        loop {
            if is_stopped() {
                return Ok(counts);
            }
            match store.seal_next(&head.table, rule).await {
                Ok(SealOutcome::Sealed { events, rounds }) => {
                    counts.blocks += 1;
                    counts.rounds += rounds;
                    counts.events += events;
                }
                Ok(SealOutcome::Nothing) => break,
                // Damage of one table must not keep the others large.
                Err(StoreError::NotSealable(NotSealable { table, why })) => {
                    counts.refused.push(format!("table {table}: {why}"));
                    break;
                }
                Err(error) if error.is_damage() => {
                    counts.refused.push(format!("table {}: {error}", head.table));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(counts)
}
