//! Download of everything that the server has about a player, written page by page.

use super::AccountAnswer;
use super::sessions::own_sessions;
use crate::app::App;
use crate::http::auth::PlayerSession;
use crate::http::session::account::read_records;
use crate::http::session::person_of;
use crate::http::{ApiProblem, Problems};
use crate::people::{People, TableAccess, load_page};
use crate::{ArchivedSums, JournalTransfer, Store, StoreError};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::{StreamExt, stream};
use paigow_table::{Account, Owner, PlayerId};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Number of transfers, documents or rounds read at a time.
const PAGE: u32 = 100;
/// Number of parts that wait for a slow client.
const WAITING: usize = 4;

/// Why the download ends early. The client sees a broken connection instead of a document that looks complete.
#[derive(Debug, thiserror::Error)]
enum DataError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("the client disconnected")]
    Gone,
    #[error("rounds of the player were archived during the download")]
    Archived,
}

/// Downloads everything about the player as JSON: account, sessions, limits, balances, tables, journal and rounds.
///
/// Secrets such as the hash of the password are left out. Archived rounds and transfers are not on the server: `archived` has
/// the sums of the transfers in each archive. These sums and the journal add up to the balances.
#[utoipa::path(get, path = "/api/account/data", tag = "account",
    responses((status = 200, body = Object, description = "A JSON document as an attachment"), Problems))]
pub(in crate::http) async fn data(
    State(app): State<Arc<App>>,
    player: PlayerSession,
) -> Result<impl IntoResponse, ApiProblem> {
    app.check_account_rate(&player.id)?;
    let person = person_of(&app, &player.id).await?;
    let owner = Owner::Player(player.id.clone());
    let archived = app.store().archived_sums(&owner).await?;
    let head = json!({
        "player": player.id,
        "name": person.name,
        "since": person.since,
        "account": AccountAnswer::of(&app, &player.id).await?,
        "sessions": own_sessions(&app, &player).await?,
        "archived": archived,
        "at": app.now(),
    });
    let (sender, receiver) = mpsc::channel::<Result<Bytes, DataError>>(WAITING);
    tokio::spawn(async move {
        let mut writer = Writer { sender };
        if let Err(error) = write(&app, &player.id, &head, &archived, &mut writer).await {
            if !matches!(error, DataError::Gone) {
                tracing::error!(%error, "cannot write the data of a player");
            }
            let _ = writer.sender.send(Err(error)).await;
        }
    });
    // Compression polls the stream again after its end.
    let parts =
        stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver))).fuse();
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"paigow-data.json\""),
    ];
    Ok((headers, Body::from_stream(parts)))
}

struct Writer {
    sender: mpsc::Sender<Result<Bytes, DataError>>,
}

impl Writer {
    async fn text(&mut self, text: impl Into<Bytes>) -> Result<(), DataError> {
        self.sender.send(Ok(text.into())).await.map_err(|_| DataError::Gone)
    }

    /// Writes the elements of a list after those that it has already. Returns whether the list has elements now.
    async fn elements<T: Serialize>(&mut self, elements: &[T], has_some: bool) -> Result<bool, DataError> {
        let mut text = String::new();
        for (index, element) in elements.iter().enumerate() {
            text.push_str(if has_some || index > 0 { ",\n" } else { "\n" });
            text.push_str(&serde_json::to_string(element)?);
        }
        if !text.is_empty() {
            self.text(text).await?;
        }
        Ok(has_some || !elements.is_empty())
    }
}

async fn write(
    app: &App,
    player: &PlayerId,
    head: &serde_json::Value,
    archived: &[ArchivedSums],
    out: &mut Writer,
) -> Result<(), DataError> {
    let head = serde_json::to_string(head)?;
    out.text(format!("{},\n\"tables\": [", head.strip_suffix('}').unwrap_or_default())).await?;
    write_tables(app, player, out).await?;
    out.text("],\n\"journal\": {").await?;
    write_journal(app, player, out).await?;
    // Transfers that were archived meanwhile are in neither part.
    if app.store().archived_sums(&Owner::Player(player.clone())).await? != archived {
        return Err(DataError::Archived);
    }
    out.text("},\n\"rounds\": [").await?;
    write_rounds(app, player, out).await?;
    out.text("]}\n").await
}

/// Writes the tables that the player has opened for invited players, or is invited to.
async fn write_tables(app: &App, player: &PlayerId, out: &mut Writer) -> Result<(), DataError> {
    let (mut after, mut has_some) = (None::<String>, false);
    loop {
        let page = load_page::<TableAccess>(app.store(), after.as_deref(), PAGE).await?;
        let own = page.iter().filter(|access| access.value.admits(player));
        let own: Vec<_> = own
            .map(|access| json!({ "table": access.id, "opened": access.value.opened_by.as_ref() == Some(player) }))
            .collect();
        has_some = out.elements(&own, has_some).await?;
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = Some(last.id.clone()),
            _ => return Ok(()),
        }
    }
}

async fn write_journal(app: &App, player: &PlayerId, out: &mut Writer) -> Result<(), DataError> {
    let owner = Owner::Player(player.clone());
    for (index, currency) in app.store().balances_of(&owner).await?.into_keys().enumerate() {
        let comma = if index > 0 { ",\n" } else { "\n" };
        out.text(format!("{comma}{}: [", serde_json::to_string(&currency)?)).await?;
        let account = Account { owner: owner.clone(), currency };
        let (mut after, mut has_some) = (0, false);
        loop {
            let rows = app.store().journal(Some(&account), after, PAGE).await?;
            let transfers: Vec<JournalTransfer> = rows.iter().map(JournalTransfer::of).collect();
            has_some = out.elements(&transfers, has_some).await?;
            match rows.last() {
                Some(last) if rows.len() == PAGE as usize => after = last.seq,
                _ => break,
            }
        }
        out.text("]").await?;
    }
    Ok(())
}

async fn write_rounds(app: &App, player: &PlayerId, out: &mut Writer) -> Result<(), DataError> {
    let (mut before, mut has_some) = (None, false);
    loop {
        let rounds = app.store().rounds_of(player, before, PAGE).await?;
        has_some = out.elements(&read_records(app, &rounds).await, has_some).await?;
        match rounds.last() {
            Some(last) if rounds.len() == PAGE as usize => before = Some(last.seq),
            _ => return Ok(()),
        }
    }
}
