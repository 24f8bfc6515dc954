//! Contents of seven cards: bonus classes, colors and the best five cards.

use crate::census::JokerName;
use crate::question::QuestionContext;
use crate::{CardText, ClassName, Faults, RankingNames};
use paigow::rulebook::BuiltIn;
use paigow::{Color, Evaluator, HandClass, Holdings, Ranking, SevenCards, Wheel};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Question for the contents of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// Use of the joker.
    #[serde(default)]
    pub joker: JokerName,
    /// Rank of the wheel, A-2-3-4-5, among the straights.
    #[serde(default)]
    pub wheel: WheelName,
}

/// Rank of the wheel, A-2-3-4-5, among the straights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WheelName {
    /// Below 2-3-4-5-6.
    Lowest,
    /// Just below 10-J-Q-K-A.
    #[default]
    SecondHighest,
}

impl From<WheelName> for Wheel {
    fn from(wheel: WheelName) -> Wheel {
        match wheel {
            WheelName::Lowest => Wheel::Lowest,
            WheelName::SecondHighest => Wheel::SecondHighest,
        }
    }
}

/// Contents of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HandAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// Highest class by rank in play.
    pub in_play: ClassName,
    /// All classes that the hand contains.
    pub contains: Vec<ClassName>,
    /// Strongest five of the seven cards.
    pub best_five: String,
    /// Description of the strongest five cards.
    pub best_five_says: String,
    /// Number of red cards.
    pub red: usize,
    /// Number of black cards. The joker has no color.
    pub black: usize,
    /// Ranking of hands.
    pub ranking: RankingNames,
}

/// Returns the contents of a hand.
///
/// # Errors
/// All faults of the cards.
pub fn answer(question: &HandQuestion) -> Result<HandAnswer, Faults> {
    let mut context = QuestionContext::new(&BuiltIn);
    let hand = context.hand(&question.cards);
    let ranking = Ranking { joker: question.joker.into(), wheel: question.wheel.into() };
    Ok(HandAnswer::of(context.faults.into_result(hand)?, ranking))
}

impl HandAnswer {
    /// Returns the contents of a hand under a ranking.
    pub fn of(hand: SevenCards, ranking: Ranking) -> HandAnswer {
        let evaluator = Evaluator::of(ranking);
        let classes = Holdings::of(ranking.joker).classes_of(hand);
        let best =
            hand.splits().map(|(high, _)| (evaluator.high(high), high)).max_by_key(|(strength, _)| *strength);
        let (best_five, best_five_says) = best.map_or_else(Default::default, |(strength, high)| {
            (high.to_string(), evaluator.shape(strength).to_string())
        });
        HandAnswer {
            cards: CardText(hand),
            in_play: ClassName(classes.first_of(&HandClass::IN_PLAY)),
            contains: classes.iter().map(ClassName).collect(),
            best_five,
            best_five_says,
            red: hand.cards().count_color(Color::Red),
            black: hand.cards().count_color(Color::Black),
            ranking: ranking.into(),
        }
    }
}
