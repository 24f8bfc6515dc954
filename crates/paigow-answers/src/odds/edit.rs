//! Paytables edited in a question.
//!
//! The edited paytable becomes the text of a book that extends the book of the question. It is therefore checked like
//! any file.

use super::OddsQuestion;
use crate::books::PaytableRow;
use crate::fault_paths::FaultPaths;
use crate::question::QuestionContext;
use crate::{ClassName, Fault};
use paigow::document::{Problem, Source, ValueKind};
use paigow::rulebook::{Departure, PayoutScope};
use paigow::{Amount, PayRow, Rulebook};
use serde::Deserialize;
use toml::{Table, Value};
use utoipa::ToSchema;

/// Row of an edited paytable, for a class of hands or for a number of cards of the chosen color.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditedRow {
    /// Class of hands, such as `full_house`.
    pub hand: Option<String>,
    /// Number of cards of the chosen color.
    pub cards: Option<i64>,
    /// Payout to 1. 0 is a push.
    pub pays: i64,
    /// Envy bonus.
    pub envy_cents: Option<u64>,
    /// Whether the row pays less than a more common hand on purpose. Without it, such a row is a fault.
    #[serde(default)]
    pub intended: bool,
}

/// Name of the generated text in messages.
const NAME: &str = "the edited paytable";

impl QuestionContext<'_> {
    /// Returns the book with the rows and the payout maximum of the question, if it has any.
    pub(super) fn edited(
        &mut self,
        question: &OddsQuestion,
        book: Rulebook,
        tables: &[(usize, usize)],
    ) -> Option<Rulebook> {
        let Some(edit) = self.edit(question, &book, tables) else { return Some(book) };
        let source = Source::new(NAME, edit.extension(question, &book));
        match Rulebook::parse(&book.id, &source, &question.changes.pairs(), self.book_source) {
            Ok(mut edited) => {
                edited.departures.extend(edit.departures(question, &book));
                Some(edited)
            }
            Err(problems) => {
                let paths = FaultPaths::of(&source);
                let faults = problems.into_iter().map(|problem| edit.fault(problem, &paths));
                self.faults.faults.extend(faults);
                None
            }
        }
    }

    /// Returns the wager and the paytable to edit, or `None` if the question edits nothing or has a fault.
    fn edit(&mut self, question: &OddsQuestion, book: &Rulebook, tables: &[(usize, usize)]) -> Option<Edit> {
        let at = match (&question.rows, question.payout_max_cents) {
            (Some(_), _) => "rows",
            (None, Some(_)) => "payout_max_cents",
            (None, None) => return None,
        };
        let wager = question.wager.as_deref().and_then(|name| book.wager(name));
        let Some(wager) = wager else {
            // An unknown wager has already been reported.
            if question.wager.as_deref().is_none_or(|name| name == super::BASE_GAME) {
                let message = "rows and a payout maximum belong to a side wager: name it";
                self.faults.push(Fault::new("no_wager_to_edit", at, message));
            }
            return None;
        };
        let named = question.paytable.as_ref().and(tables.first());
        let paytable = named.map_or(&wager.default, |&(_, table)| &wager.paytables[table].name);
        Some(Edit {
            wager: wager.name.clone(),
            paytable: paytable.clone(),
            per: wager.payout_max.as_ref().map_or(PayoutScope::Hand, |max| max.per),
        })
    }
}

/// Describes the rows that are not among `others`.
fn describe_differences(rows: &[EditedRow], others: &[EditedRow]) -> String {
    let others: Vec<String> = others.iter().map(EditedRow::describe).collect();
    let own = rows.iter().map(EditedRow::describe).filter(|row| !others.contains(row));
    let own: Vec<String> = own.collect();
    if own.is_empty() { "no such row".to_owned() } else { own.join(", ") }
}

impl EditedRow {
    /// Converts a row of the book.
    fn of(row: &PayRow) -> EditedRow {
        let PaytableRow { hand, cards, pays, envy_cents, .. } = PaytableRow::of(row);
        let hand = hand.map(|ClassName(class)| class.name().to_owned());
        EditedRow { hand, cards: cards.map(i64::from), pays: pays.into(), envy_cents, intended: true }
    }

    /// Describes the row, such as `full_house 5 to 1`, with its envy bonus if it has one.
    fn describe(&self) -> String {
        let name = self.hand.clone().unwrap_or_else(|| format!("{} cards", self.cards.unwrap_or_default()));
        let pays = if self.pays == 0 { "push".to_owned() } else { format!("{} to 1", self.pays) };
        let envy = self.envy_cents.filter(|cents| *cents > 0);
        let envy = envy.map(|cents| format!(" with envy ${:#}", Amount::from_cents(cents)));
        format!("{name} {pays}{}", envy.unwrap_or_default())
    }
}

/// The paytable that a question edits.
struct Edit {
    wager: String,
    paytable: String,
    per: PayoutScope,
}

impl Edit {
    /// Returns the text of a book that extends that of the question.
    ///
    /// Its source is the question, and `checked_on` stays that of the extended book.
    fn extension(&self, question: &OddsQuestion, extended: &Rulebook) -> String {
        let mut wager = Table::new();
        let cite = || ("cite".to_owned(), Value::from("the question"));
        if let Some(rows) = &question.rows {
            let rows: Vec<Value> = rows.iter().map(|row| Value::Table(row.table())).collect();
            let paytable = Table::from_iter([cite(), ("pays".to_owned(), rows.into())]);
            let paytables = Table::from_iter([(self.paytable.clone(), Value::Table(paytable))]);
            wager.insert("paytables".to_owned(), Value::Table(paytables));
        }
        if let Some(cents) = question.payout_max_cents {
            let amount = Value::from(Amount::from_cents(cents).to_string());
            let per = Value::from(self.per.name());
            let max = Table::from_iter([cite(), ("amount".to_owned(), amount), ("per".to_owned(), per)]);
            wager.insert("payout_max".to_owned(), Value::Table(max));
        }
        let wagers = Table::from_iter([(self.wager.clone(), Value::Table(wager))]);
        let book = Table::from_iter([
            ("extends".to_owned(), Value::from(question.book.as_str())),
            ("title".to_owned(), Value::from(format!("{}, edited", extended.title))),
            ("source".to_owned(), Value::from("the question")),
            ("checked_on".to_owned(), Value::from(extended.checked_on.as_str())),
            ("wagers".to_owned(), Value::Table(wagers)),
        ]);
        book.to_string()
    }

    /// Returns the edited values that the document does not leave to the house.
    fn departures(&self, question: &OddsQuestion, book: &Rulebook) -> Vec<Departure> {
        let wager = ["wagers", self.wager.as_str()];
        let rows = question.rows.as_ref().and_then(|rows| {
            let path = [&wager[..], &["paytables", &self.paytable, "pays"]].concat();
            let printed =
                book.wager(&self.wager)?.paytables.iter().find(|table| table.name == self.paytable)?;
            let printed: Vec<EditedRow> = printed.rows.iter().map(EditedRow::of).collect();
            let (given, before) =
                (describe_differences(rows, &printed), describe_differences(&printed, rows));
            Some((path, given, Some(before)))
        });
        let max = question.payout_max_cents.map(|cents| {
            let path = [&wager[..], &["payout_max", "amount"]].concat();
            let (values, name) = (book.values(), path.join("."));
            let before = values.iter().find(|before| before.path == name);
            (path, Amount::from_cents(cents).to_string(), before.map(|before| before.written.clone()))
        });
        let departure = |(path, given, book_says): (Vec<&str>, String, Option<String>)| {
            let provenance = book.provenance(&path);
            let open = provenance.as_ref().is_some_and(|from| from.kind != ValueKind::Fixed);
            let same = book_says.as_ref() == Some(&given);
            (!open && !same).then_some(Departure {
                value: path.join("."),
                given,
                book: book_says,
                provenance,
            })
        };
        rows.into_iter().chain(max).filter_map(departure).collect()
    }

    /// Converts a problem of the generated text to a fault of the question.
    fn fault(&self, problem: Problem, paths: &FaultPaths) -> Fault {
        let path = paths.path(&problem.span).unwrap_or_default();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let at = match &path[..] {
            ["wagers", wager, "paytables", paytable, "pays", rest @ ..]
                if *wager == self.wager && *paytable == self.paytable =>
            {
                let rest = rest.iter().map(|key| if *key == "envy" { "envy_cents" } else { key });
                Some(["rows"].into_iter().chain(rest).collect::<Vec<_>>().join("."))
            }
            ["wagers", wager, "payout_max", ..] if *wager == self.wager => {
                Some("payout_max_cents".to_owned())
            }
            _ => None,
        };
        Fault::of_problem(problem, at)
    }
}

impl EditedRow {
    fn table(&self) -> Table {
        let mut row = Table::new();
        let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
        if let Some(hand) = &self.hand {
            put("hand", hand.as_str().into());
        }
        if let Some(cards) = self.cards {
            put("cards", cards.into());
        }
        put("pays", if self.pays == 0 { "push".into() } else { self.pays.into() });
        if let Some(cents) = self.envy_cents {
            put("envy", Amount::from_cents(cents).to_string().into());
        }
        if self.intended {
            put("intended", true.into());
        }
        row
    }
}
