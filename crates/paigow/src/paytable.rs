//! What a bonus wager pays for each class.

use crate::{ClassSet, HandClass};

/// What a class pays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pays {
    /// The wager goes back.
    Push,
    /// So many times the wager, and the wager.
    ToOne(u32),
}

/// A list of classes and what each pays.
///
/// A hand is paid for the best-paying class it contains, wherever the table lists it: three of a kind before
/// a straight where it pays more, although the straight is the higher hand in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paytable {
    rows: Vec<(HandClass, Pays)>,
}

impl Paytable {
    /// The table with these rows.
    pub fn new(rows: impl IntoIterator<Item = (HandClass, Pays)>) -> Paytable {
        Paytable { rows: rows.into_iter().collect() }
    }

    /// The rows as listed.
    pub fn rows(&self) -> &[(HandClass, Pays)] {
        &self.rows
    }

    /// The row that pays a hand containing these classes most; the first of equals; none if all lose.
    pub fn best(&self, contained: ClassSet) -> Option<(HandClass, Pays)> {
        let mut best: Option<(HandClass, Pays)> = None;
        for &(class, pays) in &self.rows {
            if contained.contains(class) && best.is_none_or(|(_, most)| pays > most) {
                best = Some((class, pays));
            }
        }
        best
    }
}
