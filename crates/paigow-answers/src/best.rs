//! Every legal setting of a hand, evaluated against all possible dealer hands.

use crate::exact::decimal_and_exact;
use crate::question::QuestionContext;
use crate::{CardText, Decimal, Exact, Faults, ValueChanges};
use paigow::rulebook::BookSource;
use paigow::{FiveCards, HouseWay, Rulebook, SevenCards, TwoCards};
use paigow_math::{BestSetting, DEALER_HANDS, Fraction, Opposition, Worth};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Question for the best setting of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BestQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// Name of a rule book.
    pub book: String,
    /// House way of the dealer. Default: that of the book.
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
    pub cards: CardText<SevenCards>,
    /// Id of the book.
    pub book: String,
    /// House way of the dealer.
    pub house_way: String,
    /// Number of possible dealer hands.
    pub dealer_hands: u64,
    /// Every legal setting, the best first.
    pub settings: Vec<SettingWorth>,
}

/// Results and expected value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SettingWorth {
    /// The high hand: five cards.
    #[schema(value_type = String, example = "As Jk 9h 2s 2d")]
    pub high: CardText<FiveCards>,
    /// The low hand: two cards.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: CardText<TwoCards>,
    /// Number of dealer hands against which it wins.
    pub win: u64,
    /// Number of dealer hands against which it pushes.
    pub push: u64,
    /// Number of dealer hands against which it loses.
    pub lose: u64,
    /// Expected value per unit wagered, after commission.
    pub ev: Decimal,
    /// Expected value as a fraction.
    pub ev_exact: Exact,
    /// Whether no setting has a higher expected value.
    pub best: bool,
    /// Whether the dealer's house way chooses it.
    pub house_way: bool,
}

/// A question with its hand, book and house way loaded.
pub struct BestRequest {
    /// The hand.
    pub hand: SevenCards,
    /// The book.
    pub book: Rulebook,
    /// House way of the dealer.
    pub dealer: Arc<HouseWay>,
}

impl BestRequest {
    /// Loads the book and the house way of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &BestQuestion, book_source: &dyn BookSource) -> Result<BestRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let hand = context.hand(&question.cards);
        let book = context.book(&question.book, &question.changes);
        let dealer = context.house_way(question.house_way.as_deref(), "house_way");
        let (hand, book) = context.faults.into_result(hand.zip(book))?;
        let dealer = dealer.unwrap_or_else(|| book.house_way.clone());
        Ok(BestRequest { hand, book, dealer })
    }

    /// Evaluates all legal settings.
    pub fn answer(&self) -> BestAnswer {
        self.answer_of(&BestSetting::of(self.hand, &Opposition::of(&self.book, &self.dealer)))
    }

    /// Returns the answer for settings that were evaluated by these rules.
    pub(crate) fn answer_of(&self, best: &BestSetting) -> BestAnswer {
        let commission = self.book.commission.basis_points;
        BestAnswer {
            cards: CardText(self.hand),
            book: self.book.id.clone(),
            house_way: self.dealer.id().to_owned(),
            dealer_hands: DEALER_HANDS,
            settings: SettingWorth::all_of(best, |worth| worth.value(commission)),
        }
    }
}

impl SettingWorth {
    /// Returns all settings of a hand. `value` is the net win of a setting in ten-thousandths of a wager, summed over all
    /// hands of the other side.
    pub(crate) fn all_of(best: &BestSetting, value: impl Fn(Worth) -> i64) -> Vec<SettingWorth> {
        let best_value = best.settings.first().map(|(_, worth)| value(*worth));
        let settings = best.settings.iter().enumerate().map(|(index, (setting, worth))| {
            let value = value(*worth);
            let (ev, ev_exact) = decimal_and_exact(Fraction::new(value, DEALER_HANDS * 10_000));
            SettingWorth {
                high: CardText(setting.high),
                low: CardText(setting.low),
                win: worth.win.into(),
                push: worth.push(),
                lose: worth.lose.into(),
                ev,
                ev_exact,
                best: Some(value) == best_value,
                house_way: index == best.house_way,
            }
        });
        settings.collect()
    }
}

/// Evaluates all legal settings of a hand exactly.
///
/// # Errors
/// All faults of the question.
pub fn answer(question: &BestQuestion, book_source: &dyn BookSource) -> Result<BestAnswer, Faults> {
    Ok(BestRequest::of(question, book_source)?.answer())
}
