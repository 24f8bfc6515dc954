//! List of rule books: wagers, paytables, and the number of assumed values.

use crate::{ClassName, Faults, Kinds, RankingNames, is_assumed};
use paigow::rulebook::{BookSource, BuiltIn, SideWager};
use paigow::{Amount, PayRow, Pays, Paytable, Rulebook, WinsOn};
use paigow_math::TableSide;
use serde::Serialize;
use utoipa::ToSchema;

/// All rule books.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BooksAnswer {
    /// The built-in books in the order of their names, then the operator's own.
    pub books: Vec<BookSummary>,
}

/// A rule book in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BookSummary {
    /// Id of the book.
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Document that the book follows.
    pub source: String,
    /// Date since which the document is in force. `null` if the document does not give it.
    #[schema(required)]
    pub effective: Option<String>,
    /// Date when the book was last compared with the document.
    pub checked_on: String,
    /// Ranking of hands.
    pub ranking: RankingNames,
    /// House way of the dealer.
    pub house_way: String,
    /// Sides of the table whose settings can be priced: `player`, and `banker` or `dealer` if seats or the dealer bank.
    pub sides: Vec<&'static str>,
    /// Side wagers.
    pub wagers: Vec<BookWager>,
    /// Number of assumed values.
    pub assumed: usize,
    /// Number of values of each kind.
    pub kinds: Kinds,
}

/// A side wager with its paytables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BookWager {
    /// Name of the wager.
    pub wager: String,
    /// Title for display.
    pub title: String,
    /// Whether tables offer it.
    pub offered: bool,
    /// Cards that decide it: `player_hand`, `dealer_hand`, `dealer_five_cards` or `color`.
    pub looks_at: &'static str,
    /// Party that pays and collects: `house` or `banker`.
    pub settled_by: &'static str,
    /// Default paytable.
    pub default: String,
    /// Minimum wager.
    pub min_cents: u64,
    /// Maximum wager.
    pub max_cents: u64,
    /// Smallest wager that earns envy bonuses. `null` if the wager has none.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// Maximum payout. `null` if there is none.
    #[schema(required)]
    pub payout_max: Option<PayoutMaxAnswer>,
    /// Citation.
    pub cite: String,
    /// Whether the value is assumed. The citation then gives the reason.
    pub assumed: bool,
    /// All paytables of the wager.
    pub paytables: Vec<PaytableRows>,
}

/// Maximum payout of a side wager.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = PayoutMax)]
pub struct PayoutMaxAnswer {
    /// Amount. `null` if the house may set one and the book does not.
    #[schema(required)]
    pub amount_cents: Option<u64>,
    /// Scope of the maximum: `hand` or `round`.
    pub per: &'static str,
}

/// A paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PaytableRows {
    /// Name in the document.
    pub paytable: String,
    /// Alternative name in the document.
    #[schema(required)]
    pub also: Option<String>,
    /// Whether tables may post it.
    pub available: bool,
    /// Use of the joker at tables that post it: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// Rows, in the order of the document.
    pub rows: Vec<PaytableRow>,
    /// Citation.
    pub cite: String,
    /// Whether the paytable is assumed. The citation then gives the reason.
    pub assumed: bool,
}

/// Row of a paytable, for a class of hands or for a number of cards of the chosen color.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PaytableRow {
    /// Class of hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<ClassName>,
    /// Number of cards of the chosen color.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<u8>,
    /// Payout to 1. 0 is a push.
    pub pays: u32,
    /// Envy bonus. `null` if the row pays none.
    #[schema(required)]
    pub envy_cents: Option<u64>,
    /// Assumed definition of the hand, where the wording of the document is ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
}

/// Lists the built-in books.
///
/// # Errors
/// A built-in text is invalid, which the tests exclude.
pub fn answer() -> Result<BooksAnswer, Faults> {
    answer_from(&BuiltIn)
}

/// Lists the built-in books and the other books of a source.
///
/// # Errors
/// All faults of the books.
pub fn answer_from(book_source: &dyn BookSource) -> Result<BooksAnswer, Faults> {
    let mut faults = Faults::default();
    let mut books = Vec::new();
    for name in BuiltIn::book_names().map(str::to_owned).chain(book_source.additional_books()) {
        match Rulebook::load(&name, &[], book_source) {
            Ok(book) => books.push(BookSummary::of(&book)),
            Err(error) => faults.not_loaded(error, &name),
        }
    }
    faults.into_result(Some(BooksAnswer { books }))
}

impl BookSummary {
    /// Creates the list entry of a book.
    pub fn of(book: &Rulebook) -> BookSummary {
        BookSummary {
            id: book.id.clone(),
            title: book.title.clone(),
            source: book.source.clone(),
            effective: book.effective.clone(),
            checked_on: book.checked_on.clone(),
            ranking: book.ranking.into(),
            house_way: book.house_way.id().to_owned(),
            sides: TableSide::of_book(book).into_iter().map(TableSide::name).collect(),
            wagers: book.wagers.iter().map(|wager| BookWager::of(book, wager)).collect(),
            assumed: book.kinds().assumed,
            kinds: Kinds::of(book),
        }
    }
}

impl BookWager {
    pub(crate) fn of(book: &Rulebook, wager: &SideWager) -> BookWager {
        let cite = cite(book, &["wagers", &wager.name, "looks_at"]);
        let payout_max = wager.payout_max.as_ref();
        BookWager {
            wager: wager.name.clone(),
            title: wager.title.clone(),
            offered: wager.offered,
            looks_at: wager.looks_at.name(),
            settled_by: wager.settled_by.name(),
            default: wager.default.clone(),
            min_cents: wager.limits.min.cents(),
            max_cents: wager.limits.max.cents(),
            envy_from_cents: wager.envy.as_ref().map(|envy| envy.from.cents()),
            payout_max: payout_max.map(|max| PayoutMaxAnswer {
                amount_cents: max.amount.map(Amount::cents),
                per: max.per.name(),
            }),
            assumed: is_assumed(&cite),
            cite,
            paytables: wager.paytables.iter().map(|table| PaytableRows::of(book, wager, table)).collect(),
        }
    }
}

impl PaytableRows {
    fn of(book: &Rulebook, wager: &SideWager, table: &Paytable) -> PaytableRows {
        let cite = cite(book, &["wagers", &wager.name, "paytables", &table.name, "pays"]);
        let row = |(index, row): (usize, &PayRow)| PaytableRow {
            reading: book.reading(&wager.name, &table.name, index).map(str::to_owned),
            ..PaytableRow::of(row)
        };
        PaytableRows {
            paytable: table.name.clone(),
            also: table.also.clone(),
            available: table.available,
            joker: table.joker.name(),
            rows: table.rows.iter().enumerate().map(row).collect(),
            assumed: is_assumed(&cite),
            cite,
        }
    }
}

impl PaytableRow {
    pub(crate) fn of(row: &PayRow) -> PaytableRow {
        let (hand, cards) = match row.wins_on {
            WinsOn::Class(class) => (Some(ClassName(class)), None),
            WinsOn::Cards(cards) => (None, Some(cards)),
        };
        PaytableRow {
            hand,
            cards,
            pays: pays_to_one(row.pays),
            envy_cents: row.envy.map(Amount::cents),
            reading: None,
        }
    }
}

fn cite(book: &Rulebook, path: &[&str]) -> String {
    book.provenance(path).map(|from| from.to_string()).unwrap_or_default()
}

/// Converts the payout of a row to a number. 0 is a push.
pub(crate) fn pays_to_one(pays: Pays) -> u32 {
    match pays {
        Pays::Push => 0,
        Pays::ToOne(times) => times,
    }
}
