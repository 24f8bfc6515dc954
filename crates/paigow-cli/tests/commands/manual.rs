//! Manual pages and completion scripts: every command and option is in them, and the programs that read them accept them.

use crate::program::paigow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn run(args: &[&str]) -> Output {
    paigow().args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the help of a command.
fn help(path: &[String]) -> String {
    text(&paigow().args(path).arg("--help").output().unwrap().stdout)
}

/// Returns the commands below a command, as its help lists them, and itself.
fn commands(path: &[String]) -> Vec<Vec<String>> {
    let help = help(path);
    let listed = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    // A name is indented by two columns, its description by more.
    let listed = listed.lines().take_while(|line| line.starts_with("  ") || line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    let below = names.flat_map(|name| commands(&[path, &[name.to_owned()]].concat()));
    [path.to_vec()].into_iter().chain(below).collect()
}

/// Returns the names of the long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let parts = text.split("--").skip(1).map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default());
    parts.filter(|name| name.starts_with(char::is_alphabetic)).map(ToOwned::to_owned).collect()
}

fn write_pages(folder: &Path) -> Output {
    run(&["man", "--format", "json", "--out", folder.to_str().unwrap()])
}

/// Returns the names and contents of the files in a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap_or_default())
    };
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}

fn is_installed(program: &str) -> bool {
    let probe = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Returns the page as its reader sees it, without warnings of the formatter.
fn formatted(page: &Path) -> String {
    let output = Command::new("groff").args(["-ww", "-man", "-Tutf8", "-P-c"]).arg(page).output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}: {}",
        page.display(),
        text(&output.stderr)
    );
    // Bold and underlined characters are overstrikes.
    let printed = text(&output.stdout);
    let mut shown = String::new();
    for c in printed.chars() {
        if c == '\u{8}' {
            shown.pop();
        } else {
            shown.push(c);
        }
    }
    shown
}

#[test]
fn every_command_has_a_page_with_all_its_options() {
    let folder = TempDir::new().unwrap();
    let output = write_pages(folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let commands = commands(&[]);
    assert!(commands.len() > 55, "{commands:?}");
    let expected: BTreeSet<String> = commands.iter().map(|path| file_of(path)).collect();
    let found: BTreeSet<String> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, expected);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["pages"].as_array().unwrap().len(), expected.len());
    let has_formatter = is_installed("groff");
    for path in &commands {
        let file = folder.path().join(file_of(path));
        let page = fs::read_to_string(&file).unwrap();
        check_structure(&page, &file);
        let help = help(path);
        // Hyphens are escaped in the source.
        let in_page = options(&page.replace("\\-", "-"));
        let missing: Vec<String> = options(&help).difference(&in_page).cloned().collect();
        assert!(missing.is_empty(), "{} has no {missing:?}", file.display());
        for line in ["table: Aligned columns", "EXIT STATUS", "A wrong command line."] {
            assert!(page.contains(line), "{} has no {line}", file.display());
        }
        if has_formatter {
            let shown = formatted(&file);
            for option in options(&help) {
                assert!(
                    shown.contains(&format!("--{option}")),
                    "{} does not show --{option}",
                    file.display()
                );
            }
        }
    }
    let serve = fs::read_to_string(folder.path().join("paigow-serve.1")).unwrap();
    for key in paigow_server::settings::KEYS {
        assert!(serve.contains(&key.variable()), "{} is missing", key.variable());
    }
}

fn file_of(path: &[String]) -> String {
    let words: Vec<&str> = ["paigow"].into_iter().chain(path.iter().map(String::as_str)).collect();
    format!("{}.1", words.join("-"))
}

/// Checks what a formatter would warn about, without one.
fn check_structure(page: &str, file_path: &Path) {
    let file = file_path.display();
    assert!(page.is_ascii() && page.ends_with('\n'), "{file}");
    let mut depth = 0_i32;
    let mut is_filled = true;
    for line in page.lines() {
        let control = line.strip_prefix('.').map(|line| line.split(' ').next().unwrap_or_default());
        match control {
            Some("RS") => depth += 1,
            Some("RE") => depth -= 1,
            Some("nf") => is_filled = false,
            Some("fi") => is_filled = true,
            Some("TH" | "SH" | "TP" | "IP" | "PP" | "br" | "ie" | "el") | None => {}
            Some(other) => panic!("{file} has the unknown request {other}"),
        }
        assert!(depth >= 0, "{file}: {line}");
        if control.is_none() {
            let (bold, italic, roman) =
                (line.matches("\\fB").count(), line.matches("\\fI").count(), line.matches("\\fR").count());
            assert_eq!(bold + italic, roman, "{file}: a font does not end: {line}");
        }
    }
    assert!(depth == 0 && is_filled, "{file}");
    let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    assert_eq!(sections[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"], "{file}");
    let known =
        ["OPTIONS", "COMMANDS", "\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "EXAMPLES", "\"SEE ALSO\""];
    let order = |name: &&str| known.iter().position(|known| known == name);
    let places: Vec<Option<usize>> = sections[3..].iter().map(order).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{file}: {sections:?}");
    let titles: Vec<&str> = page.lines().filter(|line| line.starts_with(".TH ")).collect();
    let version = format!(" 1 \"\" \"paigow {}\" \"paigow manual\"", paigow_server::VERSION);
    assert!(titles.len() == 1 && titles[0].ends_with(&version), "{file}: {titles:?}");
    // Every page that the page names exists.
    let names = page.split("(1)").map(|text| text.rsplit([' ', '\n', 'B']).next().unwrap_or_default());
    let names: Vec<String> = names.map(|name| name.replace("\\-", "-").replace("\\fR", "")).collect();
    let folder = Path::new(file_path).parent().unwrap();
    for name in names.iter().filter(|name| name.starts_with("paigow")) {
        assert!(folder.join(format!("{name}.1")).exists(), "{file} names {name}(1)");
    }
}

#[test]
fn pages_are_replaced_together_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("share/man/man1");
    assert!(write_pages(&pages).status.success());
    let first = files(&pages);
    // Another run writes the same bytes, and keeps files of others.
    fs::write(pages.join("paigow-set.1"), "old").unwrap();
    fs::write(pages.join("other.1"), "other").unwrap();
    assert!(write_pages(&pages).status.success());
    assert_eq!(fs::read(pages.join("other.1")).unwrap(), b"other");
    fs::remove_file(pages.join("other.1")).unwrap();
    assert!(files(&pages) == first, "the pages differ");

    // Two pages cannot be written: the refusal names both, and no page changes.
    for name in ["paigow-set.1", "paigow-serve.1"] {
        fs::remove_file(pages.join(name)).unwrap();
        fs::create_dir(pages.join(name)).unwrap();
    }
    fs::write(pages.join("paigow-odds.1"), "old").unwrap();
    let before = files(&pages);
    let refused = write_pages(&pages);
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(
        message.contains("paigow-set.1: is a folder") && message.contains("paigow-serve.1: is a folder"),
        "{message}"
    );
    assert!(files(&pages) == before, "a page or a temporary file was written");
    let file = pages.join("paigow-odds.1");
    let refused = write_pages(&file);
    assert_eq!((refused.status.code(), fs::read(&file).unwrap()), (Some(1), b"old".to_vec()));
    assert_eq!(run(&["man"]).status.code(), Some(2));
}

/// Returns what bash offers after these words, the last of which is being typed.
fn completed(script: &Path, words: &[&str]) -> Vec<String> {
    let program = format!(
        "set -eu; source {}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _paigow \"$1\" \"${{COMP_WORDS[COMP_CWORD]}}\" \
         \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let mut bash = Command::new("bash");
    // `compopt` works only while bash completes.
    bash.args(["--norc", "-c", &format!("compopt() {{ :; }}; {program}"), "bash"]).args(words);
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().filter(|line| !line.is_empty()).map(ToOwned::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("paigow.bash");
    fs::write(&script, run(&["completions", "bash"]).stdout).unwrap();
    assert!(Command::new("bash").arg("-n").arg(&script).status().unwrap().success());
    let completed = |words: &[&str]| completed(&script, words);
    let names = |path: &[&str]| -> BTreeSet<String> {
        let path: Vec<String> = path.iter().map(|&word| word.to_owned()).collect();
        let below = commands(&path).into_iter().filter(|found| found.len() == path.len() + 1);
        below.filter_map(|found| found.last().cloned()).collect()
    };
    for path in [&[][..], &["operator"]] {
        let words = [&["paigow"], path, &[""]].concat();
        let offered: BTreeSet<String> =
            completed(&words).into_iter().filter(|word| !word.starts_with('-')).collect();
        let mut expected = names(path);
        expected.insert("help".to_owned());
        assert_eq!(offered, expected);
    }
    assert_eq!(completed(&["paigow", "comp"]), ["compact", "completions"]);
    assert_eq!(
        completed(&["paigow", "operator", "--server", "http://x", "sign-o"]),
        ["sign-out", "sign-out-player"]
    );
    assert_eq!(completed(&["paigow", "odds", "--format", "c"]), ["csv"]);
    assert_eq!(completed(&["paigow", "serve", "--log-"]), ["--log-format", "--log-level"]);
    assert_eq!(completed(&["paigow", "serve", "--log-format", ""]), ["text", "json"]);
    assert_eq!(completed(&["paigow", "rules", "south"]), ["south-beach", "south-dakota"]);
    assert_eq!(completed(&["paigow", "set", "--house-way", "fl"]), ["flamingo"]);
    assert_eq!(completed(&["paigow", "operator", "set-role", "carl", "--role", "c"]), ["cashier"]);
    let options: BTreeSet<String> = completed(&["paigow", "move", "--"]).into_iter().collect();
    assert!(options.contains("--from") && options.contains("--key-file"), "{options:?}");
}

#[test]
fn scripts_of_other_shells_are_valid_and_an_unknown_shell_is_refused() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = text(&output.stdout);
        for word in ["completions", "add-operator", "allow-unsafe-postgres"] {
            assert!(script.contains(word), "the script of {shell} has no {word}");
        }
        // Scripts of the other shells complete no values.
        let has_values = ["bash", "fish", "zsh"].contains(&shell);
        assert_eq!(script.contains("flamingo"), has_values, "{shell}");
        let path = folder.path().join(shell);
        fs::write(&path, &script).unwrap();
        if has_values && is_installed(shell) {
            let checked = Command::new(shell).arg("-n").arg(&path).output().unwrap();
            assert!(
                checked.status.success() && checked.stderr.is_empty(),
                "{shell}: {}",
                text(&checked.stderr)
            );
        }
    }
    if is_installed("fish") {
        let complete =
            "source $argv[1]; complete -C 'paigow operator sign-o'; complete -C 'paigow set --house-way fl'";
        let output = Command::new("fish")
            .args(["--no-config", "-c", complete])
            .arg(folder.path().join("fish"))
            .output();
        let offered = text(&output.unwrap().stdout);
        let words: Vec<&str> = offered.split_whitespace().collect();
        assert!(words.starts_with(&["sign-out"]) && words.contains(&"sign-out-player"), "{offered}");
        assert!(words.ends_with(&["flamingo"]), "{offered}");
    }
    let refused = run(&["completions", "cmd"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(message.contains("bash") && message.contains("zsh") && refused.stdout.is_empty(), "{message}");
    assert_eq!(run(&["completions"]).status.code(), Some(2));
}
