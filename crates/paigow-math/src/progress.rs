//! How far long work has come, and how it is stopped. The library keeps no clock and prints nothing: it reports to its caller.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Called after every part of the work with the number of parts, and with 0 in between. Any core may call it. It may stop
/// the work with [`Cancelled::throw`].
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// For those who do not want to know.
pub const QUIET: Progress<'static> = &|_| {};

/// Long work was stopped before its end, because its result is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl Cancelled {
    /// Stops the work that calls it, on all its cores: it unwinds up to [`Cancelled::catch`], and no panic is reported.
    pub fn throw() -> ! {
        resume_unwind(Box::new(Cancelled))
    }

    /// Does work that may be stopped. A panic of another kind goes on.
    ///
    /// # Errors
    /// The work was stopped.
    pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        // Unwinding drops the state of the work: it has no result, and shares nothing that it could leave half-done.
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Cancelled>() {
            Ok(cancelled) => *cancelled,
            Err(panic) => resume_unwind(panic),
        })
    }
}
