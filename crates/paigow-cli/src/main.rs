//! The program `paigow`: it reads what was typed, asks the libraries, prints the answer.
//!
//! Every command is a file of its own that turns its arguments into an [`Answer`]. Exit status 0 is success,
//! 1 a refusal or a failed check with the reason on standard error, 2 a wrong command line.

mod answer;
mod args;
mod census;
mod hand;
mod stream;

use answer::{Answer, Format};
use args::{Args, Command};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command gave no answer.
enum Failure {
    /// The question was refused, for the reason given.
    Refused(String),
    /// Some lines of a stream were refused, and have been reported; the others were answered.
    LinesRefused,
    /// The answer could not be written.
    Output(io::Error),
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
        Command::Census(command) => print(&census::answer(&command), format, &mut out),
        Command::Hand(command) => hand::run(&command, format, &mut out),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused(reason)) => {
            eprintln!("paigow: {reason}");
            ExitCode::FAILURE
        }
        Err(Failure::LinesRefused) => ExitCode::FAILURE,
        // Whoever reads the answer has had enough of it, as `head` does: that is no failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            eprintln!("paigow: the answer could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(answer: &Answer, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    Ok(answer.print(format, out)?)
}
