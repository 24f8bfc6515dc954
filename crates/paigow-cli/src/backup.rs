//! `paigow backup`: a copy of a store at one moment, while work goes on.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::BackupArgs;
use crate::store::{ask, refused};
use paigow_server::{AnyStore, COMMIT, PROGRAM, VERSION};
use serde_json::json;
use std::fs;

pub(crate) fn answer(args: &BackupArgs) -> Result<Answer, Failure> {
    let place = args.file.display();
    ask(&args.store, async |store| match store {
        AnyStore::Sqlite(store) => {
            store.backup(&args.file).await.map_err(|error| refused(format!("{place}: {error}")))
        }
        AnyStore::Postgres(_) => {
            Err(refused("a PostgreSQL is backed up by its own programs, such as pg_dump"))
        }
    })?;
    let bytes = fs::metadata(&args.file)?.len();
    let sheet = Sheet {
        title: format!("Copy of {}", args.store.store),
        columns: vec!["file", "bytes", "made by"],
        rows: vec![vec![place.to_string().into(), bytes.into(), format!("paigow {PROGRAM}").into()]],
    };
    let json = json!({
        "store": args.store.store.to_string(),
        "file": place.to_string(),
        "bytes": bytes,
        "version": VERSION,
        "commit": COMMIT,
    });
    Ok(Answer { json, sheets: vec![sheet] })
}
