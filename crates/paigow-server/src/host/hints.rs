//! What processes over one database tell each other: that a table has come so far. It is a hint and no more: what counts is in the
//! store, and who hears nothing finds it by looking.

use crate::app::App;
use crate::store::Hints;
use crate::{AnyStore, Postgres};
use paigow_table::{Secret, TableId};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long hints are gathered: a table that moves fast is told of once.
const GATHER_MS: u64 = 10;
/// How many hints may wait to be sent.
const WAITING_MAX: usize = 4_096;
/// The most bytes a notification may have.
const TEXT_MAX: usize = 7_900;
/// When to listen again after a connection broke.
const AGAIN_SECONDS: u64 = 1;

/// Tells others of what happens here, and hears of what happens there, where there may be others.
pub(crate) fn begin(app: &Arc<App>, own: [u8; 32]) {
    let AnyStore::Postgres(store) = app.store() else { return };
    let own = String::from(Secret(own))[..16].to_owned();
    let (tell, told) = mpsc::channel(WAITING_MAX);
    app.tables.tell(tell);
    app.tasks.spawn(send(app.clone(), store.clone(), own.clone(), told));
    app.tasks.spawn(listen(app.clone(), store.clone(), own));
}

/// Sends hints until the server stops.
async fn send(app: Arc<App>, store: Postgres, own: String, mut told: mpsc::Receiver<(TableId, u64)>) {
    loop {
        let first = tokio::select! {
            first = told.recv() => first,
            () = app.stop.cancelled() => return,
        };
        let Some(first) = first else { return };
        tokio::time::sleep(Duration::from_millis(GATHER_MS)).await;
        let mut heads = BTreeMap::from([first]);
        while let Ok((table, seq)) = told.try_recv() {
            heads.insert(table, seq);
        }
        for text in written(&own, &heads) {
            if let Err(error) = store.hint(&text).await {
                tracing::debug!(%error, "a hint could not be sent");
            }
        }
    }
}

/// Hints as texts: who sends them, then a table and its last event a line.
fn written(own: &str, heads: &BTreeMap<TableId, u64>) -> Vec<String> {
    let mut texts = vec![own.to_owned()];
    for (table, seq) in heads {
        let mut text = texts.pop().unwrap_or_default();
        if text.len() + TableId::LENGTH_MAX + 22 > TEXT_MAX {
            texts.push(std::mem::take(&mut text));
            own.clone_into(&mut text);
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{table} {seq}");
        texts.push(text);
    }
    texts
}

/// Hears hints until the server stops.
async fn listen(app: Arc<App>, store: Postgres, own: String) {
    while !app.stop.is_cancelled() {
        match store.hints().await {
            Ok(hints) => {
                tokio::select! {
                    () = follow(&app, hints, &own) => {}
                    () = app.stop.cancelled() => return,
                }
            }
            Err(error) => tracing::warn!(%error, "hints cannot be heard; the store is looked at instead"),
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(AGAIN_SECONDS)) => {}
            () = app.stop.cancelled() => {}
        }
    }
}

/// Follows hints until no more come. Those that wait are followed together; a table that somebody is at is looked at again.
async fn follow(app: &App, mut hints: Hints, own: &str) {
    let mut heads = BTreeMap::new();
    loop {
        let wait = if heads.is_empty() { Duration::MAX } else { Duration::from_millis(GATHER_MS) };
        match tokio::time::timeout(wait, hints.next()).await {
            Ok(Some(hint)) => read(&hint, own, &mut heads),
            Ok(None) => return,
            Err(_) => {}
        }
        while let Some(hint) = hints.next_now() {
            read(&hint, own, &mut heads);
        }
        heads = app.tables.refresh_all(&heads, |known, seq| known.seq < seq).await;
    }
}

/// Adds what a hint says to what is known, unless it is our own.
fn read(hint: &str, own: &str, heads: &mut BTreeMap<TableId, u64>) {
    let mut lines = hint.lines();
    if lines.next() == Some(own) {
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
    fn hints_of_many_tables_are_cut_into_texts_that_fit_and_lose_nothing() {
        let table =
            |number: u64| format!("table-with-a-long-name-{number}").parse().unwrap_or_else(|_| panic!());
        let heads: BTreeMap<TableId, u64> =
            (0..1_000).map(|number| (table(number), u64::MAX - number)).collect();
        let texts = written("me", &heads);
        assert!(texts.len() > 1);
        assert!(texts.iter().all(|text| text.len() <= TEXT_MAX && text.lines().next() == Some("me")));
        let lines: usize = texts.iter().map(|text| text.lines().count() - 1).sum();
        assert_eq!(lines, 1_000);
        let mut known = BTreeMap::new();
        for text in &texts {
            read(text, "me", &mut known);
        }
        assert!(known.is_empty(), "they are our own");
        for text in &texts {
            read(text, "another", &mut known);
        }
        assert_eq!(known, heads);
        read("me\ntable-with-a-long-name-7 5\nrubbish\nmore rubbish", "another", &mut known);
        assert_eq!(known, heads, "older than what is known, or nothing");
    }
}
