//! Endpoints of operators for tables of the house with seats for invited players: invitations, and the players who
//! accepted them.

use super::perform::{Act, perform};
use crate::app::App;
use crate::http::auth::OperatorSession;
use crate::http::input::{Body, Path};
use crate::http::tables::invitations::{
    InvitationRequest, Invitations, Inviter, NewInvitation, invitations_to, make_invitation, remove_from,
    withdraw_invitation,
};
use crate::http::{ApiProblem, Problems};
use crate::people::Permission;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use paigow_table::{PlayerId, TableId};
use serde_json::json;
use std::sync::Arc;

/// Makes an invitation to a table of the house whose seats are for invited players.
#[utoipa::path(post, path = "/api/operator/tables/{table}/invitations", tag = "operator", params(("table" = String, Path)),
    request_body = InvitationRequest, responses((status = 201, body = NewInvitation), Problems))]
pub(in crate::http) async fn invite(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(table): Path<TableId>,
    Body(InvitationRequest { hours }): Body<InvitationRequest>,
) -> Result<(StatusCode, Json<NewInvitation>), ApiProblem> {
    let detail = json!({ "table": table, "hours": hours });
    let act = Act::change(Permission::Tables, "invitation.make", detail);
    let work = {
        let app = app.clone();
        async move {
            let invitation = make_invitation(&app, &table, Inviter::Operator, hours).await?;
            Ok((StatusCode::CREATED, Json(invitation)))
        }
    };
    perform(&app, &operator, act, work).await
}

/// Lists the valid invitations to a table of the house and the players who have accepted one.
#[utoipa::path(get, path = "/api/operator/tables/{table}/invitations", tag = "operator", params(("table" = String, Path)),
    responses((status = 200, body = Invitations), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(table): Path<TableId>,
) -> Result<Json<Invitations>, ApiProblem> {
    let act = Act::read("invitations", json!({ "table": table }));
    let work = {
        let app = app.clone();
        async move { invitations_to(&app, &table, Inviter::Operator).await.map(Json) }
    };
    perform(&app, &operator, act, work).await
}

/// Withdraws an invitation to a table of the house. Players who have accepted it keep their access.
#[utoipa::path(delete, path = "/api/operator/tables/{table}/invitations/{id}", tag = "operator",
    params(("table" = String, Path), ("id" = String, Path)), responses((status = 204), Problems))]
pub(in crate::http) async fn withdraw(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path((table, id)): Path<(TableId, String)>,
) -> Result<StatusCode, ApiProblem> {
    let act = Act::change(Permission::Tables, "invitation.withdraw", json!({ "table": table, "id": id }));
    let work = {
        let app = app.clone();
        async move {
            withdraw_invitation(&app, &table, Inviter::Operator, &id).await?;
            Ok(StatusCode::NO_CONTENT)
        }
    };
    perform(&app, &operator, act, work).await
}

/// Removes a player from those who may sit at a table of the house. The player's seats are vacated after the round.
#[utoipa::path(delete, path = "/api/operator/tables/{table}/members/{player}", tag = "operator",
    params(("table" = String, Path), ("player" = String, Path)), responses((status = 204), Problems))]
pub(in crate::http) async fn remove_member(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path((table, member)): Path<(TableId, PlayerId)>,
) -> Result<StatusCode, ApiProblem> {
    let act = Act::change(Permission::Tables, "member.remove", json!({ "table": table, "player": member }));
    let work = {
        let app = app.clone();
        async move {
            remove_from(&app, &table, Inviter::Operator, &member).await?;
            Ok(StatusCode::NO_CONTENT)
        }
    };
    perform(&app, &operator, act, work).await
}
