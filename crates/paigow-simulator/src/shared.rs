//! What all of a world share: chance, the store's history, processes, and how much goes wrong.

use crate::history::History;
use crate::process::Process;
use crate::report::{Fault, Report};
use crate::rng::Rng;
use crate::tables::Postings;
use paigow_server::Library;
use paigow_table::Time;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// When worlds begin, in milliseconds since 1970.
const START_MS: u64 = 1_700_000_000_000;

pub(crate) struct Shared {
    rng: Mutex<Rng>,
    history: Mutex<History>,
    postings: Mutex<Postings>,
    report: Mutex<Report>,
    pub(crate) library: Library,
    pub(crate) processes: Mutex<Vec<Process>>,
    start: Instant,
    /// How far the clocks of all processes have jumped.
    jumped: AtomicI64,
    /// When the store answers again.
    down_until: Mutex<Instant>,
    /// How often things go wrong, from 1 to 10: where everything fails all the time, few rounds are ever played.
    roughness: u64,
    /// What does not go wrong in this world: some faults show only where others do not get in their way.
    spared: Vec<Fault>,
    calm: AtomicBool,
    lull: AtomicBool,
    leave: AtomicBool,
    /// How many commands are not answered yet.
    pub(crate) unanswered: AtomicUsize,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(
        seed: u64,
        trace: bool,
        postings: Postings,
        report: Report,
        library: Library,
    ) -> Shared {
        let mut rng = Rng::new(seed);
        let roughness = *rng.pick(&[1, 2, 5, 10]);
        let spared = Fault::ALL.into_iter().filter(|_| rng.chance(400)).collect();
        Shared {
            rng: Mutex::new(rng),
            history: Mutex::new(History::new(trace)),
            postings: Mutex::new(postings),
            report: Mutex::new(report),
            library,
            processes: Mutex::default(),
            start: Instant::now(),
            jumped: AtomicI64::new(0),
            down_until: Mutex::new(Instant::now()),
            roughness,
            spared,
            calm: AtomicBool::new(true),
            lull: AtomicBool::new(false),
            leave: AtomicBool::new(false),
            unanswered: AtomicUsize::new(0),
        }
    }

    pub(crate) fn rng(&self) -> MutexGuard<'_, Rng> {
        lock(&self.rng)
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, History> {
        lock(&self.history)
    }

    pub(crate) fn postings(&self) -> MutexGuard<'_, Postings> {
        lock(&self.postings)
    }

    pub(crate) fn report(&self) -> MutexGuard<'_, Report> {
        lock(&self.report)
    }

    pub(crate) fn processes(&self) -> MutexGuard<'_, Vec<Process>> {
        lock(&self.processes)
    }

    /// The rules that were read, and the report, for the next world.
    pub(crate) fn end(&self) -> (Postings, Report) {
        (std::mem::take(&mut *self.postings()), std::mem::take(&mut *self.report()))
    }

    /// The time of a clock that is off by so much.
    pub(crate) fn time(&self, skew: i64) -> Time {
        let passed = self.start.elapsed().as_millis() as u64;
        Time((START_MS + passed).saturating_add_signed(skew + self.jumped.load(Ordering::Relaxed)))
    }

    /// All clocks jump, as after a night's sleep.
    pub(crate) fn jump(&self, milliseconds: u64) {
        self.jumped.fetch_add(milliseconds.cast_signed(), Ordering::Relaxed);
    }

    /// Nothing goes wrong from now on, or something may.
    pub(crate) fn set_calm(&self, calm: bool) {
        self.calm.store(calm, Ordering::Relaxed);
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    /// Nobody asks for anything for a while, though things go wrong: the clock is alone.
    pub(crate) fn set_lull(&self, lull: bool) {
        self.lull.store(lull, Ordering::Relaxed);
    }

    pub(crate) fn is_lull(&self) -> bool {
        self.lull.load(Ordering::Relaxed)
    }

    /// Everybody gets up from now on.
    pub(crate) fn set_leave(&self) {
        self.leave.store(true, Ordering::Relaxed);
    }

    pub(crate) fn leaves(&self) -> bool {
        self.leave.load(Ordering::Relaxed)
    }

    /// Whether a fault happens, which it does so many times in a thousand in the roughest worlds. It is counted.
    pub(crate) fn fault(&self, fault: Fault, per_mille: u64) -> bool {
        let happens = self.is_possible(fault) && self.rng().chance_in(per_mille * self.roughness, 10_000);
        if happens {
            self.report().fault(fault);
        }
        happens
    }

    /// Whether a fault may happen now.
    pub(crate) fn is_possible(&self, fault: Fault) -> bool {
        !self.is_calm() && !self.spared.contains(&fault)
    }

    pub(crate) async fn sleep(&self, milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }

    /// How long a message is on its way.
    pub(crate) async fn travel(&self) {
        let time = {
            let mut rng = self.rng();
            let slow = !self.is_calm() && rng.chance(20 * self.roughness);
            let most = if slow { *rng.pick(&[2_000, 12_000]) } else { 60 };
            rng.below(most)
        };
        self.sleep(time).await;
    }

    /// The store answers nobody for a while.
    pub(crate) fn take_store_down(&self, milliseconds: u64) {
        *lock(&self.down_until) = Instant::now() + Duration::from_millis(milliseconds);
    }

    pub(crate) fn is_store_down(&self) -> bool {
        !self.is_calm() && Instant::now() < *lock(&self.down_until)
    }

    /// A process that runs, by chance.
    pub(crate) fn some_process(self: &Arc<Self>) -> usize {
        let count = self.processes().len() as u64;
        self.rng().below(count) as usize
    }
}
