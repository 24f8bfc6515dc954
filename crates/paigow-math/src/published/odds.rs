//! The exact values of figures, from the odds of the wagers they are about.

use super::FiguresFault;
use super::file::FigureTable;
use super::measure::{Cell, Each, Measure, Of, Whole};
use crate::{BaseGame, Census, Fraction, Sides, WagerOdds};
use paigow::rulebook::{Rulebook, SideWager};
use paigow::{Joker, PayRow, Pays, Paytable, WinsOn};
use std::cell::OnceCell;

/// The censuses, taken when first asked for.
#[derive(Default)]
pub(super) struct Censuses {
    semi_wild: OnceCell<Census>,
    fully_wild: OnceCell<Census>,
}

impl Censuses {
    pub(super) fn of(&self, joker: Joker) -> &Census {
        let census = match joker {
            Joker::SemiWild => &self.semi_wild,
            Joker::FullyWild => &self.fully_wild,
        };
        census.get_or_init(|| Census::take(joker))
    }
}

/// The odds of a book's wagers.
pub(super) struct BookOdds<'a> {
    book: &'a Rulebook,
    censuses: &'a Censuses,
    count: &'a dyn Fn(&Sides<'_>) -> BaseGame,
    game: OnceCell<BaseGame>,
}

impl<'a> BookOdds<'a> {
    pub(super) fn new(
        book: &'a Rulebook,
        censuses: &'a Censuses,
        count: &'a dyn Fn(&Sides<'_>) -> BaseGame,
    ) -> BookOdds<'a> {
        BookOdds { book, censuses, count, game: OnceCell::new() }
    }

    /// The wager and the paytable a figure is about.
    pub(super) fn wager(
        &self,
        table: &FigureTable,
        paytable: &str,
    ) -> Result<(&'a SideWager, &'a Paytable), FiguresFault> {
        let found = self.book.wager(&table.wager).and_then(|wager| Some((wager, wager.paytable(paytable)?)));
        found.ok_or_else(|| {
            FiguresFault(format!(
                "{}: {} has no paytable {paytable} of {}",
                table.id, self.book.id, table.wager
            ))
        })
    }

    /// The census under a paytable's joker.
    pub(super) fn census(&self, paytable: &Paytable) -> &'a Census {
        self.censuses.of(paytable.joker)
    }

    /// The odds of a wager. Where two hands matter both are set by the book's house way, and none makes wagers push.
    pub(super) fn odds(&self, wager: &'a SideWager, paytable: &Paytable) -> WagerOdds<'a> {
        WagerOdds::of(wager, paytable, self.census(paytable), || {
            let way = &*self.book.house_way;
            let sides = Sides { player: way, dealer: way, ranking: self.book.ranking, dealer_push: &[] };
            *self.game.get_or_init(|| (self.count)(&sides))
        })
    }

    /// What a figure should be.
    pub(super) fn value(&self, table: &FigureTable, cell: &Cell<'_>) -> Result<Fraction, FiguresFault> {
        let (wager, paytable) = self.wager(table, cell.paytable)?;
        let odds = self.odds(wager, paytable);
        Ok(match cell.measure {
            Measure::Whole(Whole::Edge(players)) => odds.edge_with_players(players),
            Measure::Whole(Whole::EdgeAtFullTable) => odds.edge_with_players(self.book.seats.players),
            Measure::Whole(Whole::HitFrequency) => odds.hit_frequency(),
            Measure::Each(each, Of::Total) => total(&odds, each),
            Measure::Each(each, Of::Hands(hands)) => self.of_hands(wager, paytable, &odds, each, hands),
            Measure::Each(each, Of::AllOther) => {
                let listed = table.rows.iter().filter_map(|row| match Of::of_row(&row.name)? {
                    Of::Hands(hands) => Some(self.of_hands(wager, paytable, &odds, each, hands)),
                    Of::AllOther | Of::Total => None,
                });
                total(&odds, each) - listed.sum()
            }
        })
    }

    /// The figure of a row of hands.
    fn of_hands(
        &self,
        wager: &SideWager,
        paytable: &Paytable,
        odds: &WagerOdds<'_>,
        each: Each,
        hands: WinsOn,
    ) -> Fraction {
        if let Some((row, count)) = odds.rows.iter().find(|(row, _)| row.wins_on == hands) {
            return of_row(wager, odds, each, row, *count);
        }
        // The hands that hold the class and are not paid: they lose.
        let WinsOn::Class(class) = hands else { return Fraction::zero() };
        let lost = self
            .census(paytable)
            .count(|classes| classes.contains(class) && paytable.best(classes).is_none());
        let probability = odds.probability(lost.into());
        match each {
            Each::Combinations => Fraction::new(lost, 1),
            Each::Probability => probability,
            Each::Return => -probability,
            Each::ReturnWithStake | Each::Envy => Fraction::zero(),
        }
    }
}

/// The figure of a row of the paytable, had it so many hands.
pub(super) fn of_row(
    wager: &SideWager,
    odds: &WagerOdds<'_>,
    each: Each,
    row: &PayRow,
    count: i128,
) -> Fraction {
    match each {
        Each::Combinations => Fraction::new(count, 1),
        Each::Probability => odds.probability(count),
        Each::Return => odds.row_return(row, count),
        Each::ReturnWithStake => with_stake(row.pays, &odds.probability(count)),
        Each::Envy => {
            let stake = wager.envy.as_ref().map(|envy| envy.from);
            stake.map_or_else(Fraction::zero, |stake| odds.envy_return(row, count, stake))
        }
    }
}

/// What comes back with this probability, the stake with it.
pub(super) fn with_stake(pays: Pays, probability: &Fraction) -> Fraction {
    let times = match pays {
        Pays::Push => 0,
        Pays::ToOne(times) => times,
    };
    probability * &Fraction::new(u64::from(times) + 1, 1)
}

/// The figure of all hands together.
fn total(odds: &WagerOdds<'_>, each: Each) -> Fraction {
    match each {
        Each::Combinations => Fraction::new(odds.of.all(), 1),
        Each::Probability => Fraction::one(),
        Each::Return => -odds.edge(),
        Each::ReturnWithStake => Fraction::one() - odds.edge(),
        Each::Envy => odds.envy(),
    }
}
