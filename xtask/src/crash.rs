//! `cargo xtask crash`: processes at play killed as often as is asked for, on a file, on PostgreSQL, or on both.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::path::Path;

/// How often processes are killed unless it is said.
const KILLS: u32 = 100;

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    kills: u32,
    /// The tests that are run, by what their names have in common.
    tests: &'static str,
}

impl Options {
    /// The options as typed; nothing where they are no options of this chore.
    pub(crate) fn parse(mut words: &[&str]) -> Option<Options> {
        let mut options = Options { kills: KILLS, tests: "killed_at_any_moment" };
        while let [option, value, rest @ ..] = words {
            match (*option, *value) {
                ("--kills", kills) => options.kills = kills.parse().ok().filter(|kills| *kills > 0)?,
                ("--store", "sqlite") => options.tests = "killed_at_any_moment_a_file",
                ("--store", "postgres") => options.tests = "killed_at_any_moment_a_database",
                _ => return None,
            }
            words = rest;
        }
        words.is_empty().then_some(options)
    }
}

/// Kills processes, and has what they acknowledged looked for.
pub(crate) fn run(root: &Path, Options { kills, tests }: Options) -> Result<(), Failure> {
    let cargo = ["test", "--quiet", "--package", "paigow-server", "--test", "store", tests];
    let shown = ["--", "--nocapture", "--test-threads", "1"];
    run_cargo(root, &[&cargo[..], &shown[..]].concat(), &[("PAIGOW_KILLS", &kills.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let parse = |text: &str| Options::parse(&text.split_whitespace().collect::<Vec<_>>());
        assert_eq!(parse(""), Some(Options { kills: 100, tests: "killed_at_any_moment" }));
        let file = Options { kills: 7, tests: "killed_at_any_moment_a_file" };
        assert_eq!(parse("--store sqlite --kills 7"), Some(file));
        let database = Options { kills: 100, tests: "killed_at_any_moment_a_database" };
        assert_eq!(parse("--store postgres"), Some(database));
        for wrong in ["--kills", "--kills 0", "--kills -1", "--kills many", "--store disk", "7", "--seed 1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
