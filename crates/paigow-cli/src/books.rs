//! `paigow books`: the rule books that come with the program.

use crate::answer::{Answer, Sheet};
use crate::{Failure, files};
use paigow::rulebook::{BuiltIn, SideWager};
use paigow::{Pays, Paytable, Rulebook, WinsOn};
use serde_json::{Value, json};

pub(crate) fn answer() -> Result<Answer, Failure> {
    let books: Vec<Rulebook> =
        BuiltIn::book_names().map(|name| files::book(name, &[])).collect::<Result<_, _>>()?;
    let rows = books.iter().map(|book| {
        let wagers: Vec<String> = book.wagers.iter().map(wager_in_words).collect();
        vec![
            book.id.as_str().into(),
            book.title.as_str().into(),
            book.source.as_str().into(),
            book.effective.as_deref().unwrap_or("undated").into(),
            wagers.join("; ").into(),
            (book.assumptions.len() as u64).into(),
        ]
    });
    let sheet = Sheet {
        title: "Rule books".to_owned(),
        columns: vec!["book", "title", "source", "effective", "side wagers and their paytables", "assumed"],
        rows: rows.collect(),
    };
    let json = json!({ "books": books.iter().map(book_json).collect::<Vec<_>>() });
    Ok(Answer { json, sheets: vec![sheet] })
}

fn wager_in_words(wager: &SideWager) -> String {
    let tables: Vec<String> = wager
        .paytables
        .iter()
        .map(
            |table| {
                if table.available { table.name.clone() } else { format!("{} (not available)", table.name) }
            },
        )
        .collect();
    format!("{}: {}", wager.name, tables.join(", "))
}

fn book_json(book: &Rulebook) -> Value {
    json!({
        "id": book.id,
        "title": book.title,
        "source": book.source,
        "effective": book.effective,
        "checked_on": book.checked_on,
        "ranking": { "joker": book.ranking.joker.name(), "wheel": book.ranking.wheel.name() },
        "house_way": book.house_way.id,
        "wagers": book.wagers.iter().map(wager_json).collect::<Vec<_>>(),
        "assumed": book.assumptions.len(),
    })
}

/// A side wager with its paytables.
pub(crate) fn wager_json(wager: &SideWager) -> Value {
    json!({
        "wager": wager.name,
        "title": wager.title,
        "looks_at": wager.looks_at.name(),
        "settled_by": wager.settled_by.name(),
        "default": wager.default,
        "min_cents": wager.limits.min.cents(),
        "max_cents": wager.limits.max.cents(),
        "envy_from_cents": wager.envy.as_ref().map(|envy| envy.from.cents()),
        "payout_max": wager.payout_max.as_ref().map(|max| json!({
            "amount_cents": max.amount.map(paigow::Amount::cents), "per": max.per.name(),
        })),
        "cite": wager.cite,
        "paytables": wager.paytables.iter().map(paytable_json).collect::<Vec<_>>(),
    })
}

fn paytable_json(table: &Paytable) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let pays = match row.pays {
                Pays::Push => 0,
                Pays::ToOne(times) => times,
            };
            let envy = row.envy.map(paigow::Amount::cents);
            match row.wins_on {
                WinsOn::Class(class) => json!({ "hand": class.name(), "pays": pays, "envy_cents": envy }),
                WinsOn::Cards(cards) => json!({ "cards": cards, "pays": pays, "envy_cents": envy }),
            }
        })
        .collect();
    json!({
        "paytable": table.name,
        "also": table.also,
        "available": table.available,
        "joker": table.joker.name(),
        "rows": rows,
        "cite": table.cite,
    })
}
