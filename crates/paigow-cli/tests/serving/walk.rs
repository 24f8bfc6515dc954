//! Runs the commands of "From nothing to a running club" in `docs/operating.md`, block by block.

use crate::authenticator::code_of;
use crate::cluster::{is_root, program_folder};
use crate::enrolled::PASSWORD;
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// First line of a block that is run. Readers of the manual see a block of shell commands.
const MARKER: &str = "```sh walk";
/// Ports in the manual: http, https and PostgreSQL. The test takes free ports instead.
const PORTS: [&str; 3] = ["8080", "8443", "5432"];
/// Prompt of `enrol` before the secret of the authenticator.
const AUTHENTICATOR: &str = "authenticator app: ";

/// Returns the marked blocks of a manual.
fn blocks(manual: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = manual.lines();
    while lines.by_ref().any(|line| line == MARKER) {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push(block.join("\n"));
    }
    blocks
}

/// Folder of the walk. Ends the servers that a failed walk leaves running.
struct Walk {
    folder: TempDir,
    /// Folder with the program, which the user of the walk can read.
    programs: TempDir,
    /// Secret of the authenticator of the admin, once enrolled.
    authenticator: RefCell<String>,
}

impl Walk {
    fn new() -> Walk {
        let new_folder = || tempfile::Builder::new().prefix("paigow-walk-").tempdir_in("/tmp").unwrap();
        let walk = Walk { folder: new_folder(), programs: new_folder(), authenticator: RefCell::default() };
        fs::set_permissions(walk.programs.path(), PermissionsExt::from_mode(0o755)).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_paigow"), walk.programs.path().join("paigow")).unwrap();
        if is_root() {
            let chown = Command::new("chown").arg("postgres").arg(walk.folder.path()).status();
            assert!(chown.unwrap().success());
        }
        walk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns a shell for a block. It is not that of root, as which PostgreSQL refuses to run.
    fn shell(&self) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{path}", self.programs.path().display(), program_folder().display());
        let mut shell = if is_root() {
            let mut shell = Command::new("setpriv");
            shell.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--", "sh"]);
            shell
        } else {
            Command::new("sh")
        };
        shell.current_dir(self.folder.path()).env("PATH", path).env("HOME", self.folder.path());
        shell.env("PAIGOW_CACHE", self.path("cache"));
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }

    /// Runs a block, and answers the questions of an enrolment and a sign-in as a person would. Panics with the output if
    /// it fails.
    fn run(&self, block: &str) {
        let mut child = self.shell().args(["-eu", "-c", block]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut printed = Vec::new();
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        if block.contains(" enrol ") {
            writeln!(input, "{}\n{PASSWORD}", self.read("club.operator").trim()).unwrap();
            printed.extend(errors.by_ref().next());
            let authenticator = printed.last().and_then(|line| line.rsplit_once(AUTHENTICATOR));
            let (_, authenticator) = authenticator.unwrap_or_else(|| panic!("{printed:?}"));
            writeln!(input, "{}", code_of(authenticator, 0)).unwrap();
            authenticator.clone_into(&mut self.authenticator.borrow_mut());
        }
        if block.contains(" sign-in ") {
            // The enrolment has used the code of its time.
            writeln!(input, "{PASSWORD}\n{}", code_of(&self.authenticator.borrow(), 1)).unwrap();
        }
        drop(input);
        printed.extend(errors);
        let output = child.wait_with_output().unwrap();
        let answer = String::from_utf8_lossy(&output.stdout);
        let logs =
            ["https.log", "db.log"].map(|name| fs::read_to_string(self.path(name)).unwrap_or_default());
        assert!(output.status.success(), "{block}\n\n{answer}\n{}\n{}", printed.join("\n"), logs.join("\n"));
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        for file in ["paigow.pid", "db/postmaster.pid"] {
            let text = fs::read_to_string(self.path(file)).unwrap_or_default();
            if let Some(id) = text.lines().next() {
                // The servers have ended if the walk succeeded.
                let _ = Command::new("kill").arg(id.trim()).stderr(Stdio::null()).status();
            }
        }
    }
}

#[test]
fn commands_of_the_manual_lead_to_a_running_club() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating.md");
    let blocks = blocks(&fs::read_to_string(manual).unwrap());
    // The manual leads through every part of an operation.
    for part in [
        "paigow doctor",
        "paigow serve",
        "paigow backup",
        "pg_dump",
        "--http2",
        "sslmode=verify-full",
        "paigow move --from club.db --to \"$CLUB\"",
        "paigow move --from \"$CLUB\" --to back.db",
        "cmp last-heads.json back-heads.json",
    ] {
        assert!(blocks.iter().any(|block| block.contains(part)), "no block has `{part}`");
    }
    for store in ["copy.db", "club.db", "\"$CLUB\"", "\"$RESTORED\"", "back.db"] {
        let audit = format!("paigow audit --store {store}");
        assert!(blocks.iter().any(|block| block.contains(&audit)), "no block has `{audit}`");
    }
    // All ports are held at once, so that they differ.
    let free = PORTS.map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let free = free.map(|listener| listener.local_addr().unwrap().port().to_string());
    let walk = Walk::new();
    for block in blocks {
        let block = PORTS.iter().zip(&free).fold(block, |block, (port, free)| block.replace(port, free));
        walk.run(&block);
    }
    assert!(walk.read("paigow.log").contains(&format!("http://127.0.0.1:{}", free[0])));
    assert!(walk.read("https.log").contains(&format!("https://localhost:{}", free[1])));
    // The last audit covers the table that was opened over https.
    let heads = walk.read("back-heads.json");
    assert!(heads.contains("\"sunday\"") && heads.contains("\"vip\""), "{heads}");
}
