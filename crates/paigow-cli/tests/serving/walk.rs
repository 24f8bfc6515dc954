//! Runs the commands of "From nothing to a running club" in `docs/operating.md`, block by block.

use crate::authenticator::code_of;
use crate::enrolled::PASSWORD;
use crate::program::CACHE;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// First line of a block that is run. Readers of the manual see a block of shell commands.
const MARKER: &str = "```sh walk";
/// Address in the manual. The test takes a free port instead.
const ADDRESS: &str = "127.0.0.1:8080";
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

/// Folder of the walk. Ends the server that a failed walk leaves running.
struct Walk {
    folder: TempDir,
}

impl Walk {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a block, and answers the questions of an enrolment as a person would. Panics with the output if it fails.
    fn run(&self, block: &str) {
        let program = Path::new(env!("CARGO_BIN_EXE_paigow")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let mut child = Command::new("sh")
            .args(["-eu", "-c", block])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("PAIGOW_CACHE", CACHE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut printed = Vec::new();
        let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        if block.contains(" enrol ") {
            let secret = fs::read_to_string(self.path("club.operator")).unwrap();
            writeln!(input, "{}\n{PASSWORD}", secret.trim()).unwrap();
            printed.extend(errors.by_ref().next());
            let authenticator = printed.last().and_then(|line| line.rsplit_once(AUTHENTICATOR));
            let (_, authenticator) = authenticator.unwrap_or_else(|| panic!("{printed:?}"));
            writeln!(input, "{}", code_of(authenticator, 0)).unwrap();
        }
        drop(input);
        printed.extend(errors);
        let output = child.wait_with_output().unwrap();
        let answer = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{block}\n\n{answer}\n{}", printed.join("\n"));
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        if let Ok(id) = fs::read_to_string(self.path("paigow.pid")) {
            // The server has ended if the walk succeeded.
            let _ = Command::new("kill").arg(id.trim()).stderr(Stdio::null()).status();
        }
    }
}

#[test]
fn commands_of_the_manual_lead_to_a_running_club() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating.md");
    let blocks = blocks(&fs::read_to_string(manual).unwrap());
    assert!(blocks.len() >= 7, "{}", blocks.len());
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let walk = Walk { folder: TempDir::new().unwrap() };
    for block in blocks {
        walk.run(&block.replace(ADDRESS, &free));
    }
    let log = fs::read_to_string(walk.path("paigow.log")).unwrap();
    assert!(log.contains(&format!("http://{free}")), "{log}");
    assert!(walk.path("heads.json").exists());
}
