//! Long computations, each run once: concurrent requests wait for the result, and later ones read it from a cache.

use crate::cache::{Cache, CacheKey};
use crate::table_progress::{BUILD_PERCENT, TableProgress};
use paigow::rulebook::BuiltIn;
use paigow::{HandClass, Rulebook};
use paigow_math::{BaseGame, Cancelled, DEALS, Matchup, NoPair, Progress, TableSide, Valuation, WorthTable};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Callback that receives the number of parts just completed.
///
/// Any thread may call it. It is dropped when the computation ends.
pub type ProgressTick = Box<dyn Fn(u64) + Send + Sync>;

/// Callback for the start of a computation: receives its name and its number of parts.
pub type ProgressWatcher = dyn Fn(&str, u64) -> ProgressTick + Send + Sync;

/// Maximum number of games in memory. The memory is cleared when it is full; the cache on disk is not.
const GAMES_MAX: usize = 1_024;

/// Maximum number of tables of worths in memory, about 110 MB each.
const TABLES_MAX: usize = 2;

/// Flag that cancels computations whose result is no longer needed. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Cancels the computation at the end of its current part.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs long computations and keeps their results. Threads may share it, and so do clones.
#[derive(Clone)]
pub struct Work {
    shared: Arc<WorkState>,
    watch: Arc<ProgressWatcher>,
    cancel: CancelFlag,
    /// Whether only results in memory or in the cache are returned.
    cached_only: bool,
    /// Progress of the table of worths that this handle builds, if a caller follows it.
    table_progress: Option<TableProgress>,
}

struct WorkState {
    cache: Option<Cache>,
    /// Games in memory, by the name of their key. The first thread to request a game counts it.
    games: Mutex<BTreeMap<String, Arc<OnceLock<BaseGame>>>>,
    /// Tables of worths in memory, by the name of their key, the last used last.
    tables: Mutex<Vec<(String, Arc<WorthTable>)>>,
    /// Locked while a game is counted or a table is built. Both use all cores, so two at once gain nothing.
    counting: Mutex<()>,
}

impl Work {
    /// Creates a `Work` with an optional cache on disk and a callback for progress.
    pub fn new(
        cache: Option<Cache>,
        watch: impl Fn(&str, u64) -> ProgressTick + Send + Sync + 'static,
    ) -> Work {
        let shared = WorkState {
            cache,
            games: Mutex::default(),
            tables: Mutex::default(),
            counting: Mutex::default(),
        };
        Work {
            shared: Arc::new(shared),
            watch: Arc::new(watch),
            cancel: CancelFlag::default(),
            cached_only: false,
            table_progress: None,
        }
    }

    /// Returns a handle that unwinds with [`Cancelled`] once `cancel` is set. It shares all results.
    #[must_use]
    pub fn with_cancel(&self, cancel: CancelFlag) -> Work {
        Work { cancel, ..self.clone() }
    }

    /// Returns a handle with another callback for progress. It shares all results.
    #[must_use]
    pub fn with_watcher(&self, watch: impl Fn(&str, u64) -> ProgressTick + Send + Sync + 'static) -> Work {
        Work { watch: Arc::new(watch), ..self.clone() }
    }

    /// Returns a handle that unwinds with [`Cancelled`] instead of counting a game or building a table. It shares all
    /// results.
    #[must_use]
    pub fn cached_only(&self) -> Work {
        Work { cached_only: true, ..self.clone() }
    }

    /// Returns a handle that reports the progress of a table of worths that it builds. It shares all results.
    #[must_use]
    pub fn with_table_progress(&self, progress: TableProgress) -> Work {
        Work { table_progress: Some(progress), ..self.clone() }
    }

    /// Unwinds with [`Cancelled`] if the work is cancelled. Computations without progress call it between their steps.
    pub fn stop_if_cancelled(&self) {
        if self.cancel.is_cancelled() {
            Cancelled::unwind();
        }
    }

    /// Creates a `Work` that reports no progress.
    pub fn without_progress(cache: Option<Cache>) -> Work {
        Work::new(cache, |_, _| Box::new(|_| {}))
    }

    /// Returns the cached result of a key, or computes and caches it.
    ///
    /// A cached value that `read` rejects is computed again.
    pub fn cached<T>(
        &self,
        key: &CacheKey,
        read: impl Fn(&Value) -> Option<T>,
        write: impl Fn(&T) -> Value,
        work: impl FnOnce() -> T,
    ) -> T {
        let cached = self.shared.cache.as_ref().and_then(|cache| cache.get(key));
        if let Some(result) = cached.as_ref().and_then(read) {
            return result;
        }
        let result = work();
        if let Some(cache) = &self.shared.cache {
            cache.put(key, &write(&result));
        }
        result
    }

    /// Returns the cached result of a key, or computes and caches it as [`Work::cached`] does. A handle that returns only
    /// results in memory or in the cache unwinds with [`Cancelled`] instead of computing.
    pub(crate) fn cached_long<T>(
        &self,
        key: &CacheKey,
        read: impl Fn(&Value) -> Option<T>,
        write: impl Fn(&T) -> Value,
        work: impl FnOnce() -> T,
    ) -> T {
        self.cached(key, read, write, || {
            if self.cached_only {
                Cancelled::unwind();
            }
            work()
        })
    }

    /// Runs a computation of this many parts and reports its progress. It unwinds with [`Cancelled`] once cancelled.
    pub fn with_progress<T>(&self, name: &str, parts: u64, work: impl FnOnce(Progress<'_>) -> T) -> T {
        let tick = (self.watch)(name, parts);
        work(&|done| {
            self.stop_if_cancelled();
            if done > 0 {
                tick(done);
            }
        })
    }

    /// Returns the counts of a base game: from memory, from the cache, or by counting.
    ///
    /// A thread that requests a game while another thread counts it waits for that count.
    pub fn base_game(&self, matchup: &Matchup<'_>) -> BaseGame {
        let push: Vec<&str> = matchup.dealer_push.iter().copied().map(HandClass::name).collect();
        let key = CacheKey::of(
            "base-game",
            &[
                &matchup.player.rules(),
                &matchup.dealer.rules(),
                &matchup.ranking.to_string(),
                &push.join(" "),
            ],
        );
        let name = if matchup.player.id() == matchup.dealer.id() {
            format!("base game, {}", matchup.dealer.id())
        } else {
            format!("base game, {} against {}", matchup.player.id(), matchup.dealer.id())
        };
        self.count_once(&key, || {
            self.with_progress(&name, BaseGame::WORK, |progress| BaseGame::count(matchup, progress))
        })
    }

    /// Returns the table of worths of a valuation: from memory, from the cache, or by building it.
    ///
    /// A table that is built is checked against the count of the base game by sets, which is independent of it.
    ///
    /// # Panics
    /// If the table and the count differ.
    pub fn worth_table(&self, valuation: &Valuation<'_>) -> Arc<WorthTable> {
        if let Some(table) = self.kept_worth_table(valuation) {
            return table;
        }
        if self.cached_only {
            Cancelled::unwind();
        }
        // Only one thread builds a table. Another one that needs it then finds it in memory.
        let _counting = lock(&self.shared.counting);
        self.kept_worth_table(valuation).unwrap_or_else(|| {
            let key = worth_key(valuation);
            let table = self.build_table(valuation);
            if let Some(cache) = &self.shared.cache {
                let built_in = built_in_tables();
                cache.put_bytes(&key, &table.to_bytes(), |name| built_in.contains(name));
            }
            self.keep_table(&key, table)
        })
    }

    /// Returns the table of worths of a valuation from memory or from the cache, or `None` if it must be built.
    pub fn kept_worth_table(&self, valuation: &Valuation<'_>) -> Option<Arc<WorthTable>> {
        let key = worth_key(valuation);
        let table = self.known_table(&key).or_else(|| self.stored_table(&key, valuation))?;
        if let Some(cache) = &self.shared.cache {
            // Also if the table was in memory: the file is needed after the next start.
            cache.touch_bytes(&key);
        }
        Some(table)
    }

    /// Reads a table from the cache.
    fn stored_table(&self, key: &CacheKey, valuation: &Valuation<'_>) -> Option<Arc<WorthTable>> {
        let bytes = self.shared.cache.as_ref()?.get_bytes(key)?;
        Some(self.keep_table(key, WorthTable::from_bytes(valuation, &bytes)?))
    }

    /// Keeps a table in memory, in place of the one that was not used for the longest time.
    fn keep_table(&self, key: &CacheKey, table: WorthTable) -> Arc<WorthTable> {
        let table = Arc::new(table);
        let mut tables = lock(&self.shared.tables);
        tables.retain(|(name, _)| name != key.name());
        if tables.len() >= TABLES_MAX {
            tables.remove(0);
        }
        tables.push((key.name().to_owned(), table.clone()));
        table
    }

    /// Returns a table from memory, and moves it to the end of the list.
    fn known_table(&self, key: &CacheKey) -> Option<Arc<WorthTable>> {
        let mut tables = lock(&self.shared.tables);
        let index = tables.iter().position(|(name, _)| name == key.name())?;
        let found = tables.remove(index);
        let table = found.1.clone();
        tables.push(found);
        Some(table)
    }

    /// Runs a stage of building a table, which takes this share of the time, in percent.
    fn with_table_stage<T>(
        &self,
        name: &str,
        parts: u64,
        percent: u64,
        work: impl FnOnce(Progress<'_>) -> T,
    ) -> T {
        let stage = self.table_progress.as_ref().map(|table_progress| table_progress.stage(parts, percent));
        self.with_progress(name, parts, |progress| {
            work(&|done| {
                progress(done);
                if let Some(stage) = &stage {
                    stage.add(done);
                }
            })
        })
    }

    fn build_table(&self, valuation: &Valuation<'_>) -> WorthTable {
        let way = valuation.opponent;
        let name = format!("worth of all settings, {} against {}", valuation.side.name(), way.id());
        let table = self.with_table_stage(&name, WorthTable::WORK, BUILD_PERCENT, |progress| {
            WorthTable::build(valuation, progress)
        });
        let name = format!("check, {}", way.id());
        let game = self.with_table_stage(&name, BaseGame::WORK_BY_SETS, 100 - BUILD_PERCENT, |progress| {
            let dealer_push = if valuation.side == TableSide::Banker { &[] } else { valuation.dealer_push };
            let matchup = Matchup { player: way, dealer: way, ranking: valuation.ranking, dealer_push };
            BaseGame::count_by_sets(&matchup, progress)
        });
        let players = game.outcomes(valuation.copies);
        let counted = match valuation.side {
            TableSide::Player => players,
            TableSide::Banker | TableSide::Dealer => players.exchanged(),
        };
        let priced = table.price(way, &table.decide(way)).outcomes;
        assert_eq!(priced, counted, "the worths do not add up to the count of the base game");
        table
    }

    /// Returns the game of a key, and counts it if neither memory nor the cache has it.
    fn count_once(&self, key: &CacheKey, count: impl FnOnce() -> BaseGame) -> BaseGame {
        let game = {
            let mut games = lock(&self.shared.games);
            if games.len() >= GAMES_MAX {
                games.clear();
            }
            games.entry(key.name().to_owned()).or_default().clone()
        };
        if self.cached_only {
            let cached =
                || self.shared.cache.as_ref().and_then(|cache| cache.get(key)).as_ref().and_then(read_game);
            return game.get().copied().or_else(cached).unwrap_or_else(|| Cancelled::unwind());
        }
        *game.get_or_init(|| {
            self.cached(key, read_game, write_game, || {
                let _counting = lock(&self.shared.counting);
                count()
            })
        })
    }
}

/// Key of a table of worths, made of everything that the table follows from.
pub(crate) fn worth_key(valuation: &Valuation<'_>) -> CacheKey {
    // A banking seat has no hands that push. Their order has no effect.
    let push = if valuation.side == TableSide::Banker { &[] } else { valuation.dealer_push };
    let mut push: Vec<&str> = push.iter().copied().map(HandClass::name).collect();
    push.sort_unstable();
    push.dedup();
    CacheKey::of(
        "worth",
        &[
            valuation.side.name(),
            &valuation.opponent.rules(),
            &valuation.ranking.to_string(),
            &push.join(" "),
            valuation.copies.name(),
            &valuation.commission.to_string(),
        ],
    )
}

/// Names of the tables of worths of the built-in books, each against the house way of the book.
fn built_in_tables() -> BTreeSet<String> {
    let books = BuiltIn::book_names().filter_map(|name| Rulebook::built_in(name).ok());
    let names = books.flat_map(|book| {
        let name = |side| worth_key(&Valuation::of(&book, side, &book.house_way)).name().to_owned();
        TableSide::of_book(&book).into_iter().map(name).collect::<Vec<String>>()
    });
    names.collect()
}

/// Locks a mutex and ignores poisoning: no thread panics while the data is inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_game(game: &BaseGame) -> Value {
    // All counts are below 2⁵³.
    let no_pair = game.no_pair.map(|pairs| [pairs.deals as i64, pairs.beaten as i64]);
    json!({
        "compared": game.compared.map(|row| row.map(|deals| deals as i64)),
        "dealer_push": game.dealer_push as i64,
        "no_pair": no_pair,
    })
}

fn read_game(value: &Value) -> Option<BaseGame> {
    let count = |value: &Value| value.as_i64().filter(|count| *count >= 0).map(i128::from);
    let mut game = BaseGame { dealer_push: count(&value["dealer_push"])?, ..BaseGame::default() };
    for (high, row) in game.compared.iter_mut().enumerate() {
        for (low, deals) in row.iter_mut().enumerate() {
            *deals = count(&value["compared"][high][low])?;
        }
    }
    for (rank, pairs) in game.no_pair.iter_mut().enumerate() {
        let counts = &value["no_pair"][rank];
        *pairs = NoPair { deals: count(&counts[0])?, beaten: count(&counts[1])? };
    }
    let all = game.compared.as_flattened().iter().sum::<i128>() + game.dealer_push;
    (all == DEALS).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    fn game_of(dealer_push: i128) -> BaseGame {
        let mut game = BaseGame { dealer_push, ..BaseGame::default() };
        game.compared[0][2] = DEALS - dealer_push;
        game
    }

    #[test]
    fn concurrent_requests_count_each_game_once_and_one_at_a_time() {
        let work = Work::without_progress(None);
        let (counts, at_once) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let request = &|number: i128| {
            work.count_once(&CacheKey::of("kind", &[&number.to_string()]), || {
                assert_eq!(at_once.fetch_add(1, Ordering::SeqCst), 0, "two games counted at once");
                counts.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(20));
                at_once.fetch_sub(1, Ordering::SeqCst);
                game_of(number)
            })
        };
        thread::scope(|scope| {
            for thread in 0..12 {
                let number = thread % 3;
                scope.spawn(move || assert_eq!(request(number), game_of(number)));
            }
        });
        assert_eq!(counts.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn failed_count_is_repeated_by_the_next_request() {
        let work = Work::without_progress(None);
        let key = CacheKey::of("kind", &[]);
        let failed = thread::scope(|scope| {
            scope.spawn(|| work.count_once(&key, || panic!("a count that fails"))).join()
        });
        assert!(failed.is_err());
        assert_eq!(work.count_once(&key, || game_of(7)), game_of(7));
    }

    #[test]
    fn cancelled_count_stops_at_the_next_part_and_is_repeated_by_the_next_request() {
        let (work, cancel) = (Work::without_progress(None), CancelFlag::default());
        let key = CacheKey::of("kind", &[]);
        let parts = AtomicUsize::new(0);
        let counted = Cancelled::catch_unwind(|| {
            let work = work.with_cancel(cancel.clone());
            work.count_once(&key, || {
                work.with_progress("work", 10, |progress| {
                    for _ in 0..10 {
                        progress(1);
                        parts.fetch_add(1, Ordering::SeqCst);
                        cancel.cancel();
                    }
                });
                game_of(1)
            })
        });
        assert_eq!((counted, parts.into_inner()), (Err(Cancelled), 1));
        assert_eq!(work.count_once(&key, || game_of(7)), game_of(7));
    }

    #[test]
    fn cached_only_returns_known_games_and_cancels_for_others() {
        let work = Work::without_progress(None);
        let (counted, other) = (CacheKey::of("kind", &["counted"]), CacheKey::of("kind", &["other"]));
        work.count_once(&counted, || game_of(3));
        let quick = work.cached_only();
        let never = || -> BaseGame { panic!("a game is counted") };
        assert_eq!(quick.count_once(&counted, never), game_of(3));
        assert_eq!(Cancelled::catch_unwind(|| quick.count_once(&other, never)), Err(Cancelled));
    }

    #[test]
    fn progress_of_a_table_follows_its_stages() {
        let progress = TableProgress::default();
        let work = Work::without_progress(None).with_table_progress(progress.clone());
        work.with_table_stage("build", 10, BUILD_PERCENT, |tick| {
            tick(10);
            assert_eq!(u64::from(progress.percent()), BUILD_PERCENT);
        });
        work.with_table_stage("check", 2, 100 - BUILD_PERCENT, |tick| tick(2));
        assert_eq!(progress.percent(), 100);
    }

    /// Some of the kept files are left for other tables.
    #[test]
    fn tables_of_built_in_books_are_named() {
        let names = built_in_tables();
        assert_eq!(names.len(), 9, "the Washington and the South Dakota book share their tables");
        let book = Rulebook::built_in("ez").unwrap();
        let valuation = Valuation::of(&book, TableSide::Dealer, &book.house_way);
        assert!(names.contains(worth_key(&valuation).name()));
        assert!(names.len() < crate::cache::BYTES_FILES_MAX);
    }

    #[test]
    fn cancelled_work_stops_between_steps() {
        let cancel = CancelFlag::default();
        let work = Work::without_progress(None).with_cancel(cancel.clone());
        work.stop_if_cancelled();
        cancel.cancel();
        assert_eq!(Cancelled::catch_unwind(|| work.stop_if_cancelled()), Err(Cancelled));
    }

    #[test]
    fn watcher_receives_start_and_progress() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let watcher_log = log.clone();
        let work = Work::new(None, move |name, parts| {
            lock(&watcher_log).push(format!("{name}: {parts}"));
            let tick_log = watcher_log.clone();
            Box::new(move |done| lock(&tick_log).push(done.to_string()))
        });
        work.with_progress("work", 3, |progress| [1, 2].map(progress));
        assert_eq!(*lock(&log), ["work: 3", "1", "2"]);
    }

    #[test]
    fn game_survives_a_round_trip_and_bad_values_are_rejected() {
        let mut game = BaseGame { dealer_push: 7, ..BaseGame::default() };
        game.compared[0][2] = DEALS - 7;
        game.no_pair[11] = NoPair { deals: 5, beaten: 3 };
        let written = write_game(&game);
        assert_eq!(read_game(&written), Some(game));
        game.compared[0][2] -= 1;
        assert_eq!(read_game(&write_game(&game)), None);
        assert_eq!(read_game(&json!({ "compared": [] })), None);
        assert_eq!(read_game(&Value::Null), None);
    }
}
