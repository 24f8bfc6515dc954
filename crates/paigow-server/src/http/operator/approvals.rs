//! Approvals: chips above a limit and voids of settled rounds wait for a second operator.
//!
//! The act is executed with the command id of the request, so it is executed at most once. The state `approving` is
//! stored before the execution and `approved` after it. If the process stops in between, approving again completes it.

use super::perform::{Act, DONE, perform};
use crate::app::App;
use crate::host::VoidScope;
use crate::http::auth::OperatorSession;
use crate::http::input::{Body, Path};
use crate::http::{ApiProblem, Problems};
use crate::people::{
    APPROVAL_MS, Approval, ApprovalAct, Decision, Documents, Operator, People, PeopleChange, Permission,
    Versioned, load, load_newest,
};
use crate::{CommandResult, Store, StoreError};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use paigow_table::{Account, Actor, CommandId, Currency, Owner, PlayerId, Purpose, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of approvals in a list.
const LIST_MAX: u32 = 500;
/// Number of attempts if other requests change the same approval.
const ATTEMPTS_MAX: u32 = 4;

/// State of an approval.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum ApprovalState {
    /// A second operator has not decided.
    Waiting,
    /// A second operator approved, and the act is executed.
    Approved,
    /// A second operator declined.
    Declined,
    /// The request waited too long.
    Expired,
}

/// Act that waits for approval.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum ApprovedAct {
    /// Chips above the limit.
    Chips,
    /// Void of a settled round.
    Void,
}

/// A request that waits or waited for a second operator.
#[derive(Serialize, ToSchema)]
#[schema(as = Approval)]
pub(in crate::http) struct ApprovalEntry {
    /// Id of the approval.
    id: String,
    /// Kind of the act.
    what: ApprovedAct,
    /// Operator who requested it.
    by: PlayerId,
    /// Time of the request.
    at: Time,
    /// Time from which the request is expired.
    until: Time,
    /// The act: player, currency, amount and direction of chips, or table, round and reason of a void.
    #[schema(value_type = Object)]
    detail: Value,
    /// State of the request.
    state: ApprovalState,
    /// Operator who approved or declined.
    #[schema(required)]
    decided_by: Option<PlayerId>,
    /// Time of the decision.
    #[schema(required)]
    decided_at: Option<Time>,
    /// `done`, or the code of the problem of the last attempt to execute the act.
    #[schema(required)]
    outcome: Option<String>,
}

impl ApprovalEntry {
    fn of(approval: &Versioned<Approval>, now: Time) -> ApprovalEntry {
        let Approval { act, by, at, until, decision, decided_by, decided_at, outcome, .. } = &approval.value;
        let what = match act {
            ApprovalAct::Chips { .. } => ApprovedAct::Chips,
            ApprovalAct::Void { .. } => ApprovedAct::Void,
        };
        let state = match decision {
            _ if approval.value.is_expired(now) => ApprovalState::Expired,
            Decision::Waiting | Decision::Approving => ApprovalState::Waiting,
            Decision::Approved => ApprovalState::Approved,
            Decision::Declined => ApprovalState::Declined,
        };
        ApprovalEntry {
            id: approval.id.clone(),
            what,
            by: by.clone(),
            at: *at,
            until: *until,
            detail: detail(&approval.value),
            state,
            decided_by: decided_by.clone(),
            decided_at: *decided_at,
            outcome: outcome.clone(),
        }
    }
}

fn detail(approval: &Approval) -> Value {
    let id = &approval.command;
    match &approval.act {
        ApprovalAct::Chips { player, currency, cents, redeem } => {
            json!({ "id": id, "player": player, "currency": currency, "cents": cents, "redeem": redeem })
        }
        ApprovalAct::Void { table, round, reason } => {
            json!({ "id": id, "table": table, "round": round, "reason": reason })
        }
    }
}

/// Result of an act that may need an approval.
pub(in crate::http) enum Executed {
    Now(CommandResult),
    Waiting(Box<ApprovalEntry>),
}

impl Executed {
    /// Outcome in the operators' log.
    pub(super) fn outcome(&self) -> &'static str {
        match self {
            Executed::Now(_) => DONE,
            Executed::Waiting(_) => "waiting",
        }
    }
}

/// An act that waits for a second operator.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct WaitingAct {
    approval: ApprovalEntry,
}

impl IntoResponse for Executed {
    fn into_response(self) -> Response {
        match self {
            Executed::Now(result) => Json(result).into_response(),
            Executed::Waiting(approval) => {
                (StatusCode::ACCEPTED, Json(WaitingAct { approval: *approval })).into_response()
            }
        }
    }
}

/// Requests an approval. A retried request returns the existing one.
pub(super) async fn request(
    app: &App,
    by: PlayerId,
    command: CommandId,
    act: ApprovalAct,
) -> Result<Executed, ApiProblem> {
    let id = Approval::id(&by, &command);
    let reused = |command: &CommandId| {
        let detail = format!("command id {command} was already used for another command");
        ApiProblem::new(StatusCode::CONFLICT, "command_reused", detail)
    };
    for _ in 0..ATTEMPTS_MAX {
        let now = app.now();
        if let Some(known) = load::<Approval>(app.store(), &id).await? {
            return if known.value.act == act {
                Ok(Executed::Waiting(Box::new(ApprovalEntry::of(&known, now))))
            } else {
                Err(reused(&command))
            };
        }
        let approval = Approval {
            act: act.clone(),
            command: command.clone(),
            by: by.clone(),
            at: now,
            until: now.plus(APPROVAL_MS),
            decision: Decision::Waiting,
            decided_by: None,
            decided_at: None,
            outcome: None,
        };
        let new = Versioned::new(id.as_str(), approval);
        if write(app, &new).await? {
            return Ok(Executed::Waiting(Box::new(ApprovalEntry::of(&new, now))));
        }
    }
    Err(ApiProblem::unavailable("the approval is being changed by others; retry"))
}

async fn write(app: &App, approval: &Versioned<Approval>) -> Result<bool, StoreError> {
    let change = PeopleChange { documents: vec![approval.write()], ..PeopleChange::default() };
    app.store().change_people(change, app.now()).await
}

/// Approvals, the newest first.
#[derive(Serialize, ToSchema)]
pub(in crate::http) struct Approvals {
    approvals: Vec<ApprovalEntry>,
}

/// Lists the latest approvals, the newest first.
#[utoipa::path(get, path = "/api/operator/approvals", tag = "operator",
    responses((status = 200, body = Approvals), Problems))]
pub(in crate::http) async fn list(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
) -> Result<Json<Approvals>, ApiProblem> {
    let work = {
        let app = app.clone();
        async move {
            let latest = load_newest::<Approval>(app.store(), LIST_MAX).await?;
            let now = app.now();
            let approvals = latest.iter().map(|approval| ApprovalEntry::of(approval, now)).collect();
            Ok(Json(Approvals { approvals }))
        }
    };
    perform(&app, &operator, Act::poll("approvals"), work).await
}

/// Decision of the second operator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ApprovalDecision {
    /// Whether the act is executed.
    approve: bool,
}

/// Approves or declines a request of another operator. An approved act is executed at once, as an act of the operator
/// who requested it.
#[utoipa::path(post, path = "/api/operator/approvals/{id}", tag = "operator", params(("id" = String, Path)),
    request_body = ApprovalDecision, responses((status = 200, body = ApprovalEntry), Problems))]
pub(in crate::http) async fn decide(
    State(app): State<Arc<App>>,
    operator: OperatorSession,
    Path(id): Path<String>,
    Body(ApprovalDecision { approve }): Body<ApprovalDecision>,
) -> Result<Json<ApprovalEntry>, ApiProblem> {
    let approval = find(&app, &id).await?;
    let permission = match approval.value.act {
        ApprovalAct::Chips { .. } => Permission::Chips,
        ApprovalAct::Void { .. } => Permission::Tables,
    };
    let what = if approve { "approval.approve" } else { "approval.decline" };
    let logged = json!({ "approval": id, "by": approval.value.by, "act": detail(&approval.value) });
    let act = Act::change(permission, what, logged);
    let work = {
        let (app, name) = (app.clone(), operator.name.clone());
        async move {
            let decided =
                if approve { approved(&app, &name, &id).await? } else { declined(&app, &name, &id).await? };
            Ok(Json(ApprovalEntry::of(&decided, app.now())))
        }
    };
    perform(&app, &operator, act, work).await
}

async fn find(app: &App, id: &str) -> Result<Versioned<Approval>, ApiProblem> {
    let none = || ApiProblem::not_found("no_such_approval", format!("there is no approval {id}"));
    load::<Approval>(app.store(), id).await?.ok_or_else(none)
}

/// Returns an approval that an operator may decide.
async fn open_approval(app: &App, name: &PlayerId, id: &str) -> Result<Versioned<Approval>, ApiProblem> {
    let approval = find(app, id).await?;
    if approval.value.by == *name {
        let detail = "another operator must approve or decline this request";
        return Err(ApiProblem::new(StatusCode::FORBIDDEN, "own_request", detail));
    }
    let requester: Option<Versioned<Operator>> = load(app.store(), approval.value.by.as_str()).await?;
    if requester.is_none_or(|requester| requester.value.disabled) {
        return Err(not_waiting("the operator who requested it is disabled"));
    }
    let is_open = matches!(approval.value.decision, Decision::Waiting | Decision::Approving);
    if !is_open || approval.value.is_expired(app.now()) {
        return Err(not_waiting("the request is decided or expired"));
    }
    Ok(approval)
}

fn not_waiting(detail: &str) -> ApiProblem {
    ApiProblem::new(StatusCode::CONFLICT, "not_waiting", detail)
}

async fn declined(app: &App, name: &PlayerId, id: &str) -> Result<Versioned<Approval>, ApiProblem> {
    let mut approval = open_approval(app, name, id).await?;
    if approval.value.decision == Decision::Approving {
        return Err(not_waiting("the request is being approved: approve it again to complete it"));
    }
    approval.value.decision = Decision::Declined;
    approval.value.decided_by = Some(name.clone());
    approval.value.decided_at = Some(app.now());
    if !write(app, &approval).await? {
        return Err(not_waiting("another operator decided first"));
    }
    find(app, id).await
}

async fn approved(app: &App, name: &PlayerId, id: &str) -> Result<Versioned<Approval>, ApiProblem> {
    let mut approval = open_approval(app, name, id).await?;
    approval.value.decision = Decision::Approving;
    approval.value.decided_by = Some(name.clone());
    approval.value.decided_at = Some(app.now());
    // From here on a decline is refused, so an act that is executed is never shown as declined.
    if !write(app, &approval).await? {
        return Err(not_waiting("another operator decided first"));
    }
    let executed = execute(app, &approval.value).await;
    let mut approval = find(app, id).await?;
    let is_ours =
        approval.value.decision == Decision::Approving && approval.value.decided_by.as_ref() == Some(name);
    if !is_ours {
        // Another operator has approved meanwhile and records the result.
        executed?;
        return Ok(approval);
    }
    match &executed {
        Ok(_) => {
            approval.value.decision = Decision::Approved;
            approval.value.outcome = Some(DONE.to_owned());
        }
        // A failure of the store leaves open whether the act is executed. Approving again finds out.
        Err(problem) if problem.status >= 500 => approval.value.outcome = Some(problem.code.clone()),
        Err(problem) => {
            approval.value.decision = Decision::Waiting;
            approval.value.decided_by = None;
            approval.value.decided_at = None;
            approval.value.outcome = Some(problem.code.clone());
        }
    }
    // A concurrent approval of the same act has the same result, so a lost write changes nothing.
    write(app, &approval).await?;
    executed?;
    find(app, id).await
}

/// Executes the act with the command id of the request, as the operator who requested it.
async fn execute(app: &App, approval: &Approval) -> Result<CommandResult, ApiProblem> {
    let by = Actor::Operator(approval.by.clone());
    match &approval.act {
        ApprovalAct::Chips { player, currency, cents, redeem } => {
            // The person may have been deleted since the request. An executed command keeps its answer.
            let is_executed = app.store().stored_command(&by, &approval.command).await?.is_some();
            if !is_executed && app.store().person(player).await?.is_none() {
                let detail = format!("player {player} does not exist any more");
                return Err(ApiProblem::not_found("no_such_player", detail));
            }
            let (accounts, purpose) = chips_accounts(player, currency.clone(), *redeem);
            Ok(app.tables.transfer(&by, &approval.command, accounts, *cents, purpose).await?)
        }
        ApprovalAct::Void { table, round, reason } => {
            let scope = VoidScope::Settled { round: *round };
            app.void(table, &by, &approval.command, reason.clone(), scope).await
        }
    }
}

/// Returns the debited and the credited account of chips that are issued or redeemed.
pub(super) fn chips_accounts(
    player: &PlayerId,
    currency: Currency,
    redeem: bool,
) -> ((Account, Account), Purpose) {
    let account = Account { owner: Owner::Player(player.clone()), currency: currency.clone() };
    let issue = Account { owner: Owner::Issue, currency };
    if redeem { ((account, issue), Purpose::Redeem) } else { ((issue, account), Purpose::Issue) }
}
