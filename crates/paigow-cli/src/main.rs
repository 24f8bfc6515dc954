//! The program `paigow`: parses the command line, calls the libraries and prints the answer.
//!
//! Every command has its own file, which turns the arguments into an [`Answer`]. The exit status is 0 on success, 1 for
//! a refusal or a failed check with the reason on standard error, and 2 for a wrong command line.

mod answer;
mod archive;
mod args;
mod audit;
mod backup;
mod bar;
mod best;
mod books;
mod card;
mod cards;
mod census;
mod check;
mod compact;
mod completions;
mod doctor;
mod export;
mod fair;
mod hand;
mod manual;
mod move_store;
mod numbers;
mod odds;
mod operator;
mod out_file;
mod price;
mod problems;
mod puzzle;
mod replay;
mod report;
mod rules;
mod serve;
mod set;
mod settle;
mod simulate;
mod store;
mod strategy;
mod stream;
mod verify;

use answer::{Answer, Format};
use args::{Args, CliCommand};
use paigow::document::Problem;
use paigow_answers::Faults;
use std::io::{self, Write};
use std::process::ExitCode;

/// Reason why a command exits with an error.
enum Failure {
    /// The command was refused, with this reason.
    Refused(String),
    /// A rule book, a house way or a round has problems.
    Problems(Vec<Problem>),
    /// The question has faults.
    Faults(Faults),
    /// The error has already been printed, for example a bad line of a stream or a failed check.
    Reported,
    /// The answer could not be written.
    Output(io::Error),
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Failure {
        Failure::Faults(faults)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let args = Args::of_process();
    let format = args.format;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = match args.command {
        CliCommand::Books => books::answer().and_then(|answer| print(&answer, format, &mut out)),
        CliCommand::Rules(command) if command.canonical => {
            rules::canonical(&command).and_then(|form| Ok(out.write_all(form.as_bytes())?))
        }
        CliCommand::Rules(command) => {
            rules::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Check(command) => check::run(&command, format, &mut out),
        CliCommand::Census(command) => {
            census::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Hand(command) => hand::run(&command, format, &mut out),
        CliCommand::Settle(command) => settle::run(&command, format, &mut out),
        CliCommand::Best(command) => {
            best::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Card(command) => {
            card::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Cards(command) => {
            cards::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Report(command) => {
            report::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Price(command) => {
            price::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Puzzle(command) => {
            puzzle::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Odds(command) => {
            odds::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Strategy(command) => {
            strategy::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Fair(command) => fair::run(&command, format, &mut out),
        CliCommand::Simulate(command) => simulate::run(&command, format, &mut out),
        CliCommand::Set(command) => set::run(&command, format, &mut out),
        CliCommand::Verify(command) => verify::run(&command, format, &mut out),
        CliCommand::Audit(command) => audit::run(&command, format, &mut out),
        CliCommand::Replay(command) => {
            replay::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Serve(command) => serve::run(command),
        CliCommand::Doctor(command) => doctor::run(command, format, &mut out),
        CliCommand::Operator(command) => operator::run(&command, format, &mut out),
        CliCommand::Backup(command) => {
            backup::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Compact(command) => {
            compact::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Move(command) => move_store::run(&command, format, &mut out),
        CliCommand::Archive(command) => archive::run(&command, format, &mut out),
        CliCommand::Export(command) => export::run(&command, format, &mut out),
        CliCommand::Completions(command) => completions::run(&command, &mut out),
        CliCommand::Man(command) => {
            manual::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
    };
    // The answer is printed before the error message.
    let flushed = out.flush();
    let failure = match result.and_then(|()| Ok(flushed?)) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    match failure {
        Failure::Refused(reason) => print_error(&format!("paigow: {reason}")),
        Failure::Problems(problems) => print_error(&problems::render(&problems)),
        Failure::Faults(faults) => print_error(&problems::render_faults(&faults)),
        Failure::Reported => {}
        // A reader that closes the pipe early, such as `head`, is not an error.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Failure::Output(error) => print_error(&format!("paigow: cannot write the answer: {error}")),
    }
    ExitCode::FAILURE
}

/// Prints a message on standard error. If that fails, only the exit status reports the error.
fn print_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn print(answer: &Answer, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    Ok(answer.print(format, out)?)
}
