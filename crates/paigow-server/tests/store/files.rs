//! The files of a store: private, and only written to as long as they are the files that were opened.

use crate::kit::{Folder, Play, host, name, player, wager};
use paigow_server::{HostError, Sqlite, Store, StoreError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The database, its log and its index.
fn files(database: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| PathBuf::from(format!("{}{suffix}", database.display())))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_is_private_after_play_and_so_is_a_backup() {
    let folder = Folder::new();
    let host = host(folder.store.clone(), 1);
    Play::open(&host, "t1", "ez", 2).await.round().await;
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    for file in files(&folder.file()).iter().chain([&copy]) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    // An empty file that was made for the copy is filled, and becomes private.
    let made = folder.folder.path().join("made.db");
    fs::write(&made, "").unwrap();
    folder.store.backup(&made).await.unwrap();
    assert_eq!(mode(&made), 0o600);
    // A backup that fails leaves nothing behind.
    let nowhere = folder.folder.path().join("nowhere/copy.db");
    assert!(folder.store.backup(&nowhere).await.is_err() && !nowhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_others_could_read_is_tightened_when_it_is_opened() {
    let Folder { store, folder } = Folder::new();
    let path = folder.path().join("paigow.db");
    Play::open(&host(store.clone(), 1), "t1", "ez", 1).await;
    // Another process has it open, as after a crash: the log and the index are there.
    for file in files(&path) {
        fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    }
    let again = Sqlite::open(&path).unwrap();
    for file in files(&path) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    drop((store, again));
    // By a symbolic link the files are still beside the database itself.
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let linked = Sqlite::open(&link).unwrap();
    Play::open(&host(linked, 2), "t2", "ez", 1).await;
}

fn is_replaced(error: &HostError) -> bool {
    matches!(error, HostError::Store(StoreError::Replaced { .. }))
}

/// Nothing is acknowledged after any of the three files is deleted or replaced, and the store stays stopped when they are put back.
#[tokio::test(flavor = "multi_thread")]
async fn writes_stop_when_a_file_is_deleted_or_replaced() {
    for place in 0..3 {
        for replace in [false, true] {
            let folder = Folder::new();
            let host = host(folder.store.clone(), 1);
            let play = Play::open(&host, "t1", "ez", 1).await;
            folder.store.test_write().await.unwrap();
            let file = &files(&folder.file())[place];
            let away = folder.folder.path().join("away");
            fs::rename(file, &away).unwrap();
            if replace {
                fs::copy(&away, file).unwrap();
            }
            let refused = play.give("t1-p1", wager(1_000)).await.unwrap_err();
            assert!(is_replaced(&refused), "{refused}");
            assert!(matches!(folder.store.test_write().await, Err(StoreError::Replaced { .. })));
            fs::rename(&away, file).unwrap();
            let refused = play.give("t1-p1", wager(1_000)).await.unwrap_err();
            assert!(is_replaced(&refused), "{refused}");
        }
    }
}

/// The file is moved away under load. Every command that was acknowledged is in the file that was moved; version 0.2.0 acknowledged 365 that were
/// in none.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_command_is_acknowledged_into_a_deleted_file() {
    let folder = Folder::new();
    let first = host(folder.store.clone(), 1);
    for table in 0..4 {
        Play::open(&first, &format!("t{table}"), "ez", 1).await;
    }
    let is_gone = std::sync::Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..4)
        .map(|table| {
            let (host, is_gone) = (host(folder.store.clone(), 10 + table), is_gone.clone());
            tokio::spawn(async move {
                let (mut kept, mut lost, mut refused) = (Vec::new(), 0, 0);
                for count in 0..150_u64 {
                    let was_gone = is_gone.load(Ordering::Acquire);
                    let (id, by) = (name(&format!("c{count}")), player(&format!("t{table}-p1")));
                    let command = wager(500 + 100 * (count % 7));
                    match host.command(&name(&format!("t{table}")), &by, &id, &command).await {
                        Ok(_) if was_gone => lost += 1,
                        Ok(_) => kept.push((by, id)),
                        Err(error) => {
                            assert!(is_replaced(&error), "{error}");
                            refused += 1;
                        }
                    }
                }
                (kept, lost, refused)
            })
        })
        .collect();
    tokio::time::sleep(std::time::Duration::from_millis(60)).await;
    // Links keep what is deleted, so that it can be read below.
    let copy = folder.folder.path().join("moved.db");
    for (file, moved) in files(&folder.file()).iter().zip(files(&copy)).take(2) {
        fs::hard_link(file, moved).unwrap();
    }
    fs::remove_file(folder.file()).unwrap();
    is_gone.store(true, Ordering::Release);
    let mut acknowledged = Vec::new();
    for task in tasks {
        let (kept, lost, refused) = task.await.unwrap();
        assert_eq!(lost, 0, "acknowledged after the file was deleted");
        assert!(refused > 0, "all was done before the file was deleted");
        acknowledged.extend(kept);
    }
    drop((first, folder.store));
    let moved = Sqlite::open_existing(&copy).unwrap();
    for (by, id) in acknowledged {
        assert!(moved.kept(&by, &id).await.unwrap().is_some(), "{by:?} {id} is lost");
    }
}
