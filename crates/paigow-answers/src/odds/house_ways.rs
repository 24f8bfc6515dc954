//! Odds of the base game under each house way, used by either side or by both.

use super::{BASE_GAME, OddsQuestion, OddsRequest, OutcomeOdds};
use crate::{Faults, ValueChanges, Work};
use paigow::HouseWay;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_math::{BaseOdds, Matchup};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Question for the odds of a book's base game under all house ways.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseWaysQuestion {
    /// Name of a rule book.
    pub book: String,
    /// House way of the dealer in the rows where only the player's varies. Default: that of the book.
    pub house_way: Option<String>,
    /// House way of the player in the rows where only the dealer's varies. Default: that of the dealer.
    pub player_house_way: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Odds under each house way, the lowest edge first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWaysAnswer {
    /// Id of the book.
    pub book: String,
    /// House way of the dealer where only the player's varies.
    pub house_way: String,
    /// House way of the player where only the dealer's varies.
    pub player_house_way: String,
    /// One entry per house way.
    pub house_ways: Vec<HouseWayOdds>,
}

/// Odds of the base game under a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct HouseWayOdds {
    /// Id of the house way.
    pub house_way: String,
    /// Odds if both sides use it.
    #[serde(flatten)]
    pub both: OutcomeOdds,
    /// Odds if only the player uses it.
    pub as_player: OutcomeOdds,
    /// Odds if only the dealer uses it.
    pub as_dealer: OutcomeOdds,
}

/// Computes the odds of the base game under each house way.
///
/// # Errors
/// All faults of the question.
pub fn house_ways(
    question: &HouseWaysQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<HouseWaysAnswer, Faults> {
    HouseWaysAnswer::of(&question.request(book_source)?, work)
}

impl HouseWaysQuestion {
    /// Loads the book and the house ways of the question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn request(&self, book_source: &dyn BookSource) -> Result<OddsRequest, Faults> {
        let HouseWaysQuestion { book, house_way, player_house_way, changes } = self.clone();
        let wager = Some(BASE_GAME.to_owned());
        OddsRequest::of(
            &OddsQuestion { book, wager, house_way, player_house_way, changes, ..OddsQuestion::default() },
            book_source,
        )
    }
}

impl HouseWaysAnswer {
    /// Computes the odds under each house way.
    ///
    /// # Errors
    /// A built-in house way is invalid, which the tests exclude.
    pub fn of(request: &OddsRequest, work: &Work) -> Result<HouseWaysAnswer, Faults> {
        let book = &request.book;
        let mut faults = Faults::default();
        let mut ways: Vec<Arc<HouseWay>> = Vec::new();
        for name in BuiltIn::house_way_names() {
            match HouseWay::load(name, &BuiltIn) {
                Ok(way) => ways.push(Arc::new(way)),
                Err(error) => faults.not_loaded(error, name),
            }
        }
        faults.into_result(Some(()))?;
        // House ways from other files are added to the built-in ones.
        for way in [&book.house_way, &request.player] {
            if ways.iter().all(|other| other.rules() != way.rules()) {
                ways.push(way.clone());
            }
        }
        let odds = |player: &HouseWay, dealer: &HouseWay| {
            let matchup = Matchup {
                player,
                dealer,
                ranking: request.ranking,
                dealer_push: &book.base_game.dealer_push,
            };
            let game = work.base_game(&matchup);
            OutcomeOdds::of(&BaseOdds::of_player(&game, book.base_game.copies, request.commission()))
        };
        let mut house_ways: Vec<HouseWayOdds> = ways
            .iter()
            .map(|way| HouseWayOdds {
                house_way: way.id().to_owned(),
                both: odds(way, way),
                as_player: odds(way, &book.house_way),
                as_dealer: odds(&request.player, way),
            })
            .collect();
        house_ways.sort_by(|one, other| one.both.edge.0.cmp(&other.both.edge.0));
        Ok(HouseWaysAnswer {
            book: book.id.clone(),
            house_way: book.house_way.id().to_owned(),
            player_house_way: request.player.id().to_owned(),
            house_ways,
        })
    }
}
