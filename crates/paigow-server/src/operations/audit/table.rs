//! Audits one table: verifies its hash chain and decides its commands again.

mod decision;
mod start;
mod transfers;

pub(in crate::operations) use start::AuditStart;

use super::{Finding, bank};
use crate::host::replay::{self, ReplayError};
use crate::host::revealed_keys::RevealedKeys;
use crate::store::{command_digest, event_hash};
use crate::{CommandResult, CommandRow, EventRow, JournalRow, RulesCache, Tip};
use decision::decide;
use paigow_table::{
    Actor, CommandId, Config, InvalidEvent, MasterKeys, RoundKeys, RulesMatch, Table, TableEvent, TableId,
    Transfer, TransferId, Viewer, closed_statement, opened_statement,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use transfers::compare_transfers;

type ActorAndId<'a> = (&'a Actor, &'a CommandId);

/// Commands and transfers of a table, or of no table.
pub(in crate::operations) struct TableAuditor<'a> {
    table: Option<&'a TableId>,
    commands: HashMap<String, &'a CommandRow>,
    journal: HashMap<String, Vec<&'a JournalRow>>,
    /// Commands in the order in which they were read.
    order: Vec<&'a CommandRow>,
}

/// Result of an audit.
pub(in crate::operations) struct TableAudit {
    /// Number of rounds opened.
    pub(in crate::operations) rounds: u64,
    pub(in crate::operations) findings: Vec<Finding>,
    /// Open holds of the table at the end, or `None` if it could not be replayed.
    pub(in crate::operations) open_holds: Option<BTreeMap<TransferId, u64>>,
    /// Whether the rules that the table was opened with cannot be verified.
    pub(in crate::operations) unverified: bool,
    /// Whether hands are dealt from a secret that is not revealed yet.
    pub(in crate::operations) unrevealed: bool,
    /// State after the last event, or `None` if the table could not be replayed.
    pub(in crate::operations) end: Option<AuditStart>,
}

fn other_rules(book: &str) -> String {
    format!("the rules of `{book}` differ from those that the table was opened with")
}

fn key((by, id): ActorAndId<'_>) -> String {
    format!("{by:?} {id}")
}

impl<'a> TableAuditor<'a> {
    pub(in crate::operations) fn new(
        table: Option<&'a TableId>,
        commands: &'a [CommandRow],
        journal: &'a [JournalRow],
    ) -> TableAuditor<'a> {
        let mut by_command: HashMap<String, Vec<&JournalRow>> = HashMap::new();
        for row in journal {
            by_command.entry(key((&row.by, &row.command))).or_default().push(row);
        }
        for rows in by_command.values_mut() {
            rows.sort_by_key(|row| row.number);
        }
        TableAuditor {
            table,
            commands: commands.iter().map(|row| (key((&row.by, &row.id)), row)).collect(),
            journal: by_command,
            order: commands.iter().collect(),
        }
    }

    /// Audits the events after `start`. Without a table, there are none.
    pub(in crate::operations) fn run(
        &self,
        events: &[EventRow],
        start: AuditStart,
        rules_cache: &RulesCache,
        keys: Option<&Arc<MasterKeys>>,
    ) -> TableAudit {
        let mut findings = Vec::new();
        let (tip, rounds_before) = (start.tip, start.table.as_ref().map_or(0, Table::round_number));
        let AuditStart { table: mut replayed, mut rules, .. } = start;
        let mut complete = false;
        if let Some(table) = self.table {
            let chained = self.chain(table, events, tip);
            let checked = chained.and_then(|()| {
                let replay = self.replay(table, events, (rules_cache, keys), &mut replayed, &mut rules);
                // The digest of an unverified table cannot be compared. An event that does not follow from these rules
                // then shows that the table has other rules.
                let depends_on_rules =
                    |code| matches!(code, "refused" | "settlement_differs" | "event_differs");
                replay.map_err(|finding| {
                    if rules == RulesMatch::Unverified && depends_on_rules(finding.code) {
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
        findings.extend(self.orphans());
        let open_holds = replayed
            .as_ref()
            .filter(|_| complete)
            .map(|table: &Table| table.open_holds().map(|(hold, cents)| (hold.clone(), cents)).collect());
        let unrevealed = replayed.as_ref().is_some_and(Table::awaits_secret);
        let rounds = replayed.as_ref().map_or(0, Table::round_number).saturating_sub(rounds_before);
        let unverified = rules == RulesMatch::Unverified;
        let last = events.last().map_or(tip, |row| Tip { seq: row.seq, hash: row.hash });
        let end = complete.then_some(AuditStart { tip: last, table: replayed, rules });
        TableAudit { rounds, findings, open_holds, unverified, unrevealed, end }
    }

    /// Checks that no event is missing and that every hash matches.
    fn chain(&self, table: &TableId, events: &[EventRow], tip: Tip) -> Result<(), Finding> {
        let mut hash = tip.hash;
        let mut last_acknowledged = 0;
        for (seq, row) in (tip.seq + 1..).zip(events) {
            let at = |code, message: String| Finding::new(code, event_location(table, seq), message);
            if row.seq != seq {
                return Err(at("event_missing", format!("is missing; the next is event {}", row.seq)));
            }
            let Some(command) = self.commands.get(&key((&row.by, &row.command))) else {
                let message = format!("belongs to command {} of {}, which is missing", row.command, row.by);
                return Err(at("command_missing", message));
            };
            if command.at != row.at {
                let message = format!("has the time {}, but its command {}", row.at.0, command.at.0);
                return Err(at("time_changed", message));
            }
            let expected = event_hash(&hash, table, seq, &command.digest, &row.json);
            if expected != row.hash {
                return Err(at("chain_broken", "was changed: its hash does not match".to_owned()));
            }
            hash = expected;
        }
        if events.is_empty() {
            return Err(Finding::new("event_missing", format!("table {table}"), "has no events"));
        }
        for command in &self.order {
            last_acknowledged = serde_json::from_str(&command.stored.answer)
                .map_or(last_acknowledged, |done: CommandResult| last_acknowledged.max(done.seq));
        }
        let last = tip.seq + events.len() as u64;
        if last_acknowledged > last {
            let message = format!("is missing: the commands have events up to {last_acknowledged}");
            return Err(Finding::new("event_missing", event_location(table, last + 1), message));
        }
        Ok(())
    }

    /// Checks that every command, decided again, produces the stored events and transfers.
    fn replay(
        &self,
        id: &TableId,
        events: &[EventRow],
        (rules_cache, keys): (&RulesCache, Option<&Arc<MasterKeys>>),
        table: &mut Option<Table>,
        rules: &mut RulesMatch,
    ) -> Result<(), Finding> {
        let mut revealed = Some(revealed_keys(id, events, table.as_ref(), keys)?);
        if let Some(started) = table.take() {
            let revealed: Option<Arc<dyn RoundKeys>> =
                revealed.take().map(|revealed| Arc::new(revealed) as _);
            let seq = events.first().map_or(0, |row| row.seq);
            let misfit = |invalid: InvalidEvent| {
                Finding::new("event_misfit", event_location(id, seq), invalid.to_string())
            };
            *table = Some(started.with_keys(revealed).map_err(misfit)?);
        }
        // Transfers of the current or last round.
        let mut round_transfers: Vec<Transfer> = Vec::new();
        for rows in events.chunk_by(|one, next| (&one.by, &one.command) == (&next.by, &next.command)) {
            let [first, ..] = rows else { continue };
            let at = |code, message: String| Finding::new(code, event_location(id, first.seq), message);
            let Some(command) = self.commands.get(&key((&first.by, &first.command))) else { continue };
            let stored: Vec<TableEvent> = rows
                .iter()
                .map(|row| replay::parse_event(id, row.seq, &row.json))
                .collect::<Result<_, _>>()
                .map_err(|error| at("event_unreadable", error.to_string()))?;

            let after = first.seq - 1;
            let done = CommandResult { after, seq: after + rows.len() as u64 };
            if serde_json::from_str::<CommandResult>(&command.stored.answer).ok().as_ref() != Some(&done) {
                let message =
                    format!("belongs to a command with a different stored result: {}", command.stored.answer);
                return Err(at("answer_differs", message));
            }
            let transfers = match table {
                None => {
                    let opened = open(id, first.seq, command, &stored, rules_cache)?;
                    *rules = opened.rules_match();
                    let revealed: Option<Arc<dyn RoundKeys>> =
                        revealed.take().map(|revealed| Arc::new(revealed) as _);
                    let keyed = opened.assume_rules_match().with_keys(revealed);
                    *table = Some(keyed.map_err(|invalid| at("event_misfit", invalid.to_string()))?);
                    Some(Vec::new())
                }
                Some(table) => decide(table, rows, command, &stored, &round_transfers)?,
            };
            for (row, event) in rows.iter().zip(&stored).skip(usize::from(after == 0)) {
                let Some(table) = table else { continue };
                if let Err(invalid) = table.apply(event) {
                    let location = event_location(id, row.seq);
                    return Err(Finding::new("event_misfit", location, invalid.to_string()));
                }
                if table.round_number() != row.round {
                    let message = format!(
                        "is stored with round {}, but belongs to round {}",
                        row.round,
                        table.round_number()
                    );
                    return Err(Finding::new("round_differs", event_location(id, row.seq), message));
                }
            }
            if let (Some(keys), Some(table)) = (keys, table.as_ref()) {
                check_signatures(table, keys, &stored).map_err(|message| at("signature_differs", message))?;
            }
            let journal = self.journal.get(&key((&first.by, &first.command)));
            let journal: Vec<&Transfer> = journal.into_iter().flatten().map(|row| &row.transfer).collect();
            let guaranteed = table.as_ref().is_some_and(bank::is_guaranteed);
            if !guaranteed {
                bank::house_pays(&stored, &journal)?;
            }
            let compared =
                transfers.map_or(Ok(()), |expected| compare_transfers(&expected, &journal, guaranteed));
            compared.map_err(|(transfer, message)| {
                Finding::new("transfer_differs", format!("transfer {transfer}"), message)
            })?;
            if stored.iter().any(|event| matches!(event, TableEvent::RoundOpened { .. })) {
                round_transfers.clear();
            } else {
                round_transfers.extend(journal.into_iter().cloned());
            }
        }
        Ok(())
    }

    /// Checks that a command, its result and its transfers have not been changed.
    fn command(&self, command: &CommandRow) -> Result<(), Finding> {
        let actor_and_id = (&command.by, &command.id);
        let none = Vec::new();
        let rows = self.journal.get(&key(actor_and_id)).unwrap_or(&none);
        for (number, row) in (0..).zip(rows) {
            let location = format!("transfer {}", row.transfer.id);
            if row.number != number {
                let message =
                    format!("is number {} of {}, but number {number} is missing", row.number, command.id);
                return Err(Finding::new("transfer_missing", location, message));
            }
            if row.at != command.at {
                let message = format!("has the time {}, but its command {}", row.at.0, command.at.0);
                return Err(Finding::new("time_changed", location, message));
            }
            let prefix = format!("{}/{}/", self.name(), row.round);
            if self.table.is_some() && !row.transfer.id.as_str().starts_with(&prefix) {
                let message = format!("is stored with round {} of table {}", row.round, self.name());
                return Err(Finding::new("round_differs", location, message));
            }
        }
        if self.table.is_none() {
            // The transfers of a command outside tables are exactly those in its body.
            let requested: Option<Vec<Transfer>> = serde_json::from_str(&command.stored.body).ok();
            let requested = requested.unwrap_or_default();
            let transfers: Vec<&Transfer> = rows.iter().map(|row| &row.transfer).collect();
            if requested.len() == 1 && transfers.is_empty() {
                let location = format!("transfer {}", requested[0].id);
                return Err(Finding::new("transfer_missing", location, "is missing"));
            }
            compare_transfers(&requested, &transfers, false).map_err(|(transfer, message)| {
                Finding::new("transfer_differs", format!("transfer {transfer}"), message)
            })?;
        }
        let body_and_answer = (command.stored.body.as_str(), command.stored.answer.as_str());
        let transfers = rows.iter().map(|row| &row.transfer);
        let digest = command_digest(actor_and_id, command.at, self.table, body_and_answer, transfers);
        if digest != command.digest {
            let location = format!("command {} of {}", command.id, command.by);
            let message = "was changed: the digest of its body, result and transfers does not match";
            return Err(Finding::new("command_changed", location, message));
        }
        Ok(())
    }

    fn name(&self) -> &str {
        self.table.map_or("", TableId::as_str)
    }

    /// Returns a finding for each transfer whose command is missing.
    fn orphans(&self) -> impl Iterator<Item = Finding> {
        let orphans = self.journal.iter().filter(|(key, _)| !self.commands.contains_key(*key));
        let mut orphans: Vec<&JournalRow> = orphans.flat_map(|(_, rows)| rows.iter().copied()).collect();
        orphans.sort_by_key(|row| row.seq);
        orphans.into_iter().map(|row| {
            let message = format!("belongs to command {} of {}, which is missing", row.command, row.by);
            Finding::new("command_missing", format!("transfer {}", row.transfer.id), message)
        })
    }
}

fn event_location(table: &TableId, seq: u64) -> String {
    format!("event {seq} of table {table}")
}

/// Returns the secrets and signatures that a table's events reveal.
fn revealed_keys(
    id: &TableId,
    events: &[EventRow],
    table: Option<&Table>,
    keys: Option<&Arc<MasterKeys>>,
) -> Result<RevealedKeys, Finding> {
    let read = events.iter().map(|row| {
        let unreadable = |error: ReplayError| {
            Finding::new("event_unreadable", event_location(id, row.seq), error.to_string())
        };
        replay::parse_event(id, row.seq, &row.json).map_err(unreadable)
    });
    let read: Vec<TableEvent> = read.collect::<Result<_, _>>()?;
    let rules = match (table, read.first()) {
        (Some(table), _) => table.opening_rules_digest(),
        (None, Some(TableEvent::Opened { rules, .. })) => rules.as_str(),
        (None, _) => "",
    };
    Ok(RevealedKeys::of(id, rules, &read, keys.cloned()))
}

/// Checks the signatures of events with the given keys.
fn check_signatures(table: &Table, keys: &MasterKeys, events: &[TableEvent]) -> Result<(), String> {
    for event in events {
        let (statement, signature) = match event {
            TableEvent::RoundOpened { round, commitment, derived: Some(derived), .. } => {
                let rules = table.opening_rules_digest();
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
            return Err("its signature does not verify with the key of the house".to_owned());
        }
    }
    Ok(())
}

/// Opens the table of its first event, and checks that the event matches its command.
fn open(
    id: &TableId,
    seq: u64,
    command: &CommandRow,
    stored: &[TableEvent],
    rules_cache: &RulesCache,
) -> Result<Table, Finding> {
    let at = |code, message: String| Finding::new(code, event_location(id, seq), message);
    let [first @ TableEvent::Opened { config, .. }] = stored else {
        return Err(at("event_misfit", "is not the opening of the table".to_owned()));
    };
    let table = replay::opened(id, seq, first, rules_cache).map_err(|error| match error {
        ReplayError::Rules { .. } => at("rules_differ", error.to_string()),
        other => at("event_misfit", other.to_string()),
    })?;
    if table.rules_match() == RulesMatch::Different {
        return Err(at("rules_differ", other_rules(&config.book)));
    }
    let requested: Option<Config> = serde_json::from_str(&command.stored.body).ok();
    if requested.as_ref() != Some(config) {
        return Err(at("event_differs", "differs from the configuration in its command".to_owned()));
    }
    Ok(table)
}
