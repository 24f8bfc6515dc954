//! `paigow doctor`: checks the surroundings of a server, and says what to do.

use crate::answer::{Answer, Format, Sheet};
use crate::serve::ServeArgs;
use crate::{Failure, print, print_error};
use paigow_server::{CheckLevel, DoctorCheck, examine};
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: ServeArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let checks = examine(args.sources());
    let count = |level: CheckLevel| checks.iter().filter(|check| check.level == level).count();
    let (faults, warnings) = (count(CheckLevel::Fault), count(CheckLevel::Warning));
    print(&answer(&checks, faults, warnings), format, out)?;
    out.flush()?;
    if faults == 0 {
        return Ok(());
    }
    print_error(&format!("paigow: {faults} of {} checks found a fault", checks.len()));
    Err(Failure::Reported)
}

fn answer(checks: &[DoctorCheck], faults: usize, warnings: usize) -> Answer {
    let row = |DoctorCheck { name, level, found, advice }: &DoctorCheck| {
        vec![(*name).into(), level.word().into(), found.clone().into(), advice.clone().into()]
    };
    let sheet = Sheet {
        title: format!("{} checks: {faults} faults, {warnings} warnings", checks.len()),
        columns: vec!["check", "result", "found", "what to do"],
        rows: checks.iter().map(row).collect(),
    };
    Answer { json: json!({ "checks": checks, "faults": faults, "warnings": warnings }), sheets: vec![sheet] }
}
