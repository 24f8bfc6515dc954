//! Queue of questions: fair between clients and bounded for each client.
//!
//! Clients take turns, one question per turn. Requests with the same question share one computation, which is cancelled
//! when no client waits for it any more. A question starts as a short one. If it needs a count of the base game or a
//! new table of worths, it waits for the single slot for long questions. A count takes seconds of processor time and a
//! table about a minute, so only one runs at a time, on all cores but one.

use crate::http::ApiProblem;
use axum::body::Bytes;
use axum::http::StatusCode;
use paigow_answers::CancelFlag;
use paigow_math::Cancelled;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use tokio::sync::watch;

/// Maximum number of short questions that run at once.
const SHORT_MAX: usize = 2;
/// Maximum number of short questions of one client that run at once.
const SHORT_PER_CLIENT_MAX: usize = 1;
/// `Retry-After` of a refused question.
const RETRY_SECONDS: u64 = 5;

/// The answer to a question, as JSON.
pub(in crate::http) type QuestionOutcome = Result<Bytes, ApiProblem>;

/// Computes the answer to a question within an effort, until it is cancelled.
pub(in crate::http) type Job = Arc<dyn Fn(Effort, &CancelFlag) -> QuestionOutcome + Send + Sync>;

/// Effort allowed for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::http) enum Effort {
    /// No counts of the base game, and no new tables of worths.
    Short,
    /// Everything that the answer needs.
    Long,
}

/// Queue of questions. Clones share the same queue.
#[derive(Clone)]
pub(crate) struct Queue {
    state: Arc<Mutex<State>>,
    limits: QueueLimits,
    /// Threads for long questions, or `None` if the pool could not be built and long questions use all cores.
    cores: Option<Arc<rayon::ThreadPool>>,
}

#[derive(Clone, Copy)]
struct QueueLimits {
    total: usize,
    per_client: usize,
}

/// Kind of a request. The kinds are counted separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RequestKind {
    /// A client waits for the answer.
    Client,
    /// The server asks on its own, in the turn of the client that caused it.
    Background,
}

/// Number of requests that wait for an answer.
#[derive(Default)]
struct RequestCounts {
    client: usize,
    background: usize,
}

impl RequestCounts {
    fn of(&mut self, kind: RequestKind) -> &mut usize {
        match kind {
            RequestKind::Client => &mut self.client,
            RequestKind::Background => &mut self.background,
        }
    }

    fn is_empty(&self) -> bool {
        self.client == 0 && self.background == 0
    }
}

#[derive(Default)]
struct State {
    /// Clients with a waiting question, the next first.
    turns: VecDeque<IpAddr>,
    clients: HashMap<IpAddr, ClientQuestions>,
    questions: HashMap<u64, Question>,
    /// Questions that further requests may join, by their text.
    by_text: HashMap<String, u64>,
    requests: RequestCounts,
    /// Number of short questions that run.
    short: usize,
    /// Number of long questions that run.
    long: usize,
    next_id: u64,
}

#[derive(Default)]
struct ClientQuestions {
    requests: RequestCounts,
    /// Number of short questions that run.
    short: usize,
    waiting: VecDeque<u64>,
}

struct Question {
    text: String,
    job: Job,
    cancel: CancelFlag,
    effort: Effort,
    /// Client whose turn started the question; `None` if it does not run.
    running: Option<IpAddr>,
    /// Client of each request that waits for the answer.
    waiters: Vec<IpAddr>,
    answer: watch::Sender<Option<QuestionOutcome>>,
}

/// A request that waits for an answer. Dropping the last one of a question cancels it.
struct Waiter {
    queue: Queue,
    client: IpAddr,
    question: u64,
    kind: RequestKind,
}

impl Queue {
    pub(crate) fn new(total: u32, per_client: u32) -> Queue {
        let cores = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1);
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(cores).thread_name(|n| format!("questions-{n}"));
        Queue {
            state: Arc::default(),
            limits: QueueLimits { total: total as usize, per_client: per_client as usize },
            cores: pool.build().ok().map(Arc::new),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the answer to a question. Questions with the same text share one answer.
    pub(super) async fn ask(&self, client: IpAddr, text: String, job: Job) -> QuestionOutcome {
        self.wait_for_answer(RequestKind::Client, client, text, job).await
    }

    /// Waits for the answer to a question of the server itself, in the turn of a client. It does not count as a question
    /// of the client. The queue takes as many of them as questions of clients.
    pub(super) async fn ask_in_background(&self, client: IpAddr, text: String, job: Job) -> QuestionOutcome {
        self.wait_for_answer(RequestKind::Background, client, text, job).await
    }

    async fn wait_for_answer(
        &self,
        kind: RequestKind,
        client: IpAddr,
        text: String,
        job: Job,
    ) -> QuestionOutcome {
        let (waiter, mut answer) = self.enter(kind, client, text, job)?;
        self.start();
        let outcome = answer.wait_for(Option::is_some).await.map(|answer| (*answer).clone());
        drop(waiter);
        outcome.ok().flatten().unwrap_or_else(|| Err(ApiProblem::internal_error()))
    }

    fn enter(
        &self,
        kind: RequestKind,
        client: IpAddr,
        text: String,
        job: Job,
    ) -> Result<(Waiter, watch::Receiver<Option<QuestionOutcome>>), ApiProblem> {
        let mut guard = self.state();
        let state = &mut *guard;
        if *state.requests.of(kind) >= self.limits.total {
            return Err(ApiProblem {
                code: "busy".to_owned(),
                retry_seconds: Some(RETRY_SECONDS),
                ..ApiProblem::unavailable("too many questions are queued")
            });
        }
        let asked = state.clients.get(&client).map_or(0, |client| client.requests.client);
        if kind == RequestKind::Client && asked >= self.limits.per_client {
            let detail = "too many questions from this address are queued";
            return Err(ApiProblem::too_many("too_many_questions", detail, RETRY_SECONDS));
        }
        *state.requests.of(kind) += 1;
        let id = *state.by_text.entry(text.clone()).or_insert_with(|| {
            state.next_id += 1;
            let answer = watch::Sender::new(None);
            let (cancel, effort) = (CancelFlag::default(), Effort::Short);
            let question = Question { text, job, cancel, effort, running: None, waiters: Vec::new(), answer };
            state.questions.insert(state.next_id, question);
            state.next_id
        });
        let asking = state.clients.entry(client).or_default();
        *asking.requests.of(kind) += 1;
        let waiter = Waiter { queue: self.clone(), client, question: id, kind };
        let Some(question) = state.questions.get_mut(&id) else { return Err(ApiProblem::internal_error()) };
        question.waiters.push(client);
        if question.running.is_none() {
            asking.waiting.push_back(id);
            state.wait(client);
        }
        Ok((waiter, subscribe(state, id)))
    }

    /// Starts questions until no further one may run.
    fn start(&self) {
        loop {
            let Some((id, job, cancel, effort)) = self.state().next_turn() else { return };
            let queue = self.clone();
            tokio::task::spawn_blocking(move || {
                let work = || Cancelled::catch_unwind(|| job(effort, &cancel));
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match &queue.cores {
                    Some(cores) if effort == Effort::Long => cores.install(work),
                    _ => work(),
                }));
                match outcome {
                    Ok(Ok(outcome)) => queue.finish(id, outcome),
                    // The question needs a long effort. The other reason to be cancelled is that no client waits for
                    // it.
                    Ok(Err(Cancelled)) if effort == Effort::Short && !cancel.is_cancelled() => {
                        queue.requeue_as_long(id);
                    }
                    Ok(Err(Cancelled)) => queue.finish(id, Err(withdrawn())),
                    Err(_) => queue.finish(id, Err(ApiProblem::internal_error())),
                }
                queue.start();
            });
        }
    }

    /// Sends the answer of a question to all requests that wait for it.
    fn finish(&self, id: u64, outcome: QuestionOutcome) {
        let mut state = self.state();
        state.stop_running(id);
        if let Some(question) = state.questions.remove(&id) {
            state.forget_text(&question.text, id);
            question.answer.send_replace(Some(outcome));
        }
    }

    /// Queues a question again as a long one.
    fn requeue_as_long(&self, id: u64) {
        let mut guard = self.state();
        let state = &mut *guard;
        state.stop_running(id);
        let Some(question) = state.questions.get_mut(&id) else { return };
        if question.waiters.is_empty() {
            // The last client left while the question stopped, so no turn would ever remove it.
            if let Some(question) = state.questions.remove(&id) {
                state.forget_text(&question.text, id);
            }
            return;
        }
        question.effort = Effort::Long;
        // Queued for every waiting client, because the one that started it may have left.
        for client in question.waiters.clone() {
            if let Some(asking) = state.clients.get_mut(&client) {
                asking.waiting.push_front(id);
            }
            state.wait(client);
        }
    }

    /// Takes a slot for a short question without waiting. Returns `None` if none is free.
    pub(crate) fn try_short(&self) -> Option<ShortSlot> {
        let mut state = self.state();
        (state.short < SHORT_MAX).then(|| {
            state.short += 1;
            ShortSlot(self.clone())
        })
    }
}

/// A slot for a short question. Dropping it frees the slot.
pub(crate) struct ShortSlot(Queue);

impl Drop for ShortSlot {
    fn drop(&mut self) {
        self.0.state().short -= 1;
        self.0.start();
    }
}

/// Outcome of a question that no client waits for. It is never sent.
fn withdrawn() -> ApiProblem {
    ApiProblem::new(StatusCode::SERVICE_UNAVAILABLE, "cancelled", "the question was withdrawn")
}

fn subscribe(state: &State, id: u64) -> watch::Receiver<Option<QuestionOutcome>> {
    // Without a question the channel is closed and has no answer.
    state.questions.get(&id).map_or_else(|| watch::channel(None).1, |question| question.answer.subscribe())
}

impl State {
    /// Queues a turn for a client, unless it already waits for one.
    fn wait(&mut self, client: IpAddr) {
        if !self.turns.contains(&client) {
            self.turns.push_back(client);
        }
    }

    /// Starts the next question that may run, in the order of the clients' turns.
    fn next_turn(&mut self) -> Option<(u64, Job, CancelFlag, Effort)> {
        for _ in 0..self.turns.len() {
            let client = self.turns.pop_front()?;
            let Some(own) = self.clients.get_mut(&client) else { continue };
            let questions = &mut self.questions;
            // Questions that run for another client, or are answered, no longer wait.
            own.waiting.retain(|id| questions.get(id).is_some_and(|question| question.running.is_none()));
            let may_start = |id: &u64| match questions[id].effort {
                Effort::Short => self.short < SHORT_MAX && own.short < SHORT_PER_CLIENT_MAX,
                Effort::Long => self.long == 0,
            };
            let index = own.waiting.iter().position(may_start);
            let started = index.and_then(|index| own.waiting.remove(index));
            if !own.waiting.is_empty() {
                self.turns.push_back(client);
            }
            let Some(id) = started else { continue };
            let Some(question) = questions.get_mut(&id) else { continue };
            question.running = Some(client);
            match question.effort {
                Effort::Short => {
                    self.short += 1;
                    own.short += 1;
                }
                Effort::Long => self.long += 1,
            }
            return Some((id, question.job.clone(), question.cancel.clone(), question.effort));
        }
        None
    }

    /// Frees the slot of a question that ran.
    fn stop_running(&mut self, id: u64) {
        let Some(question) = self.questions.get_mut(&id) else { return };
        let Some(client) = question.running.take() else { return };
        match question.effort {
            Effort::Short => {
                self.short -= 1;
                if let Some(own) = self.clients.get_mut(&client) {
                    own.short -= 1;
                }
            }
            Effort::Long => self.long -= 1,
        }
        self.forget_client(client);
    }

    fn forget_text(&mut self, text: &str, id: u64) {
        if self.by_text.get(text) == Some(&id) {
            self.by_text.remove(text);
        }
    }

    /// Removes a client without waiting requests and running questions.
    fn forget_client(&mut self, client: IpAddr) {
        if self.clients.get(&client).is_some_and(|own| own.requests.is_empty() && own.short == 0) {
            self.clients.remove(&client);
            self.turns.retain(|other| *other != client);
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut guard = self.queue.state();
        let state = &mut *guard;
        *state.requests.of(self.kind) -= 1;
        if let Some(own) = state.clients.get_mut(&self.client) {
            *own.requests.of(self.kind) -= 1;
            if let Some(index) = own.waiting.iter().position(|id| *id == self.question) {
                own.waiting.remove(index);
            }
        }
        if let Some(question) = state.questions.get_mut(&self.question) {
            if let Some(index) = question.waiters.iter().position(|client| *client == self.client) {
                question.waiters.swap_remove(index);
            }
            if question.waiters.is_empty() {
                question.cancel.cancel();
                let (text, is_running) = (question.text.clone(), question.running.is_some());
                // A later request must not join the cancelled question.
                state.forget_text(&text, self.question);
                if !is_running {
                    state.questions.remove(&self.question);
                }
            }
        }
        state.forget_client(self.client);
    }
}

#[cfg(test)]
mod tests;
