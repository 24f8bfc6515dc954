//! Examination of a server's surroundings: settings, clock, disk, permissions, certificate,
//! database, keys and addresses.
//!
//! It changes nothing: it does not create or migrate a store, and writes no file. Each check is one row with the thing
//! that was found and the advice. Another check is a function that returns such rows, called in [`examine`].

mod certificate;
mod clock;
mod disk;
mod keys;
mod permissions;
mod postgres;
mod process;
mod sqlite;

use crate::settings::{SettingProblem, SettingSources, Settings};
use crate::store::{StoreFacts, examine_postgres, examine_sqlite};
use crate::{BookFolder, StoreError};
use serde::Serialize;

/// Result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DoctorCheck {
    /// Stable name of the check.
    pub name: &'static str,
    /// Result.
    pub level: CheckLevel,
    /// What was found.
    pub found: String,
    /// What to do. Empty if nothing is to be done.
    pub advice: String,
}

/// Result of a check, from good to bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckLevel {
    /// Nothing is to be done.
    Ok,
    /// The server runs, but an operator should look into it.
    Warning,
    /// The server does not start, or data or secrets are at risk.
    Fault,
}

impl CheckLevel {
    /// The level as a word.
    pub const fn word(self) -> &'static str {
        match self {
            CheckLevel::Ok => "ok",
            CheckLevel::Warning => "warning",
            CheckLevel::Fault => "fault",
        }
    }
}

impl DoctorCheck {
    fn ok(name: &'static str, found: impl Into<String>) -> DoctorCheck {
        DoctorCheck { name, level: CheckLevel::Ok, found: found.into(), advice: String::new() }
    }

    fn warning(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> DoctorCheck {
        DoctorCheck { level: CheckLevel::Warning, advice: advice.into(), ..DoctorCheck::ok(name, found) }
    }

    fn fault(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> DoctorCheck {
        DoctorCheck { level: CheckLevel::Fault, ..DoctorCheck::warning(name, found, advice) }
    }
}

/// Runs all checks for a server with settings from these sources. `Err`: the settings file could not be read.
///
/// With invalid settings, only the checks that need no settings run.
pub fn examine(sources: Result<SettingSources, SettingProblem>) -> Vec<DoctorCheck> {
    let mut checks = vec![clock::against_build(), disk::cache()];
    let advice = "correct the value; the table of settings in docs/operating.md lists all";
    let problem = |problem: &SettingProblem| DoctorCheck::fault("settings", problem.to_string(), advice);
    let sources = match sources {
        Ok(sources) => sources,
        Err(unreadable) => {
            checks.insert(0, problem(&unreadable));
            return checks;
        }
    };
    let settings = match Settings::read(&sources) {
        Ok(settings) => settings,
        Err(problems) => {
            checks.splice(0..0, problems.iter().map(problem));
            return checks;
        }
    };
    checks.splice(0..0, settings_checks(&sources, &settings));
    checks.extend(permissions::checks(&sources, &settings));
    checks.extend(certificate::checks(&settings));
    checks.extend(process::checks(&settings));
    let facts = match settings.store.file() {
        Some(file) => sqlite::checks(file, &mut checks),
        None => postgres::checks(&settings, &mut checks),
    };
    if let Some(facts) = &facts {
        checks.push(clock::against_store(facts.newest));
    }
    checks.extend(keys::checks(&settings, facts.as_ref()));
    checks
}

fn settings_checks(sources: &SettingSources, settings: &Settings) -> Vec<DoctorCheck> {
    let origin = sources.file.as_ref().map_or("no file".to_owned(), |file| file.name.to_string());
    let mut checks = vec![DoctorCheck::ok("settings", format!("all values are valid ({origin})"))];
    for variable in sources.unknown_variables() {
        let found = format!("{variable} is not a setting");
        checks.push(DoctorCheck::warning("settings", found, "correct the name, or remove the variable"));
    }
    match BookFolder::read(settings.books.as_deref()) {
        Ok(_) if settings.books.is_none() => {}
        Ok(_) => checks.push(DoctorCheck::ok("rule books", "all files of the folder are valid")),
        Err(problems) => checks.extend(problems.iter().map(|problem| {
            DoctorCheck::fault(
                "rule books",
                problem.to_string(),
                "correct the file; `paigow check` explains it",
            )
        })),
    }
    checks
}

/// Check of a store's version.
fn version_check(facts: &StoreFacts) -> DoctorCheck {
    let StoreFacts { version, known, rounds, bytes, .. } = facts;
    if *version == 0 {
        return DoctorCheck::ok("store", "empty; the first start creates its tables");
    }
    let found = format!("version {version}, {rounds} rounds, {}", disk::size(*bytes));
    if version < known {
        let found = format!("{found}; this program uses version {known}");
        let advice = "back up and audit with the old program before the next start, which migrates the store";
        return DoctorCheck::warning("store", found, advice);
    }
    DoctorCheck::ok("store", found)
}

/// Check of a store that cannot be read.
fn unreadable(error: &StoreError) -> DoctorCheck {
    let advice = match error {
        StoreError::Newer { .. } => "use the newer program, or restore the backup made before the upgrade",
        StoreError::Foreign => "correct the setting `store`",
        StoreError::Sqlite(_) | StoreError::Io(_) => {
            "correct the path or its permissions, or restore a backup"
        }
        _ => "correct the address, and check that the database runs and accepts the role",
    };
    DoctorCheck::fault("store", error.to_string(), advice)
}

/// Runs a future of the store to its end.
fn block_on<T>(future: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future)
}
