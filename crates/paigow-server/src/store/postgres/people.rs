//! People, sessions and operators in PostgreSQL. Each write is one statement plus its entries of the house log.

use super::super::encoding::{
    decode_hash, decode_person_kind, decode_session, decode_time, encode_person_kind, encode_session, parse,
    signed, unsigned,
};
use super::super::house::HAS_SIGNATURES;
use super::super::idle::{idle_guest, like_pattern};
use super::super::{GENESIS, HouseRecord, StoreError, name_digest};
use super::Postgres;
use super::house::{self, Values};
use super::read::{self, all};
use crate::people::SESSION_DELETE_BATCH;
use crate::{
    Environment, JournalRow, NewAct, OperatorAct, People, Person, PersonName, Session, SessionOwner,
    StoreCounts, SystemEnvironment,
};
use deadpool_postgres::GenericClient;
use paigow_table::{Account, Commitment, Currency, KeyId, Owner, PlayerId, Time};
use std::collections::BTreeMap;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

impl Postgres {
    /// Executes one statement. Returns the number of rows changed.
    pub(super) async fn change(
        &self,
        statement: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<u64, StoreError> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached(statement).await?;
        Ok(client.execute(&statement, values).await?)
    }

    pub(super) async fn find<T>(
        &self,
        query: &str,
        values: &[&(dyn ToSql + Sync)],
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        all(&self.pool.get().await?, query, values, read).await
    }
}

const SESSION: &str = "SELECT digest, who, since, seen, until, client FROM sessions";

/// Condition for operators' sessions. A range, so that the index is used. The semicolon follows the colon in ASCII.
const IS_OPERATOR: &str = "who >= 'operator:' AND who < 'operator;'";

impl Postgres {
    /// Deletes operators' sessions with a statement that returns their digests, and logs it. Returns their number.
    async fn end_logged(&self, delete: &'static str, values: Values) -> Result<u64, StoreError> {
        Ok(self.change_logged(SystemEnvironment.now(), delete, values, ended).await?.len() as u64)
    }

    async fn append_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        let _guard = self.house_log_lock.lock().await;
        let mut client = self.pool.get().await?;
        let transaction = client.transaction().await?;
        // The lock of the house log also protects the operators' log, because each act has an entry in both.
        transaction.batch_execute(house::LOCK).await?;
        let last = "SELECT place, hash FROM operator_log ORDER BY place DESC LIMIT 1";
        let (last, hash) = match transaction.query_opt(last, &[]).await? {
            Some(row) => (unsigned(row.try_get(0)?)?, decode_hash(row.try_get(1)?)?),
            None => (0, GENESIS),
        };
        let act = act.after((last, &hash), at);
        let insert = "INSERT INTO operator_log (place, at, operator, what, detail, hash) VALUES ($1, $2, $3, $4, $5, $6)";
        let (seq, time, operator) = (signed(act.place), signed(act.at.0), act.operator.as_str());
        transaction
            .execute(insert, &[&seq, &time, &operator, &act.what, &act.detail, &&act.hash[..]])
            .await?;
        house::append(&transaction, &self.signer, at, &[HouseRecord::act(&act)]).await?;
        transaction.commit().await?;
        Ok(act)
    }
}

/// Adds a person unless the id is taken.
pub(super) const INSERT_PERSON: &str = "INSERT INTO people (id, name, kind, since) VALUES ($1, $2, $3, $4) \
    ON CONFLICT DO NOTHING RETURNING id";

/// Adds a session unless its digest is taken.
pub(super) const INSERT_SESSION: &str = "INSERT INTO sessions (digest, who, since, seen, until, client) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING digest";

impl People for Postgres {
    async fn enrol(&self, person: Person) -> Result<bool, StoreError> {
        let Person { id, name, kind, since } = &person;
        let values: Values = vec![
            Box::new(id.to_string()),
            Box::new(name.to_string()),
            Box::new(encode_person_kind(*kind)),
            Box::new(signed(since.0)),
        ];
        let record = HouseRecord::enrolled(&person);
        let new = self.change_logged(person.since, INSERT_PERSON, values, if_changed(record)).await?;
        Ok(new.len() == 1)
    }

    async fn person(&self, id: &PlayerId) -> Result<Option<Person>, StoreError> {
        let query = "SELECT id, name, kind, since FROM people WHERE id = $1";
        Ok(self.find(query, &[&id.as_str()], to_person).await?.pop())
    }

    async fn people(&self, ids: &[PlayerId]) -> Result<BTreeMap<PlayerId, Person>, StoreError> {
        let ids: Vec<&str> = ids.iter().map(PlayerId::as_str).collect();
        let query = "SELECT id, name, kind, since FROM people WHERE id = ANY($1)";
        let found = self.find(query, &[&ids], to_person).await?;
        Ok(found.into_iter().map(|person| (person.id.clone(), person)).collect())
    }

    async fn people_like(
        &self,
        part: &str,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> Result<Vec<Person>, StoreError> {
        let query = "SELECT id, name, kind, since FROM people WHERE id > $2 \
            AND (name ILIKE $1 ESCAPE '!' OR id ILIKE $1 ESCAPE '!') ORDER BY id LIMIT $3";
        let (after, limit) = (after.map_or("", PlayerId::as_str), i64::from(limit));
        self.find(query, &[&like_pattern(part), &after, &limit], to_person).await
    }

    async fn balances_of(&self, owner: &Owner) -> Result<BTreeMap<Currency, i64>, StoreError> {
        let query = "SELECT currency, sum(cents)::bigint FROM accounts WHERE owner = $1 GROUP BY currency";
        let read = |row: &Row| Ok((parse("a currency", row.try_get(0)?)?, row.try_get(1)?));
        Ok(self.find(query, &[&owner.to_string()], read).await?.into_iter().collect())
    }

    async fn latest_transfers(
        &self,
        account: &Account,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        read::latest_transfers(&self.pool.get().await?, account, before, limit).await
    }

    async fn rename(&self, id: &PlayerId, name: &PersonName) -> Result<bool, StoreError> {
        let update = "UPDATE people SET name = $2 WHERE id = $1 RETURNING id";
        let values: Values = vec![Box::new(id.to_string()), Box::new(name.to_string())];
        let record = HouseRecord::PersonRenamed { id: id.clone(), name: name_digest(name) };
        let renamed = self.change_logged(SystemEnvironment.now(), update, values, if_changed(record)).await?;
        Ok(renamed.len() == 1)
    }

    async fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> Result<Vec<(PlayerId, bool)>, StoreError> {
        let query = format!(
            "SELECT p.id, {} FROM people p WHERE p.kind = 'guest' AND p.id > $3 ORDER BY p.id LIMIT $4",
            idle_guest('$')
        );
        let after = after.map_or("", PlayerId::as_str);
        let read = |row: &Row| Ok((parse("a person's id", row.try_get(0)?)?, row.try_get(1)?));
        let (before, limit) = (signed(before.0), i64::from(limit));
        self.find(&query, &[&before, &currency.as_str(), &after, &limit], read).await
    }

    async fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> Result<bool, StoreError> {
        let delete =
            format!("DELETE FROM people AS p WHERE p.id = $3 AND {} RETURNING p.id", idle_guest('$'));
        let values: Values =
            vec![Box::new(signed(before.0)), Box::new(currency.to_string()), Box::new(id.to_string())];
        let record = HouseRecord::PersonRemoved { id: id.clone() };
        let removed =
            self.change_logged(SystemEnvironment.now(), &delete, values, if_changed(record)).await?;
        Ok(removed.len() == 1)
    }

    async fn guests_since(&self, time: Time) -> Result<u64, StoreError> {
        let query = "SELECT count(*) FROM people WHERE kind = 'guest' AND since >= $1";
        let count = self.find(query, &[&signed(time.0)], |row| unsigned(row.try_get(0)?)).await?;
        Ok(count.into_iter().sum())
    }

    async fn counts(&self, now: Time) -> Result<StoreCounts, StoreError> {
        let query = "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM people), \
            (SELECT count(*) FROM sessions WHERE until > $1)";
        let read = |row: &Row| {
            let (tables, people) = (unsigned(row.try_get(0)?)?, unsigned(row.try_get(1)?)?);
            Ok(StoreCounts { tables, people, sessions: unsigned(row.try_get(2)?)? })
        };
        Ok(self.find(query, &[&signed(now.0)], read).await?.pop().unwrap_or_default())
    }

    async fn begin_session(&self, session: Session) -> Result<bool, StoreError> {
        let Session { digest, who, since, seen, until, client } = &session;
        let (digest, owner) = (digest.to_vec(), encode_session(who));
        let (since, seen, until) = (signed(since.0), signed(seen.0), signed(until.0));
        if let SessionOwner::Player(_) = who {
            return Ok(self
                .change(INSERT_SESSION, &[&digest, &owner, &since, &seen, &until, client])
                .await?
                == 1);
        }
        let values: Values = vec![
            Box::new(digest),
            Box::new(owner),
            Box::new(since),
            Box::new(seen),
            Box::new(until),
            Box::new(client.clone()),
        ];
        let record = HouseRecord::begun(&session);
        Ok(self.change_logged(session.since, INSERT_SESSION, values, if_changed(record)).await?.len() == 1)
    }

    async fn session(&self, digest: &[u8; 32], now: Time) -> Result<Option<Session>, StoreError> {
        let query = format!("{SESSION} WHERE digest = $1 AND until > $2");
        Ok(self.find(&query, &[&&digest[..], &signed(now.0)], to_session_row).await?.pop())
    }

    async fn sessions_of(&self, who: &SessionOwner, now: Time) -> Result<Vec<Session>, StoreError> {
        let query = format!("{SESSION} WHERE who = $1 AND until > $2 ORDER BY seen DESC, digest");
        self.find(&query, &[&encode_session(who), &signed(now.0)], to_session_row).await
    }

    async fn touch_session(&self, digest: &[u8; 32], seen: Time, until: Time) -> Result<bool, StoreError> {
        let update = "UPDATE sessions SET seen = greatest(seen, $2), until = greatest(until, $3) \
            WHERE digest = $1 AND until > $2";
        Ok(self.change(update, &[&&digest[..], &signed(seen.0), &signed(until.0)]).await? == 1)
    }

    async fn end_session(&self, digest: &[u8; 32]) -> Result<bool, StoreError> {
        let players = format!("DELETE FROM sessions WHERE digest = $1 AND NOT ({IS_OPERATOR})");
        if self.change(&players, &[&&digest[..]]).await? == 1 {
            return Ok(true);
        }
        let delete = "DELETE FROM sessions WHERE digest = $1 RETURNING digest";
        Ok(self.end_logged(delete, vec![Box::new(digest.to_vec())]).await? == 1)
    }

    async fn end_sessions_of(&self, who: &SessionOwner) -> Result<u64, StoreError> {
        const DELETE: &str = "DELETE FROM sessions WHERE who = $1 RETURNING digest";
        match who {
            SessionOwner::Player(_) => self.change(DELETE, &[&encode_session(who)]).await,
            SessionOwner::Operator(_) => self.end_logged(DELETE, vec![Box::new(encode_session(who))]).await,
        }
    }

    async fn forget_sessions(&self, before: Time) -> Result<u64, StoreError> {
        // Rows that another process is deleting are skipped.
        let players = format!(
            "DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions \
             WHERE until <= $1 AND NOT ({IS_OPERATOR}) ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)"
        );
        let operators = format!("SELECT EXISTS (SELECT FROM sessions WHERE until <= $1 AND {IS_OPERATOR})");
        let mut total = 0;
        // The house log is locked only if an operator's session has expired.
        if self.find(&operators, &[&signed(before.0)], |row| Ok(row.try_get::<_, bool>(0)?)).await? == [true]
        {
            let delete = "DELETE FROM sessions WHERE until <= $1 AND who >= 'operator:' AND who < 'operator;' \
                RETURNING digest";
            total += self.end_logged(delete, vec![Box::new(signed(before.0))]).await?;
        }
        loop {
            let deleted =
                self.change(&players, &[&signed(before.0), &i64::from(SESSION_DELETE_BATCH)]).await?;
            total += deleted;
            if deleted < u64::from(SESSION_DELETE_BATCH) {
                return Ok(total);
            }
        }
    }

    async fn claim_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<bool, StoreError> {
        let insert = "INSERT INTO operator_secret (one, digest, at) VALUES (1, $1, $2) \
            ON CONFLICT DO NOTHING RETURNING one";
        let values: Values = vec![Box::new(digest.to_vec()), Box::new(signed(at.0))];
        let record = HouseRecord::SecretClaimed { digest: Commitment(digest) };
        Ok(self.change_logged(at, insert, values, if_changed(record)).await?.len() == 1)
    }

    async fn operator_secret(&self) -> Result<Option<[u8; 32]>, StoreError> {
        secret(&self.pool.get().await?).await
    }

    async fn replace_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<(), StoreError> {
        let replace = "WITH ended AS \
            (DELETE FROM sessions WHERE who >= 'operator:' AND who < 'operator;' RETURNING digest), \
            replaced AS (INSERT INTO operator_secret (one, digest, at) VALUES (1, $1, $2) \
            ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, at = excluded.at) \
            SELECT digest FROM ended";
        let values: Values = vec![Box::new(digest.to_vec()), Box::new(signed(at.0))];
        let records = move |rows: &[Row]| {
            let mut records = vec![HouseRecord::SecretReplaced { digest: Commitment(digest) }];
            records.extend(ended(rows)?);
            Ok(records)
        };
        self.change_logged(at, replace, values, records).await?;
        Ok(())
    }

    async fn note_start(&self, key: KeyId, at: Time) -> Result<(), StoreError> {
        let records = move |_: &[Row]| Ok(vec![HouseRecord::Started { key }]);
        self.change_logged(at, "SELECT 1", Values::new(), records).await?;
        Ok(())
    }

    async fn has_signatures(&self) -> Result<bool, StoreError> {
        Ok(self.pool.get().await?.query_one(HAS_SIGNATURES, &[]).await?.try_get(0)?)
    }

    async fn log_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        let store = self.clone();
        // In a separate task, so that a cancelled caller does not leave a transaction unfinished.
        let task = tokio::spawn(async move { store.append_act(act, at).await });
        task.await.unwrap_or(Err(StoreError::Stopped))
    }

    async fn acts(&self, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
        acts(&self.pool.get().await?, after, limit).await
    }
}

/// Returns the record if the statement returned a row, and no records if it did not.
fn if_changed(
    record: HouseRecord,
) -> impl FnOnce(&[Row]) -> Result<Vec<HouseRecord>, StoreError> + Send + 'static {
    move |rows| Ok(rows.first().map(|_| record).into_iter().collect())
}

/// Records for deleted sessions of operators. The rows contain their digests.
fn ended(rows: &[Row]) -> Result<Vec<HouseRecord>, StoreError> {
    rows.iter().map(|row| Ok(HouseRecord::ended(decode_hash(row.try_get(0)?)?))).collect()
}

/// Returns up to `limit` people after an id, in the order of ids.
pub(super) async fn people_after(
    client: &impl GenericClient,
    after: &str,
    limit: u32,
) -> Result<Vec<Person>, StoreError> {
    let query = "SELECT id, name, kind, since FROM people WHERE id > $1 ORDER BY id LIMIT $2";
    all(client, query, &[&after, &i64::from(limit)], to_person).await
}

pub(super) async fn operators_sessions(client: &impl GenericClient) -> Result<Vec<Session>, StoreError> {
    let query = format!("{SESSION} WHERE {IS_OPERATOR} ORDER BY digest");
    all(client, &query, &[], to_session_row).await
}

pub(super) async fn secret(client: &impl GenericClient) -> Result<Option<[u8; 32]>, StoreError> {
    let query = "SELECT digest FROM operator_secret";
    Ok(all(client, query, &[], |row| decode_hash(row.try_get(0)?)).await?.pop())
}

pub(super) async fn acts(
    client: &impl GenericClient,
    after: u64,
    limit: u32,
) -> Result<Vec<OperatorAct>, StoreError> {
    let query = "SELECT place, at, operator, what, detail, hash FROM operator_log \
        WHERE place > $1 ORDER BY place LIMIT $2";
    all(client, query, &[&signed(after), &i64::from(limit)], to_act).await
}

fn to_person(row: &Row) -> Result<Person, StoreError> {
    Ok(Person {
        id: parse("a person", row.try_get(0)?)?,
        name: parse("a person's name", row.try_get(1)?)?,
        kind: decode_person_kind(row.try_get(2)?)?,
        since: decode_time(row.try_get(3)?)?,
    })
}

fn to_session_row(row: &Row) -> Result<Session, StoreError> {
    Ok(Session {
        digest: decode_hash(row.try_get(0)?)?,
        who: decode_session(row.try_get(1)?)?,
        since: decode_time(row.try_get(2)?)?,
        seen: decode_time(row.try_get(3)?)?,
        until: decode_time(row.try_get(4)?)?,
        client: row.try_get(5)?,
    })
}

fn to_act(row: &Row) -> Result<OperatorAct, StoreError> {
    Ok(OperatorAct {
        place: unsigned(row.try_get(0)?)?,
        at: decode_time(row.try_get(1)?)?,
        operator: parse("an operator", row.try_get(2)?)?,
        what: row.try_get(3)?,
        detail: row.try_get(4)?,
        hash: decode_hash(row.try_get(5)?)?,
    })
}
