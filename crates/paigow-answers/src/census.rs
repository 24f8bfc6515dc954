//! Number of seven-card hands in each class.

use indexmap::IndexMap;
use paigow::{HandClass, Joker};
use paigow_math::{Census, color_counts};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use utoipa::ToSchema;

/// Question for the number of hands in each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CensusQuestion {
    /// Use of the joker.
    #[serde(default)]
    pub joker: JokerName,
}

/// Use of the joker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JokerName {
    /// Semi-wild: an ace, or the card that completes a straight or a flush.
    #[default]
    Semi,
    /// Fully wild: any card that the hand does not hold, or the fifth of a kind.
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

/// Number of hands in each class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct CensusAnswer {
    /// Use of the joker.
    pub joker: JokerName,
    /// Number of all hands.
    pub hands: u64,
    /// Number of hands by rank in play. Each hand is counted once.
    pub classes: IndexMap<&'static str, u64>,
    /// Number of hands without a pair, straight or flush, by their highest card.
    pub high_card: IndexMap<&'static str, u64>,
    /// Number of hands that contain the class. A hand is counted for every class it contains.
    pub contains: IndexMap<&'static str, u64>,
    /// Number of hands by how many cards of a chosen color they have.
    pub cards_of_a_chosen_color: IndexMap<String, u64>,
}

/// Returns the number of hands in each class.
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

/// Returns the census for a use of the joker. The first call computes it.
pub fn census(joker: Joker) -> &'static Census {
    static CENSUSES: [OnceLock<Census>; 2] = [const { OnceLock::new() }; 2];
    CENSUSES[joker as usize].get_or_init(|| Census::compute(joker))
}
