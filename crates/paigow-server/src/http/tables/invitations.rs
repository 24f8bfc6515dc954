//! Endpoints of tables with seats for invited players: invitations with an expiry, and the players who accepted them.

use super::lobby::{Opened, SeatAccess};
use crate::HostError;
use crate::app::{App, derive_command_id, house};
use crate::http::auth::{PlayerSession, parse_secret};
use crate::http::input::{Body, Path};
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::{
    Documents, Invitation, People, PeopleChange, TableAccess, Versioned, invitation_id, load,
};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{Command, PlayerId, Secret, TableId, Time};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum time for which an invitation is valid, in hours: 30 days.
const HOURS_MAX: u64 = 720;
/// Number of attempts to change a document that other requests change at the same time.
const ATTEMPTS_MAX: u32 = 8;

/// Stores who may sit at a table that is about to be opened.
///
/// The document comes before the table, so that no other player can take a seat in between.
pub(in crate::http) async fn restrict_seats(
    app: &App,
    table: &TableId,
    seats: SeatAccess,
    opened_by: Option<&PlayerId>,
) -> Result<(), ApiProblem> {
    let write = match (seats, app.access(table).await?) {
        (SeatAccess::Anyone, None) => return Ok(()),
        // The document of a table that could not be opened.
        (SeatAccess::Anyone, Some(left_over)) => left_over.deletion(),
        (SeatAccess::Invited, Some(mut left_over)) => {
            left_over.value = TableAccess::new(opened_by.cloned());
            left_over.write()
        }
        (SeatAccess::Invited, None) => {
            Versioned::new(table.as_str(), TableAccess::new(opened_by.cloned())).write()
        }
    };
    // A table that exists keeps its access. Opening it again fails.
    if matches!(app.tables.table(table).await, Err(HostError::NoSuchTable(_))) {
        let documents = vec![write];
        // Another request is opening the table. Without the document, anyone could take a seat.
        if !change(app, table, PeopleChange { documents, ..PeopleChange::default() }).await? {
            return Err(contended());
        }
    }
    Ok(())
}

/// Who asks to see or change the invitations to a table.
#[derive(Clone, Copy)]
pub(in crate::http) enum Inviter<'a> {
    /// A player, who may invite to the tables that the player opened.
    Player(&'a PlayerId),
    /// An operator with the permission, who may invite to the tables of the house.
    Operator,
}

/// Returns who may sit at a table. Refuses an inviter of other tables.
async fn access_for(
    app: &App,
    table: &TableId,
    inviter: Inviter<'_>,
) -> Result<Versioned<TableAccess>, ApiProblem> {
    // An unknown table is reported first.
    app.tables.ensure_loaded(table).await?;
    let Some(access) = app.access(table).await? else {
        let detail = "anyone may sit at this table: share its address instead of an invitation";
        return Err(ApiProblem::new(StatusCode::CONFLICT, "seats_for_anyone", detail));
    };
    let (may_invite, detail) = match (inviter, &access.value.opened_by) {
        (Inviter::Player(player), opened_by) => (
            opened_by.as_ref() == Some(player),
            "only the player who opened the table may invite players to it",
        ),
        (Inviter::Operator, opened_by) => {
            (opened_by.is_none(), "a player opened the table: operators invite only to tables of the house")
        }
    };
    if !may_invite {
        return Err(ApiProblem::new(StatusCode::FORBIDDEN, "not_opener", detail));
    }
    Ok(access)
}

/// Request for an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct InvitationRequest {
    /// Hours for which the invitation is valid.
    #[schema(minimum = 1, maximum = 720)]
    pub(in crate::http) hours: u64,
}

/// A new invitation. The server shows its secret once.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct NewInvitation {
    /// Id to withdraw the invitation with.
    id: String,
    /// Secret to accept the invitation with.
    secret: String,
    /// Path of the page that accepts it.
    path: String,
    /// Time from which it is expired.
    until: Time,
}

/// Makes an invitation to a table whose seats are for invited players. Any number of players may accept it.
#[utoipa::path(post, path = "/api/tables/{table}/invitations", tag = "tables", params(("table" = String, Path)),
    request_body = InvitationRequest, responses((status = 201, body = NewInvitation), Problems))]
pub(in crate::http) async fn invite(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(table): Path<TableId>,
    Body(InvitationRequest { hours }): Body<InvitationRequest>,
) -> Result<(StatusCode, Json<NewInvitation>), ApiProblem> {
    app.check_account_rate(&player.id)?;
    let invitation = make_invitation(&app, &table, Inviter::Player(&player.id), hours).await?;
    Ok((StatusCode::CREATED, Json(invitation)))
}

/// Makes an invitation that is valid for some hours.
pub(in crate::http) async fn make_invitation(
    app: &App,
    table: &TableId,
    inviter: Inviter<'_>,
    hours: u64,
) -> Result<NewInvitation, ApiProblem> {
    if !(1..=HOURS_MAX).contains(&hours) {
        let detail = format!("`hours` is {hours}, but must be 1 to {HOURS_MAX}");
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_hours", detail));
    }
    let secret = app.random_bytes()?;
    let (id, until) = (invitation_id(&secret), app.now().plus(hours * 3_600_000));
    for _ in 0..ATTEMPTS_MAX {
        let mut access = access_for(app, table, inviter).await?;
        let valid = valid_invitations(app, &access.value).await?;
        if valid.len() >= TableAccess::INVITATIONS_MAX {
            let detail = format!(
                "a table may have at most {} invitations: withdraw one",
                TableAccess::INVITATIONS_MAX
            );
            return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_invitations", detail));
        }
        access.value.invitations = valid.into_iter().map(|invitation| invitation.id).collect();
        access.value.invitations.push(id.clone());
        let invitation = Invitation { table: table.clone(), until, accepted: 0 };
        let documents = vec![access.write(), Versioned::new(id.clone(), invitation).write()];
        if change(app, table, PeopleChange { documents, ..PeopleChange::default() }).await? {
            let secret = String::from(Secret(secret));
            let path = format!("/join/{secret}");
            return Ok(NewInvitation { id, secret, path, until });
        }
    }
    Err(contended())
}

async fn change(app: &App, table: &TableId, change: PeopleChange) -> Result<bool, ApiProblem> {
    let is_changed = app.store().change_people(change, app.now()).await?;
    app.access_cache.forget(table);
    Ok(is_changed)
}

fn contended() -> ApiProblem {
    ApiProblem::unavailable("the invitations are changed by other requests; retry")
}

/// Returns the invitations of a table that have not expired.
async fn valid_invitations(
    app: &App,
    access: &TableAccess,
) -> Result<Vec<Versioned<Invitation>>, ApiProblem> {
    let mut valid = Vec::new();
    for id in &access.invitations {
        let invitation: Option<Versioned<Invitation>> = load(app.store(), id).await?;
        valid.extend(invitation.filter(|invitation| app.now() < invitation.value.until));
    }
    Ok(valid)
}

/// An invitation that has not expired.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct InvitationEntry {
    /// Id to withdraw the invitation with.
    id: String,
    /// Time from which it is expired.
    until: Time,
    /// Number of players who have accepted it.
    accepted: u64,
}

/// A player who may sit at a table.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Member {
    player: PlayerId,
    name: String,
}

/// Invitations to a table, and the players who have accepted one.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Invitations {
    invitations: Vec<InvitationEntry>,
    members: Vec<Member>,
}

/// Lists the valid invitations to a table and the players who have accepted one.
#[utoipa::path(get, path = "/api/tables/{table}/invitations", tag = "tables", params(("table" = String, Path)),
    responses((status = 200, body = Invitations), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(table): Path<TableId>,
) -> Result<Json<Invitations>, ApiProblem> {
    invitations_to(&app, &table, Inviter::Player(&player.id)).await.map(Json)
}

/// Returns the valid invitations to a table and its members.
pub(in crate::http) async fn invitations_to(
    app: &App,
    table: &TableId,
    inviter: Inviter<'_>,
) -> Result<Invitations, ApiProblem> {
    let access = access_for(app, table, inviter).await?.value;
    let invitations = valid_invitations(app, &access).await?.into_iter().map(|invitation| {
        let Invitation { until, accepted, .. } = invitation.value;
        InvitationEntry { id: invitation.id, until, accepted }
    });
    // A member who has deleted the account is left out.
    let people = app.store().people(&access.members).await?;
    let members = people.into_values().map(|person| Member { player: person.id, name: person.name.into() });
    Ok(Invitations { invitations: invitations.collect(), members: members.collect() })
}

/// Withdraws an invitation. Players who have accepted it keep their access.
#[utoipa::path(delete, path = "/api/tables/{table}/invitations/{id}", tag = "tables",
    params(("table" = String, Path), ("id" = String, Path)), responses((status = 204), Problems))]
pub(in crate::http) async fn withdraw(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path((table, id)): Path<(TableId, String)>,
) -> Result<StatusCode, ApiProblem> {
    withdraw_invitation(&app, &table, Inviter::Player(&player.id), &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes an invitation to a table.
pub(in crate::http) async fn withdraw_invitation(
    app: &App,
    table: &TableId,
    inviter: Inviter<'_>,
    id: &str,
) -> Result<(), ApiProblem> {
    for _ in 0..ATTEMPTS_MAX {
        let mut access = access_for(app, table, inviter).await?;
        if !access.value.invitations.iter().any(|known| known == id) {
            return Err(no_such_invitation());
        }
        access.value.invitations.retain(|other| other != id);
        let invitation: Option<Versioned<Invitation>> = load(app.store(), id).await?;
        let deletion = invitation.map(|invitation| invitation.deletion());
        let documents = std::iter::once(access.write()).chain(deletion).collect();
        if change(app, table, PeopleChange { documents, ..PeopleChange::default() }).await? {
            return Ok(());
        }
    }
    Err(contended())
}

/// Removes a player from those who may sit at a table. The player's seats are vacated after the round.
#[utoipa::path(delete, path = "/api/tables/{table}/members/{player}", tag = "tables",
    params(("table" = String, Path), ("player" = String, Path)), responses((status = 204), Problems))]
pub(in crate::http) async fn remove_member(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path((table, member)): Path<(TableId, PlayerId)>,
) -> Result<StatusCode, ApiProblem> {
    run_to_completion(async move {
        remove_from(&app, &table, Inviter::Player(&player.id), &member).await?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Removes a member of a table, withdraws its invitations and vacates the member's seats.
pub(in crate::http) async fn remove_from(
    app: &App,
    table: &TableId,
    inviter: Inviter<'_>,
    member: &PlayerId,
) -> Result<(), ApiProblem> {
    for _ in 0..ATTEMPTS_MAX {
        let mut access = access_for(app, table, inviter).await?;
        if !access.value.members.contains(member) {
            let detail = format!("player {member} is not invited to this table");
            return Err(ApiProblem::not_found("no_such_member", detail));
        }
        access.value.members.retain(|other| other != member);
        // The removed player may have any of the links.
        let withdrawn = std::mem::take(&mut access.value.invitations);
        let mut documents = vec![access.write()];
        for id in withdrawn {
            let invitation: Option<Versioned<Invitation>> = load(app.store(), &id).await?;
            documents.extend(invitation.map(|invitation| invitation.deletion()));
        }
        if change(app, table, PeopleChange { documents, ..PeopleChange::default() }).await? {
            return vacate(app, table, member).await;
        }
    }
    Err(contended())
}

/// Vacates the seats of a player, after the round if money is at stake.
async fn vacate(app: &App, table: &TableId, player: &PlayerId) -> Result<(), ApiProblem> {
    let (now, seq) = app.tables.table(table).await?;
    for seat in now.seats_of(player) {
        let id = derive_command_id("remove-member", &format!("{table}/{seat}/{player}/{seq}"));
        match app.tables.command(table, &house(), &id, &Command::Vacate { seat }).await {
            Ok(_) | Err(HostError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Problem of an invitation that is unknown, expired or withdrawn.
fn no_such_invitation() -> ApiProblem {
    let detail = "the invitation is unknown, has expired or was withdrawn: ask for another";
    ApiProblem::not_found("no_such_invitation", detail)
}

/// Returns a valid invitation by its secret.
async fn invitation_of(app: &App, secret: &str) -> Result<Versioned<Invitation>, ApiProblem> {
    let secret = parse_secret(secret).ok_or_else(no_such_invitation)?;
    let invitation: Option<Versioned<Invitation>> = load(app.store(), &invitation_id(&secret)).await?;
    invitation.filter(|invitation| app.now() < invitation.value.until).ok_or_else(no_such_invitation)
}

/// Table of an invitation.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct InvitedTable {
    table: TableId,
    /// Name that the player who opened the table gave it.
    #[schema(required)]
    name: Option<String>,
    /// Id of the rule book.
    book: String,
    /// Time from which the invitation is expired.
    until: Time,
}

/// Returns the table of an invitation.
#[utoipa::path(get, path = "/api/invitations/{secret}", tag = "tables", params(("secret" = String, Path)),
    responses((status = 200, body = InvitedTable), Problems))]
pub(in crate::http) async fn show(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
) -> Result<Json<InvitedTable>, ApiProblem> {
    let Invitation { table, until, .. } = invitation_of(&app, &secret).await?.value;
    let (now, _) = app.tables.table(&table).await?;
    if now.is_closed() {
        return Err(no_such_invitation());
    }
    let (name, book) = (now.config().name.clone(), now.config().book.clone());
    Ok(Json(InvitedTable { table, name, book, until }))
}

/// Request without fields.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Acceptance {}

/// Accepts an invitation: the player may sit at its table.
#[utoipa::path(post, path = "/api/invitations/{secret}", tag = "tables", params(("secret" = String, Path)),
    request_body = Acceptance, responses((status = 200, body = Opened), Problems))]
pub(in crate::http) async fn accept(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Path(secret): Path<String>,
    Body(Acceptance {}): Body<Acceptance>,
) -> Result<Json<Opened>, ApiProblem> {
    app.check_account_rate(&player.id)?;
    for _ in 0..ATTEMPTS_MAX {
        let mut invitation = invitation_of(&app, &secret).await?;
        let table = invitation.value.table.clone();
        let mut access = app.access(&table).await?.ok_or_else(no_such_invitation)?;
        if access.value.admits(&player.id) {
            return Ok(Json(Opened { table }));
        }
        if access.value.members.len() >= TableAccess::MEMBERS_MAX {
            let detail =
                format!("the table has {} invited players, which is the maximum", TableAccess::MEMBERS_MAX);
            return Err(ApiProblem::new(StatusCode::CONFLICT, "too_many_members", detail));
        }
        access.value.members.push(player.id.clone());
        invitation.value.accepted += 1;
        let documents = vec![access.write(), invitation.write()];
        if change(&app, &table, PeopleChange { documents, ..PeopleChange::default() }).await? {
            return Ok(Json(Opened { table }));
        }
    }
    Err(contended())
}
