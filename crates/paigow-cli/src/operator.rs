//! `paigow operator`: tasks of an operator at a running server.

mod args;
mod client;

pub(crate) use args::OperatorArgs;

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::store::{open_store, refused};
use crate::{Failure, print, print_error};
use args::Task;
use client::{Client, escaped, new_id};
use paigow_server::settings::StoreLocation;
use paigow_server::{
    Environment, HeadSigner, JOURNAL_COLUMNS, SystemEnvironment, read_master_keys, secret_digest,
};
use paigow_table::Secret;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Runs a task and prints the response.
pub(crate) fn run(args: &OperatorArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    if let Task::NewSecret { store: Some(store), key_file } = &args.task {
        return new_secret(store, key_file.as_deref(), format, out);
    }
    let client = Client::new(&args.server, &args.name)?;
    if let Task::Rounds { table } = &args.task {
        return client.copy(&rounds_path(format, table.as_deref()), out);
    }
    let response = send(&client, &args.task)?;
    print(&Answer { sheets: sheets(&response), json: response }, format, out)
}

fn send(client: &Client, task: &Task) -> Result<Value, Failure> {
    match task {
        Task::Tables => client.tables(),
        Task::Open { table, book, paytables, changes, offer, dealer_wager_cents, currency, bots } => {
            let rules = json!({
                "book": book,
                "paytables": pairs(paytables)?,
                "changes": pairs(changes)?,
                "offer": offered(offer)?,
                "dealer_wager_cents": dealer_wager_cents,
                "bots": bots,
            });
            client
                .post("/api/operator/tables", json!({ "table": table, "currency": currency, "rules": rules }))
        }
        Task::Pause { table } => client.command(table, &json!({ "do": "pause" })),
        Task::Resume { table } => client.command(table, &json!({ "do": "resume" })),
        Task::Close { table } => client.command(table, &json!({ "do": "close" })),
        Task::Vacate { table, seat } => client.command(table, &json!({ "do": "vacate", "seat": seat })),
        Task::Suspend { table, seat } => client.command(table, &json!({ "do": "suspend", "seat": seat })),
        Task::Void { table, reason } => client.command(table, &json!({ "do": "void", "reason": reason })),
        Task::Notice { text, table: Some(table) } => {
            client.command(table, &json!({ "do": "notice", "text": text }))
        }
        Task::Notice { text, table: None } => client.post("/api/operator/notices", json!({ "text": text })),
        Task::Chips { id, player, cents, currency, redeem } => {
            let id = match id {
                Some(id) => id.to_string(),
                None => announced_id()?,
            };
            let chips =
                json!({ "id": id, "player": player, "cents": cents, "currency": currency, "redeem": redeem });
            client.post("/api/operator/chips", chips)
        }
        Task::Balance => client.get("/api/operator/trial-balance"),
        Task::Journal { after, limit } => {
            client.get(&format!("/api/operator/journal?after={after}&limit={limit}"))
        }
        Task::Rounds { table } => client.get(&rounds_path(Format::Json, table.as_deref())),
        Task::Acts { after, limit } => client.get(&format!("/api/operator/acts?after={after}&limit={limit}")),
        Task::Drain => client.post("/api/operator/drain", Value::Null),
        Task::NewSecret { .. } => client.post("/api/operator/secret", Value::Null),
    }
}

/// Generates an id and prints it before the request is sent, so that the operator can retry with it.
fn announced_id() -> Result<String, Failure> {
    let id = new_id()?;
    print_error(&format!(
        "paigow: id {id}; if there is no response, retry with --id {id}: the chips move only once"
    ));
    Ok(id)
}

fn rounds_path(format: Format, table: Option<&str>) -> String {
    let format = if format == Format::Csv { "csv" } else { "json" };
    let table = table.map(|table| format!("&table={}", escaped(table))).unwrap_or_default();
    format!("/api/operator/rounds?format={format}{table}")
}

/// Converts `key=value` texts to an object.
fn pairs(texts: &[String]) -> Result<Value, Failure> {
    let pair = |text: &String| {
        let (key, value) =
            text.split_once('=').ok_or_else(|| refused(format!("`{text}` is not KEY=VALUE")))?;
        Ok((key.to_owned(), Value::from(value)))
    };
    texts.iter().map(pair).collect::<Result<_, Failure>>().map(Value::Object)
}

/// Returns the side wagers of `--offer`: `None` if it is absent, an empty list for `none`.
fn offered(names: &[String]) -> Result<Option<&[String]>, Failure> {
    match names {
        [] => Ok(None),
        [none] if none == "none" => Ok(Some(&[])),
        names if names.iter().any(|name| name == "none") => {
            Err(refused("--offer none cannot be combined with other side wagers"))
        }
        names => Ok(Some(names)),
    }
}

/// Writes a new secret directly to a store, for operators who lost the old one.
fn new_secret(
    location: &StoreLocation,
    key_file: Option<&Path>,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let keys = key_file.map(read_master_keys).transpose().map_err(refused)?;
    let secret = SystemEnvironment.entropy().map_err(refused)?;
    let signer = keys.map(|keys| Arc::new(keys) as Arc<dyn HeadSigner>);
    open_store(location)?
        .replace_operator_secret(secret_digest(&secret), SystemEnvironment.now(), signer)
        .map_err(refused)?;
    let response = json!({ "secret": String::from(Secret(secret)) });
    print(&Answer { sheets: sheets(&response), json: response }, format, out)
}

/// Columns of the lists in responses, by the key of the list.
const LISTS: [(&str, &[&str]); 3] = [
    ("tables", &["table", "book", "currency", "phase", "rounds", "seats", "taken", "min_cents", "max_cents"]),
    ("acts", &["place", "at", "operator", "what", "detail"]),
    ("transfers", &JOURNAL_COLUMNS),
];

/// Converts a response to a sheet: one row per element of a list, or one row per key of any other object.
fn sheets(response: &Value) -> Vec<Sheet> {
    let listed =
        LISTS.iter().find_map(|(name, columns)| Some((*name, *columns, response[*name].as_array()?)));
    if let Some((name, columns, rows)) = listed {
        let row = |row: &Value| columns.iter().map(|column| cell(&row[*column])).collect();
        let rows = rows.iter().map(row).collect();
        return vec![Sheet { title: name.to_owned(), columns: columns.to_vec(), rows }];
    }
    let rows =
        response.as_object().into_iter().flatten().flat_map(|(name, value)| leaves(name, value)).collect();
    vec![Sheet { title: "Response".to_owned(), columns: vec!["item", "value"], rows }]
}

fn leaves(name: &str, value: &Value) -> Vec<Vec<Cell>> {
    match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| leaves(&format!("{name} {key}"), value)).collect()
        }
        value => vec![vec![name.into(), cell(value)]],
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Text(String::new()),
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}
