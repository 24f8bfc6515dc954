//! Values of the rules in answers, serialized in their text form.

use paigow::{HandClass, Ranking};
use serde::{Serialize, Serializer};
use std::fmt::Display;
use utoipa::ToSchema;

/// Cards that serialize in card notation, such as `As Kd Tc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CardText<T>(pub T);

/// A class of hands that serializes as its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, ToSchema)]
#[schema(value_type = String, example = "full_house")]
pub struct ClassName(pub HandClass);

/// Ranking of hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RankingNames {
    /// Use of the joker: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// Rank of the wheel, A-2-3-4-5, among the straights: `lowest` or `second_highest`.
    pub wheel: &'static str,
}

impl From<Ranking> for RankingNames {
    fn from(ranking: Ranking) -> RankingNames {
        RankingNames { joker: ranking.joker.name(), wheel: ranking.wheel.name() }
    }
}

impl<T: Display> Serialize for CardText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for ClassName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}
