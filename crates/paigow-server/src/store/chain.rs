//! Hash chains of tables, of the operators' log and of the house log.
//!
//! The hash of an event covers the event before it, so that no change to a table's past goes unnoticed. Through the
//! command's digest it also covers the actor, the time, the answer and the transfers of the command.
//!
//! - digest = SHA-256("paigow command 1" ‖ actor ‖ id ‖ time ‖ table ‖ command ‖ answer ‖ every transfer's JSON)
//! - hash = SHA-256("paigow event 1" ‖ hash of the event before ‖ table ‖ seq ‖ digest ‖ the event's JSON)
//! - hash of an operator's act = SHA-256("paigow act 1" ‖ hash of the act before ‖ sequence number ‖ time ‖ operator ‖
//!   what ‖ detail)
//! - hash of an entry of the house log = SHA-256("paigow house 1" ‖ hash of the entry before ‖ seq ‖ time ‖ the entry's
//!   JSON)
//!
//! Numbers are eight bytes, big-endian. A text is preceded by its length in bytes as a number. The hash before the
//! first event, the first act and the first entry of the house log is 32 zero bytes. A command outside tables has an
//! empty text for the table.
//!
//! The house log covers records outside the tables' chains. Its entries name commands outside tables by their digest
//! and operators' acts by their hash.
//!
//! Signed messages, if the server has a key:
//!
//! - head of the house log, for each entry = "paigow house head 1" ‖ seq ‖ hash
//! - exported heads = "paigow heads 1" ‖ number of tables ‖ (table ‖ seq ‖ hash) for each, by name ‖ (seq ‖ hash) of
//!   the operators' log ‖ (seq ‖ hash) of the house log; a log without entries has 0 and 32 zero bytes

use super::encoding;
use crate::OperatorAct;
use paigow_table::{Actor, CommandId, TableId, Time, Transfer};
use sha2::{Digest, Sha256};

/// Hash before the first entry of a chain.
pub(crate) const GENESIS: [u8; 32] = [0; 32];

/// Adds a text, preceded by its length.
fn add(digest: &mut Sha256, text: &str) {
    digest.update((text.len() as u64).to_be_bytes());
    digest.update(text);
}

/// Digest of a command, its answer and its transfers.
pub(crate) fn command_digest<'a>(
    (by, id): (&Actor, &CommandId),
    at: Time,
    table: Option<&TableId>,
    (body, answer): (&str, &str),
    transfers: impl IntoIterator<Item = &'a Transfer>,
) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow command 1");
    add(&mut digest, &encoding::encode_actor(by));
    add(&mut digest, id.as_str());
    digest.update(at.0.to_be_bytes());
    add(&mut digest, table.map_or("", TableId::as_str));
    add(&mut digest, body);
    add(&mut digest, answer);
    for transfer in transfers {
        // A transfer has only strings and numbers, so serialization cannot fail.
        add(&mut digest, &serde_json::to_string(transfer).unwrap_or_default());
    }
    digest.finalize().into()
}

/// Hash of an event.
pub(crate) fn event_hash(
    previous: &[u8; 32],
    table: &TableId,
    seq: u64,
    command: &[u8; 32],
    json: &str,
) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow event 1");
    digest.update(previous);
    add(&mut digest, table.as_str());
    digest.update(seq.to_be_bytes());
    digest.update(command);
    add(&mut digest, json);
    digest.finalize().into()
}

/// Hash of an entry of the house log.
pub(crate) fn house_hash(previous: &[u8; 32], seq: u64, at: Time, json: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow house 1");
    digest.update(previous);
    digest.update(seq.to_be_bytes());
    digest.update(at.0.to_be_bytes());
    add(&mut digest, json);
    digest.finalize().into()
}

/// Builder of a message to sign: its name, then texts with their lengths, numbers and hashes.
pub(crate) struct SignedMessage(Vec<u8>);

impl SignedMessage {
    /// Starts a message with its name and version.
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

/// Message to sign for an entry of the house log.
pub(crate) fn house_head_message(seq: u64, hash: &[u8; 32]) -> Vec<u8> {
    SignedMessage::new("paigow house head 1").number(seq).hash(hash).bytes()
}

/// Hash of an entry of the operators' log.
pub(crate) fn act_hash(previous: &[u8; 32], act: &OperatorAct) -> [u8; 32] {
    let mut digest = Sha256::new();
    add(&mut digest, "paigow act 1");
    digest.update(previous);
    digest.update(act.place.to_be_bytes());
    digest.update(act.at.0.to_be_bytes());
    add(&mut digest, act.operator.as_str());
    add(&mut digest, &act.what);
    add(&mut digest, &act.detail);
    digest.finalize().into()
}
