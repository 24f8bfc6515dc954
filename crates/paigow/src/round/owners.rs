//! Seats that belong to the same player, in books that allow a player several hands.

use crate::{BySeat, Seat};

/// Grouping of seats by player. By default each seat has its own player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owners(BySeat<u8>);

impl Default for Owners {
    fn default() -> Owners {
        Owners(std::array::from_fn(|index| index as u8))
    }
}

impl Owners {
    /// Groups seats by player name. A seat without a name has its own player.
    pub fn by_name<T: PartialEq>(name: impl Fn(Seat) -> Option<T>) -> Owners {
        let names: BySeat<Option<T>> = std::array::from_fn(|index| name(Seat::new(index as u8 + 1)?));
        let first = |index: usize| {
            let same = |other: &Option<T>| other.is_some() && *other == names[index];
            names[..index].iter().position(same).unwrap_or(index) as u8
        };
        Owners(std::array::from_fn(first))
    }

    /// Returns whether two seats belong to the same player.
    pub fn same(&self, seat: Seat, other: Seat) -> bool {
        self.0[seat.index()] == self.0[other.index()]
    }

    /// Returns the first seat of the player at a seat.
    pub(crate) fn first_of(self, seat: Seat) -> Seat {
        // The stored indices are valid, so `unwrap_or` never applies.
        Seat::new(self.0[seat.index()] + 1).unwrap_or(seat)
    }

    /// Iterates over the seats of the player at a seat.
    pub fn seats_of(&self, seat: Seat) -> impl Iterator<Item = Seat> {
        Seat::up_to(Seat::COUNT_MAX as u8).filter(move |other| self.same(seat, *other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_grouped_by_name() {
        let names = [Some("ann"), None, Some("bob"), Some("ann"), None, Some("bob"), Some("cyd")];
        let owners = Owners::by_name(|seat| names[seat.index()]);
        let seats = |number: u8| {
            let seat = Seat::new(number).unwrap_or(Seat::FIRST);
            owners.seats_of(seat).map(Seat::number).collect::<Vec<_>>()
        };
        assert_eq!([seats(1), seats(4)], [[1, 4], [1, 4]]);
        assert_eq!([seats(2), seats(5), seats(7)], [[2], [5], [7]]);
        assert_eq!(seats(6), [3, 6]);
        assert_eq!(Owners::by_name(|_| None::<u8>), Owners::default());
    }
}
