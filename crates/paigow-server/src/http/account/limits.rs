//! Endpoint of the limits that a player sets: loss within days, and minutes of play within a day.

use crate::app::{App, LimitUse};
use crate::http::auth::PlayerSession;
use crate::http::input::Body;
use crate::http::{ApiFault, ApiProblem, Problems};
use crate::people::{ChosenLimits, Documents, LossLimit, PeopleChange, PlayerLimits, Versioned, load};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{PlayerId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// Limits of a player, and what counts against them.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Limits {
    /// Maximum loss in each currency, or null.
    #[schema(required)]
    loss: Option<LossLimit>,
    /// Maximum number of minutes in rounds with money at stake within 24 hours, or null.
    #[schema(required)]
    minutes: Option<u32>,
    /// Looser limits that apply later, or null.
    #[schema(required)]
    pending: Option<LaterLimits>,
    used: UsedLimits,
}

/// Limits that apply from a later time.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct LaterLimits {
    #[schema(required)]
    loss: Option<LossLimit>,
    #[schema(required)]
    minutes: Option<u32>,
    /// Time from which they apply.
    from: Time,
}

/// Losses and minutes that count against the limits.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct UsedLimits {
    /// Loss by currency, within the days of the loss limit or one day. Money at stake counts as lost until it returns.
    loss_cents: BTreeMap<String, u64>,
    /// Minutes within the last 24 hours.
    minutes: u64,
}

impl Limits {
    pub(super) async fn of(app: &App, player: &PlayerId) -> Result<Limits, ApiProblem> {
        let (ChosenLimits { loss, minutes }, pending) = app.limits_of(player).await?.at(app.now());
        let LimitUse { loss_cents, minutes: used } =
            app.limit_use(player, &ChosenLimits { loss, minutes }).await?;
        let loss_cents =
            loss_cents.into_iter().map(|(currency, cents)| (currency.to_string(), cents)).collect();
        let pending = pending.map(|pending| {
            let ChosenLimits { loss, minutes } = pending.limits;
            LaterLimits { loss, minutes, from: pending.from }
        });
        Ok(Limits { loss, minutes, pending, used: UsedLimits { loss_cents, minutes: used } })
    }
}

/// Limits that a player chooses. Both must be present; null means no limit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct LimitsRequest {
    /// Maximum loss in each currency, or null.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    loss: Option<LossLimit>,
    /// Maximum number of minutes in rounds with money at stake within 24 hours, or null.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, minimum = 1, maximum = 1440)]
    minutes: Option<u32>,
}

/// Sets the limits of the player. A tighter limit applies at once, a looser one after 24 hours.
#[utoipa::path(patch, path = "/api/account/limits", tag = "account", request_body = LimitsRequest,
    responses((status = 200, body = Limits), Problems))]
pub(in crate::http) async fn set(
    State(app): State<Arc<App>>,
    player: PlayerSession,
    Body(LimitsRequest { loss, minutes }): Body<LimitsRequest>,
) -> Result<Json<Limits>, ApiProblem> {
    let chosen = ChosenLimits { loss, minutes };
    check(&chosen)?;
    for _ in 0..super::ATTEMPTS_MAX {
        let id = player.id.as_str();
        let stored: Option<Versioned<PlayerLimits>> = load(app.store(), id).await?;
        let mut limits = stored.unwrap_or_else(|| Versioned::new(id, PlayerLimits::default()));
        limits.value = limits.value.choose(chosen, app.now());
        let change = PeopleChange { documents: vec![limits.write()], ..PeopleChange::default() };
        if app.store().change_people(change, app.now()).await? {
            return Limits::of(&app, &player.id).await.map(Json);
        }
    }
    Err(ApiProblem::unavailable("the limits are changed by other requests; retry"))
}

fn check(chosen: &ChosenLimits) -> Result<(), ApiProblem> {
    let faults: Vec<ApiFault> = chosen
        .faults()
        .into_iter()
        .map(|fault| ApiFault {
            code: fault.code().to_owned(),
            at: Some(fault.field().to_owned()),
            message: fault.to_string(),
        })
        .collect();
    let Some(first) = faults.first() else { return Ok(()) };
    let detail = first.message.clone();
    Err(ApiProblem { faults, ..ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_limits", detail) })
}
