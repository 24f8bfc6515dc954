//! Records for spreadsheets and for other programs.

use crate::{JournalRow, RoundRecord};
use paigow_table::{Currency, LineView, Purpose, TableId, Time, TransferId, TransferKind};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The columns of settlements, a row for each line.
pub const LINE_COLUMNS: [&str; 16] = [
    "table",
    "round",
    "ended_at",
    "outcome_of_round",
    "book",
    "who",
    "player",
    "wager",
    "stake_cents",
    "outcome",
    "net_cents",
    "fee_cents",
    "against",
    "because",
    "cite",
    "reason",
];

/// The fields of a round: a row for each line of its settlement, or one where there is none.
pub fn line_fields(record: &RoundRecord) -> Vec<Vec<String>> {
    let ended = record.ended_at.map_or(String::new(), |at| at.0.to_string());
    let start = [
        record.table.to_string(),
        record.round.to_string(),
        ended,
        record.outcome.to_owned(),
        record.book.clone(),
    ];
    if record.lines.is_empty() {
        let mut rest = vec![String::new(); LINE_COLUMNS.len() - start.len()];
        if let Some(reason) = &record.reason {
            // As in lines: a sentence for people, and what it is made of for programs.
            let at = |column: &str| {
                LINE_COLUMNS.iter().position(|name| *name == column).map(|at| at - start.len())
            };
            for (column, text) in [("because", reason.to_string()), ("reason", json!(reason).to_string())] {
                if let Some(field) = at(column).and_then(|at| rest.get_mut(at)) {
                    *field = text;
                }
            }
        }
        return vec![start.into_iter().chain(rest).collect()];
    }
    let row = |line: &LineView| {
        let rest = [
            line.who.clone(),
            player(record, line),
            line.wager.clone(),
            line.stake_cents.to_string(),
            line.outcome.clone(),
            line.net_cents.to_string(),
            line.fee_cents.to_string(),
            line.against.clone(),
            line.because.clone(),
            line.cite.clone(),
            line.reason.map_or(String::new(), |reason| json!(reason).to_string()),
        ];
        start.iter().cloned().chain(rest).collect()
    };
    record.lines.iter().map(row).collect()
}

/// Who a line is about.
fn player(record: &RoundRecord, line: &LineView) -> String {
    let banks = || record.play.as_ref()?.bank.as_ref().map(|bank| bank.seat);
    let seat = if line.who == "banker" {
        banks()
    } else {
        line.who.strip_prefix("seat-").and_then(|seat| seat.parse().ok())
    };
    let sitting = record.seats.iter().find(|sitting| Some(sitting.seat) == seat);
    sitting.map_or(String::new(), |sitting| sitting.player.to_string())
}

/// The columns of the journal.
pub const JOURNAL_COLUMNS: [&str; 13] = [
    "place", "at", "id", "kind", "hold", "from", "to", "currency", "cents", "purpose", "table", "round", "by",
];

/// A transfer's fields.
pub fn journal_fields(row: &JournalRow) -> Vec<String> {
    let fields = journal_json(row);
    let text = |name: &&str| match &fields[*name] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    JOURNAL_COLUMNS.iter().map(text).collect()
}

/// A transfer for programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Movement {
    /// Its place among all.
    pub place: u64,
    /// When it was decided.
    pub at: Time,
    /// Its name.
    #[schema(value_type = String)]
    pub id: TransferId,
    /// `plain`, `hold`, `post` or `void`.
    pub kind: &'static str,
    /// The hold that is posted or voided.
    #[schema(required, value_type = Option<String>)]
    pub hold: Option<TransferId>,
    /// Whose money it was.
    pub from: String,
    /// Whose it is now.
    pub to: String,
    /// In which currency.
    pub currency: Currency,
    /// How much.
    pub cents: u64,
    /// What for, in a word.
    #[schema(value_type = String)]
    pub purpose: Purpose,
    /// At which table, where it was at one.
    #[schema(required)]
    pub table: Option<TableId>,
    /// In which round there.
    #[schema(required)]
    pub round: Option<u64>,
    /// By whom.
    pub by: String,
}

impl Movement {
    /// A transfer as it is stored.
    pub fn of(row: &JournalRow) -> Movement {
        let JournalRow { place, transfer, at, by, table, round, .. } = row.clone();
        let (kind, hold) = match transfer.kind {
            TransferKind::Plain => ("plain", None),
            TransferKind::Hold => ("hold", None),
            TransferKind::Post(hold) => ("post", Some(hold)),
            TransferKind::Void(hold) => ("void", Some(hold)),
        };
        Movement {
            place,
            at,
            id: transfer.id,
            kind,
            hold,
            from: transfer.debit.owner.to_string(),
            to: transfer.credit.owner.to_string(),
            currency: transfer.debit.currency,
            cents: transfer.cents,
            purpose: transfer.purpose,
            round: table.is_some().then_some(round),
            table,
            by: by.to_string(),
        }
    }
}

/// A transfer as JSON.
pub fn journal_json(row: &JournalRow) -> Value {
    // Plain fields can always be written.
    serde_json::to_value(Movement::of(row)).unwrap_or_default()
}

/// Fields as a line of CSV (RFC 4180).
pub fn csv_row<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = fields.into_iter().map(|field| {
        if field.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_owned()
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}
