//! Files that are wrong on purpose: each must give the problems it deserves, all of them, and nothing else.
//!
//! `broken/NAME.toml` is the file, `broken/NAME.txt` its problems. `UPDATE_GOLDEN=1 cargo test -p paigow --test broken` writes
//! the latter anew; read what you accept.

#![allow(clippy::unwrap_used)] // a file that cannot be read has failed

use paigow::document::{Problem, Source};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HouseWay, Rulebook};
use std::path::{Path, PathBuf};

/// What comes with the program, and a file that names itself.
struct Broken;

impl BookSource for Broken {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        from.filter(|from| &*from.name == name).cloned().or_else(|| BuiltIn.book(name, from))
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().unwrap() == "toml").collect();
    files.sort();
    files
}

fn problems(path: &Path) -> Vec<Problem> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let source = Source::new(name, std::fs::read_to_string(path).unwrap());
    if name.starts_with("way-") {
        return HouseWay::parse("broken", &source).map(|_| ()).unwrap_err();
    }
    Rulebook::parse("broken", &source, &[], &Broken).map(|_| ()).unwrap_err()
}

#[test]
fn every_broken_file_gives_the_problems_it_deserves() {
    let files = files();
    assert!(files.len() >= 20, "{} broken files", files.len());
    for path in files {
        let problems: Vec<String> = problems(&path).iter().map(Problem::to_string).collect();
        let found = problems.join("\n") + "\n";
        let expected = path.with_extension("txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        assert_eq!(found, std::fs::read_to_string(&expected).unwrap_or_default(), "{}", path.display());
    }
}

/// A fault of a change knows which change it is about, whatever its text contains.
#[test]
fn a_problem_of_a_change_has_the_key_of_the_change() {
    let changes = [("ranking.wheel", "up=down"), ("a=b", "1"), ("--set", "x")];
    let changes = changes.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let source = BuiltIn.book("ez", None).unwrap();
    let problems = Rulebook::parse("ez", &source, &changes, &BuiltIn).map(|_| ()).unwrap_err();
    let mut keys: Vec<&str> = problems.iter().filter_map(|it| it.span.source.changed_key()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["--set", "a=b", "ranking.wheel"]);
    // A text of that name is no change.
    let problems = HouseWay::parse("way", &Source::new("--set", "title = 1")).map(|_| ()).unwrap_err();
    assert!(problems.iter().all(|problem| problem.span.source.changed_key().is_none()));
}

/// Every file that is right stops being so, without a panic, wherever it is cut off or garbled.
#[test]
fn no_damage_makes_the_reader_panic() {
    let damage = |text: &str, at: usize| {
        let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        [
            text[..at].to_owned(),
            format!("{}\u{0}{}", &text[..at], &text[at..]),
            format!("{}]{}", &text[..at], &text[at..]),
        ]
    };
    for name in BuiltIn::book_names() {
        let text = BuiltIn.book(name, None).unwrap().text;
        for at in (0..text.len()).step_by(211) {
            for broken in damage(&text, at) {
                let _ = Rulebook::parse("broken", &Source::new("broken", broken), &[], &BuiltIn);
            }
        }
    }
    for name in BuiltIn::house_way_names() {
        let text = BuiltIn.house_way(name, None).unwrap().text;
        for at in (0..text.len()).step_by(211) {
            for broken in damage(&text, at) {
                let _ = HouseWay::parse("broken", &Source::new("broken", broken));
            }
        }
    }
}
