//! Summary of a store: the last hash of each table, all balances, and the settlement of every round.

use paigow::rulebook::BuiltIn;
use paigow_server::{AuditReport, RoundRecord, RulesCache, Store, audit, records};
use paigow_table::LineView;
use serde_json::{Value, json};
use std::error::Error;

/// Returns the summary of a store that passes the audit.
///
/// # Errors
/// The store cannot be read, or the audit has findings.
pub(crate) async fn of<S: Store>(store: &S) -> Result<Value, Box<dyn Error + Send + Sync>> {
    let report = audit(store, RulesCache::new(BuiltIn)).await?;
    if !report.findings.is_empty() {
        return Err(format!("the audit found {:?}", report.findings).into());
    }
    let (library, mut tables) = (RulesCache::new(BuiltIn), Vec::new());
    for head in &report.heads {
        let rounds = records(&head.table, &store.events(&head.table, 0).await?, &library)?;
        let rounds: Vec<Value> = rounds.iter().map(round).collect();
        tables.push(json!({ "table": head.table, "seq": head.seq, "hash": head.hash, "rounds": rounds }));
    }
    let balances = store.trial_balance().await?;
    let balance = |(account, cents): (&paigow_table::Account, &i64)| json!({ "owner": account.owner.to_string(), "currency": account.currency, "cents": cents });
    let balances: Vec<Value> = balances.iter().map(balance).collect();
    let AuditReport { events, rounds, commands, transfers, holds, operator_acts, operator_log_hash, .. } =
        report;
    Ok(json!({
        "events": events,
        "rounds": rounds,
        "commands": commands,
        "transfers": transfers,
        "holds": holds,
        "operator_acts": operator_acts,
        "operator_log_hash": operator_log_hash,
        "balances": balances,
        "tables": tables,
    }))
}

fn round(record: &RoundRecord) -> Value {
    let lines: Vec<Value> = record.lines.iter().map(line).collect();
    json!({ "round": record.round, "outcome": record.outcome, "reason": record.reason, "lines": lines })
}

/// A stored line. Sentence and citation are derived from the reason code, so a line with one omits them.
fn line(line: &LineView) -> Value {
    let mut value = json!(line);
    if let Some(fields) = value.as_object_mut() {
        let derived: &[&str] =
            if line.reason.is_some() { &["because", "cite", "assumed"] } else { &["reason", "assumed"] };
        fields.retain(|key, _| !derived.contains(&key.as_str()));
    }
    value
}
