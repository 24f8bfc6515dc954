//! Checks of an SQLite store.

use super::{DoctorCheck, disk, examine_sqlite, unreadable, version_check};
use crate::store::{SqliteFacts, StoreFacts};
use std::path::Path;

/// Adds the checks of a file. Returns the facts about the store, if it could be read.
pub(super) fn checks(file: &Path, checks: &mut Vec<DoctorCheck>) -> Option<StoreFacts> {
    checks.push(disk::file_system(file));
    if !file.exists() {
        checks.push(DoctorCheck::ok(
            "store",
            format!("{} is missing; the first start creates it", file.display()),
        ));
        checks.push(disk::space(file, &StoreFacts::default()));
        return None;
    }
    let SqliteFacts { store, is_wal, damage, log_unread } = match examine_sqlite(file) {
        Ok(facts) => facts,
        Err(error) => {
            checks.push(unreadable(&error));
            return None;
        }
    };
    checks.push(version_check(&store));
    checks.push(if is_wal || store.version == 0 {
        DoctorCheck::ok("durability", "write-ahead log; the server syncs every commit (synchronous = FULL)")
    } else {
        let advice = "the next start changes it; find out which program changed it";
        DoctorCheck::warning("durability", "the file is not in WAL mode", advice)
    });
    checks.push(match damage.first() {
        Some(first) => {
            let found = format!("SQLite found damage: {first}");
            DoctorCheck::fault("integrity", found, "stop the server, keep the file, and restore a backup")
        }
        None if log_unread => {
            let advice = "start the server, which reads the log, or restore the file beside its log";
            DoctorCheck::warning(
                "integrity",
                "the write-ahead log was not read: its index is missing",
                advice,
            )
        }
        None => DoctorCheck::ok("integrity", "SQLite found no damage; `paigow audit` checks the content"),
    });
    checks.push(disk::space(file, &store));
    damage.is_empty().then_some(store)
}
