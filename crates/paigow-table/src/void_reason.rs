//! Reasons for voiding a round.

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// Reason for voiding a round. It is read from an object with a code, from a code as a string, or from any other
/// string, which becomes the text of `other`. Version 0.1.0 stored only the operator's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum VoidReason {
    /// A card was exposed.
    ExposedCard,
    /// A hand did not have seven cards.
    WrongCount,
    /// The shuffling machine failed.
    MachineFault,
    /// Another reason, given by an operator.
    Other {
        /// Text of the reason.
        text: String,
    },
    /// The rules of the table have changed. Only the program gives this reason.
    RulesChanged,
}

/// Fields of a reason that is read from an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coded {
    code: String,
    text: Option<String>,
}

/// Codes that an operator may give, for error messages.
const CODES: &str = "allowed: exposed_card, wrong_count, machine_fault, and other with a `text`";

impl Coded {
    fn reason(self) -> Result<VoidReason, String> {
        let Coded { code, text } = self;
        match (code.as_str(), text) {
            ("other", Some(text)) => Ok(VoidReason::Other { text }),
            ("other", None) => Err("the reason `other` needs a `text`".to_owned()),
            (code, text) => match (VoidReason::from_code(code), text) {
                (None, _) => Err(format!("unknown reason `{code}` for a void; {CODES}")),
                (Some(_), Some(_)) => Err(format!("the reason `{code}` takes no `text`; {CODES}")),
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
                write!(f, "a reason for a void: an object with a `code`, or a string; {CODES}")
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
    /// Returns the reason with this code, for codes without a text.
    fn from_code(code: &str) -> Option<VoidReason> {
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
        VoidReason::from_code(text).unwrap_or_else(|| VoidReason::Other { text: text.to_owned() })
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
    fn reasons_round_trip_and_old_forms_parse() {
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
    fn check_fault(json: &str, expected: &str) {
        let fault = serde_json::from_str::<VoidReason>(json).unwrap_err().to_string();
        assert!(fault.contains(expected), "{json}: {fault}");
    }

    #[test]
    fn unknown_reason_lists_allowed_codes() {
        let codes = "allowed: exposed_card, wrong_count, machine_fault, and other with a `text`";
        check_fault(r#"{"code":"bad_luck"}"#, &format!("unknown reason `bad_luck` for a void; {codes}"));
        check_fault("7", codes);
        check_fault(r#"{"code":"other"}"#, "the reason `other` needs a `text`");
        check_fault(r#"{"code":"wrong_count","text":"six"}"#, "the reason `wrong_count` takes no `text`");
        check_fault(r#"{"code":"wrong_count","cards":6}"#, "unknown field `cards`");
    }
}
