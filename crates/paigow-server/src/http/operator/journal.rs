//! `GET /api/operator/journal`: transfers with filters, in pages or as CSV.

use super::super::session::account::Journal;
use super::perform::{Act, perform};
use super::rounds::Format;
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::input::Query;
use crate::http::page::Page;
use crate::http::{ApiProblem, Problems};
use crate::{JOURNAL_COLUMNS, JournalRow, Store, StoreError, csv_row, journal_fields};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use paigow_table::{Account, Currency, Owner, PlayerId, Purpose, TableId, Time};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// Number of rows read from the store at once.
const SCAN: u32 = 1_000;
/// Maximum number of rows that a page looks through. A page with a rare filter may then have no transfer and a `next`.
const SCAN_MAX: u64 = 100_000;

/// Page and filters of the journal.
#[derive(Clone, Deserialize, Serialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct JournalFilter {
    /// Sequence number after which the page starts: `next` of the previous page. Default: 0.
    #[serde(default)]
    after: u64,
    /// Maximum number of transfers, from 1 to 500. Default: 100.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Only transfers from or to this player.
    #[param(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9._:/-]+$")]
    player: Option<PlayerId>,
    /// Only transfers of this table.
    #[param(value_type = Option<String>, min_length = 1, max_length = 40, pattern = "^[A-Za-z0-9._:/-]+$")]
    table: Option<TableId>,
    /// Only transfers with this purpose.
    #[param(value_type = Option<String>, max_length = 16)]
    purpose: Option<Purpose>,
    /// Only transfers in this currency.
    #[param(value_type = Option<String>, min_length = 1, max_length = 16, pattern = "^[A-Za-z0-9._:/-]+$")]
    currency: Option<Currency>,
    /// Only transfers at or after this time, in milliseconds since 1970.
    #[param(value_type = Option<u64>)]
    from: Option<Time>,
    /// Only transfers before this time, in milliseconds since 1970.
    #[param(value_type = Option<u64>)]
    to: Option<Time>,
    /// JSON, or CSV with all matching transfers.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

impl JournalFilter {
    fn matches(&self, row: &JournalRow) -> bool {
        let transfer = &row.transfer;
        let is_of = |player: &PlayerId| {
            let owner = Owner::Player(player.clone());
            transfer.debit.owner == owner || transfer.credit.owner == owner
        };
        self.player.as_ref().is_none_or(is_of)
            && self.table.as_ref().is_none_or(|table| row.table.as_ref() == Some(table))
            && self.purpose.is_none_or(|purpose| transfer.purpose == purpose)
            && self.currency.as_ref().is_none_or(|currency| transfer.debit.currency == *currency)
            && self.from.is_none_or(|from| row.at >= from)
            && self.to.is_none_or(|to| row.at < to)
    }

    /// Account that the store can look up by an index, if the filter names a player and a currency.
    fn account(&self) -> Option<Account> {
        let (player, currency) = (self.player.clone()?, self.currency.clone()?);
        Some(Account { owner: Owner::Player(player), currency })
    }

    async fn scan(&self, app: &App, after: u64) -> Result<Vec<JournalRow>, StoreError> {
        app.store().journal(self.account().as_ref(), after, SCAN).await
    }

    /// Reads the next page of matching rows. Returns the `after` of the following page as well.
    async fn page(&self, app: &App) -> Result<(Vec<JournalRow>, Option<u64>), StoreError> {
        let limit = Page::limit_of(self.limit);
        let (mut after, mut found, mut scanned) = (self.after, Vec::new(), 0);
        loop {
            let rows = self.scan(app, after).await?;
            let is_end = rows.len() < SCAN as usize;
            scanned += rows.len() as u64;
            for row in rows {
                after = row.seq;
                if self.matches(&row) {
                    found.push(row);
                    if found.len() == limit as usize {
                        return Ok((found, Some(after)));
                    }
                }
            }
            if is_end {
                return Ok((found, None));
            }
            if scanned >= SCAN_MAX {
                return Ok((found, Some(after)));
            }
        }
    }
}

/// Lists transfers in the order of the journal. With the format CSV, the response has all matching transfers and is
/// streamed while they are read. It is complete if the stream ends without an error.
#[utoipa::path(get, path = "/api/operator/journal", tag = "operator", params(JournalFilter),
    responses((status = 200, body = Journal), Problems))]
pub(in crate::http) async fn journal(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Query(filter): Query<JournalFilter>,
) -> Result<Response, ApiProblem> {
    let act = Act::read("journal", json!({ "filter": filter }));
    let work = {
        let app = app.clone();
        async move {
            if filter.format == Format::Csv {
                return Ok(csv(app, filter));
            }
            let (rows, next) = filter.page(&app).await?;
            Ok(Json(Journal::with_next(&rows, next)).into_response())
        }
    };
    perform(&app, &operator, act, work).await
}

fn csv(app: Arc<App>, filter: JournalFilter) -> Response {
    let head = csv_row(JOURNAL_COLUMNS) + "\r\n";
    let start = (Some(head), Some(filter.after));
    let texts = stream::try_unfold(start, move |(head, after)| {
        let (app, filter) = (app.clone(), filter.clone());
        async move {
            if let Some(head) = head {
                return Ok(Some((Bytes::from(head), (None, after))));
            }
            let Some(after) = after else { return Ok(None) };
            let rows = filter.scan(&app, after).await?;
            let next = rows.last().filter(|_| rows.len() == SCAN as usize).map(|row| row.seq);
            let matching = rows.iter().filter(|row| filter.matches(row));
            let text: String = matching.map(|row| csv_row(journal_fields(row)) + "\r\n").collect();
            Ok::<_, StoreError>(Some((Bytes::from(text), (None, next))))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"journal.csv\""),
    ];
    (headers, Body::from_stream(texts)).into_response()
}
