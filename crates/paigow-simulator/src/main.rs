//! `paigow-simulator --seconds N --seed S [--trace]`: worlds by seed S, S + 1 and so on for N seconds. A world that breaks is named by its
//! seed and ends the run; with that seed it is the first one of the next. `--trace` runs one world and shows all that is written.

use paigow_simulator::Simulator;
use std::env;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "Usage: paigow-simulator [--seconds N] [--seed S] [--trace]";
const SECONDS: u64 = 60;
const SEED: u64 = 20_261_115;

struct Options {
    seconds: u64,
    seed: u64,
    trace: bool,
}

fn options() -> Option<Options> {
    let mut options = Options { seconds: SECONDS, seed: SEED, trace: false };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => options.seconds = args.next()?.parse().ok()?,
            "--seed" => options.seed = args.next()?.parse().ok()?,
            "--trace" => options.trace = true,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(Options { seconds, seed, trace }) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let mut simulator = Simulator::default();
    for seed in seed.. {
        if let Err(broken) = simulator.run(seed, trace) {
            println!("{}", simulator.report);
            println!("broken: cargo xtask simulate --seed {}", broken.seed);
            return ExitCode::FAILURE;
        }
        if trace || start.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
    }
    println!("{}", simulator.report);
    println!("from seed {seed}, {:.1?}", start.elapsed());
    ExitCode::SUCCESS
}
