//! The fair-deal protocol: deals that players can verify. `docs/fairness.md` is the specification.
//!
//! Version 2: before wagers close, the house commits to a secret and the seats commit to bytes. The seats then reveal
//! their bytes. The secret and the bytes together determine every card. After the round the house reveals the secret,
//! and every player can derive the deal from it. The secret of an open round is derived from a master key
//! ([`MasterKeys`]) and stored nowhere.
//!
//! Version 1, used for rounds opened by releases before 0.3.0: the secret is stored with the round, and seats add bytes
//! without a commitment. `golden/deals.golden` has deals of version 1.

mod choice;
pub(crate) mod hex;
mod keys;
mod message;
mod statement;

pub use hex::HexFault;
pub use keys::{Derivation, KeyId, MasterKeys, Nonce, PublicKey, RoundKeys, Signature};
pub use statement::{closed_statement, opened_statement, receipt_statement};

use crate::TableId;
use choice::Words;
use hex::{from_hex, hex_bytes, hex_debug, to_hex};
use message::SignedText;
use paigow::Shuffle;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use utoipa::ToSchema;

hex_bytes! {
    /// Contribution of the house to a deal, in hexadecimal digits. The house reveals it when the round is over.
    Secret, 32;
    /// Digest, in hexadecimal digits, by which the house or a seat commits to its contribution to a deal.
    Commitment, 32;
}

hex_debug!(Commitment);

/// Omits the secret, so that logs do not contain it.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Bytes that a seat adds to a deal, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct SeatBytes(Vec<u8>);

impl SeatBytes {
    /// Maximum number of bytes of a seat, and the exact number in version 2.
    pub const LENGTH_MAX: usize = 32;

    /// Returns the bytes, or `None` if there are too many.
    pub fn new(bytes: Vec<u8>) -> Option<SeatBytes> {
        (bytes.len() <= SeatBytes::LENGTH_MAX).then_some(SeatBytes(bytes))
    }

    /// Returns the commitment of a seat to these bytes, in version 2.
    pub fn commitment(&self, table: &TableId, round: u64, seat: u8) -> Commitment {
        let message =
            SignedText::new("paigow seat 2").text(table.as_str().as_bytes()).number(round).byte(seat);
        Commitment(message.bytes(&self.0).digest())
    }

    /// Returns whether there are as many bytes as version 2 requires.
    pub fn is_full_length(&self) -> bool {
        self.0.len() == SeatBytes::LENGTH_MAX
    }
}

impl TryFrom<String> for SeatBytes {
    type Error = HexFault;

    fn try_from(text: String) -> Result<SeatBytes, HexFault> {
        SeatBytes::new(from_hex(&text)?).ok_or(HexFault)
    }
}

impl From<SeatBytes> for String {
    fn from(bytes: SeatBytes) -> String {
        to_hex(&bytes.0)
    }
}

// `SignedText` writes a length as one byte.
const _: () = assert!(TableId::LENGTH_MAX <= 255 && SeatBytes::LENGTH_MAX <= 255);

/// Contributions of the seats to a deal, by seat number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contributions<'a> {
    /// Version 1: bytes without a commitment.
    Added(&'a BTreeMap<u8, SeatBytes>),
    /// Version 2: commitments, and the bytes of the seats that revealed them.
    Committed {
        /// Digest of the table's rules, in hexadecimal digits.
        rules: &'a str,
        /// Commitments of the seats that play.
        commitments: &'a BTreeMap<u8, Commitment>,
        /// Revealed bytes.
        revealed: &'a BTreeMap<u8, SeatBytes>,
    },
}

/// All inputs of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairDeal<'a> {
    /// The house's secret.
    pub secret: Secret,
    /// Id of the table.
    pub table: &'a TableId,
    /// Number of the round.
    pub round: u64,
    /// Contributions of the seats.
    pub seats: Contributions<'a>,
}

impl FairDeal<'_> {
    /// Returns the commitment that the house must have published before the deal.
    pub fn commitment(&self) -> Commitment {
        match self.seats {
            Contributions::Added(_) => self.secret.commitment(self.table, self.round),
            Contributions::Committed { rules, .. } => {
                self.secret.commitment_to_rules(self.table, self.round, rules)
            }
        }
    }

    /// Returns the cards in the order in which they are dealt.
    pub fn shuffle(&self) -> Shuffle {
        self.words("paigow shuffle 1", "paigow shuffle 2").shuffle()
    }

    /// Returns the number that the dice choose, from 1 to `count`. Returns 1 if `count` is 0.
    pub fn dice(&self, count: u8) -> u8 {
        self.words("paigow dice 1", "paigow dice 2").below(u32::from(count.max(1))) as u8 + 1
    }

    /// Returns the random words for a purpose, given its label in each version.
    fn words(&self, version_1: &str, version_2: &str) -> Words {
        let begin =
            |label: &str| SignedText::new(label).text(self.table.as_str().as_bytes()).number(self.round);
        let key = match &self.seats {
            Contributions::Added(bytes) => {
                let added = |message: SignedText, (seat, bytes): (&u8, &SeatBytes)| {
                    message.byte(*seat).text(&bytes.0)
                };
                bytes.iter().fold(begin(version_1), added).hmac(&self.secret.0)
            }
            Contributions::Committed { rules, commitments, revealed } => {
                // The empty text is the beacon, which version 2 does not use.
                let message = begin("paigow deal 2").text(rules.as_bytes()).text(b"");
                let message = message.byte(u8::try_from(commitments.len()).unwrap_or(u8::MAX));
                let message = commitments.iter().fold(message, |message, (seat, commitment)| {
                    let message = message.byte(*seat).bytes(&commitment.0);
                    match revealed.get(seat) {
                        Some(bytes) => message.byte(1).bytes(&bytes.0),
                        None => message.byte(0),
                    }
                });
                SignedText::new(version_2).hmac(&message.hmac(&self.secret.0))
            }
        };
        Words::new(key)
    }
}

impl Secret {
    /// Returns the commitment of version 1.
    pub fn commitment(&self, table: &TableId, round: u64) -> Commitment {
        let message = SignedText::new("paigow commitment 1").text(table.as_str().as_bytes()).number(round);
        Commitment(message.bytes(&self.0).digest())
    }

    /// Returns the commitment of version 2, which includes the digest of the rules.
    pub fn commitment_to_rules(&self, table: &TableId, round: u64, rules: &str) -> Commitment {
        let message = SignedText::new("paigow commitment 2").text(table.as_str().as_bytes()).number(round);
        Commitment(message.text(rules.as_bytes()).bytes(&self.0).digest())
    }
}
