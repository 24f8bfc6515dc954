//! HTTP client for the operators' API of a server.

use crate::Failure;
use crate::store::refused;
use paigow_server::{ApiProblem, Environment, SystemEnvironment};
use paigow_table::{PlayerId, Secret};
use serde_json::{Value, json};
use std::env;
use std::io::{self, Write};
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Environment variable with the secret. Other users of the machine could read it on the command line.
const SECRET: &str = "PAIGOW_OPERATOR_SECRET";
/// Request timeout, in seconds.
const TIMEOUT_SECONDS: u64 = 120;

/// Page size for the list of tables.
const PAGE: u16 = 500;

/// A client of one server, with the name and the secret of the operator.
pub(super) struct Client {
    agent: Agent,
    server: String,
    name: String,
    secret: String,
}

impl Client {
    pub(super) fn new(server: &str, name: &str) -> Result<Client, Failure> {
        let mut faults = Vec::new();
        let secret = env::var(SECRET).unwrap_or_default();
        if Secret::try_from(secret.clone()).is_err() {
            faults.push(format!(
                "the variable {SECRET} must contain the operator secret, 64 hexadecimal digits"
            ));
        }
        if !server.starts_with("http://") {
            faults.push(format!(
                "`{server}` must begin with http://: give the address of the server process, not of a proxy"
            ));
        }
        if let Err(fault) = name.parse::<PlayerId>() {
            faults.push(format!("`{name}`: {fault}"));
        }
        if !faults.is_empty() {
            return Err(Failure::Refused(faults.join("\npaigow: ")));
        }
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(TIMEOUT_SECONDS)));
        let agent = config.http_status_as_error(false).build().new_agent();
        Ok(Client { agent, server: server.trim_end_matches('/').to_owned(), name: name.to_owned(), secret })
    }

    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        read(self.fetch(path)?)
    }

    /// Streams the body of the response to `out`.
    pub(super) fn copy(&self, path: &str, out: &mut impl Write) -> Result<(), Failure> {
        let mut response = checked(self.fetch(path)?)?;
        io::copy(&mut response.body_mut().as_reader(), out)?;
        Ok(())
    }

    fn fetch(&self, path: &str) -> Result<Response<Body>, Failure> {
        let request = self.agent.get(format!("{}{path}", self.server));
        request
            .header("authorization", self.bearer())
            .header("paigow-operator", &self.name)
            .call()
            .map_err(refused)
    }

    /// Posts a command. A body without an id gets a random one.
    pub(super) fn post(&self, path: &str, mut body: Value) -> Result<Value, Failure> {
        if body.is_object() && body.get("id").is_none() {
            body["id"] = new_id()?.into();
        }
        let request = self.agent.post(format!("{}{path}", self.server));
        let request = request.header("authorization", self.bearer()).header("paigow-operator", &self.name);
        read(request.content_type("application/json").send(body.to_string()).map_err(refused)?)
    }

    /// Returns all tables, fetched page by page.
    pub(super) fn tables(&self) -> Result<Value, Failure> {
        let mut all = self.get(&format!("/api/tables?limit={PAGE}"))?;
        while let Some(after) = all["next"].as_str().map(escaped) {
            let mut page = self.get(&format!("/api/tables?limit={PAGE}&after={after}"))?;
            all["next"] = page["next"].take();
            if let (Some(tables), Some(more)) = (all["tables"].as_array_mut(), page["tables"].as_array_mut())
            {
                tables.append(more);
            }
        }
        if let Some(fields) = all.as_object_mut() {
            fields.remove("next");
        }
        Ok(all)
    }

    /// Sends a command to a table.
    pub(super) fn command(&self, table: &str, command: &Value) -> Result<Value, Failure> {
        let table = escaped(table);
        self.post(&format!("/api/operator/tables/{table}/commands"), json!({ "command": command }))
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.secret)
    }
}

/// Percent-encodes a text as a component of a URL.
pub(super) fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Generates a random id for a command.
pub(super) fn new_id() -> Result<String, Failure> {
    let digits = String::from(Secret(SystemEnvironment.entropy().map_err(refused)?));
    Ok(format!("cli-{}", &digits[..24]))
}

/// Returns a successful response, or the problem that the server reports.
fn checked(mut response: Response<Body>) -> Result<Response<Body>, Failure> {
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let text = response.body_mut().read_to_string().unwrap_or_default();
    Err(match serde_json::from_str::<ApiProblem>(&text) {
        Ok(problem) => Failure::Refused(format!("{} ({})", problem.detail, problem.code)),
        Err(_) => Failure::Refused(format!("the server responded with {status}")),
    })
}

fn read(response: Response<Body>) -> Result<Value, Failure> {
    let text = checked(response)?.body_mut().read_to_string().map_err(refused)?;
    if text.is_empty() {
        return Ok(json!({ "done": true }));
    }
    serde_json::from_str(&text).map_err(refused)
}
