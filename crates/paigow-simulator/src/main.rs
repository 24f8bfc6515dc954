//! `paigow-simulator [--seconds N] [--seed S] [--book BOOK] [--trace] [--planted]`: executes the runs of seeds S, S + 1
//! and so on for N seconds.
//!
//! The first run that breaks an invariant ends the program, which prints its seed. `--book` selects one built-in book
//! for all tables. `--trace` executes one run and prints every batch sent to the store. `--planted` plants each fault
//! in the server in turn and prints how it is found; the program fails if a fault is not found within N seconds.

use paigow::rulebook::BuiltIn;
use paigow_simulator::{PlantedFault, Simulator};
use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "Usage: paigow-simulator [--seconds N] [--seed S] [--book BOOK] [--trace] [--planted]";
const SECONDS: u64 = 60;
const SEED: u64 = 20_261_115;

struct Options {
    seconds: u64,
    seed: u64,
    trace: bool,
    planted: bool,
    book: Option<String>,
}

impl Options {
    fn simulator(&self) -> Simulator {
        self.book.as_deref().map_or_else(Simulator::default, Simulator::with_book)
    }
}

fn options() -> Option<Options> {
    let mut options = Options { seconds: SECONDS, seed: SEED, trace: false, planted: false, book: None };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => options.seconds = args.next()?.parse().ok()?,
            "--seed" => options.seed = args.next()?.parse().ok()?,
            "--book" => {
                let book = args.next()?;
                BuiltIn::book_names().find(|name| *name == book)?;
                options.book = Some(book);
            }
            "--trace" => options.trace = true,
            "--planted" => options.planted = true,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if options.planted { find_planted(&options) } else { run(&options) }
}

fn run(options: &Options) -> ExitCode {
    let &Options { seconds, seed, trace, .. } = options;
    let start = Instant::now();
    let mut simulator = options.simulator();
    for seed in seed.. {
        if let Err(broken) = simulator.run(seed, trace) {
            println!("{}", simulator.report);
            println!("broken: {broken}");
            return ExitCode::FAILURE;
        }
        if trace || start.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    let took = start.elapsed();
    let report = &simulator.report;
    let faults: u64 = report.faults.values().sum();
    println!("{report}");
    let per_second = |count: u64| u128::from(count) * 1_000 / took.as_millis().max(1);
    println!(
        "from seed {seed}, {took:.1?}: {} commands, {} batches and {} faults per second",
        per_second(report.commands),
        per_second(report.commits),
        per_second(faults)
    );
    ExitCode::SUCCESS
}

fn find_planted(options: &Options) -> ExitCode {
    let &Options { seconds, seed, .. } = options;
    let mut code = ExitCode::SUCCESS;
    println!("| planted fault | runs | seconds | failed check |");
    println!("| --- | ---: | ---: | --- |");
    for fault in PlantedFault::ALL {
        match options.simulator().find(fault, seed, Duration::from_secs(seconds)) {
            Ok(found) => {
                let check: String = found.broken.summary().chars().take(110).collect();
                println!("| {fault} | {} | {:.2} | {check} |", found.runs, found.took.as_secs_f32());
            }
            Err(missed) => {
                println!("| {fault} | {} | not found within {seconds} | |", missed.runs);
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
