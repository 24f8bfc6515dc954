//! Why a round is void, in codes.

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Why a round is void. It is read from an object with its code, from a code as text, or from any other text, which is then the text
/// of `other`: version 0.1.0 stored an operator's words alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
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

/// The fields of a reason that is an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coded {
    code: String,
    text: Option<String>,
}

/// The codes that an operator may give, as a refusal lists them.
const CODES: &str = "allowed: exposed_card, wrong_count, machine_fault, and other with a `text`";

impl Coded {
    fn reason(self) -> Result<VoidReason, String> {
        let Coded { code, text } = self;
        match (code.as_str(), text) {
            ("other", Some(text)) => Ok(VoidReason::Other { text }),
            ("other", None) => Err("the reason `other` needs a `text`".to_owned()),
            (code, text) => match (VoidReason::of_code(code), text) {
                (None, _) => Err(format!("`{code}` is no reason for a void; {CODES}")),
                (Some(_), Some(_)) => Err(format!("the reason `{code}` has no `text`; {CODES}")),
                (Some(reason), None) => Ok(reason),
            },
        }
    }
}

impl<'de> Deserialize<'de> for VoidReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VoidReason, D::Error> {
        struct ReasonVisitor;

        impl<'de> Visitor<'de> for ReasonVisitor {
            type Value = VoidReason;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a reason for a void: an object with its `code`, or a text; {CODES}")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<VoidReason, E> {
                Ok(text.into())
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<VoidReason, M::Error> {
                let coded = Coded::deserialize(de::value::MapAccessDeserializer::new(map))?;
                coded.reason().map_err(de::Error::custom)
            }
        }

        deserializer.deserialize_any(ReasonVisitor)
    }
}

impl VoidReason {
    /// The reason of a code that has no text.
    fn of_code(code: &str) -> Option<VoidReason> {
        match code {
            "exposed_card" => Some(VoidReason::ExposedCard),
            "wrong_count" => Some(VoidReason::WrongCount),
            "machine_fault" => Some(VoidReason::MachineFault),
            "rules_changed" => Some(VoidReason::RulesChanged),
            _ => None,
        }
    }
}

impl From<&str> for VoidReason {
    fn from(text: &str) -> VoidReason {
        VoidReason::of_code(text).unwrap_or_else(|| VoidReason::Other { text: text.to_owned() })
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

    #[track_caller]
    fn check_fault(json: &str, says: &str) {
        let fault = serde_json::from_str::<VoidReason>(json).unwrap_err().to_string();
        assert!(fault.contains(says), "{json}: {fault}");
    }

    #[test]
    fn a_reason_that_is_not_known_is_answered_with_those_that_are() {
        let codes = "allowed: exposed_card, wrong_count, machine_fault, and other with a `text`";
        check_fault(r#"{"code":"bad_luck"}"#, &format!("`bad_luck` is no reason for a void; {codes}"));
        check_fault("7", codes);
        check_fault(r#"{"code":"other"}"#, "the reason `other` needs a `text`");
        check_fault(r#"{"code":"wrong_count","text":"six"}"#, "the reason `wrong_count` has no `text`");
        check_fault(r#"{"code":"wrong_count","cards":6}"#, "unknown field `cards`");
    }
}
