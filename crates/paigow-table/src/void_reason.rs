//! Why a round is void: an operator's own words, or a code of the program.

use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Why a round is void. A text is what an operator typed; reasons of the program are codes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum VoidReason {
    /// A reason of the program.
    Code {
        /// Which.
        code: VoidCode,
    },
    /// The words of an operator.
    Text(String),
}

/// Reasons of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VoidCode {
    /// The rules of the table have changed.
    RulesChanged,
}

impl From<VoidCode> for VoidReason {
    fn from(code: VoidCode) -> VoidReason {
        VoidReason::Code { code }
    }
}

impl From<&str> for VoidReason {
    fn from(text: &str) -> VoidReason {
        VoidReason::Text(text.to_owned())
    }
}

impl fmt::Display for VoidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VoidReason::Code { code: VoidCode::RulesChanged } => {
                f.write_str("the rules of the table have changed")
            }
            VoidReason::Text(text) => f.write_str(text),
        }
    }
}
