//! The exact odds of a side wager.
//!
//! The payouts come from the same [`Paytable`] and [`SideWager`] that settlement uses.

use crate::{BaseGame, Census, DEALS, Fraction, Moments, color_counts};
use paigow::rulebook::{DecidingCards, SideWager};
use paigow::{Amount, HandClass, PayRow, Pays, Paytable, Rank, WinsOn};

/// Number of hands or deals that each row of a side wager's paytable pays.
///
/// # Examples
///
/// ```
/// use paigow_math::{Census, DecimalRounding, WagerOdds};
/// # use paigow::rulebook::{BuiltIn, DecidingCards};
/// # use paigow::Rulebook;
/// # let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// # let book = Rulebook::built_in(name)?;
/// # let wager = book.wagers.iter().find(|wager| wager.looks_at == DecidingCards::PlayerHand);
/// # let wager = wager.expect("a wager on the player's hand");
///
/// let paytable = &wager.paytables[0];
/// let census = Census::compute(paytable.joker);
/// let odds = WagerOdds::of(wager, paytable, &census, || unreachable!("the wager depends on one hand"));
/// println!("house edge {}", odds.edge().decimal(6, DecimalRounding::Rounded));
/// # Ok::<(), paigow::rulebook::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WagerOdds<'a> {
    wager: &'a SideWager,
    /// Unit of the counts: hands or deals.
    pub of: CountBasis,
    /// The rows of the paytable, each with the number of hands or deals that it pays.
    pub rows: Vec<(PayRow, i128)>,
}

/// Unit of the counts of [`WagerOdds`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountBasis {
    /// Hands: the wager depends on one hand only.
    Hands,
    /// Deals of a player's and a dealer's hand.
    Deals,
}

impl CountBasis {
    /// Total number of hands or deals.
    pub fn all(self) -> i128 {
        match self {
            CountBasis::Hands => i128::from(Census::HANDS),
            CountBasis::Deals => DEALS,
        }
    }
}

impl<'a> WagerOdds<'a> {
    /// Counts the hands or deals that each row of a paytable pays.
    ///
    /// A wager on one hand is counted from `census`, which must be of the paytable's joker. A wager on the dealer's
    /// high hand is counted from `game`, which is called only then. In that game no hand may make wagers push, because
    /// such hands count here like any other.
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
            DecidingCards::PlayerHand | DecidingCards::DealerHand | DecidingCards::Color => {
                let rows = rows.map(|row| (*row, i128::from(hands(row)))).collect();
                WagerOdds { wager, of: CountBasis::Hands, rows }
            }
            DecidingCards::DealerFiveCards => {
                let game = game();
                let rows = rows.map(|row| (*row, deals(wager, row, &game))).collect();
                WagerOdds { wager, of: CountBasis::Deals, rows }
            }
        }
    }

    /// Probability of `count` hands or deals.
    pub fn probability(&self, count: i128) -> Fraction {
        Fraction::new(count, self.of.all())
    }

    /// Expected win of a row per unit wagered, without the returned stake.
    pub fn row_return(&self, row: &PayRow, count: i128) -> Fraction {
        match row.pays {
            Pays::Push => Fraction::zero(),
            Pays::ToOne(times) => self.probability(count * i128::from(times)),
        }
    }

    /// Number of hands or deals that no row pays.
    pub fn losing(&self) -> i128 {
        self.of.all() - self.rows.iter().map(|(_, count)| count).sum::<i128>()
    }

    /// House edge, as a part of the wager, with one player at the table and no maximum payout.
    pub fn edge(&self) -> Fraction {
        let won: Fraction = self.rows.iter().map(|(row, count)| self.row_return(row, *count)).sum();
        self.probability(self.losing()) - won
    }

    /// Probability that the wager wins. A push is not a win.
    pub fn hit_frequency(&self) -> Fraction {
        let wins = self.rows.iter().filter(|(row, _)| row.pays != Pays::Push);
        self.probability(wins.map(|(_, count)| count).sum())
    }

    /// Variance of the net win per unit wagered.
    pub fn variance(&self) -> Fraction {
        let squares = self.rows.iter().map(|(row, count)| match row.pays {
            Pays::Push => 0,
            Pays::ToOne(times) => i128::from(times) * i128::from(times) * count,
        });
        self.probability(squares.sum::<i128>() + self.losing()) - self.edge().squared()
    }

    /// Moments of the net win per unit wagered, with one player at the table and no maximum payout.
    pub fn moments(&self) -> Moments {
        let paid = self.rows.iter().map(|(row, count)| {
            let times = match row.pays {
                Pays::Push => 0,
                Pays::ToOne(times) => times,
            };
            (Fraction::new(times, 1), self.probability(*count))
        });
        let lost = (Fraction::new(-1, 1), self.probability(self.losing()));
        Moments::of(&paid.chain([lost]).collect::<Vec<_>>())
    }

    /// Expected envy bonus from one other player's hand, per unit of the smallest wager that earns an envy button.
    pub fn envy(&self) -> Fraction {
        let Some(least) = self.wager.min_envy_stake() else { return Fraction::zero() };
        self.rows.iter().map(|(row, count)| self.envy_return(row, *count, least)).sum()
    }

    /// Expected envy bonus from one other player's hand through one row, per unit wagered at this stake.
    ///
    /// # Panics
    /// If the stake is zero.
    pub fn envy_return(&self, row: &PayRow, count: i128, stake: Amount) -> Fraction {
        let bonus = i128::from(row.envy.unwrap_or(Amount::ZERO).cents());
        Fraction::new(bonus * count, i128::from(stake.cents()) * self.of.all())
    }

    /// House edge of a wager with an envy button, with `players` players at the table.
    ///
    /// The wager is the smallest that earns a button, and every other player's hand can earn the bonus.
    pub fn edge_with_players(&self, players: u8) -> Fraction {
        self.edge() - self.envy() * Fraction::new(players.saturating_sub(1), 1)
    }

    /// House edge of a wager of this stake under the maximum payout, if no other hand is paid in the round.
    ///
    /// # Panics
    /// If the stake is zero.
    pub fn edge_at(&self, stake: Amount) -> Fraction {
        let paid = self.rows.iter().map(|(row, count)| match row.pays {
            Pays::Push => 0,
            Pays::ToOne(times) => i128::from(self.wager.single_payout(times, stake).cents()) * count,
        });
        self.probability(self.losing())
            - Fraction::new(paid.sum::<i128>(), i128::from(stake.cents()) * self.of.all())
    }
}

/// Number of deals in which a row pays for the dealer's high hand.
fn deals(wager: &SideWager, row: &PayRow, game: &BaseGame) -> i128 {
    let pays_for =
        |rank: Rank| HandClass::of_high_card(rank).is_some_and(|class| row.wins_on == WinsOn::Class(class));
    let highest = Rank::ALL.into_iter().zip(game.no_pair).find(|(rank, _)| pays_for(*rank));
    highest.map_or(0, |(_, deals)| if wager.player_must_beat { deals.beaten } else { deals.deals })
}
