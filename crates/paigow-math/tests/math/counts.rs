//! Counts that several tests need, each made once for all tests, and the golden files.

use paigow::{HandClass, Joker, Ranking};
use paigow_math::{BaseGame, Census, Matchup};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Returns the path of a golden file.
pub(crate) fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name)
}

/// Returns the words of each line of a golden file, without comments and empty lines.
pub(crate) fn golden(name: &str) -> Vec<Vec<String>> {
    let path = golden_path(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Returns the census of all hands under a use of the joker.
pub(crate) fn census(joker: Joker) -> &'static Census {
    static CENSUS: [OnceLock<Census>; 2] = [const { OnceLock::new() }; 2];
    CENSUS[joker as usize].get_or_init(|| Census::compute(joker))
}

/// Key of a base game: both house ways, the ranking, and the dealer's classes that push.
type GameKey = (String, String, Ranking, Vec<HandClass>);

/// Base games counted so far.
static GAMES: Mutex<Vec<(GameKey, BaseGame)>> = Mutex::new(Vec::new());

/// Returns a base game of built-in house ways.
///
/// The tests count one game at a time, because a count uses all cores.
pub(crate) fn base_game(matchup: &Matchup<'_>) -> BaseGame {
    let key = (
        matchup.player.id().to_owned(),
        matchup.dealer.id().to_owned(),
        matchup.ranking,
        matchup.dealer_push.to_vec(),
    );
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, game)) = games.iter().find(|(known, _)| *known == key) {
        return *game;
    }
    let done = AtomicU64::new(0);
    let report = |work| _ = done.fetch_add(work, Ordering::Relaxed);
    let game = BaseGame::count(matchup, &report);
    assert_eq!(done.into_inner(), BaseGame::WORK, "the reported work adds up");
    games.push((key, game));
    game
}
