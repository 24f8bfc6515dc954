//! `paigow fair --receipt FILE`: a signed receipt checked without a server.

use crate::answer::{Answer, Format, Sheet};
use crate::{Failure, complain, print};
use paigow_table::{PublicKey, Receipt, ReceiptCheck, ReceiptPayload, ReceiptStep, contradictions};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// More than any receipt has.
const BYTES_MAX: u64 = 1_000_000;

pub(super) fn run(
    files: &[PathBuf],
    house: Option<PublicKey>,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut checked = Vec::new();
    for file in files {
        let receipt = read(file)?;
        let (checks, payload) = receipt.check();
        let is_houses = house.map(|house| house == receipt.public_key);
        checked.push(Checked { file, receipt, checks, payload, is_houses });
    }
    let proofs = contradicting(&checked);
    print(&answer(&checked, &proofs), format, out)?;
    out.flush()?;
    let failed: Vec<String> = checked.iter().flat_map(Checked::failures).chain(proofs).collect();
    if failed.is_empty() {
        return Ok(());
    }
    complain(&format!("paigow: {}", failed.join("; ")));
    Err(Failure::Reported)
}

/// A receipt and what came of checking it.
struct Checked<'a> {
    file: &'a Path,
    receipt: Receipt,
    checks: Vec<ReceiptCheck>,
    payload: Option<ReceiptPayload>,
    /// Whether it names the house's public key, if that was given.
    is_houses: Option<bool>,
}

impl Checked<'_> {
    /// What does not hold or could not be checked.
    fn failures(&self) -> impl Iterator<Item = String> {
        let file = self.file.display();
        let other_key = (self.is_houses == Some(false))
            .then(|| format!("{file}: it is signed with another key than the house's"));
        let failed = self.checks.iter().filter_map(move |check| match check.holds {
            Some(true) => None,
            Some(false) => Some(format!("{file}: it is not so that {}", check.step.says())),
            None => Some(format!("{file}: it cannot be checked that {}", check.step.says())),
        });
        other_key.into_iter().chain(failed)
    }

    /// Whether the payload is signed with the public key that the receipt names.
    fn is_signed(&self) -> bool {
        self.checks.iter().any(|check| check.step == ReceiptStep::Receipt && check.holds == Some(true))
    }
}

fn read(file: &Path) -> Result<Receipt, Failure> {
    let named = |why: String| Failure::Refused(format!("{}: {why}", file.display()));
    let size = fs::metadata(file).map_err(|why| named(why.to_string()))?.len();
    if size > BYTES_MAX {
        return Err(named(format!("{size} bytes are more than a receipt has")));
    }
    let text = fs::read_to_string(file).map_err(|why| named(why.to_string()))?;
    serde_json::from_str(&text).map_err(|why| named(format!("this is no receipt: {why}")))
}

/// Pairs of receipts that contradict each other: together they prove that the house signed two versions of one round.
fn contradicting(checked: &[Checked<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, one) in checked.iter().enumerate() {
        for other in &checked[at + 1..] {
            let (Some(first), Some(second)) = (&one.payload, &other.payload) else { continue };
            if one.is_signed() && other.is_signed() && contradictions(first, second) {
                let same_key = one.receipt.public_key == other.receipt.public_key;
                let whose = if same_key { "the same key" } else { "two keys" };
                found.push(format!(
                    "{} and {} contradict each other, signed by {whose}",
                    one.file.display(),
                    other.file.display()
                ));
            }
        }
    }
    found
}

fn answer(checked: &[Checked<'_>], proofs: &[String]) -> Answer {
    let receipts: Vec<Value> = checked
        .iter()
        .map(|one| {
            json!({
                "file": one.file.display().to_string(),
                "holds": one.failures().next().is_none(),
                "key": one.receipt.key,
                "public_key": one.receipt.public_key,
                "checks": one.checks,
                "receipt": one.payload,
            })
        })
        .collect();
    let json = json!({ "receipts": receipts, "contradictions": proofs });
    let sheets = checked.iter().map(|one| {
        let title = match &one.payload {
            Some(payload) => format!(
                "Round {} at table {}, {}, signed with key {}",
                payload.round, payload.table, payload.outcome, one.receipt.key
            ),
            None => one.file.display().to_string(),
        };
        // Not in a cell, where it would be broken into lines.
        let title = format!("{title}\nPublic key: {}", String::from(one.receipt.public_key));
        let rows = one.checks.iter().map(|check| {
            let holds = match check.holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "not checked: the public key is not in the receipt",
            };
            vec![check.step.says().into(), holds.into()]
        });
        let is_houses = one.is_houses.map(|is_houses| {
            vec!["the public key is the house's".into(), if is_houses { "yes" } else { "NO" }.into()]
        });
        Sheet { title, columns: vec!["check", "holds"], rows: rows.chain(is_houses).collect() }
    });
    Answer { json, sheets: sheets.collect() }
}
