//! What tests of the server share: a clock and chance they set, a throw-away PostgreSQL, tables to play at.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // every test binary compiles this file whole and uses a part of it

pub(crate) mod cluster;

use paigow::rulebook::BuiltIn;
use paigow_server::{CommandResult, Environment, Host, HostError, RulesCache, Sqlite, Store};
use paigow_table::{
    Account, Actor, Clocks, Command, CommandId, Config, Currency, MasterKeys, Owner, TableId, TablePhase,
    Time,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Time and chance as a test sets them: every secret is another, and the same in every run.
pub(crate) struct Stage {
    pub(crate) now: AtomicU64,
    drawn: AtomicU64,
}

impl Stage {
    pub(crate) fn new(seed: u64) -> Stage {
        Stage { now: AtomicU64::new(1_000_000), drawn: AtomicU64::new(seed << 32) }
    }
}

impl Environment for Stage {
    fn now(&self) -> Time {
        Time(self.now.load(Ordering::Relaxed))
    }

    fn entropy(&self) -> Result<[u8; 32], getrandom::Error> {
        let drawn = self.drawn.fetch_add(1, Ordering::Relaxed);
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&drawn.to_be_bytes());
        bytes[31] = drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0];
        Ok(bytes)
    }
}

/// A store in a file of a folder that goes away.
pub(crate) struct Folder {
    pub(crate) store: Sqlite,
    pub(crate) folder: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        let folder = TempDir::new().unwrap();
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        Folder { store, folder }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("paigow.db")
    }
}

pub(crate) fn host<S: Store>(store: S, seed: u64) -> Host<S, Stage> {
    Host::new(store, Stage::new(seed), RulesCache::new(BuiltIn), keys())
}

/// The master key of tests.
pub(crate) fn keys() -> Arc<MasterKeys> {
    Arc::new(MasterKeys::new(&[[7; 32]]).unwrap())
}

pub(crate) fn name<T: std::str::FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    text.parse().unwrap()
}

pub(crate) fn player(text: &str) -> Actor {
    Actor::Player(name(text))
}

pub(crate) fn operator() -> Actor {
    Actor::Operator(name("olga"))
}

pub(crate) fn chips() -> Currency {
    name("PRACTICE")
}

pub(crate) fn account(owner: Owner) -> Account {
    Account { owner, currency: chips() }
}

pub(crate) fn purse(player: &str) -> Account {
    account(Owner::Player(name(player)))
}

pub(crate) fn config(table: &str, book: &str) -> Config {
    Config {
        table: name(table),
        book: book.to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: chips(),
        clocks: Clocks::default(),
        dealer_wager_cents: 0,
        bots: 0,
    }
}

pub(crate) fn wager(cents: u64) -> Command {
    Command::Wager { wager: "pai-gow".to_owned(), cents, color: None }
}

/// A table with its players, and names for their commands.
pub(crate) struct Play<'h, S> {
    pub(crate) host: &'h Host<S, Stage>,
    pub(crate) table: TableId,
    pub(crate) players: Vec<String>,
    given: AtomicU64,
}

impl<'h, S: Store> Play<'h, S> {
    /// A table that is open, with players who have chips and sit.
    pub(crate) async fn open(host: &'h Host<S, Stage>, table: &str, book: &str, seats: u8) -> Play<'h, S> {
        let play = Play::empty(host, table, seats);
        host.open(&operator(), &name(&format!("open-{table}")), config(table, book)).await.unwrap();
        for (seat, player) in (1..).zip(&play.players) {
            play.issue(player, 1_000_000).await;
            play.done(player, Command::Sit { seat }).await;
        }
        play
    }

    pub(crate) fn empty(host: &'h Host<S, Stage>, table: &str, seats: u8) -> Play<'h, S> {
        let players = (1..=seats).map(|seat| format!("{table}-p{seat}")).collect();
        Play { host, table: name(table), players, given: AtomicU64::new(0) }
    }

    pub(crate) async fn issue(&self, player: &str, cents: u64) {
        self.host.issue(&operator(), &self.next("issue"), purse(player), cents).await.unwrap();
    }

    pub(crate) fn next(&self, what: &str) -> CommandId {
        let given = self.given.fetch_add(1, Ordering::Relaxed);
        name(&format!("{what}-{}-{given}", self.table))
    }

    pub(crate) async fn give(&self, player: &str, command: Command) -> Result<CommandResult, HostError> {
        let by = Actor::Player(name(player));
        self.host.command(&self.table, &by, &self.next("c"), &command).await
    }

    pub(crate) async fn done(&self, player: &str, command: Command) -> CommandResult {
        let what = format!("{player} {command:?}");
        self.give(player, command).await.unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// Lets the clock run to what is due at the table next.
    pub(crate) async fn clock(&self) -> CommandResult {
        let (table, _) = self.host.table(&self.table).await.unwrap();
        self.host.world().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
        self.host.tick(&self.table).await.unwrap().unwrap()
    }

    /// A whole round: everybody wagers, half set their hands the house way, time sees to the rest.
    pub(crate) async fn round(&self) {
        let (table, _) = self.host.table(&self.table).await.unwrap();
        if let TablePhase::Offering { seat, .. } = table.phase() {
            let banker = &self.players[usize::from(seat) - 1];
            self.done(banker, Command::TakeBank { cents: 10_000 }).await;
        }
        for player in &self.players {
            // Who banks is refused.
            let _ = self.give(player, wager(2_500)).await;
        }
        self.clock().await;
        for player in self.players.iter().step_by(2) {
            let _ = self.give(player, Command::HouseWay).await;
        }
        let (table, _) = self.host.table(&self.table).await.unwrap();
        if matches!(table.phase(), TablePhase::Settings { .. }) {
            self.clock().await;
        }
        self.clock().await;
    }
}
