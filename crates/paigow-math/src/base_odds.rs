//! House edge and variance of the base game, from its counts.

use crate::{BaseGame, DEALS, Fraction, Moments, Outcomes};
use paigow::rulebook::CopyWinner;

/// The base game with its commission.
///
/// # Examples
///
/// ```
/// use paigow_math::{BaseOdds, DEALS, Fraction, Outcomes};
///
/// let outcomes = Outcomes { win: DEALS / 4, push: DEALS / 2, lose: DEALS / 4 };
/// let odds = BaseOdds { outcomes, commission: Fraction::new(1, 20) };
/// assert_eq!(odds.edge(), Fraction::new(1, 80));
/// ```
#[derive(Clone, Debug)]
pub struct BaseOdds {
    /// Number of deals that win, push and lose.
    pub outcomes: Outcomes,
    /// Commission, as a part of a win.
    pub commission: Fraction,
}

impl BaseOdds {
    /// Odds of the game's player.
    pub fn of_player(game: &BaseGame, copies: CopyWinner, commission: Fraction) -> BaseOdds {
        BaseOdds { outcomes: game.outcomes(copies), commission }
    }

    /// Odds of a banking seat that sets as the game's player, against one hand that is set as the game's dealer.
    ///
    /// No hand makes wagers push when a seat banks.
    pub fn of_banker(game: &BaseGame, copies: CopyWinner, commission: Fraction) -> BaseOdds {
        BaseOdds { outcomes: game.swapped().outcomes(copies).exchanged(), commission }
    }

    /// Expected loss, as a part of the wager.
    pub fn edge(&self) -> Fraction {
        self.edge_before_commission() + self.commission_part()
    }

    /// Expected commission, as a part of the wager.
    pub fn commission_part(&self) -> Fraction {
        Fraction::new(self.outcomes.win, DEALS) * self.commission.clone()
    }

    /// Expected loss without commission, as a part of the wager.
    pub fn edge_before_commission(&self) -> Fraction {
        Fraction::new(self.outcomes.lose - self.outcomes.win, DEALS)
    }

    /// Variance of the net win per unit wagered.
    pub fn variance(&self) -> Fraction {
        let won = Fraction::one() - self.commission.clone();
        Fraction::new(self.outcomes.win, DEALS) * won.squared() + Fraction::new(self.outcomes.lose, DEALS)
            - self.edge().squared()
    }

    /// Moments of the net win per unit wagered.
    pub fn moments(&self) -> Moments {
        let Outcomes { win, push, lose } = self.outcomes;
        let won = Fraction::one() - self.commission.clone();
        let results = [(won, win), (Fraction::zero(), push), (Fraction::new(-1, 1), lose)];
        Moments::of(&results.map(|(result, deals)| (result, Fraction::new(deals, DEALS))))
    }
}

/// Value of copies to the side that wins them, as a part of the wager.
///
/// It is half of the difference between the player winning all copies and the banker winning all copies.
pub fn copies_part(game: &BaseGame) -> Fraction {
    let worth = |copies| {
        let outcomes = game.outcomes(copies);
        outcomes.win - outcomes.lose
    };
    Fraction::new(worth(CopyWinner::Player) - worth(CopyWinner::Banker), 2 * DEALS)
}
