//! The chores of the workspace, run as `cargo xtask <chore>`.
//!
//! `test` is everything that must hold before a change is taken: one list of steps in `test.rs`.
//! `tidy` is the part of it that no other tool knows: the rules of this repository, one small file a
//! check under `tidy/`. `browser` plays at the page in Chromium; `simulate` runs tables under faults, by a seed;
//! `rounds` plays rounds beside the exact odds; `crash` kills real processes; `load` measures a server;
//! `attack` measures it under attack; `fixture` keeps a store of this version. A wrong command line ends with 2, a chore that
//! failed with 1.

mod attack;
mod browser;
mod crash;
mod failure;
mod fixture;
mod load;
mod page;
mod rounds;
mod simulate;
mod test;
mod tidy;
mod tools;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

Chores:
  test   formatting, tidy, clippy, the page, tests, docs, browser; every failed step is listed at the end
  tidy   the repository's own rules: arrows between crates, purity, citations, left-overs
  browser
         the page in Chromium against the release program; pictures of every view go to browser/ of the target folder
  simulate [--seconds N] [--seed S] [--book BOOK] [--trace] [--planted]
         tables and clients under faults for so long (60), from this seed on; a seed that fails is printed
  rounds [N]
         so many rounds of every book (10000000) beside the exact odds
  crash [--kills N] [--store sqlite|postgres]
         processes at play killed so often (100) on each store; what they acknowledged must be there
  load [--store sqlite|postgres] [--processes N] [--tables N] [--seats N] [--rounds N] [--seconds N]
         players at a server over sockets: rounds a second, answer times, memory
  attack [--seconds N] [--connections N] [--only NAME] [--program PATH]
         a server under one attack after the other: health checks and commands answered, cores, memory
  fixture
         keeps a store of this version in crates/paigow-server/tests/fixtures/VERSION, for the tests of later ones
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let passed = match args[..] {
        ["test"] => test::run(&root()),
        ["tidy"] => tidy::run(&root()).map_err(|failure| eprintln!("tidy: {failure}")).is_ok(),
        ["browser"] => {
            browser::build_and_check(&root()).map_err(|failure| eprintln!("browser: {failure}")).is_ok()
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

/// The folder of the workspace.
///
/// Cargo's word at run time comes first: a binary in a shared target folder may have been built from
/// another checkout than the one it is run in.
fn root() -> PathBuf {
    let mut folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()));
    folder.pop();
    folder
}
