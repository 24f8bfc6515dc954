//! Files of an SQLite store: they are private, and writes stop if a file is deleted or replaced.

use crate::kit::{Game, TempStore, host, name, player, wager};
use paigow_server::{HostError, Sqlite, Store, StoreError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The database, its write-ahead log and the log's index.
fn files(database: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| PathBuf::from(format!("{}{suffix}", database.display())))
}

#[tokio::test(flavor = "multi_thread")]
async fn files_and_backups_are_private() {
    let folder = TempStore::new();
    let host = host(folder.store.clone(), 1);
    Game::open(&host, "t1", "ez", 2).await.play_round().await;
    let copy = folder.folder.path().join("copy.db");
    folder.store.backup(&copy).await.unwrap();
    for file in files(&folder.file()).iter().chain([&copy]) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    // A backup into an existing empty file makes the file private.
    let existing = folder.folder.path().join("made.db");
    fs::write(&existing, "").unwrap();
    folder.store.backup(&existing).await.unwrap();
    assert_eq!(mode(&existing), 0o600);
    // A failed backup leaves no file.
    let nowhere = folder.folder.path().join("nowhere/copy.db");
    assert!(folder.store.backup(&nowhere).await.is_err() && !nowhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_a_readable_store_makes_it_private() {
    let TempStore { store, folder } = TempStore::new();
    let path = folder.path().join("paigow.db");
    Game::open(&host(store.clone(), 1), "t1", "ez", 1).await;
    // The store is still open elsewhere, so the log and the index exist, as after a crash.
    for file in files(&path) {
        fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    }
    let again = Sqlite::open(&path).unwrap();
    for file in files(&path) {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    drop((store, again));
    // With a symbolic link the log and the index are beside the database, not beside the link.
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let linked = Sqlite::open(&link).unwrap();
    Game::open(&host(linked, 2), "t2", "ez", 1).await;
}

fn is_replaced(error: &HostError) -> bool {
    matches!(error, HostError::Store(StoreError::Replaced { .. }))
}

/// No write succeeds after any of the three files is deleted or replaced, even when the file is moved back.
#[tokio::test(flavor = "multi_thread")]
async fn writes_stop_when_a_file_is_deleted_or_replaced() {
    for index in 0..3 {
        for replace in [false, true] {
            let folder = TempStore::new();
            let host = host(folder.store.clone(), 1);
            let game = Game::open(&host, "t1", "ez", 1).await;
            folder.store.test_write().await.unwrap();
            let file = &files(&folder.file())[index];
            let away = folder.folder.path().join("away");
            fs::rename(file, &away).unwrap();
            if replace {
                fs::copy(&away, file).unwrap();
            }
            let refused = game.send("t1-p1", wager(1_000)).await.unwrap_err();
            assert!(is_replaced(&refused), "{refused}");
            assert!(matches!(folder.store.test_write().await, Err(StoreError::Replaced { .. })));
            fs::rename(&away, file).unwrap();
            let refused = game.send("t1-p1", wager(1_000)).await.unwrap_err();
            assert!(is_replaced(&refused), "{refused}");
        }
    }
}

/// The file is deleted under load. Every acknowledged command is in the deleted file. Version 0.2.0 acknowledged 365
/// commands that were in no file.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_command_is_acknowledged_into_a_deleted_file() {
    let folder = TempStore::new();
    let first = host(folder.store.clone(), 1);
    for table in 0..4 {
        Game::open(&first, &format!("t{table}"), "ez", 1).await;
    }
    let is_gone = std::sync::Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..4)
        .map(|table| {
            let (host, is_gone) = (host(folder.store.clone(), 10 + table), is_gone.clone());
            tokio::spawn(async move {
                let (mut stored, mut lost, mut refused) = (Vec::new(), 0, 0);
                for count in 0..150_u64 {
                    let was_gone = is_gone.load(Ordering::Acquire);
                    let (id, by) = (name(&format!("c{count}")), player(&format!("t{table}-p1")));
                    let command = wager(500 + 100 * (count % 7));
                    match host.command(&name(&format!("t{table}")), &by, &id, &command).await {
                        Ok(_) if was_gone => lost += 1,
                        Ok(_) => stored.push((by, id)),
                        Err(error) => {
                            assert!(is_replaced(&error), "{error}");
                            refused += 1;
                        }
                    }
                }
                (stored, lost, refused)
            })
        })
        .collect();
    tokio::time::sleep(std::time::Duration::from_millis(60)).await;
    // Hard links keep the deleted files readable.
    let copy = folder.folder.path().join("moved.db");
    for (file, moved) in files(&folder.file()).iter().zip(files(&copy)).take(2) {
        fs::hard_link(file, moved).unwrap();
    }
    fs::remove_file(folder.file()).unwrap();
    is_gone.store(true, Ordering::Release);
    let mut acknowledged = Vec::new();
    for task in tasks {
        let (stored, lost, refused) = task.await.unwrap();
        assert_eq!(lost, 0, "a command was acknowledged after the file was deleted");
        assert!(refused > 0, "all commands ran before the file was deleted");
        acknowledged.extend(stored);
    }
    drop((first, folder.store));
    let moved = Sqlite::open_existing(&copy).unwrap();
    for (by, id) in acknowledged {
        assert!(moved.stored_command(&by, &id).await.unwrap().is_some(), "{by:?} {id} is lost");
    }
}
