//! The exact odds of a side wager.
//!
//! What a hand is paid is asked of the same [`Paytable`] and the same [`SideWager`] that settle it.

use crate::{BaseGame, Census, DEALS, Fraction, color_counts};
use paigow::rulebook::{LooksAt, SideWager};
use paigow::{Amount, HandClass, PayRow, Pays, Paytable, Rank, WinsOn};

/// How often a side wager is paid what.
#[derive(Clone, Debug)]
pub struct WagerOdds<'a> {
    wager: &'a SideWager,
    /// What is counted, hands or deals, and how many there are.
    pub of: CountBasis,
    /// The rows of the paytable, and in how many of them each is paid.
    pub rows: Vec<(PayRow, i128)>,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountBasis {
    /// Hands: the wager looks at one hand alone.
    Hands,
    /// Deals of a player's and a dealer's hand.
    Deals,
}

impl CountBasis {
    /// How many there are.
    pub fn all(self) -> i128 {
        match self {
            CountBasis::Hands => i128::from(Census::HANDS),
            CountBasis::Deals => DEALS,
        }
    }
}

impl<'a> WagerOdds<'a> {
    /// Counts a wager. Where it looks at one hand, the census says how many; it must be of the paytable's joker. Where it looks at
    /// the dealer's five cards as set, and perhaps at the player's, the game is asked for; it must be one in which no
    /// hand makes wagers push, because such hands count here like any other.
    pub fn of(
        wager: &'a SideWager,
        paytable: &Paytable,
        census: &Census,
        game: impl FnOnce() -> BaseGame,
    ) -> WagerOdds<'a> {
        let hands = |row: &PayRow| match row.wins_on {
            WinsOn::Class(class) => census.paid(paytable, class),
            WinsOn::Cards(cards) => color_counts().get(usize::from(cards)).copied().unwrap_or(0),
        };
        let rows = paytable.rows.iter();
        match wager.looks_at {
            LooksAt::PlayerHand | LooksAt::DealerHand | LooksAt::Color => {
                let rows = rows.map(|row| (*row, i128::from(hands(row)))).collect();
                WagerOdds { wager, of: CountBasis::Hands, rows }
            }
            LooksAt::DealerFiveCards => {
                let game = game();
                let rows = rows.map(|row| (*row, deals(wager, row, &game))).collect();
                WagerOdds { wager, of: CountBasis::Deals, rows }
            }
        }
    }

    /// A part of all that was counted.
    pub fn probability(&self, count: i128) -> Fraction {
        Fraction::new(count, self.of.all())
    }

    /// What a row gives back of a wager of one, the wager itself not counted.
    pub fn row_return(&self, row: &PayRow, count: i128) -> Fraction {
        match row.pays {
            Pays::Push => Fraction::zero(),
            Pays::ToOne(times) => self.probability(count * i128::from(times)),
        }
    }

    /// In how many no row pays.
    pub fn losing(&self) -> i128 {
        self.of.all() - self.rows.iter().map(|(_, count)| count).sum::<i128>()
    }

    /// The part of a wager the house keeps, no other player at the table and no maximum.
    pub fn edge(&self) -> Fraction {
        let won: Fraction = self.rows.iter().map(|(row, count)| self.row_return(row, *count)).sum();
        self.probability(self.losing()) - won
    }

    /// How often it wins.
    pub fn hit_frequency(&self) -> Fraction {
        let wins = self.rows.iter().filter(|(row, _)| row.pays != Pays::Push);
        self.probability(wins.map(|(_, count)| count).sum())
    }

    /// The variance of what a wager of one wins or loses; its root is the standard deviation.
    pub fn variance(&self) -> Fraction {
        let squares = self.rows.iter().map(|(row, count)| match row.pays {
            Pays::Push => 0,
            Pays::ToOne(times) => i128::from(times) * i128::from(times) * count,
        });
        self.probability(squares.sum::<i128>() + self.losing()) - self.edge().squared()
    }

    /// What each other player's hand is worth to the holder of a button, for each unit of the least wager that earns one.
    pub fn envy(&self) -> Fraction {
        let Some(least) = self.wager.least_envy_stake() else { return Fraction::zero() };
        self.rows.iter().map(|(row, count)| self.envy_return(row, *count, least)).sum()
    }

    /// A row's part of that, for a wager of this much.
    ///
    /// # Panics
    /// If the wager is nothing.
    pub fn envy_return(&self, row: &PayRow, count: i128, stake: Amount) -> Fraction {
        let bonus = i128::from(row.envy.unwrap_or(Amount::ZERO).cents());
        Fraction::new(bonus * count, i128::from(stake.cents()) * self.of.all())
    }

    /// The edge with so many players at the table, all hands of theirs earning the holder of a button its bonuses, at the
    /// least wager that earns one.
    pub fn edge_with_players(&self, players: u8) -> Fraction {
        self.edge() - self.envy() * Fraction::new(players.saturating_sub(1), 1)
    }

    /// The edge of a wager of this much where no more is paid than the maximum, no other hand being paid in the round.
    ///
    /// # Panics
    /// If the wager is nothing.
    pub fn edge_at(&self, stake: Amount) -> Fraction {
        let paid = self.rows.iter().map(|(row, count)| match row.pays {
            Pays::Push => 0,
            Pays::ToOne(times) => i128::from(self.wager.payout_alone(times, stake).cents()) * count,
        });
        self.probability(self.losing())
            - Fraction::new(paid.sum::<i128>(), i128::from(stake.cents()) * self.of.all())
    }
}

/// In how many deals a row pays for the dealer's five cards as set.
fn deals(wager: &SideWager, row: &PayRow, game: &BaseGame) -> i128 {
    let pays_for =
        |rank: Rank| HandClass::of_high_card(rank).is_some_and(|class| row.wins_on == WinsOn::Class(class));
    let highest = Rank::ALL.into_iter().zip(game.no_pair).find(|(rank, _)| pays_for(*rank));
    highest.map_or(0, |(_, deals)| if wager.player_must_beat { deals.beaten } else { deals.deals })
}
