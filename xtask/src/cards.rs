//! `cargo xtask cards [--write]`: searches for the strategy cards of `golden/cards` again, and compares them.
//!
//! Each search takes up to a quarter of an hour. The tests price the stored cards.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::fs;
use std::path::Path;

/// File, book, side and number of lines of each card.
const CARDS: [[&str; 4]; 3] = [
    ["washington-player-12.toml", "washington", "player", "12"],
    ["washington-player-20.toml", "washington", "player", "20"],
    ["washington-player-30.toml", "washington", "player", "30"],
];

pub(crate) fn run(root: &Path, write: bool) -> Result<(), Failure> {
    let (stored, found) = (root.join("golden/cards"), root.join("target/cards"));
    let folder = if write { &stored } else { &found };
    fs::create_dir_all(folder).map_err(|cause| Failure::Unreadable { path: folder.clone(), cause })?;
    // An empty cache, so that the search runs.
    let cache = root.join("target/cards-cache");
    if cache.exists() {
        fs::remove_dir_all(&cache).map_err(|cause| Failure::Unreadable { path: cache.clone(), cause })?;
    }
    let cache = cache.display().to_string();
    let mut different = Vec::new();
    for [name, book, side, lines] in CARDS {
        let out = folder.join(name).display().to_string();
        let program = ["run", "--release", "--quiet", "--package", "paigow-cli", "--"];
        let card = ["card", book, "--side", side, "--lines", lines, "--frontier", "--out", &out];
        run_cargo(root, &[&program[..], &card].concat(), &[("PAIGOW_CACHE", &cache)])?;
        let read = |folder: &Path| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|cause| Failure::Unreadable { path, cause })
        };
        if read(folder)? != read(&stored)? {
            different.push(name);
        }
    }
    if different.is_empty() {
        return Ok(());
    }
    let reason = format!("the search finds others for {}", different.join(", "));
    Err(Failure::Invalid("golden/cards".to_owned(), reason))
}
