//! Long work: with a bar on standard error while it lasts, and its result kept for the next time.

use crate::args::WorkArgs;
use crate::cache::{Cache, Key};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use paigow::HandClass;
use paigow_math::{BaseGame, DEALS, NoPair, Progress, Sides};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How long work is done.
pub(crate) struct Work {
    quiet: bool,
    cache: Option<Cache>,
    /// The games counted for this question: it may need one more than once.
    games: RefCell<BTreeMap<String, BaseGame>>,
}

impl Work {
    pub(crate) fn new(args: &WorkArgs) -> Work {
        let cache = if args.no_cache { None } else { Cache::open() };
        Work { quiet: args.quiet, cache, games: RefCell::default() }
    }

    /// What is kept under a key, if it reads as what is asked for; otherwise what the work gives, which is then kept.
    pub(crate) fn result<T>(
        &self,
        key: &Key,
        read: impl Fn(&Value) -> Option<T>,
        write: impl Fn(&T) -> Value,
        work: impl FnOnce() -> T,
    ) -> T {
        let kept = self.cache.as_ref().and_then(|cache| cache.get(key));
        if let Some(result) = kept.as_ref().and_then(read) {
            return result;
        }
        let result = work();
        if let Some(cache) = &self.cache {
            cache.put(key, &write(&result));
        }
        result
    }

    /// Does work that reports so many parts, under a bar where somebody looks.
    pub(crate) fn under_bar<T>(&self, what: &str, parts: u64, work: impl FnOnce(Progress<'_>) -> T) -> T {
        // Standard error that is no terminal gets no bar: the library sees to it.
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(parts), target);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %, {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        let result = work(&|done| bar.inc(done));
        bar.finish_and_clear();
        result
    }

    /// The base game, counted or remembered.
    pub(crate) fn base_game(&self, sides: &Sides<'_>) -> BaseGame {
        let push: Vec<&str> = sides.dealer_push.iter().copied().map(HandClass::name).collect();
        let key = Key::of(
            "base-game",
            &[&sides.player.rules(), &sides.dealer.rules(), &sides.ranking.to_string(), &push.join(" ")],
        );
        let what = if sides.player.id == sides.dealer.id {
            format!("base game, {}", sides.dealer.id)
        } else {
            format!("base game, {} against {}", sides.player.id, sides.dealer.id)
        };
        let known = self.games.borrow().get(key.name()).copied();
        known.unwrap_or_else(|| {
            let game = self.result(&key, read_game, write_game, || {
                self.under_bar(&what, BaseGame::WORK, |progress| BaseGame::count(sides, progress))
            });
            self.games.borrow_mut().insert(key.name().to_owned(), game);
            game
        })
    }
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
