//! Examples of commands, in `--help` and in the manual pages. A test parses each.

use clap::Command;
use std::fmt::Write;

/// The examples as text: a command, then the purpose and the line of each of its examples.
const TEXT: &str = include_str!("examples.txt");

/// A command line and its purpose.
#[derive(Clone, Copy)]
pub(super) struct Example {
    /// Command, such as `paigow operator enrol`.
    command: &'static str,
    pub(super) purpose: &'static str,
    pub(super) line: &'static str,
}

/// Returns all examples, in the order of the text.
fn all() -> impl Iterator<Item = Example> {
    let (mut command, mut purpose) = ("", "");
    TEXT.lines().filter_map(move |line| {
        match line.strip_prefix("  ") {
            None => command = line,
            Some(text) => match text.strip_prefix("$ ") {
                None => purpose = text,
                Some(line) => return Some(Example { command, purpose, line }),
            },
        }
        None
    })
}

/// Returns the examples of a command.
pub(super) fn examples(command: &str) -> impl Iterator<Item = Example> {
    all().filter(move |example| example.command == command)
}

/// Adds the examples to the long help of every command.
pub(crate) fn with_examples(program: Command) -> Command {
    let name = program.get_name().to_owned();
    add(program, &name)
}

fn add(command: Command, name: &str) -> Command {
    let mut text = String::new();
    for example in examples(name) {
        let head = if text.is_empty() { "Examples:" } else { "" };
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{head}\n  # {}\n  {}\n", example.purpose, example.line);
    }
    let command = if text.is_empty() { command } else { command.after_long_help(text.trim_end().to_owned()) };
    command.mut_subcommands(|subcommand| {
        let name = format!("{name} {}", subcommand.get_name());
        add(subcommand, &name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::{ArgMatches, CommandFactory};
    use std::collections::BTreeSet;

    /// Splits a line as a shell does. Returns the words from `paigow` to the first that only the shell reads.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for c in line.replace("source <(", "").trim_end_matches(')').chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        assert!(!is_quoted, "{line}");
        words.into_iter().take_while(|word| word != ">").collect()
    }

    fn path(matches: &ArgMatches) -> String {
        matches.subcommand().map_or_else(|| " ".to_owned(), |(name, rest)| format!(" {name}{}", path(rest)))
    }

    #[test]
    fn every_example_is_a_valid_command_line() {
        for example in all() {
            let words = words(example.line);
            assert_eq!(words[0], "paigow", "{}", example.line);
            let matches = Args::command().try_get_matches_from(&words);
            let matches = matches.unwrap_or_else(|error| panic!("{}: {error}", example.line));
            // The examples of a command with subcommands are examples of these.
            let found = format!("paigow{}", path(&matches));
            assert!(found.starts_with(&format!("{} ", example.command)), "{}: {found}", example.line);
            assert!(example.purpose.ends_with('.'), "{}", example.purpose);
            // The help wraps lines of more than a hundred columns.
            assert!(example.line.len() <= 98, "{}", example.line);
        }
    }

    fn names(command: &Command, name: &str) -> Vec<String> {
        let below = command.get_subcommands();
        let below = below.flat_map(|command| names(command, &format!("{name} {}", command.get_name())));
        [name.to_owned()].into_iter().chain(below).collect()
    }

    #[test]
    fn every_command_has_an_example_and_its_help_shows_it() {
        let found: BTreeSet<String> = all().map(|example| example.command.to_owned()).collect();
        let commands: BTreeSet<String> = names(&Args::command(), "paigow").into_iter().collect();
        let missing: Vec<&String> = commands.difference(&found).collect();
        let unknown: Vec<&String> = found.difference(&commands).collect();
        assert!(
            missing.is_empty() && unknown.is_empty(),
            "examples.txt lacks {missing:?} and has {unknown:?}"
        );
        let mut program = with_examples(Args::command());
        let help = program.find_subcommand_mut("books").unwrap().render_long_help().to_string();
        assert!(help.contains("Examples:") && help.contains("paigow books --format json"), "{help}");
    }
}
