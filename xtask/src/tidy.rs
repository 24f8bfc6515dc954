//! `cargo xtask tidy`: the rules of this repository that no other tool knows.
//!
//! A check is a pure function from the [`Tree`] (every file that is or could be committed, read once)
//! to the [`Fault`]s it finds, so that its test can hand it a tree of two lines. All checks run, and
//! all faults are shown, sorted by place.

mod architecture;
mod arrows;
mod citations;
mod fault;
mod golden;
mod jurisdictions;
mod leftovers;
mod prose;
mod purity;
mod rust_text;
mod toml_text;
mod tree;
mod words;

use crate::failure::Failure;
use fault::Fault;
use std::collections::BTreeSet;
use std::path::Path;
use tree::Tree;

const CHECKS: &[fn(&Tree) -> Vec<Fault>] = &[
    architecture::check,
    arrows::check,
    citations::check,
    golden::check,
    jurisdictions::check,
    leftovers::check,
    prose::check,
    purity::check,
];

/// Runs every check and prints what it finds.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let tree = Tree::load(root)?;
    let faults: BTreeSet<Fault> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    for fault in &faults {
        println!("{fault}");
    }
    if !faults.is_empty() {
        return Err(Failure::Faults(faults.len()));
    }
    println!("tidy: {} checks, {} files", CHECKS.len(), tree.files().count());
    Ok(())
}
