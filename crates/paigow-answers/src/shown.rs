//! Values of the rules in answers: they serialize as they are written.

use paigow::{HandClass, Ranking};
use serde::{Serialize, Serializer};
use std::fmt::Display;
use utoipa::ToSchema;

/// Cards, as they are written: `As Kd Tc`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown<T>(pub T);

/// A class of hands, by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, ToSchema)]
#[schema(value_type = String, example = "full_house")]
pub struct ClassName(pub HandClass);

/// How hands rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct RankingNames {
    /// What the joker may stand for: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// Where A-2-3-4-5 stands: `lowest` or `second_highest`.
    pub wheel: &'static str,
}

impl From<Ranking> for RankingNames {
    fn from(ranking: Ranking) -> RankingNames {
        RankingNames { joker: ranking.joker.name(), wheel: ranking.wheel.name() }
    }
}

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for ClassName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}
