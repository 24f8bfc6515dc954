//! `paigow fair --receipt FILE`: checks signed receipts without a server.

use crate::answer::{Answer, Format, Sheet};
use crate::{Failure, print, print_error};
use paigow_table::{PublicKey, Receipt, ReceiptCheck, ReceiptPayload, ReceiptStep, contradict};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum size of a file, far above that of any receipt.
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
        let key_matches = house.map(|house| house == receipt.public_key);
        checked.push(CheckedReceipt { file, receipt, checks, payload, key_matches });
    }
    let contradictions = find_contradictions(&checked);
    print(&answer(&checked, &contradictions), format, out)?;
    out.flush()?;
    let failed: Vec<String> =
        checked.iter().flat_map(CheckedReceipt::failures).chain(contradictions).collect();
    if failed.is_empty() {
        return Ok(());
    }
    print_error(&format!("paigow: {}", failed.join("; ")));
    Err(Failure::Reported)
}

/// A receipt and the results of its checks.
struct CheckedReceipt<'a> {
    file: &'a Path,
    receipt: Receipt,
    checks: Vec<ReceiptCheck>,
    payload: Option<ReceiptPayload>,
    /// Whether the receipt has the public key given with `--public-key`. `None` if none was given.
    key_matches: Option<bool>,
}

impl CheckedReceipt<'_> {
    /// Describes the checks that failed or could not be made.
    fn failures(&self) -> impl Iterator<Item = String> {
        let file = self.file.display();
        let other_key = (self.key_matches == Some(false))
            .then(|| format!("{file}: signed with another key than that of --public-key"));
        let failed = self.checks.iter().filter_map(move |check| match check.holds {
            Some(true) => None,
            Some(false) => Some(format!("{file}: check failed: {}", check.step.description())),
            None => Some(format!("{file}: not checked: {}", check.step.description())),
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
        return Err(named(format!("{size} bytes is too long for a receipt: at most {BYTES_MAX}")));
    }
    let text = fs::read_to_string(file).map_err(|why| named(why.to_string()))?;
    serde_json::from_str(&text).map_err(|why| named(format!("not a receipt: {why}")))
}

/// Describes the pairs of receipts that contradict each other.
///
/// Such a pair proves that the house signed two versions of one round.
fn find_contradictions(checked: &[CheckedReceipt<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, one) in checked.iter().enumerate() {
        for other in &checked[index + 1..] {
            let (Some(first), Some(second)) = (&one.payload, &other.payload) else { continue };
            if one.is_signed() && other.is_signed() && contradict(first, second) {
                let same_key = one.receipt.public_key == other.receipt.public_key;
                let keys = if same_key { "the same key" } else { "two keys" };
                found.push(format!(
                    "{} and {} contradict each other, signed by {keys}",
                    one.file.display(),
                    other.file.display()
                ));
            }
        }
    }
    found
}

fn answer(checked: &[CheckedReceipt<'_>], contradictions: &[String]) -> Answer {
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
    let json = json!({ "receipts": receipts, "contradictions": contradictions });
    let sheets = checked.iter().map(|one| {
        let title = match &one.payload {
            Some(payload) => format!(
                "Round {} at table {}, {}, signed with key {}",
                payload.round, payload.table, payload.outcome, one.receipt.key
            ),
            None => one.file.display().to_string(),
        };
        // The title is not wrapped, as a cell would be.
        let title = format!("{title}\nPublic key: {}", String::from(one.receipt.public_key));
        let rows = one.checks.iter().map(|check| {
            let holds = match check.holds {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "not checked: the public key is not in the receipt",
            };
            vec![check.step.description().into(), holds.into()]
        });
        let key_row = one.key_matches.map(|matches| {
            vec!["the public key is that of --public-key".into(), if matches { "yes" } else { "NO" }.into()]
        });
        Sheet { title, columns: vec!["check", "holds"], rows: rows.chain(key_row).collect() }
    });
    Answer { json, sheets: sheets.collect() }
}
