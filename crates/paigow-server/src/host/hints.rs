//! Hints between processes that share a database: the last sequence numbers of tables that have changed.
//!
//! A hint carries no data that matters. The store is authoritative, and a process that misses a hint finds the events
//! by polling.

use crate::app::App;
use crate::store::Hints;
use crate::{AnyStore, Postgres};
use paigow_table::{Secret, TableId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long hints are collected into one batch, in milliseconds. A table that changes often is sent once.
const BATCH_MS: u64 = 10;
/// Capacity of the queue of hints to send.
const QUEUE_MAX: usize = 4_096;
/// Maximum bytes in a notification.
const TEXT_MAX: usize = 7_900;
/// Delay before reconnecting after the connection was lost, in seconds.
const RECONNECT_SECONDS: u64 = 1;

/// Starts the tasks that send and receive hints. SQLite needs none.
///
/// The sender's id is derived from `random`, so that a process ignores its own hints.
pub(crate) fn begin(app: &Arc<App>, random: [u8; 32]) {
    let AnyStore::Postgres(store) = app.store() else { return };
    let own_id = String::from(Secret(random))[..16].to_owned();
    let (sender, queue) = mpsc::channel(QUEUE_MAX);
    app.tables.set_hint_sender(sender);
    app.tasks.spawn(send(app.clone(), store.clone(), own_id.clone(), queue));
    app.tasks.spawn(listen(app.clone(), store.clone(), own_id));
}

/// Sends hints until the server stops.
async fn send(app: Arc<App>, store: Postgres, own_id: String, mut queue: mpsc::Receiver<(TableId, u64)>) {
    loop {
        let first = tokio::select! {
            first = queue.recv() => first,
            () = app.stop.cancelled() => return,
        };
        let Some(first) = first else { return };
        tokio::time::sleep(Duration::from_millis(BATCH_MS)).await;
        let mut heads = BTreeMap::from([first]);
        while let Ok((table, seq)) = queue.try_recv() {
            heads.insert(table, seq);
        }
        for text in encode(&own_id, &heads) {
            if let Err(error) = store.hint(&text).await {
                tracing::debug!(%error, "cannot send a hint");
            }
        }
    }
}

/// Encodes hints into notifications of at most [`TEXT_MAX`] bytes. The first line is the sender's id, each other line a
/// table and the sequence number of its last event.
fn encode(own_id: &str, heads: &BTreeMap<TableId, u64>) -> Vec<String> {
    let mut texts = vec![own_id.to_owned()];
    for (table, seq) in heads {
        let mut text = texts.pop().unwrap_or_default();
        if text.len() + TableId::LENGTH_MAX + 22 > TEXT_MAX {
            texts.push(std::mem::take(&mut text));
            own_id.clone_into(&mut text);
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{table} {seq}");
        texts.push(text);
    }
    texts
}

/// Receives hints until the server stops.
async fn listen(app: Arc<App>, store: Postgres, own_id: String) {
    while !app.stop.is_cancelled() {
        match store.hints().await {
            Ok(hints) => {
                tokio::select! {
                    () = process(&app, hints, &own_id) => {}
                    () = app.stop.cancelled() => return,
                }
            }
            Err(error) => tracing::warn!(%error, "cannot listen for hints; the store is polled instead"),
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(RECONNECT_SECONDS)) => {}
            () = app.stop.cancelled() => {}
        }
    }
}

/// Processes hints until the connection is lost. Queued hints are processed together. Tables locked by another task are
/// retried.
async fn process(app: &App, mut hints: Hints, own_id: &str) {
    let mut heads = BTreeMap::new();
    loop {
        let wait = if heads.is_empty() { Duration::MAX } else { Duration::from_millis(BATCH_MS) };
        match tokio::time::timeout(wait, hints.next()).await {
            Ok(Some(hint)) => decode(&hint, own_id, &mut heads),
            Ok(None) => return,
            Err(_) => {}
        }
        while let Some(hint) = hints.next_now() {
            decode(&hint, own_id, &mut heads);
        }
        heads = app.tables.refresh_all(&heads, |known, seq| known.seq < seq).await;
    }
}

/// Adds the heads of a hint to `heads`. Ignores this process's own hints and invalid lines.
fn decode(hint: &str, own_id: &str, heads: &mut BTreeMap<TableId, u64>) {
    let mut lines = hint.lines();
    if lines.next() == Some(own_id) {
        return;
    }
    for (table, seq) in lines.filter_map(|line| line.split_once(' ')) {
        if let (Ok(table), Ok(seq)) = (table.parse(), seq.parse::<u64>()) {
            let head = heads.entry(table).or_default();
            *head = seq.max(*head);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_split_to_fit_and_decode_completely() {
        let table =
            |number: u64| format!("table-with-a-long-name-{number}").parse().unwrap_or_else(|_| panic!());
        let heads: BTreeMap<TableId, u64> =
            (0..1_000).map(|number| (table(number), u64::MAX - number)).collect();
        let texts = encode("me", &heads);
        assert!(texts.len() > 1);
        assert!(texts.iter().all(|text| text.len() <= TEXT_MAX && text.lines().next() == Some("me")));
        let lines: usize = texts.iter().map(|text| text.lines().count() - 1).sum();
        assert_eq!(lines, 1_000);
        let mut known = BTreeMap::new();
        for text in &texts {
            decode(text, "me", &mut known);
        }
        assert!(known.is_empty(), "own hints are ignored");
        for text in &texts {
            decode(text, "another", &mut known);
        }
        assert_eq!(known, heads);
        decode("me\ntable-with-a-long-name-7 5\nrubbish\nmore rubbish", "another", &mut known);
        assert_eq!(known, heads, "stale and invalid lines are ignored");
    }
}
