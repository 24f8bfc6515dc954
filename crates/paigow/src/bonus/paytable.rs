//! Paytables of bonus wagers.

use crate::{Amount, ClassSet, HandClass, Joker};
use std::fmt;

/// The payout of a paytable row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pays {
    /// The wager is returned.
    Push,
    /// Pays this many times the wager, and returns the wager.
    ToOne(u32),
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pays::Push => f.write_str("push"),
            Pays::ToOne(times) => {
                // `Amount` prints the thousands separators.
                let times = Amount::from_cents(u64::from(*times) * 100);
                write!(f, "{times:#} to 1")
            }
        }
    }
}

/// The condition on which a paytable row wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WinsOn {
    /// The hand contains this class.
    Class(HandClass),
    /// The hand has exactly this many cards of the chosen color.
    Cards(u8),
}

impl fmt::Display for WinsOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WinsOn::Class(class) => write!(f, "{class}"),
            WinsOn::Cards(cards) => write!(f, "{cards} cards of the chosen color"),
        }
    }
}

/// A row of a paytable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayRow {
    /// The condition on which the row wins.
    pub wins_on: WinsOn,
    /// The payout to the wager.
    pub pays: Pays,
    /// Envy bonus paid to other players who hold an envy button.
    pub envy: Option<Amount>,
}

/// A paytable: the winning hands of a bonus wager and their payouts.
///
/// A hand is paid for the best-paying class that it contains, regardless of the order of the rows. Three of a kind is
/// paid before a straight if it pays more, although the straight is the higher hand in play.
///
/// # Examples
///
/// ```
/// use paigow::{HandClass, Joker, PayRow, Pays, Paytable, WinsOn};
///
/// let row = |class, times| PayRow { wins_on: WinsOn::Class(class), pays: Pays::ToOne(times), envy: None };
/// let rows = vec![row(HandClass::Straight, 2), row(HandClass::ThreeOfAKind, 3)];
/// let name = Paytable::UNNAMED.to_owned();
/// let paytable = Paytable { name, also: None, available: true, joker: Joker::SemiWild, rows };
/// let contained = [HandClass::Straight, HandClass::ThreeOfAKind].into_iter().collect();
/// assert_eq!(paytable.best(contained).map(|row| row.pays), Some(Pays::ToOne(3)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paytable {
    /// Name printed in the document, or [`Paytable::UNNAMED`].
    pub name: String,
    /// Alternative printed name.
    pub also: Option<String>,
    /// Whether a table may post this paytable.
    pub available: bool,
    /// Use of the joker where this paytable is posted.
    pub joker: Joker,
    /// The rows, in the order of the document.
    pub rows: Vec<PayRow>,
}

impl Paytable {
    /// Name, in books and commands, of a paytable that its document prints without a name.
    pub const UNNAMED: &'static str = "posted";

    /// Returns the printed name, or `None` if the document prints the paytable without a name.
    pub fn printed_name(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| *name != Paytable::UNNAMED)
    }

    /// Returns the best-paying row for a hand that contains these classes, or `None` if the hand loses.
    ///
    /// Of rows that pay the same, the first is returned.
    pub fn best(&self, contained: ClassSet) -> Option<&PayRow> {
        self.best_where(|wins_on| matches!(wins_on, WinsOn::Class(class) if contained.contains(class)))
    }

    /// Returns the row for this many cards of the chosen color.
    pub fn for_cards(&self, cards: u8) -> Option<&PayRow> {
        self.best_where(|wins_on| wins_on == WinsOn::Cards(cards))
    }

    fn best_where(&self, wins: impl Fn(WinsOn) -> bool) -> Option<&PayRow> {
        let mut best: Option<&PayRow> = None;
        for row in self.rows.iter().filter(|row| wins(row.wins_on)) {
            if best.is_none_or(|best| row.pays > best.pays) {
                best = Some(row);
            }
        }
        best
    }
}
