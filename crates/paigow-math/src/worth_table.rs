//! The exact worth of every setting that a house way can choose, for every kind of hand, against one opponent.
//!
//! A *kind* is a set of hands that no house way can tell apart: hands with the same rank pattern, and the same cards of
//! one suit if they can make a flush (`kinds.rs`). There are 292,253 kinds. With the wins and losses of each setting,
//! summed over the hands of a kind, the price of a house way is a sum over the kinds.
//!
//! The wins and losses of a hand P with a setting follow from two parts, because the opponent's setting too depends
//! only on ranks unless a flush is possible:
//!
//! 1. The opponent's hands as if none could make a flush. Their number depends on the rank pattern of P alone.
//!    Inclusion-exclusion runs over rank patterns instead of sets of cards (`by_ranks.rs`).
//! 2. For each suit, the opponent's hands that a flush in this suit sets differently, with their true setting minus
//!    their setting by ranks. Their number depends on the ranks that P holds in the suit, and on the ranks of its other
//!    cards (`by_suit.rs`).
//!
//! A sum of wins and losses is one integer modulo 2⁶⁴, the wins in the lower half. Intermediate sums may be negative in
//! either half. The final sums are exact because both are below 2³².

mod build;
mod by_ranks;
mod by_suit;
mod bytes;
mod kind_worth;
mod kinds;
mod price;
mod removals;

use crate::set_hand::SetHand;
use crate::{Outcomes, Worth};
use paigow::rulebook::{Banker, CopyWinner};
use paigow::{Evaluator, HandClass, HouseWay, Ranking, Rulebook};

pub use kind_worth::KindWorth;
pub(crate) use kinds::{Kinds, can_flush, kinds_of};
pub use price::{ChangedKind, Changes, ClausePrice, CostlyKind, Decisions, Price};
pub use removals::{Removal, Removals};

/// Side of the table whose settings are valued.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableSide {
    /// A player, against a dealer who sets by the opponent's way.
    Player,
    /// A banking seat, against a player who sets by the opponent's way.
    Banker,
    /// The house as the dealer, against a player who sets by the opponent's way.
    Dealer,
}

impl TableSide {
    /// All sides.
    pub const ALL: [TableSide; 3] = [TableSide::Player, TableSide::Banker, TableSide::Dealer];

    /// The sides that the rules of a book have: players, and the seats and the dealer if they may bank.
    pub fn of_book(book: &Rulebook) -> Vec<TableSide> {
        let is_in_book = |side: &TableSide| match side {
            TableSide::Player => true,
            TableSide::Banker => book.banking.seats_may_bank(),
            TableSide::Dealer => book.banking.bankers.contains(&Banker::Dealer),
        };
        TableSide::ALL.into_iter().filter(is_in_book).collect()
    }

    /// Name in commands and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            TableSide::Player => "player",
            TableSide::Banker => "banker",
            TableSide::Dealer => "dealer",
        }
    }

    /// Returns the side with this name.
    pub fn from_name(name: &str) -> Option<TableSide> {
        TableSide::ALL.into_iter().find(|side| side.name() == name)
    }
}

/// The rules and the opponent that a table of worths follows from.
#[derive(Clone, Copy)]
pub struct Valuation<'a> {
    /// Side whose settings are valued.
    pub side: TableSide,
    /// House way of the other side.
    pub opponent: &'a HouseWay,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Hand classes of the dealer that make every base wager push.
    pub dealer_push: &'a [HandClass],
    /// Side that wins copies.
    pub copies: CopyWinner,
    /// The commission on a win, in hundredths of a percent.
    pub commission: u32,
}

impl<'a> Valuation<'a> {
    /// The rules of a book, with an opponent who sets by this house way.
    pub fn of(book: &'a Rulebook, side: TableSide, opponent: &'a HouseWay) -> Valuation<'a> {
        Valuation {
            side,
            opponent,
            ranking: book.ranking,
            dealer_push: &book.base_game.dealer_push,
            copies: book.base_game.copies,
            commission: book.commission.basis_points,
        }
    }

    /// Net win of the valued side in ten-thousandths of a wager, summed over all hands of the other side.
    pub fn value(&self, worth: Worth) -> i64 {
        self.stakes().value_of(worth)
    }

    /// Classes that make wagers push if the opponent holds them.
    pub(crate) fn opponent_push(&self) -> &'a [HandClass] {
        if self.side == TableSide::Player { self.dealer_push } else { &[] }
    }

    /// Classes that make wagers push if the valued side holds them.
    pub(crate) fn own_push(&self) -> &'a [HandClass] {
        if self.side == TableSide::Dealer { self.dealer_push } else { &[] }
    }

    /// Copies, with `Player` for the valued side.
    pub(crate) fn copies_of_side(&self) -> CopyWinner {
        match (self.side, self.copies) {
            (TableSide::Player, copies) => copies,
            (_, CopyWinner::Banker) => CopyWinner::Player,
            (_, CopyWinner::Player) => CopyWinner::Banker,
        }
    }

    fn stakes(&self) -> Stakes {
        let paid = i64::from(10_000 - self.commission);
        match self.side {
            TableSide::Player | TableSide::Banker => Stakes { win: paid, lose: 10_000 },
            // The house collects the commission from the player's win.
            TableSide::Dealer => Stakes { win: 10_000, lose: paid },
        }
    }
}

/// Gain of a win and loss of a loss, in ten-thousandths of a wager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stakes {
    win: i64,
    lose: i64,
}

impl Stakes {
    fn value(self, sums: WinsAndLossesSum) -> i128 {
        i128::from(sums.win) * i128::from(self.win) - i128::from(sums.lose) * i128::from(self.lose)
    }

    fn value_of(self, worth: Worth) -> i64 {
        i64::from(worth.win) * self.win - i64::from(worth.lose) * self.lose
    }
}

/// Wins and losses, summed over hands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct WinsAndLossesSum {
    win: u64,
    lose: u64,
}

/// A setting of a kind, with sums over the hands of the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SettingWorth {
    setting: SetHand,
    /// Number of hands that have a better setting.
    worse: u32,
    sums: WinsAndLossesSum,
}

/// The exact worth of every setting of every kind of hand against one opponent.
pub struct WorthTable {
    pub(crate) evaluator: &'static Evaluator,
    stakes: Stakes,
    pub(crate) kinds: Kinds,
    /// Settings of all kinds, in the order of `kinds`.
    settings: Vec<SettingWorth>,
    /// For each kind, wins and losses if every hand is set in its best way.
    best: Vec<WinsAndLossesSum>,
    /// Outcomes if every hand is set in its best way.
    best_outcomes: Outcomes,
}
