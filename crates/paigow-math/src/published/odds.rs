//! Exact values of figures, from the odds of their wagers.

use super::FiguresFault;
use super::file::FigureTable;
use super::measure::{Cell, Measure, RowHands, RowMeasure, WagerMeasure};
use crate::{BaseGame, Census, Fraction, Matchup, WagerOdds};
use paigow::rulebook::{Rulebook, SideWager};
use paigow::{Joker, PayRow, Pays, Paytable, WinsOn};
use std::cell::OnceCell;

/// The censuses under both uses of the joker, each taken on first use.
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
        census.get_or_init(|| Census::compute(joker))
    }
}

/// Odds of a book's wagers.
pub(super) struct BookOdds<'a> {
    book: &'a Rulebook,
    censuses: &'a Censuses,
    count: &'a dyn Fn(&Matchup<'_>) -> BaseGame,
    game: OnceCell<BaseGame>,
}

impl<'a> BookOdds<'a> {
    pub(super) fn new(
        book: &'a Rulebook,
        censuses: &'a Censuses,
        count: &'a dyn Fn(&Matchup<'_>) -> BaseGame,
    ) -> BookOdds<'a> {
        BookOdds { book, censuses, count, game: OnceCell::new() }
    }

    /// Returns the wager and the paytable of a figure.
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

    /// Odds of a wager. For a wager on two hands, both are set by the book's house way and no hand makes wagers push.
    pub(super) fn odds(&self, wager: &'a SideWager, paytable: &Paytable) -> WagerOdds<'a> {
        WagerOdds::of(wager, paytable, self.census(paytable), || {
            let way = &*self.book.house_way;
            let matchup = Matchup { player: way, dealer: way, ranking: self.book.ranking, dealer_push: &[] };
            *self.game.get_or_init(|| (self.count)(&matchup))
        })
    }

    /// Exact value of a figure.
    pub(super) fn value(&self, table: &FigureTable, cell: &Cell<'_>) -> Result<Fraction, FiguresFault> {
        let (wager, paytable) = self.wager(table, cell.paytable)?;
        let odds = self.odds(wager, paytable);
        Ok(match cell.measure {
            Measure::Wager(WagerMeasure::Edge(players)) => odds.edge_with_players(players),
            Measure::Wager(WagerMeasure::EdgeAtFullTable) => odds.edge_with_players(self.book.seats.players),
            Measure::Wager(WagerMeasure::HitFrequency) => odds.hit_frequency(),
            Measure::Row(measure, RowHands::Total) => total(&odds, measure),
            Measure::Row(measure, RowHands::Hands(hands)) => {
                self.hands_value(wager, paytable, &odds, measure, hands)
            }
            Measure::Row(measure, RowHands::AllOther) => {
                let listed = table.rows.iter().filter_map(|row| match RowHands::from_name(&row.name)? {
                    RowHands::Hands(hands) => Some(self.hands_value(wager, paytable, &odds, measure, hands)),
                    RowHands::AllOther | RowHands::Total => None,
                });
                total(&odds, measure) - listed.sum()
            }
        })
    }

    /// Exact value of a row of hands.
    fn hands_value(
        &self,
        wager: &SideWager,
        paytable: &Paytable,
        odds: &WagerOdds<'_>,
        measure: RowMeasure,
        hands: WinsOn,
    ) -> Fraction {
        if let Some((row, count)) = odds.rows.iter().find(|(row, _)| row.wins_on == hands) {
            return row_value(wager, odds, measure, row, *count);
        }
        // No row pays for the class. Its hands that no other row pays lose the wager.
        let WinsOn::Class(class) = hands else { return Fraction::zero() };
        let lost = self
            .census(paytable)
            .count(|classes| classes.contains(class) && paytable.best(classes).is_none());
        let probability = odds.probability(lost.into());
        match measure {
            RowMeasure::Combinations => Fraction::new(lost, 1),
            RowMeasure::Probability => probability,
            RowMeasure::Return => -probability,
            RowMeasure::ReturnWithStake | RowMeasure::Envy => Fraction::zero(),
        }
    }
}

/// Value of a row of the paytable if it had `count` hands.
pub(super) fn row_value(
    wager: &SideWager,
    odds: &WagerOdds<'_>,
    measure: RowMeasure,
    row: &PayRow,
    count: i128,
) -> Fraction {
    match measure {
        RowMeasure::Combinations => Fraction::new(count, 1),
        RowMeasure::Probability => odds.probability(count),
        RowMeasure::Return => odds.row_return(row, count),
        RowMeasure::ReturnWithStake => with_stake(row.pays, &odds.probability(count)),
        RowMeasure::Envy => {
            let stake = wager.envy.as_ref().map(|envy| envy.from);
            stake.map_or_else(Fraction::zero, |stake| odds.envy_return(row, count, stake))
        }
    }
}

/// Expected return, including the stake, of a payout with this probability.
pub(super) fn with_stake(pays: Pays, probability: &Fraction) -> Fraction {
    let times = match pays {
        Pays::Push => 0,
        Pays::ToOne(times) => times,
    };
    probability * &Fraction::new(u64::from(times) + 1, 1)
}

/// Value of all hands together.
fn total(odds: &WagerOdds<'_>, measure: RowMeasure) -> Fraction {
    match measure {
        RowMeasure::Combinations => Fraction::new(odds.of.all(), 1),
        RowMeasure::Probability => Fraction::one(),
        RowMeasure::Return => -odds.edge(),
        RowMeasure::ReturnWithStake => Fraction::one() - odds.edge(),
        RowMeasure::Envy => odds.envy(),
    }
}
