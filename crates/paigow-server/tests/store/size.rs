//! Size of a round of four players on disk, before and after sealing.
//!
//! `PAIGOW_MEASURE=1 cargo test --release -p paigow-server --test store size:: -- --nocapture` prints the sizes and times of
//! more rounds.

use crate::kit::cluster::Cluster;
use crate::kit::{Game, TempStore, TestEnvironment, host, name};
use paigow::rulebook::BuiltIn;
use paigow_server::{AnyStore, Host, RulesCache, Store, audit, compact, records};
use paigow_table::{Actor, Command, CommandId, SeatBytes, Stake, TablePhase, Time};
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};

const BOOKS: [&str; 5] = ["south-dakota", "washington", "california", "south-beach", "ez"];
const SEATS: u8 = 4;
/// Target for a round after sealing, in bytes.
const BYTES_MAX: u64 = 4_096;

/// A game whose commands have random ids, as those of the page.
struct RandomIdGame<'h> {
    game: Game<'h, AnyStore>,
    sent: u64,
}

impl RandomIdGame<'_> {
    fn random(&mut self) -> [u8; 32] {
        self.sent += 1;
        Sha256::digest(format!("{} {}", self.game.table, self.sent)).into()
    }

    fn id(&mut self) -> CommandId {
        let random = data_encoding::HEXLOWER.encode(&self.random());
        name(&format!("{}-{}-{}", &random[..8], &random[8..12], &random[12..32]))
    }

    /// Sends a command that the rules may refuse.
    async fn send(&mut self, seat: u8, command: Command) {
        let (by, id) = (Actor::Player(name(&self.game.players[usize::from(seat) - 1])), self.id());
        // The banker's wagers are refused.
        let _ = self.game.host.command(&self.game.table, &by, &id, &command).await;
    }

    /// Plays a round with every command that the page sends for a player.
    async fn round(&mut self) {
        let (table, _) = self.game.host.table(&self.game.table).await.unwrap();
        if let TablePhase::Offering { seat, .. } = table.phase() {
            self.send(seat, Command::TakeBank { cents: 50_000 }).await;
        }
        let book = table.table_rules().book();
        let side = book.wagers.iter().find(|wager| wager.offered).map(|wager| wager.name.clone());
        let mut secrets = Vec::new();
        for seat in 1..=SEATS {
            let stake = |wager: &str, cents| Stake { wager: wager.to_owned(), cents, color: None };
            let base = stake("pai-gow", 2_500);
            let wagers = [base].into_iter().chain(side.iter().map(|wager| stake(wager, 500))).collect();
            let bytes = SeatBytes::new(self.random().to_vec()).unwrap();
            let commitment = Some(bytes.commitment(&self.game.table, table.round_number(), seat));
            self.send(seat, Command::Wagers { wagers, ready: true, commitment }).await;
            secrets.push((seat, bytes));
        }
        for (seat, bytes) in secrets {
            self.send(seat, Command::Reveal { bytes }).await;
        }
        let (table, _) = self.game.host.table(&self.game.table).await.unwrap();
        if matches!(table.phase(), TablePhase::Wagers { .. } | TablePhase::Revealing { .. }) {
            self.game.fire_deadline().await;
        }
        for seat in 1..=SEATS {
            self.send(seat, Command::HouseWay).await;
        }
        while !matches!(
            self.game.host.table(&self.game.table).await.unwrap().0.phase(),
            TablePhase::Between { .. }
        ) {
            self.game.fire_deadline().await;
        }
        self.game.fire_deadline().await;
    }
}

/// Plays rounds of every book at a table each.
async fn play(store: &AnyStore, rounds: u64) {
    let hosts: Vec<Host<AnyStore, TestEnvironment>> =
        (1..).take(BOOKS.len()).map(|seed| host(store.clone(), seed)).collect();
    let mut games = Vec::new();
    for (host, book) in hosts.iter().zip(BOOKS) {
        games.push(RandomIdGame {
            game: Game::open(host, &format!("practice-{book}"), book, SEATS).await,
            sent: 0,
        });
    }
    for _ in 0..rounds {
        for game in &mut games {
            game.round().await;
        }
    }
}

/// Returns the times of an audit, of a replay of all rounds and of reading one old event.
async fn times(store: &AnyStore) -> [Duration; 3] {
    let start = Instant::now();
    assert_eq!(audit(store, RulesCache::new(BuiltIn)).await.unwrap().findings, []);
    let audited = start.elapsed();
    let start = Instant::now();
    for head in store.tables().await.unwrap() {
        let events = store.events(&head.table, 0).await.unwrap();
        assert!(!records(&head.table, &events, &RulesCache::new(BuiltIn)).unwrap().is_empty());
    }
    let replayed = start.elapsed();
    let start = Instant::now();
    for after in 0..20 {
        store.log(&name("practice-ez"), after * 3, 1).await.unwrap();
    }
    [audited, replayed, start.elapsed() / 20]
}

/// Plays and seals rounds. `settle` releases unused space. Returns the bytes of a round before and after.
async fn measure<F: Future<Output = ()>>(
    what: &str,
    store: AnyStore,
    settle: impl Fn(AnyStore) -> F,
) -> (u64, u64) {
    let rounds = if std::env::var_os("PAIGOW_MEASURE").is_some() { 200 } else { 64 };
    settle(store.clone()).await;
    let empty = store.size().await.unwrap();
    play(&store, rounds).await;
    let total = rounds * BOOKS.len() as u64;
    settle(store.clone()).await;
    let before = (store.size().await.unwrap() - empty) / total;
    let [audited, replayed, read] = times(&store).await;
    let start = Instant::now();
    let report = compact(&store, Time(u64::MAX)).await.unwrap();
    let sealing = start.elapsed();
    assert_eq!(report.sealed.refused, [""; 0]);
    settle(store.clone()).await;
    // The last rounds of every table are rows.
    let (sealed, rows) = (report.sealed.rounds, total - report.sealed.rounds);
    let after = (store.size().await.unwrap() - empty).saturating_sub(rows * before) / sealed;
    let [audited_after, replayed_after, read_after] = times(&store).await;
    println!(
        "{what}: {sealed} of {total} rounds sealed in {sealing:.1?}: {before} bytes a round before, {after} after; \
         audit {audited:.1?} and {audited_after:.1?}; replay {replayed:.1?} and {replayed_after:.1?}; \
         one old event {read:.2?} and {read_after:.2?}"
    );
    (before, after)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sealed_rounds_take_at_most_four_kilobytes_in_a_file() {
    let folder = TempStore::new();
    let settle = async |store: AnyStore| store.release_space().await.unwrap();
    let (before, after) = measure("SQLite", AnyStore::Sqlite(folder.store.clone()), settle).await;
    assert!(after <= BYTES_MAX && after < before / 3, "{before} {after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sealed_rounds_take_at_most_four_kilobytes_in_postgres() {
    let cluster = Cluster::start_with("-c fsync=off");
    let address = cluster.database().await;
    // Returns unused space to the disk, as if all rows had been sealed before others were written.
    let settle = async |_| {
        let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute("VACUUM FULL").await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    };
    let (before, after) = measure("PostgreSQL", AnyStore::open(&address).await.unwrap(), settle).await;
    assert!(after <= BYTES_MAX && after < before / 3, "{before} {after}");
}
