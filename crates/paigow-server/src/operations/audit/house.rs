//! The house: everything outside tables is what the house log says, no more and no less.
//!
//! The log is read entry by entry. It says which commands at no table there are, which people, operators' sessions and acts, and which operators'
//! secret; the rest of the store is then compared with that.

use super::Finding;
use crate::store::{GENESIS, HouseRecord, house_hash, house_head_message, name_digest};
use crate::{
    CommandRow, HeadVerifier, HouseLogEntry, HouseLogPart, JournalRow, OperatorAct, Person, PersonKind,
    Session,
};
use paigow_table::{Actor, CommandId, Commitment, PlayerId, Time};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A command at no table as it is stored.
struct Outside {
    by: Actor,
    id: CommandId,
    digest: [u8; 32],
    /// The places of its transfers.
    places: Vec<u64>,
}

/// A person as the log has them.
struct LoggedPerson {
    kind: PersonKind,
    since: Time,
    name: Commitment,
}

/// The house as the log has it so far, and what is stored and not in the log yet.
#[derive(Default)]
pub(super) struct HouseAudit {
    /// Sequence number and hash of the last entry.
    pub(super) tip: Option<(u64, [u8; 32])>,
    /// Verifies signatures, if the caller has the key.
    verifier: Option<Arc<dyn HeadVerifier>>,
    /// Whether an entry was signed.
    signed: bool,
    /// How many entries of a migration may still follow without a signature.
    migrated: u64,
    /// Whether a broken link was reported: what follows it breaks too.
    broken: bool,
    /// Stored commands that no entry has named yet.
    commands: BTreeMap<String, Outside>,
    /// Place of the last transfer of a command that was named.
    last_place: u64,
    people: BTreeMap<PlayerId, LoggedPerson>,
    sessions: BTreeMap<[u8; 32], HouseRecord>,
    secret: Option<[u8; 32]>,
    acts: Vec<[u8; 32]>,
    /// How many acts the log has.
    acts_named: u64,
    pub(super) findings: Vec<Finding>,
}

fn key(by: &Actor, id: &CommandId) -> String {
    format!("{by:?} {id}")
}

fn command_place(by: &Actor, id: &CommandId) -> String {
    format!("command {id} of {by}")
}

fn session_place(record: &HouseRecord) -> String {
    match record {
        HouseRecord::SessionBegun { operator, since, .. } => {
            format!("session of operator {operator} since {}", since.0)
        }
        _ => "session".to_owned(),
    }
}

fn act_place(place: u64) -> String {
    format!("entry {place} of the operators' log")
}

impl HouseAudit {
    pub(super) fn new(verifier: Option<Arc<dyn HeadVerifier>>) -> HouseAudit {
        HouseAudit { verifier, ..HouseAudit::default() }
    }

    /// Commands at no table, and their transfers.
    pub(super) fn outside(&mut self, commands: &[CommandRow], journal: &[JournalRow]) {
        for CommandRow { by, id, digest, .. } in commands {
            let outside = Outside { by: by.clone(), id: id.clone(), digest: *digest, places: Vec::new() };
            self.commands.insert(key(by, id), outside);
        }
        for row in journal {
            if let Some(outside) = self.commands.get_mut(&key(&row.by, &row.command)) {
                outside.places.push(row.place);
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
            HouseLogPart::Operators { sessions, secret } => {
                for session in &sessions {
                    self.session(session);
                }
                self.end(secret);
            }
        }
    }

    fn find(&mut self, code: &'static str, place: String, says: impl Into<String>) {
        self.findings.push(Finding { code, place, says: says.into() });
    }

    fn entry(&mut self, entry: &HouseLogEntry) {
        let (last, hash) = self.tip.unwrap_or((0, GENESIS));
        let place = format!("entry {} of the house log", entry.seq);
        if !self.broken {
            if entry.seq != last + 1 {
                self.broken = true;
                let says = format!("is missing; the next is entry {}", entry.seq);
                self.find("house_log_broken", format!("entry {} of the house log", last + 1), says);
            } else if house_hash(&hash, entry.seq, entry.at, &entry.json) != entry.hash {
                self.broken = true;
                self.find(
                    "house_log_broken",
                    place.clone(),
                    "is not what was written: its hash does not fit",
                );
            }
        }
        self.tip = Some((entry.seq, entry.hash));
        let record = serde_json::from_str(&entry.json);
        if let (1, Ok(HouseRecord::Migrated { entries, .. })) = (entry.seq, &record) {
            self.migrated = entries.saturating_add(1);
        }
        self.signature(entry, &place);
        match record {
            Ok(record) => self.record(record, &place),
            Err(why) => self.find("house_log_broken", place, format!("cannot be read: {why}")),
        }
    }

    fn signature(&mut self, entry: &HouseLogEntry, place: &str) {
        let Some(verifier) = self.verifier.clone() else { return };
        match &entry.signature {
            Some(signature) => {
                self.signed = true;
                self.migrated = 0;
                if !verifier.verify(&house_head_message(entry.seq, &entry.hash), signature) {
                    self.find(
                        "signature_differs",
                        place.to_owned(),
                        "has a signature of no key of the server",
                    );
                }
            }
            // A migration covers what an earlier version wrote, and has no key.
            None if self.migrated > 0 => self.migrated -= 1,
            None => self.find("signature_missing", place.to_owned(), "is not signed"),
        }
    }

    fn record(&mut self, record: HouseRecord, place: &str) {
        let fits = match record {
            HouseRecord::Migrated { .. } | HouseRecord::Started { .. } => true,
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
            HouseRecord::SessionBegun { digest, .. } => self.sessions.insert(digest.0, record).is_none(),
            HouseRecord::SessionEnded { digest } => self.sessions.remove(&digest.0).is_some(),
            HouseRecord::SecretClaimed { digest } => self.secret.replace(digest.0).is_none(),
            HouseRecord::SecretReplaced { digest } => {
                self.secret = Some(digest.0);
                true
            }
            HouseRecord::Act { place, hash } => self.act(place, hash.0),
        };
        if !fits {
            self.find("house_log_broken", place.to_owned(), "does not follow from the entries before it");
        }
    }

    fn command(&mut self, by: &Actor, id: &CommandId, digest: [u8; 32]) {
        let Some(stored) = self.commands.remove(&key(by, id)) else {
            let says = "is in the house log and missing in the store, or is there twice";
            return self.find("command_missing", command_place(by, id), says);
        };
        if stored.digest != digest {
            self.find("command_changed", command_place(by, id), "is not the one that the house log has");
        }
        for place in stored.places {
            if place <= self.last_place {
                let says =
                    format!("comes after transfer {}, and the house log has it after that", self.last_place);
                self.find("journal_order", format!("transfer {place} of the journal"), says);
            }
            self.last_place = self.last_place.max(place);
        }
    }

    fn act(&mut self, place: u64, hash: [u8; 32]) -> bool {
        self.acts_named += 1;
        if place != self.acts_named {
            return false;
        }
        let stored = usize::try_from(place - 1).ok().and_then(|index| self.acts.get(index));
        match stored {
            Some(stored) if *stored == hash => {}
            Some(_) => {
                self.find("operator_log_broken", act_place(place), "is not the one that the house log has");
            }
            None => self.find(
                "operator_log_broken",
                act_place(place),
                "is in the house log and missing in the store",
            ),
        }
        true
    }

    fn person(&mut self, Person { id, name, kind, since }: &Person) {
        let place = format!("person {id}");
        let Some(known) = self.people.remove(id) else {
            return self.find(
                "person_unlogged",
                place,
                "is in the store, and the house log does not have them",
            );
        };
        if (known.kind, known.since, known.name) != (*kind, *since, name_digest(name)) {
            self.find("person_changed", place, "has another name, kind or time than the house log says");
        }
    }

    fn session(&mut self, session: &Session) {
        let record = HouseRecord::begun(session);
        let place = session_place(&record);
        match self.sessions.remove(&session.digest) {
            None => {
                self.find("session_unlogged", place, "is in the store, and the house log does not have it");
            }
            Some(begun) if begun != record => {
                self.find(
                    "session_changed",
                    place,
                    "is another operator's or of another time in the house log",
                );
            }
            Some(_) => {}
        }
    }

    /// Everything was shown: what only one side has is named.
    fn end(&mut self, secret: Option<[u8; 32]>) {
        // Every start of a server is an entry with a signature: a log without one was written by another program.
        if self.verifier.is_some() && self.tip.is_some() && !self.signed {
            self.find("signature_missing", "the house log".to_owned(), "has no entry that is signed");
        }
        for (_, Outside { by, id, .. }) in std::mem::take(&mut self.commands) {
            let says = "moves money at no table, and the house log does not have it";
            self.find("command_unlogged", command_place(&by, &id), says);
        }
        for id in std::mem::take(&mut self.people).into_keys() {
            self.find(
                "person_missing",
                format!("person {id}"),
                "is in the house log and missing in the store",
            );
        }
        for record in std::mem::take(&mut self.sessions).into_values() {
            self.find(
                "session_missing",
                session_place(&record),
                "has not ended by the house log, and is missing in the store",
            );
        }
        if secret != self.secret {
            let place = "the operators' secret".to_owned();
            self.find("secret_differs", place, "is not the one that the house log has");
        }
        for place in self.acts_named + 1..=self.acts.len() as u64 {
            self.find(
                "operator_log_broken",
                act_place(place),
                "is in the store, and the house log does not have it",
            );
        }
    }
}
