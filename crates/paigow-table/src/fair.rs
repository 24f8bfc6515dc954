//! Deals that anyone can check afterwards. `docs/fairness.md` is the specification.
//!
//! Version 2: the house commits to a secret and the seats commit to bytes before wagers close; the seats reveal their bytes, and secret
//! and bytes together decide every card. After the round the house shows the secret, and anyone can derive the same deal from it.
//! The secret of an open round is derived from a master key ([`MasterKeys`]) and stored nowhere.
//!
//! Version 1, of rounds that versions before 0.3.0 opened: the secret is stored with the round, and seats add bytes without a
//! commitment. `golden/deals.golden` has deals of version 1.

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
    /// The house's part of a deal. It is shown when the round is over.
    Secret, 32;
    /// The digest that the house or a seat shows of its part beforehand.
    Commitment, 32;
}

hex_debug!(Commitment);

/// Secrets are not to be found in logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The bytes that a seat adds to a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct SeatBytes(Vec<u8>);

impl SeatBytes {
    /// The most bytes a seat may add, and in version 2 the only number.
    pub const LENGTH_MAX: usize = 32;

    /// These bytes, if they are not too many.
    pub fn new(bytes: Vec<u8>) -> Option<SeatBytes> {
        (bytes.len() <= SeatBytes::LENGTH_MAX).then_some(SeatBytes(bytes))
    }

    /// The commitment of a seat to these bytes, in version 2.
    pub fn commitment(&self, table: &TableId, round: u64, seat: u8) -> Commitment {
        let message =
            SignedText::new("paigow seat 2").text(table.as_str().as_bytes()).number(round).byte(seat);
        Commitment(message.bytes(&self.0).digest())
    }

    /// Whether there are as many bytes as version 2 asks for.
    pub fn is_whole(&self) -> bool {
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

// A length is one byte.
const _: () = assert!(TableId::LENGTH_MAX <= 255 && SeatBytes::LENGTH_MAX <= 255);

/// What the seats add to a deal, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contributions<'a> {
    /// Version 1: bytes without a commitment.
    Added(&'a BTreeMap<u8, SeatBytes>),
    /// Version 2: commitments, and the bytes of the seats that revealed them.
    Committed {
        /// The digest of the table's rules, in hexadecimal digits.
        rules: &'a str,
        /// The commitments of the seats that play.
        commitments: &'a BTreeMap<u8, Commitment>,
        /// The revealed bytes.
        revealed: &'a BTreeMap<u8, SeatBytes>,
    },
}

/// All that decides a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairDeal<'a> {
    /// The house's secret.
    pub secret: Secret,
    /// At which table.
    pub table: &'a TableId,
    /// In which round.
    pub round: u64,
    /// What the seats add.
    pub seats: Contributions<'a>,
}

impl FairDeal<'_> {
    /// The commitment that the house must have shown beforehand.
    pub fn commitment(&self) -> Commitment {
        match self.seats {
            Contributions::Added(_) => self.secret.commitment(self.table, self.round),
            Contributions::Committed { rules, .. } => {
                self.secret.commitment_to_rules(self.table, self.round, rules)
            }
        }
    }

    /// The cards in the order they are dealt.
    pub fn shuffle(&self) -> Shuffle {
        self.words("paigow shuffle 1", "paigow shuffle 2").shuffle()
    }

    /// The place the dice choose, of so many; the first if there are none.
    pub fn dice(&self, places: u8) -> u8 {
        self.words("paigow dice 1", "paigow dice 2").below(u32::from(places.max(1))) as u8 + 1
    }

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
                // No beacon: version 2 has a field for one.
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
    /// The commitment of version 1.
    pub fn commitment(&self, table: &TableId, round: u64) -> Commitment {
        let message = SignedText::new("paigow commitment 1").text(table.as_str().as_bytes()).number(round);
        Commitment(message.bytes(&self.0).digest())
    }

    /// The commitment of version 2, which names the rules as well.
    pub fn commitment_to_rules(&self, table: &TableId, round: u64, rules: &str) -> Commitment {
        let message = SignedText::new("paigow commitment 2").text(table.as_str().as_bytes()).number(round);
        Commitment(message.text(rules.as_bytes()).bytes(&self.0).digest())
    }
}
