//! Long work: one thread does it while others who ask for the same wait, and its result is kept for the next time.

use crate::cache::{Cache, CacheKey};
use paigow::HandClass;
use paigow_math::{BaseGame, Cancelled, DEALS, NoPair, Progress, Sides};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Told of every part of some work that is done, from any thread, and dropped when all of it is.
pub type ProgressTick = Box<dyn Fn(u64) + Send + Sync>;

/// Told what work begins and how many parts it has.
pub type ProgressWatcher = dyn Fn(&str, u64) -> ProgressTick + Send + Sync;

/// The most games that are remembered; those counted before are in the cache.
const GAMES_MAX: usize = 1_024;

/// Stops long work whose result is no longer wanted. Clones stop the same work.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Stops the work at the end of the part it is at.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does long work and remembers its results. Threads may share it.
pub struct Work {
    shared: Arc<WorkState>,
    cancel: CancelFlag,
    /// Whether nothing is counted.
    kept_only: bool,
}

struct WorkState {
    cache: Option<Cache>,
    watch: Box<ProgressWatcher>,
    /// The games that were asked for, each counted by whoever asks first.
    games: Mutex<BTreeMap<String, Arc<OnceLock<BaseGame>>>>,
    /// Held while a game is counted: it takes all cores and much memory, so two at once gain nothing.
    counting: Mutex<()>,
}

impl Work {
    /// Work whose results are kept in a cache, if there is one, and that somebody watches.
    pub fn new(
        cache: Option<Cache>,
        watch: impl Fn(&str, u64) -> ProgressTick + Send + Sync + 'static,
    ) -> Work {
        let watch = Box::new(watch);
        let shared = WorkState { cache, watch, games: Mutex::default(), counting: Mutex::default() };
        Work { shared: Arc::new(shared), cancel: CancelFlag::default(), kept_only: false }
    }

    /// The same work, which unwinds with [`Cancelled`] once it is cancelled. Results are shared with all others.
    #[must_use]
    pub fn until(&self, cancel: CancelFlag) -> Work {
        Work { shared: self.shared.clone(), cancel, kept_only: self.kept_only }
    }

    /// The same work, which unwinds with [`Cancelled`] where a game would have to be counted first.
    #[must_use]
    pub fn kept_only(&self) -> Work {
        Work { shared: self.shared.clone(), cancel: self.cancel.clone(), kept_only: true }
    }

    /// Work that nobody watches.
    pub fn unwatched(cache: Option<Cache>) -> Work {
        Work::new(cache, |_, _| Box::new(|_| {}))
    }

    /// What is kept under a key, if it reads as what is asked for; otherwise what the work gives, which is then kept.
    pub fn result<T>(
        &self,
        key: &CacheKey,
        read: impl Fn(&Value) -> Option<T>,
        write: impl Fn(&T) -> Value,
        work: impl FnOnce() -> T,
    ) -> T {
        let kept = self.shared.cache.as_ref().and_then(|cache| cache.get(key));
        if let Some(result) = kept.as_ref().and_then(read) {
            return result;
        }
        let result = work();
        if let Some(cache) = &self.shared.cache {
            cache.put(key, &write(&result));
        }
        result
    }

    /// Does work of so many parts while it is watched.
    pub fn watched<T>(&self, what: &str, parts: u64, work: impl FnOnce(Progress<'_>) -> T) -> T {
        let tick = (self.shared.watch)(what, parts);
        work(&|done| {
            if self.cancel.is_cancelled() {
                Cancelled::throw();
            }
            if done > 0 {
                tick(done);
            }
        })
    }

    /// The base game, counted or remembered. Whoever asks for one that is being counted waits for it.
    pub fn base_game(&self, sides: &Sides<'_>) -> BaseGame {
        let push: Vec<&str> = sides.dealer_push.iter().copied().map(HandClass::name).collect();
        let key = CacheKey::of(
            "base-game",
            &[&sides.player.rules(), &sides.dealer.rules(), &sides.ranking.to_string(), &push.join(" ")],
        );
        let what = if sides.player.id() == sides.dealer.id() {
            format!("base game, {}", sides.dealer.id())
        } else {
            format!("base game, {} against {}", sides.player.id(), sides.dealer.id())
        };
        self.counted_once(&key, || {
            self.watched(&what, BaseGame::WORK, |progress| BaseGame::count(sides, progress))
        })
    }

    /// The game of a key, counted unless it is known.
    fn counted_once(&self, key: &CacheKey, count: impl FnOnce() -> BaseGame) -> BaseGame {
        let game = {
            let mut games = locked(&self.shared.games);
            if games.len() >= GAMES_MAX {
                games.clear();
            }
            games.entry(key.name().to_owned()).or_default().clone()
        };
        if self.kept_only {
            let kept =
                || self.shared.cache.as_ref().and_then(|cache| cache.get(key)).as_ref().and_then(read_game);
            return game.get().copied().or_else(kept).unwrap_or_else(|| Cancelled::throw());
        }
        *game.get_or_init(|| {
            self.result(key, read_game, write_game, || {
                let _counting = locked(&self.shared.counting);
                count()
            })
        })
    }
}

/// What a mutex guards. A thread that panicked while it had it has left nothing half-done.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
        let of = &value["no_pair"][rank];
        *pairs = NoPair { deals: count(&of[0])?, beaten: count(&of[1])? };
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
    fn many_who_ask_at_once_have_one_count_of_each_game_and_one_count_at_a_time() {
        let work = Work::unwatched(None);
        let (counts, at_once) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let ask = &|number: i128| {
            work.counted_once(&CacheKey::of("kind", &[&number.to_string()]), || {
                assert_eq!(at_once.fetch_add(1, Ordering::SeqCst), 0, "two games counted at once");
                counts.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(20));
                at_once.fetch_sub(1, Ordering::SeqCst);
                game_of(number)
            })
        };
        thread::scope(|scope| {
            for place in 0..12 {
                let number = place % 3;
                scope.spawn(move || assert_eq!(ask(number), game_of(number)));
            }
        });
        assert_eq!(counts.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_count_that_fails_leaves_the_game_to_the_next_who_asks() {
        let work = Work::unwatched(None);
        let key = CacheKey::of("kind", &[]);
        let failed = thread::scope(|scope| {
            scope.spawn(|| work.counted_once(&key, || panic!("a count that fails"))).join()
        });
        assert!(failed.is_err());
        assert_eq!(work.counted_once(&key, || game_of(7)), game_of(7));
    }

    #[test]
    fn work_that_is_cancelled_stops_at_the_next_part_and_leaves_the_game_to_the_next_who_asks() {
        let (work, cancel) = (Work::unwatched(None), CancelFlag::default());
        let key = CacheKey::of("kind", &[]);
        let parts = AtomicUsize::new(0);
        let counted = Cancelled::catch(|| {
            let work = work.until(cancel.clone());
            work.counted_once(&key, || {
                work.watched("work", 10, |progress| {
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
        assert_eq!(work.counted_once(&key, || game_of(7)), game_of(7));
    }

    #[test]
    fn work_that_may_not_count_gives_what_is_kept_and_stops_where_nothing_is() {
        let work = Work::unwatched(None);
        let (counted, other) = (CacheKey::of("kind", &["counted"]), CacheKey::of("kind", &["other"]));
        work.counted_once(&counted, || game_of(3));
        let quick = work.kept_only();
        let never = || -> BaseGame { panic!("a game is counted") };
        assert_eq!(quick.counted_once(&counted, never), game_of(3));
        assert_eq!(Cancelled::catch(|| quick.counted_once(&other, never)), Err(Cancelled));
    }

    #[test]
    fn whoever_watches_is_told_what_begins_and_how_far_it_is() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let watched = told.clone();
        let work = Work::new(None, move |what, parts| {
            locked(&watched).push(format!("{what}: {parts}"));
            let watched = watched.clone();
            Box::new(move |done| locked(&watched).push(done.to_string()))
        });
        work.watched("work", 3, |progress| [1, 2].map(progress));
        assert_eq!(*locked(&told), ["work: 3", "1", "2"]);
    }

    #[test]
    fn a_game_is_read_as_it_was_written_and_not_where_its_deals_are_not_all() {
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
