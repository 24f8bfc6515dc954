//! A player's session: beginning and ending it, and what is theirs.

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

/// Who somebody is, as they see it themselves.
#[derive(Serialize, ToSchema)]
pub(super) struct Me {
    /// What tables call them.
    player: PlayerId,
    /// What others see.
    name: String,
    /// Always true: only practice chips are played for by guests.
    practice: bool,
    /// What they have, by currency, in cents.
    cents: BTreeMap<String, i64>,
}

impl Me {
    async fn of(app: &App, id: &PlayerId) -> Result<Me, ApiProblem> {
        let person = app.store().person(id).await?;
        let person = person.ok_or_else(|| ApiProblem::unauthorized("this session is nobody's"))?;
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

/// The account of a player's practice chips.
pub(super) fn purse(player: &PlayerId) -> Account {
    Account { owner: Owner::Player(player.clone()), currency: practice() }
}

/// Gives a player practice chips, once for each name of the giving.
async fn give_chips(app: &App, player: &PlayerId, id: &CommandId) -> Result<(), ApiProblem> {
    let cents = app.settings.guest_chips_cents;
    if cents == 0 {
        return Ok(());
    }
    app.tables.issue(&house(), id, purse(player), cents).await?;
    Ok(())
}

/// A new guest.
fn guest(app: &App, id: PlayerId, name: crate::people::PersonName) -> Person {
    Person { id, name, kind: PersonKind::Guest, since: app.now() }
}
