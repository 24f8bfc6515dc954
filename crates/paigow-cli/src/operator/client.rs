//! HTTP client for the operators' API of a server.

use crate::Failure;
use crate::store::refused;
use paigow_server::{ApiProblem, Environment, SystemEnvironment};
use paigow_table::Secret;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body};

/// Request timeout, in seconds.
const TIMEOUT_SECONDS: u64 = 120;

/// Page size for the list of tables.
const PAGE: u16 = 500;

/// A client of one server, with the cookie of the operator's session.
pub(super) struct Client {
    agent: Agent,
    server: String,
    cookie: String,
}

impl Client {
    /// Creates a client with a cookie, which is empty before the session begins. `ca` is a file with the CA certificates
    /// of an https server; without it, those of the operating system are trusted.
    pub(super) fn new(server: &str, ca: Option<&Path>, cookie: String) -> Result<Client, Failure> {
        let is_https = server.starts_with("https://");
        if !is_https && !server.starts_with("http://") {
            return Err(refused(format!(
                "`{server}` must begin with http:// or https://: give the address of the server process, not of a proxy"
            )));
        }
        let mut config = Agent::config_builder().timeout_global(Some(Duration::from_secs(TIMEOUT_SECONDS)));
        if is_https {
            config = config.tls_config(tls_config(ca)?);
        }
        let agent = config.http_status_as_error(false).build().new_agent();
        Ok(Client { agent, server: server.trim_end_matches('/').to_owned(), cookie })
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

    /// Failure of a request that got no response.
    fn unreachable(&self, error: &ureq::Error) -> Failure {
        refused(format!("{}: {error}", self.server))
    }

    fn fetch(&self, path: &str) -> Result<Response<Body>, Failure> {
        let request = self.agent.get(format!("{}{path}", self.server));
        request.header("cookie", &self.cookie).call().map_err(|error| self.unreachable(&error))
    }

    /// Posts a command. A body without an id gets a random one.
    pub(super) fn post(&self, path: &str, mut body: Value) -> Result<Value, Failure> {
        if body.is_object() && body.get("id").is_none() {
            body["id"] = new_id()?.into();
        }
        self.send(path, &body)
    }

    /// Posts a body as it is.
    pub(super) fn send(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self.agent.post(format!("{}{path}", self.server)).header("cookie", &self.cookie);
        read(
            request
                .content_type("application/json")
                .send(body.to_string())
                .map_err(|error| self.unreachable(&error))?,
        )
    }

    /// Posts a body that begins a session. Returns the response and the cookie of the session.
    pub(super) fn begin_session(&self, path: &str, body: &Value) -> Result<(Value, String), Failure> {
        let request = self.agent.post(format!("{}{path}", self.server));
        let response = request
            .content_type("application/json")
            .send(body.to_string())
            .map_err(|error| self.unreachable(&error))?;
        let response = checked(response)?;
        let cookie = response.headers().get("set-cookie").and_then(|value| value.to_str().ok());
        let cookie = cookie.and_then(|text| text.split(';').next()).map(str::to_owned);
        let cookie = cookie.ok_or_else(|| refused("the server began no session"))?;
        Ok((read(response)?, cookie))
    }

    /// Changes a part of a resource.
    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        let request = self.agent.patch(format!("{}{path}", self.server)).header("cookie", &self.cookie);
        read(
            request
                .content_type("application/json")
                .send(body.to_string())
                .map_err(|error| self.unreachable(&error))?,
        )
    }

    /// Deletes a resource.
    pub(super) fn delete(&self, path: &str) -> Result<Value, Failure> {
        let request = self.agent.delete(format!("{}{path}", self.server)).header("cookie", &self.cookie);
        read(request.call().map_err(|error| self.unreachable(&error))?)
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
}

/// Returns the TLS configuration that trusts the CA certificates of a file, or those of the operating system.
fn tls_config(ca: Option<&Path>) -> Result<TlsConfig, Failure> {
    let certs = if let Some(path) = ca {
        read_certificates(path).map_err(|why| refused(format!("--ca {}: {why}", path.display())))?
    } else {
        let found = rustls_native_certs::load_native_certs().certs;
        found.iter().map(|cert| Certificate::from_der(cert).to_owned()).collect()
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&certs));
    Ok(config.unversioned_rustls_crypto_provider(provider).build())
}

/// Reads the certificates of a PEM file. Returns why it has none.
fn read_certificates(path: &Path) -> Result<Vec<Certificate<'static>>, Box<dyn Error>> {
    let items: Vec<PemItem<'static>> = parse_pem(&std::fs::read(path)?).collect::<Result<_, _>>()?;
    let certificate = |item| if let PemItem::Certificate(cert) = item { Some(cert) } else { None };
    let certs: Vec<_> = items.into_iter().filter_map(certificate).collect();
    if certs.is_empty() { Err("there is no PEM section `CERTIFICATE`".into()) } else { Ok(certs) }
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
