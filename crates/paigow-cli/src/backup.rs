//! `paigow backup`: copies a store to a file as a consistent snapshot, also while a server uses it.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::BackupArgs;
use crate::store::{open_store, refused};
use paigow_server::{COMMIT, PROGRAM, StoreError, VERSION};
use serde_json::json;
use std::fs;

pub(crate) fn answer(args: &BackupArgs) -> Result<Answer, Failure> {
    let file = args.file.display();
    open_store(&args.store.store)?.backup(&args.file).map_err(|error| match error {
        StoreError::PostgresBackup => refused(error),
        other => refused(format!("{file}: {other}")),
    })?;
    let bytes = fs::metadata(&args.file)?.len();
    let sheet = Sheet {
        title: format!("Copy of {}", args.store.store),
        columns: vec!["file", "bytes", "made by"],
        rows: vec![vec![file.to_string().into(), bytes.into(), format!("paigow {PROGRAM}").into()]],
    };
    let json = json!({
        "store": args.store.store.to_string(),
        "file": file.to_string(),
        "bytes": bytes,
        "version": VERSION,
        "commit": COMMIT,
    });
    Ok(Answer { json, sheets: vec![sheet] })
}
