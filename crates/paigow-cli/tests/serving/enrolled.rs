//! Operators who enrol and sign in on the command line.

use crate::authenticator::code_of;
use crate::process::Server;
use crate::program::paigow;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// Password of every operator in tests.
pub(crate) const PASSWORD: &str = "tidal lantern mosaic seven";

/// An enrolled operator with a session file.
pub(crate) struct Enrolled {
    name: String,
    /// Secret of the authenticator, in base 32.
    authenticator: String,
    pub(crate) recovery_codes: Vec<String>,
    session: PathBuf,
    /// Folder of the session file, removed on drop.
    _folder: TempDir,
}

impl Enrolled {
    /// Enrols an operator. `code` is an enrolment code or the operator secret.
    pub(crate) fn new(server: &Server, name: &str, code: &str) -> Enrolled {
        let folder = TempDir::new().unwrap();
        let session = folder.path().join("session");
        let mut command = operator_command(&server.address, &session);
        let mut child = spawn(command.args(["enrol", "--name", name, "--format", "json"]));
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{code}\n{PASSWORD}").unwrap();
        // The program prints the secret of the authenticator before it reads the code.
        let mut printed = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let first = printed.next().unwrap_or_default();
        let Some((_, authenticator)) = first.rsplit_once("authenticator app: ") else {
            panic!("{first}");
        };
        writeln!(input, "{}", code_of(authenticator, 0)).unwrap();
        drop(input);
        let rest: Vec<String> = printed.collect();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{rest:?}");
        let enrolled: Value = serde_json::from_slice(&output.stdout).unwrap();
        let codes = enrolled["recovery_codes"].as_array().unwrap().iter();
        Enrolled {
            name: name.to_owned(),
            authenticator: authenticator.to_owned(),
            recovery_codes: codes.map(|code| code.as_str().unwrap().to_owned()).collect(),
            session,
            _folder: folder,
        }
    }

    /// Returns `paigow operator` with the session of the operator.
    pub(crate) fn command(&self, address: &str) -> Command {
        operator_command(address, &self.session)
    }

    /// Path of the session file.
    pub(crate) fn session(&self) -> &Path {
        &self.session
    }

    /// Cookie of the session.
    pub(crate) fn cookie(&self) -> String {
        std::fs::read_to_string(&self.session).unwrap().trim().to_owned()
    }

    /// Returns the next code of the authenticator: the enrolment has used the current one.
    pub(crate) fn next_code(&self) -> String {
        code_of(&self.authenticator, 1)
    }

    /// Signs in with lines of standard input.
    pub(crate) fn sign_in(&self, address: &str, password: &str, code: &str) -> Output {
        let mut command = self.command(address);
        let mut child = spawn(command.args(["sign-in", "--name", &self.name, "--format", "json"]));
        writeln!(child.stdin.take().unwrap(), "{password}\n{code}").unwrap();
        child.wait_with_output().unwrap()
    }
}

fn operator_command(address: &str, session: &Path) -> Command {
    let mut command = paigow();
    command.args(["operator", "--server", &format!("http://{address}"), "--session"]).arg(session);
    command
}

fn spawn(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}
