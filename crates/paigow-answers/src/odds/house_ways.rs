//! The base game of a book under each house way, on either side and on both.

use super::{BASE_GAME, OddsQuestion, OddsRequest, OutcomeOdds};
use crate::{Faults, ValueChanges, Work};
use paigow::HouseWay;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_math::{BaseOdds, Sides};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Which book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseWaysQuestion {
    /// A rule book's name.
    pub book: String,
    /// The dealer's house way, instead of the book's, where only the player's differs.
    pub house_way: Option<String>,
    /// The player's house way, where only the dealer's differs.
    pub player_house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// House ways side by side, the lowest edge first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWaysAnswer {
    /// The book.
    pub book: String,
    /// How the dealer sets where only the player's way differs.
    pub house_way: String,
    /// How the player sets where only the dealer's way differs.
    pub player_house_way: String,
    /// Each house way.
    pub house_ways: Vec<HouseWayOdds>,
}

/// The base game under a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayOdds {
    /// The house way.
    pub house_way: String,
    /// Both sides set by it.
    #[serde(flatten)]
    pub both: OutcomeOdds,
    /// The player alone sets by it.
    pub as_player: OutcomeOdds,
    /// The dealer alone sets by it.
    pub as_dealer: OutcomeOdds,
}

/// The base game under each house way.
///
/// # Errors
/// Everything that is wrong with the question.
pub fn house_ways(
    question: &HouseWaysQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<HouseWaysAnswer, Faults> {
    HouseWaysAnswer::of(&question.asked(book_source)?, work)
}

impl HouseWaysQuestion {
    /// Finds what is asked for.
    ///
    /// # Errors
    /// Everything that is wrong with the question.
    pub fn asked(&self, book_source: &dyn BookSource) -> Result<OddsRequest, Faults> {
        let HouseWaysQuestion { book, house_way, player_house_way, changes } = self.clone();
        let wager = Some(BASE_GAME.to_owned());
        OddsRequest::of(
            &OddsQuestion { book, wager, house_way, player_house_way, changes, ..OddsQuestion::default() },
            book_source,
        )
    }
}

impl HouseWaysAnswer {
    /// Counts.
    ///
    /// # Errors
    /// What is wrong with a house way; those that come with the program are right.
    pub fn of(asked: &OddsRequest, work: &Work) -> Result<HouseWaysAnswer, Faults> {
        let book = &asked.book;
        let mut faults = Faults::default();
        let mut ways: Vec<Arc<HouseWay>> = Vec::new();
        for name in BuiltIn::house_way_names() {
            match HouseWay::load(name, &BuiltIn) {
                Ok(way) => ways.push(Arc::new(way)),
                Err(error) => faults.not_loaded(error, name),
            }
        }
        faults.or(Some(()))?;
        // One of another file stands among them.
        for way in [&book.house_way, &asked.player] {
            if ways.iter().all(|other| other.rules() != way.rules()) {
                ways.push(way.clone());
            }
        }
        let odds = |player: &HouseWay, dealer: &HouseWay| {
            let sides =
                Sides { player, dealer, ranking: asked.ranking, dealer_push: &book.base_game.dealer_push };
            let game = work.base_game(&sides);
            OutcomeOdds::of(&BaseOdds::of_player(&game, book.base_game.copies, asked.commission()))
        };
        let mut house_ways: Vec<HouseWayOdds> = ways
            .iter()
            .map(|way| HouseWayOdds {
                house_way: way.id().to_owned(),
                both: odds(way, way),
                as_player: odds(way, &book.house_way),
                as_dealer: odds(&asked.player, way),
            })
            .collect();
        house_ways.sort_by(|one, other| one.both.edge.0.cmp(&other.both.edge.0));
        Ok(HouseWaysAnswer {
            book: book.id.clone(),
            house_way: book.house_way.id().to_owned(),
            player_house_way: asked.player.id().to_owned(),
            house_ways,
        })
    }
}
