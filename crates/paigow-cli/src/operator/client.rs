//! Asking a server.

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

/// The variable the secret is in: on the command line everybody on the machine could read it.
const SECRET: &str = "PAIGOW_OPERATOR_SECRET";
/// How long the server may take.
const SECONDS: u64 = 120;

/// Tables of the lobby that are asked for at once.
const PAGE: u16 = 500;

/// A server, and who asks it.
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
                "the variable {SECRET} must have the operators' secret, 64 hexadecimal digits"
            ));
        }
        if !server.starts_with("http://") {
            faults.push(format!(
                "`{server}` must begin with http://: the process itself is asked, beside which this runs"
            ));
        }
        if let Err(fault) = name.parse::<PlayerId>() {
            faults.push(format!("`{name}`: {fault}"));
        }
        if !faults.is_empty() {
            return Err(Failure::Refused(faults.join("\npaigow: ")));
        }
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(SECONDS)));
        let agent = config.http_status_as_error(false).build().new_agent();
        Ok(Client { agent, server: server.trim_end_matches('/').to_owned(), name: name.to_owned(), secret })
    }

    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        read(self.fetch(path)?)
    }

    /// Writes the answer out as it comes.
    pub(super) fn copy(&self, path: &str, out: &mut impl Write) -> Result<(), Failure> {
        let mut answer = checked(self.fetch(path)?)?;
        io::copy(&mut answer.body_mut().as_reader(), out)?;
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

    /// Sends a change. A body without an id gets a new one.
    pub(super) fn post(&self, path: &str, mut body: Value) -> Result<Value, Failure> {
        if body.is_object() && body.get("id").is_none() {
            body["id"] = new_id()?.into();
        }
        let request = self.agent.post(format!("{}{path}", self.server));
        let request = request.header("authorization", self.bearer()).header("paigow-operator", &self.name);
        read(request.content_type("application/json").send(body.to_string()).map_err(refused)?)
    }

    /// Every table of the lobby, page after page.
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

    /// Gives a table a command.
    pub(super) fn command(&self, table: &str, command: &Value) -> Result<Value, Failure> {
        let table = escaped(table);
        self.post(&format!("/api/operator/tables/{table}/commands"), json!({ "command": command }))
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.secret)
    }
}

/// A text as a part of a URL: every byte that means something there is escaped.
pub(super) fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// A random id for a command.
pub(super) fn new_id() -> Result<String, Failure> {
    let digits = String::from(Secret(SystemEnvironment.entropy().map_err(refused)?));
    Ok(format!("cli-{}", &digits[..24]))
}

fn checked(mut answer: Response<Body>) -> Result<Response<Body>, Failure> {
    if answer.status().is_success() {
        return Ok(answer);
    }
    let status = answer.status();
    let text = answer.body_mut().read_to_string().unwrap_or_default();
    Err(match serde_json::from_str::<ApiProblem>(&text) {
        Ok(problem) => Failure::Refused(format!("{} ({})", problem.detail, problem.code)),
        Err(_) => Failure::Refused(format!("the server says {status}")),
    })
}

fn read(answer: Response<Body>) -> Result<Value, Failure> {
    let text = checked(answer)?.body_mut().read_to_string().map_err(refused)?;
    if text.is_empty() {
        return Ok(json!({ "done": true }));
    }
    serde_json::from_str(&text).map_err(refused)
}
