//! The house log: one hash chain over everything that happens outside tables.
//!
//! It covers chips issued and redeemed, people, documents, operators' sessions, the operator secret and the operators'
//! log. Each entry is written in the transaction of the row it covers. Writes at tables do not touch it. Players' sessions are
//! not covered, because they are renewed often and give no power over the house.
//!
//! The JSON of an entry identifies the covered row. Secrets and people's names appear only as digests, so that the log
//! keeps no name of a removed person.

use super::chain::{house_hash, house_head_message};
use super::{ArchiveCounts, ArchiveDigests, Batch, GENESIS};
use crate::{
    DocumentKind, DocumentWrite, OperatorAct, Person, PersonKind, PersonName, Session, SessionOwner,
};
use paigow_table::{
    Actor, CommandId, Commitment, KeyId, MasterKeys, PlayerId, PublicKey, RoundKeys, Signature, Time,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{Arc, OnceLock};

/// Signs the heads of chains with a key that is not in the store.
pub trait HeadSigner: Send + Sync {
    /// Returns the Ed25519 signature of a message, or `None` without a key. `docs/store.md` documents the layout of
    /// messages.
    fn sign(&self, message: &[u8]) -> Option<[u8; 64]>;
}

/// Verifies signatures of a [`HeadSigner`].
pub trait HeadVerifier: Send + Sync {
    /// Whether one of the server's keys made the signature of the message.
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

impl HeadVerifier for Vec<PublicKey> {
    fn verify(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.iter().any(|public| public.verifies(message, &Signature(*signature)))
    }
}

/// Signer of a store, empty until set. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct SharedSigner(Arc<OnceLock<Arc<dyn HeadSigner>>>);

impl SharedSigner {
    /// Sets the signer. The first one stays.
    pub(crate) fn set(&self, signer: Arc<dyn HeadSigner>) {
        // The server sets the signer once, at startup.
        let _ = self.0.set(signer);
    }

    fn sign(&self, message: &[u8]) -> Option<[u8; 64]> {
        self.0.get().and_then(|signer| signer.sign(message))
    }
}

/// Stored entry of the house log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseLogEntry {
    /// Sequence number within the log, from 1.
    pub seq: u64,
    /// Time it was written.
    pub at: Time,
    /// The record as JSON.
    pub json: String,
    /// Hash of the entry and of all entries before it.
    pub hash: [u8; 32],
    /// Signature of the log up to this entry, or `None` if the writer had no key.
    pub signature: Option<[u8; 64]>,
}

/// Sequence number and hash of the last entry of the house log.
pub(super) type HouseTip = (u64, [u8; 32]);

/// Tip of a log without entries.
pub(super) const HOUSE_START: HouseTip = (0, GENESIS);

/// Content of an entry of the house log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum HouseRecord {
    /// The store was migrated from an earlier version without a house log. The next `entries` entries cover its rows.
    Migrated {
        from_version: u64,
        entries: u64,
    },
    /// A server started with this master key.
    Started {
        key: KeyId,
    },
    /// A command outside tables: chips were issued or redeemed.
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
    /// A document was written. Its JSON appears only as a digest, because it may contain names.
    DocumentWritten {
        kind: DocumentKind,
        id: String,
        version: u64,
        digest: Commitment,
    },
    DocumentDeleted {
        kind: DocumentKind,
        id: String,
    },
    /// The oldest rounds of tables left the store for an archive. `kept` are the digests of everything that the store
    /// keeps of them.
    Archived {
        number: u64,
        archive: Commitment,
        file: String,
        older_than: Time,
        counts: ArchiveCounts,
        kept: ArchiveDigests,
    },
    /// An entry of the operators' log.
    Act {
        place: u64,
        hash: Commitment,
    },
}

/// Digest of a person's name.
pub(crate) fn name_digest(name: &PersonName) -> Commitment {
    Commitment(Sha256::digest(name.as_str()).into())
}

/// Digest of a document's JSON.
pub(crate) fn document_digest(json: &str) -> Commitment {
    Commitment(Sha256::digest(json).into())
}

impl HouseRecord {
    /// Record of a document's write.
    pub(super) fn document(write: &DocumentWrite) -> HouseRecord {
        let DocumentWrite { key, expected, json } = write;
        let (kind, id) = (key.kind, key.id.clone());
        match json {
            Some(json) => HouseRecord::DocumentWritten {
                kind,
                id,
                version: expected + 1,
                digest: document_digest(json),
            },
            None => HouseRecord::DocumentDeleted { kind, id },
        }
    }

    /// Record of a batch outside tables.
    pub(super) fn of_batch(batch: &Batch, digest: [u8; 32]) -> HouseRecord {
        HouseRecord::Command { by: batch.by.clone(), id: batch.id.clone(), digest: Commitment(digest) }
    }

    pub(super) fn enrolled(person: &Person) -> HouseRecord {
        let Person { id, name, kind, since } = person;
        HouseRecord::PersonEnrolled { id: id.clone(), kind: *kind, since: *since, name: name_digest(name) }
    }

    /// Record of an operator's new session.
    pub(crate) fn begun(session: &Session) -> HouseRecord {
        let (SessionOwner::Operator(operator) | SessionOwner::Player(operator)) = session.who.clone();
        HouseRecord::SessionBegun { digest: Commitment(session.digest), operator, since: session.since }
    }

    pub(super) fn ended(digest: [u8; 32]) -> HouseRecord {
        HouseRecord::SessionEnded { digest: Commitment(digest) }
    }

    pub(super) fn act(act: &OperatorAct) -> HouseRecord {
        HouseRecord::Act { place: act.place, hash: Commitment(act.hash) }
    }

    /// Makes the entry of this record, which follows the tip.
    fn after(&self, (last, hash): HouseTip, at: Time, signer: &SharedSigner) -> HouseLogEntry {
        let seq = last + 1;
        // A record has only strings, numbers and digests, so serialization cannot fail.
        let json = serde_json::to_string(self).unwrap_or_default();
        let hash = house_hash(&hash, seq, at, &json);
        let signature = signer.sign(&house_head_message(seq, &hash));
        HouseLogEntry { seq, at, json, hash, signature }
    }
}

/// Makes the entries of records, which follow the tip.
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

/// Query whether the log has a signed entry.
pub(super) const HAS_SIGNATURES: &str = "SELECT EXISTS (SELECT 1 FROM house_log WHERE signature IS NOT NULL)";

/// Query for commands outside tables, in the order of their transfers.
pub(super) const UNCOVERED_COMMANDS: &str = "SELECT commands.actor, commands.id, commands.digest FROM commands \
    LEFT JOIN (SELECT actor, command, min(place) AS place FROM journal WHERE table_id IS NULL GROUP BY actor, command) AS moved \
    ON moved.actor = commands.actor AND moved.command = commands.id \
    WHERE commands.table_id IS NULL ORDER BY moved.place, commands.actor, commands.id";

/// Rows outside tables in a store of an earlier version without a house log.
#[derive(Default)]
pub(super) struct UncoveredRows {
    /// Commands outside tables with their digests, in the order of their transfers.
    pub(super) commands: Vec<(Actor, CommandId, [u8; 32])>,
    pub(super) people: Vec<Person>,
    /// Operators' sessions.
    pub(super) sessions: Vec<Session>,
    pub(super) secret: Option<[u8; 32]>,
    pub(super) acts: Vec<OperatorAct>,
}

impl UncoveredRows {
    /// Returns the first records of the house log of such a store, or none if there are no rows to cover.
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
