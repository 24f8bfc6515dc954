//! Seats: places at a table. Who sits there is somebody else's business.

use crate::rulebook::Direction;
use std::fmt;

/// A place at a table, numbered clockwise from the dealer's left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The most seats a table has: seven hands of seven cards are 49 of 53.
    pub const COUNT_MAX: usize = 7;

    /// Seat 1.
    pub const FIRST: Seat = Seat(1);

    /// The seat of a number from 1 to 7.
    pub const fn new(number: u8) -> Option<Seat> {
        if number >= 1 && number as usize <= Seat::COUNT_MAX { Some(Seat(number)) } else { None }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in an array of seats.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// All of so many seats, from one of them on round the table.
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

    /// The first so many seats.
    pub fn first(count: u8) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (1..=count.min(Seat::COUNT_MAX as u8)).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// Something for each seat.
pub type BySeat<T> = [T; Seat::COUNT_MAX];
