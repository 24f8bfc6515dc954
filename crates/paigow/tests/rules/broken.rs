//! Invalid rule books and house ways, each with its exact list of problems.
//!
//! `tests/broken/NAME.toml` is the file and `tests/broken/NAME.txt` its problems.
//! `UPDATE_GOLDEN=1 cargo test -p paigow --test rules broken::` rewrites the lists. Review the changes before you
//! commit them.

use paigow::document::{Problem, Source};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{HouseWay, Rulebook};
use paigow_testkit::owned_pairs;
use std::path::{Path, PathBuf};

/// The built-in books, and a file that extends itself.
struct BuiltInOrSelf;

impl BookSource for BuiltInOrSelf {
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
    Rulebook::parse("broken", &source, &[], &BuiltInOrSelf).map(|_| ()).unwrap_err()
}

#[test]
fn broken_files_give_the_expected_problems() {
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

/// A problem of a change reports the key of the change, independent of the text of the key and the value.
#[test]
fn problem_of_a_change_has_its_key() {
    let changes = owned_pairs(&[("ranking.wheel", "up=down"), ("a=b", "1"), ("--set", "x")]);
    let source = BuiltIn.book("ez", None).unwrap();
    let problems = Rulebook::parse("ez", &source, &changes, &BuiltIn).map(|_| ()).unwrap_err();
    let keys = problems.iter().filter_map(|problem| problem.span.source.changed_key());
    let mut keys: Vec<&str> = keys.collect();
    keys.sort_unstable();
    assert_eq!(keys, ["--set", "a=b", "ranking.wheel"]);
    // A file named `--set` is not a change.
    let problems = HouseWay::parse("way", &Source::new("--set", "title = 1")).map(|_| ()).unwrap_err();
    assert!(problems.iter().all(|problem| problem.span.source.changed_key().is_none()));
}

/// Truncates and corrupts valid files at many offsets. Parsing may fail but must not panic.
#[test]
fn damaged_files_do_not_panic() {
    let damage = |text: &str, offset: usize| {
        let at = (0..=offset).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0);
        [
            text[..at].to_owned(),
            format!("{}\u{0}{}", &text[..at], &text[at..]),
            format!("{}]{}", &text[..at], &text[at..]),
        ]
    };
    let (mut parsed, mut refused) = (0, 0);
    for name in BuiltIn::book_names() {
        let text = BuiltIn.book(name, None).unwrap().text;
        for offset in (0..text.len()).step_by(211) {
            for broken in damage(&text, offset) {
                let book = Rulebook::parse("broken", &Source::new("broken", broken), &[], &BuiltIn);
                parsed += 1;
                refused += usize::from(book.is_err());
            }
        }
    }
    for name in BuiltIn::house_way_names() {
        let text = BuiltIn.house_way(name, None).unwrap().text;
        for offset in (0..text.len()).step_by(211) {
            for broken in damage(&text, offset) {
                let way = HouseWay::parse("broken", &Source::new("broken", broken));
                parsed += 1;
                refused += usize::from(way.is_err());
            }
        }
    }
    assert!(parsed > 2_000 && refused > 500, "{refused} of {parsed} damaged files were refused");
}
