//! `paigow compact`: seals old rounds of a store into compressed blocks and releases their space.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::CompactArgs;
use crate::store::{open_store, refused};
use serde_json::json;

pub(crate) fn answer(args: &CompactArgs) -> Result<Answer, Failure> {
    let location = &args.store.store;
    let report = open_store(location)?
        .compact(args.older_than)
        .map_err(|error| refused(format!("{location}: {error}")))?;
    let sealed = &report.sealed;
    let mut sheets = vec![Sheet {
        title: format!("Compacted {location}"),
        columns: vec!["rounds sealed", "blocks", "bytes before", "bytes after"],
        rows: vec![vec![
            sealed.rounds.into(),
            sealed.blocks.into(),
            report.bytes_before.into(),
            report.bytes_after.into(),
        ]],
    }];
    if !sealed.refused.is_empty() {
        sheets.push(Sheet {
            title: "Not sealed: these rows do not verify; `paigow audit` has the details".to_owned(),
            columns: vec!["reason"],
            rows: sealed.refused.iter().map(|reason| vec![reason.as_str().into()]).collect(),
        });
    }
    let json = json!({
        "store": location.to_string(),
        "rounds": sealed.rounds,
        "blocks": sealed.blocks,
        "events": sealed.events,
        "refused": sealed.refused,
        "bytes_before": report.bytes_before,
        "bytes_after": report.bytes_after,
    });
    Ok(Answer { json, sheets })
}
