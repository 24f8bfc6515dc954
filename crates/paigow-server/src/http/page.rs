//! A part of a long list.

use serde::Deserialize;

/// The most that is shown at once.
const LIMIT_MAX: u32 = 500;

/// From where, and how many.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    /// The place after which to begin: the last one of the page before.
    #[serde(default)]
    pub(super) after: u64,
    /// How many, from 1 to 500; a hundred where nothing is said.
    #[serde(default = "hundred")]
    limit: u32,
}

const fn hundred() -> u32 {
    100
}

impl Page {
    pub(super) fn limit(&self) -> u32 {
        self.limit.clamp(1, LIMIT_MAX)
    }

    /// Where the next page begins, if this one is full.
    pub(super) fn next(&self, found: usize, last: Option<u64>) -> Option<u64> {
        last.filter(|_| found == self.limit() as usize)
    }
}
