//! `GET /api/operator/rounds`: exports all finished rounds as JSON lines or CSV.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::input::Query;
use crate::http::{ApiProblem, Problems};
use crate::{LINE_COLUMNS, RoundRecord, Store, csv_row, line_fields};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use paigow_table::TableId;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::slice;
use std::sync::Arc;
use utoipa::ToSchema;

/// Format of an export.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum Format {
    /// JSON lines, one round per line.
    #[default]
    Json,
    /// CSV, one row per settlement line.
    Csv,
}

/// Format and scope of an export.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Export {
    /// JSON lines or CSV.
    #[serde(default)]
    #[param(inline)]
    format: Format,
    /// Only rounds of this table.
    table: Option<TableId>,
}

/// Exports all finished rounds, table by table. The response is streamed while rounds are read. It is complete if the
/// stream ends without an error.
#[utoipa::path(get, path = "/api/operator/rounds", tag = "operator", params(Export),
    responses((status = 200, body = String, content_type = "text/plain"), Problems))]
pub(in crate::http) async fn rounds(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Query(Export { format, table }): Query<Export>,
) -> Result<Response, ApiProblem> {
    let act = Act::read("export.rounds", json!({ "table": table, "format": format }));
    let work = {
        let app = app.clone();
        async move { export(app, format, table).await }
    };
    perform(&app, &operator, act, work).await
}

async fn export(app: Arc<App>, format: Format, table: Option<TableId>) -> Result<Response, ApiProblem> {
    let tables: Vec<TableId> = match table {
        Some(table) => {
            app.tables.ensure_loaded(&table).await?;
            vec![table]
        }
        None => app.store().tables().await?.into_iter().map(|head| head.table).collect(),
    };
    let head = if format == Format::Csv { csv_row(LINE_COLUMNS) + "\r\n" } else { String::new() };
    let kind = if format == Format::Csv { "text/csv; charset=utf-8" } else { "application/jsonl" };
    let texts = stream::try_unfold((Some(head), tables.into_iter()), move |(head, mut tables)| {
        let app = app.clone();
        async move {
            if let Some(head) = head {
                return Ok(Some((Bytes::from(head), (None, tables))));
            }
            let Some(table) = tables.next() else { return Ok(None) };
            let records = app.tables.rounds(&table, slice::from_ref(&(0..u64::MAX))).await?;
            let text: String = records.iter().map(|record| formatted(record, format)).collect();
            Ok::<_, crate::HostError>(Some((Bytes::from(text), (None, tables))))
        }
    });
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(texts)).into_response())
}

fn formatted(record: &RoundRecord, format: Format) -> String {
    match format {
        Format::Json => serde_json::to_string(record).map_or_else(|_| String::new(), |text| text + "\n"),
        Format::Csv => line_fields(record).iter().map(|fields| csv_row(fields) + "\r\n").collect(),
    }
}
