//! Checks of disks: free space, growth of the store, kind of the file system, and the cache.

use super::DoctorCheck;
use crate::store::StoreFacts;
use paigow_answers::Cache;
use std::path::Path;

const GIB: u64 = 1 << 30;
/// Free space below which the server may soon stop.
const FREE_MIN: u64 = GIB / 8;
/// Free space below which an operator should make room.
const FREE_LOW: u64 = GIB;
/// Size of a round in a store without rounds, in bytes. It is the measured size of a round of four players.
const ROUND_BYTES: u64 = 15_000;

/// Formats a number of bytes, such as `12.3 GiB`.
pub(super) fn size(bytes: u64) -> String {
    let units = [("GiB", GIB), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let unit = units.into_iter().find(|(_, unit)| bytes >= *unit);
    unit.map_or_else(
        || format!("{bytes} bytes"),
        |(name, unit)| format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
    )
}

/// Returns the folder of a file.
pub(super) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the bytes that a round takes in this store.
pub(super) fn round_bytes(facts: &StoreFacts) -> u64 {
    facts.bytes.checked_div(facts.rounds).unwrap_or(ROUND_BYTES).max(1)
}

/// Checks the free space for a store and its write-ahead log, which are in the same folder.
pub(super) fn space(file: &Path, facts: &StoreFacts) -> DoctorCheck {
    const NAME: &str = "disk of the store";
    match free_bytes(folder(file)) {
        Ok(free) => space_check(NAME, free, round_bytes(facts)),
        Err(why) => {
            DoctorCheck::warning(NAME, format!("cannot read the free space: {why}"), "check the disk")
        }
    }
}

fn space_check(name: &'static str, free: u64, round: u64) -> DoctorCheck {
    let rounds = free / round;
    let found = format!("{} free, room for about {rounds} rounds of {round} bytes", size(free));
    let advice = "make room, or move the store to a larger disk";
    match free {
        free if free < FREE_MIN => DoctorCheck::fault(name, found, advice),
        free if free < FREE_LOW => DoctorCheck::warning(name, found, advice),
        _ => DoctorCheck::ok(name, found),
    }
}

/// Checks that the cache of results can be written.
pub(super) fn cache() -> DoctorCheck {
    cache_check(Cache::open().as_ref().map(Cache::folder))
}

fn cache_check(path: Option<&Path>) -> DoctorCheck {
    const NAME: &str = "cache";
    let advice =
        "set PAIGOW_CACHE to a folder that the server may write; without one, every answer is computed again";
    let Some(path) = path else { return DoctorCheck::warning(NAME, "there is no cache folder", advice) };
    // A missing folder is created with the first result.
    let Some(existing) = path.ancestors().find(|folder| folder.exists()) else {
        return DoctorCheck::warning(NAME, format!("{} does not exist", path.display()), advice);
    };
    match is_writable(existing) {
        Err(why) => DoctorCheck::warning(NAME, format!("{}: {why}", existing.display()), advice),
        Ok(()) => match free_bytes(existing) {
            Ok(free) if free < 2 * GIB => {
                let found = format!("{}: {} free", path.display(), size(free));
                DoctorCheck::warning(NAME, found, "make room: twelve tables of worths take 1.3 GB")
            }
            _ => DoctorCheck::ok(NAME, path.display().to_string()),
        },
    }
}

/// Checks whether this process may create files in a folder.
#[cfg(unix)]
pub(super) fn is_writable(folder: &Path) -> std::io::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    // With the effective user, which opens the files later.
    Ok(accessat(CWD, folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)?)
}

#[cfg(not(unix))]
pub(super) fn is_writable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> std::io::Result<u64> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Checks that the file system keeps locks and syncs, on which SQLite relies.
pub(super) fn file_system(file: &Path) -> DoctorCheck {
    match file_system_type(folder(file)) {
        Some(kind) => file_system_check(kind),
        None => DoctorCheck::ok("file system", "not known"),
    }
}

fn file_system_check(kind: u64) -> DoctorCheck {
    const NAME: &str = "file system";
    let disk = "move the store to a local disk, or use PostgreSQL";
    // Magic numbers of Linux, from the manual page of statfs.
    match kind {
        0x6969 => DoctorCheck::fault(NAME, "NFS, on which SQLite may be damaged", disk),
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => {
            DoctorCheck::fault(NAME, "SMB or CIFS, on which SQLite may be damaged", disk)
        }
        0x0102_1994 | 0x8584_58f6 => DoctorCheck::warning(
            NAME,
            "in memory (tmpfs or ramfs): a restart of the machine loses the store",
            disk,
        ),
        0x794c_7630 => {
            let advice = "keep the store on a volume of the container";
            DoctorCheck::warning(NAME, "overlay: a new container begins without the store", advice)
        }
        0x6573_5546 => DoctorCheck::warning(NAME, "FUSE, which may ignore locks and syncs", disk),
        0x0102_1997 => DoctorCheck::warning(NAME, "9P, which may ignore locks and syncs", disk),
        other => DoctorCheck::ok(NAME, format!("type {other:#x}, not known as unsafe")),
    }
}

#[cfg(target_os = "linux")]
fn file_system_type(folder: &Path) -> Option<u64> {
    // The numbers have 32 bits; some platforms store them with a sign.
    let disk = rustix::fs::statfs(folder).ok()?;
    u64::try_from(i128::from(disk.f_type) & 0xffff_ffff).ok()
}

#[cfg(not(target_os = "linux"))]
fn file_system_type(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::super::CheckLevel::{Fault, Ok, Warning};
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!([0, 1_023, 1_536, 5 << 30].map(size), ["0 bytes", "1023 bytes", "1.5 KiB", "5.0 GiB"]);
    }

    #[test]
    fn little_space_is_reported_with_the_rounds_that_fit() {
        let level = |free| space_check("disk", free, 1_000).level;
        assert_eq!(
            [FREE_MIN - 1, FREE_MIN, FREE_LOW - 1, FREE_LOW].map(level),
            [Fault, Warning, Warning, Ok]
        );
        assert!(space_check("disk", 5_000_000, 5_000).found.contains("room for about 1000 rounds"));
        let facts = StoreFacts { bytes: 8_000, rounds: 4, ..StoreFacts::default() };
        assert_eq!((round_bytes(&facts), round_bytes(&StoreFacts::default())), (2_000, ROUND_BYTES));
    }

    #[test]
    fn unsafe_file_systems_are_reported() {
        let levels = [0x6969, 0xff53_4d42, 0x0102_1994, 0x794c_7630, 0x6573_5546, 0xef53]
            .map(|kind| file_system_check(kind).level);
        assert_eq!(levels, [Fault, Fault, Warning, Warning, Warning, Ok]);
    }

    #[test]
    fn cache_must_be_a_folder_that_can_be_written() {
        assert_eq!(cache_check(None).level, Warning);
        let folder = tempfile::tempdir().unwrap();
        assert!(cache_check(Some(&folder.path().join("a/b"))).found.contains("a/b"));
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(cache_check(Some(&file.join("cache"))).level, Warning);
    }
}
