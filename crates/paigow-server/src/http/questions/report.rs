//! Endpoint of the game report: an HTML document for printing.

use super::preparations::{TablePreparation, prepare};
use super::queue::Effort;
use super::{Fault, Faults, compute};
use crate::app::App;
use crate::http::bounds;
use crate::http::guard::Client;
use crate::http::input::Query;
use crate::http::problem::{ApiProblem, Problems};
use crate::http::tables::house_way::books_with_ways;
use crate::version::{COMMIT, VERSION};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_answers::CancelFlag;
use paigow_answers::odds::EditedRow;
use paigow_answers::report::{ReportProgram, ReportQuestion, ReportRequest};
use serde::Deserialize;
use std::sync::Arc;

/// Number of simulated rounds of each run. It takes a second for a book with many paytables.
const ROUNDS: u64 = 100_000;

/// The document has no script and loads nothing. Its style is inside it, and `sandbox` gives it an origin of its own.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; sandbox";

/// Query of a report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ReportQuery {
    book: String,
    house_way: Option<String>,
    wager: Option<String>,
    paytable: Option<String>,
    rows: Option<String>,
    payout_max_cents: Option<u64>,
}

/// Returns the game report of a book as an HTML document for printing, also with an edited paytable. If the server has no
/// table of worths for the best play yet, it prepares one in the background and answers with its progress; ask again
/// until the report is there.
#[utoipa::path(get, path = "/api/report", tag = "questions",
    params(
        ("book" = String, Query, description = "Name of a rule book"),
        ("house_way" = Option<String>, Query, description = "House way of the dealer. Default: that of the book"),
        ("wager" = Option<String>, Query, description = "Side wager whose paytable is edited"),
        ("paytable" = Option<String>, Query, description = "Paytable that is edited. Default: the default one of the wager"),
        ("rows" = Option<String>, Query, description = "Rows of the edited paytable, as JSON: a list of `EditedRow`"),
        ("payout_max_cents" = Option<u64>, Query, description = "Maximum payout that replaces that of the wager"),
    ),
    responses((status = 200, content_type = "text/html", body = String), (status = 202, body = TablePreparation), Problems))]
pub(in crate::http) async fn game_report(
    State(app): State<Arc<App>>,
    client: Client,
    Query(query): Query<ReportQuery>,
) -> Result<Response, ApiProblem> {
    let question = query.question()?;
    let name: String = question.book.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let books = books_with_ways(&app, [question.house_way.as_deref()]).await?;
    let text = format!("report {question:?}");
    let job = {
        let app = app.clone();
        move |effort, cancel: &CancelFlag| {
            if !app.worth_tables {
                let message = "this server has no tables of worths, so it makes no reports";
                return Err(Faults::from(Fault::new("no_worth_tables", "book", message)).into());
            }
            let program = ReportProgram { version: VERSION.to_owned(), commit: COMMIT.to_owned() };
            let request = ReportRequest::of(&question, program, &books)?;
            let work = app.work.with_cancel(cancel.clone());
            let work = if effort == Effort::Short { work.cached_only() } else { work };
            for game in request.games() {
                if work.kept_worth_table(&game.valuation()).is_none() {
                    let preparation = prepare(&app, client, game)?;
                    let json = serde_json::to_vec(&preparation).map_err(|_| ApiProblem::internal_error())?;
                    return Ok(Bytes::from(json));
                }
            }
            Ok(Bytes::from(request.answer(&work).html()))
        }
    };
    let bytes = compute(app, client, text, Arc::new(job)).await?;
    if bytes.starts_with(b"{") {
        return Ok(
            (StatusCode::ACCEPTED, [(header::CONTENT_TYPE, "application/json")], bytes).into_response()
        );
    }
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY.to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"paigow-report-{name}.html\"")),
    ];
    Ok((headers, bytes).into_response())
}

impl ReportQuery {
    /// Converts the query to a question.
    ///
    /// # Errors
    /// A text is too long, or the rows are not a list of rows.
    fn question(self) -> Result<ReportQuestion, ApiProblem> {
        let bad_rows = |error: serde_json::Error| {
            let detail = format!("`rows` is not a list of rows as JSON: {error}");
            ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_rows", detail)
        };
        let texts = serde_json::json!({
            "book": self.book, "house_way": self.house_way, "wager": self.wager, "paytable": self.paytable, "rows": self.rows,
        });
        bounds::check(&texts)?;
        let rows = self.rows.as_deref().map(|rows| {
            bounds::check(&serde_json::json!({ "rows": serde_json::from_str::<serde_json::Value>(rows).map_err(bad_rows)? }))?;
            serde_json::from_str::<Vec<EditedRow>>(rows).map_err(bad_rows)
        });
        Ok(ReportQuestion {
            book: self.book,
            house_way: self.house_way,
            wager: self.wager,
            paytable: self.paytable,
            rows: rows.transpose()?,
            payout_max_cents: self.payout_max_cents,
            rounds: Some(ROUNDS),
            ..ReportQuestion::default()
        })
    }
}
