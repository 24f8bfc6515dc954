//! A rule book with one paytable posted for each side wager that is offered: what a table plays by.

use crate::rulebook::{LooksAt, SideWager};
use crate::{
    ClassSet, Evaluator, HandClass, Holding, Holdings, PayRow, Paytable, Ranking, Refusal, Rulebook,
    SevenCards,
};
use std::sync::Arc;

/// The rules a table has posted.
///
/// The joker is what the posted paytables want it to be (CA-1); where none is posted, what the book says.
pub struct TableRules {
    book: Arc<Rulebook>,
    evaluator: &'static Evaluator,
    holdings: &'static Holdings,
    wagers: Vec<PostedWager>,
    /// Whether each holding of the dealer's makes every base wager push.
    dealer_push: Vec<Option<HandClass>>,
}

/// A side wager with its posted paytable.
struct PostedWager {
    wager: usize,
    table: usize,
    /// The row that pays each holding, worked out once.
    rows: Vec<Option<u8>>,
}

impl TableRules {
    /// The most side wagers a table may offer.
    pub const SIDE_WAGERS_MAX: usize = 8;

    /// Posts a paytable for each side wager that is offered: those named for the wagers named, the book's default for the others.
    ///
    /// # Errors
    /// Every wager that does not exist or is not offered, every paytable that does not exist or is not available; that the
    /// tables disagree about the joker.
    pub fn new(book: Arc<Rulebook>, posted: &[(String, String)]) -> Result<TableRules, Vec<Refusal>> {
        let mut refusals = Vec::new();
        refusals.extend(posted.iter().filter_map(|(wager, _)| not_posted(&book, wager)));
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
        let row_of = |table: &Paytable, classes: ClassSet| {
            let best = table.best(classes)?;
            table.rows.iter().position(|row| row == best).map(|row| row as u8)
        };
        let wagers = tables
            .into_iter()
            .map(|(wager, table)| {
                let paytable = &book.wagers[wager].paytables[table];
                let rows = holdings.all().map(|(_, classes)| row_of(paytable, classes)).collect();
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

    /// The book.
    pub fn book(&self) -> &Arc<Rulebook> {
        &self.book
    }

    /// How hands rank at this table.
    pub fn evaluator(&self) -> &'static Evaluator {
        self.evaluator
    }

    /// What seven cards hold.
    #[inline]
    pub(crate) fn holding(&self, hand: SevenCards) -> Holding {
        self.holdings.find(hand)
    }

    /// How many side wagers are offered.
    pub fn side_wagers(&self) -> usize {
        self.wagers.len()
    }

    /// A side wager, by its position among those that are offered.
    #[inline]
    pub fn wager(&self, place: usize) -> &SideWager {
        &self.book.wagers[self.wagers[place].wager]
    }

    /// The position of a side wager among those that are offered, in the order of the book.
    ///
    /// # Errors
    /// The book has no such wager, or the table does not offer it.
    pub fn place(&self, wager: &str) -> Result<usize, Refusal> {
        if let Some(refusal) = not_posted(&self.book, wager) {
            return Err(refusal);
        }
        let place = (0..self.side_wagers()).find(|place| self.wager(*place).name == wager);
        place.ok_or_else(|| Refusal::UnknownWager { wager: wager.to_owned() })
    }

    /// The paytable posted for a side wager.
    #[inline]
    pub fn paytable(&self, place: usize) -> &Paytable {
        let posted = &self.wagers[place];
        &self.book.wagers[posted.wager].paytables[posted.table]
    }

    /// A row of the posted paytable.
    #[inline]
    pub(crate) fn row(&self, place: usize, row: u8) -> &PayRow {
        &self.paytable(place).rows[row as usize]
    }

    /// The row by which a side wager pays a holding.
    #[inline]
    pub(crate) fn row_for(&self, place: usize, holding: Holding) -> Option<u8> {
        debug_assert!(self.wager(place).looks_at != LooksAt::Color);
        self.wagers[place].rows[holding.index()]
    }

    /// The class of the dealer's holding that makes every base wager push, if it has one.
    pub(crate) fn dealer_push(&self, holding: Holding) -> Option<HandClass> {
        self.dealer_push[holding.index()]
    }
}

/// Why a book's tables have no such side wager; `None` if they have.
fn not_posted(book: &Rulebook, wager: &str) -> Option<Refusal> {
    match book.wager(wager) {
        None => Some(Refusal::UnknownWager { wager: wager.to_owned() }),
        Some(side) if !side.offered => Some(Refusal::WagerNotOffered { wager: wager.to_owned() }),
        Some(_) => None,
    }
}
