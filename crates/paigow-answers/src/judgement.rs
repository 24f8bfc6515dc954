//! Exact expectation of the wagers of a played round, in cents.

use crate::census::census;
use paigow::rulebook::{DecidingCards, PayoutMax, PayoutScope};
use paigow::{Amount, CardSet, SevenCards, TableRules, TwoCards};
use paigow_math::{BaseGame, BestSetting, DEALER_HANDS, Fraction, Opposition, WagerOdds, Worth};

/// The legal settings of a hand by the rules of a table, with their wins and losses against every dealer hand.
#[derive(Clone, Debug)]
pub struct JudgedHand {
    settings: Vec<(TwoCards, Worth)>,
    /// Wins and losses of a foul hand.
    foul: Worth,
}

/// Expectation of a base wager, in cents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseJudgement {
    /// Expected net win with the best setting.
    pub best: Fraction,
    /// Low hand of the best setting. If the chosen setting is as good, it is the chosen one.
    pub best_low: TwoCards,
    /// Expected net win with the chosen setting.
    pub chosen: Fraction,
}

impl JudgedHand {
    /// Evaluates every legal setting of a hand.
    pub fn of(rules: &TableRules, hand: SevenCards) -> JudgedHand {
        let book = rules.book();
        let opposition = Opposition {
            // The posted paytables may need another use of the joker than the book.
            ranking: rules.evaluator().ranking(),
            ..Opposition::of(book, &book.house_way)
        };
        let best = BestSetting::of(hand, &opposition);
        // A dealer's hand that makes every wager push may do so for foul hands too.
        let pushes = if book.base_game.dealer_push_fouls { u64::from(best.dealer_pushes) } else { 0 };
        JudgedHand {
            settings: best.settings.iter().map(|(setting, worth)| (setting.low, *worth)).collect(),
            foul: Worth { win: 0, lose: (DEALER_HANDS - pushes) as u32 },
        }
    }

    /// Returns the expectation of a base wager with a low hand. The commission is rounded as in a settlement.
    ///
    /// Returns `None` if the hand has no legal setting, which cannot happen.
    pub fn at_stake(&self, rules: &TableRules, low: CardSet, stake: Amount) -> Option<BaseJudgement> {
        let won = stake.cents() - rules.book().commission.amount_on(stake).cents();
        let value = |worth: &Worth| {
            i128::from(worth.win) * i128::from(won) - i128::from(worth.lose) * i128::from(stake.cents())
        };
        let cents = |value: i128| Fraction::new(value, DEALER_HANDS);
        let chosen = self.settings.iter().find(|(other, _)| other.cards() == low);
        // Of equal settings, the first. They are ordered by their value before rounding.
        let best = self.settings.iter().rev().max_by_key(|(_, worth)| value(worth))?;
        let best = chosen.filter(|(_, worth)| value(worth) == value(&best.1)).unwrap_or(best);
        Some(BaseJudgement {
            best: cents(value(&best.1)),
            best_low: best.0,
            chosen: cents(value(chosen.map_or(&self.foul, |(_, worth)| worth))),
        })
    }
}

/// Returns the expected net win of a side wager before the deal, in cents: with the maximum payout, and with the envy
/// bonuses for the hands of `others`.
///
/// Returns `None` for a wager that the high hands decide, because the settings of both sides have a part in it, and for
/// a wager whose maximum payout several hands of a round share.
pub fn side_expectation(rules: &TableRules, index: usize, stake: Amount, others: usize) -> Option<Fraction> {
    let (wager, paytable) = (rules.wager(index), rules.paytable(index));
    let shares_maximum =
        |max: &PayoutMax| max.per == PayoutScope::Round && max.amount.is_some() && others > 0;
    let shares_maximum = wager.payout_max.as_ref().is_some_and(shares_maximum);
    if wager.looks_at == DecidingCards::DealerFiveCards || shares_maximum {
        return None;
    }
    // Wagers on one hand need no count of the base game.
    let odds = WagerOdds::of(wager, paytable, census(paytable.joker), BaseGame::default);
    let kept = -odds.edge_at(stake) * Fraction::new(stake.cents(), 1);
    Some(match wager.min_envy_stake() {
        Some(from) if stake >= from => {
            kept + odds.envy() * Fraction::new(u128::from(from.cents()) * others as u128, 1)
        }
        _ => kept,
    })
}
