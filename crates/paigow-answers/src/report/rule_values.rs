//! Every value of the rules under its path, so that two reports can be compared value by value.

use crate::books::{PaytableRow, PaytableRows};
use crate::rules::RulesAnswer;
use crate::{ClassName, SourcedValue};
use paigow::rulebook::Fee;
use paigow::{Amount, Rulebook};
use serde::Serialize;

/// A value of the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleValue {
    /// Path of the value in the file. Rows of a paytable have the name of their hand, clauses their number.
    pub path: String,
    /// The value as text.
    pub value: String,
    /// `fixed`, `option` or `assumed`.
    pub kind: String,
    /// Passage of the document, or the reason of an assumed value.
    pub cite: String,
}

/// Returns the values of a book. Lists are split: paytables into rows, schedules into steps, the house way into clauses.
pub(super) fn all_of(book: &Rulebook, rules: &RulesAnswer) -> Vec<RuleValue> {
    let mut values = Vec::new();
    for value in &rules.values {
        let rows = rows_of(book, rules, &value.value);
        if rows.is_empty() {
            values.push(rule_value(value.value.clone(), value.is.clone(), value));
        }
        let rows = rows.into_iter().map(|(name, row)| (format!("{}.{name}", value.value), row));
        values.extend(rows.map(|(path, row)| rule_value(path, row, value)));
    }
    for (number, clause) in (1..).zip(book.house_way.clauses()) {
        values.push(RuleValue {
            path: format!("house_way.clauses.{number}"),
            value: format!("{} → {}", clause.when, clause.set.join("; or ")),
            kind: if crate::is_assumed(&clause.cite) { "assumed" } else { "fixed" }.to_owned(),
            cite: clause.cite.clone(),
        });
    }
    values
}

/// One line of path and value for each value: the text that is hashed.
pub(super) fn text(values: &[RuleValue]) -> String {
    let lines: Vec<String> =
        values.iter().map(|value| format!("{} = {}\n", value.path, value.value)).collect();
    lines.concat()
}

fn rule_value(path: String, is: String, source: &SourcedValue) -> RuleValue {
    let cite = match (&source.because, &source.cite) {
        (Some(because), Some(cite)) => format!("assumed: {because} ({cite})"),
        (Some(because), None) => format!("assumed: {because}"),
        (None, cite) => cite.clone().unwrap_or_default(),
    };
    RuleValue { path, value: is, kind: source.kind.to_owned(), cite }
}

/// Names and texts of the rows of a list. Empty if the path is not that of a list.
fn rows_of(book: &Rulebook, rules: &RulesAnswer, path: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts[..] {
        ["wagers", wager, "paytables", .., "pays"] => {
            let wager = rules.wagers.iter().find(|found| found.wager.wager == wager);
            let name = parts[3..parts.len() - 1].join(".");
            let table: Option<&PaytableRows> =
                wager.and_then(|wager| wager.wager.paytables.iter().find(|table| table.paytable == name));
            table.into_iter().flat_map(|table| &table.rows).map(pay_row).collect()
        }
        ["collection", list @ ("schedule" | "bonus")] => {
            let collection = book.collection.as_ref();
            let fees = collection.map_or(&[][..], |collection| match list {
                "schedule" => &collection.schedule,
                _ => &collection.bonus,
            });
            let fee = |(number, fee): (usize, &Fee)| {
                let money = |amount: Amount| format!("${amount:#}");
                let (player, banker) = (money(fee.player), money(fee.banker));
                let text = format!("from {}: player {player}, banker {banker}", money(fee.wager_from));
                ((number + 1).to_string(), text)
            };
            fees.iter().enumerate().map(fee).collect()
        }
        _ => Vec::new(),
    }
}

fn pay_row(row: &PaytableRow) -> (String, String) {
    let name = match (row.hand, row.cards) {
        (Some(ClassName(class)), _) => class.name().to_owned(),
        (None, cards) => format!("{}_cards", cards.unwrap_or_default()),
    };
    let pays = if row.pays == 0 { "push".to_owned() } else { format!("{} to 1", row.pays) };
    let envy = row.envy_cents.map(|cents| format!(", envy ${:#}", Amount::from_cents(cents)));
    (name, pays + &envy.unwrap_or_default())
}
