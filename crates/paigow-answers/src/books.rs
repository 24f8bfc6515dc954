//! The rule books that come with the program: their wagers, paytables, and how much had to be assumed.

use crate::{ClassName, Faults, Kinds, RankingNames, is_assumed};
use paigow::rulebook::{BookSource, BuiltIn, SideWager};
use paigow::{Amount, PayRow, Pays, Paytable, Rulebook, WinsOn};
use serde::Serialize;
use utoipa::ToSchema;

/// All books that come with the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BooksAnswer {
    /// By name.
    pub books: Vec<BookSummary>,
}

/// A book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BookSummary {
    /// The name it goes by.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The document it follows.
    pub source: String,
    /// Since when the document is in force, where it says.
    #[schema(required)]
    pub effective: Option<String>,
    /// When the book was last compared with the document.
    pub checked_on: String,
    /// How hands rank.
    pub ranking: RankingNames,
    /// How the dealer sets.
    pub house_way: String,
    /// The side wagers.
    pub wagers: Vec<BookWager>,
    /// How many values no document says.
    pub assumed: usize,
    /// How many values of each kind there are.
    pub kinds: Kinds,
}

/// A side wager with its paytables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BookWager {
    /// The name it goes by.
    pub wager: String,
    /// What it is called.
    pub title: String,
    /// Whether tables offer it.
    pub offered: bool,
    /// What decides it: `player_hand`, `dealer_hand`, `dealer_five_cards` or `color`.
    pub looks_at: &'static str,
    /// Who pays and collects: `house` or `banker`.
    pub settled_by: &'static str,
    /// The paytable that is posted unless another is.
    pub default: String,
    /// The least that may be wagered.
    pub min_cents: u64,
    /// The most.
    pub max_cents: u64,
    /// The least wager that has a share in others' luck, where any has.
    #[schema(required)]
    pub envy_from_cents: Option<u64>,
    /// The most that is paid on odds, where there is a most.
    #[schema(required)]
    pub payout_max: Option<PayoutMax>,
    /// Where it comes from.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
    /// The paytables.
    pub paytables: Vec<PaytableRows>,
}

/// The most that is paid on odds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PayoutMax {
    /// How much; none where the house may set one and has not.
    #[schema(required)]
    pub amount_cents: Option<u64>,
    /// What it is counted over: `hand` or `round`.
    pub per: &'static str,
}

/// A paytable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PaytableRows {
    /// The name it is printed with.
    pub paytable: String,
    /// Another name it is printed with.
    #[schema(required)]
    pub also: Option<String>,
    /// Whether it may be posted.
    pub available: bool,
    /// What the joker is where it is posted: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// The rows as listed.
    pub rows: Vec<PaytableRow>,
    /// Where it is printed.
    pub cite: String,
    /// Whether no document says it: the citation gives the reason it is assumed.
    pub assumed: bool,
}

/// A row of a paytable: for a class of hands, or for so many cards of the chosen color.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PaytableRow {
    /// The class of hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<ClassName>,
    /// How many cards of the chosen color.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<u8>,
    /// So many to one; 0 is a push.
    pub pays: u32,
    /// What it pays to others with a share.
    #[schema(required)]
    pub envy_cents: Option<u64>,
    /// What counts as this hand where the document can be read in several ways: assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
}

/// All books.
///
/// # Errors
/// What is wrong with one; those that come with the program are right.
pub fn answer() -> Result<BooksAnswer, Faults> {
    answer_from(&BuiltIn)
}

/// All books that come with the program, and the others of a shelf.
///
/// # Errors
/// What is wrong with one.
pub fn answer_from(book_source: &dyn BookSource) -> Result<BooksAnswer, Faults> {
    let mut faults = Faults::default();
    let mut books = Vec::new();
    for name in BuiltIn::book_names().map(str::to_owned).chain(book_source.more_books()) {
        match Rulebook::load(&name, &[], book_source) {
            Ok(book) => books.push(BookSummary::of(&book)),
            Err(error) => faults.not_loaded(error, &name),
        }
    }
    faults.or(Some(BooksAnswer { books }))
}

impl BookSummary {
    /// A book as it is listed.
    pub fn of(book: &Rulebook) -> BookSummary {
        BookSummary {
            id: book.id.clone(),
            title: book.title.clone(),
            source: book.source.clone(),
            effective: book.effective.clone(),
            checked_on: book.checked_on.clone(),
            ranking: book.ranking.into(),
            house_way: book.house_way.id().to_owned(),
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
            payout_max: payout_max
                .map(|max| PayoutMax { amount_cents: max.amount.map(Amount::cents), per: max.per.name() }),
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
            pays: times(row.pays),
            envy_cents: row.envy.map(Amount::cents),
            reading: None,
        }
    }
}

fn cite(book: &Rulebook, path: &[&str]) -> String {
    book.provenance(path).map(|from| from.to_string()).unwrap_or_default()
}

/// What a row pays as a number: 0 is a push.
pub(crate) fn times(pays: Pays) -> u32 {
    match pays {
        Pays::Push => 0,
        Pays::ToOne(times) => times,
    }
}
