//! `paigow replay`: shows a stored round event by event and line by line.

use crate::Failure;
use crate::answer::{Answer, Cell, Sheet};
use crate::args::ReplayArgs;
use crate::store::{open_store, refused, rules_cache};
use paigow_server::{
    ArchivedRound, CheckpointRow, RoundEntry, RoundRecord, archived_round, described_events, records_after,
};
use paigow_table::{Checkpoint, HandView, StepView, TableId};
use serde_json::json;

pub(crate) fn answer(args: &ReplayArgs) -> Result<Answer, Failure> {
    let table: TableId = args.table.parse().map_err(refused)?;
    let rules = rules_cache(&args.books)?;
    if let Some(file) = &args.archive {
        let found = archived_round(file, &table, args.round, &rules);
        let ArchivedRound { record, events } =
            found.map_err(|error| refused(format!("{}: {error}", file.display())))?;
        return Ok(shown(&record, &events));
    }
    let store = open_store(&args.store.store)?;
    let (start, rows) = store.events(&table).map_err(refused)?;
    if rows.is_empty() {
        return Err(Failure::Refused(format!("there is no table {table}")));
    }
    if let Some(archived) = archived_rounds(start.as_ref()).filter(|last| args.round <= *last) {
        let files: Vec<String> = store.archives().map_err(refused)?.into_iter().map(|row| row.file).collect();
        return Err(Failure::Refused(format!(
            "rounds 1 to {archived} of table {table} are archived: use --archive with the file of the archive ({})",
            files.join(", ")
        )));
    }
    let record = records_after(&table, start.as_ref(), &rows, &rules).map_err(refused)?;
    let record = record.into_iter().find(|record| record.round == args.round);
    let record =
        record.ok_or_else(|| Failure::Refused(format!("table {table} has no round {}", args.round)))?;
    if record.ended_at.is_none() {
        // The secret of an open round reveals every card.
        return Err(Failure::Refused(format!("round {} of table {table} is not over", args.round)));
    }
    let opened = start.as_ref().map(|start| start.opened.as_str());
    let mut events = described_events(&table, opened, &rows, &rules).map_err(refused)?;
    events.retain(|entry| (record.first_seq..=record.last_seq).contains(&entry.seq));
    Ok(shown(&record, &events))
}

/// Returns the last archived round of a table, or `None` if none is archived.
pub(crate) fn archived_rounds(start: Option<&CheckpointRow>) -> Option<u64> {
    let checkpoint = Checkpoint::from_json(&start?.json).ok()?;
    Some(checkpoint.rounds()).filter(|rounds| *rounds > 0)
}

fn shown(record: &RoundRecord, events: &[RoundEntry]) -> Answer {
    let sheets = vec![event_sheet(record, events), hands(record), lines(record), steps(record)];
    Answer { json: json!({ "round": record, "events": events }), sheets }
}

fn event_sheet(record: &RoundRecord, events: &[RoundEntry]) -> Sheet {
    let start = record.opened_at.0;
    let rows = events.iter().map(|entry| {
        let time = entry.at.0.saturating_sub(start);
        let time = format!("{}.{:03} s", time / 1000, time % 1000);
        vec![entry.seq.into(), time.into(), entry.by.clone().into(), entry.says.clone().into()]
    });
    Sheet {
        title: format!(
            "Round {} at table {} ({}), {}",
            record.round, record.table, record.book, record.outcome
        ),
        columns: vec!["event", "time", "by", "description"],
        rows: rows.collect(),
    }
}

fn hands(record: &RoundRecord) -> Sheet {
    let row = |who: String, player: String, hand: &HandView| -> Vec<Cell> {
        let text = |cards: &Option<String>| cards.clone().unwrap_or_default();
        let foul = if hand.foul == Some(true) { "foul" } else { "" };
        let cells = [who, player, text(&hand.low), text(&hand.high), foul.to_owned()];
        cells.into_iter().map(Cell::from).collect()
    };
    let dealer = record.play.iter().filter_map(|play| play.dealer.as_ref());
    let dealer = dealer.map(|hand| row("dealer".to_owned(), String::new(), hand));
    let seats = record.seats.iter().filter_map(|sitting| {
        let hand = sitting.hand.as_ref()?;
        Some(row(format!("seat {}", sitting.seat), sitting.player.to_string(), hand))
    });
    Sheet {
        title: "Hands".to_owned(),
        columns: vec!["hand", "player", "low hand", "high hand", ""],
        rows: dealer.chain(seats).collect(),
    }
}

fn lines(record: &RoundRecord) -> Sheet {
    let starts: Vec<usize> = steps_of(record).iter().map(|step| step.first_line).collect();
    let rows = record.lines.iter().enumerate().map(|(position, line)| {
        let step = starts.iter().take_while(|start| **start <= position).count();
        vec![
            (if step > 0 { step.to_string() } else { String::new() }).into(),
            line.who.clone().into(),
            line.wager.clone().into(),
            Cell::cents(line.stake_cents),
            line.outcome.clone().into(),
            Cell::net_cents(line.net_cents),
            line.because.clone().into(),
            line.cite.clone().into(),
        ]
    });
    Sheet {
        title: record.reason.as_ref().map_or("Settlement".to_owned(), |why| format!("Void: {why}")),
        columns: vec!["step", "who", "wager", "stake", "outcome", "net", "reason", "cite"],
        rows: rows.collect(),
    }
}

fn steps_of(record: &RoundRecord) -> &[StepView] {
    record.play.as_ref().map_or(&[], |play| &play.steps)
}

/// Sheet of the steps in which viewers saw the settlement.
fn steps(record: &RoundRecord) -> Sheet {
    let rows = (1..).zip(steps_of(record)).map(|(number, step): (usize, _)| {
        let net: i64 =
            record.lines.iter().skip(step.first_line).take(step.lines).map(|line| line.net_cents).sum();
        let buttons = step.buttons.iter().map(|button| format!("seat-{} {}", button.seat, button.wager));
        vec![
            number.to_string().into(),
            format!("{}.{:03} s", step.offset_ms / 1000, step.offset_ms % 1000).into(),
            step.part.name().into(),
            step.who.as_str().into(),
            Cell::net_cents(net),
            step.unreconciled.len().to_string().into(),
            buttons.collect::<Vec<_>>().join(", ").into(),
        ]
    });
    Sheet {
        title: "Steps".to_owned(),
        columns: vec!["step", "time", "part", "who", "net", "wagers left", "envy markers on the table"],
        rows: rows.collect(),
    }
}
