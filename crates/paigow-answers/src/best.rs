//! Every legal setting of a hand against every hand the dealer may have.

use crate::exact::both;
use crate::question::QuestionContext;
use crate::{Decimal, Exact, Faults, Shown, ValueChanges};
use paigow::rulebook::BookSource;
use paigow::{FiveCards, HouseWay, Rulebook, SevenCards, TwoCards};
use paigow_math::{BestSetting, DEALER_HANDS, Fraction, Opposition};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Which hand, and against whom.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BestQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// A rule book's name.
    pub book: String,
    /// The dealer's house way, instead of the book's.
    pub house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// The settings of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BestAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// The book.
    pub book: String,
    /// How the dealer sets.
    pub house_way: String,
    /// How many hands the dealer may have.
    pub dealer_hands: u64,
    /// Every legal setting, the best first.
    pub settings: Vec<SettingWorth>,
}

/// What a setting is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettingWorth {
    /// The high hand: five cards.
    #[schema(value_type = String, example = "As Jk 9h 2s 2d")]
    pub high: Shown<FiveCards>,
    /// The low hand: two cards.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: Shown<TwoCards>,
    /// The dealer's hands against which it wins.
    pub win: u64,
    /// Those against which it pushes.
    pub push: u64,
    /// Those against which it loses.
    pub lose: u64,
    /// What it wins of a wager on average, commission paid.
    pub ev: Decimal,
    /// The same exactly.
    pub ev_exact: Exact,
    /// Whether none is better.
    pub best: bool,
    /// Whether the dealer would set so.
    pub house_way: bool,
}

/// What was asked, found.
pub struct BestRequest {
    /// The hand.
    pub hand: SevenCards,
    /// The book.
    pub book: Rulebook,
    /// How the dealer sets.
    pub dealer: Arc<HouseWay>,
}

impl BestRequest {
    /// Finds what is asked for.
    ///
    /// # Errors
    /// Everything that is wrong with the question.
    pub fn of(question: &BestQuestion, book_source: &dyn BookSource) -> Result<BestRequest, Faults> {
        let mut ask = QuestionContext::new(book_source);
        let hand = ask.hand(&question.cards);
        let book = ask.book(&question.book, &question.changes);
        let dealer = ask.house_way(question.house_way.as_deref(), "house_way");
        let (hand, book) = ask.faults.or(hand.zip(book))?;
        let dealer = dealer.unwrap_or_else(|| book.house_way.clone());
        Ok(BestRequest { hand, book, dealer })
    }

    /// Counts.
    pub fn answer(&self) -> BestAnswer {
        let against = Opposition::of(&self.book, &self.dealer);
        let commission = against.commission;
        let best = BestSetting::of(self.hand, &against);
        let best_value = best.settings.first().map(|(_, worth)| worth.value(commission));
        let settings = best.settings.iter().enumerate().map(|(place, (setting, worth))| {
            let value = worth.value(commission);
            let (ev, ev_exact) = both(Fraction::new(value, DEALER_HANDS * 10_000));
            SettingWorth {
                high: Shown(setting.high),
                low: Shown(setting.low),
                win: worth.win.into(),
                push: worth.push(),
                lose: worth.lose.into(),
                ev,
                ev_exact,
                best: Some(value) == best_value,
                house_way: place == best.house_way,
            }
        });
        BestAnswer {
            cards: Shown(self.hand),
            book: self.book.id.clone(),
            house_way: self.dealer.id().to_owned(),
            dealer_hands: DEALER_HANDS,
            settings: settings.collect(),
        }
    }
}

/// Every legal setting of a hand, exactly.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn answer(question: &BestQuestion, book_source: &dyn BookSource) -> Result<BestAnswer, Faults> {
    Ok(BestRequest::of(question, book_source)?.answer())
}
