//! Documents and ceremonies in PostgreSQL.

use super::super::encoding::{
    decode_document_kind, decode_hash, encode_person_kind, encode_session, signed, unsigned,
};
use super::super::{HouseRecord, StoreError, name_digest};
use super::Postgres;
use super::house;
use super::people::{INSERT_PERSON, INSERT_SESSION};
use super::read::all;
use crate::{
    DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, PeopleChange, Person, Session,
    SessionOwner, StoredDocument,
};
use deadpool_postgres::{GenericClient, Transaction};
use paigow_table::Time;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

impl Documents for Postgres {
    async fn document(&self, key: &DocumentKey) -> Result<Option<StoredDocument>, StoreError> {
        let query = "SELECT kind, id, version, json FROM documents WHERE kind = $1 AND id = $2";
        Ok(self.find(query, &[&key.kind.name(), &key.id], to_document).await?.pop())
    }

    async fn documents(
        &self,
        kind: DocumentKind,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        let query = "SELECT kind, id, version, json FROM documents \
            WHERE kind = $1 AND id > $2 ORDER BY id LIMIT $3";
        let (after, limit) = (after.unwrap_or_default(), i64::from(limit));
        self.find(query, &[&kind.name(), &after, &limit], to_document).await
    }

    async fn newest_documents(
        &self,
        kind: DocumentKind,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        let query = "SELECT kind, id, version, json FROM documents WHERE kind = $1 \
            ORDER BY (json::json->>'at')::bigint DESC, id LIMIT $2";
        self.find(query, &[&kind.name(), &i64::from(limit)], to_document).await
    }

    async fn change_people(&self, change: PeopleChange, at: Time) -> Result<bool, StoreError> {
        let store = self.clone();
        // In a separate task, so that a cancelled caller does not leave a transaction unfinished.
        let task = tokio::spawn(async move { store.commit_change(change, at).await });
        task.await.unwrap_or(Err(StoreError::Stopped))
    }

    async fn put_ceremony(&self, id: [u8; 32], json: String, until: Time) -> Result<(), StoreError> {
        let insert = "INSERT INTO ceremonies (id, json, until) VALUES ($1, $2, $3)";
        self.change(insert, &[&&id[..], &json, &signed(until.0)]).await?;
        Ok(())
    }

    async fn take_ceremony(&self, id: &[u8; 32], now: Time) -> Result<Option<String>, StoreError> {
        let delete = "DELETE FROM ceremonies WHERE id = $1 RETURNING json, until > $2";
        let read = |row: &Row| Ok((row.try_get::<_, String>(0)?, row.try_get::<_, bool>(1)?));
        let taken = self.find(delete, &[&&id[..], &signed(now.0)], read).await?.pop();
        Ok(taken.and_then(|(json, is_current)| is_current.then_some(json)))
    }

    async fn forget_ceremonies(&self, before: Time) -> Result<u64, StoreError> {
        self.change("DELETE FROM ceremonies WHERE until <= $1", &[&signed(before.0)]).await
    }
}

impl Postgres {
    async fn commit_change(&self, change: PeopleChange, at: Time) -> Result<bool, StoreError> {
        let _guard = self.house_log_lock.lock().await;
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        transaction.batch_execute(house::LOCK).await?;
        for (key, version) in &change.required {
            let select = "SELECT version FROM documents WHERE kind = $1 AND id = $2";
            let found = transaction.query_opt(select, &[&key.kind.name(), &key.id]).await?;
            let found = found.map_or(Ok(0), |row| row.try_get(0))?;
            if unsigned(found)? != *version {
                return Ok(false);
            }
        }
        let mut records = Vec::new();
        for write in &change.documents {
            if !write_document(&transaction, write).await? {
                return Ok(false);
            }
            records.push(HouseRecord::document(write));
        }
        if let Some(person) = &change.enrol {
            let Person { id, name, kind, since } = person;
            let (id, name, kind) = (id.as_str(), name.as_str(), encode_person_kind(*kind));
            if transaction.execute(INSERT_PERSON, &[&id, &name, &kind, &signed(since.0)]).await? != 1 {
                return Ok(false);
            }
            records.push(HouseRecord::enrolled(person));
        }
        for (id, name) in change.renames {
            let update = "UPDATE people SET name = $2 WHERE id = $1";
            if transaction.execute(update, &[&id.as_str(), &name.as_str()]).await? != 1 {
                return Ok(false);
            }
            records.push(HouseRecord::PersonRenamed { id, name: name_digest(&name) });
        }
        if let Some(id) = change.remove {
            if transaction.execute("DELETE FROM people WHERE id = $1", &[&id.as_str()]).await? != 1 {
                return Ok(false);
            }
            records.push(HouseRecord::PersonRemoved { id });
        }
        if let Some(end) = change.end_sessions {
            records.extend(end_sessions(&transaction, &end).await?);
        }
        if let Some(session) = &change.begin_session {
            let Session { digest, who, since, seen, until, client } = session;
            let (since, seen, until) = (signed(since.0), signed(seen.0), signed(until.0));
            let values: [&(dyn ToSql + Sync); 6] =
                [&&digest[..], &encode_session(who), &since, &seen, &until, client];
            transaction.execute(INSERT_SESSION, &values).await?;
            records.extend(matches!(who, SessionOwner::Operator(_)).then(|| HouseRecord::begun(session)));
        }
        house::append(&transaction, &self.signer, at, &records).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Writes a document. Returns `false` if it does not have the expected version.
async fn write_document(transaction: &Transaction<'_>, write: &DocumentWrite) -> Result<bool, StoreError> {
    let DocumentWrite { key, expected, json } = write;
    let (kind, id, expected) = (key.kind.name(), key.id.as_str(), signed(*expected));
    let written = match json {
        None => {
            let delete = "DELETE FROM documents WHERE kind = $1 AND id = $2 AND version = $3";
            transaction.execute(delete, &[&kind, &id, &expected]).await?
        }
        Some(json) if expected == 0 => {
            let insert = "INSERT INTO documents (kind, id, version, json) VALUES ($1, $2, 1, $3) \
                ON CONFLICT DO NOTHING";
            transaction.execute(insert, &[&kind, &id, json]).await?
        }
        Some(json) => {
            let update = "UPDATE documents SET version = version + 1, json = $4 \
                WHERE kind = $1 AND id = $2 AND version = $3";
            transaction.execute(update, &[&kind, &id, &expected, json]).await?
        }
    };
    Ok(written == 1)
}

/// Ends sessions. Returns the records of operators' sessions; those of players are not logged.
async fn end_sessions(
    transaction: &Transaction<'_>,
    end: &EndSessions,
) -> Result<Vec<HouseRecord>, StoreError> {
    let except = end.except.map(|digest| digest.to_vec()).unwrap_or_default();
    let delete = "DELETE FROM sessions WHERE who = $1 AND digest <> $2 RETURNING digest";
    let rows = transaction.query(delete, &[&encode_session(&end.of), &except]).await?;
    match end.of {
        SessionOwner::Player(_) => Ok(Vec::new()),
        SessionOwner::Operator(_) => {
            rows.iter().map(|row| Ok(HouseRecord::ended(decode_hash(row.try_get(0)?)?))).collect()
        }
    }
}

/// Returns up to `limit` documents after a key, in the order of keys.
pub(super) async fn documents_after(
    client: &impl GenericClient,
    after: &(String, String),
    limit: u32,
) -> Result<Vec<StoredDocument>, StoreError> {
    let query = "SELECT kind, id, version, json FROM documents WHERE (kind, id) > ($1, $2) \
        ORDER BY kind, id LIMIT $3";
    all(client, query, &[&after.0, &after.1, &i64::from(limit)], to_document).await
}

fn to_document(row: &Row) -> Result<StoredDocument, StoreError> {
    Ok(StoredDocument {
        key: DocumentKey { kind: decode_document_kind(row.try_get(0)?)?, id: row.try_get(1)? },
        version: unsigned(row.try_get(2)?)?,
        json: row.try_get(3)?,
    })
}
