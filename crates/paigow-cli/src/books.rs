//! `paigow books`: lists the built-in rule books.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use paigow_answers::books::{self, BookWager};

pub(crate) fn answer() -> Result<Answer, Failure> {
    let books = books::answer()?;
    let rows = books.books.iter().map(|book| {
        let wagers: Vec<String> = book.wagers.iter().map(describe_wager).collect();
        vec![
            book.id.as_str().into(),
            book.title.as_str().into(),
            book.source.as_str().into(),
            book.effective.as_deref().unwrap_or("undated").into(),
            wagers.join("; ").into(),
            (book.assumed as u64).into(),
        ]
    });
    let sheet = Sheet {
        title: "Rule books".to_owned(),
        columns: vec!["book", "title", "source", "effective", "side wagers and their paytables", "assumed"],
        rows: rows.collect(),
    };
    Ok(Answer::new(&books, vec![sheet])?)
}

fn describe_wager(wager: &BookWager) -> String {
    let tables: Vec<String> = wager
        .paytables
        .iter()
        .map(|table| {
            let available = if table.available { "" } else { " (not available)" };
            format!("{}{available}", table.paytable)
        })
        .collect();
    let offered = if wager.offered { "" } else { " (not offered)" };
    format!("{}{offered}: {}", wager.wager, tables.join(", "))
}
