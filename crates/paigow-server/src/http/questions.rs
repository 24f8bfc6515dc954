//! Endpoints of questions, which the command line answers too.
//!
//! The rule books are the built-in ones and those of the operator's folder, read at startup. A house way may also be
//! that of a table (`table:ID`). No question can name a file.

mod preparations;
mod queue;
pub(in crate::http) mod report;

pub(crate) use preparations::Preparations;
pub(in crate::http) use queue::Effort;
pub(crate) use queue::Queue;

use super::guard::Client;
use super::input::{Body, Path, Query};
use super::problem::{ApiFault, ApiProblem, Problems};
use crate::app::App;
use crate::http::tables::house_way::books_with_ways;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paigow_answers::best::{self, BestAnswer, BestQuestion};
use paigow_answers::books::{self, BooksAnswer};
use paigow_answers::cards::{self, CardList};
use paigow_answers::design::{
    BudgetAnswer, BudgetQuestion, BudgetRequest, DesignAnswer, DesignQuestion, DesignRequest,
};
use paigow_answers::exercises::{self, ExerciseQuestion, ExercisesAnswer};
use paigow_answers::house_ways::{self, HouseWayList, HouseWayText};
use paigow_answers::lab::{self, LabAnswer, LabQuestion};
use paigow_answers::odds::{self, OddsAnswer, OddsQuestion};
use paigow_answers::puzzle::{Day, Puzzle, PuzzleAnswer, SolutionAnswer, parse_day};
use paigow_answers::rules::{self, RulesAnswer, RulesQuestion};
use paigow_answers::set::{self, SetAnswer, SetQuestion};
use paigow_answers::settle::{self, SettleAnswer, SettleQuestion};
use paigow_answers::verify::{self, VerifyAnswer, VerifyQuestion};
use paigow_answers::{CancelFlag, Fault, Faults, Work};
use preparations::{TablePreparation, prepare};
use queue::Job;
use serde::Serialize;
use std::fmt::Debug;
use std::sync::Arc;
use utoipa::ToSchema;

/// Lists the rule books, the built-in ones first: their wagers with paytables, and the number of assumed values.
#[utoipa::path(get, path = "/api/books", tag = "questions", responses((status = 200, body = BooksAnswer), Problems))]
pub(super) async fn books(State(app): State<Arc<App>>, client: Client) -> Result<Answer, ApiProblem> {
    answer(app, client, "books", (), |(), app, _| books::answer_from(&app.books)).await
}

/// Returns the rules of a book in plain language, each with its citation.
#[utoipa::path(get, path = "/api/books/{book}", tag = "questions", params(("book" = String, Path)),
    responses((status = 200, body = RulesAnswer), Problems))]
pub(super) async fn rules(
    State(app): State<Arc<App>>,
    client: Client,
    Path(book): Path<String>,
) -> Result<Answer, ApiProblem> {
    let question = RulesQuestion { book, ..RulesQuestion::default() };
    answer(app, client, "rules", question, |question, app, _| rules::answer(question, &app.books)).await
}

/// Lists the built-in house ways and the books that use them.
#[utoipa::path(get, path = "/api/house-ways", tag = "questions",
    responses((status = 200, body = HouseWayList), Problems))]
pub(super) async fn house_ways(State(app): State<Arc<App>>, client: Client) -> Result<Answer, ApiProblem> {
    answer(app, client, "house-ways", (), |(), _, _| house_ways::list()).await
}

/// Returns the clauses of a house way in plain language, each with its citation.
#[utoipa::path(get, path = "/api/house-ways/{house_way}", tag = "questions", params(("house_way" = String, Path)),
    responses((status = 200, body = HouseWayText), Problems))]
pub(super) async fn house_way(
    State(app): State<Arc<App>>,
    client: Client,
    Path(name): Path<String>,
) -> Result<Answer, ApiProblem> {
    let books = books_with_ways(&app, [Some(&*name)]).await?;
    answer(app, client, "house-way", name, move |name, _, _| house_ways::answer(name, &books)).await
}

/// Lists the strategy cards with their lines, exact prices and the number of hands that each line decides. The text of a
/// card is that of the house way with its id.
#[utoipa::path(get, path = "/api/cards", tag = "questions", responses((status = 200, body = CardList), Problems))]
pub(super) async fn cards(State(app): State<Arc<App>>, client: Client) -> Result<Answer, ApiProblem> {
    answer(app, client, "cards", (), |(), _, _| cards::list()).await
}

/// Draws hands to set by a strategy card, by the line that decides them: equal questions have equal hands. Each hand has
/// the card's setting, every line applied to it, and the exact value of every setting.
#[utoipa::path(post, path = "/api/exercises", tag = "questions", request_body = ExerciseQuestion,
    responses((status = 200, body = ExercisesAnswer), Problems))]
pub(super) async fn exercises(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<ExerciseQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "exercises", question, |question, app, work| {
        exercises::answer(question, &app.books, work)
    })
    .await
}

/// Sets a hand by a house way and returns the clause that decided.
#[utoipa::path(post, path = "/api/set", tag = "questions", request_body = SetQuestion,
    responses((status = 200, body = SetAnswer), Problems))]
pub(super) async fn set(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<SetQuestion>,
) -> Result<Answer, ApiProblem> {
    let SetQuestion { house_way, changes, .. } = &question;
    let books = books_with_ways(&app, [house_way.as_deref(), changes.house_way()]).await?;
    answer(app, client, "set", question, move |question, _, _| set::answer(question, &books)).await
}

/// Evaluates every legal setting of a hand exactly, against every hand that the dealer may have.
#[utoipa::path(post, path = "/api/best", tag = "questions", request_body = BestQuestion,
    responses((status = 200, body = BestAnswer), Problems))]
pub(super) async fn best(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<BestQuestion>,
) -> Result<Answer, ApiProblem> {
    let BestQuestion { house_way, changes, .. } = &question;
    let books = books_with_ways(&app, [house_way.as_deref(), changes.house_way()]).await?;
    answer(app, client, "best", question, move |question, _, _| best::answer(question, &books)).await
}

/// Analyses a hand: its settings, the house ways, its classes, and what every paytable pays.
#[utoipa::path(post, path = "/api/lab", tag = "questions", request_body = LabQuestion,
    responses((status = 200, body = LabAnswer), Problems))]
pub(super) async fn lab(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<LabQuestion>,
) -> Result<Answer, ApiProblem> {
    let books = books_with_ways(&app, [question.changes.house_way()]).await?;
    answer(app, client, "lab", question, move |question, _, _| lab::answer(question, &books)).await
}

/// Computes the exact odds of the base game and the side wagers. With rows in the question, computes the odds of an
/// edited paytable.
#[utoipa::path(post, path = "/api/odds", tag = "questions", request_body = OddsQuestion,
    responses((status = 200, body = OddsAnswer), Problems))]
pub(super) async fn odds(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<OddsQuestion>,
) -> Result<Answer, ApiProblem> {
    let OddsQuestion { house_way, player_house_way, changes, .. } = &question;
    let names = [house_way.as_deref(), player_house_way.as_deref(), changes.house_way()];
    let books = books_with_ways(&app, names).await?;
    answer(app, client, "odds", question, move |question, _, work| odds::answer(question, &books, work)).await
}

/// Answer of the designer, or the progress of the table of worths that it needs.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum DesignReply {
    Answer(Box<DesignAnswer>),
    Preparing(TablePreparation),
}

/// Proves and prices a house way that is being written, and compares it with another version. If the server has no table
/// of worths for the book, the side and the opponent yet, it prepares one in the background and answers with its progress;
/// ask again until the answer is there. A server without tables of worths counts the edge instead.
#[utoipa::path(post, path = "/api/design", tag = "questions", request_body = DesignQuestion,
    responses((status = 200, body = DesignReply), Problems))]
pub(super) async fn design(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<DesignQuestion>,
) -> Result<Answer, ApiProblem> {
    let books = books_with_ways(&app, [question.against.as_deref(), question.changes.house_way()]).await?;
    answer(app, client, "design", question, move |question, app, work| {
        let request = DesignRequest::of(question, &books)?;
        if !app.worth_tables {
            return Ok(DesignReply::Answer(Box::new(request.counted_answer(work))));
        }
        Ok::<_, ApiProblem>(match work.kept_worth_table(&request.game.valuation()) {
            Some(table) => DesignReply::Answer(Box::new(request.answer(&table, work))),
            None => DesignReply::Preparing(prepare(app, client, request.game)?),
        })
    })
    .await
}

/// Clauses that can be removed within a budget, or the progress of the table of worths that they follow from.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BudgetReply {
    Answer(Box<BudgetAnswer>),
    Preparing(TablePreparation),
}

/// Finds clauses that a house way can do without, within a budget for the change of the edge. The choice is greedy and
/// each figure is exact; it is not proved that no other choice removes more clauses. The server prepares the table of
/// worths as for `/api/design`.
#[utoipa::path(post, path = "/api/design/budget", tag = "questions", request_body = BudgetQuestion,
    responses((status = 200, body = BudgetReply), Problems))]
pub(super) async fn design_budget(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<BudgetQuestion>,
) -> Result<Answer, ApiProblem> {
    let books = books_with_ways(&app, [question.against.as_deref(), question.changes.house_way()]).await?;
    answer(app, client, "design budget", question, move |question, app, work| {
        let request = BudgetRequest::of(question, &books)?;
        if !app.worth_tables {
            let message = "this server has no tables of worths, so clauses have no prices";
            return Err(Faults::from(Fault::new("no_worth_tables", "budget", message)).into());
        }
        Ok::<_, ApiProblem>(match work.kept_worth_table(&request.design.game.valuation()) {
            Some(table) => BudgetReply::Answer(Box::new(request.answer(&table, work))),
            None => BudgetReply::Preparing(prepare(app, client, request.design.game)?),
        })
    })
    .await
}

/// Settles a round line by line, each line with its reason and its rule.
#[utoipa::path(post, path = "/api/settle", tag = "questions", request_body = SettleQuestion,
    responses((status = 200, body = SettleAnswer), Problems))]
pub(super) async fn settle(
    State(app): State<Arc<App>>,
    client: Client,
    Body(question): Body<SettleQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "settle", question, |question, app, _| settle::answer(question, &app.books)).await
}

/// Compares every figure printed in the documents with the exact one. The first request takes as long as the counts
/// that it needs.
#[utoipa::path(get, path = "/api/verify", tag = "questions",
    params(("source" = Option<String>, Query, description = "Key of one document. Default: all documents")),
    responses((status = 200, body = VerifyAnswer), Problems))]
pub(super) async fn verify(
    State(app): State<Arc<App>>,
    client: Client,
    Query(question): Query<VerifyQuestion>,
) -> Result<Answer, ApiProblem> {
    answer(app, client, "verify", question, |question, _, work| verify::answer(question, work)).await
}

/// Returns the puzzle of a day: one hand, the same everywhere. The day changes at midnight UTC.
#[utoipa::path(get, path = "/api/puzzles/{day}", tag = "questions",
    params(("day" = String, Path, description = "A day such as `2026-11-17`, or `today`")),
    responses((status = 200, body = PuzzleAnswer), Problems))]
pub(super) async fn puzzle(
    State(app): State<Arc<App>>,
    client: Client,
    Path(day): Path<String>,
) -> Result<Answer, ApiProblem> {
    let today = Day::at_ms(app.now().0);
    answer(app, client, "puzzle", (day, today), |(day, today), _, _| {
        let puzzle = Puzzle::of(parse_day(day, *today)?, *today)?;
        Ok::<_, Faults>(puzzle.answer(*today))
    })
    .await
}

/// Returns the solution of a puzzle: the value of every setting, and the settings of common ways.
#[utoipa::path(get, path = "/api/puzzles/{day}/solution", tag = "questions",
    params(("day" = String, Path, description = "A day such as `2026-11-17`, or `today`")),
    responses((status = 200, body = SolutionAnswer), Problems))]
pub(super) async fn solution(
    State(app): State<Arc<App>>,
    client: Client,
    Path(day): Path<String>,
) -> Result<Answer, ApiProblem> {
    let today = Day::at_ms(app.now().0);
    answer(app, client, "solution", (day, today), |(day, today), _, _| {
        Ok::<_, Faults>(Puzzle::of(parse_day(day, *today)?, *today)?.solution())
    })
    .await
}

/// An answer as JSON, which several requests may share.
pub(super) struct Answer(Bytes);

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// Queues a question and waits for its answer.
///
/// Questions of the same kind with equal debug output share one answer, because the debug output has every field.
pub(super) async fn answer<Q, T, E>(
    app: Arc<App>,
    client: Client,
    kind: &'static str,
    question: Q,
    work: impl Fn(&Q, &Arc<App>, &Work) -> Result<T, E> + Send + Sync + 'static,
) -> Result<Answer, ApiProblem>
where
    Q: Debug + Send + Sync + 'static,
    T: Serialize,
    ApiProblem: From<E>,
{
    let text = format!("{kind} {question:?}");
    let job = {
        let app = app.clone();
        move |effort, cancel: &CancelFlag| {
            let limited = app.work.with_cancel(cancel.clone());
            let limited = if effort == Effort::Short { limited.cached_only() } else { limited };
            let answer = work(&question, &app, &limited)?;
            let json = serde_json::to_vec(&answer).map_err(|_| ApiProblem::internal_error())?;
            Ok(Bytes::from(json))
        }
    };
    compute(app, client, text, Arc::new(job)).await.map(Answer)
}

/// Queues a job and waits for its result. Jobs with the same text share one result.
pub(super) async fn compute(
    app: Arc<App>,
    Client(client): Client,
    text: String,
    job: Job,
) -> Result<Bytes, ApiProblem> {
    let outcome = app.questions.ask(client, text, job).await;
    if let Err(problem) = &outcome
        && matches!(problem.code.as_str(), "busy" | "too_many_questions")
    {
        app.metrics.limited("questions");
    }
    outcome
}

impl From<Faults> for ApiProblem {
    fn from(faults: Faults) -> ApiProblem {
        let detail = faults.to_string();
        let fault = |fault: Fault| ApiFault {
            code: fault.code.to_owned(),
            at: fault.at,
            message: fault.help.map_or(fault.message.clone(), |help| format!("{}; {help}", fault.message)),
        };
        let is_missing = |code: &str| matches!(code, "not_found" | "no_such_puzzle");
        let not_found = faults.faults.iter().all(|fault| is_missing(fault.code));
        let status = if not_found { StatusCode::NOT_FOUND } else { StatusCode::UNPROCESSABLE_ENTITY };
        let code = faults.faults.first().map_or("bad_question", |fault| fault.code);
        ApiProblem {
            faults: faults.faults.into_iter().map(fault).collect(),
            ..ApiProblem::new(status, code, detail)
        }
    }
}
