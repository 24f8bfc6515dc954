//! Shared by the tests of the server: a settable environment, a temporary PostgreSQL cluster, and tables with players.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)] // each test binary uses a part of this file

pub(crate) mod certificates;
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

/// Environment with a settable clock. Secrets are distinct, and the same in every run.
pub(crate) struct TestEnvironment {
    pub(crate) now: AtomicU64,
    drawn: AtomicU64,
}

impl TestEnvironment {
    pub(crate) fn new(seed: u64) -> TestEnvironment {
        TestEnvironment { now: AtomicU64::new(1_000_000), drawn: AtomicU64::new(seed << 32) }
    }
}

impl Environment for TestEnvironment {
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

/// An SQLite store in a temporary folder.
pub(crate) struct TempStore {
    pub(crate) store: Sqlite,
    pub(crate) folder: TempDir,
}

impl TempStore {
    pub(crate) fn new() -> TempStore {
        let folder = TempDir::new().unwrap();
        let store = Sqlite::open(&folder.path().join("paigow.db")).unwrap();
        TempStore { store, folder }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("paigow.db")
    }
}

pub(crate) fn host<S: Store>(store: S, seed: u64) -> Host<S, TestEnvironment> {
    Host::new(store, TestEnvironment::new(seed), RulesCache::new(BuiltIn), keys())
}

/// Returns the master key of the tests.
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

pub(crate) fn player_account(player: &str) -> Account {
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
        name: None,
        private: false,
        house_way_toml: None,
    }
}

pub(crate) fn wager(cents: u64) -> Command {
    Command::Wager { wager: "pai-gow".to_owned(), cents, color: None }
}

/// A table with its players, and ids for their commands.
pub(crate) struct Game<'h, S> {
    pub(crate) host: &'h Host<S, TestEnvironment>,
    pub(crate) table: TableId,
    pub(crate) players: Vec<String>,
    commands: AtomicU64,
}

impl<'h, S: Store> Game<'h, S> {
    /// Opens a table and seats players with chips.
    pub(crate) async fn open(
        host: &'h Host<S, TestEnvironment>,
        table: &str,
        book: &str,
        seats: u8,
    ) -> Game<'h, S> {
        let game = Game::new(host, table, seats);
        host.open(&operator(), &name(&format!("open-{table}")), config(table, book)).await.unwrap();
        for (seat, player) in (1..).zip(&game.players) {
            game.issue(player, 1_000_000).await;
            game.expect_done(player, Command::Sit { seat }).await;
        }
        game
    }

    pub(crate) fn new(host: &'h Host<S, TestEnvironment>, table: &str, seats: u8) -> Game<'h, S> {
        let players = (1..=seats).map(|seat| format!("{table}-p{seat}")).collect();
        Game { host, table: name(table), players, commands: AtomicU64::new(0) }
    }

    /// Numbers the next commands from `first`, so that they have other ids than those of an earlier process.
    pub(crate) fn numbered_from(self, first: u64) -> Game<'h, S> {
        self.commands.store(first, Ordering::Relaxed);
        self
    }

    pub(crate) async fn issue(&self, player: &str, cents: u64) {
        self.host.issue(&operator(), &self.next_id("issue"), player_account(player), cents).await.unwrap();
    }

    pub(crate) fn next_id(&self, prefix: &str) -> CommandId {
        let commands = self.commands.fetch_add(1, Ordering::Relaxed);
        name(&format!("{prefix}-{}-{commands}", self.table))
    }

    pub(crate) async fn send(&self, player: &str, command: Command) -> Result<CommandResult, HostError> {
        let by = Actor::Player(name(player));
        self.host.command(&self.table, &by, &self.next_id("c"), &command).await
    }

    pub(crate) async fn expect_done(&self, player: &str, command: Command) -> CommandResult {
        let label = format!("{player} {command:?}");
        self.send(player, command).await.unwrap_or_else(|error| panic!("{label}: {error}"))
    }

    /// Advances the clock to the table's next deadline and fires it.
    pub(crate) async fn fire_deadline(&self) -> CommandResult {
        let (table, _) = self.host.table(&self.table).await.unwrap();
        self.host.environment().now.fetch_max(table.due().unwrap().0, Ordering::Relaxed);
        self.host.tick(&self.table).await.unwrap().unwrap()
    }

    /// Plays a round: all players wager, every second one sets the house way, and deadlines do the rest.
    pub(crate) async fn play_round(&self) {
        let (table, _) = self.host.table(&self.table).await.unwrap();
        if let TablePhase::Offering { seat, .. } = table.phase() {
            let banker = &self.players[usize::from(seat) - 1];
            self.expect_done(banker, Command::TakeBank { cents: 10_000 }).await;
        }
        for player in &self.players {
            // The banker's wager is refused.
            let _ = self.send(player, wager(2_500)).await;
        }
        self.fire_deadline().await;
        for player in self.players.iter().step_by(2) {
            let _ = self.send(player, Command::HouseWay).await;
        }
        let (table, _) = self.host.table(&self.table).await.unwrap();
        if matches!(table.phase(), TablePhase::Settings { .. }) {
            self.fire_deadline().await;
        }
        self.fire_deadline().await;
    }
}
