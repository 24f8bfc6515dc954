//! A wall clock that jumps: sessions survive, play continues, and deadlines recover. The tests set the time and do not
//! wait.

use crate::kit::{TempStore, account, config, name, operator, player, wager};
use paigow::rulebook::BuiltIn;
use paigow_server::{
    CheckedEnvironment, Environment, Host, People, RulesCache, Session, SessionOwner, Sqlite, TimeSource,
};
use paigow_table::{Command, Owner, TablePhase, Time};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const DAY: u64 = 24 * 60 * MINUTE;
const START: u64 = 1_800_000_000_000;

/// Settable clocks.
#[derive(Clone)]
struct Clocks {
    /// Monotonic milliseconds.
    passed: Arc<AtomicU64>,
    /// Offset of the wall clock from the correct time, in milliseconds.
    offset: Arc<AtomicI64>,
}

impl Clocks {
    fn new() -> Clocks {
        Clocks { passed: Arc::default(), offset: Arc::default() }
    }

    fn set_offset(&self, ms: i64) {
        self.offset.store(ms, Ordering::Relaxed);
    }

    /// The time without jumps.
    fn correct_time(&self) -> u64 {
        START + self.passed.load(Ordering::Relaxed)
    }
}

impl TimeSource for Clocks {
    fn wall(&self) -> Time {
        Time(self.correct_time().saturating_add_signed(self.offset.load(Ordering::Relaxed)))
    }

    fn monotonic(&self) -> Duration {
        Duration::from_millis(self.passed.load(Ordering::Relaxed))
    }
}

/// Advances the clocks and reads them as often as a server does.
fn advance(clocks: &Clocks, environment: &CheckedEnvironment<Clocks>, ms: u64) {
    for _ in 0..ms / 250 {
        clocks.passed.fetch_add(250, Ordering::Relaxed);
        environment.now();
    }
}

fn environment() -> (Clocks, CheckedEnvironment<Clocks>) {
    let clocks = Clocks::new();
    (clocks.clone(), CheckedEnvironment::new(clocks))
}

#[test]
fn short_jump_is_counted_and_not_followed() {
    for offset in [31 * DAY.cast_signed(), -600_000, 2_500, -2_500, -3_650 * DAY.cast_signed(), 3_600_000] {
        let (clocks, environment) = environment();
        advance(&clocks, &environment, MINUTE);
        clocks.set_offset(offset);
        advance(&clocks, &environment, 45 * SECOND);
        assert_eq!(environment.now(), Time(clocks.correct_time()), "{offset}");
        assert_eq!(environment.session_now(), Time(clocks.correct_time()));
        assert_eq!(environment.jumps(), (1, 0));
        assert!(environment.jumped_ms().is_some());
        clocks.set_offset(0);
        advance(&clocks, &environment, SECOND);
        assert_eq!(
            (environment.now(), environment.jumped_ms(), environment.jumps()),
            (Time(clocks.correct_time()), None, (1, 0))
        );
    }
}

#[test]
fn lasting_jump_is_followed_after_five_minutes() {
    for offset in [DAY.cast_signed(), -600_000] {
        let (clocks, environment) = environment();
        clocks.set_offset(offset);
        advance(&clocks, &environment, 4 * MINUTE);
        // Another jump restarts the five minutes.
        clocks.set_offset(2 * offset);
        advance(&clocks, &environment, 4 * MINUTE);
        clocks.set_offset(offset);
        advance(&clocks, &environment, 4 * MINUTE);
        assert_eq!((environment.now(), environment.jumps()), (Time(clocks.correct_time()), (3, 0)));
        advance(&clocks, &environment, MINUTE + SECOND);
        assert_eq!(environment.now(), clocks.wall());
        assert_eq!((environment.jumped_ms(), environment.jumps()), (None, (3, 1)));
    }
}

#[test]
fn slewed_clock_is_followed_and_faster_drift_is_a_jump() {
    let (clocks, environment) = environment();
    for step in 0..600 {
        clocks.set_offset(step * 250 / 40);
        advance(&clocks, &environment, 250);
    }
    assert!(environment.now().0.abs_diff(clocks.wall().0) <= 100, "half of the maximum difference");
    assert_eq!(environment.jumps(), (0, 0));
    let (clocks, environment) = self::environment();
    for step in 0..600 {
        clocks.set_offset(step * 50);
        advance(&clocks, &environment, 250);
    }
    assert!(environment.jumps().0 > 0);
    assert!(
        environment.now().0 - clocks.correct_time() < 12 * SECOND,
        "the clock drifts 30 s in two and a half minutes"
    );
}

/// The monotonic clock does not count eight hours of suspend.
#[test]
fn suspended_machine_has_the_right_time_after_five_minutes() {
    let (clocks, environment) = environment();
    clocks.set_offset(8 * 3_600_000);
    advance(&clocks, &environment, 6 * MINUTE);
    assert_eq!(environment.now(), clocks.wall());
    advance(&clocks, &environment, 10 * MINUTE);
    assert_eq!((environment.now(), environment.jumps()), (clocks.wall(), (1, 1)));
}

async fn begin(store: &Sqlite, digest: u8, now: Time) {
    let (seen, until) = (now, now.plus(30 * DAY));
    let who = SessionOwner::Player(name("ann"));
    let session = Session { digest: [digest; 32], who, since: now, seen, until, client: String::new() };
    assert!(store.begin_session(session).await.unwrap());
}

/// In version 0.2.0 a clock 31 days ahead for 45 s deleted every session.
#[tokio::test]
async fn sessions_survive_a_clock_ahead_for_45_seconds() {
    let TempStore { store, folder: _folder } = TempStore::new();
    let (clocks, environment) = environment();
    begin(&store, 1, environment.now()).await;
    clocks.set_offset(31 * DAY.cast_signed());
    assert_eq!(
        store.counts(clocks.wall()).await.unwrap().sessions,
        0,
        "the session has expired by the wall clock"
    );
    for _ in 0..45 {
        advance(&clocks, &environment, SECOND);
        assert_eq!(store.forget_sessions(environment.session_now()).await.unwrap(), 0);
    }
    assert!(store.session(&[1; 32], environment.session_now()).await.unwrap().is_some());
}

#[tokio::test]
async fn sessions_last_a_day_longer_after_a_followed_jump() {
    let TempStore { store, folder: _folder } = TempStore::new();
    let (clocks, environment) = environment();
    begin(&store, 1, environment.now()).await;
    begin(&store, 2, environment.now()).await;
    clocks.set_offset(31 * DAY.cast_signed());
    advance(&clocks, &environment, 6 * MINUTE);
    assert_eq!(environment.now(), clocks.wall(), "the jump is followed");
    assert_eq!(store.forget_sessions(environment.session_now()).await.unwrap(), 0);
    // A request within the day renews the session.
    let now = environment.session_now();
    assert!(store.session(&[1; 32], now).await.unwrap().is_some());
    assert!(store.touch_session(&[1; 32], now, environment.now().plus(30 * DAY)).await.unwrap());
    clocks.passed.fetch_add(DAY + MINUTE, Ordering::Relaxed);
    assert_eq!(environment.session_now(), environment.now());
    assert_eq!(store.forget_sessions(environment.session_now()).await.unwrap(), 1);
    assert!(store.session(&[1; 32], environment.session_now()).await.unwrap().is_some());
    assert!(store.session(&[2; 32], environment.session_now()).await.unwrap().is_none());
}

#[tokio::test]
async fn start_with_a_clock_ahead_ends_no_session() {
    let TempStore { store, folder: _folder } = TempStore::new();
    let (clocks, before) = environment();
    begin(&store, 1, before.now()).await;
    clocks.set_offset(31 * DAY.cast_signed());
    let environment = CheckedEnvironment::new(clocks.clone());
    environment.compare_with_stored(Time(START));
    assert_eq!(environment.now(), clocks.wall());
    assert_eq!(store.forget_sessions(environment.session_now()).await.unwrap(), 0);
    assert!(store.session(&[1; 32], environment.session_now()).await.unwrap().is_some());
    // A pause of six days is not a jump.
    let environment = CheckedEnvironment::new(Clocks::new());
    environment.compare_with_stored(Time(START - 6 * DAY));
    assert_eq!(environment.session_now(), environment.now());
}

/// Opens a table with one player on clocks that jump.
async fn table(store: &Sqlite, clocks: &Clocks) -> Host<Sqlite, CheckedEnvironment<Clocks>> {
    let host = Host::new(
        store.clone(),
        CheckedEnvironment::new(clocks.clone()),
        RulesCache::new(BuiltIn),
        crate::kit::keys(),
    );
    host.open(&operator(), &name("open"), config("t1", "ez")).await.unwrap();
    let player_account = account(Owner::Player(name("ann")));
    host.issue(&operator(), &name("chips"), player_account, 1_000_000).await.unwrap();
    host.command(&name("t1"), &player("ann"), &name("sit"), &Command::Sit { seat: 1 }).await.unwrap();
    host
}

/// Returns the seconds until the table's next deadline fires.
async fn seconds_until_tick(host: &Host<Sqlite, CheckedEnvironment<Clocks>>, clocks: &Clocks) -> u64 {
    for seconds in 0.. {
        if host.tick(&name("t1")).await.unwrap().is_some() {
            return seconds;
        }
        assert!(seconds < 120, "no deadline fires");
        advance(clocks, host.environment(), SECOND);
    }
    unreachable!("the loop has no end")
}

/// In version 0.2.0 tables waited ten minutes after the clock went back ten minutes.
#[tokio::test]
async fn play_continues_when_the_clock_goes_back_ten_minutes() {
    let TempStore { store, folder: _folder } = TempStore::new();
    let clocks = Clocks::new();
    let host = table(&store, &clocks).await;
    clocks.set_offset(-600_000);
    for round in 1..=3 {
        let id = name(&format!("wager-{round}"));
        host.command(&name("t1"), &player("ann"), &id, &wager(2_500)).await.unwrap();
        for _ in 0..3 {
            assert!(seconds_until_tick(&host, &clocks).await <= 31);
        }
    }
    // The jump lasts and is followed during a phase, whose deadline is then ten minutes away.
    let (before, _) = host.table(&name("t1")).await.unwrap();
    let deadline = before.due().unwrap();
    while host.environment().jumps().1 == 0 {
        advance(&clocks, host.environment(), SECOND);
    }
    assert!(deadline.0 > host.environment().now().0 + 5 * MINUTE, "the deadline is within five minutes");
    let at = host.environment().now();
    assert!(before.due_from(at).unwrap().0 <= at.0 + 30 * SECOND);
    host.tick(&name("t1")).await.unwrap().unwrap();
    let (after, _) = host.table(&name("t1")).await.unwrap();
    assert!(
        after.due().unwrap().0 <= at.0 + 30 * SECOND,
        "the deadline of the next phase follows the new time"
    );
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

/// A process with a clock a day ahead sets a deadline, and another process takes over the table.
#[tokio::test]
async fn deadlines_set_by_a_clock_ahead_fire_in_every_phase() {
    let TempStore { store, folder } = TempStore::new();
    let ahead = Clocks::new();
    ahead.set_offset(DAY.cast_signed());
    let host = table(&store, &ahead).await;
    host.command(&name("t1"), &player("ann"), &name("wager"), &wager(2_500)).await.unwrap();
    for (phase, is_phase) in [is_wagers, is_settings, is_between].into_iter().enumerate() {
        if phase > 0 {
            // The process with the clock ahead decides the next phase.
            ahead.passed.fetch_add(MINUTE, Ordering::Relaxed);
            host.tick(&name("t1")).await.unwrap().unwrap();
        }
        let copy = folder.path().join(format!("copy{phase}.db"));
        store.backup(&copy).await.unwrap();
        let copy = Sqlite::open(&copy).unwrap();
        let other = Host::new(
            copy.clone(),
            CheckedEnvironment::new(Clocks::new()),
            RulesCache::new(BuiltIn),
            crate::kit::keys(),
        );
        let (before, _) = other.table(&name("t1")).await.unwrap();
        assert!(before.due().unwrap().0 > other.environment().now().0 + 23 * 60 * MINUTE);
        other.tick(&name("t1")).await.unwrap().unwrap();
        let (after, _) = other.table(&name("t1")).await.unwrap();
        assert!(after.due().unwrap().0 <= other.environment().now().0 + 30 * SECOND);
        assert!(is_phase(before.phase()), "{:?}", before.phase());
        assert_eq!(paigow_server::audit(&copy, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    }
}
