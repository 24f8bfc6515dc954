//! Required contents of the history: every built-in book, kind of event, outcome and reason, every purpose of a
//! transfer, every kind of document, and sessions of players and operators.

use crate::Failure;
use paigow::rulebook::BuiltIn;
use paigow_server::{DocumentKind, Documents, People, SessionOwner, Store};
use paigow_table::Time;
use serde_json::Value;
use std::collections::BTreeSet;

const EVENTS: &[&str] = &[
    "opened",
    "sat",
    "leaving",
    "stood",
    "sat_out",
    "returned",
    "round_opened",
    "bank_offered",
    "bank_passed",
    "bank_taken",
    "bank_given_back",
    "pile_picked",
    "wagers_opened",
    "wagered",
    "cleared",
    "committed",
    "wagers_closed",
    "revealed",
    "ready",
    "dealt",
    "hand_set",
    "settled",
    "round_voided",
    "round_abandoned",
    "rested",
    "paused",
    "resumed",
    "closing",
    "closed",
    "noticed",
];
const SETTERS: &[&str] = &["player", "house_way", "clock"];
const OUTCOMES: &[&str] = &["win", "lose", "push", "foul", "no_action", "envy", "collection", "commission"];
const PURPOSES: &[&str] = &[
    "issue",
    "redeem",
    "wager",
    "cover",
    "lost",
    "returned",
    "won",
    "envy",
    "commission",
    "collection",
    "voided",
];

const REASONS: &[&str] = &[
    "compared",
    "foul",
    "dealer_push",
    "not_covered",
    "bank_spent",
    "envy_unpaid",
    "row",
    "limited",
    "no_row",
    "not_beaten",
    "envy",
    "collection",
    "time_fee",
    "banker_commission",
];

/// Page size for the journal, larger than the history's.
const TRANSFERS_MAX: u32 = 100_000;

/// Returns an error if the history lacks a required item.
pub(crate) async fn check<S: Store + People + Documents>(store: &S, summary: &Value) -> Result<(), Failure> {
    let (mut events, mut setters, mut books) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for head in store.tables().await? {
        for row in store.events(&head.table, 0).await? {
            let event: Value = serde_json::from_str(&row.json)?;
            events.extend(word(&event["event"]));
            books.extend(word(&event["config"]["book"]));
            if event["event"] == "hand_set" {
                setters.extend(word(&event["by"]));
            }
        }
    }
    let journal = store.journal(None, 0, TRANSFERS_MAX).await?;
    let purposes = journal.iter().filter_map(|row| word(&serde_json::to_value(row.transfer.purpose).ok()?));
    let purposes = purposes.collect();
    let all = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let rounds = all(&summary["tables"]).into_iter().flat_map(|table| all(&table["rounds"]));
    let lines: Vec<Value> = rounds.flat_map(|round| all(&round["lines"])).collect();
    let outcomes = lines.iter().filter_map(|line| word(&line["outcome"])).collect();
    let reasons = lines.iter().filter_map(|line| word(&line["reason"]["code"])).collect();
    let built_in: Vec<&str> = BuiltIn::book_names().collect();
    require("books", &built_in, &books)?;
    require("reasons", REASONS, &reasons)?;
    require("events", EVENTS, &events)?;
    require("ways of setting", SETTERS, &setters)?;
    require("purposes", PURPOSES, &purposes)?;
    require("outcomes", OUTCOMES, &outcomes)?;
    check_documents(store).await?;
    check_sessions(store).await
}

/// Every kind of document. A kind that a later version adds must be added here.
const DOCUMENTS: &[DocumentKind] = &[
    DocumentKind::Account,
    DocumentKind::AccountName,
    DocumentKind::Limits,
    DocumentKind::TableAccess,
    DocumentKind::Invitation,
    DocumentKind::Operator,
    DocumentKind::Approval,
    DocumentKind::SecretUse,
];

async fn check_documents<S: Documents>(store: &S) -> Result<(), Failure> {
    let mut found = BTreeSet::new();
    for kind in DOCUMENTS {
        if !store.documents(*kind, None, 1).await?.is_empty() {
            found.insert(kind.name().to_owned());
        }
    }
    let kinds: Vec<&str> = DOCUMENTS.iter().map(|kind| kind.name()).collect();
    require("documents", &kinds, &found)
}

async fn check_sessions<S: People>(store: &S) -> Result<(), Failure> {
    for who in [SessionOwner::Player("ann".parse()?), SessionOwner::Operator("olga".parse()?)] {
        if store.sessions_of(&who, Time(0)).await?.is_empty() {
            return Err(format!("the history has no session of {who:?}").into());
        }
    }
    Ok(())
}

fn word(value: &Value) -> Option<String> {
    value.as_str().map(ToOwned::to_owned)
}

fn require(what: &str, required: &[&str], found: &BTreeSet<String>) -> Result<(), Failure> {
    let missing: Vec<&&str> = required.iter().filter(|word| !found.contains(**word)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("the history has no {what} {missing:?}").into()) }
}
