//! Tests that the digest of `paigow rules` is the hash of the canonical form, and differs between rules.

use crate::program;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

fn printed(args: &[&str]) -> String {
    let output = program::paigow().arg("rules").args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn digest(args: &[&str]) -> String {
    let rules: Value = serde_json::from_str(&printed(&[args, &["--format", "json"]].concat())).unwrap();
    assert_eq!(rules["program"], env!("CARGO_PKG_VERSION"));
    let canonical = printed(&[args, &["--canonical"]].concat());
    let bytes: Vec<String> = Sha256::digest(&canonical).iter().map(|byte| format!("{byte:02x}")).collect();
    let hashed = bytes.concat();
    assert_eq!(rules["digest"], hashed, "{args:?}");
    hashed
}

#[test]
fn digest_covers_all_rules_and_no_descriptions() {
    let books = ["south-dakota", "washington", "california", "south-beach", "ez"];
    let mut digests: BTreeSet<String> = books.iter().map(|book| digest(&[book])).collect();
    assert_eq!(digests.len(), books.len());
    // The digest of version 0.0.0 did not cover these values of a side wager.
    let changes = [
        "wagers.fortune.limits.max=400.00",
        "wagers.fortune.envy.from=10.00",
        "wagers.fortune.settled_by=banker",
        "wagers.fortune.payout_max.amount=5000.00",
        "wagers.fortune.payout_max.per=hand",
    ];
    for change in changes {
        assert!(digests.insert(digest(&["washington", "--set", change])), "{change}");
    }
    // Titles and citations are not part of the digest.
    for change in ["title=X", "commission.cite=X", "wagers.fortune.title=X"] {
        assert!(digests.contains(&digest(&["washington", "--set", change])), "{change}");
    }
}

#[test]
fn very_long_keys_are_refused() {
    for keys in [9, 30_000] {
        let change = format!("{}=1", vec!["a"; keys].join("."));
        let output = program::paigow().args(["rules", "ez", "--set", &change]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{keys} keys");
    }
}
