//! Practice tables: a new store gets one table of every built-in book.
//!
//! A practice table whose rules differ from its book is closed, its players get their chips back, and a new table
//! replaces it.

use crate::app::{App, derive_command_id, house, name, practice};
use crate::house::opened_by_player;
use crate::{HostError, Store};
use paigow::rulebook::BuiltIn;
use paigow_table::{Clocks, Command, Config, Opening, Table, TableId, VoidReason};
use std::collections::BTreeMap;

/// Maximum number of seats that bots may take.
const BOTS: u8 = 4;

/// Opens the practice tables, except those that the house has closed.
///
/// Several processes may start at once. Each runs this function, and each step takes effect once.
pub(crate) async fn begin(app: &App) -> Result<(), HostError> {
    let is_new = app.store().tables().await?.is_empty();
    for book in BuiltIn::book_names() {
        for number in 1.. {
            let table =
                name::<TableId>(&if number == 1 { book.to_owned() } else { format!("{book}-{number}") });
            match app.tables.table(&table).await {
                Ok((old, _)) if !app.tables.is_current(&old) => void_and_close(app, &old).await,
                Err(HostError::NoSuchTable(_)) if is_new || number > 1 => {
                    open(app, table, book).await?;
                    break;
                }
                // The table exists, or the house has closed it, or it cannot be read, which the log reports.
                _ => break,
            }
        }
    }
    Ok(())
}

/// Closes the loaded tables that players opened and whose rules have changed.
///
/// The players could not free the chips held there, because such a table refuses their commands.
pub(crate) async fn close_changed(app: &App) {
    let is_changed = |table: &Table| opened_by_player(table.id()) && table.rules_have_changed();
    let changed = app.tables.map_open(|table, _| is_changed(table).then(|| table.clone())).await;
    for table in changed.iter().flatten() {
        void_and_close(app, table).await;
    }
}

async fn open(app: &App, table: TableId, book: &str) -> Result<(), HostError> {
    let id = derive_command_id("first-table", table.as_str());
    let config = Config {
        table,
        book: book.to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: practice(),
        clocks: Clocks::default(),
        dealer_wager_cents: 0,
        bots: BOTS,
        name: None,
        private: false,
        house_way_toml: None,
    };
    let opening = Opening { config, offer: None, dealer_wager_cents: None };
    match app.tables.open_with_defaults(&house(), &id, opening).await {
        Ok(_) | Err(HostError::TableExists(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Voids the round at a practice table and closes the table. Tables with another currency are left to the operators.
async fn void_and_close(app: &App, table: &Table) {
    if table.is_closed() || table.config().currency != practice() {
        return;
    }
    let void = Command::Void { reason: VoidReason::RulesChanged };
    for (prefix, command) in [("void-changed", void), ("close-changed", Command::Close)] {
        let id = derive_command_id(prefix, table.id().as_str());
        if let Err(error) = app.tables.command(table.id(), &house(), &id, &command).await
            && !matches!(error.code(), "no_round" | "already_closing" | "table_closed")
        {
            tracing::warn!(table = %table.id(), %error, "cannot close a table whose rules have changed");
        }
    }
}
