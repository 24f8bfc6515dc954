//! Recovery codes: ten codes, each of which signs in once after a passkey or a password is lost.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// Characters of a code, five bits each: digits and letters without i, l, o and u, which are easily misread.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Number of characters in a code: 80 bits.
const CODE_CHARS: usize = 16;
/// Number of characters between dashes.
const GROUP_CHARS: usize = 4;

/// New recovery codes. The person reads them once; the store keeps their digests only.
pub(crate) struct RecoveryCodes([String; RecoveryCodes::COUNT]);

impl RecoveryCodes {
    /// Number of codes that a person receives.
    pub(crate) const COUNT: usize = 10;

    /// Makes the codes from 32 random bytes, which must not be used for anything else.
    pub(crate) fn new(random: &[u8; 32]) -> RecoveryCodes {
        RecoveryCodes(std::array::from_fn(|index| {
            // Each code needs ten bytes that reveal nothing about the others: a hash of the random bytes and its index.
            let hash = Sha256::new().chain_update(random).chain_update([index as u8]).finalize();
            let characters =
                hash.iter().take(CODE_CHARS * 5 / 8).fold(0_u128, |bits, byte| bits << 8 | *byte as u128);
            let character = |place: usize| {
                let shift = 5 * (CODE_CHARS - 1 - place);
                ALPHABET[(characters >> shift) as usize % ALPHABET.len()] as char
            };
            let groups: Vec<String> = (0..CODE_CHARS)
                .step_by(GROUP_CHARS)
                .map(|start| (start..start + GROUP_CHARS).map(character).collect())
                .collect();
            groups.join("-")
        }))
    }

    /// Returns the codes as they are displayed, such as `7d3k-0v9x-m2ep-wq4h`.
    pub(crate) fn texts(&self) -> &[String; RecoveryCodes::COUNT] {
        &self.0
    }

    pub(super) fn digests(&self) -> Vec<RecoveryDigest> {
        self.0.iter().filter_map(|code| RecoveryDigest::of(code)).collect()
    }
}

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes(…)")
    }
}

/// SHA-256 digest of an unused recovery code.
///
/// A slow password hash is not needed: a code has 80 random bits, so guessing it from its digest takes 2^79 hashes on
/// average. Comparing digests need not take constant time, because an attacker cannot choose a digest byte by byte.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct RecoveryDigest([u8; 32]);

impl RecoveryDigest {
    /// Returns the digest of a code as a person types it, or `None` if the text cannot be a code.
    ///
    /// Case, spaces and dashes do not matter. The letters that the alphabet omits are read as the digits they look like.
    pub(super) fn of(text: &str) -> Option<RecoveryDigest> {
        let mut code = String::with_capacity(CODE_CHARS);
        for c in text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '‐' | '–')) {
            let c = match c.to_ascii_lowercase() {
                'o' => '0',
                'i' | 'l' => '1',
                c => c,
            };
            if code.len() == CODE_CHARS || !c.is_ascii() || !ALPHABET.contains(&(c as u8)) {
                return None;
            }
            code.push(c);
        }
        (code.len() == CODE_CHARS).then(|| RecoveryDigest(Sha256::digest(code).into()))
    }
}

impl TryFrom<String> for RecoveryDigest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<RecoveryDigest, &'static str> {
        let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(RecoveryDigest).ok_or("expected 64 hexadecimal digits")
    }
}

impl From<RecoveryDigest> for String {
    fn from(digest: RecoveryDigest) -> String {
        HEXLOWER.encode(&digest.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_distinct_groups_of_the_alphabet() {
        let mut codes = BTreeSet::new();
        let mut characters = BTreeSet::new();
        for seed in 0..100 {
            for code in RecoveryCodes::new(&[seed; 32]).texts() {
                assert_eq!(code.split('-').map(str::len).collect::<Vec<_>>(), [4; 4], "{code}");
                characters.extend(code.bytes().filter(|&byte| byte != b'-'));
                assert!(codes.insert(code.clone()), "{code}");
            }
        }
        assert_eq!(characters, ALPHABET.iter().copied().collect());
        assert!(!format!("{:?}", RecoveryCodes::new(&[0; 32])).contains('-'));
    }

    #[test]
    fn every_place_varies() {
        let codes: Vec<Vec<u8>> = (0..20)
            .flat_map(|seed| RecoveryCodes::new(&[seed; 32]).0)
            .map(|code| code.bytes().filter(|&byte| byte != b'-').collect())
            .collect();
        for place in 0..CODE_CHARS {
            let distinct: BTreeSet<u8> = codes.iter().map(|code| code[place]).collect();
            assert!(distinct.len() > 24, "place {place} has only {} characters", distinct.len());
        }
    }

    #[test]
    fn codes_are_read_leniently() {
        let digest = |text| RecoveryDigest::of(text).map(String::from);
        let expected = digest("01v0-1abc-defg-hjkm");
        assert!(expected.is_some());
        for text in ["01V01ABCDEFGHJKM", " o1v0 labc defg hjkm\n", "0IVO-1abc--defg–hjkm"] {
            assert_eq!(digest(text), expected, "{text}");
        }
        let wrong =
            ["", "01v0-1abc-defg-hjk", "01v0-1abc-defg-hjkmn", "01v0-1abc-defg-hjku", "01v0-1abc-defg-hjké"];
        for text in wrong {
            assert_eq!(digest(text), None, "{text}");
        }
        assert_ne!(digest("01v0-1abc-defg-hjkn"), expected);
    }
}
