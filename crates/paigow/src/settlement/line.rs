//! Lines of a settlement: who wins or loses how much at which wager, against whom, and why.
//!
//! All types are small `Copy` values, so settling a round allocates nothing. `reason.rs` formats lines as sentences.

use crate::rulebook::CopyWinner;
use crate::{Amount, BySeat, HandClass, Seat};
use std::cmp::Ordering;

/// Money won or lost, in cents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Net(pub(crate) i64);

impl Net {
    /// Creates a net from cents won, negative if lost.
    pub const fn from_cents(cents: i64) -> Net {
        Net(cents)
    }

    /// Cents won, negative if lost.
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

/// Party that pays or receives money.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Party {
    /// A seat.
    Seat(Seat),
    /// The dealer's hand against a banking seat. The money is the house's.
    Dealer,
    /// The banking seat, as banker.
    Banker,
    /// The house.
    House,
}

/// Wager of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WagerRef {
    /// The base game.
    PaiGow,
    /// A side wager, by its index among the offered ones.
    Side(u8),
}

/// Outcome of a wager.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // the names are self-explanatory
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
    /// Name of the outcome in responses.
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

/// Comparison of a high or low hand with the banker's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HandComparison {
    /// The hand is higher.
    Higher,
    /// The hand is equal, a copy.
    Copy,
    /// The hand is lower.
    Lower,
}

impl HandComparison {
    /// All variants.
    pub const ALL: [HandComparison; 3] =
        [HandComparison::Higher, HandComparison::Copy, HandComparison::Lower];

    /// Compares one strength with another.
    pub fn of<T: Ord>(one: &T, other: &T) -> HandComparison {
        match one.cmp(other) {
            Ordering::Greater => HandComparison::Higher,
            Ordering::Equal => HandComparison::Copy,
            Ordering::Less => HandComparison::Lower,
        }
    }
}

impl CopyWinner {
    /// Returns the outcome of a base wager from the comparisons of its high and low hand with the banker's.
    ///
    /// The wager wins if both hands win, loses if neither does, and pushes if one does (SB-3).
    pub fn outcome(self, high: HandComparison, low: HandComparison) -> Outcome {
        let won = |compared| match compared {
            HandComparison::Higher => true,
            HandComparison::Copy => self == CopyWinner::Player,
            HandComparison::Lower => false,
        };
        match (won(high), won(low)) {
            (true, true) => Outcome::Win,
            (false, false) => Outcome::Lose,
            _ => Outcome::Push,
        }
    }
}

/// Reason of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The hands were compared.
    Compared {
        /// Comparison of the high hands.
        high: HandComparison,
        /// Comparison of the low hands.
        low: HandComparison,
    },
    /// The low hand was higher than the high hand.
    Foul,
    /// The dealer's hand makes every base wager push (EZ-1).
    DealerPush(HandClass),
    /// The banker's cover was used up (CA-4).
    NotCovered,
    /// A row of the posted paytable applies.
    Row(u8),
    /// A row applies, but the payout maximum reduces the payout.
    Limited(u8),
    /// No row of the posted paytable applies.
    NoRow,
    /// A row applies to the dealer's high hand, but the player's high hand does not beat it (WA-5).
    NotBeaten(u8),
    /// Another seat's hand has an envy bonus.
    Envy {
        /// Seat of that hand.
        of: Seat,
        /// Row of the paytable.
        row: u8,
    },
    /// The money that the banker has put up is used up.
    BankSpent,
    /// Another seat's hand has an envy bonus that exceeds the money that the banker has left.
    EnvyUnpaid {
        /// Seat of that hand.
        of: Seat,
        /// Row of the paytable.
        row: u8,
        /// Unpaid part of the bonus.
        unpaid: Amount,
    },
    /// Collection fee of the house (CA-8).
    Collection,
    /// Fee of the house for playing time (CA-8).
    TimeFee,
    /// Commission of the banker (SB-7).
    BankerCommission,
}

/// One line of a settlement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Party whose line it is.
    pub who: Party,
    /// Wager of the line.
    pub wager: WagerRef,
    /// Amount at stake.
    pub stake: Amount,
    /// Outcome of the wager.
    pub outcome: Outcome,
    /// Net result of the party, after the fee.
    pub net: Net,
    /// Commission that the house keeps of a win.
    pub fee: Amount,
    /// Party that pays or collects.
    pub against: Party,
    /// Reason of the outcome.
    pub reason: Reason,
}

/// Net results of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nets {
    /// Result of each seat from its wagers and fees.
    pub seats: BySeat<Net>,
    /// Result of the banking seat as banker. Zero if the house banks.
    pub banker: Net,
    /// Result of the house.
    pub house: Net,
}

impl Nets {
    /// Sums the lines.
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

    /// Sum of all nets, which is zero.
    pub fn sum(&self) -> i64 {
        self.seats.iter().map(|net| net.0).sum::<i64>() + self.banker.0 + self.house.0
    }
}
