//! Endpoint that deletes a person. The journal keeps the player id, which is then a pseudonym.

use super::{account_of, check_recent};
use crate::app::{App, derive_command_id, house, practice};
use crate::http::auth::{Cookie, PlayerSession};
use crate::http::input::Body;
use crate::http::session::person_of;
use crate::http::{ApiProblem, Problems, run_to_completion};
use crate::people::account::deletions;
use crate::people::{
    Documents, EndSessions, People, PeopleChange, PlayerLimits, SessionOwner, Versioned, load,
};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use paigow_table::{Account, Owner, PlayerId, Purpose};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Confirmation of a deletion.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Deletion {
    /// The player's own name.
    #[schema(min_length = 1, max_length = 24)]
    name: String,
}

/// Deletes the player: name, credentials, limits and sessions. Practice chips are redeemed.
///
/// The journal and the rounds keep the player id, so that the books stay in order.
#[utoipa::path(post, path = "/api/account/deletion", tag = "account", request_body = Deletion,
    responses((status = 204), Problems))]
pub(in crate::http) async fn delete(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(Deletion { name }): Body<Deletion>,
) -> Result<impl IntoResponse, ApiProblem> {
    if account_of(&app, &player.id).await?.is_some() {
        check_recent(&app, &player)?;
    }
    if person_of(&app, &player.id).await?.name.as_str() != name.trim() {
        let detail = "the name is not yours: write your own name to confirm the deletion";
        return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong_name", detail));
    }
    let forget = Cookie::Player.forget(&app);
    run_to_completion(async move { remove(&app, &player.id).await }).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, forget)]))
}

async fn remove(app: &App, player: &PlayerId) -> Result<(), ApiProblem> {
    check_not_seated(app, player).await?;
    redeem_practice_chips(app, player).await?;
    let owner = SessionOwner::Player(player.clone());
    for _ in 0..super::ATTEMPTS_MAX {
        let mut documents = deletions(app.store(), player).await?;
        let limits: Option<Versioned<PlayerLimits>> = load(app.store(), player.as_str()).await?;
        documents.extend(limits.map(|limits| limits.deletion()));
        let sessions = app.store().sessions_of(&owner, app.session_now()).await?;
        let change = PeopleChange {
            documents,
            remove: Some(player.clone()),
            end_sessions: Some(EndSessions { of: owner.clone(), except: None }),
            ..PeopleChange::default()
        };
        if app.store().change_people(change, app.now()).await? {
            for session in &sessions {
                app.sockets.end(&session.digest);
            }
            return Ok(());
        }
        person_of(app, player).await?;
    }
    Err(ApiProblem::unavailable("the account is changed by other requests; retry"))
}

async fn check_not_seated(app: &App, player: &PlayerId) -> Result<(), ApiProblem> {
    let seats = app.tables.map_open(|table, _| table.seats_of(player).count()).await;
    if seats.into_iter().sum::<usize>() == 0 {
        return Ok(());
    }
    let detail = "you have a seat at a table: stand up first, and wait for the end of the round";
    Err(ApiProblem::new(StatusCode::CONFLICT, "seated", detail))
}

/// Returns the practice chips to the issuer. Refuses if the player has chips of another currency.
async fn redeem_practice_chips(app: &App, player: &PlayerId) -> Result<(), ApiProblem> {
    let owner = Owner::Player(player.clone());
    let mut balances = app.store().balances_of(&owner).await?;
    let practice = practice();
    let cents = balances.remove(&practice).and_then(|cents| u64::try_from(cents).ok()).unwrap_or(0);
    let left: Vec<String> =
        balances.iter().filter(|(_, cents)| **cents != 0).map(|(currency, _)| currency.to_string()).collect();
    if !left.is_empty() {
        let detail = format!("you have chips of {}: redeem them first", left.join(", "));
        return Err(ApiProblem::new(StatusCode::CONFLICT, "chips_left", detail));
    }
    if cents > 0 {
        let account = Account { owner, currency: practice.clone() };
        let issue = Account { owner: Owner::Issue, currency: practice };
        // A second try may have other chips to redeem, so its command has another id.
        let id = derive_command_id("delete-person", &format!("{player}/{}", app.now().0));
        app.tables.transfer(&house(), &id, (account, issue), cents, Purpose::Redeem).await?;
    }
    Ok(())
}
