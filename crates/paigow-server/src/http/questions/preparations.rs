//! Tables of worths that the server prepares in the background.
//!
//! A question that needs a table which is neither in memory nor in the cache starts its preparation and is answered at
//! once with the progress; the client asks again. A preparation waits in the queue of questions, in the turn of the client
//! that started it, and does not count as a question of that client. It goes on when the client leaves, and ends early
//! only when the server stops. A client has at most one, so that no address can fill the queue with tables that no client
//! waits for. A preparation that failed is not started again for a time, in which questions that need it are refused with
//! the reason.

use super::queue::{Effort, Job, Queue};
use crate::app::App;
use crate::http::guard::Client;
use crate::http::problem::ApiProblem;
use axum::body::Bytes;
use paigow_answers::{CancelFlag, PricedGame, TableProgress};
use serde::Serialize;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

/// Progress in percent from which the rest of the time is estimated. Earlier estimates are too rough.
const ESTIMATE_FROM_PERCENT: u8 = 5;

/// Time until a preparation that failed may start again, unless the problem has a time of its own. A preparation takes up
/// to a minute of all cores, and one that fails is likely to fail again.
const RETRY_AFTER: Duration = Duration::from_mins(5);

/// The server prepares a table of worths. Ask again in a few seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(in crate::http) struct TablePreparation {
    /// Progress of the preparation.
    preparing: PreparationProgress,
}

/// Progress of a table of worths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(in crate::http) struct PreparationProgress {
    /// Part of the work that is done, in percent. 0 while other long questions, or another table for the same client, are
    /// computed.
    percent: u8,
    /// Seconds since the preparation started. 0 while it waits.
    seconds: u64,
    /// Estimated number of seconds until the table is ready. `null` if it is not known yet.
    #[schema(required)]
    seconds_left: Option<u64>,
}

/// Preparations by the name of their table. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Preparations(Arc<Mutex<HashMap<String, PreparationState>>>);

enum PreparationState {
    /// It waits in the queue or runs.
    UnderWay(Preparation),
    /// It failed, and may start again at this time.
    Failed(ApiProblem, Instant),
}

struct Preparation {
    client: IpAddr,
    progress: TableProgress,
    /// Time when the work began; empty while it waits in the queue.
    started: Arc<OnceLock<Instant>>,
}

impl Preparation {
    fn report(&self) -> TablePreparation {
        let seconds = self.started.get().map_or(0, |started| started.elapsed().as_secs());
        TablePreparation { preparing: PreparationProgress::of(self.progress.percent(), seconds) }
    }
}

impl PreparationProgress {
    fn of(percent: u8, seconds: u64) -> PreparationProgress {
        let has_estimate = (ESTIMATE_FROM_PERCENT..=100).contains(&percent);
        let left = has_estimate.then(|| seconds * u64::from(100 - percent) / u64::from(percent));
        PreparationProgress { percent, seconds, seconds_left: left }
    }
}

impl PreparationState {
    /// The state of a preparation that failed.
    fn failed(problem: ApiProblem) -> PreparationState {
        let wait = problem.retry_seconds.map_or(RETRY_AFTER, Duration::from_secs);
        let problem = ApiProblem {
            detail: format!("the table of worths could not be prepared: {}", problem.detail),
            retry_seconds: Some(wait.as_secs()),
            ..problem
        };
        PreparationState::Failed(problem, Instant::now() + wait)
    }

    fn is_of(&self, client: IpAddr) -> bool {
        matches!(self, PreparationState::UnderWay(preparation) if preparation.client == client)
    }
}

impl Preparations {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, PreparationState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the preparation of a table, unless it or another one of the client is under way. Returns its progress.
    ///
    /// # Errors
    /// The preparation failed shortly before.
    pub(super) fn start(
        &self,
        queue: &Queue,
        stop: &CancellationToken,
        Client(client): Client,
        name: String,
        build: impl Fn(Effort, &CancelFlag, &TableProgress) + Send + Sync + 'static,
    ) -> Result<TablePreparation, ApiProblem> {
        let mut preparations = self.lock();
        let now = Instant::now();
        preparations.retain(|_, state| !matches!(state, PreparationState::Failed(_, retry) if *retry <= now));
        match preparations.get(&name) {
            Some(PreparationState::UnderWay(preparation)) => return Ok(preparation.report()),
            Some(PreparationState::Failed(problem, _)) => return Err(problem.clone()),
            None => {}
        }
        let preparation = Preparation { client, progress: TableProgress::default(), started: Arc::default() };
        let report = preparation.report();
        if preparations.values().any(|other| other.is_of(client)) {
            return Ok(report);
        }
        let (progress, started) = (preparation.progress.clone(), preparation.started.clone());
        preparations.insert(name.clone(), PreparationState::UnderWay(preparation));
        drop(preparations);
        let job: Job = Arc::new(move |effort, cancel| {
            if effort == Effort::Long {
                started.get_or_init(Instant::now);
            }
            build(effort, cancel, &progress);
            Ok(Bytes::new())
        });
        let (preparations, queue, stop) = (self.clone(), queue.clone(), stop.clone());
        tokio::spawn(async move {
            let problem = tokio::select! {
                outcome = queue.ask_in_background(client, format!("table of worths {name}"), job) => outcome.err(),
                // Dropping the question cancels it.
                () = stop.cancelled() => None,
            };
            let mut preparations = preparations.lock();
            if let Some(problem) = problem {
                tracing::warn!(code = problem.code, "a table of worths could not be prepared");
                preparations.insert(name, PreparationState::failed(problem));
            } else {
                preparations.remove(&name);
            }
        });
        Ok(report)
    }
}

/// Starts the preparation of a game's table in the queue of questions. Returns its progress.
///
/// # Errors
/// The preparation failed shortly before.
pub(super) fn prepare(
    app: &Arc<App>,
    client: Client,
    game: PricedGame,
) -> Result<TablePreparation, ApiProblem> {
    let name = game.table_name();
    let work = app.work.clone();
    app.preparations.start(&app.questions, &app.stop, client, name, move |effort, cancel, progress| {
        let work = work.with_cancel(cancel.clone()).with_table_progress(progress.clone());
        let work = if effort == Effort::Short { work.cached_only() } else { work };
        work.worth_table(&game.valuation());
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::*;
    use paigow_math::Cancelled;
    use std::sync::mpsc;

    const ANN: Client = Client(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));
    const BOB: Client = Client(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));

    async fn until(what: &str, holds: impl Fn() -> bool) {
        let start = Instant::now();
        while !holds() {
            assert!(start.elapsed() < Duration::from_secs(10), "timed out waiting for: {what}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A preparation that reports its start and ends when its sender is dropped, or when it is cancelled.
    struct Controlled {
        preparations: Preparations,
        queue: Queue,
        stop: CancellationToken,
        log: Arc<Mutex<Vec<String>>>,
    }

    impl Controlled {
        fn new() -> Controlled {
            Controlled {
                preparations: Preparations::default(),
                queue: Queue::new(8, 4),
                stop: CancellationToken::new(),
                log: Arc::default(),
            }
        }

        fn note(log: &Mutex<Vec<String>>, entry: String) {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        }

        fn log(&self) -> Vec<String> {
            self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
        }

        fn start(&self, client: Client, name: &'static str) -> (TablePreparation, mpsc::Sender<()>) {
            let (sender, receiver) = mpsc::channel();
            let (receiver, log) = (Mutex::new(receiver), self.log.clone());
            let build = move |effort, cancel: &CancelFlag, _: &TableProgress| {
                if effort == Effort::Short {
                    Cancelled::unwind();
                }
                Controlled::note(&log, format!("{name} begins"));
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                while receiver.recv_timeout(Duration::from_millis(5)) == Err(mpsc::RecvTimeoutError::Timeout)
                {
                    if cancel.is_cancelled() {
                        Controlled::note(&log, format!("{name} is cancelled"));
                        Cancelled::unwind();
                    }
                }
                Controlled::note(&log, format!("{name} ends"));
            };
            let report = self.preparations.start(&self.queue, &self.stop, client, name.to_owned(), build);
            (report.unwrap(), sender)
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn preparation_goes_on_while_no_client_waits_and_one_runs_at_a_time() {
        let tables = Controlled::new();
        let (report, first) = tables.start(ANN, "first");
        let waits = PreparationProgress { percent: 0, seconds: 0, seconds_left: None };
        assert_eq!(report.preparing, waits);
        until("the start", || tables.log() == ["first begins"]).await;
        // The same table is not prepared twice, and a client has one preparation at a time.
        tables.start(BOB, "first");
        tables.start(ANN, "second");
        let (_, third) = tables.start(BOB, "third");
        assert_eq!(tables.preparations.lock().len(), 2);
        drop(first);
        until("the next table", || tables.log() == ["first begins", "first ends", "third begins"]).await;
        drop(third);
        until("the end", || tables.preparations.lock().is_empty()).await;
        // After its end, the client may start another one.
        let (_, second) = tables.start(ANN, "second");
        drop(second);
        until("the second table", || tables.log().last().is_some_and(|last| last == "second ends")).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn stopped_server_cancels_the_preparation() {
        let tables = Controlled::new();
        let (_, _sender) = tables.start(ANN, "table");
        until("the start", || tables.log() == ["table begins"]).await;
        tables.stop.cancel();
        until("the end", || tables.log() == ["table begins", "table is cancelled"]).await;
        until("the last report", || tables.preparations.lock().is_empty()).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn failed_preparation_is_reported_and_not_repeated_at_once() {
        let tables = Controlled::new();
        let runs = Arc::new(Mutex::new(0));
        let start = || {
            let runs = runs.clone();
            let build = move |_, _: &CancelFlag, _: &TableProgress| {
                *runs.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                panic!("a table that cannot be built");
            };
            tables.preparations.start(&tables.queue, &tables.stop, ANN, "faulty".to_owned(), build)
        };
        assert!(start().is_ok());
        until("the failure", || start().is_err()).await;
        let problem = start().unwrap_err();
        assert_eq!((problem.status, problem.retry_seconds), (500, Some(RETRY_AFTER.as_secs())));
        assert!(problem.detail.starts_with("the table of worths could not be prepared: "), "{problem:?}");
        assert_eq!(*runs.lock().unwrap(), 1);
        // The client may start another table, and the failed one once its time is over.
        let (_, other) = tables.start(ANN, "other");
        drop(other);
        until("the other table", || tables.log().last().is_some_and(|last| last == "other ends")).await;
        until("its end", || !tables.preparations.lock().contains_key("other")).await;
        let over = PreparationState::Failed(problem, Instant::now());
        tables.preparations.lock().insert("faulty".to_owned(), over);
        assert!(start().is_ok());
        until("the second run", || *runs.lock().unwrap() == 2).await;
    }

    /// A question that is being answered does not use up the place of the table that it needs.
    #[tokio::test(flavor = "multi_thread")]
    async fn preparation_runs_beside_the_only_question_that_is_allowed() {
        let tables = Controlled { queue: Queue::new(1, 1), ..Controlled::new() };
        let (sender, receiver) = mpsc::channel::<()>();
        let receiver = Mutex::new(receiver);
        let job: Job = Arc::new(move |_, _| {
            let _ = receiver.lock().unwrap().recv(); // ends when the sender is dropped
            Ok(Bytes::new())
        });
        let (queue, Client(client)) = (tables.queue.clone(), ANN);
        let question = tokio::spawn(async move { queue.ask(client, "design".to_owned(), job).await });
        let (_, table) = tables.start(ANN, "table");
        drop(table);
        drop(sender);
        assert!(question.await.unwrap().is_ok());
        until("the table", || tables.log() == ["table begins", "table ends"]).await;
    }

    #[test]
    fn rest_of_the_time_is_estimated_from_the_progress() {
        let left = |percent, seconds| PreparationProgress::of(percent, seconds).seconds_left;
        assert_eq!([left(0, 0), left(0, 30), left(4, 30)], [None; 3]);
        assert_eq!([left(5, 1), left(75, 30), left(100, 30)], [Some(19), Some(10), Some(0)]);
    }
}
