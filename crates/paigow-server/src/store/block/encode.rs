//! Content of a block before compression.
//!
//! Numbers are unsigned LEB128. A text is its length in bytes as a number, then its bytes. A difference is a value minus the
//! last value of the same column, or minus 0, zigzag encoded: 2n for n ≥ 0 and −2n − 1 for n < 0. In this order:
//!
//! 1. The number 1, which is the version of this format; the table; the sequence number and the 32 bytes of the hash of
//!    the event before the first; the number of commands.
//! 2. For each command: the actor; the id; the difference of the time; the command; the answer; the number of its events and
//!    the number of its transfers.
//!    1. For each of its events: the difference of the round; the JSON.
//!    2. For each of its transfers: the difference of the sequence number in the journal; the difference of the round; the id; the
//!       kind; for `post` and `void` the hold; the debited account; the credited account; the currency; the cents; the purpose.
//!
//! The other columns follow from these: sequence numbers of events, digests and hashes, and the actor, time and table of events
//! and transfers. The events of a command follow the command because they repeat parts of it, which then compress well.

use super::bytes::{Difference, Input, Output};
use super::{Block, compute_hashes};
use crate::store::encoding::{
    decode_account, decode_actor, decode_kind, decode_purpose, encode_actor, encode_kind, encode_purpose,
    parse,
};
use crate::store::{CommandRow, EventRow, JournalRow, StoreError, StoredCommand, Tip};
use paigow_table::{TableId, Time, Transfer};
use std::fmt::Display;
use std::str::FromStr;

/// Version of the format.
const FORMAT: u64 = 1;

/// Columns that are stored as differences.
#[derive(Default)]
struct Differences {
    at: Difference,
    event_round: Difference,
    place: Difference,
    transfer_round: Difference,
}

/// Encodes rows, or returns why they do not belong together.
pub(super) fn encode(block: &Block) -> Result<Vec<u8>, String> {
    let Block { table, before, events, commands, journal } = block;
    let mut out = Output::default();
    out.number(FORMAT);
    out.text(table.as_str());
    out.number(before.seq);
    out.bytes(&before.hash);
    out.number(commands.len() as u64);
    let mut differences = Differences::default();
    let (mut events, mut journal) = (&events[..], &journal[..]);
    for command in commands {
        let event_count = events.iter().take_while(|row| command.causes(row)).count();
        let transfer_count = journal.iter().take_while(|row| command.moves(row)).count();
        let (own_events, later_events) = events.split_at(event_count);
        let (own_transfers, later_transfers) = journal.split_at(transfer_count);
        (events, journal) = (later_events, later_transfers);
        out.text(&encode_actor(&command.by));
        out.text(command.id.as_str());
        out.number(differences.at.encode(command.at.0));
        out.text(&command.stored.body);
        out.text(&command.stored.answer);
        out.number(event_count as u64);
        out.number(transfer_count as u64);
        for row in own_events {
            out.number(differences.event_round.encode(row.round));
            out.text(&row.json);
        }
        for row in own_transfers {
            encode_transfer(&mut out, &mut differences, row);
        }
    }
    match (events, journal) {
        ([], []) => Ok(out.finish()),
        ([], _) => {
            Err("a transfer has no command, or the transfers of a command are not consecutive".to_owned())
        }
        _ => Err("an event has no command, or the events of a command are not consecutive".to_owned()),
    }
}

fn encode_transfer(out: &mut Output, differences: &mut Differences, row: &JournalRow) {
    let transfer = &row.transfer;
    let (kind, hold) = encode_kind(&transfer.kind);
    out.number(differences.place.encode(row.seq));
    out.number(differences.transfer_round.encode(row.round));
    out.text(transfer.id.as_str());
    out.text(kind);
    if let Some(hold) = hold {
        out.text(hold);
    }
    out.text(&transfer.debit.owner.to_string());
    out.text(&transfer.credit.owner.to_string());
    out.text(transfer.debit.currency.as_str());
    out.number(transfer.cents);
    out.text(encode_purpose(transfer.purpose));
}

/// Decodes rows, or returns why the content is invalid.
pub(super) fn decode(content: &[u8]) -> Result<Block, String> {
    let mut input = Input::new(content);
    let format = input.number()?;
    if format != FORMAT {
        return Err(format!("its format is {format}, and this program reads format {FORMAT}"));
    }
    let table: TableId = named("a table", input.text()?)?;
    let seq = input.number()?;
    let before = Tip { seq, hash: input.hash()? };
    let count = input.count()?;
    let (events, journal) = (Vec::new(), Vec::new());
    let mut block = Block { table, before, events, commands: Vec::with_capacity(count), journal };
    let mut differences = Differences::default();
    for _ in 0..count {
        decode_command(&mut input, &mut differences, &mut block)?;
    }
    if !input.is_empty() {
        return Err("there are bytes after the last row".to_owned());
    }
    compute_hashes(&mut block);
    Ok(block)
}

/// Adds the next command with its events and transfers to a block.
fn decode_command(
    input: &mut Input<'_>,
    differences: &mut Differences,
    block: &mut Block,
) -> Result<(), String> {
    let by = decode_actor(input.text()?).map_err(text_of)?;
    let command = CommandRow {
        by,
        id: named("a command", input.text()?)?,
        at: Time(differences.at.decode(input.number()?)),
        stored: StoredCommand {
            table: Some(block.table.clone()),
            body: input.text()?.to_owned(),
            answer: input.text()?.to_owned(),
        },
        digest: [0; 32],
    };
    let (event_count, transfer_count) = (input.count()?, input.number()?);
    for _ in 0..event_count {
        let round = differences.event_round.decode(input.number()?);
        block.events.push(EventRow {
            seq: block.before.seq.saturating_add(block.events.len() as u64 + 1),
            round,
            json: input.text()?.to_owned(),
            at: command.at,
            by: command.by.clone(),
            command: command.id.clone(),
            hash: [0; 32],
        });
    }
    for number in 0..transfer_count {
        block.journal.push(decode_transfer(input, differences, &command, number)?);
    }
    block.commands.push(command);
    Ok(())
}

fn decode_transfer(
    input: &mut Input<'_>,
    differences: &mut Differences,
    command: &CommandRow,
    number: u64,
) -> Result<JournalRow, String> {
    let seq = differences.place.decode(input.number()?);
    let round = differences.transfer_round.decode(input.number()?);
    let id = named("a transfer", input.text()?)?;
    let kind = input.text()?;
    let hold = if matches!(kind, "post" | "void") { Some(input.text()?) } else { None };
    let (debit, credit, currency) = (input.text()?, input.text()?, input.text()?);
    let account = |owner| decode_account(owner, currency).map_err(text_of);
    let transfer = Transfer {
        id,
        kind: decode_kind(kind, hold).map_err(text_of)?,
        debit: account(debit)?,
        credit: account(credit)?,
        cents: input.number()?,
        purpose: decode_purpose(input.text()?).map_err(text_of)?,
    };
    Ok(JournalRow {
        seq,
        transfer,
        at: command.at,
        by: command.by.clone(),
        command: command.id.clone(),
        number,
        table: command.stored.table.clone(),
        round,
    })
}

fn named<T: FromStr>(what: &str, text: &str) -> Result<T, String>
where
    T::Err: Display,
{
    parse(what, text).map_err(text_of)
}

#[allow(clippy::needless_pass_by_value)] // an argument of `map_err`
fn text_of(error: StoreError) -> String {
    error.to_string()
}
