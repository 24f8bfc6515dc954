//! Rules of a table: a rule book with one posted paytable for each offered side wager.

use crate::rulebook::{DecidingCards, SideWager};
use crate::{
    ClassSet, Evaluator, HandClass, Holding, Holdings, PayRow, Paytable, Ranking, Refusal, Rulebook,
    SevenCards,
};
use std::sync::Arc;

/// Rules of a table: a rule book and its posted paytables.
///
/// The posted paytables decide the use of the joker (CA-1). If none is posted, the book does.
///
/// # Examples
///
/// ```
/// use paigow::rulebook::BuiltIn;
/// use paigow::{Rulebook, TableRules};
/// use std::sync::Arc;
///
/// let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// let book = Arc::new(Rulebook::built_in(name)?);
/// let table_rules = TableRules::new(book, &[]).expect("the default paytables can be posted");
/// for index in 0..table_rules.side_wager_count() {
///     println!("{}: paytable {}", table_rules.wager(index).title, table_rules.paytable(index).name);
/// }
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
pub struct TableRules {
    book: Arc<Rulebook>,
    evaluator: &'static Evaluator,
    holdings: &'static Holdings,
    wagers: Vec<PostedWager>,
    /// For each holding of the dealer, the class that makes every base wager push.
    dealer_push: Vec<Option<HandClass>>,
}

/// A side wager with its posted paytable.
struct PostedWager {
    /// Index of the wager in the book.
    wager: usize,
    /// Index of the paytable in the wager.
    table: usize,
    /// For each holding, the row that pays it, computed once.
    rows: Vec<Option<u8>>,
}

impl TableRules {
    /// Maximum number of side wagers that a table may offer.
    pub const SIDE_WAGERS_MAX: usize = 8;

    /// Posts a paytable for each offered side wager: the one named in `posted`, or the default of the book.
    ///
    /// # Errors
    /// Every named wager that does not exist or is not offered, every paytable that does not exist or is not available,
    /// too many offered wagers, and paytables that need different uses of the joker.
    pub fn new(book: Arc<Rulebook>, posted: &[(String, String)]) -> Result<TableRules, Vec<Refusal>> {
        let mut refusals = Vec::new();
        refusals.extend(posted.iter().filter_map(|(wager, _)| check_offered(&book, wager)));
        let offered = || book.wagers.iter().enumerate().filter(|(_, wager)| wager.offered);
        if offered().count() > TableRules::SIDE_WAGERS_MAX {
            refusals.push(Refusal::TooManyWagers);
        }
        let mut tables = Vec::new();
        for (index, wager) in offered() {
            let named = posted.iter().find(|(name, _)| *name == wager.name).map(|(_, table)| table);
            let name = named.unwrap_or(&wager.default);
            match wager.paytables.iter().position(|table| table.name == *name) {
                None => refusals
                    .push(Refusal::UnknownPaytable { wager: wager.name.clone(), paytable: name.clone() }),
                Some(table) if !wager.paytables[table].available => refusals
                    .push(Refusal::PaytableUnavailable { wager: wager.name.clone(), paytable: name.clone() }),
                Some(table) => tables.push((index, table)),
            }
        }
        let mut jokers = tables.iter().map(|&(wager, table)| book.wagers[wager].paytables[table].joker);
        let joker = jokers.next().unwrap_or(book.ranking.joker);
        if jokers.any(|other| other != joker) {
            refusals.push(Refusal::JokersDisagree);
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }

        let holdings = Holdings::of(joker);
        let best_row = |table: &Paytable, classes: ClassSet| {
            let best = table.best(classes)?;
            table.rows.iter().position(|row| row == best).map(|row| row as u8)
        };
        let wagers = tables
            .into_iter()
            .map(|(wager, table)| {
                let paytable = &book.wagers[wager].paytables[table];
                let rows = holdings.all().map(|(_, classes)| best_row(paytable, classes)).collect();
                PostedWager { wager, table, rows }
            })
            .collect();
        let push = |classes: ClassSet| {
            book.base_game.dealer_push.iter().copied().find(|class| classes.contains(*class))
        };
        let dealer_push = holdings.all().map(|(_, classes)| push(classes)).collect();
        let evaluator = Evaluator::of(Ranking { joker, ..book.ranking });
        Ok(TableRules { book, evaluator, holdings, wagers, dealer_push })
    }

    /// The rule book.
    pub fn book(&self) -> &Arc<Rulebook> {
        &self.book
    }

    /// Evaluator of the table's ranking.
    pub fn evaluator(&self) -> &'static Evaluator {
        self.evaluator
    }

    /// Returns the holding of seven cards.
    #[inline]
    pub(crate) fn holding(&self, hand: SevenCards) -> Holding {
        self.holdings.find(hand)
    }

    /// Number of offered side wagers.
    pub fn side_wager_count(&self) -> usize {
        self.wagers.len()
    }

    /// Returns an offered side wager by its index.
    #[inline]
    pub fn wager(&self, index: usize) -> &SideWager {
        &self.book.wagers[self.wagers[index].wager]
    }

    /// Returns the index of a side wager among the offered ones, in the order of the book.
    ///
    /// # Errors
    /// The book does not have the wager, or the table does not offer it.
    pub fn side_wager_index(&self, wager: &str) -> Result<usize, Refusal> {
        if let Some(refusal) = check_offered(&self.book, wager) {
            return Err(refusal);
        }
        let index = (0..self.side_wager_count()).find(|index| self.wager(*index).name == wager);
        index.ok_or_else(|| Refusal::UnknownWager { wager: wager.to_owned() })
    }

    /// Returns the posted paytable of an offered side wager.
    #[inline]
    pub fn paytable(&self, index: usize) -> &Paytable {
        let posted = &self.wagers[index];
        &self.book.wagers[posted.wager].paytables[posted.table]
    }

    /// Returns a row of the posted paytable of an offered side wager.
    #[inline]
    pub(crate) fn row(&self, index: usize, row: u8) -> &PayRow {
        &self.paytable(index).rows[row as usize]
    }

    /// Returns the row by which a side wager pays a holding, or `None` if the wager loses.
    #[inline]
    pub(crate) fn row_for(&self, index: usize, holding: Holding) -> Option<u8> {
        debug_assert!(self.wager(index).looks_at != DecidingCards::Color);
        self.wagers[index].rows[holding.index()]
    }

    /// Returns the class of the dealer's holding that makes every base wager push, if there is one.
    pub(crate) fn dealer_push(&self, holding: Holding) -> Option<HandClass> {
        self.dealer_push[holding.index()]
    }
}

/// Returns the refusal if the book does not have or offer a side wager.
fn check_offered(book: &Rulebook, wager: &str) -> Option<Refusal> {
    match book.wager(wager) {
        None => Some(Refusal::UnknownWager { wager: wager.to_owned() }),
        Some(side) if !side.offered => Some(Refusal::WagerNotOffered { wager: wager.to_owned() }),
        Some(_) => None,
    }
}
