//! Starts the built program in tests.

#![allow(dead_code)] // the tests of the server use a part of it

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Folder of the cache that the tests of one build share.
pub(crate) const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cache");

pub(crate) fn paigow() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_paigow"));
    program.env("PAIGOW_CACHE", CACHE);
    program
}

/// Runs the program with these bytes on its standard input. It may exit before it has read them all.
pub(crate) fn with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = paigow()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join();
    output
}
