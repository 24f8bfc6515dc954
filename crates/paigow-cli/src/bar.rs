//! Progress bar of long computations, on standard error.

use crate::args::WorkArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use paigow_answers::{Cache, ProgressTick, Work};

/// Creates a [`Work`] with the cache and the progress bar that the command line selects.
pub(crate) fn work(args: &WorkArgs) -> Work {
    let cache = if args.no_cache { None } else { Cache::open() };
    let quiet = args.quiet;
    Work::new(cache, move |name, parts| start_bar(name, parts, quiet))
}

/// Starts a bar with a name and a number of parts.
pub(crate) fn start_bar(name: &str, parts: u64, quiet: bool) -> ProgressTick {
    // indicatif draws no bar if standard error is not a terminal.
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(parts), target);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(name.to_owned());
    let bar = Bar(bar);
    Box::new(move |done| bar.0.inc(done))
}

/// A bar that is cleared when it is dropped.
struct Bar(ProgressBar);

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
