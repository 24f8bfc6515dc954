//! The lines of a settlement: who wins or loses what at which wager, against whom, and why.
//!
//! Everything here is a small value, so that settling a round allocates nothing; `reason.rs` says a line in a sentence.

use crate::rulebook::Copies;
use crate::{Amount, BySeat, HandClass, Seat};
use std::cmp::Ordering;

/// Money won or lost, in cents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Net(pub(crate) i64);

impl Net {
    /// So many cents won, or lost where negative.
    pub const fn from_cents(cents: i64) -> Net {
        Net(cents)
    }

    /// How many cents.
    pub const fn cents(self) -> i64 {
        self.0
    }

    pub(crate) fn won(amount: Amount) -> Net {
        Net(amount.cents().cast_signed())
    }

    pub(crate) fn lost(amount: Amount) -> Net {
        Net(-amount.cents().cast_signed())
    }
}

/// Who money moves from and to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// A seat.
    Seat(Seat),
    /// The house's own hand, playing against a seat that banks; the money is the house's.
    Dealer,
    /// The seat that banks, as banker.
    Banker,
    /// The house.
    House,
}

/// Which wager a line is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WagerRef {
    /// The base game.
    PaiGow,
    /// A side wager, by its place in the book.
    Side(u8),
}

/// What became of a wager.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Outcome {
    Win,
    Lose,
    Push,
    Foul,
    NoAction,
    Envy,
    Collection,
    Commission,
}

impl Outcome {
    /// The word in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Lose => "lose",
            Outcome::Push => "push",
            Outcome::Foul => "foul",
            Outcome::NoAction => "no_action",
            Outcome::Envy => "envy",
            Outcome::Collection => "collection",
            Outcome::Commission => "commission",
        }
    }
}

/// How one hand compares with the banker's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HandComparison {
    /// It is higher.
    Higher,
    /// It is equal: a copy.
    Copy,
    /// It is lower.
    Lower,
}

impl HandComparison {
    /// All of them.
    pub const ALL: [HandComparison; 3] =
        [HandComparison::Higher, HandComparison::Copy, HandComparison::Lower];

    /// How one strength compares with another.
    pub fn of<T: Ord>(one: &T, other: &T) -> HandComparison {
        match one.cmp(other) {
            Ordering::Greater => HandComparison::Higher,
            Ordering::Equal => HandComparison::Copy,
            Ordering::Less => HandComparison::Lower,
        }
    }
}

impl Copies {
    /// What becomes of a base wager by how its five cards and its two compare with the banker's: it wins with both, loses
    /// with neither, and pushes with one (SB-3).
    pub fn outcome(self, high: HandComparison, low: HandComparison) -> Outcome {
        let won = |compared| match compared {
            HandComparison::Higher => true,
            HandComparison::Copy => self == Copies::Player,
            HandComparison::Lower => false,
        };
        match (won(high), won(low)) {
            (true, true) => Outcome::Win,
            (false, false) => Outcome::Lose,
            _ => Outcome::Push,
        }
    }
}

/// Why a line is as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The hands were compared.
    Compared {
        /// The five cards.
        high: HandComparison,
        /// The two cards.
        low: HandComparison,
    },
    /// The front was higher than the back.
    Foul,
    /// The dealer's hand makes every base wager push (EZ-1).
    DealerPush(HandClass),
    /// The banker's cover was used up (CA-4).
    NotCovered,
    /// A row of the posted paytable.
    Row(u8),
    /// A row, paid less than it says because of the payout maximum.
    Limited(u8),
    /// No row of the posted paytable.
    NoRow,
    /// The dealer's five cards have a row, and the player's do not beat them (WA-5).
    NotBeaten(u8),
    /// Another seat's hand has an envy bonus.
    Envy {
        /// Whose.
        of: Seat,
        /// Which row.
        row: u8,
    },
    /// Nothing is left of what the banker has put up.
    BankSpent,
    /// Another seat's hand has an envy bonus, which what the banker has put up does not reach.
    EnvyUnpaid {
        /// Whose.
        of: Seat,
        /// Which row.
        row: u8,
        /// How much of it is not paid.
        unpaid: Amount,
    },
    /// The house's fee (CA-8).
    Collection,
    /// The house's fee for playing time (CA-8).
    TimeFee,
    /// The banker's commission (SB-7).
    BankerCommission,
}

/// One line of a settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Whose line it is.
    pub who: Party,
    /// About which wager.
    pub wager: WagerRef,
    /// How much was at stake.
    pub stake: Amount,
    /// What became of it.
    pub outcome: Outcome,
    /// What that is worth to them, after the fee.
    pub net: Net,
    /// What the house keeps of it: the commission on a win.
    pub fee: Amount,
    /// Who pays or collects.
    pub against: Party,
    /// Why.
    pub reason: Reason,
}

/// What a round is worth to everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nets {
    /// To each seat, its wagers and fees.
    pub seats: BySeat<Net>,
    /// To the seat that banks, as banker; nothing where the house banks.
    pub banker: Net,
    /// To the house.
    pub house: Net,
}

impl Nets {
    /// What the lines move, summed up.
    pub(crate) fn of(lines: &[Line]) -> Nets {
        let mut seats = [0; Seat::COUNT_MAX];
        let (mut banker, mut house) = (0, 0);
        for line in lines {
            let fee = line.fee.cents().cast_signed();
            house += fee;
            for (party, cents) in [(line.who, line.net.0), (line.against, -line.net.0 - fee)] {
                match party {
                    Party::Seat(seat) => seats[seat.index()] += cents,
                    Party::Banker => banker += cents,
                    Party::Dealer | Party::House => house += cents,
                }
            }
        }
        Nets { seats: seats.map(Net), banker: Net(banker), house: Net(house) }
    }

    /// All of it together: zero.
    pub fn sum(&self) -> i64 {
        self.seats.iter().map(|net| net.0).sum::<i64>() + self.banker.0 + self.house.0
    }
}
