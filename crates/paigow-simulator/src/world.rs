//! A small world under faults: tables, clients, processes, a network and a store, all moved by one seed.
//!
//! Whatever happens stands in a queue by its time. A process decides on a command with the state it has, which may be old, and commits
//! later; in between anything may happen, to the table or to the process.

use crate::auditor::{self, TableAudit};
use crate::client;
use crate::report::Report;
use crate::rng::Rng;
use crate::store::{Answer, Batch, Commit, Store};
use paigow::Posting;
use paigow::rulebook::BuiltIn;
use paigow_table::{
    Account, Actor, Clocks, Command, CommandId, Config, Currency, Effects, Event, Kind, Moment, Owner, Phase,
    PlayerId, Purpose, Table, TableRefusal, Time, Transfer, rules_digest,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How often a command that lost a race is decided again before the client must send it again.
const ATTEMPTS_MAX: u8 = 6;
/// How long a table may go on once the faults have stopped, in milliseconds of the world's time, when everybody leaves. A round takes less
/// than 85 seconds here, the bank being offered to seven seats for eight seconds each; who leaves may have to wait for its end.
const LEAVING_MAX: u64 = 100_000;
/// The same when nobody does anything: after three rounds without a wager a seat sits out.
const CLOCK_ALONE_MAX: u64 = 5 * 85_000;

/// Rules that were read before: reading a book takes longer than a round.
pub(crate) type Postings = BTreeMap<(String, usize), Option<Arc<Posting>>>;

/// A command on its way.
#[derive(Clone)]
struct Message {
    id: Option<CommandId>,
    client: Option<usize>,
    by: Actor,
    table: usize,
    command: Command,
}

/// What a process has decided and not yet committed.
struct Pending {
    message: Message,
    batch: Batch,
    attempts: u8,
    incarnation: u64,
}

enum Happening {
    Arrives { process: usize, message: Message },
    Commits { process: usize, pending: Box<Pending> },
    Answered { client: usize, id: CommandId, answer: Answer },
    Resends { client: usize, id: CommandId },
    Thinks { client: usize },
    Sweeps { process: usize },
    Restarts { process: usize },
    Jumps,
    Pays,
}

/// A table as a process remembers it.
struct Remembered {
    table: Table,
    length: usize,
}

struct Process {
    up: bool,
    incarnation: u64,
    /// How far its clock is off.
    skew: i64,
    tables: BTreeMap<usize, Remembered>,
}

struct Client {
    player: PlayerId,
    is_operator: bool,
    tables: Vec<usize>,
    commands: u64,
    unanswered: BTreeMap<CommandId, Message>,
}

/// How a process dies at a commit.
#[derive(Clone, Copy, PartialEq)]
enum Crash {
    Before,
    Inside,
    After,
    /// It does not die: it is not told that the commit is written, and tries again.
    Unheard,
}

pub(crate) struct World<'a> {
    rng: Rng,
    now: u64,
    queue: BTreeMap<(u64, u64), Happening>,
    queued: u64,
    store: Store,
    /// Every table as the log has it.
    truth: Vec<Table>,
    audits: Vec<TableAudit>,
    processes: Vec<Process>,
    clients: Vec<Client>,
    acknowledged: BTreeMap<CommandId, Answer>,
    /// How often things go wrong, from 1 to 10: where everything fails all the time, few rounds are ever played.
    roughness: u64,
    calm: bool,
    leave: bool,
    trace: bool,
    report: &'a mut Report,
}

fn named<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is no name"))
}

impl<'a> World<'a> {
    pub(crate) fn new(seed: u64, trace: bool, postings: &mut Postings, report: &'a mut Report) -> World<'a> {
        let mut rng = Rng::new(seed);
        let (tables, clients, processes) = (rng.between(2, 14), rng.between(8, 36), rng.between(1, 4));
        let roughness = *rng.pick(&[1, 2, 5, 10]);
        let mut world = World {
            rng,
            roughness,
            now: 1_700_000_000_000,
            queue: BTreeMap::new(),
            queued: 0,
            store: Store::default(),
            truth: Vec::new(),
            audits: Vec::new(),
            processes: Vec::new(),
            clients: Vec::new(),
            acknowledged: BTreeMap::new(),
            calm: false,
            leave: false,
            trace,
            report,
        };
        for number in 0..tables {
            world.open(number, postings);
        }
        for _ in 0..processes {
            let skew = world.skew();
            world.processes.push(Process { up: true, incarnation: 0, skew, tables: BTreeMap::new() });
        }
        for number in 0..clients {
            world.join(number, tables as usize);
        }
        world
    }

    fn open(&mut self, number: u64, postings: &mut Postings) {
        let books: Vec<&str> = BuiltIn::book_names().collect();
        let book = (*self.rng.pick(&books)).to_owned();
        let change = self.rng.below(CHANGES.len() as u64) as usize;
        let changes = CHANGES[change].iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let rng = &mut self.rng;
        let slow = rng.between(1, 4);
        let mut config = Config {
            table: named(&format!("t{number}")),
            book: book.clone(),
            paytables: BTreeMap::new(),
            changes: changes.collect(),
            currency: (*rng.pick(&CURRENCIES.map(named::<Currency>))).clone(),
            clocks: Clocks {
                bank: rng.between(1, 2_000 * slow),
                wagers: rng.between(500, 4_000 * slow),
                settings: rng.between(1, 2_000 * slow),
                between: rng.between(1, 1_000 * slow),
            },
            dealer_wager_cents: *rng.pick(&[0, 500, 2_500]),
            bots: 0,
        };
        let mut known = |change: usize, config: &Config| {
            postings.entry((book.clone(), change)).or_insert_with(|| config.posting(&BuiltIn).ok()).clone()
        };
        let mut posting = known(change, &config);
        if posting.is_none() {
            // Not every change fits every book.
            config.changes.clear();
            posting = known(0, &config);
        }
        let Some(posting) = posting else { panic!("{} cannot be played by", config.book) };
        let opened = Event::Opened { config, rules: rules_digest(&posting), version: "simulated".to_owned() };
        let Ok(table) = Table::open(&opened, posting) else { panic!("a table does not open") };
        let batch = Batch {
            table: table.id().clone(),
            expected: 0,
            command: None,
            events: vec![opened],
            transfers: Vec::new(),
            refused: None,
        };
        assert!(matches!(self.store.commit(&batch), Commit::Written(_)), "a table is opened once");
        self.truth.push(table);
        self.audits.push(TableAudit::default());
        self.report.tables += 1;
    }

    fn join(&mut self, number: u64, tables: usize) {
        let player: PlayerId = named(&format!("p{number}"));
        let is_operator = number == 0;
        let mut theirs: Vec<usize> =
            (0..self.rng.between(1, 3)).map(|_| self.rng.below(tables as u64) as usize).collect();
        if is_operator {
            theirs = (0..tables).collect();
        }
        self.clients.push(Client {
            player,
            is_operator,
            tables: theirs,
            commands: 0,
            unanswered: BTreeMap::new(),
        });
        for currency in CURRENCIES {
            // Some are rich, and some soon have nothing left.
            let cents = *self.rng.pick(&[3_000, 20_000, 100_000, 1_000_000]);
            self.pay(number as usize, currency, cents);
        }
    }

    /// Chips from the cashier.
    fn pay(&mut self, client: usize, currency: &str, cents: u64) {
        let account = |owner| Account { owner, currency: named(currency) };
        let transfer = Transfer {
            id: named(&format!("issue/{}", self.store.journal.len())),
            kind: Kind::Plain,
            debit: account(Owner::Issue),
            credit: account(Owner::Player(self.clients[client].player.clone())),
            cents,
            purpose: Purpose::Issue,
        };
        match self.store.ledger.take(std::slice::from_ref(&transfer)) {
            Ok(taken) => self.store.journal.extend(taken),
            Err(refusal) => panic!("the cashier is refused: {refusal}"),
        }
    }

    fn skew(&mut self) -> i64 {
        self.rng.below(8_000).cast_signed() - 4_000
    }

    fn put(&mut self, after: u64, happening: Happening) {
        self.queued += 1;
        self.queue.insert((self.now + after, self.queued), happening);
    }

    /// Lets the world go under faults, then without, until nothing is left to do.
    pub(crate) fn run(&mut self) {
        let end = self.now + self.rng.between(20_000, 120_000);
        for client in 0..self.clients.len() {
            let after = self.rng.below(1_000);
            self.put(after, Happening::Thinks { client });
        }
        for process in 0..self.processes.len() {
            self.put(0, Happening::Sweeps { process });
        }
        self.put(5_000, Happening::Jumps);
        self.put(3_000, Happening::Pays);
        while self.now < end {
            self.step();
        }
        self.calm = true;
        // Now and then nobody does anything any more: the clock alone must bring every table to rest.
        if self.rng.chance(500) {
            self.rest_by(CLOCK_ALONE_MAX, |table| table.phase() == Phase::Waiting);
        }
        self.leave = true;
        self.rest_by(LEAVING_MAX, |table| {
            table.players().next().is_none()
                && matches!(table.phase(), Phase::Waiting | Phase::Between { .. })
        });
        self.last_look();
    }

    /// Goes on without faults until every command is answered and every table rests; complains if that takes too long.
    fn rest_by(&mut self, milliseconds: u64, rests: fn(&Table) -> bool) {
        let until = self.now + milliseconds;
        let is_over = |world: &World<'_>| {
            world.clients.iter().all(|client| client.unanswered.is_empty())
                && world.truth.iter().all(|table| rests(table) && table.open_holds().next().is_none())
        };
        while !is_over(self) {
            if self.now > until {
                self.complain();
            }
            self.step();
        }
    }

    fn step(&mut self) {
        let Some(((at, _), happening)) = self.queue.pop_first() else { panic!("nothing is left to happen") };
        self.now = self.now.max(at);
        self.report.steps += 1;
        match happening {
            Happening::Arrives { process, message } => self.arrives(process, message),
            Happening::Commits { process, pending } => self.commits(process, *pending),
            Happening::Answered { client, id, answer } => self.answered(client, id, &answer),
            Happening::Resends { client, id } => {
                if let Some(message) = self.clients[client].unanswered.get(&id).cloned() {
                    self.send(message);
                }
            }
            Happening::Thinks { client } => self.thinks(client),
            Happening::Sweeps { process } => self.sweeps(process),
            Happening::Restarts { process } => {
                let skew = self.skew();
                let process = &mut self.processes[process];
                process.up = true;
                process.skew = skew;
            }
            Happening::Jumps => self.jumps(),
            Happening::Pays => {
                if !self.calm {
                    let client = self.rng.below(self.clients.len() as u64) as usize;
                    let cents = self.rng.between(1, 50_000);
                    let currency = *self.rng.pick(&CURRENCIES);
                    self.pay(client, currency, cents);
                    self.put(2_000, Happening::Pays);
                }
            }
        }
    }

    /// Clocks leap: all of them, as after a night's sleep, or that of one process.
    fn jumps(&mut self) {
        if self.calm {
            return;
        }
        if self.rng.chance(500) {
            self.now += self.rng.below(15_000);
        } else {
            let skew = self.skew();
            let process = self.rng.below(self.processes.len() as u64) as usize;
            self.processes[process].skew = skew;
        }
        let after = self.rng.between(1_000, 10_000);
        self.put(after, Happening::Jumps);
    }

    fn fault(&mut self, per_mille: u64) -> bool {
        !self.calm && self.rng.chance(per_mille * self.roughness / 10)
    }

    fn delay(&mut self) -> u64 {
        let most = if self.fault(200) { *self.rng.pick(&[2_000, 12_000]) } else { 60 };
        self.rng.below(most)
    }

    // Clients.

    fn thinks(&mut self, client: usize) {
        let after = if self.calm { 400 } else { self.rng.between(20, 900) };
        self.put(after, Happening::Thinks { client });
        let Client { player, is_operator, tables, unanswered, .. } = &self.clients[client];
        let (player, is_operator) = (player.clone(), *is_operator);
        if self.calm && !self.leave {
            return;
        }
        if self.calm {
            let seated = |table: &usize| self.truth[*table].players().any(|(_, other)| *other == player);
            let asked = |table: &usize| unanswered.values().any(|message| message.table == *table);
            let stay: Vec<usize> =
                (0..self.truth.len()).filter(|table| seated(table) && !asked(table)).collect();
            for table in stay {
                self.ask(client, Actor::Player(player.clone()), table, Command::Stand);
            }
            return;
        }
        if unanswered.len() >= 4 {
            return;
        }
        let table = *self.rng.pick(tables);
        // What a client knows came from some process some time ago.
        let process = self.rng.below(self.processes.len() as u64) as usize;
        let seen = self.processes[process].tables.get(&table).map_or(&self.truth[table], |it| &it.table);
        let (by, command) = if is_operator {
            if self.rng.chance(600) {
                return;
            }
            (Actor::Operator(player), client::operate(&mut self.rng))
        } else {
            let currency = seen.config().currency.clone();
            let has = self.store.ledger.balance(&Account { owner: Owner::Player(player.clone()), currency });
            let command = client::choose(&mut self.rng, &player, has.max(0).cast_unsigned(), seen);
            (client::somebody(&mut self.rng, &player), command)
        };
        self.ask(client, by, table, command);
    }

    fn ask(&mut self, client: usize, by: Actor, table: usize, command: Command) {
        let asking = &mut self.clients[client];
        asking.commands += 1;
        let id: CommandId = named(&format!("{}-{}", asking.player, asking.commands));
        let message = Message { id: Some(id.clone()), client: Some(client), by, table, command };
        asking.unanswered.insert(id, message.clone());
        self.report.commands += 1;
        self.send(message);
    }

    /// Sends a command, and again until it is answered.
    fn send(&mut self, message: Message) {
        let copies = if self.fault(300) { *self.rng.pick(&[0, 2, 3]) } else { 1 };
        self.report.dropped += u64::from(copies == 0);
        self.report.doubled += u64::from(copies > 1);
        for _ in 0..copies {
            let process = self.rng.below(self.processes.len() as u64) as usize;
            let after = self.delay();
            self.put(after, Happening::Arrives { process, message: message.clone() });
        }
        if let (Some(client), Some(id)) = (message.client, message.id) {
            let after = self.rng.between(500, 4_000);
            self.put(after, Happening::Resends { client, id });
        }
    }

    fn answer(&mut self, message: &Message, answer: &Answer) {
        let (Some(client), Some(id)) = (message.client, &message.id) else { return };
        if self.fault(150) {
            self.report.answers_lost += 1;
            return;
        }
        let after = self.delay();
        self.put(after, Happening::Answered { client, id: id.clone(), answer: answer.clone() });
    }

    fn answered(&mut self, client: usize, id: CommandId, answer: &Answer) {
        assert_eq!(self.store.answers.get(&id), Some(answer), "{id} was answered, and it is not kept");
        if let Answer::Refused(code) = answer
            && !self.acknowledged.contains_key(&id)
        {
            *self.report.refusals.entry(code).or_default() += 1;
        }
        self.clients[client].unanswered.remove(&id);
        let before = self.acknowledged.entry(id).or_insert_with_key(|_| answer.clone());
        assert_eq!(before, answer, "a command was answered in two ways");
    }

    // Processes.

    fn clock(&self, process: usize) -> Time {
        Time(self.now.saturating_add_signed(self.processes[process].skew))
    }

    /// Reads what was appended since, or all of it.
    fn read(&mut self, process: usize, table: usize) {
        let id = self.truth[table].id().clone();
        let log = &self.store.logs[&id];
        let events = |from: usize| {
            log[from..].iter().map(|entry| {
                let event: Result<Event, _> = serde_json::from_str(&entry.event);
                event.unwrap_or_else(|error| panic!("{}: {error}", entry.event))
            })
        };
        let remembered = self.processes[process].tables.remove(&table).unwrap_or_else(|| {
            let posting = self.truth[table].posting().clone();
            let first = events(0).next().map(|first| Table::open(&first, posting));
            let Some(Ok(table)) = first else { panic!("a log does not begin with being opened") };
            Remembered { table, length: 1 }
        });
        let Remembered { table: mut state, length } = remembered;
        for event in events(length) {
            if let Err(misfit) = state.apply(&event) {
                panic!("{id}: a replay stumbles over {event:?}: {misfit}");
            }
        }
        assert!(state == self.truth[table], "{id}: what was read is not what was written");
        self.processes[process].tables.insert(table, Remembered { table: state, length: log.len() });
    }

    fn arrives(&mut self, process: usize, message: Message) {
        if !self.processes[process].up {
            return;
        }
        if self.fault(3) {
            self.dies(process);
            return;
        }
        if let Some(answer) = message.id.as_ref().and_then(|id| self.store.answers.get(id)).cloned() {
            self.report.repeated += 1;
            self.answer(&message, &answer);
            return;
        }
        let knows = self.processes[process].tables.contains_key(&message.table);
        // Mostly what others have written is known by now.
        if !knows || !self.fault(300) {
            self.read(process, message.table);
        }
        self.decides(process, message, 0);
    }

    fn decides(&mut self, process: usize, message: Message, attempts: u8) {
        // As it comes over the wire.
        let Ok(text) = serde_json::to_string(&message.command) else {
            panic!("no text of {:?}", message.command)
        };
        let Ok(command) = serde_json::from_str::<Command>(&text) else { panic!("{text} is not read again") };
        assert_eq!(command, message.command, "a command is not what it was");

        let moment = Moment { now: self.clock(process), entropy: self.rng.bytes(), funds: &self.store };
        let Remembered { table, length } = &self.processes[process].tables[&message.table];
        let decided = table.decide(&message.by, &command, &moment);
        let (effects, refused) = match decided {
            Ok(effects) => (effects, None),
            // What was not due is not worth a word.
            Err(_) if message.id.is_none() => return,
            Err(refusal) => (Effects::default(), Some(refusal.code())),
        };
        let batch = Batch {
            table: table.id().clone(),
            expected: *length,
            command: message.id.clone(),
            events: effects.events,
            transfers: effects.transfers,
            refused,
        };
        let incarnation = self.processes[process].incarnation;
        let pending = Box::new(Pending { message, batch, attempts, incarnation });
        let after = if self.fault(200) { self.rng.below(500) } else { self.rng.below(5) };
        self.put(after, Happening::Commits { process, pending });
    }

    fn commits(&mut self, process: usize, pending: Pending) {
        if self.processes[process].incarnation != pending.incarnation {
            return;
        }
        let crash = if self.fault(20) {
            Some(*self.rng.pick(&[Crash::Before, Crash::Inside, Crash::After, Crash::Unheard]))
        } else {
            None
        };
        match crash {
            Some(Crash::Before) => self.report.crashes.before += 1,
            Some(Crash::Inside) => {
                self.report.crashes.inside += 1;
                self.store.lose(&pending.batch);
            }
            Some(how @ (Crash::After | Crash::Unheard)) => {
                let dies = how == Crash::After;
                *(if dies { &mut self.report.crashes.after } else { &mut self.report.unheard }) += 1;
                if let Commit::Written(answer) = self.store.commit(&pending.batch) {
                    self.written(&pending, &answer);
                }
                if !dies {
                    let pending = Box::new(Pending { attempts: pending.attempts + 1, ..pending });
                    let after = self.rng.below(300);
                    self.put(after, Happening::Commits { process, pending });
                    return;
                }
            }
            None => self.committed(process, pending),
        }
        if crash.is_some() {
            self.dies(process);
        }
    }

    fn committed(&mut self, process: usize, pending: Pending) {
        match self.store.commit(&pending.batch) {
            Commit::Written(answer) => {
                self.written(&pending, &answer);
                let Pending { message, batch, .. } = pending;
                if let Some(mine) = self.processes[process].tables.get_mut(&message.table)
                    && mine.length == batch.expected
                {
                    for event in &batch.events {
                        if let Err(misfit) = mine.table.apply(event) {
                            panic!("{}: decided on what does not fit: {misfit}", batch.table);
                        }
                    }
                    mine.length += batch.events.len();
                    assert!(mine.table == self.truth[message.table], "{}: states differ", batch.table);
                }
                self.answer(&message, &answer);
            }
            Commit::Again(answer) => {
                self.report.repeated += 1;
                self.answer(&pending.message, &answer);
            }
            Commit::Conflict => {
                self.report.conflicts += 1;
                if pending.attempts < ATTEMPTS_MAX {
                    self.read(process, pending.message.table);
                    self.decides(process, pending.message, pending.attempts + 1);
                }
            }
            Commit::Refused(refusal) => self.refused(process, pending, &refusal.into()),
        }
    }

    /// The ledger says no. Balances may have changed since the decision, so it is made again; who decides the same again is refused.
    fn refused(&mut self, process: usize, pending: Pending, refusal: &TableRefusal) {
        self.report.ledger_refusals += 1;
        let Pending { message, batch, attempts, .. } = pending;
        if attempts < ATTEMPTS_MAX && self.processes[process].tables[&message.table].length == batch.expected
        {
            let moment = Moment { now: self.clock(process), entropy: [0; 32], funds: &self.store };
            let table = &self.processes[process].tables[&message.table].table;
            let again = table.decide(&message.by, &message.command, &moment);
            if again.is_ok_and(|again| again.transfers == batch.transfers) {
                assert!(message.id.is_some(), "{}: the clock cannot do what is due: {refusal}", batch.table);
                let (events, transfers) = (Vec::new(), Vec::new());
                let batch = Batch { events, transfers, refused: Some(refusal.code()), ..batch };
                let incarnation = self.processes[process].incarnation;
                self.put(
                    0,
                    Happening::Commits {
                        process,
                        pending: Box::new(Pending { message, batch, attempts: attempts + 1, incarnation }),
                    },
                );
                return;
            }
        }
        if attempts < ATTEMPTS_MAX {
            self.read(process, message.table);
            self.decides(process, message, attempts + 1);
        }
    }

    /// Looks at everything once something is written.
    fn written(&mut self, pending: &Pending, answer: &Answer) {
        let Pending { message, batch, .. } = pending;
        self.report.commits += 1;
        let truth = &mut self.truth[message.table];
        if self.trace {
            println!("{} {} {} {:?} -> {answer:?}", self.now, batch.table, message.by, message.command);
            batch.events.iter().for_each(|event| println!("    {event:?}"));
            batch.transfers.iter().for_each(|it| {
                println!(
                    "    {} {:?} {} -> {} {}",
                    it.id, it.purpose, it.debit.owner, it.credit.owner, it.cents
                );
            });
        }
        for entry in &self.store.logs[&batch.table][batch.expected..] {
            let event: Event = serde_json::from_str(&entry.event).unwrap_or_else(|error| panic!("{error}"));
            if let Err(misfit) = truth.apply(&event) {
                panic!("{}: stored what does not fit: {misfit}", batch.table);
            }
        }
        if batch.refused.is_some() {
            assert!(batch.events.is_empty() && batch.transfers.is_empty(), "a refusal changes nothing");
        }
        self.audits[message.table].look(batch, truth, &self.store, &mut self.report.ends);
        auditor::look_at_money(&self.store);
    }

    fn dies(&mut self, process: usize) {
        self.report.crashes.all += 1;
        let after = self.rng.between(50, 4_000);
        let dead = &mut self.processes[process];
        dead.up = false;
        dead.incarnation += 1;
        dead.tables.clear();
        self.put(after, Happening::Restarts { process });
    }

    /// Fires what is due as far as a process knows, now and then too early, and now and then twice.
    fn sweeps(&mut self, process: usize) {
        let after = self.rng.between(20, 700);
        self.put(after, Happening::Sweeps { process });
        if !self.processes[process].up {
            return;
        }
        let clock = self.clock(process);
        for table in 0..self.truth.len() {
            if !self.processes[process].tables.contains_key(&table) || !self.fault(500) {
                self.read(process, table);
            }
            let due = self.processes[process].tables[&table].table.due();
            let times = u64::from(due.is_some_and(|due| due <= clock) && !self.fault(200))
                + u64::from(self.fault(20));
            for _ in 0..times {
                let message =
                    Message { id: None, client: None, by: Actor::Clock, table, command: Command::Tick };
                self.decides(process, message, 0);
            }
        }
    }

    // The end.

    fn complain(&self) -> ! {
        for client in &self.clients {
            for message in client.unanswered.values() {
                println!("unanswered: {} at t{}: {:?}", message.by, message.table, message.command);
            }
        }
        for table in &self.truth {
            let (phase, players) = (table.phase(), table.players().collect::<Vec<_>>());
            println!("{} {phase:?} {players:?} {:?}", table.id(), table.open_holds().collect::<Vec<_>>());
        }
        panic!("the faults have stopped, and not every round finishes");
    }

    fn last_look(&mut self) {
        auditor::look_at_books(&self.store, self.truth.iter());
        auditor::look_at_answers(&self.store);
        for (id, answer) in &self.acknowledged {
            assert_eq!(self.store.answers.get(id), Some(answer), "{id} was acknowledged, and it is not kept");
        }
        for process in 0..self.processes.len() {
            self.processes[process].tables.clear();
            for table in 0..self.truth.len() {
                self.read(process, table);
            }
        }
        for table in &self.truth {
            let escrow = Account {
                owner: Owner::Escrow(table.id().clone()),
                currency: table.config().currency.clone(),
            };
            assert_eq!(self.store.ledger.balance(&escrow), 0, "{} holds money at rest", table.id());
        }
    }
}

const CURRENCIES: [&str; 3] = ["PRACTICE", "USD", "CAD"];

/// What tables have otherwise than their books: fees, limits, every way of banking, and piles.
const CHANGES: [&[(&str, &str)]; 9] = [
    &[],
    &[
        ("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"3.00\" }]"),
        ("collection.cite", "assumed: a fee"),
    ],
    &[("base_game.limits.min", "0.01"), ("commission.percent", "5"), ("commission.unit", "0.25")],
    &[
        ("banking.rounds_running_max", "1"),
        ("setting.player_foul", "house_way"),
        ("setting.banker_foul", "set_again"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("banking.plays_dealer", "true"),
        ("commission.percent", "5"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("banking.cover", "some_or_all"),
        ("base_game.copies", "player"),
    ],
    &[("banking.bankers", "[\"seat\"]"), ("banking.cover", "all"), ("banking.plays_dealer", "true")],
    &[
        ("banking.bankers", "[\"player_dealer\"]"),
        ("banking.cover", "some_or_all"),
        ("banking.cover_use", "losses_only"),
    ],
    &[
        ("banking.bankers", "[\"dealer\", \"seat\"]"),
        ("dealing.action_pile", "true"),
        ("dealing.spots", "active"),
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A change that fits no book would quietly be none at all.
    #[test]
    fn every_change_fits_some_book() {
        for changes in CHANGES {
            let fits = BuiltIn::book_names().filter(|book| {
                let changes: Vec<(String, String)> =
                    changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
                paigow::Rulebook::load(book, &changes, &BuiltIn).is_ok()
            });
            assert!(fits.count() > 2, "{changes:?}");
        }
    }
}
