//! Checks of a PostgreSQL store.

use super::{DoctorCheck, block_on, clock, disk, examine_postgres, unreadable, version_check};
use crate::settings::Settings;
use crate::store::{CONNECTIONS_MAX, ConnectionSecurity, PostgresFacts, StoreFacts};

/// Oldest supported version, as PostgreSQL numbers it.
const VERSION_MIN: i64 = 130_000;

/// Adds the checks of the database. Returns the facts about the store, if it could be read.
pub(super) fn checks(settings: &Settings, checks: &mut Vec<DoctorCheck>) -> Option<StoreFacts> {
    let facts = match block_on(examine_postgres(settings.store.reveal())) {
        Ok(facts) => facts,
        Err(error) => {
            checks.push(unreadable(&error));
            return None;
        }
    };
    checks.push(server(&facts));
    checks.push(durability(&facts, settings.allow_unsafe_postgres));
    checks.push(checksums(&facts));
    checks.push(connections(&facts));
    checks.push(encryption(&facts));
    checks.push(role(&facts));
    checks.push(clock::against_database(facts.offsets_ms));
    match facts.store {
        Ok(store) => {
            checks.push(version_check(&store));
            let found = format!("a round takes {} bytes", disk::round_bytes(&store));
            checks.push(DoctorCheck::ok(
                "disk of the store",
                format!("{found}; the server's disk is not visible here"),
            ));
            Some(store)
        }
        Err(error) => {
            checks.push(unreadable(&error));
            None
        }
    }
}

impl PostgresFacts {
    fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("unknown", String::as_str)
    }

    fn number(&self, name: &str) -> i64 {
        self.setting(name).parse().unwrap_or(0)
    }
}

fn server(facts: &PostgresFacts) -> DoctorCheck {
    const NAME: &str = "database";
    let found = format!("PostgreSQL {}", facts.setting("server_version"));
    if facts.number("server_version_num") < VERSION_MIN {
        return DoctorCheck::fault(NAME, found, "use PostgreSQL 13 or newer");
    }
    if facts.is_replica {
        let advice = "set `store` to the address of the primary server";
        return DoctorCheck::fault(NAME, format!("{found}, a replica that cannot be written"), advice);
    }
    let encoding = facts.setting("server_encoding");
    if encoding != "UTF8" {
        let advice = "create the database with the encoding UTF8";
        return DoctorCheck::fault(NAME, format!("{found} with the encoding {encoding}"), advice);
    }
    DoctorCheck::ok(NAME, found)
}

fn durability(facts: &PostgresFacts, is_allowed: bool) -> DoctorCheck {
    const NAME: &str = "durability";
    let off: Vec<String> = ["fsync", "full_page_writes", "synchronous_commit"]
        .into_iter()
        .filter(|name| facts.setting(name) == "off")
        .map(|name| format!("{name} = off"))
        .collect();
    if off.is_empty() {
        return DoctorCheck::ok(NAME, "fsync, full_page_writes and synchronous_commit are on");
    }
    let found = format!("{}: a power cut loses acknowledged commands", off.join(", "));
    if is_allowed {
        return DoctorCheck::warning(NAME, found, "turn it on, and remove allow_unsafe_postgres");
    }
    DoctorCheck::fault(NAME, found, "turn it on in PostgreSQL")
}

fn checksums(facts: &PostgresFacts) -> DoctorCheck {
    const NAME: &str = "data checksums";
    if facts.setting("data_checksums") == "on" {
        return DoctorCheck::ok(NAME, "on");
    }
    let advice = "stop PostgreSQL and run `pg_checksums --enable`";
    DoctorCheck::warning(NAME, "off: PostgreSQL does not notice pages that the disk has damaged", advice)
}

fn connections(facts: &PostgresFacts) -> DoctorCheck {
    const NAME: &str = "connections";
    let max = facts.number("max_connections") - facts.number("superuser_reserved_connections");
    let free = max - facts.connections;
    let needed = i64::try_from(CONNECTIONS_MAX).unwrap_or(i64::MAX);
    let found = format!("{free} of {max} are free, and a process uses up to {needed}");
    let advice = "raise max_connections, or close other clients";
    if max < needed {
        return DoctorCheck::fault(NAME, found, advice);
    }
    // A running server of this store has its own connections.
    if free < needed {
        return DoctorCheck::warning(NAME, found, advice);
    }
    DoctorCheck::ok(NAME, found)
}

fn encryption(facts: &PostgresFacts) -> DoctorCheck {
    const NAME: &str = "encryption";
    match facts.security {
        ConnectionSecurity::Tls => DoctorCheck::ok(NAME, "the connection uses TLS"),
        ConnectionSecurity::Local => DoctorCheck::ok(NAME, "the connection stays on this machine"),
        ConnectionSecurity::Plain => {
            let advice = "keep the database in a network you trust, or encrypt the connection";
            DoctorCheck::warning(NAME, "the connection to another machine is not encrypted", advice)
        }
    }
}

fn role(facts: &PostgresFacts) -> DoctorCheck {
    const NAME: &str = "database role";
    if facts.is_superuser {
        let advice = "use a role that owns only this database: CREATE ROLE paigow LOGIN; ALTER DATABASE … OWNER TO paigow";
        return DoctorCheck::warning(NAME, "the role is a superuser", advice);
    }
    DoctorCheck::ok(NAME, "the role is not a superuser")
}

#[cfg(test)]
mod tests {
    use super::super::CheckLevel::{self, Fault, Ok, Warning};
    use super::*;

    fn facts(changes: &[(&str, &str)]) -> PostgresFacts {
        let usual = [
            ("server_version", "15.1"),
            ("server_version_num", "150001"),
            ("server_encoding", "UTF8"),
            ("max_connections", "100"),
            ("superuser_reserved_connections", "3"),
        ];
        let settings = usual.iter().chain(changes);
        PostgresFacts {
            store: Result::Ok(StoreFacts::default()),
            settings: settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            connections: 0,
            is_superuser: false,
            is_replica: false,
            security: ConnectionSecurity::Plain,
            offsets_ms: [0, 0],
        }
    }

    #[test]
    fn old_servers_replicas_and_other_encodings_are_faults() {
        let level = |changes: &[(&str, &str)]| server(&facts(changes)).level;
        assert_eq!((level(&[]), level(&[("server_version_num", "129999")])), (Ok, Fault));
        assert_eq!(level(&[("server_encoding", "SQL_ASCII")]), Fault);
        assert_eq!(server(&PostgresFacts { is_replica: true, ..facts(&[]) }).level, Fault);
    }

    #[test]
    fn connections_must_suffice_for_one_process() {
        let level = |max: &str, connections: i64| -> CheckLevel {
            self::connections(&PostgresFacts { connections, ..facts(&[("max_connections", max)]) }).level
        };
        assert_eq!((level("20", 0), level("19", 0), level("20", 1)), (Ok, Fault, Warning));
    }

    #[test]
    fn connection_to_another_machine_should_be_encrypted() {
        let remote = facts(&[]);
        assert_eq!(encryption(&remote).level, Warning);
        assert_eq!(encryption(&PostgresFacts { security: ConnectionSecurity::Tls, ..remote }).level, Ok);
    }
}
