//! `GET /api/operator/reports`: handle and win of the house by day, table and wager, beside the exact expectation.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::guard::Client;
use crate::http::input::Query;
use crate::http::questions::{Effort, compute};
use crate::http::{ApiProblem, Problems};
use crate::operations::{ReportRow, ReportTally};
use crate::{HostError, REPORT_COLUMNS, Store, TableHead, Tip, csv_row};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_answers::puzzle::Day;
use paigow_answers::{CancelFlag, Fault, Faults};
use paigow_table::{TableId, Time};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::RangeInclusive;
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of days in a report.
const DAYS_MAX: u32 = 31;

/// Format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum ReportFormat {
    /// A JSON object.
    #[default]
    Json,
    /// CSV, one line per row.
    Csv,
}

/// Days and format of a report.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ReportQuery {
    /// First UTC day, such as `2026-11-17`.
    from: String,
    /// Last UTC day, at most 30 days after the first.
    to: String,
    /// JSON or CSV.
    #[serde(default)]
    #[param(inline)]
    format: ReportFormat,
}

/// Report of the house.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct HouseReport {
    /// First UTC day.
    from: String,
    /// Last UTC day.
    to: String,
    /// Rows, sorted by day, table and name of the wager.
    rows: Vec<ReportRow>,
    /// Tables whose records cannot be read. The report lacks their rounds.
    unreadable: Vec<TableId>,
}

/// Reports handle, win and hold of the house by day, table and wager, beside the exact expectation before the deal and its
/// standard deviation. A report as CSV is refused with `unreadable` if the records of a table cannot be read.
#[utoipa::path(get, path = "/api/operator/reports", tag = "operator", params(ReportQuery),
    responses((status = 200, body = HouseReport), Problems))]
pub(in crate::http) async fn report(
    State(app): State<Arc<App>>,
    client: Client,
    operator: OperatorSession,
    Query(query): Query<ReportQuery>,
) -> Result<Response, ApiProblem> {
    let act = Act::read("report", json!({ "from": query.from, "to": query.to }));
    perform(&app, &operator, act, make(app.clone(), client, query)).await
}

async fn make(app: Arc<App>, client: Client, query: ReportQuery) -> Result<Response, ApiProblem> {
    let days = days(&query)?;
    check_archived(&app, Time(days.start().start_ms())).await?;
    let (from, to) = (days.start().to_string(), days.end().to_string());
    let (tally, unreadable) = tally(&app, &days).await?;
    if query.format == ReportFormat::Csv && !unreadable.is_empty() {
        let tables: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
        let detail = format!(
            "the records of {} cannot be read; a JSON report lists these tables beside the others",
            tables.join(", ")
        );
        return Err(ApiProblem::new(StatusCode::INTERNAL_SERVER_ERROR, "unreadable", detail));
    }
    let key = format!("report {from} {to} {:?} {unreadable:?} {}", query.format, tally.key());
    let job = {
        let app = app.clone();
        move |effort, cancel: &CancelFlag| {
            let work = app.work.with_cancel(cancel.clone());
            let work = if effort == Effort::Short { work.cached_only() } else { work };
            let rows = tally.rows(&work);
            if query.format == ReportFormat::Csv {
                return Ok(Bytes::from(csv(&rows)));
            }
            let report =
                HouseReport { from: from.clone(), to: to.clone(), rows, unreadable: unreadable.clone() };
            serde_json::to_vec(&report).map(Bytes::from).map_err(|_| ApiProblem::internal_error())
        }
    };
    let kind = match query.format {
        ReportFormat::Json => "application/json",
        ReportFormat::Csv => "text/csv; charset=utf-8",
    };
    let body = compute(app, client, key, Arc::new(job)).await?;
    Ok(([(header::CONTENT_TYPE, kind)], body).into_response())
}

/// Refuses a report that would lack archived rounds.
async fn check_archived(app: &App, from: Time) -> Result<(), ApiProblem> {
    let archives = app.store().archives().await?;
    let files: Vec<&str> =
        archives.iter().filter(|row| row.older_than > from).map(|row| row.file.as_str()).collect();
    if files.is_empty() {
        return Ok(());
    }
    let until = archives.iter().map(|row| Day::at_ms(row.older_than.0)).max().unwrap_or(Day(0));
    // The first day without archived rounds.
    let until = Day(until.0 + 1);
    let detail = format!(
        "rounds of days before {until} are in archives and no longer on this server ({}): start the report on {until} or later",
        files.join(", ")
    );
    Err(ApiProblem::new(StatusCode::GONE, "archived", detail))
}

/// Returns the days of a query, or every fault.
fn days(query: &ReportQuery) -> Result<RangeInclusive<Day>, Faults> {
    let mut faults = Faults::default();
    let mut parse = |name: &'static str, text: &str| match text.parse::<Day>() {
        Ok(day) => Some(day),
        Err(error) => {
            faults.push(Fault::new("bad_day", name, format!("`{name}` is `{text}`: {error}")));
            None
        }
    };
    let days = parse("from", &query.from).zip(parse("to", &query.to));
    if let Some((from, to)) = days {
        let message = if to < from {
            format!("`to` is {to}, which is before {from}")
        } else if to.0 - from.0 >= DAYS_MAX {
            format!("{} days from {from} to {to}; a report has at most {DAYS_MAX} days", to.0 - from.0 + 1)
        } else {
            return Ok(from..=to);
        };
        faults.push(Fault::new("bad_period", "to", message));
    }
    Err(faults)
}

/// Sums up the rounds that ended on these days, table by table. Returns also the tables that cannot be read.
async fn tally(app: &App, days: &RangeInclusive<Day>) -> Result<(ReportTally, Vec<TableId>), ApiProblem> {
    let (from, until) = (Time(days.start().start_ms()), Time(Day(days.end().0 + 1).start_ms()));
    let (mut tally, mut unreadable) = (ReportTally::default(), Vec::new());
    for head in app.store().tables().await? {
        if head.tip == Tip::UNREADABLE {
            unreadable.push(head.table);
            continue;
        }
        match tally_table(app, &head, (from, until), &mut tally).await {
            Ok(()) => {}
            Err(error) if is_damage(&error) => {
                tracing::error!(table = %head.table, %error, "cannot read a table for a report");
                unreadable.push(head.table);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok((tally, unreadable))
}

/// Whether an error concerns the records of one table, and not the store.
fn is_damage(error: &HostError) -> bool {
    match error {
        HostError::Damaged { .. } | HostError::Replay(_) => true,
        HostError::Store(error) => error.is_damage(),
        _ => false,
    }
}

async fn tally_table(
    app: &App,
    head: &TableHead,
    (from, until): (Time, Time),
    tally: &mut ReportTally,
) -> Result<(), HostError> {
    let records = app.tables.rounds_between(head, from, until).await?;
    if !records.is_empty() {
        let (state, _) = app.tables.table(&head.table).await?;
        for record in &records {
            tally.add(record, state.table_rules());
        }
    }
    Ok(())
}

fn csv(rows: &[ReportRow]) -> String {
    let head = csv_row(REPORT_COLUMNS) + "\r\n";
    rows.iter().fold(head, |text, row| text + &csv_row(row.fields()) + "\r\n")
}
