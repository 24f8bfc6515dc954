//! The program `paigow`: it reads what was typed, asks the libraries, prints the answer.
//!
//! Every command is a file of its own that turns its arguments into an [`Answer`]. Exit status 0 is success,
//! 1 a refusal or a failed check with the reason on standard error, 2 a wrong command line.

mod answer;
mod args;
mod audit;
mod backup;
mod bar;
mod best;
mod books;
mod census;
mod check;
mod export;
mod fair;
mod files;
mod hand;
mod numbers;
mod odds;
mod operator;
mod problems;
mod replay;
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
use clap::Parser;
use paigow::document::Problem;
use paigow_answers::Faults;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command gave no answer, or none that is good.
enum Failure {
    /// The question was refused, for the reason given.
    Refused(String),
    /// A text is not right.
    Problems(Vec<Problem>),
    /// The question was refused, for all these reasons.
    Faults(Faults),
    /// What is wrong has been said already: lines of a stream that are no hands, a check that failed.
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
    let args = Args::parse();
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
        CliCommand::Operator(command) => operator::run(&command, format, &mut out),
        CliCommand::Backup(command) => {
            backup::answer(&command).and_then(|answer| print(&answer, format, &mut out))
        }
        CliCommand::Export(command) => export::run(&command, format, &mut out),
    };
    // What could be answered is printed before anything is said about the rest.
    let flushed = out.flush();
    let failure = match result.and_then(|()| Ok(flushed?)) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    match failure {
        Failure::Refused(reason) => complain(&format!("paigow: {reason}")),
        Failure::Problems(problems) => complain(&problems::render(&problems)),
        Failure::Faults(faults) => complain(&problems::render_faults(&faults)),
        Failure::Reported => {}
        // Whoever reads the answer has had enough of it, as `head` does: that is no failure.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Failure::Output(error) => complain(&format!("paigow: the answer could not be written: {error}")),
    }
    ExitCode::FAILURE
}

/// Says what is wrong on standard error. Where that cannot be written either, the exit status has to do.
fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn print(answer: &Answer, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    Ok(answer.print(format, out)?)
}
