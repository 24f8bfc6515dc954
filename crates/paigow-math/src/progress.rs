//! Progress reports and cancellation of long computations.
//!
//! The library reads no clock and prints nothing. It reports progress to its caller.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Callback that receives the amount of work done since the last call, possibly 0.
///
/// Any worker thread may call it. It may cancel the computation with [`Cancelled::unwind`].
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// A callback that ignores progress reports.
pub const QUIET: Progress<'static> = &|_| {};

/// The caller cancelled a computation, because its result is no longer needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl Cancelled {
    /// Cancels the computation that calls it, on all threads. It unwinds to [`Cancelled::catch_unwind`] and reports no panic.
    pub fn unwind() -> ! {
        resume_unwind(Box::new(Cancelled))
    }

    /// Runs a computation that may be cancelled. Any other panic propagates.
    ///
    /// # Errors
    /// The computation was cancelled.
    pub fn catch_unwind<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        // Unwinding drops all state of the computation. It shares no state that it could leave inconsistent.
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Cancelled>() {
            Ok(cancelled) => *cancelled,
            Err(panic) => resume_unwind(panic),
        })
    }
}
