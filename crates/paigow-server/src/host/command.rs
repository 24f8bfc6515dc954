//! Execution of commands: decides a command, appends its effects, and retries after conflicts.

use super::funds::{LoadedFunds, decide};
use super::loaded_table::{LoadedTable, advance, drop_if_invalid};
use super::loading::EventSource;
use super::{Host, HostError};
use crate::{AppendOutcome, Batch, Environment, NewEvent, Store, StoreError, Tip};
use futures_util::FutureExt;
use paigow_table::{
    Account, Actor, Command, CommandId, Effects, LedgerRefusal, Owner, PlantedFault, Table, TableEvent,
    TableId, TableRefusal, Time, Transfer, TransferKind, planted,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;
use utoipa::ToSchema;

/// Number of attempts to decide and append a command before the host reports contention.
const ATTEMPTS_MAX: u32 = 64;
/// Maximum wait before another attempt after a conflict, in milliseconds.
const WAIT_MS_MAX: u64 = 100;

/// Range of events that a command appended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandResult {
    /// Sequence number of the last event before the command.
    pub after: u64,
    /// Sequence number of the last event of the command.
    pub seq: u64,
}

impl<S: Store, E: Environment> Host<S, E> {
    /// Decides a command and appends its effects, with retries after conflicts. `id` makes the command's id from the
    /// current tip. `guard` may refuse the command in the state that it is decided in, with its effects, and returns `follows` of the
    /// batch.
    pub(super) async fn drive(
        &self,
        table_id: &TableId,
        slot: &mut Option<LoadedTable>,
        by: &Actor,
        id: impl Fn(Tip) -> CommandId,
        command: &Command,
        guard: impl Fn(&Table, &Effects) -> Result<Option<(Account, u64)>, HostError>,
    ) -> Result<CommandResult, HostError> {
        let mut known = LoadedFunds::default();
        for attempt in 0..ATTEMPTS_MAX {
            let loaded = self.load(table_id, slot).await?;
            let id = id(loaded.tip);
            let form = loaded.table.stored_form(by, command);
            // After the round, the table no longer knows the positions of the cards.
            let is_as_given = matches!(form, Cow::Borrowed(_));
            let body = serde_json::to_string(&form)?;
            let now = self.environment.now();
            let entropy = self.environment.entropy()?;
            let (decided, missing) = decide(&loaded.table, by, command, now, entropy, &known);
            if let Some(round) = missing.round {
                // The decision depends on the transfers of the round: load them and retry.
                let rows = self.store.round_journal(table_id, round).await?;
                known.round = Some(rows.into_iter().map(|row| row.transfer).collect());
                continue;
            }
            if !missing.accounts.is_empty() {
                // Also after a stale balance was dropped.
                self.check_balances(table_id, loaded, missing.accounts.iter().cloned()).await?;
                let accounts: Vec<Account> = missing.accounts.into_iter().collect();
                known.balances.extend(self.store.balances(&accounts).await?);
                continue;
            }
            let refused = |refusal: TableRefusal| {
                let message = loaded.table.table_rules().book().with_book_terms(&refusal.to_string());
                HostError::Refused { refusal, message }
            };
            let (effects, follows) = match decided
                .map_err(refused)
                .and_then(|effects| guard(&loaded.table, &effects).map(|follows| (effects, follows)))
            {
                Ok(guarded) => guarded,
                Err(refused) => {
                    // The command may be a retry of one already executed, or be refused only because the state is
                    // stale.
                    let stored = self.store.stored_command(by, &id).await.map_err(HostError::of_command)?;
                    if let Some(stored) = stored {
                        let same_body =
                            stored.body == body || (is_as_given && is_same_command(&stored.body, command));
                        let is_retry = same_body && stored.table.as_ref() == Some(table_id);
                        let answer = is_retry.then_some(stored.answer).ok_or(HostError::Reused(id))?;
                        return Ok(serde_json::from_str(&answer)?);
                    }
                    if self.refresh(table_id, slot).await? {
                        continue;
                    }
                    return Err(refused);
                }
            };
            let Effects { events, transfers } = effects;
            // A balance that is not the sum of its journal must not be spent.
            let debited = transfers.iter().map(|transfer| transfer.debit.clone());
            self.check_balances(table_id, loaded, debited).await?;
            let (mut batch, done) = batch(loaded, (by, &id, &body), now, &events, transfers.clone())?;
            batch.follows = follows;
            // If the append fails, the batch may or may not be committed. The table in memory is still a prefix of the
            // log, and the next command reads the rest.
            let appending = self.store.append(batch);
            if planted(PlantedFault::AcknowledgeBeforeCommit) {
                // Started, but not awaited.
                let _ = appending.now_or_never();
                return Ok(done);
            }
            match appending.await.map_err(HostError::of_command)? {
                AppendOutcome::Appended { hashes } => {
                    let (book, currency) =
                        (&loaded.table.table_rules().book().id, &loaded.table.config().currency);
                    self.money.record(book, currency, &events, &transfers);
                    let tips = (done.after + 1..).zip(hashes).map(|(seq, hash)| Tip { seq, hash });
                    let mut appended = tips.zip(&events);
                    let advanced = appended.try_for_each(|(tip, event)| advance(loaded, tip, now, event));
                    self.set_deadline(loaded, EventSource::Local);
                    if let Some(hints) = self.hint_sender.get() {
                        // If the queue is full, other processes find the events by polling.
                        let _ = hints.try_send((table_id.clone(), done.seq));
                    }
                    return drop_if_invalid(slot, advanced).map(|()| done);
                }
                AppendOutcome::AlreadyExecuted { answer } => return Ok(serde_json::from_str(&answer)?),
                AppendOutcome::OtherTransfers => return Err(HostError::OtherTransfers),
                AppendOutcome::IdReused => return Err(HostError::Reused(id)),
                AppendOutcome::Conflict => {
                    // Random back-off, so that processes in conflict do not retry at the same moment.
                    let wait = u64::from(entropy[31]) * u64::from(attempt) / 64;
                    tokio::time::sleep(Duration::from_millis(wait.min(WAIT_MS_MAX))).await;
                    self.refresh(table_id, slot).await?;
                    known = LoadedFunds::default();
                }
                // The loaded balance is stale: the player spent it at another table.
                AppendOutcome::Refused(LedgerRefusal::InsufficientFunds { .. }) if !known.is_empty() => {
                    known = LoadedFunds::default();
                }
                AppendOutcome::Refused(refusal) => return Err(HostError::from(TableRefusal::from(refusal))),
            }
        }
        Err(HostError::Store(StoreError::Contended { attempts: ATTEMPTS_MAX }))
    }
}

/// Whether a stored command is this one in its stored form, where the cards of a set hand are positions.
fn is_same_command(stored: &str, command: &Command) -> bool {
    serde_json::from_str::<Command>(stored).is_ok_and(|stored| stored.may_be_stored_form_of(command))
}

/// Maximum that a command may add to what its player has at stake.
#[derive(Clone, Debug)]
pub struct StakeMax {
    /// Maximum in cents.
    pub cents: u64,
    /// Account of the player, with the last transfer that the maximum considers, or 0. `None` if it considers none.
    pub follows: Option<(Account, u64)>,
}

/// Refuses effects that add more than `max` cents to what a player has at stake.
pub(super) fn check_stake(by: &Actor, effects: &Effects, max: u64) -> Result<(), HostError> {
    let added = added_stake(by, &effects.transfers);
    if added > max { Err(HostError::StakeLimit { added, max }) } else { Ok(()) }
}

/// Returns the cents that transfers add to what a player has at stake: new holds without those that return.
fn added_stake(by: &Actor, transfers: &[Transfer]) -> u64 {
    let Actor::Player(player) = by else { return 0 };
    let is_players = |account: &Account| account.owner == Owner::Player(player.clone());
    let sum = |is_kind: fn(&Transfer) -> bool, of: fn(&Transfer) -> &Account| {
        let own = transfers.iter().filter(|transfer| is_kind(transfer) && is_players(of(transfer)));
        own.map(|transfer| transfer.cents).fold(0, u64::saturating_add)
    };
    let held = sum(|transfer| transfer.kind == TransferKind::Hold, |transfer| &transfer.debit);
    let returned =
        sum(|transfer| matches!(transfer.kind, TransferKind::Void(_)), |transfer| &transfer.credit);
    held.saturating_sub(returned)
}

/// Makes the batch of a decided command, and the result to return after its commit.
fn batch(
    loaded: &LoadedTable,
    (by, id, body): (&Actor, &CommandId, &str),
    at: Time,
    events: &[TableEvent],
    transfers: Vec<Transfer>,
) -> Result<(Batch, CommandResult), HostError> {
    let mut round = loaded.table.round_number();
    let mut new = Vec::with_capacity(events.len());
    for event in events {
        if let TableEvent::RoundOpened { round: next, .. } = event {
            round = *next;
        }
        new.push(NewEvent { round, json: serde_json::to_string(event)? });
    }
    let Tip { seq: after, .. } = loaded.tip;
    let done = CommandResult { after, seq: after + events.len() as u64 };
    let batch = Batch {
        by: by.clone(),
        id: id.clone(),
        at,
        body: body.to_owned(),
        table: Some((loaded.table.id().clone(), loaded.tip)),
        events: new,
        // Transfers belong to the current round, even if an event opens the next one.
        round: loaded.table.round_number(),
        transfers,
        answer: serde_json::to_string(&done)?,
        follows: None,
    };
    Ok((batch, done))
}
