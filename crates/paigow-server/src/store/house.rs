//! The house log: one hash chain over everything that happens outside tables.
//!
//! Chips issued and redeemed, people, operators' sessions, the operators' secret and operators' acts. Each entry is written in the transaction of
//! what it covers; writes at tables do not touch it. Players' sessions are not in it: they are renewed often, and give no power over the house.
//!
//! The JSON names what it covers. Secrets are named by their digests and people's names by theirs: the log keeps no name of a person who was removed.

use super::chain::{house_hash, house_head_message};
use super::{Batch, GENESIS};
use crate::{OperatorAct, Person, PersonKind, PersonName, Session, SessionOf};
use paigow_table::{Actor, CommandId, Commitment, KeyId, MasterKeys, PlayerId, RoundKeys, Signature, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// Signs the heads of chains with a key that is not in the store.
pub trait HeadSigner: Send + Sync {
    /// Returns the Ed25519 signature of a message, or `None` if there is no key. `docs/store.md` has the layout of messages.
    fn sign(&self, message: &[u8]) -> Option<[u8; 64]>;
}

/// Verifies what a [`HeadSigner`] signed.
pub trait HeadVerifier: Send + Sync {
    /// Returns whether the signature is one of the server's keys over the message.
    fn verify(&self, message: &[u8], signature: &[u8; 64]) -> bool;
}

impl HeadSigner for MasterKeys {
    fn sign(&self, message: &[u8]) -> Option<[u8; 64]> {
        RoundKeys::sign(self, &self.current(), message).map(|Signature(bytes)| bytes)
    }
}

impl HeadVerifier for MasterKeys {
    fn verify(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.public().any(|(_, public)| public.verifies(message, &Signature(*signature)))
    }
}

/// The signer of a store, once it has one. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct SharedSigner(Arc<OnceLock<Arc<dyn HeadSigner>>>);

impl SharedSigner {
    /// Sets the signer. The first one stays.
    pub(crate) fn set(&self, signer: Arc<dyn HeadSigner>) {
        // A store is given one signer, when its server starts.
        let _ = self.0.set(signer);
    }

    fn sign(&self, message: &[u8]) -> Option<[u8; 64]> {
        self.0.get().and_then(|signer| signer.sign(message))
    }
}

/// An entry of the house log as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseLogEntry {
    /// Sequence number within the log, from 1.
    pub seq: u64,
    /// When it was written.
    pub at: Time,
    /// What happened, as JSON.
    pub json: String,
    /// The hash of it and of everything before it.
    pub hash: [u8; 32],
    /// Signature of the head that this entry is; `None` if the writer had no key.
    pub signature: Option<[u8; 64]>,
}

/// The last entry of the house log: its sequence number and its hash.
pub(super) type HouseTip = (u64, [u8; 32]);

/// The tip of a log without entries.
pub(super) const HOUSE_START: HouseTip = (0, GENESIS);

/// What an entry of the house log says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum HouseRecord {
    /// The store was of an earlier version, without a house log. The entries after this one cover what it had.
    Migrated {
        from_version: u64,
        entries: u64,
    },
    /// A server started with this master key.
    Started {
        key: KeyId,
    },
    /// A command at no table: chips were issued or redeemed.
    Command {
        by: Actor,
        id: CommandId,
        digest: Commitment,
    },
    PersonEnrolled {
        id: PlayerId,
        kind: PersonKind,
        since: Time,
        name: Commitment,
    },
    PersonRenamed {
        id: PlayerId,
        name: Commitment,
    },
    PersonRemoved {
        id: PlayerId,
    },
    /// An operator's session.
    SessionBegun {
        digest: Commitment,
        operator: PlayerId,
        since: Time,
    },
    SessionEnded {
        digest: Commitment,
    },
    SecretClaimed {
        digest: Commitment,
    },
    SecretReplaced {
        digest: Commitment,
    },
    /// An entry of the operators' log.
    Act {
        place: u64,
        hash: Commitment,
    },
}

/// The digest of a person's name.
pub(crate) fn name_digest(name: &PersonName) -> Commitment {
    Commitment(Sha256::digest(name.as_str()).into())
}

impl HouseRecord {
    /// A batch at no table.
    pub(super) fn of_batch(batch: &Batch, digest: [u8; 32]) -> HouseRecord {
        HouseRecord::Command { by: batch.by.clone(), id: batch.id.clone(), digest: Commitment(digest) }
    }

    pub(super) fn enrolled(person: &Person) -> HouseRecord {
        let Person { id, name, kind, since } = person;
        HouseRecord::PersonEnrolled { id: id.clone(), kind: *kind, since: *since, name: name_digest(name) }
    }

    /// An operator's session.
    pub(crate) fn begun(session: &Session) -> HouseRecord {
        let (SessionOf::Operator(operator) | SessionOf::Player(operator)) = session.who.clone();
        HouseRecord::SessionBegun { digest: Commitment(session.digest), operator, since: session.since }
    }

    pub(super) fn ended(digest: [u8; 32]) -> HouseRecord {
        HouseRecord::SessionEnded { digest: Commitment(digest) }
    }

    pub(super) fn act(act: &OperatorAct) -> HouseRecord {
        HouseRecord::Act { place: act.place, hash: Commitment(act.hash) }
    }

    /// The same as an entry of the log, after the one before it.
    fn after(&self, (last, hash): HouseTip, at: Time, signer: &SharedSigner) -> HouseLogEntry {
        let seq = last + 1;
        // A record is words, numbers and digests: it can always be written.
        let json = serde_json::to_string(self).unwrap_or_default();
        let hash = house_hash(&hash, seq, at, &json);
        let signature = signer.sign(&house_head_message(seq, &hash));
        HouseLogEntry { seq, at, json, hash, signature }
    }
}

/// Records as entries of the log, after its last one.
pub(super) fn entries_after<'a>(
    mut tip: HouseTip,
    records: impl IntoIterator<Item = (Time, &'a HouseRecord)>,
    signer: &SharedSigner,
) -> Vec<HouseLogEntry> {
    let entry = |(at, record): (Time, &HouseRecord)| {
        let entry = record.after(tip, at, signer);
        tip = (entry.seq, entry.hash);
        entry
    };
    records.into_iter().map(entry).collect()
}

/// Whether an entry of the log is signed.
pub(super) const HAS_SIGNATURES: &str = "SELECT EXISTS (SELECT 1 FROM house_log WHERE signature IS NOT NULL)";

/// Commands at no table, in the order of their transfers.
pub(super) const UNCOVERED_COMMANDS: &str = "SELECT commands.actor, commands.id, commands.digest FROM commands \
    LEFT JOIN (SELECT actor, command, min(place) AS place FROM journal WHERE table_id IS NULL GROUP BY actor, command) AS moved \
    ON moved.actor = commands.actor AND moved.command = commands.id \
    WHERE commands.table_id IS NULL ORDER BY moved.place, commands.actor, commands.id";

/// All that a store of an earlier version has outside tables, in the order in which it is covered.
#[derive(Default)]
pub(super) struct Uncovered {
    /// Commands at no table with their digests, in the order of their transfers.
    pub(super) commands: Vec<(Actor, CommandId, [u8; 32])>,
    pub(super) people: Vec<Person>,
    /// Operators' sessions.
    pub(super) sessions: Vec<Session>,
    pub(super) secret: Option<[u8; 32]>,
    pub(super) acts: Vec<OperatorAct>,
}

impl Uncovered {
    /// The first entries of the house log of such a store; none if it has nothing to cover.
    pub(super) fn records(self, from_version: u64) -> Vec<HouseRecord> {
        let commands = self.commands.into_iter().map(|(by, id, digest)| HouseRecord::Command {
            by,
            id,
            digest: Commitment(digest),
        });
        let secret = self.secret.map(|digest| HouseRecord::SecretClaimed { digest: Commitment(digest) });
        let covering: Vec<HouseRecord> = self
            .people
            .iter()
            .map(HouseRecord::enrolled)
            .chain(commands)
            .chain(secret)
            .chain(self.sessions.iter().map(HouseRecord::begun))
            .chain(self.acts.iter().map(HouseRecord::act))
            .collect();
        if covering.is_empty() {
            return covering;
        }
        let migrated = HouseRecord::Migrated { from_version, entries: covering.len() as u64 };
        std::iter::once(migrated).chain(covering).collect()
    }
}
