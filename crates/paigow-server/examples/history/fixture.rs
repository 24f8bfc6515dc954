//! The files of a fixture: the history on both kinds of store, and its summary.

#[path = "../../tests/kit/cluster.rs"]
#[allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // shared with the tests
mod cluster;

use crate::Failure;
use crate::play::keys;
use crate::run::play_history;
use cluster::Cluster;
use paigow::rulebook::BuiltIn;
use paigow_server::settings::StoreLocation;
use paigow_server::{ArchiveOptions, Postgres, RulesCache, Sqlite, archive};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Time between the newest event and the archive, in milliseconds: 8 days, so that all finished rounds are archived.
const AGE_MS: u64 = 8 * 86_400_000;

/// Creates `store.db`, `store.sql`, `archived.db`, `rounds.paigow` and `expected.json` in a new folder.
pub(crate) async fn create(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        return Err(format!("{} exists", folder.display()).into());
    }
    let temporary = tempfile::tempdir()?;
    let store = Sqlite::open(&temporary.path().join("paigow.db"))?;
    store.sign_heads(keys());
    let expected = play_history(store.clone()).await?;
    let cluster = Cluster::start();
    let address = cluster.database().await;
    let database = Postgres::open(&address).await?;
    database.sign_heads(keys());
    if play_history(database).await? != expected {
        return Err("the history is not the same on SQLite and on PostgreSQL".into());
    }
    fs::create_dir_all(folder)?;
    store.backup(&folder.join("store.db")).await?;
    archive_rounds(folder, temporary.path(), &store).await?;
    fs::write(folder.join("store.sql"), portable(&Cluster::dump(&address)))?;
    fs::write(folder.join("expected.json"), format!("{}\n", layout(&expected, 0)))?;
    Ok(())
}

/// Creates `archived.db`, a copy of the store whose old rounds are in the archive `rounds.paigow`.
async fn archive_rounds(folder: &Path, temporary: &Path, store: &Sqlite) -> Result<(), Failure> {
    let copy = temporary.join("archived.db");
    store.backup(&copy).await?;
    let newest = store.newest().await?.ok_or("the history has no events")?;
    let (location, out) = (StoreLocation::from(copy.display().to_string()), folder.join("rounds.paigow"));
    let work = move || {
        let progress = |_: &str, _: u64| -> Box<dyn Fn(u64) + Send + Sync> { Box::new(|_| {}) };
        archive(&ArchiveOptions {
            store: &location,
            out: &out,
            days: 0,
            now: newest.plus(AGE_MS),
            rules: RulesCache::new(BuiltIn),
            keys: keys(),
            progress: &progress,
        })
    };
    tokio::task::spawn_blocking(work).await??;
    Sqlite::open_existing(&copy)?.backup(&folder.join("archived.db")).await?;
    Ok(())
}

/// Converts a dump to statements that every PostgreSQL version accepts as one batch, identical for identical rows.
fn portable(dump: &str) -> String {
    // Comments, `psql` commands, and session settings, some of which older servers do not support.
    let omitted = ["--", "\\", "SET ", "SELECT pg_catalog.set_config("];
    let lines =
        dump.lines().filter(|line| !line.is_empty() && !omitted.iter().any(|start| line.starts_with(start)));
    let (mut text, mut rows) = (String::new(), Vec::new());
    // The order of rows in a dump depends on vacuuming.
    let flush = |text: &mut String, rows: &mut Vec<&str>| {
        rows.sort_unstable();
        rows.drain(..).for_each(|row| text.extend([row, "\n"]));
    };
    for line in lines {
        if line.starts_with("INSERT INTO ") {
            rows.push(line);
            continue;
        }
        flush(&mut text, &mut rows);
        text.extend([line, "\n"]);
    }
    flush(&mut text, &mut rows);
    text
}

/// Formats JSON with every flat object or array on one line, so that diffs are short.
fn layout(value: &Value, depth: usize) -> String {
    let is_nested = |value: &Value| value.is_array() || value.is_object();
    let (open, close, items): (_, _, Vec<String>) = match value {
        Value::Array(items) if items.iter().any(is_nested) => {
            ("[", "]", items.iter().map(|item| layout(item, depth + 1)).collect())
        }
        Value::Object(items) if items.values().any(is_nested) => {
            let item = |(key, item): (&String, &Value)| format!("\"{key}\": {}", layout(item, depth + 1));
            ("{", "}", items.iter().map(item).collect())
        }
        flat => return flat.to_string(),
    };
    let (indent, inner) = (" ".repeat(depth), " ".repeat(depth + 1));
    format!("{open}\n{inner}{}\n{indent}{close}", items.join(&format!(",\n{inner}")))
}
