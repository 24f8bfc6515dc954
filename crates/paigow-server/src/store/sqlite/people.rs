//! People, sessions and operators in SQLite.

use super::super::encoding::{
    decode_hash, decode_person_kind, decode_session, decode_time, encode_person_kind, encode_session, parse,
    signed, unsigned,
};
use super::super::house::HAS_SIGNATURES;
use super::super::idle::{idle_guest, like_pattern};
use super::super::{GENESIS, HouseRecord, StoreError, name_digest};
use super::Sqlite;
use super::read::{self, all, first, text};
use crate::people::SESSION_DELETE_BATCH;
use crate::{
    Environment, JournalRow, NewAct, OperatorAct, People, Person, PersonName, Session, SessionOwner,
    StoreCounts, SystemEnvironment,
};
use paigow_table::{Account, Commitment, Currency, KeyId, Owner, PlayerId, Time};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use std::collections::BTreeMap;

impl People for Sqlite {
    async fn enrol(&self, person: Person) -> Result<bool, StoreError> {
        self.write_logged(person.since, move |connection| {
            let new = insert_person(connection, &person)?;
            Ok((new, new.then(|| HouseRecord::enrolled(&person)).into_iter().collect()))
        })
        .await
    }

    async fn person(&self, id: &PlayerId) -> Result<Option<Person>, StoreError> {
        let id = id.clone();
        self.read(move |connection| {
            let select = "SELECT id, name, kind, since FROM people WHERE id = ?1";
            first(&mut connection.prepare_cached(select)?, [id.as_str()], to_person)
        })
        .await
    }

    async fn people(&self, ids: &[PlayerId]) -> Result<BTreeMap<PlayerId, Person>, StoreError> {
        let ids: serde_json::Value = ids.iter().map(PlayerId::as_str).collect();
        let ids = ids.to_string();
        self.read(move |connection| {
            let select =
                "SELECT id, name, kind, since FROM people WHERE id IN (SELECT value FROM json_each(?1))";
            let found = all(&mut connection.prepare_cached(select)?, [ids], to_person)?;
            Ok(found.into_iter().map(|person| (person.id.clone(), person)).collect())
        })
        .await
    }

    async fn people_like(
        &self,
        part: &str,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> Result<Vec<Person>, StoreError> {
        let (pattern, after) = (like_pattern(part), after.map(ToString::to_string).unwrap_or_default());
        self.read(move |connection| {
            let select = "SELECT id, name, kind, since FROM people WHERE id > ?2 \
                AND (name LIKE ?1 ESCAPE '!' OR id LIKE ?1 ESCAPE '!') ORDER BY id LIMIT ?3";
            all(&mut connection.prepare_cached(select)?, params![pattern, after, limit], to_person)
        })
        .await
    }

    async fn balances_of(&self, owner: &Owner) -> Result<BTreeMap<Currency, i64>, StoreError> {
        let owner = owner.to_string();
        self.read(move |connection| {
            let select = "SELECT currency, sum(cents) FROM accounts WHERE owner = ?1 GROUP BY currency";
            let read = |row: &Row<'_>| Ok((parse("a currency", text(row, 0)?)?, row.get(1)?));
            Ok(all(&mut connection.prepare_cached(select)?, [owner], read)?.into_iter().collect())
        })
        .await
    }

    async fn latest_transfers(
        &self,
        account: &Account,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let account = account.clone();
        self.read(move |connection| read::latest_transfers(connection, &account, before, limit)).await
    }

    async fn rename(&self, id: &PlayerId, name: &PersonName) -> Result<bool, StoreError> {
        let (id, name) = (id.clone(), name.clone());
        self.write_logged(SystemEnvironment.now(), move |connection| {
            let mut update = connection.prepare_cached("UPDATE people SET name = ?2 WHERE id = ?1")?;
            let renamed = update.execute([id.as_str(), name.as_str()])? == 1;
            let record = HouseRecord::PersonRenamed { id, name: name_digest(&name) };
            Ok((renamed, renamed.then_some(record).into_iter().collect()))
        })
        .await
    }

    async fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> Result<Vec<(PlayerId, bool)>, StoreError> {
        let (after, currency) = (after.map(ToString::to_string).unwrap_or_default(), currency.to_string());
        self.read(move |connection| {
            let select = format!(
                "SELECT p.id, {} FROM people p WHERE p.kind = 'guest' AND p.id > ?3 ORDER BY p.id LIMIT ?4",
                idle_guest('?')
            );
            let mut select = connection.prepare_cached(&select)?;
            let mut rows = select.query(params![signed(before.0), currency, after, limit])?;
            let mut guests = Vec::new();
            while let Some(row) = rows.next()? {
                guests.push((parse("a person's id", text(row, 0)?)?, row.get(1)?));
            }
            Ok(guests)
        })
        .await
    }

    async fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> Result<bool, StoreError> {
        let (id, currency) = (id.clone(), currency.to_string());
        self.write_logged(SystemEnvironment.now(), move |connection| {
            let delete = format!("DELETE FROM people AS p WHERE p.id = ?3 AND {}", idle_guest('?'));
            let values = params![signed(before.0), currency, id.as_str()];
            let removed = connection.prepare_cached(&delete)?.execute(values)? == 1;
            Ok((removed, removed.then_some(HouseRecord::PersonRemoved { id }).into_iter().collect()))
        })
        .await
    }

    async fn guests_since(&self, time: Time) -> Result<u64, StoreError> {
        self.read(move |connection| {
            let select = "SELECT count(*) FROM people WHERE kind = 'guest' AND since >= ?1";
            unsigned(connection.prepare_cached(select)?.query_row([signed(time.0)], |row| row.get(0))?)
        })
        .await
    }

    async fn counts(&self, now: Time) -> Result<StoreCounts, StoreError> {
        self.read(move |connection| {
            let select = "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM people), \
                (SELECT count(*) FROM sessions WHERE until > ?1)";
            let mut select = connection.prepare_cached(select)?;
            let (tables, people, sessions) =
                select.query_row([signed(now.0)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let (tables, people, sessions) = (unsigned(tables)?, unsigned(people)?, unsigned(sessions)?);
            Ok(StoreCounts { tables, people, sessions })
        })
        .await
    }

    async fn begin_session(&self, session: Session) -> Result<bool, StoreError> {
        self.write_logged(session.since, move |connection| {
            let (new, record) = insert_session(connection, &session)?;
            Ok((new, record.into_iter().collect()))
        })
        .await
    }

    async fn session(&self, digest: &[u8; 32], now: Time) -> Result<Option<Session>, StoreError> {
        let digest = *digest;
        self.read(move |connection| {
            let select = format!("{SESSION} WHERE digest = ?1 AND until > ?2");
            let values = params![digest, signed(now.0)];
            first(&mut connection.prepare_cached(&select)?, values, to_session_row)
        })
        .await
    }

    async fn sessions_of(&self, who: &SessionOwner, now: Time) -> Result<Vec<Session>, StoreError> {
        let who = encode_session(who);
        self.read(move |connection| {
            let select = format!("{SESSION} WHERE who = ?1 AND until > ?2 ORDER BY seen DESC, digest");
            all(&mut connection.prepare_cached(&select)?, params![who, signed(now.0)], to_session_row)
        })
        .await
    }

    async fn touch_session(&self, digest: &[u8; 32], seen: Time, until: Time) -> Result<bool, StoreError> {
        let digest = *digest;
        self.write(move |connection| {
            let update = "UPDATE sessions SET seen = max(seen, ?2), until = max(until, ?3) \
                WHERE digest = ?1 AND until > ?2";
            let values = params![digest, signed(seen.0), signed(until.0)];
            Ok(connection.prepare_cached(update)?.execute(values)? == 1)
        })
        .await
    }

    async fn end_session(&self, digest: &[u8; 32]) -> Result<bool, StoreError> {
        let digest = *digest;
        self.write_logged(SystemEnvironment.now(), move |connection| {
            let ended = SessionDeletion::delete(connection, "digest = ?1", [digest])?;
            Ok((ended.count == 1, ended.records))
        })
        .await
    }

    async fn end_sessions_of(&self, who: &SessionOwner) -> Result<u64, StoreError> {
        let who = encode_session(who);
        self.write_logged(SystemEnvironment.now(), move |connection| {
            let ended = SessionDeletion::delete(connection, "who = ?1", [who])?;
            Ok((ended.count, ended.records))
        })
        .await
    }

    async fn forget_sessions(&self, before: Time) -> Result<u64, StoreError> {
        let mut total = 0;
        loop {
            let deleted = self
                .write_logged(SystemEnvironment.now(), move |connection| {
                    let condition =
                        "digest IN (SELECT digest FROM sessions WHERE until <= ?1 ORDER BY until LIMIT ?2)";
                    let ended = SessionDeletion::delete(
                        connection,
                        condition,
                        (signed(before.0), SESSION_DELETE_BATCH),
                    )?;
                    Ok((ended.count, ended.records))
                })
                .await?;
            total += deleted;
            if deleted < u64::from(SESSION_DELETE_BATCH) {
                return Ok(total);
            }
        }
    }

    async fn claim_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<bool, StoreError> {
        self.write_logged(at, move |connection| {
            let insert = "INSERT INTO operator_secret (one, digest, at) VALUES (1, ?1, ?2) \
                ON CONFLICT (one) DO NOTHING";
            let claimed = connection.prepare_cached(insert)?.execute(params![digest, signed(at.0)])? == 1;
            let record = HouseRecord::SecretClaimed { digest: Commitment(digest) };
            Ok((claimed, claimed.then_some(record).into_iter().collect()))
        })
        .await
    }

    async fn operator_secret(&self) -> Result<Option<[u8; 32]>, StoreError> {
        self.read(|connection| secret(connection)).await
    }

    async fn replace_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<(), StoreError> {
        self.write_logged(at, move |connection| {
            let insert = "INSERT INTO operator_secret (one, digest, at) VALUES (1, ?1, ?2) \
                ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, at = excluded.at";
            connection.prepare_cached(insert)?.execute(params![digest, signed(at.0)])?;
            let ended = SessionDeletion::delete(connection, IS_OPERATOR, ())?;
            let mut records = vec![HouseRecord::SecretReplaced { digest: Commitment(digest) }];
            records.extend(ended.records);
            Ok(((), records))
        })
        .await
    }

    async fn note_start(&self, key: KeyId, at: Time) -> Result<(), StoreError> {
        self.write_logged(at, move |_| Ok(((), vec![HouseRecord::Started { key }]))).await
    }

    async fn has_signatures(&self) -> Result<bool, StoreError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(HAS_SIGNATURES)?;
            Ok(select.query_row((), |row| row.get(0))?)
        })
        .await
    }

    async fn log_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        self.write_logged(at, move |connection| {
            let last = connection
                .prepare_cached("SELECT place, hash FROM operator_log ORDER BY place DESC LIMIT 1")?
                .query_row((), |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let (last, hash) = last.unwrap_or((0, GENESIS));
            let act = act.after((unsigned(last)?, &hash), at);
            let insert = "INSERT INTO operator_log (place, at, operator, what, detail, hash) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let (seq, at) = (signed(act.place), signed(act.at.0));
            let values = params![seq, at, act.operator.as_str(), act.what, act.detail, act.hash];
            connection.prepare_cached(insert)?.execute(values)?;
            let record = HouseRecord::act(&act);
            Ok((act, vec![record]))
        })
        .await
    }

    async fn acts(&self, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
        self.read(move |connection| acts(connection, after, limit)).await
    }
}

/// Adds a person. Returns `false` if the id is taken.
pub(super) fn insert_person(connection: &Connection, person: &Person) -> Result<bool, StoreError> {
    let Person { id, name, kind, since } = person;
    let insert =
        "INSERT INTO people (id, name, kind, since) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING";
    let values = params![id.as_str(), name.as_str(), encode_person_kind(*kind), signed(since.0)];
    Ok(connection.prepare_cached(insert)?.execute(values)? == 1)
}

/// Adds a session. Returns `false` if its digest is taken, and the record of an operator's session.
pub(super) fn insert_session(
    connection: &Connection,
    session: &Session,
) -> Result<(bool, Option<HouseRecord>), StoreError> {
    let Session { digest, who, since, seen, until, client } = session;
    let insert = "INSERT INTO sessions (digest, who, since, seen, until, client) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (digest) DO NOTHING";
    let (since, seen, until) = (signed(since.0), signed(seen.0), signed(until.0));
    let values = params![digest, encode_session(who), since, seen, until, client];
    let new = connection.prepare_cached(insert)?.execute(values)? == 1;
    let is_logged = new && matches!(who, SessionOwner::Operator(_));
    Ok((new, is_logged.then(|| HouseRecord::begun(session))))
}

const SESSION: &str = "SELECT digest, who, since, seen, until, client FROM sessions";

/// Condition for operators' sessions. A range, so that the index is used. The semicolon follows the colon in ASCII.
const IS_OPERATOR: &str = "who >= 'operator:' AND who < 'operator;'";

/// Result of deleting sessions.
pub(super) struct SessionDeletion {
    count: u64,
    /// Records for the house log about operators' sessions.
    pub(super) records: Vec<HouseRecord>,
}

impl SessionDeletion {
    /// Deletes the sessions that meet a condition.
    pub(super) fn delete(
        connection: &Connection,
        condition: &str,
        values: impl Params,
    ) -> Result<SessionDeletion, StoreError> {
        let delete = format!("DELETE FROM sessions WHERE {condition} RETURNING digest, {IS_OPERATOR}");
        let ended = all(&mut connection.prepare_cached(&delete)?, values, |row| {
            Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, bool>(1)?))
        })?;
        let records = ended.iter().filter(|(_, is_operator)| *is_operator);
        let records = records.map(|(digest, _)| HouseRecord::ended(*digest)).collect();
        Ok(SessionDeletion { count: ended.len() as u64, records })
    }
}

/// Returns up to `limit` people after an id, in the order of ids.
pub(super) fn people_after(
    connection: &Connection,
    after: &str,
    limit: u32,
) -> Result<Vec<Person>, StoreError> {
    let select = "SELECT id, name, kind, since FROM people WHERE id > ?1 ORDER BY id LIMIT ?2";
    all(&mut connection.prepare_cached(select)?, (after, limit), to_person)
}

pub(super) fn operators_sessions(connection: &Connection) -> Result<Vec<Session>, StoreError> {
    let select = format!("{SESSION} WHERE {IS_OPERATOR} ORDER BY digest");
    all(&mut connection.prepare_cached(&select)?, (), to_session_row)
}

pub(super) fn secret(connection: &Connection) -> Result<Option<[u8; 32]>, StoreError> {
    let mut select = connection.prepare_cached("SELECT digest FROM operator_secret")?;
    first(&mut select, (), |row| decode_hash(&row.get::<_, Vec<u8>>(0)?))
}

pub(super) fn acts(connection: &Connection, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
    let select = "SELECT place, at, operator, what, detail, hash FROM operator_log \
        WHERE place > ?1 ORDER BY place LIMIT ?2";
    all(&mut connection.prepare_cached(select)?, (signed(after), limit), to_act)
}

fn to_person(row: &Row<'_>) -> Result<Person, StoreError> {
    Ok(Person {
        id: parse("a person", text(row, 0)?)?,
        name: parse("a person's name", text(row, 1)?)?,
        kind: decode_person_kind(text(row, 2)?)?,
        since: decode_time(row.get(3)?)?,
    })
}

fn to_session_row(row: &Row<'_>) -> Result<Session, StoreError> {
    Ok(Session {
        digest: decode_hash(&row.get::<_, Vec<u8>>(0)?)?,
        who: decode_session(text(row, 1)?)?,
        since: decode_time(row.get(2)?)?,
        seen: decode_time(row.get(3)?)?,
        until: decode_time(row.get(4)?)?,
        client: text(row, 5)?.to_owned(),
    })
}

fn to_act(row: &Row<'_>) -> Result<OperatorAct, StoreError> {
    Ok(OperatorAct {
        place: unsigned(row.get(0)?)?,
        at: decode_time(row.get(1)?)?,
        operator: parse("an operator", text(row, 2)?)?,
        what: text(row, 3)?.to_owned(),
        detail: text(row, 4)?.to_owned(),
        hash: decode_hash(&row.get::<_, Vec<u8>>(5)?)?,
    })
}
