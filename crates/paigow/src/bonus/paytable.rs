//! What a bonus wager pays.

use crate::{Amount, ClassSet, HandClass, Joker};
use std::fmt;

/// What a row pays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pays {
    /// The wager goes back.
    Push,
    /// So many times the wager, and the wager.
    ToOne(u32),
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pays::Push => f.write_str("push"),
            Pays::ToOne(times) => {
                // As money is written in sentences: thousands apart.
                let times = Amount::from_cents(u64::from(*times) * 100);
                write!(f, "{times:#} to 1")
            }
        }
    }
}

/// What a row is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WinsOn {
    /// A class of hands.
    Class(HandClass),
    /// So many cards of the chosen color.
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
    /// What it is for.
    pub wins_on: WinsOn,
    /// What it pays.
    pub pays: Pays,
    /// What it pays to others who hold a button.
    pub envy: Option<Amount>,
}

/// A list of hands and what each pays.
///
/// A hand is paid for the best-paying class it contains, wherever the table lists it: three of a kind before
/// a straight where it pays more, although the straight is the higher hand in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paytable {
    /// The name it is printed with.
    pub name: String,
    /// Another name it is printed with.
    pub also: Option<String>,
    /// Whether it may be posted.
    pub available: bool,
    /// What the joker is where it is posted.
    pub joker: Joker,
    /// The rows as listed.
    pub rows: Vec<PayRow>,
}

impl Paytable {
    /// Name in books and commands of a paytable that its document prints without one.
    pub const UNNAMED: &'static str = "posted";

    /// The printed name; `None` if the document prints the paytable without one.
    pub fn printed_name(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| *name != Paytable::UNNAMED)
    }

    /// The row that pays a hand containing these classes most; the first of equals; none if all lose.
    pub fn best(&self, contained: ClassSet) -> Option<&PayRow> {
        self.best_where(|wins_on| matches!(wins_on, WinsOn::Class(class) if contained.contains(class)))
    }

    /// The row for so many cards of the chosen color.
    pub fn for_cards(&self, cards: u8) -> Option<&PayRow> {
        self.best_where(|wins_on| wins_on == WinsOn::Cards(cards))
    }

    fn best_where(&self, holds: impl Fn(WinsOn) -> bool) -> Option<&PayRow> {
        let mut best: Option<&PayRow> = None;
        for row in self.rows.iter().filter(|row| holds(row.wins_on)) {
            if best.is_none_or(|best| row.pays > best.pays) {
                best = Some(row);
            }
        }
        best
    }
}
