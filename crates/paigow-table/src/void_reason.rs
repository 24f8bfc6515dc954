//! Why a round is void, in codes.

use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Why a round is void. It is read from an object with its code, from a code as text, or from any other text, which is then the text
/// of `other`: version 0.1.0 stored an operator's words alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "code", rename_all = "snake_case", from = "Written")]
pub enum VoidReason {
    /// A card was exposed.
    ExposedCard,
    /// A hand did not have seven cards.
    WrongCount,
    /// The shuffling machine failed.
    MachineFault,
    /// Another reason, in the words of an operator.
    Other {
        /// The words.
        text: String,
    },
    /// The rules of the table have changed. The program alone gives this reason.
    RulesChanged,
}

/// A reason as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Coded(Coded),
    Text(String),
}

/// A reason with its code. Kinds without fields have an empty list of them, so that an unknown field is refused.
#[derive(Deserialize)]
#[serde(tag = "code", rename_all = "snake_case", deny_unknown_fields)]
enum Coded {
    ExposedCard {},
    WrongCount {},
    MachineFault {},
    Other { text: String },
    RulesChanged {},
}

impl From<Written> for VoidReason {
    fn from(written: Written) -> VoidReason {
        match written {
            Written::Coded(Coded::ExposedCard {}) => VoidReason::ExposedCard,
            Written::Coded(Coded::WrongCount {}) => VoidReason::WrongCount,
            Written::Coded(Coded::MachineFault {}) => VoidReason::MachineFault,
            Written::Coded(Coded::Other { text }) => VoidReason::Other { text },
            Written::Coded(Coded::RulesChanged {}) => VoidReason::RulesChanged,
            Written::Text(text) => text.as_str().into(),
        }
    }
}

impl From<&str> for VoidReason {
    fn from(text: &str) -> VoidReason {
        match text {
            "exposed_card" => VoidReason::ExposedCard,
            "wrong_count" => VoidReason::WrongCount,
            "machine_fault" => VoidReason::MachineFault,
            "rules_changed" => VoidReason::RulesChanged,
            text => VoidReason::Other { text: text.to_owned() },
        }
    }
}

impl fmt::Display for VoidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VoidReason::ExposedCard => f.write_str("a card was exposed"),
            VoidReason::WrongCount => f.write_str("a hand did not have seven cards"),
            VoidReason::MachineFault => f.write_str("the shuffling machine failed"),
            VoidReason::Other { text } => f.write_str(text),
            VoidReason::RulesChanged => f.write_str("the rules of the table have changed"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<VoidReason> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn reasons_are_written_as_codes_and_read_as_earlier_releases_wrote_them() {
        for (reason, json) in [
            (VoidReason::ExposedCard, r#"{"code":"exposed_card"}"#),
            (VoidReason::WrongCount, r#"{"code":"wrong_count"}"#),
            (VoidReason::MachineFault, r#"{"code":"machine_fault"}"#),
            (VoidReason::RulesChanged, r#"{"code":"rules_changed"}"#),
            ("a drink was spilt".into(), r#"{"code":"other","text":"a drink was spilt"}"#),
        ] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), json);
            assert_eq!(read(json), Some(reason));
        }
        assert_eq!(read("\"a drink was spilt\""), Some("a drink was spilt".into()));
        assert_eq!(read("\"wrong_count\""), Some(VoidReason::WrongCount));
        for wrong in [
            r#"{"code":"other"}"#,
            r#"{"code":"exposed_card","text":"the ace"}"#,
            r#"{"code":"bad_luck"}"#,
            "7",
            "null",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
