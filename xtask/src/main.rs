//! Tasks of the workspace, run as `cargo xtask <task>`.
//!
//! `test` runs all checks that a change must pass. Its steps are one list in `test.rs`. `tidy` is the step that checks
//! the rules of this repository, with one file per check under `tidy/`. The usage text below describes the other tasks.
//!
//! The exit code is 2 for a wrong command line and 1 for a task that failed.

mod attack;
mod browser;
mod cards;
mod counts;
mod crash;
mod deny;
mod failure;
mod fixture;
mod load;
mod page;
mod python;
mod rounds;
mod simulate;
mod test;
mod test_programs;
mod tidy;
mod tools;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::Install;

const USAGE: &str = "\
Usage: cargo xtask <task>

Tasks:
  test [--no-install]
         Run formatting, tidy, dependencies, clippy, page, tests, docs, Python and browser; list every failed step at
         the end. Missing programs are installed, and each command is printed first; with --no-install they fail their step
  tidy   Check the repository's own rules: dependencies between crates, purity, citations, leftovers
  deny   Check licenses, bans and sources of the dependencies against deny.toml
  browser
         Test the page in Chromium against the release program; write screenshots to browser/ of the target folder
  python [--long]
         Build the wheel of crates/paigow-python in release mode, install it in a virtual environment and run its
         tests beside the release program; --long includes the tests that take minutes
  simulate [--seconds N] [--seed S] [--book BOOK] [--trace] [--planted]
         Run tables and clients with injected faults for N seconds (60), starting at seed S; print a seed that fails
  rounds [N]
         Play N rounds of every book (10000000) and compare them with the exact odds
  counts Count the base game of every line in golden/base-game.golden, and the best setting of every hand
  cards [--write]
         Search for the strategy cards that ship again and compare them, or write them and their prices
  crash [--kills N] [--store sqlite|postgres]
         Kill processes during play N times (100) on each store; check that every acknowledged write survives
  load [--store sqlite|postgres] [--processes N] [--tables N] [--seats N] [--rounds N] [--seconds N]
         Put players on a server over sockets; measure rounds per second, response times and memory
  attack [--seconds N] [--connections N] [--only NAME] [--program PATH]
         Run one attack after the other on a server; measure health checks, commands, cores and memory
  fixture
         Write a store of this version to crates/paigow-server/tests/fixtures/VERSION, for the tests of later versions
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let passed = match args[..] {
        ["test"] => test::run(&root(), Install::Missing),
        ["test", "--no-install"] => test::run(&root(), Install::Never),
        ["deny"] => deny::run(&root()).map_err(|failure| eprintln!("deny: {failure}")).is_ok(),
        ["tidy"] => tidy::run(&root()).map_err(|failure| eprintln!("tidy: {failure}")).is_ok(),
        ["browser"] => {
            browser::build_and_check(&root()).map_err(|failure| eprintln!("browser: {failure}")).is_ok()
        }
        ["python"] | ["python", "--long"] => {
            let args: &[&str] = if args.len() > 1 { &["-m", ""] } else { &[] };
            python::build_and_check(&root(), args).map_err(|failure| eprintln!("python: {failure}")).is_ok()
        }
        ["simulate", ref options @ ..] => {
            simulate::run(&root(), options).map_err(|failure| eprintln!("simulate: {failure}")).is_ok()
        }
        ["rounds"] | ["rounds", _] => {
            let rounds = args.get(1).copied().unwrap_or("10000000");
            if rounds.parse::<u64>().is_err() {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            }
            rounds::run(&root(), rounds).map_err(|failure| eprintln!("rounds: {failure}")).is_ok()
        }
        ["cards"] | ["cards", "--write"] => {
            cards::run(&root(), args.len() > 1).map_err(|failure| eprintln!("cards: {failure}")).is_ok()
        }
        ["counts"] => counts::run(&root()).map_err(|failure| eprintln!("counts: {failure}")).is_ok(),
        ["crash", ref options @ ..] => {
            let Some(options) = crash::Options::parse(options) else {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            };
            crash::run(&root(), options).map_err(|failure| eprintln!("crash: {failure}")).is_ok()
        }
        ["load", ref options @ ..] => {
            load::run(&root(), options).map_err(|failure| eprintln!("load: {failure}")).is_ok()
        }
        ["attack", ref options @ ..] => {
            attack::run(&root(), options).map_err(|failure| eprintln!("attack: {failure}")).is_ok()
        }
        ["fixture"] => fixture::run(&root()).map_err(|failure| eprintln!("fixture: {failure}")).is_ok(),
        ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            true
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the root folder of the workspace.
///
/// The variable that cargo sets at run time takes precedence over the one at compile time: a binary in a shared
/// target folder may have been built from another checkout.
fn root() -> PathBuf {
    let mut folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()));
    folder.pop();
    folder
}
