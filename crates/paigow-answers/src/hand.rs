//! What seven cards hold: bonus classes, colors, the best five.

use crate::ask::Ask;
use crate::census::JokerWord;
use crate::{Class, Faults, RankingNames, Shown};
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
    pub joker: JokerWord,
    /// Where A-2-3-4-5 stands among the straights.
    #[serde(default)]
    pub wheel: WheelWord,
}

/// Where A-2-3-4-5 stands among the straights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WheelWord {
    /// Below 2-3-4-5-6.
    Lowest,
    /// Just below 10-J-Q-K-A.
    #[default]
    SecondHighest,
}

impl From<WheelWord> for Wheel {
    fn from(wheel: WheelWord) -> Wheel {
        match wheel {
            WheelWord::Lowest => Wheel::Lowest,
            WheelWord::SecondHighest => Wheel::SecondHighest,
        }
    }
}

/// What a hand holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Held {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// The highest class by rank in play.
    pub in_play: Class,
    /// All classes.
    pub contains: Vec<Class>,
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
pub fn answer(question: &HandQuestion) -> Result<Held, Faults> {
    let mut ask = Ask::new(&BuiltIn);
    let hand = ask.hand(&question.cards);
    let ranking = Ranking { joker: question.joker.into(), wheel: question.wheel.into() };
    Ok(Held::by(ask.faults.or(hand)?, ranking))
}

impl Held {
    /// What a hand holds under a ranking.
    pub fn by(hand: SevenCards, ranking: Ranking) -> Held {
        let evaluator = Evaluator::of(ranking);
        let classes = Holdings::of(ranking.joker).classes_of(hand);
        let best =
            hand.splits().map(|(high, _)| (evaluator.high(high), high)).max_by_key(|(strength, _)| *strength);
        let (best_five, best_five_says) = best.map_or_else(Default::default, |(strength, high)| {
            (high.to_string(), evaluator.shape(strength).to_string())
        });
        Held {
            cards: Shown(hand),
            in_play: Class(classes.first_of(&HandClass::IN_PLAY)),
            contains: classes.iter().map(Class).collect(),
            best_five,
            best_five_says,
            red: hand.cards().count_color(Color::Red),
            black: hand.cards().count_color(Color::Black),
            ranking: ranking.into(),
        }
    }
}
