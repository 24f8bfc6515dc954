//! The queue of questions: fair between clients, bounded for each, shared between those that ask the same, and stopped when no client
//! waits for the answer.
//!
//! Clients take turns, one question each time. A question begins as a short one. If it turns out to need a count of the base game, it
//! waits for the one slot for long questions: a count takes half a minute of processor time and over a gigabyte of memory, so one is
//! done at a time, on all cores but one.

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

/// Short questions that are worked on at once, and those of them that are one client's.
const SHORT_AT_ONCE: usize = 2;
const SHORT_OF_CLIENT: usize = 1;
/// When a client that was refused may ask again.
const RETRY_SECONDS: u64 = 5;

/// The answer to a question, as JSON.
pub(super) type QuestionOutcome = Result<Bytes, ApiProblem>;

/// How a question is worked out: with or without counting, until it is cancelled.
pub(super) type Job = Arc<dyn Fn(Effort, &CancelFlag) -> QuestionOutcome + Send + Sync>;

/// How much may be done for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Nothing is counted.
    Short,
    /// Everything that is needed.
    Long,
}

/// The queue. Clones are the same queue.
#[derive(Clone)]
pub(crate) struct Queue {
    state: Arc<Mutex<State>>,
    most: QueueLimits,
    /// The cores for long questions; `None` where they cannot be had, and all cores are used.
    cores: Option<Arc<rayon::ThreadPool>>,
}

#[derive(Clone, Copy)]
struct QueueLimits {
    in_all: usize,
    of_client: usize,
}

#[derive(Default)]
struct State {
    /// Clients with a question that waits, the next first.
    turns: VecDeque<IpAddr>,
    clients: HashMap<IpAddr, ClientQuestions>,
    questions: HashMap<u64, Question>,
    /// Questions that another asker may join, by their text.
    by_text: HashMap<String, u64>,
    asks: usize,
    short: usize,
    long: usize,
    next: u64,
}

#[derive(Default)]
struct ClientQuestions {
    /// Its requests that wait for an answer.
    asks: usize,
    /// Its short questions that are worked on.
    short: usize,
    waiting: VecDeque<u64>,
}

struct Question {
    text: String,
    job: Job,
    cancel: CancelFlag,
    effort: Effort,
    /// For whom it is worked on, if it is.
    running: Option<IpAddr>,
    /// The client of each request that waits for the answer.
    askers: Vec<IpAddr>,
    answer: watch::Sender<Option<QuestionOutcome>>,
}

/// A request that waits for an answer. The last one to leave cancels the work.
struct Waiter {
    queue: Queue,
    client: IpAddr,
    question: u64,
}

impl Queue {
    pub(crate) fn new(in_all: u32, of_client: u32) -> Queue {
        let cores = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).max(1);
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(cores).thread_name(|n| format!("questions-{n}"));
        Queue {
            state: Arc::default(),
            most: QueueLimits { in_all: in_all as usize, of_client: of_client as usize },
            cores: pool.build().ok().map(Arc::new),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the answer to a question. Questions of the same text are the same question.
    pub(super) async fn ask(&self, client: IpAddr, text: String, job: Job) -> QuestionOutcome {
        let (ask, mut answer) = self.enter(client, text, job)?;
        self.start();
        let answered = answer.wait_for(Option::is_some).await.map(|answer| (*answer).clone());
        drop(ask);
        answered.ok().flatten().unwrap_or_else(|| Err(ApiProblem::our_mistake()))
    }

    fn enter(
        &self,
        client: IpAddr,
        text: String,
        job: Job,
    ) -> Result<(Waiter, watch::Receiver<Option<QuestionOutcome>>), ApiProblem> {
        let mut guard = self.state();
        let state = &mut *guard;
        if state.asks >= self.most.in_all {
            return Err(ApiProblem {
                code: "busy".to_owned(),
                retry_seconds: Some(RETRY_SECONDS),
                ..ApiProblem::unavailable("too many questions are waiting already")
            });
        }
        if state.clients.get(&client).is_some_and(|client| client.asks >= self.most.of_client) {
            let detail = "this address has as many questions open as one may have";
            return Err(ApiProblem::too_many("too_many_questions", detail, RETRY_SECONDS));
        }
        state.asks += 1;
        let id = *state.by_text.entry(text.clone()).or_insert_with(|| {
            state.next += 1;
            let answer = watch::Sender::new(None);
            let (cancel, effort) = (CancelFlag::default(), Effort::Short);
            let question = Question { text, job, cancel, effort, running: None, askers: Vec::new(), answer };
            state.questions.insert(state.next, question);
            state.next
        });
        let asking = state.clients.entry(client).or_default();
        asking.asks += 1;
        let ask = Waiter { queue: self.clone(), client, question: id };
        let Some(question) = state.questions.get_mut(&id) else { return Err(ApiProblem::our_mistake()) };
        question.askers.push(client);
        if question.running.is_none() {
            asking.waiting.push_back(id);
            state.wait(client);
        }
        Ok((ask, question_answer(state, id)))
    }

    /// Starts the questions whose turn it is.
    fn start(&self) {
        loop {
            let Some((id, job, cancel, effort)) = self.state().next_turn() else { return };
            let queue = self.clone();
            tokio::task::spawn_blocking(move || {
                let work = || Cancelled::catch(|| job(effort, &cancel));
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match &queue.cores {
                    Some(cores) if effort == Effort::Long => cores.install(work),
                    _ => work(),
                }));
                match outcome {
                    Ok(Ok(outcome)) => queue.finish(id, outcome),
                    // It needs more than a short question may take, or no client waits for it any more.
                    Ok(Err(Cancelled)) if effort == Effort::Short && !cancel.is_cancelled() => {
                        queue.prolong(id);
                    }
                    Ok(Err(Cancelled)) => queue.finish(id, Err(stopped())),
                    Err(_) => queue.finish(id, Err(ApiProblem::our_mistake())),
                }
                queue.start();
            });
        }
    }

    /// Gives a question's answer to all who wait for it.
    fn finish(&self, id: u64, outcome: QuestionOutcome) {
        let mut state = self.state();
        state.stop_running(id);
        if let Some(question) = state.questions.remove(&id) {
            state.forget_text(&question.text, id);
            question.answer.send_replace(Some(outcome));
        }
    }

    /// Lets a question wait for its turn as a long one.
    fn prolong(&self, id: u64) {
        let mut guard = self.state();
        let state = &mut *guard;
        state.stop_running(id);
        let Some(question) = state.questions.get_mut(&id) else { return };
        if question.askers.is_empty() {
            // The last client left while the question was stopped: no turn would ever take it away.
            if let Some(question) = state.questions.remove(&id) {
                state.forget_text(&question.text, id);
            }
            return;
        }
        question.effort = Effort::Long;
        // Not only for the client it was begun for, which may have left.
        for client in question.askers.clone() {
            if let Some(asking) = state.clients.get_mut(&client) {
                asking.waiting.push_front(id);
            }
            state.wait(client);
        }
    }

    /// A slot for a short question without waiting, if one is free.
    pub(crate) fn try_short(&self) -> Option<ShortSlot> {
        let mut state = self.state();
        (state.short < SHORT_AT_ONCE).then(|| {
            state.short += 1;
            ShortSlot(self.clone())
        })
    }
}

/// A slot for a short question, free again when it is dropped.
pub(crate) struct ShortSlot(Queue);

impl Drop for ShortSlot {
    fn drop(&mut self) {
        self.0.state().short -= 1;
        self.0.start();
    }
}

/// The problem of a question that no client waits for; it is not sent.
fn stopped() -> ApiProblem {
    ApiProblem::new(StatusCode::SERVICE_UNAVAILABLE, "cancelled", "the question was withdrawn")
}

fn question_answer(state: &State, id: u64) -> watch::Receiver<Option<QuestionOutcome>> {
    // A question that is not there has no answer: its channel is closed.
    state.questions.get(&id).map_or_else(|| watch::channel(None).1, |question| question.answer.subscribe())
}

impl State {
    /// Gives a client a turn, unless it waits for one.
    fn wait(&mut self, client: IpAddr) {
        if !self.turns.contains(&client) {
            self.turns.push_back(client);
        }
    }

    /// The next question that may be worked on, from the client whose turn it is.
    fn next_turn(&mut self) -> Option<(u64, Job, CancelFlag, Effort)> {
        for _ in 0..self.turns.len() {
            let client = self.turns.pop_front()?;
            let Some(of) = self.clients.get_mut(&client) else { continue };
            let questions = &mut self.questions;
            // Those that are worked on for another client, or are answered, wait no longer.
            of.waiting.retain(|id| questions.get(id).is_some_and(|question| question.running.is_none()));
            let may_start = |id: &u64| match questions[id].effort {
                Effort::Short => self.short < SHORT_AT_ONCE && of.short < SHORT_OF_CLIENT,
                Effort::Long => self.long == 0,
            };
            let index = of.waiting.iter().position(may_start);
            let started = index.and_then(|index| of.waiting.remove(index));
            if !of.waiting.is_empty() {
                self.turns.push_back(client);
            }
            let Some(id) = started else { continue };
            let Some(question) = questions.get_mut(&id) else { continue };
            question.running = Some(client);
            match question.effort {
                Effort::Short => {
                    self.short += 1;
                    of.short += 1;
                }
                Effort::Long => self.long += 1,
            }
            return Some((id, question.job.clone(), question.cancel.clone(), question.effort));
        }
        None
    }

    /// Frees the slot of a question that was worked on.
    fn stop_running(&mut self, id: u64) {
        let Some(question) = self.questions.get_mut(&id) else { return };
        let Some(client) = question.running.take() else { return };
        match question.effort {
            Effort::Short => {
                self.short -= 1;
                if let Some(of) = self.clients.get_mut(&client) {
                    of.short -= 1;
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

    /// Forgets a client that asks nothing and for which nothing is worked on.
    fn forget_client(&mut self, client: IpAddr) {
        if self.clients.get(&client).is_some_and(|of| of.asks == 0 && of.short == 0) {
            self.clients.remove(&client);
            self.turns.retain(|other| *other != client);
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut guard = self.queue.state();
        let state = &mut *guard;
        state.asks -= 1;
        if let Some(of) = state.clients.get_mut(&self.client) {
            of.asks -= 1;
            if let Some(index) = of.waiting.iter().position(|id| *id == self.question) {
                of.waiting.remove(index);
            }
        }
        if let Some(question) = state.questions.get_mut(&self.question) {
            if let Some(index) = question.askers.iter().position(|client| *client == self.client) {
                question.askers.swap_remove(index);
            }
            if question.askers.is_empty() {
                question.cancel.cancel();
                let (text, runs) = (question.text.clone(), question.running.is_some());
                // A later asker starts anew: this one is about to stop.
                state.forget_text(&text, self.question);
                if !runs {
                    state.questions.remove(&self.question);
                }
            }
        }
        state.forget_client(self.client);
    }
}

#[cfg(test)]
mod tests;
