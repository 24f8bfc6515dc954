//! What seven cards hold: bonus classes, colors, the best five.

use crate::census::JokerName;
use crate::question::QuestionContext;
use crate::{ClassName, Faults, RankingNames, Shown};
use paigow::rulebook::BuiltIn;
use paigow::{Color, Evaluator, HandClass, Holdings, Ranking, SevenCards, Wheel};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which hand, and how hands rank.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// What the joker may stand for.
    #[serde(default)]
    pub joker: JokerName,
    /// Where A-2-3-4-5 stands among the straights.
    #[serde(default)]
    pub wheel: WheelName,
}

/// Where A-2-3-4-5 stands among the straights.
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

/// What a hand holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HandAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// The highest class by rank in play.
    pub in_play: ClassName,
    /// All classes.
    pub contains: Vec<ClassName>,
    /// The strongest five of the cards.
    pub best_five: String,
    /// What they are.
    pub best_five_says: String,
    /// How many of the cards are red.
    pub red: usize,
    /// How many are black; the joker is neither.
    pub black: usize,
    /// How hands rank.
    pub ranking: RankingNames,
}

/// What a hand holds.
///
/// # Errors
/// Everything that is wrong with the cards.
pub fn answer(question: &HandQuestion) -> Result<HandAnswer, Faults> {
    let mut ask = QuestionContext::new(&BuiltIn);
    let hand = ask.hand(&question.cards);
    let ranking = Ranking { joker: question.joker.into(), wheel: question.wheel.into() };
    Ok(HandAnswer::by(ask.faults.or(hand)?, ranking))
}

impl HandAnswer {
    /// What a hand holds under a ranking.
    pub fn by(hand: SevenCards, ranking: Ranking) -> HandAnswer {
        let evaluator = Evaluator::of(ranking);
        let classes = Holdings::of(ranking.joker).classes_of(hand);
        let best =
            hand.splits().map(|(high, _)| (evaluator.high(high), high)).max_by_key(|(strength, _)| *strength);
        let (best_five, best_five_says) = best.map_or_else(Default::default, |(strength, high)| {
            (high.to_string(), evaluator.shape(strength).to_string())
        });
        HandAnswer {
            cards: Shown(hand),
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
