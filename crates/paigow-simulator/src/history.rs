//! All batches that the store appended, audited one by one: the reference for processes, clients and viewers.

use crate::auditor::{self, RoundCounts, TableAudit};
use crate::tables::{ParsedRules, rules_of};
use paigow_server::simulation::{Memory, MemorySnapshot};
use paigow_server::{AppendOutcome, Batch, CommandResult, ResumePoint, Tip};
use paigow_table::{Actor, CommandId, MasterKeys, PlayerId, Table, TableEvent, TableId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Key of a command: its actor and its id.
pub(crate) type CommandKey = (String, CommandId);

pub(crate) fn key_of(by: &Actor, id: &CommandId) -> CommandKey {
    (format!("{by:?}"), id.clone())
}

/// A table after an event, and the cards that were hidden at that time.
pub(crate) struct TableState {
    pub(crate) table: Table,
    /// Whether a round is open: each player may see only their own cards.
    pub(crate) hidden: bool,
    /// The cards of every player who has a hand.
    pub(crate) hands: Arc<BTreeMap<PlayerId, BTreeSet<String>>>,
}

/// A stored answer, and whether a restore discarded it.
struct Answer {
    done: CommandResult,
    by: Actor,
    appended: u64,
    lost: bool,
}

/// The current state of a table in the store.
#[derive(Clone)]
struct CurrentTable {
    table: Table,
    tip: Tip,
    audit: TableAudit,
    hidden: bool,
    hands: Arc<BTreeMap<PlayerId, BTreeSet<String>>>,
}

/// An earlier state of the store.
struct Checkpoint {
    memory: MemorySnapshot,
    tables: BTreeMap<TableId, CurrentTable>,
    appended: u64,
}

/// The store, and every state that its tables ever had.
pub(crate) struct History {
    pub(crate) memory: Memory,
    keys: Arc<MasterKeys>,
    tables: BTreeMap<TableId, CurrentTable>,
    states: BTreeMap<(TableId, ResumePoint), Arc<TableState>>,
    answers: BTreeMap<CommandKey, Vec<Answer>>,
    acknowledged: Vec<(CommandKey, CommandResult)>,
    checkpoints: Vec<Checkpoint>,
    /// Number of batches appended.
    appended: u64,
    /// Number of restores.
    pub(crate) restores: u64,
    pub(crate) rounds: RoundCounts,
    trace: bool,
}

/// Maximum number of checkpoints.
const CHECKPOINTS_MAX: usize = 5;

impl History {
    pub(crate) fn new(trace: bool) -> History {
        History {
            keys: crate::shared::master_keys(),
            memory: Memory::default(),
            tables: BTreeMap::new(),
            states: BTreeMap::new(),
            answers: BTreeMap::new(),
            acknowledged: Vec::new(),
            checkpoints: Vec::new(),
            appended: 0,
            restores: 0,
            rounds: RoundCounts::default(),
            trace,
        }
    }

    /// Appends a batch to the store and audits the result.
    pub(crate) fn append(&mut self, batch: &Batch, parsed_rules: &mut ParsedRules) -> AppendOutcome {
        let key = key_of(&batch.by, &batch.id);
        let is_known = self.memory.stored_command(&batch.by, &batch.id).is_some();
        let outcome = self.memory.append_now(batch);
        if self.trace {
            let position = batch.table.as_ref().map(|(table, tip)| (table, tip.seq));
            println!("{} {} {position:?} {} -> {outcome:?}", batch.at.0, batch.by, batch.body);
        }
        let AppendOutcome::Appended { hashes } = &outcome else { return outcome };
        assert!(!is_known, "command {} was appended twice", batch.id);
        let done: CommandResult = read(&batch.answer);
        let answer = Answer { done, by: batch.by.clone(), appended: self.appended, lost: false };
        self.answers.entry(key).or_default().push(answer);
        self.appended += 1;
        if let Some((id, follows)) = &batch.table {
            let before = self.tables.get(id).map_or(Tip::START, |current| current.tip);
            assert_eq!(*follows, before, "{id}: an appended batch does not follow the last event");
            let tips = (before.seq + 1..).zip(hashes).map(|(seq, hash)| Tip { seq, hash: *hash });
            let events: Vec<TableEvent> = batch.events.iter().map(|event| read(&event.json)).collect();
            for (tip, event) in tips.zip(&events) {
                self.apply_event(id, tip, event, parsed_rules);
            }
            if let Some(current) = self.tables.get_mut(id) {
                current.audit.audit_commit(batch, &events, &current.table, &self.memory, &mut self.rounds);
            }
        }
        auditor::check_balances(&self.memory);
        outcome
    }

    fn apply_event(&mut self, id: &TableId, tip: Tip, event: &TableEvent, parsed_rules: &mut ParsedRules) {
        match self.tables.get_mut(id) {
            None => {
                let TableEvent::Opened { config, .. } = event else {
                    panic!("{id}: the first event is not `Opened`")
                };
                let Some(table_rules) = rules_of(parsed_rules, config) else {
                    panic!("unknown book {}", config.book)
                };
                let keyed = Table::open(event, table_rules)
                    .and_then(|table| table.with_keys(Some(self.keys.clone())));
                let Ok(table) = keyed else { panic!("{id} cannot be opened") };
                let (audit, hands) = (TableAudit::default(), Arc::default());
                self.tables.insert(id.clone(), CurrentTable { table, tip, audit, hidden: false, hands });
            }
            Some(current) => {
                if let Err(error) = current.table.apply(event) {
                    panic!("{id}: a stored event cannot be applied: {error}");
                }
                current.tip = tip;
                match event {
                    TableEvent::RoundOpened { .. } => {
                        (current.hidden, current.hands) = (true, Arc::default());
                    }
                    TableEvent::Dealt { .. } => current.hands = Arc::new(auditor::hands_of(&current.table)),
                    TableEvent::Settled { .. }
                    | TableEvent::RoundVoided { .. }
                    | TableEvent::RoundAbandoned { .. } => {
                        current.hidden = false;
                    }
                    _ => {}
                }
            }
        }
        let current = &self.tables[id];
        let state =
            TableState { table: current.table.clone(), hidden: current.hidden, hands: current.hands.clone() };
        self.states.insert((id.clone(), ResumePoint::from(tip)), Arc::new(state));
    }

    /// Returns a table after an event that a viewer received.
    pub(crate) fn state(&self, table: &TableId, at: &ResumePoint) -> Arc<TableState> {
        let Some(state) = self.states.get(&(table.clone(), at.clone())) else {
            panic!("{table}: a viewer received event {}, which was never stored", at.seq)
        };
        state.clone()
    }

    /// The current tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(|current| &current.table)
    }

    pub(crate) fn table(&self, id: &TableId) -> &Table {
        &self.tables[id].table
    }

    pub(crate) fn tip(&self, id: &TableId) -> Tip {
        self.tables[id].tip
    }

    /// Saves a checkpoint of the store.
    pub(crate) fn save_checkpoint(&mut self) {
        if self.checkpoints.len() == CHECKPOINTS_MAX {
            self.checkpoints.remove(0);
        }
        let (memory, tables) = (self.memory.snapshot(), self.tables.clone());
        self.checkpoints.push(Checkpoint { memory, tables, appended: self.appended });
    }

    /// Number of checkpoints.
    pub(crate) fn checkpoints(&self) -> u64 {
        self.checkpoints.len() as u64
    }

    /// Restores an earlier state and discards the later ones.
    pub(crate) fn restore(&mut self, to: usize) {
        self.checkpoints.truncate(to + 1);
        let Some(checkpoint) = self.checkpoints.last() else { return };
        self.memory.restore(&checkpoint.memory);
        self.tables.clone_from(&checkpoint.tables);
        self.restores += 1;
        for answer in self.answers.values_mut().flatten() {
            answer.lost |= answer.appended >= checkpoint.appended;
        }
        if self.trace {
            println!("store restored to {} batches earlier", self.appended - checkpoint.appended);
        }
    }

    /// Whether the store has an answer to a command.
    pub(crate) fn has_answer(&self, by: &Actor, id: &CommandId) -> bool {
        self.memory.stored_command(by, id).is_some()
    }

    /// Checks that the store had the answer that a client received, and records the acknowledgement.
    pub(crate) fn acknowledge(&mut self, by: &Actor, id: &CommandId, done: &CommandResult) {
        let key = key_of(by, id);
        let is_known =
            self.answers.get(&key).is_some_and(|answers| answers.iter().any(|stored| stored.done == *done));
        assert!(is_known, "{id} was acknowledged with {done:?}, which was never stored");
        self.acknowledged.push((key, done.clone()));
    }

    /// Checks the invariants that hold when no command is pending.
    pub(crate) fn check_at_rest(&self) {
        auditor::check_holds(&self.memory, self.tables());
        for current in self.tables.values() {
            auditor::check_answers(&self.memory, current.table.id());
        }
        for ((by, id), done) in &self.acknowledged {
            let answers = &self.answers[&(by.clone(), id.clone())];
            // Restores may have discarded earlier answers: the last one counts.
            let Some(last) = answers.iter().rfind(|answer| !answer.lost) else { continue };
            let is_stored = answers.iter().any(|answer| !answer.lost && answer.done == *done);
            let stored =
                self.memory.stored_command(&last.by, id).map(|stored| read::<CommandResult>(&stored.answer));
            assert_eq!(stored.as_ref(), Some(&last.done), "{id} was acknowledged, but is not stored");
            assert!(is_stored || answers.iter().any(|answer| answer.lost), "{id} has two different answers");
        }
    }
}

fn read<T: for<'de> serde::Deserialize<'de>>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
