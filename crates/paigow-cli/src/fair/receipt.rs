//! `paigow fair --receipt FILE`: a signed receipt checked without a server.

use crate::answer::{Answer, Format, Sheet};
use crate::{Failure, complain, print};
use paigow_table::{Receipt, ReceiptCheck, ReceiptPayload, contradictions};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// More than any receipt has.
const BYTES_MAX: u64 = 1_000_000;

pub(super) fn run(files: &[PathBuf], format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let mut checked = Vec::new();
    for file in files {
        let receipt = read(file)?;
        let (checks, payload) = receipt.check();
        checked.push(Checked { file, receipt, checks, payload });
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
}

impl Checked<'_> {
    fn failures(&self) -> impl Iterator<Item = String> {
        let failed = self.checks.iter().filter(|check| check.holds == Some(false));
        failed.map(|check| format!("{}: it is not so that {}", self.file.display(), check.step.says()))
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
            if contradictions(first, second) {
                let same_key = one.receipt.public_key == other.receipt.public_key;
                let whose = if same_key { "the same house" } else { "two keys" };
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
        let rows = one.checks.iter().map(|check| {
            let holds = match check.holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "not checked: the public key is not in the receipt",
            };
            vec![check.step.says().into(), holds.into()]
        });
        Sheet { title, columns: vec!["check", "holds"], rows: rows.collect() }
    });
    Answer { json, sheets: sheets.collect() }
}
