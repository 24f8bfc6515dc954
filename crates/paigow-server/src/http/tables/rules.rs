//! `GET /api/tables/{table}/rules`: the rules of a table.

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

/// Rules of a table: its book with the table's overrides.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct TableRulesAnswer {
    /// Ranking of hands. The posted paytables decide the joker.
    ranking: RankingNames,
    /// Wagers and paytables of the book.
    book: BookSummary,
    /// Rules of the book in plain language.
    rules: RulesAnswer,
}

/// Returns the rules of a table: the rules and paytables of its book, with the values that the table was opened with.
/// They never change. If the program's rules differ from those that the table was opened with, the table is closed to
/// play and this request is refused.
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
