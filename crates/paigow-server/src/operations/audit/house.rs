//! Checks the house log, and that everything outside tables matches it.
//!
//! The log determines the commands outside tables, the people, the documents, the operators' sessions and acts, and the
//! operator secret. The audit reads it entry by entry and then compares it with the rest of the store.

use super::Finding;
use crate::store::{GENESIS, HouseRecord, document_digest, house_hash, house_head_message, name_digest};
use crate::{
    CommandRow, DocumentKind, HeadVerifier, HouseLogEntry, HouseLogPart, JournalRow, OperatorAct, Person,
    PersonKind, Session, StoredDocument,
};
use paigow_table::{Actor, CommandId, Commitment, PlayerId, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A stored command that belongs to no table.
struct OutsideCommand {
    by: Actor,
    id: CommandId,
    digest: [u8; 32],
    /// Journal positions of its transfers.
    positions: Vec<u64>,
}

/// A person according to the log.
struct LoggedPerson {
    kind: PersonKind,
    since: Time,
    name: Commitment,
}

/// State of the house according to the log so far, and the stored rows that no entry has covered yet.
#[derive(Default)]
pub(super) struct HouseAudit {
    /// Sequence number and hash of the last entry.
    pub(super) tip: Option<(u64, [u8; 32])>,
    /// Verifies signatures, if the caller has the key.
    verifier: Option<Arc<dyn HeadVerifier>>,
    /// Whether an entry was signed.
    signed: bool,
    /// Number of further entries that a migration may have written without a signature.
    migrated: u64,
    /// Whether a broken link was reported. The links after it are not checked.
    broken: bool,
    /// Stored commands that no entry has covered yet.
    commands: BTreeMap<String, OutsideCommand>,
    /// Highest journal position of a covered command.
    last_position: u64,
    people: BTreeMap<PlayerId, LoggedPerson>,
    /// Version and digest of each document.
    documents: BTreeMap<(DocumentKind, String), (u64, Commitment)>,
    sessions: BTreeMap<[u8; 32], HouseRecord>,
    secret: Option<[u8; 32]>,
    /// Hashes of the stored acts.
    acts: Vec<[u8; 32]>,
    /// Number of acts in the house log so far.
    acts_logged: u64,
    /// Entries about archives.
    pub(super) archived: Vec<HouseRecord>,
    pub(super) findings: Vec<Finding>,
}

fn key(by: &Actor, id: &CommandId) -> String {
    format!("{by:?} {id}")
}

fn command_location(by: &Actor, id: &CommandId) -> String {
    format!("command {id} of {by}")
}

fn session_location(record: &HouseRecord) -> String {
    match record {
        HouseRecord::SessionBegun { operator, since, .. } => {
            format!("session of operator {operator} since {}", since.0)
        }
        _ => "session".to_owned(),
    }
}

fn document_location(kind: DocumentKind, id: &str) -> String {
    format!("document {} {id}", kind.name())
}

fn act_location(seq: u64) -> String {
    format!("entry {seq} of the operators' log")
}

impl HouseAudit {
    pub(super) fn new(verifier: Option<Arc<dyn HeadVerifier>>) -> HouseAudit {
        HouseAudit { verifier, ..HouseAudit::default() }
    }

    /// Adds the stored commands that belong to no table, and their transfers.
    pub(super) fn outside(&mut self, commands: &[CommandRow], journal: &[JournalRow]) {
        for CommandRow { by, id, digest, .. } in commands {
            let outside =
                OutsideCommand { by: by.clone(), id: id.clone(), digest: *digest, positions: Vec::new() };
            self.commands.insert(key(by, id), outside);
        }
        for row in journal {
            if let Some(outside) = self.commands.get_mut(&key(&row.by, &row.command)) {
                outside.positions.push(row.seq);
            }
        }
    }

    pub(super) fn acts(&mut self, acts: &[OperatorAct]) {
        self.acts = acts.iter().map(|act| act.hash).collect();
    }

    pub(super) fn part(&mut self, part: HouseLogPart) {
        match part {
            HouseLogPart::Log(entries) => entries.iter().for_each(|entry| self.entry(entry)),
            HouseLogPart::People(people) => people.iter().for_each(|person| self.person(person)),
            HouseLogPart::Documents(documents) => documents.iter().for_each(|found| self.document(found)),
            HouseLogPart::Operators { sessions, secret } => {
                for session in &sessions {
                    self.session(session);
                }
                self.finish(secret);
            }
        }
    }

    fn find(&mut self, code: &'static str, location: String, message: impl Into<String>) {
        self.findings.push(Finding::new(code, location, message));
    }

    fn entry(&mut self, entry: &HouseLogEntry) {
        let (last, hash) = self.tip.unwrap_or((0, GENESIS));
        let location = format!("entry {} of the house log", entry.seq);
        if !self.broken {
            if entry.seq != last + 1 {
                self.broken = true;
                let message = format!("is missing; the next is entry {}", entry.seq);
                self.find("house_log_broken", format!("entry {} of the house log", last + 1), message);
            } else if house_hash(&hash, entry.seq, entry.at, &entry.json) != entry.hash {
                self.broken = true;
                self.find("house_log_broken", location.clone(), "was changed: its hash does not match");
            }
        }
        self.tip = Some((entry.seq, entry.hash));
        let record = serde_json::from_str(&entry.json);
        if let (1, Ok(HouseRecord::Migrated { entries, .. })) = (entry.seq, &record) {
            self.migrated = entries.saturating_add(1);
        }
        self.signature(entry, &location);
        match record {
            Ok(record) => self.record(record, &location),
            Err(why) => self.find("house_log_broken", location, format!("cannot be read: {why}")),
        }
    }

    fn signature(&mut self, entry: &HouseLogEntry, location: &str) {
        let Some(verifier) = self.verifier.clone() else { return };
        match &entry.signature {
            Some(signature) => {
                self.signed = true;
                self.migrated = 0;
                if !verifier.verify(&house_head_message(entry.seq, &entry.hash), signature) {
                    let message = "has a signature that no key of the server made";
                    self.find("signature_differs", location.to_owned(), message);
                }
            }
            // A migration adds entries for rows of an earlier version, and has no key.
            None if self.migrated > 0 => self.migrated -= 1,
            None => self.find("signature_missing", location.to_owned(), "is not signed"),
        }
    }

    fn record(&mut self, record: HouseRecord, location: &str) {
        let is_consistent = match record {
            HouseRecord::Migrated { .. } | HouseRecord::Started { .. } => true,
            HouseRecord::Archived { number, .. } => {
                self.archived.push(record);
                number == self.archived.len() as u64
            }
            HouseRecord::Command { by, id, digest } => {
                self.command(&by, &id, digest.0);
                true
            }
            HouseRecord::PersonEnrolled { id, kind, since, name } => {
                self.people.insert(id, LoggedPerson { kind, since, name }).is_none()
            }
            HouseRecord::PersonRenamed { id, name } => {
                self.people.get_mut(&id).map(|person| person.name = name).is_some()
            }
            HouseRecord::PersonRemoved { id } => self.people.remove(&id).is_some(),
            HouseRecord::DocumentWritten { kind, id, version, digest } => {
                let before = self.documents.insert((kind, id), (version, digest));
                before.map_or(0, |(version, _)| version) + 1 == version
            }
            HouseRecord::DocumentDeleted { kind, id } => self.documents.remove(&(kind, id)).is_some(),
            HouseRecord::SessionBegun { digest, .. } => self.sessions.insert(digest.0, record).is_none(),
            HouseRecord::SessionEnded { digest } => self.sessions.remove(&digest.0).is_some(),
            HouseRecord::SecretClaimed { digest } => self.secret.replace(digest.0).is_none(),
            HouseRecord::SecretReplaced { digest } => {
                self.secret = Some(digest.0);
                true
            }
            HouseRecord::Act { place, hash } => self.act(place, hash.0),
        };
        if !is_consistent {
            self.find("house_log_broken", location.to_owned(), "contradicts the entries before it");
        }
    }

    fn command(&mut self, by: &Actor, id: &CommandId, digest: [u8; 32]) {
        let Some(stored) = self.commands.remove(&key(by, id)) else {
            let message = "is in the house log, but missing in the store, or the house log has it twice";
            return self.find("command_missing", command_location(by, id), message);
        };
        if stored.digest != digest {
            self.find("command_changed", command_location(by, id), "differs from the house log");
        }
        for position in stored.positions {
            if position <= self.last_position {
                let message =
                    format!("is before transfer {}, but after it in the house log", self.last_position);
                self.find("journal_order", format!("transfer {position} of the journal"), message);
            }
            self.last_position = self.last_position.max(position);
        }
    }

    fn act(&mut self, seq: u64, hash: [u8; 32]) -> bool {
        self.acts_logged += 1;
        if seq != self.acts_logged {
            return false;
        }
        let stored = usize::try_from(seq - 1).ok().and_then(|index| self.acts.get(index));
        match stored {
            Some(stored) if *stored == hash => {}
            Some(_) => self.find("operator_log_broken", act_location(seq), "differs from the house log"),
            None => {
                let message = "is in the house log, but missing in the store";
                self.find("operator_log_broken", act_location(seq), message);
            }
        }
        true
    }

    fn person(&mut self, Person { id, name, kind, since }: &Person) {
        let location = format!("person {id}");
        let Some(known) = self.people.remove(id) else {
            return self.find("person_unlogged", location, "is in the store, but not in the house log");
        };
        if (known.kind, known.since, known.name) != (*kind, *since, name_digest(name)) {
            self.find("person_changed", location, "has another name, kind or time than in the house log");
        }
    }

    fn document(&mut self, StoredDocument { key, version, json }: &StoredDocument) {
        let location = document_location(key.kind, &key.id);
        match self.documents.remove(&(key.kind, key.id.clone())) {
            None => self.find("document_unlogged", location, "is in the store, but not in the house log"),
            Some(logged) if logged != (*version, document_digest(json)) => {
                self.find(
                    "document_changed",
                    location,
                    "has another version or content than in the house log",
                );
            }
            Some(_) => {}
        }
    }

    fn session(&mut self, session: &Session) {
        let record = HouseRecord::begun(session);
        let location = session_location(&record);
        match self.sessions.remove(&session.digest) {
            None => {
                self.find("session_unlogged", location, "is in the store, but not in the house log");
            }
            Some(begun) if begun != record => {
                let message = "has another operator or time in the house log";
                self.find("session_changed", location, message);
            }
            Some(_) => {}
        }
    }

    /// Reports everything that only the house log or only the store has.
    fn finish(&mut self, secret: Option<[u8; 32]>) {
        // Every start of a server writes a signed entry, so another program has written a log without one.
        if self.verifier.is_some() && self.tip.is_some() && !self.signed {
            self.find("signature_missing", "the house log".to_owned(), "has no signed entry");
        }
        for (_, OutsideCommand { by, id, .. }) in std::mem::take(&mut self.commands) {
            let message = "moves money outside tables, but is not in the house log";
            self.find("command_unlogged", command_location(&by, &id), message);
        }
        for id in std::mem::take(&mut self.people).into_keys() {
            let message = "is in the house log, but missing in the store";
            self.find("person_missing", format!("person {id}"), message);
        }
        for (kind, id) in std::mem::take(&mut self.documents).into_keys() {
            let message = "is in the house log, but missing in the store";
            self.find("document_missing", document_location(kind, &id), message);
        }
        for record in std::mem::take(&mut self.sessions).into_values() {
            let message = "has not ended according to the house log, but is missing in the store";
            self.find("session_missing", session_location(&record), message);
        }
        if secret != self.secret {
            let location = "the operator secret".to_owned();
            self.find("secret_differs", location, "differs from the house log");
        }
        for seq in self.acts_logged + 1..=self.acts.len() as u64 {
            let message = "is in the store, but not in the house log";
            self.find("operator_log_broken", act_location(seq), message);
        }
    }
}
