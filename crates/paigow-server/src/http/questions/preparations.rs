//! Tables of worths that the server prepares in the background.
//!
//! A question that needs a table which is neither in memory nor in the cache starts its preparation and is answered at
//! once with the progress; the client asks again. A preparation waits in the queue of questions like a long question of
//! the client that started it. It goes on when the client leaves, and ends early only when the server stops. A client has
//! at most one, so that no address can fill the queue with tables that no client waits for.

use super::queue::{Effort, Job, Queue};
use crate::app::App;
use crate::http::guard::Client;
use axum::body::Bytes;
use paigow_answers::{CancelFlag, PricedGame, TableProgress};
use serde::Serialize;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

/// Progress in percent from which the rest of the time is estimated. Earlier estimates are too rough.
const ESTIMATE_FROM_PERCENT: u8 = 5;

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

/// Preparations that wait or run, by the name of their table. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Preparations(Arc<Mutex<HashMap<String, Preparation>>>);

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

impl Preparations {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Preparation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the preparation of a table, unless it or another one of the client is under way. Returns its progress.
    pub(super) fn start(
        &self,
        queue: &Queue,
        stop: &CancellationToken,
        Client(client): Client,
        name: String,
        build: impl Fn(Effort, &CancelFlag, &TableProgress) + Send + Sync + 'static,
    ) -> TablePreparation {
        let mut preparations = self.lock();
        if let Some(preparation) = preparations.get(&name) {
            return preparation.report();
        }
        let preparation = Preparation { client, progress: TableProgress::default(), started: Arc::default() };
        let report = preparation.report();
        if preparations.values().any(|other| other.client == client) {
            return report;
        }
        let (progress, started) = (preparation.progress.clone(), preparation.started.clone());
        preparations.insert(name.clone(), preparation);
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
            tokio::select! {
                outcome = queue.ask(client, format!("table of worths {name}"), job) => {
                    if let Err(problem) = outcome {
                        tracing::warn!(code = problem.code, "a table of worths could not be prepared");
                    }
                }
                // Dropping the question cancels it.
                () = stop.cancelled() => {}
            }
            preparations.lock().remove(&name);
        });
        report
    }
}

/// Starts the preparation of a game's table in the queue of questions. Returns its progress.
pub(super) fn prepare(app: &Arc<App>, client: Client, game: PricedGame) -> TablePreparation {
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
    use super::*;
    use paigow_math::Cancelled;
    use std::sync::mpsc;
    use std::time::Duration;

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
            (report, sender)
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

    #[test]
    fn rest_of_the_time_is_estimated_from_the_progress() {
        let left = |percent, seconds| PreparationProgress::of(percent, seconds).seconds_left;
        assert_eq!([left(0, 0), left(0, 30), left(4, 30)], [None; 3]);
        assert_eq!([left(5, 1), left(75, 30), left(100, 30)], [Some(19), Some(10), Some(0)]);
    }
}
