//! `GET /api/tables/{table}/live`: the socket that tells of a table as it happens.

use super::super::guard::address;
use super::super::input::{Path, Query};
use super::super::who::PlayerSession;
use crate::app::App;
use crate::http::address_key;
use crate::http::{ApiProblem, Problems};
use crate::live::{Caller, HashPrefix, ResumePoint, talk};
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use paigow_table::TableId;
use serde::Deserialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// Messages are small: small buffers, so that thousands of sockets take little room.
const BUFFER_BYTES: usize = 1 << 10;
/// What may wait to be written to somebody slow.
const UNWRITTEN_BYTES: usize = 256 << 10;

/// Where to begin.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LiveQuery {
    /// The last event that was seen, by whoever comes back.
    from: Option<u64>,
    /// Its hash, as it came with it.
    hash: Option<HashPrefix>,
}

/// A WebSocket: first the table as I see it (or the events since `from`), then every event; commands go the other way. The messages
/// are `FromClient` and `ToClient`.
#[utoipa::path(get, path = "/api/tables/{table}/live", tag = "tables", params(("table" = String, Path), LiveQuery),
    responses((status = 101, description = "The socket is open"), Problems))]
pub(in crate::http) async fn live(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    player: Option<PlayerSession>,
    Path(table): Path<TableId>,
    Query(begin): Query<LiveQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiProblem> {
    let upgrade = upgrade.map_err(|rejection| {
        ApiProblem::new(StatusCode::UPGRADE_REQUIRED, "no_websocket", rejection.body_text())
    })?;
    if app.is_draining() {
        return Err(ApiProblem::unavailable("the process is being drained; try another"));
    }
    // So that a table that is not there is said before there is a socket.
    app.tables.exists(&table).await?;
    let address = address_key(address(&app, peer, &headers));
    let person = player.as_ref().map(|player| (player.id.clone(), player.digest));
    let ticket = app.sockets.admit(person, address).map_err(|too_many| {
        app.metrics.limited("sockets");
        ApiProblem::too_many("too_many_sockets", too_many.to_string(), 10)
    })?;
    let caller = Caller { player, ticket };
    let frame = app.settings.frame_bytes as usize;
    let socket = upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(UNWRITTEN_BYTES)
        .max_message_size(frame)
        .max_frame_size(frame);
    // Before the process ends everybody is told.
    let until_told = app.tasks.token();
    Ok(socket.on_upgrade(async move |socket| {
        let from = begin.from.map(|seq| ResumePoint { seq, hash: begin.hash });
        talk(app, socket, caller, table, from).await;
        drop(until_told);
    }))
}
