//! Manually computed rounds from the documents, at least one for every duty that moves money.
//!
//! `golden/rounds/DUTY-WHAT.round` is a round file as `paigow settle` reads it. Its head comments name the duty and
//! compute the amounts. After a line `---` follow the settlement lines and the net results. `golden/rounds/books` holds
//! variants of the books, and `golden/rounds/refused` holds rounds that the rules refuse.
//!
//! `UPDATE_GOLDEN=1 cargo test -p paigow --test rules golden_rounds::` rewrites the part after `---`. Review the
//! changes before you commit them.

use paigow::document::{Problem, Source};
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{ExpectedSettlement, RoundFile, Settlement};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const ROUNDS: &[&str] = &[
    "ca-10-copy.round",
    "ca-4-all-covered.round",
    "ca-4-bonus-beside-cover.round",
    "ca-4-bonus-beyond-put-up.round",
    "ca-4-envy-beyond-put-up.round",
    "ca-4-losses-use-cover.round",
    "ca-4-once-in-all.round",
    "ca-4-reserved.round",
    "ca-4-some-covered.round",
    "ca-4-two-bonus-wins.round",
    "ca-5-action-button.round",
    "ca-5-player-dealer-foul.round",
    "ca-6-bonus-and-envy.round",
    "ca-8-collection.round",
    "ca-8-fee-by-time.round",
    "ca-8-fees-on-action.round",
    "ca-8-fees-on-bonus-wagers.round",
    "ca-9-fully-wild.round",
    "ez-1-foul-against-dragon.round",
    "ez-1-queens-dragon.round",
    "ez-11-ties.round",
    "ez-2-fully-wild.round",
    "ez-3-wheel-is-second.round",
    "ez-4-queen-high-straight.round",
    "ez-5-luhn-tao-wheel.round",
    "ez-5-royal-with-ace-queen.round",
    "ez-6-pay-table-2.round",
    "ez-6-pay-table-6.round",
    "ez-7-natural-wheel-beside-joker.round",
    "ez-7-protection.round",
    "ez-7-wheel-with-joker.round",
    "ez-8-red-black.round",
    "ez-8-six-and-the-joker.round",
    "sb-2-bike-is-lowest.round",
    "sb-3-identical-hands.round",
    "sb-3-win-push-lose.round",
    "sb-4-banker-foul.round",
    "sb-4-player-foul.round",
    "sb-5-commission.round",
    "sb-7-net-loss.round",
    "sb-7-seat-banks.round",
    "sb-8-banker-fortune.round",
    "sb-8-envy.round",
    "sb-8-maximum.round",
    "sd-1-fortune-beside-base.round",
    "sd-2-however-set.round",
    "sd-3-envy-from-five.round",
    "sd-5-own-hands.round",
    "sd-5-several-envies.round",
    "sd-2-trips-and-straight.round",
    "sd-6-three-pair-loses.round",
    "sd-6-three-pair-push.round",
    "sd-8-joker-is-no-match.round",
    "sd-8-royal-match.round",
    "wa-1-envy-lammer.round",
    "wa-2-limit-for-a-hand.round",
    "wa-2-limit-for-a-round.round",
    "wa-2-no-limit.round",
    "wa-3-washington-table.round",
    "wa-5-beaten-or-not.round",
    "wa-5-dealer-has-a-pair.round",
    "wa-5-joker-is-an-ace.round",
    "wa-5-table-01.round",
];

/// Rounds that the rules refuse. The problems follow the line `---`.
const REFUSED: &[&str] = &[
    "ca-4-cover-missing.round",
    "ca-4-reserve.round",
    "ca-6-player-dealer-fortune.round",
    "ez-1-dragon-left-out.round",
    "ez-8-no-color.round",
    "sb-4-not-their-cards.round",
    "sb-7-cover-short.round",
    "sb-7-own-bank.round",
    "sd-1-no-pai-gow-wager.round",
    "sd-1-outside-the-limits.round",
    "sd-5-too-many-hands.round",
    "wa-4-not-available.round",
    "wa-4-opened-with-its-own-passage.round",
];

/// Invalid books. A round that names one is refused.
const REFUSED_BOOKS: &[&str] = &["dragon-left-out.toml", "not-available-opened.toml"];

const BOOKS: &[&str] = &[
    "bonus-fees.toml",
    "collection.toml",
    "fouls-lose-always.toml",
    "joker-fully-wild.toml",
    "limit-for-a-hand.toml",
    "limit-for-a-round.toml",
    "losses-use-cover.toml",
    "once-in-all.toml",
    "reserved.toml",
    "time-fee.toml",
    "two-hands.toml",
];

/// The duties about payments. The others are about dealing, setting, printed figures and terms.
const DUTIES: &[&str] = &[
    "SD-1", "SD-2", "SD-3", "SD-4", "SD-5", "SD-6", "SD-8", "WA-1", "WA-2", "WA-3", "WA-5", "CA-1", "CA-4",
    "CA-5", "CA-6", "CA-8", "CA-9", "CA-10", "SB-2", "SB-3", "SB-4", "SB-5", "SB-7", "SB-8", "EZ-1", "EZ-2",
    "EZ-3", "EZ-4", "EZ-5", "EZ-6", "EZ-7", "EZ-8", "EZ-11",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/rounds")
}

/// Resolves built-in books by name, and other books as paths relative to the file that names them, as the program does.
struct Rounds;

impl BookSource for Rounds {
    fn book(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.book(name, from).or_else(|| {
            let path = Path::new(&*from?.name).parent()?.join(name);
            Some(Source::new(path.to_str()?, std::fs::read_to_string(&path).ok()?))
        })
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

/// Reads a file and splits it into the round and the expected settlement.
pub(crate) fn read_round(name: &str) -> (String, String) {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let (round, _) = ExpectedSettlement::split(&text);
    let expected = text[round.len()..].split_once('\n').map_or("", |(_, expected)| expected);
    (round.to_owned(), expected.to_owned())
}

/// The text of a round as a source that is named by its path, as in the program.
fn source(name: &str, round: &str) -> Source {
    Source::new(folder().join(name).to_str().expect("a path in UTF-8"), round)
}

pub(crate) fn parse_round(name: &str, round: &str) -> RoundFile {
    RoundFile::parse(&source(name, round), &Rounds).unwrap_or_else(|problems| {
        let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
        panic!("{name}:\n{}", problems.join("\n"))
    })
}

/// Settles a round, and formats the settlement as in the files.
fn settle(file: &RoundFile) -> (Settlement, String) {
    let showdown = file.showdown().expect("a parsed round can be settled");
    let settlement = Settlement::of(&showdown);
    let text = settlement.text(&showdown).join("\n") + "\n";
    (settlement, text)
}

#[test]
fn golden_rounds_settle_as_computed() {
    let mut wrong = String::new();
    for name in ROUNDS {
        let (round, expected) = read_round(name);
        let (_, found) = settle(&parse_round(name, &round));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(folder().join(name), format!("{round}{}\n{found}", ExpectedSettlement::DIVIDER))
                .unwrap();
        } else if found != expected {
            write!(wrong, "\n{name} should be\n{expected}and is\n{found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn refused_rounds_give_the_written_problems() {
    for name in REFUSED {
        let path = format!("refused/{name}");
        let (round, expected) = read_round(&path);
        let refused = RoundFile::parse(&source(&path, &round), &Rounds).map(|_| ());
        let problems = refused.expect_err("a round that is refused");
        let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
        let prefix = folder().join("refused").to_str().expect("a path in UTF-8").to_owned() + "/";
        let found = problems.join("\n").replace(&prefix, "") + "\n";
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(folder().join(path), format!("{round}{}\n{found}", ExpectedSettlement::DIVIDER))
                .unwrap();
        } else {
            assert_eq!(found, expected, "{name}");
        }
    }
}

#[test]
fn printed_rounds_parse_and_settle_the_same() {
    for name in ROUNDS {
        let first = parse_round(name, &read_round(name).0);
        let printed = first.print();
        let again = parse_round(name, &printed);
        assert_eq!(settle(&first), settle(&again), "{name}, printed as\n{printed}");
        assert_eq!(printed, again.print(), "{name}: printing is idempotent");
    }
}

#[test]
fn folders_contain_exactly_the_listed_files() {
    let check = |folder: PathBuf, ending: &str, listed: &[&str]| {
        let names: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().unwrap().is_file())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        assert_eq!(names, listed.iter().map(ToString::to_string).collect());
        assert!(names.iter().all(|name| name.ends_with(ending)), "{names:?}");
    };
    check(folder(), ".round", ROUNDS);
    check(folder().join("books"), ".toml", BOOKS);
    check(folder().join("refused"), ".round", REFUSED);
    check(folder().join("refused/books"), ".toml", REFUSED_BOOKS);
}

#[test]
fn rounds_name_their_duty_and_every_duty_has_a_round() {
    let mut named = BTreeSet::new();
    for name in ROUNDS {
        let (round, _) = read_round(name);
        let comments: Vec<&str> = round.lines().take_while(|line| line.starts_with('#')).collect();
        let duty: Vec<&str> = name.splitn(3, '-').take(2).collect();
        let duty = duty.join("-").to_uppercase();
        let heading = comments.first().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        let rest =
            heading.strip_prefix(&*duty).unwrap_or_else(|| panic!("{name} does not start with {duty}"));
        assert!(rest.starts_with([':', ',']), "{name}: {heading}");
        let words = comments.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '-'));
        named.extend(words.map(str::to_owned));
    }
    let without: Vec<&&str> = DUTIES.iter().filter(|duty| !named.contains(**duty)).collect();
    assert!(without.is_empty(), "no round for {without:?}");
}
