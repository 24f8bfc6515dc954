//! `cargo xtask tidy`: checks rules of this repository that no other tool covers.
//!
//! A check is a pure function from the [`Tree`], which holds every file that is or could be committed, to the
//! [`Fault`]s it finds. Its tests can therefore pass a small tree built in memory. All checks run, and all faults are
//! printed, sorted by path and line.

mod architecture;
mod citations;
mod dependencies;
mod fault;
mod glossary;
mod golden;
mod jurisdictions;
mod leftovers;
mod prose;
mod public_names;
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
    citations::check,
    dependencies::check,
    glossary::check,
    golden::check,
    jurisdictions::check,
    leftovers::check,
    prose::check,
    public_names::check,
    purity::check,
];

/// Runs every check and prints all faults.
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
