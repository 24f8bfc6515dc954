//! Documents: JSON values about accounts and operators, each with a version and an entry of the house log per write.
//!
//! A write names the version it replaces. Of several writers that read the same version, exactly one succeeds; the
//! others read again. A [`PeopleChange`] groups documents with changes of people and sessions in one transaction.

use super::{Person, PersonName, Session, SessionOwner};
use crate::StoreError;
use paigow_table::{PlayerId, Time};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::future::Future;

/// Kind of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// Account of a player, by player id.
    Account,
    /// Name that an account has claimed, by the digest of its normalized form.
    AccountName,
    /// Limits that a player has set, by player id.
    Limits,
    /// Players who may sit at a table, by table.
    TableAccess,
    /// Invitation to a table, by the digest of its secret.
    Invitation,
    /// Operator, by name.
    Operator,
    /// Request that waits for a second operator, by id.
    Approval,
    /// Use of an operator secret, by the digest of the secret.
    SecretUse,
}

impl DocumentKind {
    /// Name of the kind in the store.
    pub fn name(self) -> &'static str {
        match self {
            DocumentKind::Account => "account",
            DocumentKind::AccountName => "account_name",
            DocumentKind::Limits => "limits",
            DocumentKind::TableAccess => "table_access",
            DocumentKind::Invitation => "invitation",
            DocumentKind::Operator => "operator",
            DocumentKind::Approval => "approval",
            DocumentKind::SecretUse => "secret_use",
        }
    }
}

/// Kind and id of a document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DocumentKey {
    /// Kind of the document.
    pub kind: DocumentKind,
    /// Id, unique among the documents of the kind.
    pub id: String,
}

/// A stored document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredDocument {
    /// Kind and id.
    pub key: DocumentKey,
    /// Number of writes so far, counted from 1.
    pub version: u64,
    /// Content as JSON.
    pub json: String,
}

/// Write of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentWrite {
    /// Kind and id.
    pub key: DocumentKey,
    /// Version that the write replaces. 0: there must be no such document.
    pub expected: u64,
    /// New content as JSON, or `None` to delete the document.
    pub json: Option<String>,
}

/// Sessions to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndSessions {
    /// Owner of the sessions.
    pub of: SessionOwner,
    /// Digest of the session that stays.
    pub except: Option<[u8; 32]>,
}

/// Changes of documents, people and sessions that are committed together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PeopleChange {
    /// Versions that documents must have, although the change does not write them. 0: there must be no such document.
    pub required: Vec<(DocumentKey, u64)>,
    /// Documents to write.
    pub documents: Vec<DocumentWrite>,
    /// Person to add.
    pub enrol: Option<Person>,
    /// People to rename.
    pub renames: Vec<(PlayerId, PersonName)>,
    /// Person to remove. The journal keeps the id.
    pub remove: Option<PlayerId>,
    /// Sessions to end.
    pub end_sessions: Option<EndSessions>,
    /// Session to begin.
    pub begin_session: Option<Session>,
}

/// Storage of documents and ceremonies.
pub trait Documents: Send + Sync {
    /// Returns a document.
    fn document(
        &self,
        key: &DocumentKey,
    ) -> impl Future<Output = Result<Option<StoredDocument>, StoreError>> + Send;

    /// Returns the first `limit` documents of a kind after an id, in the order of ids.
    fn documents(
        &self,
        kind: DocumentKind,
        after: Option<&str>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredDocument>, StoreError>> + Send;

    /// Returns the newest `limit` documents of a kind, by the time `at` of their JSON, the newest first.
    fn newest_documents(
        &self,
        kind: DocumentKind,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredDocument>, StoreError>> + Send;

    /// Commits a change. Returns `false` and changes nothing if a document does not have its expected version, the id of
    /// the person to add is taken, or a person to rename or remove is unknown.
    fn change_people(
        &self,
        change: PeopleChange,
        at: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Stores the state of a registration or sign-in until its second request.
    fn put_ceremony(
        &self,
        id: [u8; 32],
        json: String,
        until: Time,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Returns and deletes a ceremony, or returns `None` if it is unknown, was used, or has expired.
    fn take_ceremony(
        &self,
        id: &[u8; 32],
        now: Time,
    ) -> impl Future<Output = Result<Option<String>, StoreError>> + Send;

    /// Deletes the ceremonies that expired by a time. Returns their number.
    fn forget_ceremonies(&self, before: Time) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

/// Time for which a decided approval, an expired invitation and the access to a closed table are kept, in milliseconds:
/// 30 days.
pub(crate) const KEEP_ENDED_MS: u64 = 30 * 24 * 3_600_000;

/// Value that is stored as a document.
pub(crate) trait Stored: Serialize + DeserializeOwned + Send {
    /// Kind of the document.
    const KIND: DocumentKind;
}

/// A value with the id and version of its document.
#[derive(Clone, Debug)]
pub(crate) struct Versioned<T> {
    pub(crate) id: String,
    /// 0 for a value that is not stored yet.
    version: u64,
    pub(crate) value: T,
}

impl<T: Stored> Versioned<T> {
    /// Makes a value that is not stored yet.
    pub(crate) fn new(id: impl Into<String>, value: T) -> Versioned<T> {
        Versioned { id: id.into(), version: 0, value }
    }

    fn key(&self) -> DocumentKey {
        DocumentKey { kind: T::KIND, id: self.id.clone() }
    }

    /// Returns the write that stores the value in place of the version that was read.
    pub(crate) fn write(&self) -> DocumentWrite {
        // Stored types have only texts, numbers and lists, so serialization cannot fail.
        let json = serde_json::to_string(&self.value).unwrap_or_default();
        DocumentWrite { key: self.key(), expected: self.version, json: Some(json) }
    }

    /// Returns the requirement that the document still has the version that was read.
    pub(crate) fn requirement(&self) -> (DocumentKey, u64) {
        (self.key(), self.version)
    }

    /// Returns the write that deletes the version that was read.
    pub(crate) fn deletion(&self) -> DocumentWrite {
        DocumentWrite { key: self.key(), expected: self.version, json: None }
    }
}

/// Returns a stored value.
pub(crate) async fn load<T: Stored>(
    store: &impl Documents,
    id: &str,
) -> Result<Option<Versioned<T>>, StoreError> {
    let key = DocumentKey { kind: T::KIND, id: id.to_owned() };
    store.document(&key).await?.map(decode).transpose()
}

/// Returns the first `limit` stored values after an id, in the order of ids.
pub(crate) async fn load_page<T: Stored>(
    store: &impl Documents,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<Versioned<T>>, StoreError> {
    store.documents(T::KIND, after, limit).await?.into_iter().map(decode).collect()
}

/// Returns the newest `limit` stored values of a kind whose documents have the time `at`, the newest first.
pub(crate) async fn load_newest<T: Stored>(
    store: &impl Documents,
    limit: u32,
) -> Result<Vec<Versioned<T>>, StoreError> {
    store.newest_documents(T::KIND, limit).await?.into_iter().map(decode).collect()
}

fn decode<T: Stored>(
    StoredDocument { key, version, json }: StoredDocument,
) -> Result<Versioned<T>, StoreError> {
    let value = serde_json::from_str(&json).map_err(|why| StoreError::Unreadable {
        location: format!("document {} {}", key.kind.name(), key.id),
        why: why.to_string(),
    })?;
    Ok(Versioned { id: key.id, version, value })
}
