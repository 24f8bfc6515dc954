//! House ways of tables: their check before a table is opened, and their names in questions.

use super::super::guard::Client;
use super::super::questions::compute;
use crate::BookFolder;
use crate::HostError;
use crate::app::{App, practice};
use crate::http::ApiProblem;
use axum::body::Bytes;
use axum::http::StatusCode;
use paigow_answers::written_way;
use paigow_table::{Opening, TableBooks};
use std::sync::Arc;

/// Field of the request that has the text of a house way.
const FIELD: &str = "house_way_toml";

/// Checks the house way of a table that is to be opened: it is for practice chips only, within the limits of the designer,
/// and proved on every hand. The proof waits in the queue of questions.
///
/// # Errors
/// The currency is not that of practice chips, the configuration is invalid, or all faults of the text or of its proof.
pub(in crate::http) async fn check(
    app: &Arc<App>,
    client: Client,
    opening: &Opening,
) -> Result<(), ApiProblem> {
    let Some(text) = opening.config.house_way_toml.clone() else { return Ok(()) };
    if opening.config.currency != practice() {
        let detail = format!(
            "a table for {} sets by the house way of its book: leave out `{FIELD}`, or open the table for {}",
            opening.config.currency,
            practice()
        );
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "practice_only", detail));
    }
    let way = written_way::parse(&text, FIELD)?;
    // The posted paytables decide the joker.
    let ranking = app.tables.ranking_of(opening.clone())?;
    let job = move |_, _: &_| {
        written_way::prove(&way, ranking, FIELD)?;
        Ok(Bytes::new())
    };
    compute(app.clone(), client, format!("house way {ranking:?} {text}"), Arc::new(job)).await?;
    Ok(())
}

/// Returns the rule books of the server, with the house ways of the tables that a question names. Other names, and tables
/// that do not exist, are ignored: the question reports them.
///
/// # Errors
/// A table cannot be read.
pub(in crate::http) async fn books_with_ways<const N: usize>(
    app: &App,
    names: [Option<&str>; N],
) -> Result<TableBooks<BookFolder>, ApiProblem> {
    let mut house_ways = Vec::new();
    for table in names.into_iter().flatten().filter_map(TableBooks::table_of) {
        match app.tables.table(&table).await {
            Ok((table, _)) => house_ways.extend(table.config().own_house_way()),
            Err(HostError::NoSuchTable(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(TableBooks { book_source: app.books.clone(), house_ways })
}
