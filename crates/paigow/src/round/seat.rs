//! Seats of a table. Players are assigned to seats elsewhere.

use crate::rulebook::Direction;
use std::fmt;

/// A seat at a table, numbered clockwise from the dealer's left.
///
/// # Examples
///
/// ```
/// use paigow::Seat;
///
/// let seat = Seat::new(3).expect("the seats are 1 to 7");
/// assert_eq!(seat.to_string(), "seat 3");
/// assert_eq!(seat.index(), 2);
/// assert_eq!(Seat::new(8), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// Maximum number of seats. Seven hands of seven cards use 49 of the 53 cards.
    pub const COUNT_MAX: usize = 7;

    /// Seat 1.
    pub const FIRST: Seat = Seat(1);

    /// Returns the seat with a number from 1 to 7, or `None` for other numbers.
    pub const fn new(number: u8) -> Option<Seat> {
        if number >= 1 && number as usize <= Seat::COUNT_MAX { Some(Seat(number)) } else { None }
    }

    /// Number of the seat, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Index of the seat in a [`BySeat`] array.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Iterates once around a table of `seats` seats, starting at `from`.
    pub(crate) fn around(from: Seat, seats: u8, direction: Direction) -> impl Iterator<Item = Seat> {
        let mut next = from.0;
        (0..seats).map(move |_| {
            let seat = Seat(next);
            next = match direction {
                Direction::Clockwise if next >= seats => 1,
                Direction::Clockwise => next + 1,
                Direction::CounterClockwise if next <= 1 => seats,
                Direction::CounterClockwise => next - 1,
            };
            seat
        })
    }

    /// Iterates over the first `count` seats.
    pub fn up_to(count: u8) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (1..=count.min(Seat::COUNT_MAX as u8)).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// One value for each seat.
pub type BySeat<T> = [T; Seat::COUNT_MAX];
