//! Pagination of lists by sequence number.

use serde::Deserialize;

/// Maximum number of entries on a page.
const LIMIT_MAX: u32 = 500;

/// Start and size of a page.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    /// Sequence number after which the page starts: `next` of the previous page. Default: 0.
    #[serde(default)]
    pub(super) after: u64,
    /// Maximum number of entries, from 1 to 500. Default: 100.
    #[serde(default = "default_limit")]
    limit: u32,
}

const fn default_limit() -> u32 {
    100
}

impl Page {
    pub(super) fn new(after: u64, limit: Option<u32>) -> Page {
        Page { after, limit: limit.unwrap_or(default_limit()) }
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit.clamp(1, LIMIT_MAX)
    }

    /// Returns the size of a page with other parameters.
    pub(super) fn limit_of(limit: Option<u32>) -> u32 {
        limit.unwrap_or(default_limit()).clamp(1, LIMIT_MAX)
    }

    /// Returns the `after` of the next page, or `None` if this page is not full.
    pub(super) fn next(&self, found: usize, last: Option<u64>) -> Option<u64> {
        last.filter(|_| found == self.limit() as usize)
    }
}
