//! `cargo xtask cards [--write]`: searches for the strategy cards that ship again, and compares or writes them.
//!
//! `docs/performance.md` has the time of a search. Cards that are written are priced, too. The tests compare the prices with two other
//! methods. The figures of `docs/strategy.md` are computed and compared or written with the cards.

mod figures;

use crate::failure::Failure;
use crate::test::run_cargo;
use crate::tools::release_program;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

/// Names of the cards, which are BOOK-SIDE-LINES. The opponent is the house way of the book.
const CARDS: [&str; 9] = [
    "california-banker-12",
    "california-player-12",
    "ez-player-12",
    "south-beach-banker-12",
    "south-beach-player-12",
    "south-dakota-player-12",
    "washington-player-12",
    "washington-player-20",
    "washington-player-30",
];

/// Folder of the cards.
const FOLDER: &str = "crates/paigow/rulebooks/cards";

/// Compares the prices of all cards with a table of worths each.
const ALL: (&str, &str) = ("PAIGOW_ALL_COUNTS", "1");

/// Test that compares the prices of the cards with the exact ones, or writes them.
const PRICES: &[&str] = &[
    "test",
    "--package",
    "paigow-math",
    "--test",
    "math",
    "--",
    "--exact",
    "cards::shipped_prices_are_exact",
];

pub(crate) fn run(root: &Path, write: bool) -> Result<(), Failure> {
    let (stored, found) = (root.join(FOLDER), root.join("target/cards"));
    // An empty cache, so that the search runs.
    let cache = root.join("target/cards-cache");
    for folder in [&found, &cache] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|cause| unreadable(folder, cause))?;
        }
        fs::create_dir_all(folder).map_err(|cause| unreadable(folder, cause))?;
    }
    let program = Program::build(root, &cache)?;
    for name in CARDS {
        let [book, side, lines] = parts(name)?;
        let out = found.join(format!("{name}.toml")).display().to_string();
        // One search finds all cards of a book and side that has several.
        let is_of_same = |other: &&&str| other.starts_with(&format!("{book}-{side}-"));
        let frontier = if CARDS.iter().filter(is_of_same).count() > 1 { &["--frontier"][..] } else { &[] };
        let card = ["card", book, "--side", side, "--lines", lines, "--out", &out];
        program.answer(&[&card[..], frontier].concat())?;
    }
    if write {
        replace(&stored, &found)?;
    }
    let (stored, found) = (texts(&stored)?, texts(&found)?);
    if stored != found {
        let is_same = |name: &&String| stored.get(*name) == found.get(*name);
        let names: BTreeSet<&String> =
            stored.keys().chain(found.keys()).filter(|name| !is_same(name)).collect();
        let reason = format!("the search finds others: {names:?}");
        return Err(Failure::Invalid(FOLDER.to_owned(), reason));
    }
    let vars = if write { &[ALL, ("UPDATE_GOLDEN", "1")][..] } else { &[ALL] };
    run_cargo(root, PRICES, vars)?;
    // The program contains the cards and their prices.
    figures::run(root, &Program::build(root, &cache)?, &CARDS, write)
}

/// The program, built for release, with a cache of its own.
struct Program<'a> {
    root: &'a Path,
    cache: &'a Path,
}

impl Program<'_> {
    fn build<'a>(root: &'a Path, cache: &'a Path) -> Result<Program<'a>, Failure> {
        run_cargo(root, &["build", "--quiet", "--release", "--package", "paigow-cli"], &[])?;
        Ok(Program { root, cache })
    }

    /// Runs a command and returns its answer. Progress and errors of the program are printed.
    fn answer(&self, args: &[&str]) -> Result<Value, Failure> {
        let command = format!("paigow {}", args.join(" "));
        let output = Command::new(release_program(self.root))
            .args(args)
            .args(["--format", "json"])
            .env("PAIGOW_CACHE", self.cache)
            .current_dir(self.root)
            .stderr(Stdio::inherit())
            .output();
        match output {
            Err(cause) => Err(Failure::NotStarted { command, cause }),
            Ok(output) if !output.status.success() => Err(Failure::Ended { command, status: output.status }),
            Ok(output) => serde_json::from_slice(&output.stdout)
                .map_err(|error| Failure::Invalid(format!("the answer of `{command}`"), error.to_string())),
        }
    }
}

fn unreadable(path: &Path, cause: io::Error) -> Failure {
    Failure::Unreadable { path: path.to_owned(), cause }
}

/// Returns the book, the side and the number of lines of a name.
fn parts(name: &str) -> Result<[&str; 3], Failure> {
    let parts = || {
        let (rest, lines) = name.rsplit_once('-')?;
        let (book, side) = rest.rsplit_once('-')?;
        Some([book, side, lines])
    };
    parts().ok_or_else(|| Failure::Invalid(name.to_owned(), "is not BOOK-SIDE-LINES".to_owned()))
}

/// Returns the texts of a folder, by the names of the files.
fn texts(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|cause| unreadable(folder, cause))? {
        let path = entry.map_err(|cause| unreadable(folder, cause))?.path();
        let text = fs::read_to_string(&path).map_err(|cause| unreadable(&path, cause))?;
        texts.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text);
    }
    Ok(texts)
}

/// Replaces the files of a folder with those of another one.
fn replace(folder: &Path, with: &Path) -> Result<(), Failure> {
    let found = texts(with)?;
    for name in texts(folder)?.keys().filter(|name| !found.contains_key(*name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|cause| unreadable(&path, cause))?;
    }
    for (name, text) in found {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|cause| unreadable(&path, cause))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_parts() {
        assert_eq!(parts("south-dakota-banker-8").ok(), Some(["south-dakota", "banker", "8"]));
        assert!(parts("player-8").is_err());
        for name in CARDS {
            assert!(parts(name).is_ok_and(|[.., lines]| lines.parse::<u8>().is_ok()), "{name}");
        }
    }
}
