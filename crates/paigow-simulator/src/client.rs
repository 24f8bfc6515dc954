//! Clients: each sends a command, and retries it under the same id until it has an answer.

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

/// Maximum number of commands of one client under way.
const UNDER_WAY_MAX: usize = 4;

/// A client of some tables.
pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) is_operator: bool,
    pub(crate) tables: Vec<TableId>,
    /// The table of each command without an answer yet.
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

/// An answer to a command.
enum Answer {
    CommandResult(CommandResult),
    Refused(&'static str),
    /// The command may be done or not.
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
    pub(crate) async fn live(self: Arc<Self>, shared: Arc<SimulationState>) {
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

    /// The next commands.
    fn think(&self, shared: &SimulationState) -> Vec<(Actor, TableId, Command)> {
        let history = shared.history();
        let own = Actor::Player(self.player.clone());
        if shared.is_calm() {
            let asked: BTreeSet<TableId> = self.under_way().iter().cloned().collect();
            let tables =
                history.tables().filter(|table| !asked.contains(table.id()) && shared.players_leave());
            let stands = |table: &Table, seat: u8| {
                let command = Command::At { seat, command: Box::new(Command::Stand) };
                (own.clone(), table.id().clone(), command)
            };
            return tables
                .flat_map(|table| table.seats_of(&self.player).map(move |seat| (table, seat)))
                .map(|(table, seat)| stands(table, seat))
                .collect();
        }
        if shared.is_idle() || self.under_way().len() >= UNDER_WAY_MAX {
            return Vec::new();
        }
        let mut rng = shared.rng();
        let id = rng.pick(&self.tables).clone();
        if self.is_operator {
            let idle = rng.chance(600);
            let operator = Actor::Operator(self.player.clone());
            return if idle { Vec::new() } else { vec![(operator, id, choices::operate(&mut rng))] };
        }
        let table = history.table(&id);
        let purse =
            Account { owner: Owner::Player(self.player.clone()), currency: table.config().currency.clone() };
        let has = history.memory.balance(&purse).max(0).cast_unsigned();
        let command = choices::choose(&mut rng, &self.player, has, table);
        vec![(choices::actor(&mut rng, &self.player), id, command)]
    }

    /// Retries a command until it has an answer.
    async fn ask(self: Arc<Self>, shared: Arc<SimulationState>, message: Message) {
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
                // The client waits before it retries.
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

/// Delivers a command to a process, and the answer to the client.
async fn deliver(
    shared: Arc<SimulationState>,
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
        let (was_kept, restores) = {
            let history = shared.history();
            (history.keeps(by, id), history.restores)
        };
        let answer = match running.host.command(table, by, id, command).await {
            Ok(done) => Answer::CommandResult(done),
            Err(HostError::Store(_)) => Answer::Unavailable,
            Err(error @ (HostError::Refused { .. } | HostError::NoSuchTable(_))) => {
                let restored = shared.history().restores != restores;
                assert!(!was_kept || restored, "{id} was done before, and now it is refused: {error}");
                Answer::Refused(error.code())
            }
            Err(error) => panic!("{id} at {table}: {error}"),
        };
        if shared.fault(InjectedFault::AnswerLost, 150) {
            return;
        }
        let way_back = shared.clone();
        // A sent answer arrives even if the process dies.
        tokio::spawn(async move {
            way_back.travel().await;
            // The client may have received another answer.
            let _ = answers.send(answer);
        });
    };
    shared.spawn_in(process, task);
}
