//! `paigow move`: moves a whole store to another database.

use crate::answer::{Answer, Cell, Format, Sheet};
use crate::args::MoveArgs;
use crate::audit::heads_sheet;
use crate::bar::start_bar;
use crate::store::{refused, rules_cache};
use crate::{Failure, print, print_error};
use paigow_server::{COMMIT, MoveOptions, MoveReport, VERSION, move_store, read_master_keys};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(args: &MoveArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let rules = rules_cache(&args.books)?;
    let keys = args.key_file.as_deref().map(read_master_keys).transpose().map_err(refused)?.map(Arc::new);
    let quiet = args.quiet;
    let progress = move |step: &str, parts| start_bar(step, parts, quiet);
    let options = MoveOptions { from: &args.from, to: &args.to, rules, keys, progress: &progress };
    let report = move_store(options).map_err(refused)?;
    print(&answer(args, &report), format, out)?;
    out.flush()?;
    print_error(&format!(
        "{} still has all its data: start no server on it again. The key file, the file of the operator secret and rule books are \
         not part of a store: give the server of the new store the same ones.",
        args.from
    ));
    Ok(())
}

fn answer(args: &MoveArgs, report: &MoveReport) -> Answer {
    let mut json = json!({
        "from": args.from.to_string(),
        "to": args.to.to_string(),
        "version": VERSION,
        "commit": COMMIT,
    });
    if let (Some(all), Ok(serde_json::Value::Object(rest))) =
        (json.as_object_mut(), serde_json::to_value(report))
    {
        all.extend(rest);
    }
    let tables = report.tables.iter();
    let tables = tables.map(|table| vec![table.table.into(), table.rows.into(), table.inserted.into()]);
    let balances = report.balances.iter().map(|total| {
        let above_zero = Cell::net_cents(total.cents);
        vec![total.currency.to_string().into(), total.accounts.into(), above_zero]
    });
    let sheets = vec![
        Sheet {
            title: format!("Moved {} to {}: rows in both stores", args.from, args.to),
            columns: vec!["table", "rows", "inserted now"],
            rows: tables.collect(),
        },
        Sheet {
            title: "Trial balance of both stores".to_owned(),
            columns: vec!["currency", "accounts", "sum of balances above zero"],
            rows: balances.collect(),
        },
        heads_sheet(&report.heads),
    ];
    Answer { json, sheets }
}
