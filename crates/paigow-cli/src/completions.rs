//! `paigow completions`: prints the completion script of a shell.

use crate::Failure;
use crate::args::{Args, CompletionsArgs};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory};
use clap_complete::generate;
use paigow::rulebook::BuiltIn;
use paigow_server::settings::{KEYS, SettingType};
use std::io::Write;

/// Name that the shell completes.
const PROGRAM: &str = "paigow";

/// Roles of operators.
const ROLES: [&str; 4] = ["viewer", "floor", "cashier", "admin"];

pub(crate) fn run(args: &CompletionsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut with_candidates(Args::command()), PROGRAM, &mut script);
    Ok(out.write_all(&script)?)
}

/// Adds the words that scripts offer for arguments that also accept other texts, such as paths.
fn with_candidates(command: Command) -> Command {
    command.mut_args(offer).mut_subcommands(with_candidates)
}

fn offer(arg: Arg) -> Arg {
    let words = candidates(&arg);
    if words.is_empty() {
        return arg;
    }
    // A name that is not offered is still an argument: only the script has this parser.
    arg.value_parser(PossibleValuesParser::new(words.into_iter().map(PossibleValue::new)))
}

fn candidates(arg: &Arg) -> Vec<&'static str> {
    let setting =
        KEYS.iter().find(|key| arg.get_id() == key.name && key.flag() == arg.get_long().unwrap_or(""));
    match setting.map(|key| key.kind) {
        Some(SettingType::Switch) => return vec!["true", "false"],
        Some(SettingType::Word(words)) => return words.to_vec(),
        _ => {}
    }
    match arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str()) {
        "BOOK" => BuiltIn::book_names().collect(),
        "HOUSE_WAY" | "PLAYER_HOUSE_WAY" => BuiltIn::house_way_names().collect(),
        "ROLE" => ROLES.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the help text of every argument with a value name, in all commands.
    fn helps(command: &Command, name: &str) -> Vec<String> {
        let named = command.get_arguments().filter(|arg| {
            arg.get_value_names().is_some_and(|names| names.iter().any(|found| found.as_str() == name))
        });
        let own = named.map(|arg| arg.get_help().map(ToString::to_string).unwrap_or_default());
        own.chain(command.get_subcommands().flat_map(|command| helps(command, name))).collect()
    }

    #[test]
    fn roles_are_those_of_the_help() {
        let helps = helps(&Args::command(), "ROLE");
        assert!(!helps.is_empty());
        for help in helps {
            let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
            assert_eq!(quoted, ROLES, "{help}");
        }
    }
}
