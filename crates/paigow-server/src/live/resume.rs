//! Resume point of a client: sequence number and hash prefix of the last event it received.

use crate::Tip;
use paigow_table::{PlantedFault, planted};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// First eight bytes of an event's hash, as 16 hexadecimal digits. Different histories of a table have different
/// hashes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, min_length = 16, max_length = 16)]
pub struct HashPrefix(u64);

/// The text is not 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a hash must be 16 hexadecimal digits")]
pub struct HashPrefixFault;

impl From<[u8; 32]> for HashPrefix {
    fn from(hash: [u8; 32]) -> HashPrefix {
        HashPrefix(hash.iter().take(8).fold(0, |digits, byte| digits << 8 | u64::from(*byte)))
    }
}

impl fmt::Display for HashPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<HashPrefix> for String {
    fn from(prefix: HashPrefix) -> String {
        prefix.to_string()
    }
}

impl FromStr for HashPrefix {
    type Err = HashPrefixFault;

    fn from_str(text: &str) -> Result<HashPrefix, HashPrefixFault> {
        if text.len() != 16 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(HashPrefixFault);
        }
        u64::from_str_radix(text, 16).map(HashPrefix).map_err(|_| HashPrefixFault)
    }
}

impl TryFrom<String> for HashPrefix {
    type Error = HashPrefixFault;

    fn try_from(text: String) -> Result<HashPrefix, HashPrefixFault> {
        text.parse()
    }
}

/// The last event that a client received.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumePoint {
    /// Sequence number of the event.
    #[serde(rename = "from")]
    pub seq: u64,
    /// Hash that the client received with the event. Without it the server cannot verify that the event is still part
    /// of the table's history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<HashPrefix>,
}

impl ResumePoint {
    /// Whether the hash prefix matches, or the client sent none.
    pub(crate) fn fits(&self, hash: &[u8; 32]) -> bool {
        self.hash.is_none_or(|prefix| prefix == HashPrefix::from(*hash))
            || planted(PlantedFault::ResumeOtherHistory)
    }
}

impl From<Tip> for ResumePoint {
    fn from(tip: Tip) -> ResumePoint {
        ResumePoint { seq: tip.seq, hash: Some(HashPrefix::from(tip.hash)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_prefix_round_trips_and_matches_its_hash() {
        let mut hash = [0; 32];
        hash[..9].copy_from_slice(&[0, 1, 2, 0xa, 0xbc, 0xff, 6, 7, 9]);
        let prefix = HashPrefix::from(hash);
        assert_eq!(prefix.to_string(), "0001020abcff0607");
        assert_eq!("0001020ABCFF0607".parse(), Ok(prefix));
        for bad in ["", "0001020abcff060", "0001020abcff06070", "0001020abcff060x", "+001020abcff0607"] {
            assert_eq!(bad.parse::<HashPrefix>(), Err(HashPrefixFault), "{bad}");
        }
        let point = ResumePoint { seq: 3, hash: Some(prefix) };
        assert!(point.fits(&hash) && !point.fits(&[1; 32]));
        assert!(ResumePoint { hash: None, ..point }.fits(&[1; 32]));
    }
}
