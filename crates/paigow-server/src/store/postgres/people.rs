//! People, sessions and operators in the database. One statement each, but for the log, whose entries need the one before.

use super::super::idle::idle_guest;
use super::super::words::{
    of_person_kind, of_session, parse, signed, to_hash, to_person_kind, to_session, to_time, unsigned,
};
use super::super::{GENESIS, StoreError};
use super::Postgres;
use super::read::all;
use crate::people::FORGET_AT_ONCE;
use crate::{Counts, NewAct, OperatorAct, People, Person, PersonName, Session, SessionOf};
use deadpool_postgres::{Client, GenericClient};
use paigow_table::{Currency, PlayerId, Time};
use std::collections::BTreeMap;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

impl Postgres {
    /// Changes rows with one statement, and says how many.
    async fn change(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, StoreError> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached(statement).await?;
        Ok(client.execute(&statement, values).await?)
    }

    async fn find<T>(
        &self,
        question: &str,
        values: &[&(dyn ToSql + Sync)],
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        all(&self.pool.get().await?, question, values, read).await
    }
}

impl People for Postgres {
    async fn enrol(&self, person: Person) -> Result<bool, StoreError> {
        let Person { id, name, kind, since } = person;
        let insert =
            "INSERT INTO people (id, name, kind, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
        let kind = of_person_kind(kind);
        Ok(self.change(insert, &[&id.as_str(), &name.as_str(), &kind, &signed(since.0)]).await? == 1)
    }

    async fn person(&self, id: &PlayerId) -> Result<Option<Person>, StoreError> {
        let question = "SELECT id, name, kind, since FROM people WHERE id = $1";
        Ok(self.find(question, &[&id.as_str()], to_person).await?.pop())
    }

    async fn people(&self, ids: &[PlayerId]) -> Result<BTreeMap<PlayerId, Person>, StoreError> {
        let ids: Vec<&str> = ids.iter().map(PlayerId::as_str).collect();
        let question = "SELECT id, name, kind, since FROM people WHERE id = ANY($1)";
        let found = self.find(question, &[&ids], to_person).await?;
        Ok(found.into_iter().map(|person| (person.id.clone(), person)).collect())
    }

    async fn rename(&self, id: &PlayerId, name: &PersonName) -> Result<bool, StoreError> {
        let update = "UPDATE people SET name = $2 WHERE id = $1";
        Ok(self.change(update, &[&id.as_str(), &name.as_str()]).await? == 1)
    }

    async fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> Result<Vec<(PlayerId, bool)>, StoreError> {
        let question = format!(
            "SELECT p.id, {} FROM people p WHERE p.kind = 'guest' AND p.id > $3 ORDER BY p.id LIMIT $4",
            idle_guest('$')
        );
        let after = after.map_or("", PlayerId::as_str);
        let read = |row: &Row| Ok((parse("a person's id", row.try_get(0)?)?, row.try_get(1)?));
        let (before, limit) = (signed(before.0), i64::from(limit));
        self.find(&question, &[&before, &currency.as_str(), &after, &limit], read).await
    }

    async fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> Result<bool, StoreError> {
        let delete = format!("DELETE FROM people AS p WHERE p.id = $3 AND {}", idle_guest('$'));
        Ok(self.change(&delete, &[&signed(before.0), &currency.as_str(), &id.as_str()]).await? == 1)
    }

    async fn guests_since(&self, time: Time) -> Result<u64, StoreError> {
        let question = "SELECT count(*) FROM people WHERE kind = 'guest' AND since >= $1";
        let count = self.find(question, &[&signed(time.0)], |row| unsigned(row.try_get(0)?)).await?;
        Ok(count.into_iter().sum())
    }

    async fn counts(&self, now: Time) -> Result<Counts, StoreError> {
        let question = "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM people), \
            (SELECT count(*) FROM sessions WHERE until > $1)";
        let read = |row: &Row| {
            let (tables, people) = (unsigned(row.try_get(0)?)?, unsigned(row.try_get(1)?)?);
            Ok(Counts { tables, people, sessions: unsigned(row.try_get(2)?)? })
        };
        Ok(self.find(question, &[&signed(now.0)], read).await?.pop().unwrap_or_default())
    }

    async fn begin_session(&self, session: Session) -> Result<bool, StoreError> {
        let Session { digest, who, since, seen, until } = session;
        let insert = "INSERT INTO sessions (digest, who, since, seen, until) VALUES ($1, $2, $3, $4, $5) \
            ON CONFLICT DO NOTHING";
        let (since, seen, until) = (signed(since.0), signed(seen.0), signed(until.0));
        Ok(self.change(insert, &[&&digest[..], &of_session(&who), &since, &seen, &until]).await? == 1)
    }

    async fn session(&self, digest: &[u8; 32], now: Time) -> Result<Option<Session>, StoreError> {
        let question =
            "SELECT digest, who, since, seen, until FROM sessions WHERE digest = $1 AND until > $2";
        Ok(self.find(question, &[&&digest[..], &signed(now.0)], to_session_row).await?.pop())
    }

    async fn touch_session(&self, digest: &[u8; 32], seen: Time, until: Time) -> Result<bool, StoreError> {
        let update = "UPDATE sessions SET seen = greatest(seen, $2), until = greatest(until, $3) \
            WHERE digest = $1 AND until > $2";
        Ok(self.change(update, &[&&digest[..], &signed(seen.0), &signed(until.0)]).await? == 1)
    }

    async fn end_session(&self, digest: &[u8; 32]) -> Result<bool, StoreError> {
        Ok(self.change("DELETE FROM sessions WHERE digest = $1", &[&&digest[..]]).await? == 1)
    }

    async fn end_sessions_of(&self, who: &SessionOf) -> Result<u64, StoreError> {
        self.change("DELETE FROM sessions WHERE who = $1", &[&of_session(who)]).await
    }

    async fn forget_sessions(&self, before: Time) -> Result<u64, StoreError> {
        // What another process is deleting already is left to it.
        let delete = "DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions \
            WHERE until <= $1 ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)";
        let mut forgotten = 0;
        loop {
            let deleted = self.change(delete, &[&signed(before.0), &i64::from(FORGET_AT_ONCE)]).await?;
            forgotten += deleted;
            if deleted < u64::from(FORGET_AT_ONCE) {
                return Ok(forgotten);
            }
        }
    }

    async fn claim_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<bool, StoreError> {
        let insert =
            "INSERT INTO operator_secret (one, digest, at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING";
        Ok(self.change(insert, &[&&digest[..], &signed(at.0)]).await? == 1)
    }

    async fn operator_secret(&self) -> Result<Option<[u8; 32]>, StoreError> {
        let question = "SELECT digest FROM operator_secret";
        Ok(self.find(question, &[], |row| to_hash(row.try_get(0)?)).await?.pop())
    }

    async fn replace_operator_secret(&self, digest: [u8; 32], at: Time) -> Result<(), StoreError> {
        // Written as a stretch, because that is how the index finds them: the semicolon comes after the colon.
        let replace = "WITH ended AS (DELETE FROM sessions WHERE who >= 'operator:' AND who < 'operator;') \
            INSERT INTO operator_secret (one, digest, at) VALUES (1, $1, $2) \
            ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, at = excluded.at";
        self.change(replace, &[&&digest[..], &signed(at.0)]).await?;
        Ok(())
    }

    async fn log_act(&self, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
        let pool = self.pool.clone();
        // In a task of its own: whoever asked may go away in the middle, and a transaction must not.
        let task = tokio::spawn(async move { append(&mut pool.get().await?, act, at).await });
        task.await.unwrap_or(Err(StoreError::Stopped))
    }

    async fn acts(&self, after: u64, limit: u32) -> Result<Vec<OperatorAct>, StoreError> {
        acts(&self.pool.get().await?, after, limit).await
    }
}

async fn append(client: &mut Client, act: NewAct, at: Time) -> Result<OperatorAct, StoreError> {
    let transaction = client.transaction().await?;
    // One entry follows another: who appends waits for who appends, and nobody who reads.
    transaction.batch_execute("LOCK TABLE operator_log IN EXCLUSIVE MODE").await?;
    let last = "SELECT place, hash FROM operator_log ORDER BY place DESC LIMIT 1";
    let (last, hash) = match transaction.query_opt(last, &[]).await? {
        Some(row) => (unsigned(row.try_get(0)?)?, to_hash(row.try_get(1)?)?),
        None => (0, GENESIS),
    };
    let act = act.after((last, &hash), at);
    let insert =
        "INSERT INTO operator_log (place, at, operator, what, detail, hash) VALUES ($1, $2, $3, $4, $5, $6)";
    let (place, at, operator) = (signed(act.place), signed(act.at.0), act.operator.as_str());
    transaction.execute(insert, &[&place, &at, &operator, &act.what, &act.detail, &&act.hash[..]]).await?;
    transaction.commit().await?;
    Ok(act)
}

pub(super) async fn acts(
    client: &impl GenericClient,
    after: u64,
    limit: u32,
) -> Result<Vec<OperatorAct>, StoreError> {
    let question = "SELECT place, at, operator, what, detail, hash FROM operator_log \
        WHERE place > $1 ORDER BY place LIMIT $2";
    all(client, question, &[&signed(after), &i64::from(limit)], to_act).await
}

fn to_person(row: &Row) -> Result<Person, StoreError> {
    Ok(Person {
        id: parse("a person", row.try_get(0)?)?,
        name: parse("a person's name", row.try_get(1)?)?,
        kind: to_person_kind(row.try_get(2)?)?,
        since: to_time(row.try_get(3)?)?,
    })
}

fn to_session_row(row: &Row) -> Result<Session, StoreError> {
    Ok(Session {
        digest: to_hash(row.try_get(0)?)?,
        who: to_session(row.try_get(1)?)?,
        since: to_time(row.try_get(2)?)?,
        seen: to_time(row.try_get(3)?)?,
        until: to_time(row.try_get(4)?)?,
    })
}

fn to_act(row: &Row) -> Result<OperatorAct, StoreError> {
    Ok(OperatorAct {
        place: unsigned(row.try_get(0)?)?,
        at: to_time(row.try_get(1)?)?,
        operator: parse("an operator", row.try_get(2)?)?,
        what: row.try_get(3)?,
        detail: row.try_get(4)?,
        hash: to_hash(row.try_get(5)?)?,
    })
}
