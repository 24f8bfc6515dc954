//! Runs the Rust tests. Test programs that mostly wait run beside those that compute.

use crate::failure::Failure;
use crate::test::{cargo, run_cargo};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::{io, thread};

/// Test programs that mostly wait for clocks, disks and processes. They need little time of the cores, and need it at
/// once.
const WAITING: [&str; 3] = ["served", "serving", "store"];

/// Priority of the test programs that compute, below that of those that wait.
const NICE: &str = "10";

/// Builds all tests, runs them, and runs the doc tests. Every program runs even if another one fails.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    run_cargo(root, &["test", "--workspace", "--no-run"], &[])?;
    let (waiting, computing): (Vec<String>, Vec<String>) =
        test_programs(root)?.into_iter().partition(|program| WAITING.contains(&program.as_str()));
    let mut beside = cargo();
    beside.args(test_args(&[], &waiting)).current_dir(root);
    let beside = thread::spawn(move || beside.output());
    let computed = run_computing(root, &test_args(&["--lib", "--bins"], &computing));
    let waited = beside.join().unwrap_or_else(|_| Err(io::Error::other("its thread panicked")));
    let waited = print(&format!("cargo {}", test_args(&[], &waiting).join(" ")), waited);
    let documented = run_cargo(root, &["test", "--workspace", "--doc"], &[]);
    computed.and(waited).and(documented)
}

/// Runs cargo with a lower priority if `nice` is installed.
fn run_computing(root: &Path, args: &[String]) -> Result<(), Failure> {
    let command = format!("cargo {}", args.join(" "));
    let program = cargo();
    let mut nice = Command::new("nice");
    nice.args(["-n", NICE]).arg(program.get_program()).args(args).current_dir(root);
    let status = nice.status().or_else(|_| cargo().args(args).current_dir(root).status());
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::Ended { command, status }),
        Err(cause) => Err(Failure::NotStarted { command, cause }),
    }
}

/// Prints the output of a command that has ended.
fn print(command: &str, output: io::Result<std::process::Output>) -> Result<(), Failure> {
    let command = command.to_owned();
    let output = output.map_err(|cause| Failure::NotStarted { command: command.clone(), cause })?;
    println!("$ {command}");
    print!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    if output.status.success() { Ok(()) } else { Err(Failure::Ended { command, status: output.status }) }
}

fn test_args(targets: &[&str], programs: &[String]) -> Vec<String> {
    // The same packages as for the build: another selection could build dependencies with other features.
    let start = ["test", "--workspace", "--no-fail-fast"].iter().chain(targets).map(|arg| (*arg).to_owned());
    start.chain(programs.iter().flat_map(|program| ["--test".to_owned(), program.clone()])).collect()
}

/// Returns the names of all test programs of the workspace: `tests/NAME.rs` and `tests/NAME/main.rs` of every crate.
fn test_programs(root: &Path) -> Result<Vec<String>, Failure> {
    let mut programs = Vec::new();
    for package in entries(&root.join("crates"))? {
        let tests = package.join("tests");
        for path in if tests.is_dir() { entries(&tests)? } else { Vec::new() } {
            let is_program =
                path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file();
            let name = path.file_stem().filter(|_| is_program);
            programs.extend(name.map(|name| name.to_string_lossy().into_owned()));
        }
    }
    programs.sort();
    Ok(programs)
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let unreadable = |cause| Failure::Unreadable { path: folder.to_owned(), cause };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_waiting_program_exists_and_no_folder_of_data_is_a_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let programs = test_programs(&root).unwrap();
        assert!(WAITING.iter().all(|name| programs.iter().any(|program| program == name)), "{programs:?}");
        assert!(programs.iter().any(|program| program == "reworded"), "{programs:?}");
        assert!(programs.iter().all(|program| program != "fixtures" && program != "kit"), "{programs:?}");
    }
}
