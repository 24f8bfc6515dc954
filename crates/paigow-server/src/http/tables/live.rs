//! `GET /api/tables/{table}/live`: the live socket of a table.

use super::super::auth::PlayerSession;
use super::super::guard::address;
use super::super::input::{Path, Query};
use crate::app::App;
use crate::http::{ApiProblem, Problems, address_key};
use crate::live::{HashPrefix, ResumePoint, SocketClient, serve_socket};
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use paigow_table::TableId;
use serde::Deserialize;
use std::net::SocketAddr;
use std::sync::Arc;

/// Size of the read and write buffers. Messages are small, and thousands of sockets must not use much memory.
const BUFFER_BYTES: usize = 1 << 10;
/// Maximum amount of data buffered for a slow client.
const UNWRITTEN_MAX_BYTES: usize = 256 << 10;

/// Point from which a client resumes.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LiveQuery {
    /// Sequence number of the last event that a reconnecting client received.
    from: Option<u64>,
    /// Hash that the client received with that event.
    hash: Option<HashPrefix>,
}

/// Opens a WebSocket. The server sends the table as the viewer sees it, or the events after `from`, and then every
/// event. The client sends commands. The messages are `FromClient` and `ToClient`.
#[utoipa::path(get, path = "/api/tables/{table}/live", tag = "tables", params(("table" = String, Path), LiveQuery),
    responses((status = 101, description = "The socket is open"), Problems))]
pub(in crate::http) async fn live(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    player: Option<PlayerSession>,
    Path(table): Path<TableId>,
    Query(query): Query<LiveQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiProblem> {
    let upgrade = upgrade.map_err(|rejection| {
        ApiProblem::new(StatusCode::UPGRADE_REQUIRED, "no_websocket", rejection.body_text())
    })?;
    if app.is_draining() {
        return Err(ApiProblem::unavailable("the process is draining; connect to another process"));
    }
    // A missing table is reported before the upgrade.
    app.tables.ensure_loaded(&table).await?;
    let address = address_key(address(&app, peer, &headers));
    let person = player.as_ref().map(|player| (player.id.clone(), player.digest));
    let ticket = app.sockets.admit(person, address).map_err(|too_many| {
        app.metrics.limited("sockets");
        ApiProblem::too_many("too_many_sockets", too_many.to_string(), 10)
    })?;
    let caller = SocketClient { player, ticket };
    let frame = app.settings.frame_bytes as usize;
    let socket = upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(UNWRITTEN_MAX_BYTES)
        .max_message_size(frame)
        .max_frame_size(frame);
    // A graceful shutdown waits until the socket has sent its goodbye.
    let task = app.tasks.token();
    Ok(socket.on_upgrade(async move |socket| {
        let from = query.from.map(|seq| ResumePoint { seq, hash: query.hash });
        serve_socket(app, socket, caller, table, from).await;
        drop(task);
    }))
}
