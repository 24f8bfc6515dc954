//! Deletes documents that nothing needs any more: decided approvals, expired invitations, and access to closed tables.
//!
//! The house log keeps the digest of every version, and an entry of the deletion.

use crate::app::App;
use crate::people::{
    Approval, DocumentWrite, Documents, Invitation, KEEP_ENDED_MS, PeopleChange, Stored, TableAccess,
    Versioned, load_page,
};
use crate::{Store, StoreError, TableHead};
use paigow_table::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Number of documents that are read at once.
const PAGE: u32 = 200;
/// Time between two passes.
const PASS_INTERVAL: Duration = Duration::from_hours(1);

/// Time of the next pass over the documents.
pub(super) struct DocumentExpiry {
    next: Instant,
    /// Tables of the last pass that have a document but do not exist. A table exists soon after its document.
    missing: BTreeSet<String>,
}

impl DocumentExpiry {
    pub(super) fn new(now: Instant) -> DocumentExpiry {
        DocumentExpiry { next: now, missing: BTreeSet::new() }
    }

    /// Deletes documents if a pass is due.
    pub(super) async fn step(&mut self, app: &App, now: Instant) {
        if now < self.next {
            return;
        }
        self.next = now + PASS_INTERVAL;
        if let Err(error) = self.pass(app).await {
            tracing::warn!(%error, "cannot delete documents that have ended");
        }
    }

    async fn pass(&mut self, app: &App) -> Result<(), StoreError> {
        let now = app.now();
        delete(app, |approval: &Versioned<Approval>| is_old(approval.value.ended_at(now), now)).await?;
        delete(app, |invitation: &Versioned<Invitation>| is_old(Some(invitation.value.until), now)).await?;
        let ended = self.ended_tables(app, now).await?;
        delete(app, |access: &Versioned<TableAccess>| ended.contains(&access.id)).await
    }

    /// Returns the tables with a document that have been closed for long enough, or that were never opened.
    async fn ended_tables(&mut self, app: &App, now: Time) -> Result<BTreeSet<String>, StoreError> {
        let heads = app.store().tables().await?;
        let heads: BTreeMap<&str, &TableHead> =
            heads.iter().map(|head| (head.table.as_str(), head)).collect();
        let (mut ended, mut missing) = (BTreeSet::new(), BTreeSet::new());
        let mut after: Option<String> = None;
        loop {
            let page = load_page::<TableAccess>(app.store(), after.as_deref(), PAGE).await?;
            after = page.last().map(|access| access.id.clone());
            let is_last = page.len() < PAGE as usize;
            for Versioned { id, .. } in page {
                match heads.get(id.as_str()) {
                    Some(head) if head.closed && is_old(last_event_at(app, head).await?, now) => {
                        ended.insert(id);
                    }
                    Some(_) => {}
                    None if self.missing.contains(&id) => drop(ended.insert(id)),
                    None => drop(missing.insert(id)),
                }
            }
            if is_last {
                self.missing = missing;
                return Ok(ended);
            }
        }
    }
}

/// Whether a document has ended long enough ago.
fn is_old(ended: Option<Time>, now: Time) -> bool {
    ended.is_some_and(|ended| ended.plus(KEEP_ENDED_MS) <= now)
}

/// Returns the time of the last event of a table.
async fn last_event_at(app: &App, head: &TableHead) -> Result<Option<Time>, StoreError> {
    let last = app.store().log(&head.table, head.tip.seq.saturating_sub(1), 1).await?;
    Ok(last.last().map(|event| event.at))
}

/// Deletes the documents of a kind that have ended. A document that changes meanwhile stays until the next pass.
async fn delete<T: Stored>(
    app: &App,
    has_ended: impl Fn(&Versioned<T>) -> bool + Send,
) -> Result<(), StoreError> {
    let mut after: Option<String> = None;
    loop {
        let page = load_page::<T>(app.store(), after.as_deref(), PAGE).await?;
        let ended: Vec<DocumentWrite> =
            page.iter().filter(|document| has_ended(document)).map(Versioned::deletion).collect();
        let is_last = page.len() < PAGE as usize;
        after = page.last().map(|document| document.id.clone());
        drop(page);
        for deletion in ended {
            let change = PeopleChange { documents: vec![deletion], ..PeopleChange::default() };
            app.store().change_people(change, app.now()).await?;
        }
        if is_last {
            return Ok(());
        }
    }
}
