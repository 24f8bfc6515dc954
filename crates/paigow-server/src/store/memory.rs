//! In-memory store for the simulator. It makes the same checks in the same order and plans the same writes as the
//! databases. It can be restored to an earlier state.

use super::encoding::{CLOSED, encode_actor};
use super::house::{HOUSE_START, HouseRecord, SharedSigner, entries_after};
use super::plan::Writes;
use super::{
    AccountRow, AppendOutcome, BalanceMismatch, Batch, CommandRow, EventRow, HoldRow, HouseLogEntry,
    HouseLogPart, JournalRow, LogRow, PlayerRound, Store, StoreError, StoreVisitor, StoredCommand, TableHead,
    TableRows, Tip,
};
use paigow_table::{
    Account, Actor, CommandId, Hold, Ledger, Owner, PlayerId, TableId, Transfer, TransferId, TransferKind,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// In-memory store. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    state: Arc<Mutex<State>>,
}

/// State of an in-memory store at one moment.
#[derive(Clone, Default)]
pub struct MemorySnapshot(State);

/// Rows are shared between a state and its snapshots.
#[derive(Clone, Default)]
struct State {
    events: BTreeMap<TableId, Vec<Arc<EventRow>>>,
    /// Keyed by actor and id.
    commands: BTreeMap<(String, CommandId), Arc<CommandRow>>,
    journal: Vec<Arc<JournalRow>>,
    /// Index of each transfer in the journal.
    journal_index: BTreeMap<TransferId, usize>,
    accounts: BTreeMap<(Account, String), i64>,
    holds: BTreeMap<TransferId, Hold>,
    house: Vec<Arc<HouseLogEntry>>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a batch as a whole or not at all, without waiting.
    pub fn append_now(&self, batch: &Batch) -> AppendOutcome {
        self.state().append_now(batch)
    }

    /// Returns a snapshot of the current state.
    pub fn snapshot(&self) -> MemorySnapshot {
        MemorySnapshot(self.state().clone())
    }

    /// Restores a snapshot. All later writes are lost.
    pub fn restore(&self, snapshot: &MemorySnapshot) {
        *self.state() = snapshot.0.clone();
    }

    /// Returns the balance of an account.
    pub fn balance(&self, account: &Account) -> i64 {
        self.state().balance(account)
    }

    /// Returns the balances of all accounts.
    pub fn balances(&self) -> BTreeMap<Account, i64> {
        self.state().balances()
    }

    /// Returns the remaining cents of a hold, or `None` if it never existed.
    pub fn hold_remainder(&self, hold: &TransferId) -> Option<u64> {
        self.state().holds.get(hold).map(|hold| hold.left)
    }

    /// Returns the holds with remaining cents.
    pub fn open_holds(&self) -> BTreeMap<TransferId, u64> {
        let state = self.state();
        state
            .holds
            .iter()
            .filter(|(_, hold)| hold.left > 0)
            .map(|(id, hold)| (id.clone(), hold.left))
            .collect()
    }

    /// Returns the events of a table.
    pub fn events(&self, table: &TableId) -> Vec<Arc<EventRow>> {
        self.state().events.get(table).cloned().unwrap_or_default()
    }

    /// Returns a stored command with its answer.
    pub fn stored_command(&self, by: &Actor, id: &CommandId) -> Option<StoredCommand> {
        self.state().stored_command(by, id)
    }
}

impl State {
    fn stored_command(&self, by: &Actor, id: &CommandId) -> Option<StoredCommand> {
        self.commands.get(&(encode_actor(by), id.clone())).map(|row| row.stored.clone())
    }

    fn tip(&self, table: &TableId) -> Tip {
        let last = self.events.get(table).and_then(|events| events.last());
        last.map_or(Tip::START, |row| Tip { seq: row.seq, hash: row.hash })
    }

    fn balance(&self, account: &Account) -> i64 {
        let shards = self.accounts.range((account.clone(), String::new())..);
        shards.take_while(|((owner, _), _)| owner == account).map(|(_, cents)| cents).sum()
    }

    fn balances(&self) -> BTreeMap<Account, i64> {
        let mut balances = BTreeMap::new();
        for ((account, _), cents) in &self.accounts {
            *balances.entry(account.clone()).or_default() += cents;
        }
        balances
    }

    /// Returns the sequence number of an account's last transfer, or 0.
    fn last_transfer(&self, account: &Account) -> u64 {
        let mut latest = self.journal.iter().rev();
        let is_its = |row: &&Arc<JournalRow>| [&row.transfer.debit, &row.transfer.credit].contains(&account);
        latest.find(is_its).map_or(0, |row| row.seq)
    }

    fn append_now(&mut self, batch: &Batch) -> AppendOutcome {
        let needs = batch.needs();
        let balances = needs.accounts.into_iter().map(|account| {
            let cents = self.balance(&account);
            (account, cents)
        });
        let holds = needs.holds.into_iter().filter_map(|id| Some((id.clone(), self.holds.get(&id)?.clone())));
        let transfers = needs.transfers.into_iter().filter_map(|id| {
            let row = &self.journal[*self.journal_index.get(&id)?];
            Some((id, row.transfer.clone()))
        });
        let mut ledger = Ledger::from_parts(balances.collect(), holds.collect(), transfers.collect());
        let tip = batch.table_id().map_or(Tip::START, |table| self.tip(table));
        let last = batch.follows.as_ref().map(|(account, _)| self.last_transfer(account));
        match batch.check_and_plan(self.stored_command(&batch.by, &batch.id), tip, last, &mut ledger) {
            Ok(writes) => {
                self.write(batch, &writes);
                writes.outcome()
            }
            Err(outcome) => outcome,
        }
    }

    fn write(&mut self, batch: &Batch, writes: &Writes<'_>) {
        let Batch { by, id, at, .. } = batch;
        let table = batch.table_id().cloned();
        let stored =
            StoredCommand { table: table.clone(), body: batch.body.clone(), answer: batch.answer.clone() };
        let command = CommandRow { by: by.clone(), id: id.clone(), at: *at, stored, digest: writes.digest };
        self.commands.insert((encode_actor(by), id.clone()), Arc::new(command));
        if let Some(table) = &table {
            let events = self.events.entry(table.clone()).or_default();
            for (seq, round, json, hash) in &writes.events {
                events.push(Arc::new(EventRow {
                    seq: *seq,
                    round: *round,
                    json: (*json).to_owned(),
                    at: *at,
                    by: by.clone(),
                    command: id.clone(),
                    hash: *hash,
                }));
            }
        }
        for (number, transfer) in (0..).zip(&writes.journal) {
            self.journal_index.insert(transfer.id.clone(), self.journal.len());
            self.journal.push(Arc::new(JournalRow {
                seq: self.journal.len() as u64 + 1,
                transfer: transfer.clone(),
                at: *at,
                by: by.clone(),
                command: id.clone(),
                number,
                table: table.clone(),
                round: batch.round,
            }));
        }
        for (key, cents) in &writes.changes {
            *self.accounts.entry(key.clone()).or_default() += cents;
        }
        self.holds.extend(writes.holds.iter().cloned());
        if batch.table.is_none() {
            let tip = self.house.last().map_or(HOUSE_START, |last| (last.seq, last.hash));
            let record = HouseRecord::of_batch(batch, writes.digest);
            let entries = entries_after(tip, [(*at, &record)], &SharedSigner::default());
            self.house.extend(entries.into_iter().map(Arc::new));
        }
    }

    fn events(&self, table: &TableId, after: u64) -> impl Iterator<Item = &EventRow> {
        let events = self.events.get(table).map(Vec::as_slice).unwrap_or_default();
        events.iter().skip(usize::try_from(after).unwrap_or(usize::MAX)).map(AsRef::as_ref)
    }

    fn journal<'a>(
        &'a self,
        filter: impl Fn(&JournalRow) -> bool + 'a,
    ) -> impl Iterator<Item = &'a JournalRow> {
        self.journal.iter().map(AsRef::as_ref).filter(move |row| filter(row))
    }
}

impl Store for Memory {
    async fn append(&self, batch: Batch) -> Result<AppendOutcome, StoreError> {
        Ok(self.append_now(&batch))
    }

    async fn stored_command(&self, by: &Actor, id: &CommandId) -> Result<Option<StoredCommand>, StoreError> {
        Ok(self.state().stored_command(by, id))
    }

    async fn events(&self, table: &TableId, after: u64) -> Result<Vec<EventRow>, StoreError> {
        Ok(self.state().events(table, after).cloned().collect())
    }

    async fn log(&self, table: &TableId, after: u64, limit: u32) -> Result<Vec<LogRow>, StoreError> {
        let state = self.state();
        let digest = |row: &EventRow| {
            let command = state.commands.get(&(encode_actor(&row.by), row.command.clone()));
            command.map_or([0; 32], |command| command.digest)
        };
        let log_row = |row: &EventRow| LogRow {
            seq: row.seq,
            at: row.at,
            json: row.json.clone(),
            command: digest(row),
            hash: row.hash,
        };
        Ok(state.events(table, after).take(limit as usize).map(log_row).collect())
    }

    async fn tables(&self) -> Result<Vec<TableHead>, StoreError> {
        let state = self.state();
        let head = |(table, events): (&TableId, &Vec<Arc<EventRow>>)| TableHead {
            table: table.clone(),
            tip: state.tip(table),
            closed: events.last().is_some_and(|last| last.json == CLOSED),
        };
        Ok(state.events.iter().map(head).collect())
    }

    async fn balances(&self, accounts: &[Account]) -> Result<BTreeMap<Account, i64>, StoreError> {
        let state = self.state();
        Ok(accounts.iter().map(|account| (account.clone(), state.balance(account))).collect())
    }

    async fn mismatched_balances(&self, accounts: &[Account]) -> Result<Vec<BalanceMismatch>, StoreError> {
        let state = self.state();
        let mut found = Vec::new();
        for account in accounts {
            let sum = |side: fn(&Transfer) -> &Account| -> i64 {
                let rows = state.journal(|row| side(&row.transfer) == account);
                rows.map(|row| row.transfer.cents.cast_signed()).sum()
            };
            let journal = sum(|transfer| &transfer.credit) - sum(|transfer| &transfer.debit);
            let stored = state.balance(account);
            if stored != journal {
                found.push(BalanceMismatch { account: account.clone(), stored, journal });
            }
        }
        Ok(found)
    }

    async fn trial_balance(&self) -> Result<BTreeMap<Account, i64>, StoreError> {
        Ok(self.state().balances())
    }

    async fn journal(
        &self,
        account: Option<&Account>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<JournalRow>, StoreError> {
        let concerns = |row: &JournalRow| {
            account.is_none_or(|account| row.transfer.debit == *account || row.transfer.credit == *account)
        };
        let state = self.state();
        let rows = state.journal(|row| row.seq > after && concerns(row));
        Ok(rows.take(limit as usize).cloned().collect())
    }

    async fn round_journal(&self, table: &TableId, round: u64) -> Result<Vec<JournalRow>, StoreError> {
        let state = self.state();
        let rows = state.journal(|row| row.table.as_ref() == Some(table) && row.round == round);
        Ok(rows.cloned().collect())
    }

    async fn rounds_of(
        &self,
        player: &PlayerId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<PlayerRound>, StoreError> {
        let owner = Owner::Player(player.clone());
        let state = self.state();
        let mut rounds: Vec<PlayerRound> = Vec::new();
        let wagers =
            state.journal(|row| row.transfer.kind == TransferKind::Hold && row.transfer.debit.owner == owner);
        for row in wagers {
            let Some(table) = row.table.clone() else { continue };
            rounds.retain(|other| (&other.table, other.round) != (&table, row.round));
            rounds.push(PlayerRound { table, round: row.round, seq: row.seq });
        }
        rounds.retain(|round| before.is_none_or(|before| round.seq < before));
        Ok(rounds.into_iter().rev().take(limit as usize).collect())
    }

    async fn walk<V: StoreVisitor>(&self, mut visit: V) -> Result<V, StoreError> {
        let state = self.state().clone();
        let tables = state.events.keys().map(Some).chain([None]);
        for table in tables {
            let commands = state.commands.values().filter(|row| row.stored.table.as_ref() == table);
            let rows = TableRows {
                events: table.map(|table| state.events(table, 0).cloned().collect()).unwrap_or_default(),
                commands: commands.map(|row| CommandRow::clone(row)).collect(),
                journal: state.journal(|row| row.table.as_ref() == table).cloned().collect(),
                sealed_transfers: 0,
            };
            visit.table(table, rows);
        }
        let account = |((account, shard), cents): (&(Account, String), &i64)| AccountRow {
            account: account.clone(),
            shard: shard.clone(),
            cents: *cents,
        };
        let hold = |(id, hold): (&TransferId, &Hold)| HoldRow { id: id.clone(), hold: hold.clone() };
        visit.money(state.accounts.iter().map(account).collect(), state.holds.iter().map(hold).collect());
        visit.acts(Vec::new());
        // This store has no people and no operators.
        visit.house(HouseLogPart::Log(state.house.iter().map(|entry| HouseLogEntry::clone(entry)).collect()));
        visit.house(HouseLogPart::Operators { sessions: Vec::new(), secret: None });
        Ok(visit)
    }

    async fn damage(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }
}
