//! Exports of rounds and of the journal, as CSV and JSON.

use crate::{JournalRow, RoundRecord};
use csv::{StringRecord, WriterBuilder};
use paigow_table::{Currency, LineView, Purpose, TableId, Time, TransferId, TransferKind};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// CSV columns of settlement lines.
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

/// Returns the CSV rows of a round: one for each settlement line, or a single row if there are none.
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
            // As in settlement lines: `because` is a sentence for people, and `reason` is JSON for programs.
            let index_of = |column: &str| {
                LINE_COLUMNS.iter().position(|name| *name == column).map(|index| index - start.len())
            };
            for (column, text) in [("because", reason.to_string()), ("reason", json!(reason).to_string())] {
                if let Some(field) = index_of(column).and_then(|index| rest.get_mut(index)) {
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

/// Returns the player of a line, or an empty text if it has none.
fn player(record: &RoundRecord, line: &LineView) -> String {
    let bank_seat = || record.play.as_ref()?.bank.as_ref().map(|bank| bank.seat);
    let seat = if line.who == "banker" {
        bank_seat()
    } else {
        line.who.strip_prefix("seat-").and_then(|seat| seat.parse().ok())
    };
    let view = record.seats.iter().find(|view| Some(view.seat) == seat);
    view.map_or(String::new(), |view| view.player.to_string())
}

/// CSV columns of the journal.
pub const JOURNAL_COLUMNS: [&str; 13] = [
    "place", "at", "id", "kind", "hold", "from", "to", "currency", "cents", "purpose", "table", "round", "by",
];

/// Returns the CSV fields of a transfer.
pub fn journal_fields(row: &JournalRow) -> Vec<String> {
    let fields = journal_json(row);
    let text = |name: &&str| match &fields[*name] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    JOURNAL_COLUMNS.iter().map(text).collect()
}

/// A transfer in the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct JournalTransfer {
    /// Position in the journal.
    pub place: u64,
    /// Time of the command.
    pub at: Time,
    /// Id of the transfer.
    #[schema(value_type = String)]
    pub id: TransferId,
    /// `plain`, `hold`, `post` or `void`.
    pub kind: &'static str,
    /// Hold that is posted or voided.
    #[schema(required, value_type = Option<String>)]
    pub hold: Option<TransferId>,
    /// Owner of the debited account.
    pub from: String,
    /// Owner of the credited account.
    pub to: String,
    /// Currency.
    pub currency: Currency,
    /// Amount in cents.
    pub cents: u64,
    /// Purpose, in one word.
    #[schema(value_type = String)]
    pub purpose: Purpose,
    /// Table of the transfer, or null outside tables.
    #[schema(required)]
    pub table: Option<TableId>,
    /// Round of the transfer, or null outside tables.
    #[schema(required)]
    pub round: Option<u64>,
    /// Actor whose command moved the money.
    pub by: String,
}

impl JournalTransfer {
    /// Converts a stored transfer.
    pub fn of(row: &JournalRow) -> JournalTransfer {
        let JournalRow { seq, transfer, at, by, table, round, .. } = row.clone();
        let (kind, hold) = match transfer.kind {
            TransferKind::Plain => ("plain", None),
            TransferKind::Hold => ("hold", None),
            TransferKind::Post(hold) => ("post", Some(hold)),
            TransferKind::Void(hold) => ("void", Some(hold)),
        };
        JournalTransfer {
            place: seq,
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

/// Returns a transfer as JSON.
pub fn journal_json(row: &JournalRow) -> Value {
    // The fields always serialize.
    serde_json::to_value(JournalTransfer::of(row)).unwrap_or_default()
}

/// Size of the buffer of a CSV row. A longer row is written in several parts.
const ROW_BYTES: usize = 512;

/// Returns fields as a line of CSV (RFC 4180), without the line end.
pub fn csv_row(fields: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let record: StringRecord = fields.into_iter().collect();
    let mut writer = WriterBuilder::new().buffer_capacity(ROW_BYTES).from_writer(Vec::new());
    // Writing to memory cannot fail, and the fields are UTF-8.
    let _ = writer.write_record(&record);
    let mut line = String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default();
    line.pop();
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_fields_are_quoted_if_needed() {
        assert_eq!(csv_row(["plain", "", " spaces ", "=1"]), "plain,, spaces ,=1");
        assert_eq!(csv_row(["a,b", "say \"x\""]), "\"a,b\",\"say \"\"x\"\"\"");
        assert_eq!(csv_row(["a\nb", "a\rb"]), "\"a\nb\",\"a\rb\"");
        let long = "a,".repeat(ROW_BYTES);
        assert_eq!(csv_row([&long]), format!("\"{long}\""));
    }
}
