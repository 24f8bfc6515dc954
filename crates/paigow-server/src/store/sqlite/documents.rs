//! Documents and ceremonies in SQLite.

use super::super::encoding::{decode_document_kind, encode_session, signed, unsigned};
use super::super::{HouseRecord, StoreError, name_digest};
use super::Sqlite;
use super::people::{SessionDeletion, insert_person, insert_session};
use super::read::{all, first, text};
use crate::{
    DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, PeopleChange, PersonName,
    StoredDocument,
};
use paigow_table::{PlayerId, Time};
use rusqlite::{Connection, OptionalExtension, Row, params};

impl Documents for Sqlite {
    async fn document(&self, key: &DocumentKey) -> Result<Option<StoredDocument>, StoreError> {
        let key = key.clone();
        self.read(move |connection| {
            let select = "SELECT kind, id, version, json FROM documents WHERE kind = ?1 AND id = ?2";
            first(&mut connection.prepare_cached(select)?, (key.kind.name(), key.id), to_document)
        })
        .await
    }

    async fn documents(
        &self,
        kind: DocumentKind,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        let after = after.unwrap_or_default().to_owned();
        self.read(move |connection| {
            let select = "SELECT kind, id, version, json FROM documents \
                WHERE kind = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
            all(&mut connection.prepare_cached(select)?, (kind.name(), after, limit), to_document)
        })
        .await
    }

    async fn newest_documents(
        &self,
        kind: DocumentKind,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        self.read(move |connection| {
            let select = "SELECT kind, id, version, json FROM documents WHERE kind = ?1 \
                ORDER BY json_extract(json, '$.at') DESC, id LIMIT ?2";
            all(&mut connection.prepare_cached(select)?, (kind.name(), limit), to_document)
        })
        .await
    }

    async fn change_people(&self, change: PeopleChange, at: Time) -> Result<bool, StoreError> {
        let result = self
            .write_logged(at, move |connection| {
                for (key, version) in &change.required {
                    if version_of(connection, key)? != *version {
                        return Err(StoreError::Outdated);
                    }
                }
                let mut records = Vec::new();
                for write in &change.documents {
                    records.push(write_document(connection, write)?);
                }
                if let Some(person) = &change.enrol {
                    records
                        .push(current(insert_person(connection, person)?, || HouseRecord::enrolled(person))?);
                }
                for person in change.renames {
                    records.push(rename(connection, person)?);
                }
                records.extend(change.remove.map(|id| remove(connection, id)).transpose()?);
                if let Some(end) = change.end_sessions {
                    records.extend(end_sessions(connection, &end)?);
                }
                if let Some(session) = &change.begin_session {
                    records.extend(insert_session(connection, session)?.1);
                }
                Ok(((), records))
            })
            .await;
        // An error rolls the transaction back.
        match result {
            Ok(()) => Ok(true),
            Err(StoreError::Outdated) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn put_ceremony(&self, id: [u8; 32], json: String, until: Time) -> Result<(), StoreError> {
        self.write(move |connection| {
            let insert = "INSERT INTO ceremonies (id, json, until) VALUES (?1, ?2, ?3)";
            connection.prepare_cached(insert)?.execute(params![id, json, signed(until.0)])?;
            Ok(())
        })
        .await
    }

    async fn take_ceremony(&self, id: &[u8; 32], now: Time) -> Result<Option<String>, StoreError> {
        let id = *id;
        self.write(move |connection| {
            let delete = "DELETE FROM ceremonies WHERE id = ?1 RETURNING json, until > ?2";
            let mut delete = connection.prepare_cached(delete)?;
            let taken = delete
                .query_row(params![id, signed(now.0)], |row| Ok((row.get(0)?, row.get::<_, bool>(1)?)))
                .optional()?;
            Ok(taken.and_then(|(json, is_current)| is_current.then_some(json)))
        })
        .await
    }

    async fn forget_ceremonies(&self, before: Time) -> Result<u64, StoreError> {
        self.write(move |connection| {
            let delete = "DELETE FROM ceremonies WHERE until <= ?1";
            Ok(connection.prepare_cached(delete)?.execute([signed(before.0)])? as u64)
        })
        .await
    }
}

/// Returns the version of a document, or 0 if there is none.
fn version_of(connection: &Connection, key: &DocumentKey) -> Result<u64, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT version FROM documents WHERE kind = ?1 AND id = ?2")?;
    let version = select.query_row((key.kind.name(), &key.id), |row| row.get(0)).optional()?;
    unsigned(version.unwrap_or(0))
}

fn write_document(connection: &Connection, write: &DocumentWrite) -> Result<HouseRecord, StoreError> {
    let DocumentWrite { key, expected, json } = write;
    let (kind, id, expected) = (key.kind.name(), key.id.as_str(), signed(*expected));
    let written = match json {
        None => connection
            .prepare_cached("DELETE FROM documents WHERE kind = ?1 AND id = ?2 AND version = ?3")?
            .execute(params![kind, id, expected])?,
        Some(json) if expected == 0 => connection
            .prepare_cached(
                "INSERT INTO documents (kind, id, version, json) VALUES (?1, ?2, 1, ?3) ON CONFLICT DO NOTHING",
            )?
            .execute(params![kind, id, json])?,
        Some(json) => connection
            .prepare_cached(
                "UPDATE documents SET version = version + 1, json = ?4 WHERE kind = ?1 AND id = ?2 AND version = ?3",
            )?
            .execute(params![kind, id, expected, json])?,
    };
    current(written == 1, || HouseRecord::document(write))
}

fn rename(connection: &Connection, (id, name): (PlayerId, PersonName)) -> Result<HouseRecord, StoreError> {
    let mut update = connection.prepare_cached("UPDATE people SET name = ?2 WHERE id = ?1")?;
    let renamed = update.execute([id.as_str(), name.as_str()])? == 1;
    current(renamed, || HouseRecord::PersonRenamed { id, name: name_digest(&name) })
}

fn remove(connection: &Connection, id: PlayerId) -> Result<HouseRecord, StoreError> {
    let removed = connection.prepare_cached("DELETE FROM people WHERE id = ?1")?.execute([id.as_str()])? == 1;
    current(removed, || HouseRecord::PersonRemoved { id })
}

fn current(is_current: bool, record: impl FnOnce() -> HouseRecord) -> Result<HouseRecord, StoreError> {
    if is_current { Ok(record()) } else { Err(StoreError::Outdated) }
}

fn end_sessions(connection: &Connection, end: &EndSessions) -> Result<Vec<HouseRecord>, StoreError> {
    let except = end.except.map(|digest| digest.to_vec()).unwrap_or_default();
    let values = params![encode_session(&end.of), except];
    Ok(SessionDeletion::delete(connection, "who = ?1 AND digest <> ?2", values)?.records)
}

/// Returns up to `limit` documents after a key, in the order of keys.
pub(super) fn documents_after(
    connection: &Connection,
    after: &(String, String),
    limit: u32,
) -> Result<Vec<StoredDocument>, StoreError> {
    let select = "SELECT kind, id, version, json FROM documents WHERE (kind, id) > (?1, ?2) \
        ORDER BY kind, id LIMIT ?3";
    all(&mut connection.prepare_cached(select)?, (&after.0, &after.1, limit), to_document)
}

fn to_document(row: &Row<'_>) -> Result<StoredDocument, StoreError> {
    Ok(StoredDocument {
        key: DocumentKey { kind: decode_document_kind(text(row, 0)?)?, id: text(row, 1)?.to_owned() },
        version: unsigned(row.get(2)?)?,
        json: text(row, 3)?.to_owned(),
    })
}
