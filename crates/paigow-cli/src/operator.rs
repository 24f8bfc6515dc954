//! `paigow operator`: tasks of an operator at a running server.

mod args;
mod client;
mod session;

pub(crate) use args::OperatorArgs;

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::store::{open_store, refused};
use crate::{Failure, print, print_error};
use args::{JournalArgs, Task};
use client::{Client, escaped, new_id};
use paigow_server::settings::StoreLocation;
use paigow_server::{
    Environment, HeadSigner, JOURNAL_COLUMNS, REPORT_COLUMNS, SystemEnvironment, operator_secret,
    read_master_keys, secret_digest,
};
use paigow_table::PlayerId;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Runs a task and prints the response.
pub(crate) fn run(args: &OperatorArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    if let Task::NewSecret { store, secret_file, key_file } = &args.task {
        return new_secret(store, secret_file.as_deref(), key_file.as_deref(), format, out);
    }
    let file = session::path(args.session.as_deref());
    let needs_none = matches!(args.task, Task::Enrol { .. } | Task::SignIn { .. } | Task::Ready);
    let cookie = if needs_none { String::new() } else { session::read(&file)? };
    let client = Client::new(&args.server, args.ca.as_deref(), cookie)?;
    if let Task::Rounds { table } = &args.task {
        return client.copy(&rounds_path(format, table.as_deref()), out);
    }
    if let Task::Journal(filter) = &args.task
        && format == Format::Csv
    {
        return client.copy(&journal_path(format, filter), out);
    }
    let response = send(&client, &file, &args.task)?;
    print(&Answer { sheets: sheets(&response), json: response }, format, out)
}

fn send(client: &Client, file: &Path, task: &Task) -> Result<Value, Failure> {
    let operator = |name: &PlayerId| format!("/api/operator/operators/{}", escaped(name.as_str()));
    let person = |player: &PlayerId| format!("/api/operator/people/{}", escaped(player.as_str()));
    let decide = |id: &str, approve: bool| {
        client.send(&format!("/api/operator/approvals/{}", escaped(id)), &json!({ "approve": approve }))
    };
    match task {
        Task::Enrol { name } => session::enrol(client, file, name),
        Task::SignIn { name } => session::sign_in(client, file, name),
        Task::SignOut => {
            let response = client.delete("/api/operator/session")?;
            session::remove(file)?;
            Ok(response)
        }
        Task::Ready => client.get("/readyz"),
        Task::Operators => client.get("/api/operator/operators"),
        Task::AddOperator { name, role } => {
            client.send("/api/operator/operators", &json!({ "name": name, "role": role }))
        }
        Task::SetRole { name, role } => client.patch(&operator(name), &json!({ "role": role })),
        Task::Disable { name } => client.patch(&operator(name), &json!({ "disabled": true })),
        Task::Enable { name } => client.patch(&operator(name), &json!({ "disabled": false })),
        Task::ResetOperator { name } => client.send(&format!("{}/enrolment", operator(name)), &json!({})),
        Task::Approvals => client.get("/api/operator/approvals"),
        Task::Approve { id } => decide(id, true),
        Task::Decline { id } => decide(id, false),
        Task::People { part } => {
            client.get(&format!("/api/operator/people?limit=200&part={}", escaped(part)))
        }
        Task::Person { player } => client.get(&person(player)),
        Task::Rename { player, name } => client.patch(&person(player), &json!({ "name": name })),
        Task::SignOutPlayer { player } => client.send(&format!("{}/sign-out", person(player)), &json!({})),
        Task::Tables => client.tables(),
        Task::Open {
            table,
            book,
            paytables,
            changes,
            offer,
            dealer_wager_cents,
            currency,
            bots,
            name,
            private,
            invited,
        } => {
            let rules = json!({
                "book": book,
                "paytables": pairs(paytables)?,
                "changes": pairs(changes)?,
                "offer": offered(offer)?,
                "dealer_wager_cents": dealer_wager_cents,
                "bots": bots,
                "name": name,
                "private": private,
                "seats": if *invited { "invited" } else { "anyone" },
            });
            client
                .post("/api/operator/tables", json!({ "table": table, "currency": currency, "rules": rules }))
        }
        Task::Invite { table, hours } => {
            client.send(&format!("{}/invitations", house_table(table)), &json!({ "hours": hours }))
        }
        Task::Invitations { table } => client.get(&format!("{}/invitations", house_table(table))),
        Task::Withdraw { table, id } => {
            client.delete(&format!("{}/invitations/{}", house_table(table), escaped(id)))
        }
        Task::RemoveMember { table, player } => {
            client.delete(&format!("{}/members/{}", house_table(table), escaped(player.as_str())))
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
        Task::Journal(filter) => client.get(&journal_path(Format::Json, filter)),
        Task::Rounds { table } => client.get(&rounds_path(Format::Json, table.as_deref())),
        Task::Report { from, to } => {
            client.get(&format!("/api/operator/reports?from={}&to={}", escaped(from), escaped(to)))
        }
        Task::Acts { after, limit } => client.get(&format!("/api/operator/acts?after={after}&limit={limit}")),
        Task::Audits { start: true } => client.send("/api/operator/audits", &json!({})),
        Task::Audits { start: false } => client.get("/api/operator/audits"),
        Task::Drain => client.post("/api/operator/drain", Value::Null),
        Task::NewSecret { .. } => Err(refused("new-secret writes to the store itself")),
    }
}

fn house_table(table: &str) -> String {
    format!("/api/operator/tables/{}", escaped(table))
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

fn journal_path(format: Format, filter: &JournalArgs) -> String {
    let JournalArgs { after, limit, player, table, purpose, currency, from, to } = filter;
    let filters = [
        ("player", player.as_ref().map(ToString::to_string)),
        ("table", table.clone()),
        ("purpose", purpose.clone()),
        ("currency", currency.clone()),
        ("from", from.map(|time| time.to_string())),
        ("to", to.map(|time| time.to_string())),
    ];
    let format = if format == Format::Csv { "csv" } else { "json" };
    let path = format!("/api/operator/journal?format={format}&after={after}&limit={limit}");
    filters.into_iter().fold(path, |path, (name, value)| match value {
        Some(value) => format!("{path}&{name}={}", escaped(&value)),
        None => path,
    })
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

/// Writes a new secret directly to a store and to a file, for a club without an admin who can sign in.
fn new_secret(
    location: &StoreLocation,
    secret_file: Option<&Path>,
    key_file: Option<&Path>,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let keys = key_file.map(read_master_keys).transpose().map_err(refused)?;
    let secret = SystemEnvironment.entropy().map_err(refused)?;
    let signer = keys.map(|keys| Arc::new(keys) as Arc<dyn HeadSigner>);
    let store = open_store(location)?;
    let file = secret_file.map_or_else(|| location.sibling("operator"), Path::to_owned);
    session::remove(&file)?;
    operator_secret::write(&file, &secret)
        .map_err(|error| refused(format!("{}: {error}", file.display())))?;
    store
        .replace_operator_secret(secret_digest(&secret), SystemEnvironment.now(), signer)
        .map_err(refused)?;
    let response = json!({ "secret_file": file.display().to_string() });
    print(&Answer { sheets: sheets(&response), json: response }, format, out)
}

/// Columns of the lists in responses, by the key of the list.
const LISTS: [(&str, &[&str]); 9] = [
    ("tables", &["table", "book", "currency", "phase", "rounds", "seats", "taken", "min_cents", "max_cents"]),
    ("operators", &["name", "role", "since", "disabled", "enrolled", "passkeys", "password"]),
    ("approvals", &["id", "what", "by", "at", "until", "detail", "state", "decided_by", "outcome"]),
    ("invitations", &["id", "until", "accepted"]),
    ("members", &["player", "name"]),
    ("people", &["player", "name", "account", "bot", "since"]),
    ("acts", &["place", "at", "operator", "what", "detail"]),
    ("transfers", &JOURNAL_COLUMNS),
    ("rows", &REPORT_COLUMNS),
];

/// Converts a response to sheets: one row per element of each list, or one row per key of an object without lists.
fn sheets(response: &Value) -> Vec<Sheet> {
    let listed = LISTS.iter().filter_map(|(name, columns)| {
        let row = |row: &Value| columns.iter().map(|column| cell(&row[*column])).collect();
        let rows = response[*name].as_array()?.iter().map(row).collect();
        Some(Sheet { title: (*name).to_owned(), columns: columns.to_vec(), rows })
    });
    let listed: Vec<Sheet> = listed.collect();
    if !listed.is_empty() {
        return listed;
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
