//! `GET /api/tables/{table}/rules`: what is played by at a table.

use super::super::input::Path;
use crate::app::App;
use crate::http::{ApiProblem, Problems};
use axum::Json;
use axum::extract::State;
use paigow_answers::RankingNames;
use paigow_answers::books::BookSummary;
use paigow_answers::rules::RulesAnswer;
use paigow_table::TableId;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The rules of a table: its book, with what is otherwise there.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TableRulesAnswer {
    /// How hands rank: the joker is what the posted paytables want it to be.
    ranking: RankingNames,
    /// The book's wagers and paytables.
    book: BookSummary,
    /// The book in plain words.
    rules: RulesAnswer,
}

/// What is played by at a table: its book's rules and paytables, with the values the table was opened with. They do not
/// change; where the program has other rules by now than those the table was opened with, nobody plays there, and this is refused.
#[utoipa::path(get, path = "/api/tables/{table}/rules", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = TableRulesAnswer), Problems))]
pub(in crate::http) async fn rules(
    State(app): State<Arc<App>>,
    Path(table): Path<TableId>,
) -> Result<Json<TableRulesAnswer>, ApiProblem> {
    let table_rules = app.tables.table_rules(&table).await?;
    let book = table_rules.book();
    Ok(Json(TableRulesAnswer {
        ranking: table_rules.evaluator().ranking().into(),
        book: BookSummary::of(book),
        rules: RulesAnswer::of(&table_rules),
    }))
}
