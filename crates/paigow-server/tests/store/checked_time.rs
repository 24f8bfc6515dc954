//! A wall clock that jumps: sessions last, tables go on, deadlines recover. Time is set by the tests; none of them waits for it.

use crate::kit::{Folder, account, config, name, operator, player, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    CheckedEnvironment, Environment, Host, People, RulesCache, Session, SessionOf, Sqlite, TimeSource,
};
use paigow_table::{Command, Owner, TablePhase, Time};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const DAY: u64 = 24 * 60 * MINUTE;
const START: u64 = 1_800_000_000_000;

/// Clocks as a test sets them.
#[derive(Clone)]
struct Clocks {
    /// Monotonic milliseconds.
    passed: Arc<AtomicU64>,
    /// What the wall clock is off by.
    off: Arc<AtomicI64>,
}

impl Clocks {
    fn new() -> Clocks {
        Clocks { passed: Arc::default(), off: Arc::default() }
    }

    fn set_off(&self, ms: i64) {
        self.off.store(ms, Ordering::Relaxed);
    }

    /// The time without a jump.
    fn right(&self) -> u64 {
        START + self.passed.load(Ordering::Relaxed)
    }
}

impl TimeSource for Clocks {
    fn wall(&self) -> Time {
        Time(self.right().saturating_add_signed(self.off.load(Ordering::Relaxed)))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.passed.load(Ordering::Relaxed))
    }
}

/// Lets time pass, looked at as often as a server does.
fn pass(clocks: &Clocks, world: &CheckedEnvironment<Clocks>, ms: u64) {
    for _ in 0..ms / 250 {
        clocks.passed.fetch_add(250, Ordering::Relaxed);
        world.now();
    }
}

fn world() -> (Clocks, CheckedEnvironment<Clocks>) {
    let clocks = Clocks::new();
    (clocks.clone(), CheckedEnvironment::new(clocks))
}

#[test]
fn a_jump_is_counted_and_not_followed_and_a_clock_that_comes_back_changes_nothing() {
    for off in [31 * DAY.cast_signed(), -600_000, 2_500, -2_500, -3_650 * DAY.cast_signed(), 3_600_000] {
        let (clocks, world) = world();
        pass(&clocks, &world, MINUTE);
        clocks.set_off(off);
        pass(&clocks, &world, 45 * SECOND);
        assert_eq!(world.now(), Time(clocks.right()), "{off}");
        assert_eq!(world.session_now(), Time(clocks.right()));
        assert_eq!(world.jumps(), (1, 0));
        assert!(world.jumped_ms().is_some());
        clocks.set_off(0);
        pass(&clocks, &world, SECOND);
        assert_eq!((world.now(), world.jumped_ms(), world.jumps()), (Time(clocks.right()), None, (1, 0)));
    }
}

#[test]
fn a_jump_that_lasts_is_followed_after_five_minutes() {
    for off in [DAY.cast_signed(), -600_000] {
        let (clocks, world) = world();
        clocks.set_off(off);
        pass(&clocks, &world, 4 * MINUTE);
        // A clock that jumps again has not agreed with itself.
        clocks.set_off(2 * off);
        pass(&clocks, &world, 4 * MINUTE);
        clocks.set_off(off);
        pass(&clocks, &world, 4 * MINUTE);
        assert_eq!((world.now(), world.jumps()), (Time(clocks.right()), (3, 0)));
        pass(&clocks, &world, MINUTE + SECOND);
        assert_eq!(world.now(), clocks.wall());
        assert_eq!((world.jumped_ms(), world.jumps()), (None, (3, 1)));
    }
}

#[test]
fn a_clock_that_is_slewed_is_followed_and_one_that_creeps_faster_is_a_jump() {
    let (clocks, world) = world();
    for step in 0..600 {
        clocks.set_off(step * 250 / 40);
        pass(&clocks, &world, 250);
    }
    assert!(world.now().0.abs_diff(clocks.wall().0) <= 100, "half of the most it may be");
    assert_eq!(world.jumps(), (0, 0));
    let (clocks, world) = self::world();
    for step in 0..600 {
        clocks.set_off(step * 50);
        pass(&clocks, &world, 250);
    }
    assert!(world.jumps().0 > 0);
    assert!(world.now().0 - clocks.right() < 12 * SECOND, "it was 30 s in two and a half minutes");
}

/// A machine that slept for eight hours: the monotonic clock did not count them.
#[test]
fn a_machine_that_slept_is_right_again_after_five_minutes() {
    let (clocks, world) = world();
    clocks.set_off(8 * 3_600_000);
    pass(&clocks, &world, 6 * MINUTE);
    assert_eq!(world.now(), clocks.wall());
    pass(&clocks, &world, 10 * MINUTE);
    assert_eq!((world.now(), world.jumps()), (clocks.wall(), (1, 1)));
}

async fn begin(store: &Sqlite, digest: u8, now: Time) {
    let (seen, until) = (now, now.plus(30 * DAY));
    let who = SessionOf::Player(name("ann"));
    let session = Session { digest: [digest; 32], who, since: now, seen, until };
    assert!(store.begin_session(session).await.unwrap());
}

/// In version 0.2.0 this deleted every session: 31 days ahead for 45 s deleted every session.
#[tokio::test]
async fn sessions_survive_a_clock_that_is_a_month_ahead_for_45_seconds() {
    let Folder { store, folder: _folder } = Folder::new();
    let (clocks, world) = world();
    begin(&store, 1, world.now()).await;
    clocks.set_off(31 * DAY.cast_signed());
    assert_eq!(store.counts(clocks.wall()).await.unwrap().sessions, 0, "by the wall clock it has ended");
    for _ in 0..45 {
        pass(&clocks, &world, SECOND);
        assert_eq!(store.forget_sessions(world.session_now()).await.unwrap(), 0);
    }
    assert!(store.session(&[1; 32], world.session_now()).await.unwrap().is_some());
}

#[tokio::test]
async fn sessions_are_kept_for_a_day_after_a_jump_that_was_followed_and_end_then() {
    let Folder { store, folder: _folder } = Folder::new();
    let (clocks, world) = world();
    begin(&store, 1, world.now()).await;
    begin(&store, 2, world.now()).await;
    clocks.set_off(31 * DAY.cast_signed());
    pass(&clocks, &world, 6 * MINUTE);
    assert_eq!(world.now(), clocks.wall(), "followed");
    assert_eq!(store.forget_sessions(world.session_now()).await.unwrap(), 0);
    // Who comes back within the day keeps the session, as a request does it.
    let now = world.session_now();
    assert!(store.session(&[1; 32], now).await.unwrap().is_some());
    assert!(store.touch_session(&[1; 32], now, world.now().plus(30 * DAY)).await.unwrap());
    clocks.passed.fetch_add(DAY + MINUTE, Ordering::Relaxed);
    assert_eq!(world.session_now(), world.now());
    assert_eq!(store.forget_sessions(world.session_now()).await.unwrap(), 1);
    assert!(store.session(&[1; 32], world.session_now()).await.unwrap().is_some());
    assert!(store.session(&[2; 32], world.session_now()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_start_with_a_clock_that_is_a_month_ahead_ends_no_session() {
    let Folder { store, folder: _folder } = Folder::new();
    let (clocks, before) = world();
    begin(&store, 1, before.now()).await;
    clocks.set_off(31 * DAY.cast_signed());
    let world = CheckedEnvironment::new(clocks.clone());
    world.compare_with_stored(Time(START));
    assert_eq!(world.now(), clocks.wall());
    assert_eq!(store.forget_sessions(world.session_now()).await.unwrap(), 0);
    assert!(store.session(&[1; 32], world.session_now()).await.unwrap().is_some());
    // A week of rest is no jump.
    let world = CheckedEnvironment::new(Clocks::new());
    world.compare_with_stored(Time(START - 6 * DAY));
    assert_eq!(world.session_now(), world.now());
}

/// A table with one player, over clocks that jump.
async fn table(store: &Sqlite, clocks: &Clocks) -> Host<Sqlite, CheckedEnvironment<Clocks>> {
    let host = Host::new(
        store.clone(),
        CheckedEnvironment::new(clocks.clone()),
        RulesCache::new(BuiltIn),
        crate::kit::keys(),
    );
    host.open(&operator(), &name("open"), config("t1", "ez")).await.unwrap();
    let purse = account(Owner::Player(name("ann")));
    host.issue(&operator(), &name("chips"), purse, 1_000_000).await.unwrap();
    host.command(&name("t1"), &player("ann"), &name("sit"), &Command::Sit { seat: 1 }).await.unwrap();
    host
}

/// Seconds until the next deadline of the table has been fired.
async fn seconds_until_tick(host: &Host<Sqlite, CheckedEnvironment<Clocks>>, clocks: &Clocks) -> u64 {
    for seconds in 0.. {
        if host.tick(&name("t1")).await.unwrap().is_some() {
            return seconds;
        }
        assert!(seconds < 120, "the table waits");
        pass(clocks, host.world(), SECOND);
    }
    unreachable!("a loop without end")
}

/// In version 0.2.0 tables waited for ten minutes: with the clock ten minutes back the tables waited for ten minutes.
#[tokio::test]
async fn tables_go_on_when_the_clock_goes_back_ten_minutes() {
    let Folder { store, folder: _folder } = Folder::new();
    let clocks = Clocks::new();
    let host = table(&store, &clocks).await;
    clocks.set_off(-600_000);
    for round in 1..=3 {
        let id = name(&format!("wager-{round}"));
        host.command(&name("t1"), &player("ann"), &id, &wager(2_500)).await.unwrap();
        for _ in 0..3 {
            assert!(seconds_until_tick(&host, &clocks).await <= 31);
        }
    }
    // The jump lasts and is followed in the middle of a phase: its deadline is ten minutes away by now.
    let (before, _) = host.table(&name("t1")).await.unwrap();
    let deadline = before.due().unwrap();
    while host.world().jumps().1 == 0 {
        pass(&clocks, host.world(), SECOND);
    }
    assert!(deadline.0 > host.world().now().0 + 5 * MINUTE, "out of reach");
    let at = host.world().now();
    assert!(before.due_from(at).unwrap().0 <= at.0 + 30 * SECOND);
    host.tick(&name("t1")).await.unwrap().unwrap();
    let (after, _) = host.table(&name("t1")).await.unwrap();
    assert!(after.due().unwrap().0 <= at.0 + 30 * SECOND, "the next phase is set by the time that is served");
    let report = paigow_server::audit(&store, RulesCache::new(BuiltIn)).await.unwrap();
    assert_eq!(report.findings, []);
}

fn is_wagers(phase: TablePhase) -> bool {
    matches!(phase, TablePhase::Wagers { .. })
}

fn is_settings(phase: TablePhase) -> bool {
    matches!(phase, TablePhase::Settings { .. })
}

fn is_between(phase: TablePhase) -> bool {
    matches!(phase, TablePhase::Between { .. })
}

/// A process whose clock was a day ahead set a deadline, and another takes the table over.
#[tokio::test]
async fn deadlines_that_were_set_by_a_clock_ahead_are_fired_in_every_phase() {
    let Folder { store, folder } = Folder::new();
    let ahead = Clocks::new();
    ahead.set_off(DAY.cast_signed());
    let host = table(&store, &ahead).await;
    host.command(&name("t1"), &player("ann"), &name("wager"), &wager(2_500)).await.unwrap();
    for (phase, is_phase) in [is_wagers, is_settings, is_between].into_iter().enumerate() {
        if phase > 0 {
            // The process that is ahead decides the next phase.
            ahead.passed.fetch_add(MINUTE, Ordering::Relaxed);
            host.tick(&name("t1")).await.unwrap().unwrap();
        }
        let copy = folder.path().join(format!("copy{phase}.db"));
        store.backup(&copy).await.unwrap();
        let copy = Sqlite::open(&copy).unwrap();
        let right = Host::new(
            copy.clone(),
            CheckedEnvironment::new(Clocks::new()),
            RulesCache::new(BuiltIn),
            crate::kit::keys(),
        );
        let (before, _) = right.table(&name("t1")).await.unwrap();
        assert!(before.due().unwrap().0 > right.world().now().0 + 23 * 60 * MINUTE);
        right.tick(&name("t1")).await.unwrap().unwrap();
        let (after, _) = right.table(&name("t1")).await.unwrap();
        assert!(after.due().unwrap().0 <= right.world().now().0 + 30 * SECOND);
        assert!(is_phase(before.phase()), "{:?}", before.phase());
        assert_eq!(paigow_server::audit(&copy, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    }
}
