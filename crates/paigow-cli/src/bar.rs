//! A bar on standard error while long work lasts.

use crate::args::WorkArgs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use paigow_answers::{Cache, ProgressTick, Work};

/// Work as the command line asks for it.
pub(crate) fn work(args: &WorkArgs) -> Work {
    let cache = if args.no_cache { None } else { Cache::open() };
    let quiet = args.quiet;
    Work::new(cache, move |what, parts| tick(what, parts, quiet))
}

fn tick(what: &str, parts: u64, quiet: bool) -> ProgressTick {
    // Standard error that is no terminal gets no bar: the library sees to it.
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(parts), target);
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    let bar = Bar(bar);
    Box::new(move |done| bar.0.inc(done))
}

/// A bar that goes away with the work.
struct Bar(ProgressBar);

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
