//! Endpoints of a player's session: begin, end, name, chips, rounds and journal.

pub(super) mod begin;
pub(super) mod chips;
pub(super) mod end;
pub(super) mod journal;
pub(super) mod rename;
pub(super) mod rounds;
pub(super) mod show;

use super::ApiProblem;
use crate::Store;
use crate::app::{App, house, practice};
use crate::people::{People, Person, PersonKind};
use paigow_table::{Account, CommandId, Owner, PlayerId};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The player of a session.
#[derive(Serialize, ToSchema)]
pub(super) struct Me {
    /// Player id.
    player: PlayerId,
    /// Name that other players see.
    name: String,
    /// Whether the player is a guest, who plays for practice chips only.
    practice: bool,
    /// Balance by currency, in cents.
    cents: BTreeMap<String, i64>,
}

impl Me {
    async fn of(app: &App, id: &PlayerId) -> Result<Me, ApiProblem> {
        let person = app.store().person(id).await?;
        let person =
            person.ok_or_else(|| ApiProblem::unauthorized("the player of this session no longer exists"))?;
        let purse = purse(id);
        let balances = app.store().balances(std::slice::from_ref(&purse)).await?;
        let cents = balances.get(&purse).copied().unwrap_or(0);
        Ok(Me {
            player: person.id,
            name: person.name.into(),
            practice: person.kind == PersonKind::Guest,
            cents: BTreeMap::from([(purse.currency.to_string(), cents)]),
        })
    }
}

/// Account of a player's practice chips.
pub(super) fn purse(player: &PlayerId) -> Account {
    Account { owner: Owner::Player(player.clone()), currency: practice() }
}

/// Issues practice chips to a player, once per command id.
async fn give_chips(app: &App, player: &PlayerId, id: &CommandId) -> Result<(), ApiProblem> {
    let cents = app.settings.guest_chips_cents;
    if cents == 0 {
        return Ok(());
    }
    app.tables.issue(&house(), id, purse(player), cents).await?;
    Ok(())
}

/// Returns a new guest.
fn guest(app: &App, id: PlayerId, name: crate::people::PersonName) -> Person {
    Person { id, name, kind: PersonKind::Guest, since: app.now() }
}
