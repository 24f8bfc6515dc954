//! What the store has taken, looked at batch by batch: the truth that processes, clients and viewers are held against.

use crate::auditor::{self, Ends, TableAudit};
use crate::tables::{Postings, posting_of};
use paigow_server::simulation::{Memory, MemorySnapshot};
use paigow_server::{Batch, Done, Outcome, ResumePoint, Tip};
use paigow_table::{Actor, CommandId, Event, PlayerId, Table, TableId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A command by who gave it and its name.
pub(crate) type CommandKey = (String, CommandId);

pub(crate) fn key_of(by: &Actor, id: &CommandId) -> CommandKey {
    (format!("{by:?}"), id.clone())
}

/// A table as it was after an event, and what could be seen of it then.
pub(crate) struct Moment {
    pub(crate) table: Table,
    /// Whether a round goes on: cards are then for their players alone.
    pub(crate) hidden: bool,
    /// The cards of every player who was dealt any.
    pub(crate) hands: Arc<BTreeMap<PlayerId, BTreeSet<String>>>,
}

/// An answer that was kept, and whether the store went back to before it.
struct Answer {
    done: Done,
    by: Actor,
    taken: u64,
    lost: bool,
}

/// A table as it is in the store.
#[derive(Clone)]
struct Current {
    table: Table,
    tip: Tip,
    audit: TableAudit,
    hidden: bool,
    hands: Arc<BTreeMap<PlayerId, BTreeSet<String>>>,
}

/// What the store had at some time.
struct Past {
    memory: MemorySnapshot,
    tables: BTreeMap<TableId, Current>,
    taken: u64,
}

/// The store and all that was ever in it.
pub(crate) struct History {
    pub(crate) memory: Memory,
    tables: BTreeMap<TableId, Current>,
    moments: BTreeMap<(TableId, ResumePointKey), Arc<Moment>>,
    answers: BTreeMap<CommandKey, Vec<Answer>>,
    acknowledged: Vec<(CommandKey, Done)>,
    pasts: Vec<Past>,
    /// How many batches were taken.
    taken: u64,
    /// How often the store went back.
    pub(crate) went_back: u64,
    pub(crate) ends: Ends,
    trace: bool,
}

/// An event by its number and its hash.
type ResumePointKey = (u64, Option<paigow_server::HashPrefix>);

/// How many earlier states are kept.
const PASTS_MAX: usize = 5;

impl History {
    pub(crate) fn new(trace: bool) -> History {
        History {
            memory: Memory::default(),
            tables: BTreeMap::new(),
            moments: BTreeMap::new(),
            answers: BTreeMap::new(),
            acknowledged: Vec::new(),
            pasts: Vec::new(),
            taken: 0,
            went_back: 0,
            ends: Ends::default(),
            trace,
        }
    }

    /// Takes a batch into the store, and looks at what that has made of it.
    pub(crate) fn take(&mut self, batch: &Batch, postings: &mut Postings) -> Outcome {
        let key = key_of(&batch.by, &batch.id);
        let known = self.memory.answer_to(&batch.by, &batch.id).is_some();
        let outcome = self.memory.take(batch);
        if self.trace {
            let place = batch.table.as_ref().map(|(table, tip)| (table, tip.seq));
            println!("{} {} {place:?} {} -> {outcome:?}", batch.at.0, batch.by, batch.body);
        }
        let Outcome::Appended { hashes } = &outcome else { return outcome };
        assert!(!known, "command {} was taken twice", batch.id);
        let done: Done = read(&batch.answer);
        let answer = Answer { done, by: batch.by.clone(), taken: self.taken, lost: false };
        self.answers.entry(key).or_default().push(answer);
        self.taken += 1;
        if let Some((id, follows)) = &batch.table {
            let before = self.tables.get(id).map_or(Tip::START, |current| current.tip);
            assert_eq!(*follows, before, "{id}: taken after another event than the last");
            let tips = (before.seq + 1..).zip(hashes).map(|(seq, hash)| Tip { seq, hash: *hash });
            let events: Vec<Event> = batch.events.iter().map(|event| read(&event.json)).collect();
            for (tip, event) in tips.zip(&events) {
                self.happens(id, tip, event, postings);
            }
            if let Some(current) = self.tables.get_mut(id) {
                current.audit.look(batch, &events, &current.table, &self.memory, &mut self.ends);
            }
        }
        auditor::look_at_money(&self.memory);
        outcome
    }

    fn happens(&mut self, id: &TableId, tip: Tip, event: &Event, postings: &mut Postings) {
        match self.tables.get_mut(id) {
            None => {
                let Event::Opened { config, .. } = event else {
                    panic!("{id} does not begin with being opened")
                };
                let Some(posting) = posting_of(postings, config) else {
                    panic!("{} is no book", config.book)
                };
                let Ok(table) = Table::open(event, posting) else { panic!("{id} does not open") };
                let (audit, hands) = (TableAudit::default(), Arc::default());
                self.tables.insert(id.clone(), Current { table, tip, audit, hidden: false, hands });
            }
            Some(current) => {
                if let Err(misfit) = current.table.apply(event) {
                    panic!("{id}: stored what does not fit: {misfit}");
                }
                current.tip = tip;
                match event {
                    Event::RoundOpened { .. } => (current.hidden, current.hands) = (true, Arc::default()),
                    Event::Dealt { .. } => current.hands = Arc::new(auditor::hands_of(&current.table)),
                    Event::Settled { .. } | Event::RoundVoided { .. } | Event::RoundAbandoned { .. } => {
                        current.hidden = false;
                    }
                    _ => {}
                }
            }
        }
        let current = &self.tables[id];
        let moment =
            Moment { table: current.table.clone(), hidden: current.hidden, hands: current.hands.clone() };
        self.moments.insert((id.clone(), point_key(&ResumePoint::from(tip))), Arc::new(moment));
    }

    /// A table as it was after an event that some viewer was told of.
    pub(crate) fn moment(&self, table: &TableId, at: &ResumePoint) -> Arc<Moment> {
        let Some(moment) = self.moments.get(&(table.clone(), point_key(at))) else {
            panic!("{table}: a viewer was told of event {}, which was never stored", at.from)
        };
        moment.clone()
    }

    /// The tables as they are.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(|current| &current.table)
    }

    pub(crate) fn table(&self, id: &TableId) -> &Table {
        &self.tables[id].table
    }

    pub(crate) fn tip(&self, id: &TableId) -> Tip {
        self.tables[id].tip
    }

    /// Keeps what the store has, to go back to.
    pub(crate) fn keep(&mut self) {
        if self.pasts.len() == PASTS_MAX {
            self.pasts.remove(0);
        }
        let (memory, tables) = (self.memory.snapshot(), self.tables.clone());
        self.pasts.push(Past { memory, tables, taken: self.taken });
    }

    /// How many earlier states there are to go back to.
    pub(crate) fn pasts(&self) -> u64 {
        self.pasts.len() as u64
    }

    /// Goes back to an earlier state. Those after it are not to be had any more.
    pub(crate) fn go_back(&mut self, to: usize) {
        self.pasts.truncate(to + 1);
        let Some(past) = self.pasts.last() else { return };
        self.memory.restore(&past.memory);
        self.tables.clone_from(&past.tables);
        self.went_back += 1;
        for answer in self.answers.values_mut().flatten() {
            answer.lost |= answer.taken >= past.taken;
        }
        if self.trace {
            println!("the store goes back by {} batches", self.taken - past.taken);
        }
    }

    /// Whether a command is kept now.
    pub(crate) fn keeps(&self, by: &Actor, id: &CommandId) -> bool {
        self.memory.answer_to(by, id).is_some()
    }

    /// A client was told that a command is done: it must be, or have been when the store went back.
    pub(crate) fn acknowledge(&mut self, by: &Actor, id: &CommandId, done: &Done) {
        let key = key_of(by, id);
        let known =
            self.answers.get(&key).is_some_and(|answers| answers.iter().any(|kept| kept.done == *done));
        assert!(known, "{id} was acknowledged with {done:?}, and that was never kept");
        self.acknowledged.push((key, done.clone()));
    }

    /// What must hold when nothing is under way.
    pub(crate) fn look_at_all(&self) {
        auditor::look_at_holds(&self.memory, self.tables());
        for current in self.tables.values() {
            auditor::look_at_answers(&self.memory, current.table.id());
        }
        for ((by, id), done) in &self.acknowledged {
            let answers = &self.answers[&(by.clone(), id.clone())];
            // Of several the last counts: the others were lost when the store went back.
            let Some(last) = answers.iter().rfind(|answer| !answer.lost) else { continue };
            let stays = answers.iter().any(|answer| !answer.lost && answer.done == *done);
            let kept = self.memory.answer_to(&last.by, id).map(|kept| read::<Done>(&kept.answer));
            assert_eq!(kept.as_ref(), Some(&last.done), "{id} was acknowledged, and is not kept");
            assert!(stays || answers.iter().any(|answer| answer.lost), "{id} was answered in two ways");
        }
    }
}

fn point_key(point: &ResumePoint) -> ResumePointKey {
    (point.from, point.hash)
}

fn read<T: for<'de> serde::Deserialize<'de>>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
