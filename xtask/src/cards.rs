//! `cargo xtask cards [--write]`: searches for the strategy cards of `golden/cards` again, and compares them.
//!
//! Each search takes up to a quarter of an hour. The tests price the stored cards.

use crate::failure::Failure;
use crate::test::run_cargo;
use std::fs;
use std::path::Path;

/// Book and side of each search.
const SEARCHES: [(&str, &str); 2] = [("washington", "player"), ("washington", "banker")];

/// Numbers of lines of the stored cards.
const LINES: [&str; 3] = ["12", "20", "30"];

pub(crate) fn run(root: &Path, write: bool) -> Result<(), Failure> {
    let (stored, found) = (root.join("golden/cards"), root.join("target/cards"));
    let folder = if write { &stored } else { &found };
    fs::create_dir_all(folder).map_err(|cause| Failure::Unreadable { path: folder.clone(), cause })?;
    let mut different = Vec::new();
    for (book, side) in SEARCHES {
        for lines in LINES {
            let name = format!("{book}-{side}-{lines}.toml");
            let out = folder.join(&name).display().to_string();
            let program = ["run", "--release", "--quiet", "--package", "paigow-cli", "--"];
            let card = ["card", book, "--side", side, "--lines", lines, "--frontier", "--out", &out];
            run_cargo(root, &[&program[..], &card].concat(), &[])?;
            let read = |folder: &Path| {
                let path = folder.join(&name);
                fs::read_to_string(&path).map_err(|cause| Failure::Unreadable { path, cause })
            };
            if read(folder)? != read(&stored)? {
                different.push(name);
            }
        }
    }
    if different.is_empty() {
        return Ok(());
    }
    let reason = format!("the search finds others for {}", different.join(", "));
    Err(Failure::Invalid("golden/cards".to_owned(), reason))
}
