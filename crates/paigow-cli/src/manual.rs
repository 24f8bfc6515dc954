//! `paigow man`: writes a manual page for the program and for each command, from the definition of the command line.

mod examples;
mod sections;

pub(crate) use examples::with_examples;

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::{Args, ManArgs};
use crate::out_file::write_together;
use crate::store::refused;
use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;
use paigow_server::VERSION;
use serde_json::json;
use std::fmt::Write as _;
use std::fs;

/// Name of the manual, in the middle of the first line of a page.
const MANUAL: &str = "paigow manual";

/// A manual page.
struct ManualPage {
    /// Name of the file, such as `paigow-operator-enrol.1`.
    file: String,
    /// Command as it is typed, such as `paigow operator enrol`.
    command: String,
    /// Text in the format of roff, in ASCII.
    text: String,
}

/// Writes all pages, or changes no file.
pub(crate) fn answer(args: &ManArgs) -> Result<Answer, Failure> {
    let pages = pages()?;
    fs::create_dir_all(&args.out).map_err(|error| refused(format!("{}: {error}", args.out.display())))?;
    let files = pages.iter().map(|page| (args.out.join(&page.file), page.text.as_bytes()));
    write_together(&files.collect::<Vec<_>>())?;
    let json = pages.iter().map(|page| json!({ "file": page.file, "command": page.command }));
    let json = json!({ "out": args.out.display().to_string(), "pages": json.collect::<Vec<_>>() });
    let sheet = Sheet {
        title: format!("{} manual pages in {}", pages.len(), args.out.display()),
        columns: vec!["file", "command"],
        rows: pages.into_iter().map(|page| vec![page.file.into(), page.command.into()]).collect(),
    };
    Ok(Answer { json, sheets: vec![sheet] })
}

/// Returns the pages of the program and of all commands, a command before its subcommands.
fn pages() -> Result<Vec<ManualPage>, Failure> {
    let mut program = without_help(Args::command());
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, &mut pages)?;
    Ok(pages)
}

/// Removes the command `help`, which has no options and prints what the pages say.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn add_pages(command: &Command, pages: &mut Vec<ManualPage>) -> Result<(), Failure> {
    pages.push(page(command)?);
    command.get_subcommands().try_for_each(|command| add_pages(command, pages))
}

fn page(command: &Command) -> Result<ManualPage, Failure> {
    let typed = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let (title, _) = about.split_once(". ").unwrap_or((&about, ""));
    let usage = command.clone().render_usage().to_string();
    let shown = command
        .clone()
        .about(title.trim_end_matches('.').to_owned())
        .long_about(description(&about, &typed))
        .override_usage(usage.trim_start_matches("Usage: ").to_owned())
        // The title has the version, and examples have a section of their own.
        .version(None::<&str>)
        .subcommand_help_heading("COMMANDS")
        .mut_args(with_aliases)
        .mut_subcommands(first_sentence);
    let man = Man::new(shown).source(format!("paigow {VERSION}")).manual(MANUAL);
    let mut text = Vec::new();
    man.render(&mut text)?;
    let sections = sections::of(command, &typed);
    // An empty date keeps its place only in quotes. A date would be that of the build.
    let text = String::from_utf8_lossy(&text).replacen(" 1  \"paigow ", " 1 \"\" \"paigow ", 1) + &sections;
    Ok(ManualPage { file: man.get_filename(), command: typed, text: portable(&text) })
}

fn description(about: &str, typed: &str) -> String {
    let about = if about.ends_with('.') { about.to_owned() } else { format!("{about}.") };
    if !typed.starts_with("paigow operator ") {
        return about;
    }
    about + "\n\nThe options of `paigow operator`, such as `--server`, come before the command."
}

/// Adds the other names of an option to its help, as `--help` shows them.
fn with_aliases(arg: Arg) -> Arg {
    let Some(aliases) = arg.get_visible_aliases().filter(|aliases| !aliases.is_empty()) else { return arg };
    let aliases: Vec<String> = aliases.iter().map(|alias| format!("--{alias}")).collect();
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{help} [aliases: {}]", aliases.join(", ")))
}

/// Shortens the description of a command in a list to its first sentence.
fn first_sentence(command: Command) -> Command {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let (first, _) = about.split_once(". ").unwrap_or((&about, ""));
    let first = first.trim_end_matches('.').to_owned();
    command.about(first)
}

/// Sets words between backquotes in bold, and writes other characters than ASCII as escapes, which every formatter reads.
fn portable(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for line in text.lines() {
        let is_paired = line.matches('`').count() % 2 == 0;
        let mut is_bold = false;
        for c in line.chars() {
            match c {
                '`' if is_paired => {
                    is_bold = !is_bold;
                    page.push_str(if is_bold { "\\fB" } else { "\\fR" });
                }
                '`' => page.push_str("\\(ga"),
                '…' => page.push_str("..."),
                c if c.is_ascii() => page.push(c),
                // Writing to a `String` cannot fail.
                c => _ = write!(page, "\\[u{:04X}]", u32::from(c)),
            }
        }
        page.push('\n');
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_ascii_with_bold_words() {
        assert_eq!(portable("run `a\\-b` for 5 µs…\n"), "run \\fBa\\-b\\fR for 5 \\[u00B5]s...\n");
        assert_eq!(portable("one ` alone\n"), "one \\(ga alone\n");
    }

    #[test]
    fn pages_of_one_program_are_equal() {
        let text = |pages: Result<Vec<ManualPage>, Failure>| -> Vec<(String, String)> {
            let Ok(pages) = pages else { panic!("the pages are rendered in memory") };
            pages.into_iter().map(|page| (page.file, page.text)).collect()
        };
        assert!(text(pages()) == text(pages()));
    }
}
