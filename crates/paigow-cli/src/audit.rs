//! `paigow audit`: checks a whole store from the start.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::archive::{extend, sheets};
use crate::args::AuditArgs;
use crate::store::{open_store, refused, rules_cache};
use crate::{Failure, print, print_error};
use paigow_server::{
    AuditOptions, AuditReport, Finding, HeadVerifier, Heads, RulesCache, audit_archive, read_master_keys,
};
use paigow_table::MasterKeys;
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(args: &AuditArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let rules = rules_cache(&args.books)?;
    let keys = args.key_file.as_deref().map(read_master_keys).transpose().map_err(refused)?.map(Arc::new);
    let verifier = args.public_key.map(|key| Arc::new(vec![key]) as Arc<dyn HeadVerifier>);
    if let Some(file) = &args.archive {
        return archive_alone(file, &rules, keys.as_ref(), verifier.as_deref(), format, out);
    }
    let against = args.against.as_deref().map(|path| read_heads(path, keys.as_deref())).transpose()?;
    let options = AuditOptions { against, keys: keys.clone(), verifier, archives: args.archives.clone() };
    let report = open_store(&args.store.store)?.audit(rules, options).map_err(refused)?;
    print(&answer(&args.store.store.to_string(), &report), format, out)?;
    out.flush()?;
    let Some(first) = report.findings.first() else {
        return args.heads.as_deref().map_or(Ok(()), |path| {
            let mut heads = report.exported_heads();
            if let Some(keys) = &keys {
                heads.sign(&**keys);
            }
            write_heads(path, &heads)
        });
    };
    print_error(&format!("paigow: {}: {first}", args.store.store));
    Err(Failure::Reported)
}

/// Audits an archive without a store.
fn archive_alone(
    file: &Path,
    rules: &RulesCache,
    keys: Option<&Arc<MasterKeys>>,
    verifier: Option<&dyn HeadVerifier>,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let audited = audit_archive(file, rules, keys, verifier);
    let report = audited.map_err(|error| refused(format!("{}: {error}", file.display())))?;
    let mut json = json!({ "in_order": report.findings.is_empty() });
    extend(&mut json, file, &report);
    let mut sheets = sheets("Audit of the archive", file, &report);
    sheets.extend(findings_sheet(&report.findings));
    print(&Answer { json, sheets }, format, out)?;
    out.flush()?;
    let Some(first) = report.findings.first() else { return Ok(()) };
    print_error(&format!("paigow: {}: {first}", file.display()));
    Err(Failure::Reported)
}

/// Lists findings, if there are any.
fn findings_sheet(findings: &[Finding]) -> Option<Sheet> {
    let row = |finding: &Finding| {
        vec![finding.code.into(), finding.place.clone().into(), finding.says.clone().into()]
    };
    (!findings.is_empty()).then(|| Sheet {
        title: "Findings".to_owned(),
        columns: vec!["code", "location", "finding"],
        rows: findings.iter().map(row).collect(),
    })
}

/// Reads a file of heads.
///
/// With keys, the heads must be signed. Without a signature, an attacker could replace the file with the heads of a
/// shortened store.
fn read_heads(path: &Path, keys: Option<&MasterKeys>) -> Result<Heads, Failure> {
    let refused = |why: String| refused(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let heads: Heads =
        serde_json::from_str(&text).map_err(|error| refused(format!("not a file of heads: {error}")))?;
    if heads.format != Heads::FORMAT {
        return Err(refused(format!(
            "has format {}, but this program reads format {}",
            heads.format,
            Heads::FORMAT
        )));
    }
    if keys.is_some_and(|keys| !heads.is_signed(keys)) {
        return Err(refused("not signed by a key of the key file".to_owned()));
    }
    Ok(heads)
}

/// Writes heads to a new file. An existing file is never overwritten, because its heads would be lost.
fn write_heads(path: &Path, heads: &Heads) -> Result<(), Failure> {
    let refused = |why: String| refused(format!("{}: {why}", path.display()));
    let text = serde_json::to_string_pretty(heads).map_err(|error| refused(error.to_string()))?;
    let mut file = File::create_new(path).map_err(|error| refused(error.to_string()))?;
    writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(|error| refused(error.to_string()))
}

fn answer(store: &str, report: &AuditReport) -> Answer {
    let mut json = json!({ "store": store, "in_order": report.findings.is_empty() });
    if let (Some(all), Ok(serde_json::Value::Object(rest))) =
        (json.as_object_mut(), serde_json::to_value(report))
    {
        all.extend(rest);
    }
    let AuditReport { tables, events, rounds, commands, transfers, accounts, holds, operator_acts, .. } =
        *report;
    let counts = [
        ("tables", tables),
        ("tables with unverified rules", report.rules_unverified.len() as u64),
        ("rounds", rounds),
        ("open rounds not yet revealed", report.rounds_not_shown),
        ("archived rounds", report.archived_rounds),
        ("archives", report.archives),
        ("archives compared with their files", report.archives_compared),
        ("events", events),
        ("commands", commands),
        ("transfers", transfers),
        ("accounts", accounts),
        ("holds", holds),
        ("entries of the operators' log", operator_acts),
        ("findings", report.findings.len() as u64),
    ];
    let row = |(name, count): (&str, u64)| vec![Cell::from(name), Cell::from(count)];
    let mut sheets = vec![Sheet {
        title: format!("Audit of {store}"),
        columns: vec!["checked", "count"],
        rows: counts.into_iter().map(row).collect(),
    }];
    sheets.extend(findings_sheet(&report.findings));
    sheets.push(heads_sheet(&report.exported_heads()));
    Answer { json, sheets }
}

/// Lists the heads of all chains.
pub(crate) fn heads_sheet(heads: &Heads) -> Sheet {
    let tables = heads.tables.iter();
    let tables = tables.map(|head| (head.table.to_string(), head.seq, head.hash.clone()));
    let logs = [("(operators' log)", heads.operator_log), ("(house log)", heads.house_log)];
    let logs = logs
        .into_iter()
        .filter_map(|(name, head)| head.map(|head| (name.to_owned(), head.seq, head.hash.into())));
    let row = |(chain, seq, hash): (String, u64, String)| vec![chain.into(), seq.into(), hash.into()];
    Sheet {
        title: "Heads of all chains".to_owned(),
        columns: vec!["table", "events", "hash"],
        rows: tables.chain(logs).map(row).collect(),
    }
}
