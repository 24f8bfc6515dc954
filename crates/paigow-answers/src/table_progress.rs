//! Progress of a table of worths that is being built, in two stages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Share of the build in the time of a table, in percent. The rest is its check.
pub(crate) const BUILD_PERCENT: u64 = 55;

/// Progress of a table of worths that is being built. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct TableProgress(Arc<AtomicU64>);

impl TableProgress {
    const PARTS: u64 = 1_000_000;

    /// Part of the work that is done, in percent.
    pub fn percent(&self) -> u8 {
        (self.0.load(Ordering::Relaxed).min(TableProgress::PARTS) * 100 / TableProgress::PARTS) as u8
    }

    /// Starts a stage of this many parts, which takes this share of the time.
    pub(crate) fn stage(&self, parts: u64, percent: u64) -> TableStage {
        TableStage { progress: self.clone(), parts, percent, done: AtomicU64::new(0) }
    }
}

/// A stage of building a table. Threads may share it.
pub(crate) struct TableStage {
    progress: TableProgress,
    parts: u64,
    percent: u64,
    /// Number of parts that are done.
    done: AtomicU64,
}

impl TableStage {
    /// Adds parts that are done. Sums are rounded, not parts, because one part is far less than a unit of the progress.
    pub(crate) fn add(&self, done: u64) {
        let before = self.done.fetch_add(done, Ordering::Relaxed);
        let added = self.share(before + done) - self.share(before);
        self.progress.0.fetch_add(added, Ordering::Relaxed);
    }

    fn share(&self, done: u64) -> u64 {
        let of_stage = u128::from(TableProgress::PARTS * self.percent / 100);
        (u128::from(done) * of_stage / u128::from(self.parts)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_math::{BaseGame, WorthTable};

    #[test]
    fn progress_is_the_sum_of_its_stages() {
        let progress = TableProgress::default();
        assert_eq!(progress.percent(), 0);
        let build = progress.stage(10, BUILD_PERCENT);
        build.add(5);
        assert_eq!(u64::from(progress.percent()), BUILD_PERCENT / 2);
        build.add(5);
        assert_eq!(u64::from(progress.percent()), BUILD_PERCENT);
        progress.stage(2, 100 - BUILD_PERCENT).add(2);
        assert_eq!(progress.percent(), 100);
    }

    /// Both stages report as few as 20 of more than ten million parts at once.
    #[test]
    fn small_parts_add_up() {
        let progress = TableProgress::default();
        for (parts, percent) in
            [(WorthTable::WORK, BUILD_PERCENT), (BaseGame::WORK_BY_SETS, 100 - BUILD_PERCENT)]
        {
            let stage = progress.stage(parts, percent);
            (0..parts / 20).for_each(|_| stage.add(20));
            stage.add(parts % 20);
        }
        assert_eq!(progress.percent(), 100);
    }
}
