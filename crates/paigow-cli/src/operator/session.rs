//! Session of an operator on the command line: enrolment, sign-in, and the file with the cookie.

use super::client::Client;
use crate::store::refused;
use crate::{Failure, print_error};
use paigow_server::private_file::create_private;
use paigow_table::PlayerId;
use serde_json::{Value, json};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Environment variable with the path of the session file.
const VARIABLE: &str = "PAIGOW_OPERATOR_SESSION";
/// Session file without the flag and the variable.
const DEFAULT: &str = "paigow-operator.session";

/// Returns the path of the session file.
pub(super) fn path(given: Option<&Path>) -> PathBuf {
    let variable = || env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    given.map(Path::to_owned).or_else(variable).unwrap_or_else(|| DEFAULT.into())
}

/// Reads the cookie of the session.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map(|cookie| cookie.trim().to_owned()).map_err(|error| {
        refused(format!(
            "{}: {error}; begin a session with `paigow operator sign-in --name NAME`",
            path.display()
        ))
    })
}

/// Writes the cookie to a file that only its owner can read.
fn write(path: &Path, cookie: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| refused(format!("{}: {error}", path.display()));
    remove(path)?;
    let mut file = create_private(path).map_err(failed)?;
    writeln!(file, "{cookie}").and_then(|()| file.sync_all()).map_err(failed)
}

/// Removes the session file, if there is one.
pub(super) fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(refused(format!("{}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Reads a secret from the terminal without echo, or from a line of standard input.
fn ask(prompt: &str) -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return rpassword::prompt_password(format!("{prompt}: ")).map_err(refused);
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Begins a session with a password and a code.
pub(super) fn sign_in(client: &Client, file: &Path, name: &PlayerId) -> Result<Value, Failure> {
    let password = ask("Password")?;
    let code = ask("Code of the authenticator, or a recovery code")?;
    let body = json!({ "name": name, "password": password, "code": code });
    let (_, cookie) = client.begin_session("/api/operator/session", &body)?;
    write(file, &cookie)?;
    Ok(json!({ "name": name, "session": file.display().to_string() }))
}

/// Enrols an operator and begins a session.
pub(super) fn enrol(client: &Client, file: &Path, name: &PlayerId) -> Result<Value, Failure> {
    let code = ask("Enrolment code, or operator secret")?;
    let password = ask("New password")?;
    let body = json!({ "name": name, "code": code, "password": password });
    let options = client.send("/api/operator/enrolment/options", &body)?;
    let text = |key: &str| options["totp"][key].as_str().unwrap_or_default().to_owned();
    // The operator needs the secret to answer the next question, so it is shown before the result.
    print_error(&format!("Add this secret to an authenticator app: {}\n{}", text("secret"), text("uri")));
    let code = ask("Code of the authenticator")?;
    let body = json!({ "ceremony": options["ceremony"], "code": code });
    let (mut enrolled, cookie) = client.begin_session("/api/operator/enrolment", &body)?;
    write(file, &cookie)?;
    enrolled["authenticator"] = text("uri").into();
    enrolled["session"] = file.display().to_string().into();
    Ok(enrolled)
}
