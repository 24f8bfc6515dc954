//! Sections of a manual page that follow from the kind of a command: exit status, environment, files, examples, see also.

use super::examples::examples;
use clap::Command;
use clap_mangen::roff::{Roff, bold, italic, roman};
use paigow_server::settings::KEYS;

/// Returns the sections of a command in the format of roff.
pub(super) fn of(command: &Command, typed: &str) -> String {
    let words: Vec<&str> = typed.split(' ').skip(1).collect();
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    list(&mut roff, &exit_status(&words));
    roff.control("SH", ["ENVIRONMENT"]);
    list(&mut roff, &environment(command, &words));
    let files = files(command, &words);
    if !files.is_empty() {
        roff.control("SH", ["FILES"]);
        list(&mut roff, &files);
    }
    add_examples(&mut roff, typed);
    roff.control("SH", ["SEE ALSO"]);
    let pages = related(&words);
    let pages = pages
        .iter()
        .enumerate()
        .flat_map(|(index, page)| [roman(if index == 0 { "" } else { ", " }), bold(page), roman("(1)")]);
    roff.text(pages.collect::<Vec<_>>());
    // The page before has the preamble that typesets apostrophes.
    roff.render().split_once(".SH ").map(|(_, rest)| format!(".SH {rest}")).unwrap_or_default()
}

fn list(roff: &mut Roff, items: &[(String, String)]) {
    for (term, text) in items {
        roff.control("TP", []).text([bold(term)]).text([roman(text)]);
    }
}

fn item(term: &str, text: &str) -> (String, String) {
    (term.to_owned(), text.to_owned())
}

fn exit_status(words: &[&str]) -> Vec<(String, String)> {
    let refusal = match words {
        ["audit" | "verify" | "doctor" | "fair" | "check"] => {
            "A refusal, or a check that found a fault. The reason is on standard error."
        }
        ["operator", "ready"] => "The server is not ready or does not answer.",
        ["serve"] => "The server did not start, or failed. The reason is on standard error.",
        _ => "A refusal. The reason is on standard error, and names every fault.",
    };
    let success = match words {
        ["serve"] => "A signal or an operator stopped the server.",
        _ => "Success.",
    };
    vec![item("0", success), item("1", refusal), item("2", "A wrong command line.")]
}

fn has(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == id)
}

/// Whether the command opens a store, which may be a PostgreSQL database.
fn opens_store(command: &Command) -> bool {
    has(command, "store") || has(command, "from") && has(command, "key_file")
}

fn environment(command: &Command, words: &[&str]) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let is_server = matches!(words, ["serve" | "doctor"]);
    if is_server {
        variables.push(item("PAIGOW_CONFIG", "File with settings, if there is no `--config`."));
        variables.extend(
            KEYS.iter().map(|key| (key.variable(), format!("As `--{}`, which overrides it.", key.flag()))),
        );
    }
    if is_server || has(command, "no_cache") || words.is_empty() {
        variables.push(item(
            "PAIGOW_CACHE",
            "Folder of the cache of results, instead of `paigow` in the user's cache folder.",
        ));
    }
    if matches!(words, ["operator", ..] | []) {
        variables.push(item(
            "PAIGOW_OPERATOR_SESSION",
            "File with the session of an operator, if there is no `--session`.",
        ));
    }
    if opens_store(command) || matches!(words, ["operator", ..] | []) {
        variables.push(item(
            "SSL_CERT_FILE",
            "PEM file with the trusted CA certificates, instead of those of the operating system.",
        ));
    }
    variables.push(item("NO_COLOR", "If set, output to a terminal has no bold text and no colors."));
    variables
}

fn files(command: &Command, words: &[&str]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    if opens_store(command) {
        files.push(item(
            "paigow.db",
            "Store, if no other is named. SQLite keeps `paigow.db-wal` and `paigow.db-shm` beside it.",
        ));
    }
    if matches!(words, ["serve" | "doctor"]) {
        files.push(item(
            "paigow.key",
            "Master keys. The first start creates the file; a store cannot be served without it.",
        ));
        files.push(item(
            "paigow.operator",
            "Operator secret, which enrols the first admin. Delete it after that.",
        ));
    }
    if matches!(words, ["operator", ..]) {
        files.push(item("paigow-operator.session", "Session of the operator, readable by its owner only."));
    }
    if has(command, "no_cache") || matches!(words, ["serve"]) {
        files.push(item(
            "$XDG_CACHE_HOME/paigow, ~/.cache/paigow",
            "Cache of results. It can be deleted at any time.",
        ));
    }
    files
}

fn add_examples(roff: &mut Roff, typed: &str) {
    let mut found = examples(typed).peekable();
    if found.peek().is_none() {
        return;
    }
    roff.control("SH", ["EXAMPLES"]);
    for example in found {
        roff.control("PP", []).text([roman(example.purpose)]);
        roff.control("PP", []).control("RS", ["4"]).control("nf", []);
        roff.text([italic(example.line)]);
        roff.control("fi", []).control("RE", []);
    }
}

/// Pages named at the end of a page.
fn related(words: &[&str]) -> Vec<String> {
    let page = |words: &[&str]| ["paigow"].iter().chain(words).copied().collect::<Vec<_>>().join("-");
    let named: &[&[&str]] = match words {
        [] => &[&["serve"], &["operator"], &["doctor"]],
        ["serve"] => &[&[], &["doctor"], &["operator"], &["backup"], &["audit"]],
        ["doctor" | "operator"] => &[&[], &["serve"]],
        ["backup" | "audit" | "move" | "export" | "replay"] => {
            &[&[], &["audit"], &["backup"], &["export"], &["move"], &["replay"], &["serve"]]
        }
        ["operator", ..] => &[&[], &["operator"]],
        _ => &[&[]],
    };
    named.iter().filter(|other| **other != words).map(|words| page(words)).collect()
}
