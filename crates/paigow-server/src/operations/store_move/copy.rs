//! Copies and compares the rows of two stores, in the order of their keys.

use super::{MoveError, Side};
use crate::store::{MoveMarker, STORED_TABLES, StoredRow, StoredTable};
use paigow_answers::ProgressTick;

/// Number of rows that are read at once, and written in one transaction.
const PAGE: usize = 500;

/// Copies the rows that the target does not have yet. Returns the number of inserted rows of each table.
///
/// If rows of the target differ from the source, all of them are deleted and copied again.
pub(super) async fn copy_rows(
    source: &Side<'_>,
    target: &Side<'_>,
    marker: MoveMarker,
    tick: ProgressTick,
) -> Result<Vec<u64>, MoveError> {
    let mut positions = Vec::new();
    for table in STORED_TABLES {
        if let Ok(position) = position(source, target, table, &tick).await? {
            positions.push(position);
        } else {
            target.located(target.store.begin_move(marker).await)?;
            positions = vec![None; STORED_TABLES.len()];
            break;
        }
    }
    let mut inserted = Vec::new();
    for (table, mut after) in STORED_TABLES.iter().zip(positions) {
        let mut count = 0;
        loop {
            let page = source.located(source.store.copy_page(table, after, PAGE).await)?;
            let Some(last) = page.last() else { break };
            after = Some(table.key_of(last).to_vec());
            let rows = page.len() as u64;
            target.located(target.store.copy_rows(table, page).await)?;
            count += rows;
            tick(rows);
        }
        inserted.push(count);
    }
    Ok(inserted)
}

/// Copied rows differ from those of the source.
struct Stale;

/// Returns the last key of the target's rows, which must be the first rows of the source.
async fn position(
    source: &Side<'_>,
    target: &Side<'_>,
    table: &'static StoredTable,
    tick: &ProgressTick,
) -> Result<Result<Option<StoredRow>, Stale>, MoveError> {
    let mut after: Option<StoredRow> = None;
    loop {
        let copied = target.located(target.store.copy_page(table, after.clone(), PAGE).await)?;
        let Some(last) = copied.last() else { return Ok(Ok(after)) };
        let original = source.located(source.store.copy_page(table, after, copied.len()).await)?;
        if original != copied {
            return Ok(Err(Stale));
        }
        tick(copied.len() as u64);
        after = Some(table.key_of(last).to_vec());
    }
}

/// Compares all rows. Returns the number of rows of each table, or `None` if they differ.
pub(super) async fn compare_rows(
    source: &Side<'_>,
    target: &Side<'_>,
    tick: ProgressTick,
) -> Result<Vec<(&'static str, Option<u64>)>, MoveError> {
    let mut counts = Vec::new();
    for table in STORED_TABLES {
        let mut after: Option<StoredRow> = None;
        let mut count = 0;
        let equal = loop {
            let original = source.located(source.store.copy_page(table, after.clone(), PAGE).await)?;
            let copied = target.located(target.store.copy_page(table, after, PAGE).await)?;
            if original != copied {
                break None;
            }
            let Some(last) = copied.last() else { break Some(count) };
            count += copied.len() as u64;
            tick(copied.len() as u64);
            after = Some(table.key_of(last).to_vec());
        };
        counts.push((table.name, equal));
    }
    Ok(counts)
}
