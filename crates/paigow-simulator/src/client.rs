//! Clients: each sends commands, and retries each with the same id until it receives an answer.

use crate::choices;
use crate::report::InjectedFault;
use crate::shared::SimulationState;
use crate::tables::named;
use paigow_server::{CommandResult, HostError};
use paigow_table::{Account, Actor, Command, CommandId, Owner, PlayerId, Table, TableId};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// Maximum number of pending commands of one client.
const PENDING_MAX: usize = 4;

/// A client that plays at some tables.
pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) is_operator: bool,
    pub(crate) tables: Vec<TableId>,
    /// The table of each command that has no answer yet.
    pending: Mutex<Vec<TableId>>,
}

/// A command in transit.
#[derive(Clone)]
struct Message {
    id: CommandId,
    by: Actor,
    table: TableId,
    command: Command,
}

/// An answer to a command.
enum Answer {
    CommandResult(CommandResult),
    Refused(&'static str),
    /// The command may or may not have been applied.
    Unavailable,
}

impl Client {
    pub(crate) fn new(player: PlayerId, is_operator: bool, tables: Vec<TableId>) -> Client {
        Client { player, is_operator, tables, pending: Mutex::default() }
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, Vec<TableId>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays until the run ends.
    pub(crate) async fn run(self: Arc<Self>, shared: Arc<SimulationState>) {
        let mut commands = 0;
        loop {
            let calm = shared.is_calm();
            let time = if calm { 400 } else { shared.rng().between(20, 900) };
            shared.sleep(time).await;
            for (by, table, command) in self.next_commands(&shared) {
                commands += 1;
                let id = named(&format!("{}-{commands}", self.player));
                shared.report().commands += 1;
                shared.unanswered.fetch_add(1, Ordering::Relaxed);
                self.pending().push(table.clone());
                let message = Message { id, by, table, command };
                tokio::spawn(self.clone().send(shared.clone(), message));
            }
        }
    }

    /// Returns the next commands.
    fn next_commands(&self, shared: &SimulationState) -> Vec<(Actor, TableId, Command)> {
        let history = shared.history();
        let own = Actor::Player(self.player.clone());
        if shared.is_calm() {
            let pending_tables: BTreeSet<TableId> = self.pending().iter().cloned().collect();
            let tables = history
                .tables()
                .filter(|table| !pending_tables.contains(table.id()) && shared.players_leave());
            let stands = |table: &Table, seat: u8| {
                let command = Command::At { seat, command: Box::new(Command::Stand) };
                (own.clone(), table.id().clone(), command)
            };
            return tables
                .flat_map(|table| table.seats_of(&self.player).map(move |seat| (table, seat)))
                .map(|(table, seat)| stands(table, seat))
                .collect();
        }
        if shared.is_idle() || self.pending().len() >= PENDING_MAX {
            return Vec::new();
        }
        let mut rng = shared.rng();
        let id = rng.pick(&self.tables).clone();
        if self.is_operator {
            let idle = rng.chance(600);
            let operator = Actor::Operator(self.player.clone());
            return if idle {
                Vec::new()
            } else {
                vec![(operator, id, choices::choose_for_operator(&mut rng))]
            };
        }
        let table = history.table(&id);
        let account =
            Account { owner: Owner::Player(self.player.clone()), currency: table.config().currency.clone() };
        let balance = history.memory.balance(&account).max(0).cast_unsigned();
        let command = choices::choose(&mut rng, &self.player, balance, table);
        vec![(choices::actor(&mut rng, &self.player), id, command)]
    }

    /// Sends a command and retries it until an answer arrives.
    async fn send(self: Arc<Self>, shared: Arc<SimulationState>, message: Message) {
        let (answers, mut received) = mpsc::unbounded_channel();
        loop {
            let lost = shared.fault(InjectedFault::CommandLost, 100);
            let more = !lost && shared.fault(InjectedFault::CommandRepeated, 200);
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
            match tokio::time::timeout(patience, received.recv()).await {
                Ok(Some(Answer::CommandResult(done))) => {
                    shared.history().acknowledge(&message.by, &message.id, &done);
                    break;
                }
                Ok(Some(Answer::Refused(code))) => {
                    *shared.report().refusals.entry(code).or_default() += 1;
                    break;
                }
                // Wait before the retry.
                Ok(Some(Answer::Unavailable)) => shared.sleep(200).await,
                Ok(None) | Err(_) => {}
            }
        }
        let mut pending = self.pending();
        if let Some(index) = pending.iter().position(|table| *table == message.table) {
            pending.remove(index);
        }
        shared.unanswered.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Delivers a command to a process, and the answer to the client.
async fn deliver(
    shared: Arc<SimulationState>,
    process: usize,
    message: Message,
    answers: mpsc::UnboundedSender<Answer>,
) {
    shared.travel().await;
    let Some(running) = shared.running(process) else { return };
    let shared_in_task = shared.clone();
    let task = async move {
        let shared = shared_in_task;
        let Message { id, by, table, command } = &message;
        let (was_stored, restores) = {
            let history = shared.history();
            (history.has_answer(by, id), history.restores)
        };
        let answer = match running.host.command(table, by, id, command).await {
            Ok(done) => Answer::CommandResult(done),
            Err(HostError::Store(_)) => Answer::Unavailable,
            Err(error @ (HostError::Refused { .. } | HostError::NoSuchTable(_))) => {
                let restored = shared.history().restores != restores;
                assert!(!was_stored || restored, "{id} was applied before, but is refused now: {error}");
                Answer::Refused(error.code())
            }
            Err(error) => panic!("{id} at {table}: {error}"),
        };
        if shared.fault(InjectedFault::AnswerLost, 150) {
            return;
        }
        let returning = shared.clone();
        // A sent answer arrives even if the process crashes.
        tokio::spawn(async move {
            returning.travel().await;
            // The client may have received another answer already.
            let _ = answers.send(answer);
        });
    };
    shared.spawn_in(process, task);
}
