//! What the counts of the base game are worth.

use crate::{BaseGame, DEALS, Fraction, Outcomes};
use paigow::rulebook::Copies;

/// The base game with its commission.
#[derive(Clone, Debug)]
pub struct BaseOdds {
    /// What becomes of a wager.
    pub outcomes: Outcomes,
    /// The part of a win that goes to the house.
    pub commission: Fraction,
}

impl BaseOdds {
    /// The player's odds.
    pub fn of_player(game: &BaseGame, copies: Copies, commission: Fraction) -> BaseOdds {
        BaseOdds { outcomes: game.outcomes(copies), commission }
    }

    /// The odds of a seat that banks and sets as the player does, against one hand that is set as the dealer sets. No hand
    /// makes wagers push where a seat banks.
    pub fn of_banker(game: &BaseGame, copies: Copies, commission: Fraction) -> BaseOdds {
        let Outcomes { win, push, lose } = game.turned_round().outcomes(copies);
        BaseOdds { outcomes: Outcomes { win: lose, push, lose: win }, commission }
    }

    /// The part of a wager that is lost.
    pub fn edge(&self) -> Fraction {
        self.edge_before_commission() + self.commission_part()
    }

    /// The part that goes in commission.
    pub fn commission_part(&self) -> Fraction {
        Fraction::new(self.outcomes.win, DEALS) * self.commission.clone()
    }

    /// The part that would be lost without a commission.
    pub fn edge_before_commission(&self) -> Fraction {
        Fraction::new(self.outcomes.lose - self.outcomes.win, DEALS)
    }

    /// The variance of what a wager of one wins or loses.
    pub fn variance(&self) -> Fraction {
        let won = Fraction::one() - self.commission.clone();
        Fraction::new(self.outcomes.win, DEALS) * won.squared() + Fraction::new(self.outcomes.lose, DEALS)
            - self.edge().squared()
    }
}

/// The part of a wager that copies are worth to those they go to: half of what it would make to give them all to the other
/// side.
pub fn copies_part(game: &BaseGame) -> Fraction {
    let worth = |copies| {
        let outcomes = game.outcomes(copies);
        outcomes.win - outcomes.lose
    };
    Fraction::new(worth(Copies::Player) - worth(Copies::Banker), 2 * DEALS)
}
