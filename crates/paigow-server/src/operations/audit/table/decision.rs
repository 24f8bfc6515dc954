//! Decides a command again and compares its events with the stored ones.

use super::{Finding, event_location};
use crate::{CommandRow, EventRow};
use paigow_table::{
    Account, Command, DecisionContext, Funds, LineRecord, RulesForm, Table, TableEvent, TableId, Transfer,
};
use std::borrow::Cow;

/// Unlimited balances, because the audit does not replay balances.
///
/// Only tables with a guarantee have transfers of the operator in the journal. The transfers of a round are read from
/// the journal.
struct UnlimitedFunds<'a> {
    transfers: &'a [Transfer],
}

impl Funds for UnlimitedFunds<'_> {
    fn cents(&self, _account: &Account) -> i64 {
        i64::MAX / 4
    }

    fn round_transfers(&self, table: &TableId, round: u64) -> Vec<Transfer> {
        let prefix = format!("{table}/{round}/");
        self.transfers.iter().filter(|transfer| transfer.id.as_str().starts_with(&prefix)).cloned().collect()
    }
}

/// Decides a command again, compares the events with the stored ones, and returns the expected transfers.
///
/// Returns `None` if the command cannot be decided, because the secret of its round is not revealed yet.
pub(super) fn decide(
    table: &Table,
    rows: &[EventRow],
    command: &CommandRow,
    stored: &[TableEvent],
    transfers: &[Transfer],
) -> Result<Option<Vec<Transfer>>, Finding> {
    let seq = rows.first().map_or(0, |row| row.seq);
    let at = |code, seq: u64, message: String| Finding::new(code, event_location(table.id(), seq), message);
    let body: Command = serde_json::from_str(&command.stored.body).map_err(|why| {
        at("command_unreadable", seq, format!("belongs to a command that cannot be read: {why}"))
    })?;
    // Random bytes of the command: the secret in version 1 of fair deals, the nonce in version 2.
    let mut drawn = None;
    let mut table = Cow::Borrowed(table);
    for event in stored {
        match event {
            TableEvent::RoundOpened { secret: Some(secret), .. } => {
                drawn = Some(secret.0);
                // A table without keys opens rounds of version 1.
                let without = table.into_owned().with_keys(None);
                table = Cow::Owned(without.map_err(|invalid| at("event_misfit", seq, invalid.to_string()))?);
            }
            TableEvent::RoundOpened { derived: Some(derived), .. } => drawn = Some(derived.nonce.0),
            // Without the secret the deal and the hands cannot be decided again. A later audit does it when the secret
            // is revealed.
            TableEvent::Dealt { .. } | TableEvent::HandSet { .. } if table.awaits_secret() => {
                return Ok(None);
            }
            _ => {}
        }
    }
    let context = DecisionContext {
        now: command.at,
        entropy: drawn.unwrap_or_default(),
        funds: &UnlimitedFunds { transfers },
    };
    let effects = table.decide(&command.by, &body, &context).map_err(|refusal| {
        at("refused", seq, format!("belongs to a command that the table refuses: {refusal}"))
    })?;
    for (index, event) in stored.iter().enumerate() {
        let seq = seq + index as u64;
        match effects.events.get(index) {
            Some(expected) if expected.agrees_with(event, table.rules_form()) => {}
            Some(expected) => {
                let (code, message) = difference(expected, event, table.rules_form());
                return Err(at(code, seq, message));
            }
            None => return Err(at("event_differs", seq, "does not follow from its command".to_owned())),
        }
    }
    if effects.events.len() > stored.len() {
        let next = seq + stored.len() as u64;
        return Err(at("event_missing", next, "is missing, but follows from its command".to_owned()));
    }
    Ok(Some(effects.transfers))
}

/// Returns the code and description of the difference between an expected event and the stored one.
fn difference(expected: &TableEvent, stored: &TableEvent, form: RulesForm) -> (&'static str, String) {
    match (expected, stored) {
        (
            TableEvent::RoundOpened { commitment: expected, .. },
            TableEvent::RoundOpened { commitment, .. },
        ) if expected != commitment => {
            ("commitment_differs", "the commitment does not match the secret".to_owned())
        }
        (
            TableEvent::Dealt { cards: expected, dice: expected_dice, .. },
            TableEvent::Dealt { cards, dice, .. },
        ) if (expected, expected_dice) != (cards, dice) => {
            ("deal_differs", "the deal does not match the secret".to_owned())
        }
        (TableEvent::Settled { settlement: expected, .. }, TableEvent::Settled { settlement, .. })
            if !LineRecord::all_agree(expected, settlement, form) =>
        {
            ("settlement_differs", line_difference(expected, settlement, form))
        }
        _ => ("event_differs", format!("is {stored:?}, but should be {expected:?}")),
    }
}

fn line_difference(expected: &[LineRecord], stored: &[LineRecord], form: RulesForm) -> String {
    let differing =
        expected.iter().zip(stored).find(|(expected, stored)| !expected.agrees_with(stored, form));
    match differing {
        Some((expected, stored)) => format!("a line is {stored:?}, but should be {expected:?}"),
        None => format!("has {} lines, but should have {}", stored.len(), expected.len()),
    }
}
