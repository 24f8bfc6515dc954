//! Examination of a PostgreSQL database without a write.

use super::super::encoding::{decode_hash, decode_time, unsigned};
use super::super::ends::NEWEST;
use super::super::facts::{DOCUMENTS_SINCE, NEWEST_SIGNED, NEWEST_START, ROUNDS, StoreFacts, key_of_start};
use super::super::house::HouseLogEntry;
use super::super::{StoreError, StoreLocation};
use super::{schema, tls};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config};

/// Time between the two readings of the database's clock.
const CLOCK_INTERVAL: Duration = Duration::from_millis(500);

/// Settings of the server that are read.
const SETTINGS: &str = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', \
    'synchronous_commit', 'data_checksums', 'max_connections', 'superuser_reserved_connections', \
    'server_version', 'server_version_num', 'server_encoding')";

/// Facts about a PostgreSQL database.
pub(crate) struct PostgresFacts {
    /// Facts about the store, or why the database is none.
    pub(crate) store: Result<StoreFacts, StoreError>,
    pub(crate) settings: BTreeMap<String, String>,
    /// Number of connections of all clients, without the one of this examination.
    pub(crate) connections: i64,
    pub(crate) is_superuser: bool,
    /// Whether the server is a replica, which cannot be written.
    pub(crate) is_replica: bool,
    pub(crate) security: ConnectionSecurity,
    /// Offsets of the database's clock from this machine's in milliseconds, read one after the other.
    pub(crate) offsets_ms: [i64; 2],
}

/// Protection of the connection against readers on the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionSecurity {
    /// The connection is encrypted.
    Tls,
    /// The connection stays on this machine.
    Local,
    /// Every machine between the two can read the connection.
    Plain,
}

/// Whether an address has a password.
pub(crate) fn has_password(address: &str) -> bool {
    address.parse::<Config>().is_ok_and(|config| config.get_password().is_some())
}

/// Reads the facts about the database at an address.
pub(crate) async fn examine(address: &str) -> Result<PostgresFacts, StoreError> {
    let invalid = |why: String| StoreError::Address { address: StoreLocation::from(address.to_owned()), why };
    let (config, tls) = tls::parse(address).map_err(invalid)?;
    let (client, connection) = config.connect(tls).await?;
    let connection = tokio::spawn(connection);
    // A fault of this program must not change the store.
    client.batch_execute("SET default_transaction_read_only = on").await?;
    let rows = client.query(SETTINGS, &[]).await?;
    let settings = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let row = client
        .query_one(
            "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' \
             AND pid <> pg_backend_pid()), coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false), \
             pg_is_in_recovery(), coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)",
            &[],
        )
        .await?;
    let first = clock_offset(&client).await?;
    tokio::time::sleep(CLOCK_INTERVAL).await;
    let facts = PostgresFacts {
        store: store_facts(&client).await,
        settings,
        connections: row.get(0),
        is_superuser: row.get(1),
        is_replica: row.get(2),
        security: match row.get(3) {
            true => ConnectionSecurity::Tls,
            false if config.get_hosts().iter().all(is_local) => ConnectionSecurity::Local,
            false => ConnectionSecurity::Plain,
        },
        offsets_ms: [first, clock_offset(&client).await?],
    };
    drop(client);
    // The connection ends with its client; an error at its end changes no fact.
    let _ = connection.await;
    Ok(facts)
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Returns the offset of the database's clock, compared with the middle of the request.
async fn clock_offset(client: &Client) -> Result<i64, StoreError> {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as i64);
    let before = now();
    let query = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
    let theirs: i64 = client.query_one(query, &[]).await?.get(0);
    Ok(theirs - i64::midpoint(before, now()))
}

async fn store_facts(client: &Client) -> Result<StoreFacts, StoreError> {
    let known = schema::known();
    let named = "SELECT to_regclass('paigow_version') IS NOT NULL, to_regclass('tables') IS NOT NULL, \
        pg_database_size(current_database())";
    let row = client.query_one(named, &[]).await?;
    let (versioned, other): (bool, bool) = (row.get(0), row.get(1));
    let mut facts = StoreFacts { known, bytes: unsigned(row.get(2))?, ..StoreFacts::default() };
    if !versioned {
        return if other { Err(StoreError::Foreign) } else { Ok(facts) };
    }
    facts.version = client.query_one("SELECT version FROM paigow_version", &[]).await?.get(0);
    if facts.version > known {
        return Err(StoreError::Newer { found: facts.version, known });
    }
    if facts.version == 0 {
        return Ok(facts);
    }
    facts.rounds = unsigned(client.query_one(ROUNDS, &[]).await?.get(0))?;
    let newest: Option<i64> = client.query_one(NEWEST, &[]).await?.get(0);
    facts.newest = newest.map(decode_time).transpose()?;
    if facts.version >= schema::HOUSE_LOG_SINCE {
        if let Some(row) = client.query_opt(NEWEST_SIGNED, &[]).await? {
            facts.signed = Some(HouseLogEntry {
                seq: unsigned(row.get(0))?,
                at: decode_time(row.get(1))?,
                json: row.get(2),
                hash: decode_hash(row.get(3))?,
                signature: row.get::<_, &[u8]>(4).try_into().ok(),
            });
        }
        let started = client.query_opt(NEWEST_START, &[]).await?;
        facts.started_with = started.and_then(|row| key_of_start(row.get(0)));
    }
    if facts.version >= DOCUMENTS_SINCE {
        let used = "SELECT EXISTS (SELECT 1 FROM documents JOIN operator_secret \
            ON documents.id = encode(operator_secret.digest, 'hex') WHERE documents.kind = 'secret_use')";
        facts.secret_is_used = client.query_one(used, &[]).await?.get(0);
    }
    Ok(facts)
}
