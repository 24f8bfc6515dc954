//! A book with the side whose settings are valued and its opponent, from which every price follows.

use crate::odds::OutcomeOdds;
use crate::question::QuestionContext;
use crate::work::worth_key;
use crate::{Fault, ValueChanges};
use paigow::{HouseWay, Rulebook};
use paigow_math::{BaseOdds, Fraction, Outcomes, TableSide, Valuation};
use std::sync::Arc;

/// A game in which the settings of one side are valued against an opponent's house way.
#[derive(Clone, Debug)]
pub struct PricedGame {
    /// The rule book.
    pub book: Rulebook,
    /// Side whose settings are valued.
    pub side: TableSide,
    /// House way of the other side.
    pub against: Arc<HouseWay>,
}

/// The parts of a question that a [`PricedGame`] is read from.
pub(crate) struct GameQuestion<'a> {
    pub(crate) book: &'a str,
    pub(crate) changes: &'a ValueChanges,
    pub(crate) against: Option<&'a str>,
    pub(crate) side: Option<&'a str>,
    /// Side if the question names none. A book without it uses the last of its sides.
    pub(crate) default_side: TableSide,
}

impl PricedGame {
    /// The rules and the opponent that the table of worths follows from.
    pub fn valuation(&self) -> Valuation<'_> {
        Valuation::of(&self.book, self.side, &self.against)
    }

    /// Name of the table of worths. Games with the same name share the table.
    pub fn table_name(&self) -> String {
        worth_key(&self.valuation()).name().to_owned()
    }

    /// Odds of the side's outcomes, as by [`odds_of`].
    pub(crate) fn odds(&self, outcomes: Outcomes) -> OutcomeOdds {
        odds_of(&self.book, self.side, outcomes)
    }
}

/// Odds of a side's outcomes. The edge is that of the house, or the expected loss of a banking seat.
///
/// A banking seat pays the commission on the win of one hand against one player. If the book takes it on the net win of
/// the round, it is lower against several players, because losses are deducted.
pub(crate) fn odds_of(book: &Rulebook, side: TableSide, outcomes: Outcomes) -> OutcomeOdds {
    let outcomes = match side {
        TableSide::Player | TableSide::Banker => outcomes,
        TableSide::Dealer => outcomes.exchanged(),
    };
    let commission = Fraction::new(book.commission.basis_points, 10_000);
    OutcomeOdds::of(&BaseOdds { outcomes, commission })
}

impl QuestionContext<'_> {
    /// Reads the book, the side and the opponent of a question.
    pub(crate) fn priced_game(&mut self, question: &GameQuestion<'_>) -> Option<PricedGame> {
        let book = self.priced_book(question.book, question.changes);
        let against = self.house_way(question.against, "against");
        let side = question.side.map(|name| named_side(name, book.as_ref()));
        let side = side.transpose().map_err(|fault| self.faults.push(*fault)).ok()?;
        let book = book?;
        let side = side.or_else(|| {
            let sides = TableSide::of_book(&book);
            sides.iter().find(|side| **side == question.default_side).or(sides.last()).copied()
        })?;
        let against = against.unwrap_or_else(|| book.house_way.clone());
        Some(PricedGame { book, side, against })
    }
}

/// Returns the side with a name, if the book has it.
fn named_side(name: &str, book: Option<&Rulebook>) -> Result<TableSide, Box<Fault>> {
    let Some(side) = TableSide::from_name(name) else {
        let message = format!("`{name}` is not a side; sides are {}", names(&TableSide::ALL));
        return Err(Box::new(Fault::new("unknown_side", "side", message)));
    };
    book.map_or(Ok(()), |book| check_side(side, book, "side"))?;
    Ok(side)
}

/// Checks that a book has a side. `at` is the key of the question that the fault names.
pub(crate) fn check_side(side: TableSide, book: &Rulebook, at: &str) -> Result<(), Box<Fault>> {
    let sides = TableSide::of_book(book);
    if sides.contains(&side) {
        return Ok(());
    }
    let message = format!("the book {} has no {}; its sides are {}", book.id, side.name(), names(&sides));
    Err(Box::new(Fault::new("side_not_in_book", at, message)))
}

fn names(sides: &[TableSide]) -> String {
    sides.iter().map(|side| side.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow::rulebook::BuiltIn;

    fn game(
        book: &str,
        side: Option<&str>,
        changes: &[(&str, &str)],
    ) -> Result<TableSide, Vec<&'static str>> {
        let mut context = QuestionContext::new(&BuiltIn);
        let changes = changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let question = GameQuestion {
            book,
            changes: &ValueChanges(changes.collect()),
            against: None,
            side,
            default_side: TableSide::Dealer,
        };
        let game = context.priced_game(&question);
        let codes = |faults: crate::Faults| faults.faults.iter().map(|fault| fault.code).collect();
        context.faults.into_result(game).map(|game| game.side).map_err(codes)
    }

    #[test]
    fn sides_are_those_of_the_book() {
        let missing = || Err(vec!["side_not_in_book"]);
        for side in [TableSide::Player, TableSide::Dealer] {
            assert_eq!(game("washington", Some(side.name()), &[]), Ok(side));
        }
        // The dealer alone banks.
        assert_eq!(game("washington", Some("banker"), &[]), missing());
        let seats_bank = [("banking.bankers", "[\"dealer\", \"seat\"]")];
        assert_eq!(game("washington", Some("banker"), &seats_bank), Ok(TableSide::Banker));
        assert_eq!(game("south-beach", Some("banker"), &[]), Ok(TableSide::Banker));
        // Only players bank.
        assert_eq!(game("california", Some("dealer"), &[]), missing());
        assert_eq!(game("california", None, &[]), Ok(TableSide::Banker));
        assert_eq!(game("california", Some("player"), &[]), Ok(TableSide::Player));
        assert_eq!(game("california", Some("house"), &[]), Err(vec!["unknown_side"]));
        assert_eq!(game("no-such-book", Some("house"), &[]), Err(vec!["not_found", "unknown_side"]));
    }
}
