//! Clients: they ask, hear or do not hear, and ask again under the same name until they are answered.

use crate::client;
use crate::report::Fault;
use crate::shared::Shared;
use crate::tables::named;
use paigow_server::{Done, HostError};
use paigow_table::{Account, Actor, Command, CommandId, Owner, PlayerId, TableId};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// How many commands of one client may be under way.
const UNDER_WAY_MAX: usize = 4;

/// Somebody at some tables.
pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) is_operator: bool,
    pub(crate) tables: Vec<TableId>,
    /// The tables that have not answered yet, once for each command.
    under_way: Mutex<Vec<TableId>>,
}

/// A command on its way.
#[derive(Clone)]
struct Message {
    id: CommandId,
    by: Actor,
    table: TableId,
    command: Command,
}

/// What a client hears.
enum Answer {
    Done(Done),
    Refused(&'static str),
    /// It may be done or not.
    Unavailable,
}

impl Client {
    pub(crate) fn new(player: PlayerId, is_operator: bool, tables: Vec<TableId>) -> Client {
        Client { player, is_operator, tables, under_way: Mutex::default() }
    }

    fn under_way(&self) -> std::sync::MutexGuard<'_, Vec<TableId>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays until the world ends.
    pub(crate) async fn live(self: Arc<Self>, shared: Arc<Shared>) {
        let mut commands = 0;
        loop {
            let calm = shared.is_calm();
            let time = if calm { 400 } else { shared.rng().between(20, 900) };
            shared.sleep(time).await;
            for (by, table, command) in self.think(&shared) {
                commands += 1;
                let id = named(&format!("{}-{commands}", self.player));
                shared.report().commands += 1;
                shared.unanswered.fetch_add(1, Ordering::Relaxed);
                self.under_way().push(table.clone());
                let message = Message { id, by, table, command };
                tokio::spawn(self.clone().ask(shared.clone(), message));
            }
        }
    }

    /// What to ask for next.
    fn think(&self, shared: &Shared) -> Vec<(Actor, TableId, Command)> {
        let history = shared.history();
        let own = Actor::Player(self.player.clone());
        if shared.is_calm() {
            let asked: BTreeSet<TableId> = self.under_way().iter().cloned().collect();
            let seated = history.tables().filter(|table| {
                let sits = table.players().any(|(_, other)| *other == self.player);
                sits && !asked.contains(table.id()) && shared.leaves()
            });
            return seated.map(|table| (own.clone(), table.id().clone(), Command::Stand)).collect();
        }
        if shared.is_lull() || self.under_way().len() >= UNDER_WAY_MAX {
            return Vec::new();
        }
        let mut rng = shared.rng();
        let id = rng.pick(&self.tables).clone();
        if self.is_operator {
            let idle = rng.chance(600);
            let operator = Actor::Operator(self.player.clone());
            return if idle { Vec::new() } else { vec![(operator, id, client::operate(&mut rng))] };
        }
        let table = history.table(&id);
        let purse =
            Account { owner: Owner::Player(self.player.clone()), currency: table.config().currency.clone() };
        let has = history.memory.balance(&purse).max(0).cast_unsigned();
        let command = client::choose(&mut rng, &self.player, has, table);
        vec![(client::somebody(&mut rng, &self.player), id, command)]
    }

    /// Gives a command again and again until it is answered.
    async fn ask(self: Arc<Self>, shared: Arc<Shared>, message: Message) {
        let (answers, mut heard) = mpsc::unbounded_channel();
        loop {
            let lost = shared.fault(Fault::CommandLost, 100);
            let more = !lost && shared.fault(Fault::CommandRepeated, 200);
            let copies = if lost {
                0
            } else if more {
                shared.rng().between(2, 3)
            } else {
                1
            };
            for _ in 0..copies {
                let process = shared.some_process();
                tokio::spawn(deliver(shared.clone(), process, message.clone(), answers.clone()));
            }
            let patience = Duration::from_millis(shared.rng().between(500, 4_000));
            match tokio::time::timeout(patience, heard.recv()).await {
                Ok(Some(Answer::Done(done))) => {
                    shared.history().acknowledge(&message.by, &message.id, &done);
                    break;
                }
                Ok(Some(Answer::Refused(code))) => {
                    *shared.report().refusals.entry(code).or_default() += 1;
                    break;
                }
                // Whoever hears that does not ask again at once.
                Ok(Some(Answer::Unavailable)) => shared.sleep(200).await,
                Ok(None) | Err(_) => {}
            }
        }
        let mut under_way = self.under_way();
        if let Some(at) = under_way.iter().position(|table| *table == message.table) {
            under_way.remove(at);
        }
        shared.unanswered.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Brings a command to a process, and its answer back.
async fn deliver(
    shared: Arc<Shared>,
    process: usize,
    message: Message,
    answers: mpsc::UnboundedSender<Answer>,
) {
    shared.travel().await;
    let Some(running) = shared.running(process) else { return };
    let doing = shared.clone();
    let task = async move {
        let shared = doing;
        let Message { id, by, table, command } = &message;
        let (was_kept, times) = {
            let history = shared.history();
            (history.keeps(by, id), history.went_back)
        };
        let answer = match running.host.command(table, by, id, command).await {
            Ok(done) => Answer::Done(done),
            Err(HostError::Store(_)) => Answer::Unavailable,
            Err(error @ (HostError::Refused(_) | HostError::NoSuchTable(_))) => {
                let stayed = shared.history().went_back == times;
                assert!(!was_kept || !stayed, "{id} was done before, and now it is refused: {error}");
                Answer::Refused(error.code())
            }
            Err(error) => panic!("{id} at {table}: {error}"),
        };
        if shared.fault(Fault::AnswerLost, 150) {
            return;
        }
        let way_back = shared.clone();
        // What was sent is on its way whatever becomes of the process.
        tokio::spawn(async move {
            way_back.travel().await;
            // The client may have heard another answer meanwhile.
            let _ = answers.send(answer);
        });
    };
    shared.spawn_in(process, task);
}
