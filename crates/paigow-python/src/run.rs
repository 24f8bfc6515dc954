//! Long computations: without the interpreter lock, with progress, and interruptible.
//!
//! The computation runs in a thread of its own. The calling thread waits without the lock, and wakes up often to run the
//! signal handlers of Python and the callback for progress. An exception of either cancels the computation.

use paigow_answers::{Cache, CancelFlag, ProgressTick, Work};
use paigow_math::Cancelled;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Polling interval for signals and progress.
const WAKE_UP: Duration = Duration::from_millis(50);

/// Results that all calls of the process share, and the cache on disk.
static WORK: LazyLock<Work> = LazyLock::new(|| Work::without_progress(Cache::open()));

/// A part of a computation, with its name, its size and the work done.
struct Stage {
    name: String,
    total: u64,
    done: Arc<AtomicU64>,
}

/// Runs a computation. `progress` is called with the name of the stage, the work done and the total.
///
/// # Errors
/// An exception of a signal handler or of the callback, after the computation has stopped.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Work) -> T + Send,
) -> PyResult<T> {
    let cancel = CancelFlag::default();
    let stages: Arc<Mutex<Vec<Stage>>> = Arc::default();
    let begun = stages.clone();
    let work = WORK.with_cancel(cancel.clone()).with_watcher(move |name, total| -> ProgressTick {
        let done = Arc::new(AtomicU64::new(0));
        lock(&begun).push(Stage { name: name.to_owned(), total, done: done.clone() });
        Box::new(move |more| {
            done.fetch_add(more, Ordering::Relaxed);
        })
    });
    let result: Mutex<Option<T>> = Mutex::new(None);
    let waiting = thread::current();
    let mut reported = CallbackProgress { stage: 0, done: None };
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            // Wakes the waiting thread also if the computation panics.
            let _end = WakeOnDrop(waiting);
            Cancelled::catch_unwind(|| {
                let value = job(&work);
                *lock(&result) = Some(value);
            })
        });
        let outcome = loop {
            py.detach(|| thread::park_timeout(WAKE_UP));
            let is_finished = worker.is_finished() || lock(&result).is_some();
            let looked = py.check_signals().and_then(|()| match progress {
                Some(callback) => reported.report(callback, &stages, is_finished),
                None => Ok(()),
            });
            match looked {
                Ok(()) if !is_finished => {}
                looked => break looked,
            }
        };
        if outcome.is_err() {
            cancel.cancel();
        }
        if let Err(panic) = py.detach(|| worker.join()) {
            resume_unwind(panic);
        }
        outcome
    })?;
    let value = lock(&result).take();
    // Only an exception cancels the computation, and it has been returned above.
    value.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the computation was cancelled"))
}

/// Progress that the callback has received.
struct CallbackProgress {
    stage: usize,
    done: Option<u64>,
}

impl CallbackProgress {
    /// Calls the callback if there is progress: once at the end of every stage, and while a stage is under way.
    fn report(
        &mut self,
        callback: &Bound<'_, PyAny>,
        stages: &Mutex<Vec<Stage>>,
        is_finished: bool,
    ) -> PyResult<()> {
        loop {
            let (name, done, total, is_last) = {
                let stages = lock(stages);
                let Some(stage) = stages.get(self.stage) else { return Ok(()) };
                let is_last = self.stage + 1 == stages.len();
                let is_over = is_finished || !is_last;
                let done = if is_over { stage.total } else { stage.done.load(Ordering::Relaxed) };
                (stage.name.clone(), done.min(stage.total), stage.total, is_last && !is_finished)
            };
            if self.done != Some(done) {
                callback.call1((name, done, total))?;
            }
            if is_last {
                self.done = Some(done);
                return Ok(());
            }
            *self = CallbackProgress { stage: self.stage + 1, done: None };
        }
    }
}

/// Wakes a thread when it is dropped.
struct WakeOnDrop(thread::Thread);

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
