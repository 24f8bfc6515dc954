//! Hashes: each event's covers the one before it, so that nothing in a table's past can be changed unseen, and through the
//! command's digest also who gave the command, when, what was answered and what money moved.
//!
//! - digest = SHA-256("paigow command 1" ‖ actor ‖ id ‖ time ‖ table ‖ command ‖ answer ‖ every transfer's JSON)
//! - hash = SHA-256("paigow event 1" ‖ hash of the event before ‖ table ‖ seq ‖ digest ‖ the event's JSON)
//! - hash of an operator's act = SHA-256("paigow act 1" ‖ hash of the act before ‖ place ‖ time ‖ operator ‖ what ‖ detail)
//! - hash of an entry of the house log = SHA-256("paigow house 1" ‖ hash of the entry before ‖ seq ‖ time ‖ the entry's JSON)
//!
//! Texts are preceded by their length, eight bytes, big-endian, as numbers are; the first event follows 32 zeros, and so do the first act and the first entry of
//! the house log. A command at no table has the empty text in its place.
//!
//! The house log covers what no table's chain does. Its entries name commands at no table by their digest and operators' acts by their hash.
//!
//! Signed messages, where a server has a key:
//!
//! - head of the house log, for each entry = "paigow house head 1" ‖ seq ‖ hash
//! - exported heads = "paigow heads 1" ‖ number of tables ‖ (table ‖ seq ‖ hash) for each, by name ‖ (seq ‖ hash) of the operators' log ‖ (seq ‖ hash) of the
//!   house log; a log without entries has 0 and 32 zeros

use super::words;
use crate::OperatorAct;
use paigow_table::{Actor, CommandId, TableId, Time, Transfer};
use sha2::{Digest, Sha256};

/// What the first event of a table follows.
pub(crate) const GENESIS: [u8; 32] = [0; 32];

fn add(digest: &mut Sha256, text: &str) {
    digest.update((text.len() as u64).to_be_bytes());
    digest.update(text);
}

/// The digest of a command and all that came of it but its events.
pub(crate) fn command_digest<'a>(
    (by, id): (&Actor, &CommandId),
    at: Time,
    table: Option<&TableId>,
    (body, answer): (&str, &str),
    transfers: impl IntoIterator<Item = &'a Transfer>,
) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow command 1");
    add(&mut digest, &words::of_actor(by));
    add(&mut digest, id.as_str());
    digest.update(at.0.to_be_bytes());
    add(&mut digest, table.map_or("", TableId::as_str));
    add(&mut digest, body);
    add(&mut digest, answer);
    for transfer in transfers {
        // A transfer is words and numbers: it can always be written.
        add(&mut digest, &serde_json::to_string(transfer).unwrap_or_default());
    }
    digest.finalize().into()
}

/// The hash of an event.
pub(crate) fn event_hash(
    before: &[u8; 32],
    table: &TableId,
    seq: u64,
    command: &[u8; 32],
    json: &str,
) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow event 1");
    digest.update(before);
    add(&mut digest, table.as_str());
    digest.update(seq.to_be_bytes());
    digest.update(command);
    add(&mut digest, json);
    digest.finalize().into()
}

/// The hash of an entry of the house log.
pub(crate) fn house_hash(before: &[u8; 32], seq: u64, at: Time, json: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow house 1");
    digest.update(before);
    digest.update(seq.to_be_bytes());
    digest.update(at.0.to_be_bytes());
    add(&mut digest, json);
    digest.finalize().into()
}

/// A message to be signed: a text, then texts with their lengths, numbers and hashes.
pub(crate) struct SignedMessage(Vec<u8>);

impl SignedMessage {
    /// A message that begins with its name and version.
    pub(crate) fn new(name: &str) -> SignedMessage {
        SignedMessage(Vec::new()).text(name)
    }

    pub(crate) fn text(mut self, text: &str) -> SignedMessage {
        self.0.extend((text.len() as u64).to_be_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    pub(crate) fn number(mut self, number: u64) -> SignedMessage {
        self.0.extend(number.to_be_bytes());
        self
    }

    pub(crate) fn hash(mut self, hash: &[u8; 32]) -> SignedMessage {
        self.0.extend(hash);
        self
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.0
    }
}

/// The message that is signed for an entry of the house log.
pub(crate) fn house_head_message(seq: u64, hash: &[u8; 32]) -> Vec<u8> {
    SignedMessage::new("paigow house head 1").number(seq).hash(hash).bytes()
}

/// The hash of an operator's act.
pub(crate) fn act_hash(before: &[u8; 32], act: &OperatorAct) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow act 1");
    digest.update(before);
    digest.update(act.place.to_be_bytes());
    digest.update(act.at.0.to_be_bytes());
    add(&mut digest, act.operator.as_str());
    add(&mut digest, &act.what);
    add(&mut digest, &act.detail);
    digest.finalize().into()
}
