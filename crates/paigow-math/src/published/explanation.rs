//! Computations that explain printed figures which are not the exact value rounded.

use super::file::FigureTable;
use super::measure::{Cell, Measure, RowHands, RowMeasure, WagerMeasure};
use super::odds::{BookOdds, row_value, with_stake};
use super::{FiguresFault, Status};
use crate::{Census, DecimalRounding, Fraction};
use paigow::rulebook::DecidingCards;
use paigow::{HandClass, WinsOn};

/// A computation that gives a printed figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Explanation {
    /// The exact value, truncated after the printed digits.
    Truncation,
    /// The same figure of another paytable.
    OtherPaytable(String),
    /// The row counted without the hands that also contain this class.
    HandsLeftOut(HandClass),
    /// Probabilities rounded to this many decimals before they are multiplied by the payout.
    RoundedProbability(u32),
    /// A player's and a dealer's hand dealt from separate decks. If both have the same high card, the player's hand is
    /// the higher in half of the cases.
    IndependentHands,
}

/// Result of a computation.
pub(super) struct Computed {
    pub(super) value: Fraction,
    /// Description of the computation, as the beginning of a sentence.
    pub(super) how: String,
}

impl Explanation {
    /// Returns the explanation with this name and argument, or `None` if the name is unknown or the argument is wrong.
    pub(super) fn new(name: &str, with: Option<&str>) -> Option<Explanation> {
        match (name, with) {
            ("truncation", None) => Some(Explanation::Truncation),
            ("another paytable", Some(paytable)) => Some(Explanation::OtherPaytable(paytable.to_owned())),
            ("hands left out", Some(class)) => HandClass::from_name(class).map(Explanation::HandsLeftOut),
            ("rounded probability", Some(digits)) => digits.parse().ok().map(Explanation::RoundedProbability),
            ("independent hands", None) => Some(Explanation::IndependentHands),
            _ => None,
        }
    }

    /// Status of a figure with this explanation.
    pub(super) fn status(&self) -> Status {
        match self {
            Explanation::Truncation => Status::Truncated,
            Explanation::OtherPaytable(_) | Explanation::HandsLeftOut(_) => Status::Misprint,
            Explanation::RoundedProbability(_) | Explanation::IndependentHands => Status::Approximation,
        }
    }

    /// Rounding of the computed value to the printed digits.
    pub(super) fn rounding(&self) -> DecimalRounding {
        match self {
            Explanation::Truncation => DecimalRounding::Truncated,
            _ => DecimalRounding::Rounded,
        }
    }

    /// Computes the figure.
    pub(super) fn run(
        &self,
        table: &FigureTable,
        odds: &BookOdds<'_>,
        cell: &Cell<'_>,
    ) -> Result<Computed, FiguresFault> {
        let computed = match self {
            Explanation::Truncation => {
                Some(Computed { value: odds.value(table, cell)?, how: "Exactly".to_owned() })
            }
            Explanation::OtherPaytable(paytable) => {
                let other = Cell { paytable, ..*cell };
                let how = format!("With paytable {paytable} instead of {}", cell.paytable);
                Some(Computed { value: odds.value(table, &other)?, how })
            }
            Explanation::HandsLeftOut(class) => without(table, odds, cell, *class)?,
            Explanation::RoundedProbability(digits) => with_rounded(table, odds, cell, *digits)?,
            Explanation::IndependentHands => if_independent(table, odds, cell)?,
        };
        computed.ok_or_else(|| FiguresFault(format!("{}: {self:?} does not apply to the figure", table.id)))
    }
}

/// Computes a row without the hands that also contain a class.
fn without(
    table: &FigureTable,
    odds: &BookOdds<'_>,
    cell: &Cell<'_>,
    class: HandClass,
) -> Result<Option<Computed>, FiguresFault> {
    let Measure::Row(measure, RowHands::Hands(WinsOn::Class(paid))) = cell.measure else { return Ok(None) };
    let (wager, paytable) = odds.wager(table, cell.paytable)?;
    let census = odds.census(paytable);
    let hands = census.paid(paytable, paid);
    let left_out = census.count(|classes| {
        let row = paytable.best(classes).map(|row| row.wins_on);
        row == Some(WinsOn::Class(paid)) && classes.contains(class)
    });
    let counted = odds.odds(wager, paytable);
    let row = paytable.rows.iter().find(|row| row.wins_on == WinsOn::Class(paid));
    Ok(row.map(|row| Computed {
        value: row_value(wager, &counted, measure, row, i128::from(hands - left_out)),
        how: format!("With {left_out} of the {hands} hands left out, those that are also a {class}"),
    }))
}

/// Computes a return with the stake, or an edge, from rounded probabilities.
fn with_rounded(
    table: &FigureTable,
    odds: &BookOdds<'_>,
    cell: &Cell<'_>,
    digits: u32,
) -> Result<Option<Computed>, FiguresFault> {
    let (wager, paytable) = odds.wager(table, cell.paytable)?;
    let counted = odds.odds(wager, paytable);
    let gross = |hands: Option<WinsOn>| -> Fraction {
        let rows = counted.rows.iter().filter(|(row, _)| hands.is_none_or(|hands| hands == row.wins_on));
        rows.map(|(row, count)| {
            let probability = counted.probability(*count).to_digits(digits, DecimalRounding::Rounded);
            with_stake(row.pays, &probability)
        })
        .sum()
    };
    let value = match cell.measure {
        Measure::Row(RowMeasure::ReturnWithStake, RowHands::Hands(hands)) => gross(Some(hands)),
        Measure::Wager(WagerMeasure::Edge(1)) => Fraction::one() - gross(None),
        _ => return Ok(None),
    };
    let parts = counted
        .rows
        .iter()
        .map(|(_, count)| counted.probability(*count).decimal(digits, DecimalRounding::Rounded));
    let how = format!("With a probability of {}", parts.collect::<Vec<_>>().join(", "));
    Ok(Some(Computed { value, how }))
}

/// Computes a wager on beating the dealer's pai gow as if the two hands were independent.
fn if_independent(
    table: &FigureTable,
    odds: &BookOdds<'_>,
    cell: &Cell,
) -> Result<Option<Computed>, FiguresFault> {
    let (wager, paytable) = odds.wager(table, cell.paytable)?;
    if wager.looks_at != DecidingCards::DealerFiveCards || !wager.player_must_beat {
        return Ok(None);
    }
    let census = odds.census(paytable);
    let (mut lower, mut hit, mut gross) = (Fraction::zero(), Fraction::zero(), Fraction::zero());
    for class in HandClass::PAI_GOWS.into_iter().rev() {
        let part = Fraction::new(census.in_play(class), Census::HANDS);
        let not_higher = &lower + &(&part * &Fraction::new(1, 2));
        let beaten = &part * &(Fraction::one() - not_higher);
        if let Some(row) = paytable.rows.iter().find(|row| row.wins_on == WinsOn::Class(class)) {
            gross = gross + with_stake(row.pays, &beaten);
            hit = hit + beaten;
        }
        lower = lower + part;
    }
    let (value, sum) = match cell.measure {
        Measure::Wager(WagerMeasure::HitFrequency) => (hit, "the sum of p × (1 − q − p/2)"),
        Measure::Wager(WagerMeasure::Edge(1)) => {
            (Fraction::one() - gross, "1 less the sum of (pays + 1) × p × (1 − q − p/2)")
        }
        _ => return Ok(None),
    };
    let how = format!(
        "As {sum} over the high cards, p of all hands being a pai gow of that high card and q of a lower one"
    );
    Ok(Some(Computed { value, how }))
}
