//! `cargo xtask crash`: kills processes during play, on SQLite, on PostgreSQL, or on both.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// Default number of kills per store.
const KILLS: u32 = 100;

/// Command-line options of the task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    kills: u32,
    /// Name filter that selects the tests to run.
    test_filter: &'static str,
}

impl Options {
    /// Parses the command line, or returns `None` if it has an unknown option or a bad value.
    pub(crate) fn parse(mut words: &[&str]) -> Option<Options> {
        let mut options = Options { kills: KILLS, test_filter: "kills_lose_nothing" };
        while let [option, value, rest @ ..] = words {
            match (*option, *value) {
                ("--kills", kills) => options.kills = kills.parse().ok().filter(|kills| *kills > 0)?,
                ("--store", "sqlite") => options.test_filter = "kills_lose_nothing_on_sqlite",
                ("--store", "postgres") => options.test_filter = "kills_lose_nothing_on_postgresql",
                _ => return None,
            }
            words = rest;
        }
        words.is_empty().then_some(options)
    }
}

/// Runs the crash tests, which check that every acknowledged write survives the kills.
pub(crate) fn run(root: &Path, Options { kills, test_filter }: Options) -> Result<(), Failure> {
    let cargo = ["test", "--quiet", "--package", "paigow-server", "--test", "store", test_filter];
    let harness = ["--", "--nocapture", "--test-threads", "1"];
    run_cargo(root, &[&cargo[..], &harness[..]].concat(), &[("PAIGOW_KILLS", &kills.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_or_rejected() {
        let parse = |text: &str| Options::parse(&text.split_whitespace().collect::<Vec<_>>());
        assert_eq!(parse(""), Some(Options { kills: 100, test_filter: "kills_lose_nothing" }));
        let file = Options { kills: 7, test_filter: "kills_lose_nothing_on_sqlite" };
        assert_eq!(parse("--store sqlite --kills 7"), Some(file));
        let database = Options { kills: 100, test_filter: "kills_lose_nothing_on_postgresql" };
        assert_eq!(parse("--store postgres"), Some(database));
        for wrong in ["--kills", "--kills 0", "--kills -1", "--kills many", "--store disk", "7", "--seed 1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
