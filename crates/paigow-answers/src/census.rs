//! How many of all seven-card hands are in each class.

use indexmap::IndexMap;
use paigow::{HandClass, Joker};
use paigow_math::{Census, color_counts};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use utoipa::ToSchema;

/// Which use of the joker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CensusQuestion {
    /// What the joker may stand for.
    #[serde(default)]
    pub joker: JokerName,
}

/// What the joker may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JokerName {
    /// An ace, or the card that completes a straight or a flush.
    #[default]
    Semi,
    /// Any card the hand does not hold, or the fifth of a kind.
    Full,
}

impl From<JokerName> for Joker {
    fn from(joker: JokerName) -> Joker {
        match joker {
            JokerName::Semi => Joker::SemiWild,
            JokerName::Full => Joker::FullyWild,
        }
    }
}

/// How many hands are in each class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CensusAnswer {
    /// What the joker may stand for.
    pub joker: JokerName,
    /// All hands.
    pub hands: u64,
    /// Each hand once, by rank in play.
    pub classes: IndexMap<&'static str, u64>,
    /// Those without a pair, by their high card.
    pub high_card: IndexMap<&'static str, u64>,
    /// Every hand that holds the class, whatever else it holds.
    pub contains: IndexMap<&'static str, u64>,
    /// By how many cards of a chosen color they have.
    pub cards_of_a_chosen_color: IndexMap<String, u64>,
}

/// How many hands are in each class.
pub fn answer(question: CensusQuestion) -> CensusAnswer {
    let census = census(question.joker.into());
    let counted = |classes: &[HandClass], count: &dyn Fn(HandClass) -> u64| {
        let counts = classes.iter().map(|&class| (class.name(), count(class)));
        counts.filter(|(_, hands)| *hands > 0).collect::<IndexMap<_, _>>()
    };
    let high_card =
        HandClass::PAI_GOWS.map(|class| (class.name().trim_end_matches("_high"), census.in_play(class)));
    CensusAnswer {
        joker: question.joker,
        hands: Census::HANDS,
        classes: counted(&HandClass::IN_PLAY, &|class| census.in_play(class)),
        high_card: high_card.into_iter().collect(),
        contains: counted(&HandClass::ALL, &|class| census.containing(class)),
        cards_of_a_chosen_color: (0..)
            .zip(color_counts())
            .map(|(n, hands): (u8, _)| (n.to_string(), hands))
            .collect(),
    }
}

/// The census under a use of the joker, taken when it is first asked for.
pub fn census(joker: Joker) -> &'static Census {
    static CENSUSES: [OnceLock<Census>; 2] = [const { OnceLock::new() }; 2];
    CENSUSES[joker as usize].get_or_init(|| Census::take(joker))
}
