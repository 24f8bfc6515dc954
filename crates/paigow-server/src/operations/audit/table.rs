//! One table: its chain, and its commands decided anew.

use super::{Finding, bank};
use crate::host::replay::{self, ReplayError};
use crate::host::revealed_keys::ShownKeys;
use crate::store::{GENESIS, command_digest, event_hash};
use crate::{CommandResult, CommandRow, EventRow, JournalRow, RulesCache};
use paigow_table::{
    Account, Actor, Command, CommandId, Config, DecisionContext, Funds, LineRecord, MasterKeys, Owner,
    Purpose, RoundKeys, RulesForm, RulesMatch, Table, TableEvent, TableId, Transfer, TransferId,
    TransferKind, Viewer, closed_statement, opened_statement,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

type Named<'a> = (&'a Actor, &'a CommandId);

/// A table being audited, or what belongs to no table.
pub(super) struct Audit<'a> {
    table: Option<&'a TableId>,
    commands: HashMap<String, &'a CommandRow>,
    journal: HashMap<String, Vec<&'a JournalRow>>,
    /// In the order they were read.
    order: Vec<&'a CommandRow>,
}

/// What came of it.
pub(super) struct Audited {
    pub(super) rounds: u64,
    pub(super) findings: Vec<Finding>,
    /// The holds that are open at the end, as the table has them; none where it could not be replayed.
    pub(super) open_holds: Option<BTreeMap<TransferId, u64>>,
    /// Whether nothing says that the table was opened with these rules.
    pub(super) unverified: bool,
    /// Whether hands are dealt that follow from a secret which is not shown yet.
    pub(super) not_shown: bool,
}

/// Unlimited balances, because the audit does not replay balances. Only tables with a guarantee have transfers of the operator's in the journal.
/// What a round has moved is read from the journal.
struct Unlimited<'a> {
    moved: &'a [Transfer],
}

impl Funds for Unlimited<'_> {
    fn cents(&self, _account: &Account) -> i64 {
        i64::MAX / 4
    }

    fn of_round(&self, table: &TableId, round: u64) -> Vec<Transfer> {
        let of_round = format!("{table}/{round}/");
        self.moved.iter().filter(|transfer| transfer.id.as_str().starts_with(&of_round)).cloned().collect()
    }
}

fn key((by, id): Named<'_>) -> String {
    format!("{by:?} {id}")
}

impl<'a> Audit<'a> {
    pub(super) fn new(
        table: Option<&'a TableId>,
        commands: &'a [CommandRow],
        journal: &'a [JournalRow],
    ) -> Audit<'a> {
        let mut by_command: HashMap<String, Vec<&JournalRow>> = HashMap::new();
        for row in journal {
            by_command.entry(key((&row.by, &row.command))).or_default().push(row);
        }
        for rows in by_command.values_mut() {
            rows.sort_by_key(|row| row.number);
        }
        Audit {
            table,
            commands: commands.iter().map(|row| (key((&row.by, &row.id)), row)).collect(),
            journal: by_command,
            order: commands.iter().collect(),
        }
    }

    pub(super) fn run(
        &self,
        events: &[EventRow],
        library: &RulesCache,
        keys: Option<&Arc<MasterKeys>>,
    ) -> Audited {
        let mut findings = Vec::new();
        let mut replayed = None;
        let (mut complete, mut unverified) = (false, false);
        if let Some(table) = self.table {
            let chained = self.chain(table, events);
            let checked = chained.and_then(|()| {
                let mut rules = RulesMatch::Same;
                let replay = self.replay(table, events, (library, keys), &mut replayed, &mut rules);
                // The digest of an unverified table cannot be compared. If an event does not follow from these rules, they are not the table's.
                unverified = rules == RulesMatch::Unverified;
                let by_rules = |code| matches!(code, "refused" | "settlement_differs" | "event_differs");
                replay.map_err(|finding| {
                    if unverified && by_rules(finding.code) {
                        Finding { code: "rules_differ", ..finding }
                    } else {
                        finding
                    }
                })
            });
            complete = checked.is_ok();
            findings.extend(checked.err());
        }
        findings.extend(self.order.iter().filter_map(|command| self.command(command).err()));
        findings.extend(self.strays());
        let open_holds = replayed
            .as_ref()
            .filter(|_| complete)
            .map(|table: &Table| table.open_holds().map(|(hold, cents)| (hold.clone(), cents)).collect());
        let not_shown = replayed.as_ref().is_some_and(Table::awaits_secret);
        let rounds = replayed.map_or(0, |table| table.round_number());
        Audited { rounds, findings, open_holds, unverified, not_shown }
    }

    /// Whether the events are those that were written, and all of them.
    fn chain(&self, table: &TableId, events: &[EventRow]) -> Result<(), Finding> {
        let mut hash = GENESIS;
        let mut said = 0;
        for (seq, row) in (1..).zip(events) {
            let at = |code, says: String| Finding { code, place: event_place(table, seq), says };
            if row.seq != seq {
                return Err(at("event_missing", format!("is missing; the next is event {}", row.seq)));
            }
            let Some(command) = self.commands.get(&key((&row.by, &row.command))) else {
                let says = format!("came of command {} of {}, which is missing", row.command, row.by);
                return Err(at("command_missing", says));
            };
            if command.at != row.at {
                let says = format!("happened at {}, its command at {}", row.at.0, command.at.0);
                return Err(at("time_changed", says));
            }
            let expected = event_hash(&hash, table, seq, &command.digest, &row.json);
            if expected != row.hash {
                return Err(at("chain_broken", "is not what was written: its hash does not fit".to_owned()));
            }
            hash = expected;
        }
        if events.is_empty() {
            let place = format!("table {table}");
            return Err(Finding { code: "event_missing", place, says: "has no events".to_owned() });
        }
        for command in &self.order {
            said = serde_json::from_str(&command.kept.answer)
                .map_or(said, |done: CommandResult| said.max(done.seq));
        }
        let count = events.len() as u64;
        if said > count {
            let says = format!("is missing: a command was answered that made events up to {said}");
            return Err(Finding { code: "event_missing", place: event_place(table, count + 1), says });
        }
        Ok(())
    }

    /// Whether every command, decided anew, makes what is stored.
    fn replay(
        &self,
        id: &TableId,
        events: &[EventRow],
        (library, keys): (&RulesCache, Option<&Arc<MasterKeys>>),
        table: &mut Option<Table>,
        rules: &mut RulesMatch,
    ) -> Result<(), Finding> {
        let mut shown = Some(shown_keys(id, events, keys)?);
        // What the round that goes on or was the last has moved.
        let mut moved: Vec<Transfer> = Vec::new();
        for rows in events.chunk_by(|one, next| (&one.by, &one.command) == (&next.by, &next.command)) {
            let [first, ..] = rows else { continue };
            let place = event_place(id, first.seq);
            let at = |code, says: String| Finding { code, place: place.clone(), says };
            let Some(command) = self.commands.get(&key((&first.by, &first.command))) else { continue };
            let stored: Vec<TableEvent> = rows
                .iter()
                .map(|row| replay::event_of(id, row.seq, &row.json))
                .collect::<Result<_, _>>()
                .map_err(|error| at("event_unreadable", error.to_string()))?;

            let after = first.seq - 1;
            let done = CommandResult { after, seq: after + rows.len() as u64 };
            if serde_json::from_str::<CommandResult>(&command.kept.answer).ok().as_ref() != Some(&done) {
                let says = format!("and those after it were answered with {}", command.kept.answer);
                return Err(at("answer_differs", says));
            }
            let transfers = match table {
                None => {
                    let opened = open(id, first.seq, command, &stored, library)?;
                    *rules = opened.rules_match();
                    let shown: Option<Arc<dyn RoundKeys>> = shown.take().map(|shown| Arc::new(shown) as _);
                    let keyed = opened.assume_rules_match().with_keys(shown);
                    *table = Some(keyed.map_err(|misfit| at("event_misfit", misfit.to_string()))?);
                    Some(Vec::new())
                }
                Some(table) => decide(table, rows, command, &stored, &moved)?,
            };
            for (row, event) in rows.iter().zip(&stored).skip(usize::from(after == 0)) {
                let Some(table) = table else { continue };
                if let Err(misfit) = table.apply(event) {
                    let place = event_place(id, row.seq);
                    return Err(Finding { code: "event_misfit", place, says: misfit.to_string() });
                }
                if table.round_number() != row.round {
                    let says =
                        format!("is filed under round {}, and is of {}", row.round, table.round_number());
                    return Err(Finding { code: "round_differs", place: event_place(id, row.seq), says });
                }
            }
            if let (Some(keys), Some(table)) = (keys, table.as_ref()) {
                check_signatures(table, keys, &stored).map_err(|says| at("signature_differs", says))?;
            }
            let journal = self.journal.get(&key((&first.by, &first.command)));
            let journal: Vec<&Transfer> = journal.into_iter().flatten().map(|row| &row.transfer).collect();
            let guaranteed = table.as_ref().is_some_and(bank::is_guaranteed);
            if !guaranteed {
                bank::house_pays(&stored, &journal)?;
            }
            let compared = transfers.map_or(Ok(()), |right| compare_transfers(&right, &journal, guaranteed));
            compared.map_err(|(transfer, says)| {
                finding("transfer_differs", format!("transfer {transfer}"), says)
            })?;
            if stored.iter().any(|event| matches!(event, TableEvent::RoundOpened { .. })) {
                moved.clear();
            } else {
                moved.extend(journal.into_iter().cloned());
            }
        }
        Ok(())
    }

    /// Whether a command, its answer and its transfers are what was written.
    fn command(&self, command: &CommandRow) -> Result<(), Finding> {
        let named = (&command.by, &command.id);
        let place = format!("command {} of {}", command.id, command.by);
        let none = Vec::new();
        let rows = self.journal.get(&key(named)).unwrap_or(&none);
        for (number, row) in (0..).zip(rows) {
            let place = format!("transfer {}", row.transfer.id);
            if row.number != number {
                let says =
                    format!("is number {} of {}, and number {number} is missing", row.number, command.id);
                return Err(finding("transfer_missing", place, says));
            }
            if row.at != command.at {
                let says = format!("moved at {}, its command was given at {}", row.at.0, command.at.0);
                return Err(finding("time_changed", place, says));
            }
            let of_table = row.transfer.id.as_str().strip_prefix(&format!("{}/{}/", self.name(), row.round));
            if self.table.is_some() && of_table.is_none() {
                let says = format!("is filed under round {} of table {}", row.round, self.name());
                return Err(finding("round_differs", place, says));
            }
        }
        if self.table.is_none() {
            // What no table decided is what was asked for, to the letter.
            let asked: Option<Vec<Transfer>> = serde_json::from_str(&command.kept.body).ok();
            let asked = asked.unwrap_or_default();
            let moved: Vec<&Transfer> = rows.iter().map(|row| &row.transfer).collect();
            if asked.len() == 1 && moved.is_empty() {
                return Err(finding(
                    "transfer_missing",
                    format!("transfer {}", asked[0].id),
                    "is missing".to_owned(),
                ));
            }
            compare_transfers(&asked, &moved, false).map_err(|(transfer, says)| {
                finding("transfer_differs", format!("transfer {transfer}"), says)
            })?;
        }
        let answered = (command.kept.body.as_str(), command.kept.answer.as_str());
        let transfers = rows.iter().map(|row| &row.transfer);
        if command_digest(named, command.at, self.table, answered, transfers) != command.digest {
            let says = "is not what was written: it, its answer or its transfers have changed".to_owned();
            return Err(finding("command_changed", place, says));
        }
        Ok(())
    }

    fn name(&self) -> &str {
        self.table.map_or("", TableId::as_str)
    }

    /// Transfers of commands that are not there.
    fn strays(&self) -> impl Iterator<Item = Finding> {
        let strays = self.journal.iter().filter(|(key, _)| !self.commands.contains_key(*key));
        let mut strays: Vec<&JournalRow> = strays.flat_map(|(_, rows)| rows.iter().copied()).collect();
        strays.sort_by_key(|row| row.place);
        strays.into_iter().map(|row| {
            let says = format!("came of command {} of {}, which is missing", row.command, row.by);
            finding("command_missing", format!("transfer {}", row.transfer.id), says)
        })
    }
}

fn event_place(table: &TableId, seq: u64) -> String {
    format!("event {seq} of table {table}")
}

fn finding(code: &'static str, place: String, says: String) -> Finding {
    Finding { code, place, says }
}

/// The secrets and signatures that a table's events show.
fn shown_keys(
    id: &TableId,
    events: &[EventRow],
    keys: Option<&Arc<MasterKeys>>,
) -> Result<ShownKeys, Finding> {
    let read = events.iter().map(|row| {
        let unreadable =
            |error: ReplayError| finding("event_unreadable", event_place(id, row.seq), error.to_string());
        replay::event_of(id, row.seq, &row.json).map_err(unreadable)
    });
    let read: Vec<TableEvent> = read.collect::<Result<_, _>>()?;
    let rules = match read.first() {
        Some(TableEvent::Opened { rules, .. }) => rules.as_str(),
        _ => "",
    };
    Ok(ShownKeys::of(id, rules, &read, keys.cloned()))
}

/// Whether the signatures of events are those of the given keys.
fn check_signatures(table: &Table, keys: &MasterKeys, events: &[TableEvent]) -> Result<(), String> {
    for event in events {
        let (statement, signature) = match event {
            TableEvent::RoundOpened { round, commitment, derived: Some(derived), .. } => {
                let rules = table.opened_with();
                (opened_statement(table.id(), *round, rules, commitment, derived.at), &derived.signature)
            }
            TableEvent::WagersClosed { commitments, signature, .. } => {
                let Some(round) = table.view(&Viewer::Watcher).round else { continue };
                (closed_statement(table.id(), round.round, &round.commitment, commitments), signature)
            }
            _ => continue,
        };
        let key = table.view(&Viewer::Watcher).round.and_then(|round| round.key);
        let Some(key) = key else { continue };
        let Some(public) = keys.public_key(&key) else {
            return Err(format!("its key {key} is not in the key file"));
        };
        if !public.verifies(&statement, signature) {
            return Err("its signature is not the house's".to_owned());
        }
    }
    Ok(())
}

/// The table of its first event, if that is what was asked for.
fn open(
    id: &TableId,
    seq: u64,
    command: &CommandRow,
    stored: &[TableEvent],
    library: &RulesCache,
) -> Result<Table, Finding> {
    let at = |code, says: String| finding(code, event_place(id, seq), says);
    let [first @ TableEvent::Opened { config, .. }] = stored else {
        return Err(at("event_misfit", "a table begins with being opened".to_owned()));
    };
    let table = replay::opened(id, seq, first, library).map_err(|error| match error {
        ReplayError::Rules { .. } => at("rules_differ", error.to_string()),
        other => at("event_misfit", other.to_string()),
    })?;
    if table.rules_match() == RulesMatch::Different {
        let says = format!("the rules of `{}` are no longer those the table was opened with", config.book);
        return Err(at("rules_differ", says));
    }
    let asked: Option<Config> = serde_json::from_str(&command.kept.body).ok();
    if asked.as_ref() != Some(config) {
        return Err(at("event_differs", "the table was asked for otherwise than it was opened".to_owned()));
    }
    Ok(table)
}

/// Decides a command anew, compares the events with the stored ones, and returns the transfers that belong to it; `None` if it cannot be
/// decided because the secret of its round is not shown yet.
fn decide(
    table: &Table,
    rows: &[EventRow],
    command: &CommandRow,
    stored: &[TableEvent],
    moved: &[Transfer],
) -> Result<Option<Vec<Transfer>>, Finding> {
    let seq = rows.first().map_or(0, |row| row.seq);
    let at = |code, seq: u64, says: String| finding(code, event_place(table.id(), seq), says);
    let given: Command = serde_json::from_str(&command.kept.body).map_err(|why| {
        at("command_unreadable", seq, format!("came of a command that cannot be read: {why}"))
    })?;
    // What was drawn, if something was: the secret in version 1 of fair deals, the nonce in version 2.
    let mut drawn = None;
    let mut table = Cow::Borrowed(table);
    for event in stored {
        match event {
            TableEvent::RoundOpened { secret: Some(secret), .. } => {
                drawn = Some(secret.0);
                // A table without keys opens rounds of version 1.
                let without = table.into_owned().with_keys(None);
                table = Cow::Owned(without.map_err(|misfit| at("event_misfit", seq, misfit.to_string()))?);
            }
            TableEvent::RoundOpened { derived: Some(derived), .. } => drawn = Some(derived.nonce.0),
            // Without the secret the deal and the hands cannot be decided anew; they are once it is shown.
            TableEvent::Dealt { .. } | TableEvent::HandSet { .. } if table.awaits_secret() => {
                return Ok(None);
            }
            _ => {}
        }
    }
    let moment =
        DecisionContext { now: command.at, entropy: drawn.unwrap_or_default(), funds: &Unlimited { moved } };
    let effects = table
        .decide(&command.by, &given, &moment)
        .map_err(|refusal| at("refused", seq, format!("came of a command that is refused: {refusal}")))?;
    for (place, event) in stored.iter().enumerate() {
        let seq = seq + place as u64;
        match effects.events.get(place) {
            Some(expected) if expected.agrees_with(event, table.rules_form()) => {}
            Some(expected) => {
                let (code, says) = difference(expected, event, table.rules_form());
                return Err(at(code, seq, says));
            }
            None => return Err(at("event_differs", seq, "does not follow from its command".to_owned())),
        }
    }
    if effects.events.len() > stored.len() {
        let next = seq + stored.len() as u64;
        return Err(at(
            "event_missing",
            next,
            "is missing: it follows from a command that was done".to_owned(),
        ));
    }
    Ok(Some(effects.transfers))
}

/// What is wrong with an event that should be another.
fn difference(expected: &TableEvent, stored: &TableEvent, form: RulesForm) -> (&'static str, String) {
    match (expected, stored) {
        (TableEvent::RoundOpened { commitment: right, .. }, TableEvent::RoundOpened { commitment, .. })
            if right != commitment =>
        {
            ("commitment_differs", "the commitment is not that of the secret".to_owned())
        }
        (TableEvent::Dealt { cards: right, dice: right_dice, .. }, TableEvent::Dealt { cards, dice, .. })
            if (right, right_dice) != (cards, dice) =>
        {
            ("deal_differs", "the cards are not those the secret gives".to_owned())
        }
        (TableEvent::Settled { settlement: right, .. }, TableEvent::Settled { settlement, .. })
            if !LineRecord::all_agree(right, settlement, form) =>
        {
            ("settlement_differs", line_difference(right, settlement, form))
        }
        _ => ("event_differs", format!("should be {expected:?} and is {stored:?}")),
    }
}

fn line_difference(right: &[LineRecord], stored: &[LineRecord], form: RulesForm) -> String {
    let differing = right.iter().zip(stored).find(|(right, stored)| !right.agrees_with(stored, form));
    match differing {
        Some((right, stored)) => format!("stored is {stored:?}, decided is {right:?}"),
        None => format!("the settlement has {} lines, and there are {}", stored.len(), right.len()),
    }
}

/// Whether stored transfers are those that should be. Where the operator guarantees banks, what is charged to a player who does not have it
/// comes in two: what there was, and the guarantee.
fn compare_transfers(
    expected: &[Transfer],
    stored: &[&Transfer],
    guaranteed: bool,
) -> Result<(), (TransferId, String)> {
    let mut stored = stored.iter().copied().peekable();
    let mut split = false;
    for right in expected {
        let Some(&found) = stored.peek() else {
            let says = format!(
                "is missing: {} cents from {} to {}",
                right.cents, right.debit.owner, right.credit.owner
            );
            return Err((right.id.clone(), says));
        };
        let alike = |found: &Transfer| {
            (&found.kind, &found.debit, &found.credit, found.purpose)
                == (&right.kind, &right.debit, &right.credit, right.purpose)
        };
        let mut left = right.cents;
        if alike(found) && found.cents <= left {
            left -= found.cents;
            stored.next();
        }
        let may_split =
            guaranteed && right.kind == TransferKind::Plain && matches!(right.debit.owner, Owner::Player(_));
        if left > 0
            && may_split
            && let Some(&rest) = stored.peek()
            && rest.kind == TransferKind::Plain
            && rest.debit.owner == Owner::Bank
            && rest.credit == right.credit
            && (rest.cents, rest.purpose) == (left, Purpose::Guarantee)
        {
            stored.next();
            left = 0;
            split = true;
        }
        if left > 0 {
            let says = format!(
                "moves {} cents from {} to {}, and it should be {} cents from {} to {} ({})",
                found.cents,
                found.debit.owner,
                found.credit.owner,
                right.cents,
                right.debit.owner,
                right.credit.owner,
                right.id
            );
            return Err((found.id.clone(), says));
        }
        // After a transfer that came in two the numbers in the names have moved on.
        if !split && found.id != right.id {
            return Err((found.id.clone(), format!("should be named {}", right.id)));
        }
    }
    match stored.next() {
        Some(stray) => Err((stray.id.clone(), "does not follow from its command".to_owned())),
        None => Ok(()),
    }
}
