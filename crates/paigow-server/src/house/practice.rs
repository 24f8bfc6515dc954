//! The tables for practice. A store begins with one of every book. One whose rules are no longer those of its book is closed, every player
//! gets the chips back, and another takes its place.

use crate::app::{App, digest_name, house, name, practice};
use crate::house::opened_by_player;
use crate::{HostError, Store};
use paigow::rulebook::BuiltIn;
use paigow_table::{Clocks, Command, Config, Opening, Table, TableId, VoidReason};
use std::collections::BTreeMap;

/// How many seats bots may take.
const BOTS: u8 = 4;

/// Sees to it that there are tables for practice, but for those that the house has closed. Of several processes that start at once each
/// does this, and each step is done once.
pub(crate) async fn begin(app: &App) -> Result<(), HostError> {
    let is_new = app.store().tables().await?.is_empty();
    for book in BuiltIn::book_names() {
        for place in 1.. {
            let table =
                name::<TableId>(&if place == 1 { book.to_owned() } else { format!("{book}-{place}") });
            match app.tables.table(&table).await {
                Ok((old, _)) if !app.tables.is_current(&old) => end(app, &old).await,
                Err(HostError::NoSuchTable(_)) if is_new || place > 1 => {
                    open(app, table, book).await?;
                    break;
                }
                // It is there, or was closed by the house, or cannot be read, of which the log tells.
                _ => break,
            }
        }
    }
    Ok(())
}

/// Closes the loaded tables that players opened and whose rules have changed: no command of theirs could free what is held there.
pub(crate) async fn end_changed(app: &App) {
    let is_changed = |table: &Table| opened_by_player(table.id()) && table.rules_have_changed();
    let changed = app.tables.each(|table, _| is_changed(table).then(|| table.clone())).await;
    for table in changed.iter().flatten() {
        end(app, table).await;
    }
}

async fn open(app: &App, table: TableId, book: &str) -> Result<(), HostError> {
    let id = digest_name("first-table", table.as_str());
    let config = Config {
        table,
        book: book.to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: practice(),
        clocks: Clocks::default(),
        dealer_wager_cents: 0,
        bots: BOTS,
    };
    let opening = Opening { config, offer: None, dealer_wager_cents: None };
    match app.tables.open_with_defaults(&house(), &id, opening).await {
        Ok(_) | Err(HostError::TableExists(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Voids what goes on at a table for practice and closes it. What is played for something else is left to the operators.
async fn end(app: &App, table: &Table) {
    if table.is_closed() || table.config().currency != practice() {
        return;
    }
    let void = Command::Void { reason: VoidReason::RulesChanged };
    for (word, command) in [("void-changed", void), ("close-changed", Command::Close)] {
        let id = digest_name(word, table.id().as_str());
        if let Err(error) = app.tables.command(table.id(), &house(), &id, &command).await
            && !matches!(error.code(), "no_round" | "already_closing" | "table_closed")
        {
            tracing::warn!(table = %table.id(), %error, "a table whose rules have changed could not be closed");
        }
    }
}
