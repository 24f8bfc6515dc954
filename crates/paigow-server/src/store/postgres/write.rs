//! Appends a group of batches in one transaction.
//!
//! All reads are pipelined, and so are all writes, with one statement for each table of the database. A group takes two
//! round trips to the database, regardless of the number and size of its batches.

use super::super::block::command_key;
use super::super::encoding::{decode_account, decode_hash, encode_actor, parse, unsigned};
use super::super::house::{HOUSE_START, HouseLogEntry, HouseRecord, HouseTip, SharedSigner, entries_after};
use super::super::plan::Writes;
use super::super::{AppendOutcome, Batch, HoldRow, StoreError, StoredCommand, Tip};
use super::blocks;
use super::house::{self, to_tip};
use super::read::{self, JOURNAL};
use super::rows::write;
use deadpool_postgres::Client;
use paigow_table::{Account, CommandId, Hold, Ledger, TableId, Transfer, TransferId};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::types::ToSql;

/// Appends a group of batches. Returns their outcomes. If it fails, the whole group is rolled back.
pub(super) async fn append(
    client: &Client,
    signer: &SharedSigner,
    group: &[Batch],
) -> Result<Vec<AppendOutcome>, StoreError> {
    let outcomes = append_in_transaction(client, signer, group).await;
    if outcomes.is_err() {
        // If this fails too, the connection is lost, and the transaction with it.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    outcomes
}

async fn append_in_transaction(
    client: &Client,
    signer: &SharedSigner,
    group: &[Batch],
) -> Result<Vec<AppendOutcome>, StoreError> {
    let mut state = read(client, group).await?;
    // All processes write tables in the same order, so that they cannot deadlock.
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by_key(|index| group[*index].table_id());
    let mut outcomes: Vec<AppendOutcome> = vec![AppendOutcome::Conflict; group.len()];
    let mut planned: Vec<(&Batch, Writes<'_>)> = Vec::with_capacity(group.len());
    for index in order {
        let batch = &group[index];
        outcomes[index] = match state.plan(batch) {
            Ok(writes) => {
                let outcome = writes.outcome();
                planned.push((batch, writes));
                outcome
            }
            Err(outcome) => outcome,
        };
    }
    write(client, &planned, &house_entries(state.house, &planned, signer)).await?;
    Ok(outcomes)
}

/// Makes the entries of the house log for batches outside tables.
fn house_entries(
    tip: HouseTip,
    planned: &[(&Batch, Writes<'_>)],
    signer: &SharedSigner,
) -> Vec<HouseLogEntry> {
    let outside = planned.iter().filter(|(batch, _)| batch.table.is_none());
    let records: Vec<_> =
        outside.map(|(batch, writes)| (batch.at, HouseRecord::of_batch(batch, writes.digest))).collect();
    entries_after(tip, records.iter().map(|(at, record)| (*at, record)), signer)
}

/// Rows that a group needs, including the writes planned so far.
struct GroupState {
    ledger: Ledger,
    /// Keyed by actor and id.
    commands: BTreeMap<(String, CommandId), StoredCommand>,
    /// Tip of each table.
    tips: BTreeMap<TableId, Tip>,
    /// Tip of the house log. Read only if a batch is outside tables.
    house: HouseTip,
    /// Last transfer of each account that a batch follows.
    last_transfers: BTreeMap<Account, u64>,
}

impl GroupState {
    /// Plans the writes of a batch, or returns its outcome if it writes nothing.
    fn plan<'a>(&mut self, batch: &'a Batch) -> Result<Writes<'a>, AppendOutcome> {
        let key = (encode_actor(&batch.by), batch.id.clone());
        let stored = self.commands.get(&key).cloned();
        let tip = batch.table_id().and_then(|table| self.tips.get(table)).copied().unwrap_or(Tip::START);
        let last = batch.follows.as_ref().and_then(|(account, _)| self.last_transfers.get(account)).copied();
        let writes = batch.check_and_plan(stored, tip, last, &mut self.ledger)?;
        for transfer in &writes.journal {
            // An account has one batch of a group that follows its transfers: the others decide again.
            self.last_transfers.remove(&transfer.debit);
            self.last_transfers.remove(&transfer.credit);
        }
        if let (Some(table), Some(tip)) = (batch.table_id(), writes.tip()) {
            self.tips.insert(table.clone(), tip);
        }
        let (table, body, answer) = (batch.table_id().cloned(), batch.body.clone(), batch.answer.clone());
        self.commands.insert(key, StoredCommand { table, body, answer });
        Ok(writes)
    }
}

/// [`ACCOUNTS`] and [`HOLDS`] lock their rows in a fixed order, the same in all processes, so that they cannot
/// deadlock.
const ACCOUNTS: &str = "SELECT owner, currency, cents FROM accounts \
    WHERE (owner, currency) IN (SELECT * FROM unnest($1::text[], $2::text[])) \
    ORDER BY owner, currency, shard FOR UPDATE";
const HOLDS: &str =
    "SELECT id, holder, escrow, currency, cents_left FROM holds WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const COMMANDS: &str = "SELECT actor, id, table_id, body, answer FROM commands \
    WHERE (actor, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))";
/// Read after [`COMMANDS`], because commands move from there into blocks.
const SEALED_COMMANDS: &str = "SELECT key FROM block_commands WHERE key = ANY($1)";
const TIPS: &str = "SELECT asked.id, last.seq, last.hash FROM unnest($1::text[]) AS asked (id) \
    CROSS JOIN LATERAL (SELECT seq, hash FROM events WHERE table_id = asked.id ORDER BY seq DESC LIMIT 1) AS last";

/// Reads the last transfer of accounts that is not archived, after [`ACCOUNTS`] has locked them.
const LAST_TRANSFERS: &str = "SELECT asked.owner, asked.currency, greatest( \
    (SELECT max(place) FROM journal WHERE debit = asked.owner AND currency = asked.currency), \
    (SELECT max(place) FROM journal WHERE credit = asked.owner AND currency = asked.currency), \
    (SELECT max(a.last_place) FROM block_accounts a JOIN blocks ON blocks.id = a.block \
    WHERE a.owner = asked.owner AND a.currency = asked.currency AND blocks.archive IS NULL), 0) \
    FROM unnest($1::text[], $2::text[]) AS asked (owner, currency)";

/// Begins a transaction and reads the rows that a group needs.
///
/// All queries are pipelined and answered in this order. The tips are read last: if a tip is as expected, no other
/// process has appended to the table since the other rows were read. So a command that looks new or refused was not
/// executed by another process meanwhile.
async fn read(client: &Client, group: &[Batch]) -> Result<GroupState, StoreError> {
    let (mut accounts, mut holds, mut transfers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for batch in group {
        let needs = batch.needs();
        accounts.extend(needs.accounts);
        holds.extend(needs.holds);
        transfers.extend(needs.transfers);
    }
    let owners: Vec<String> = accounts.iter().map(|account| account.owner.to_string()).collect();
    let currencies: Vec<&str> = accounts.iter().map(|account| account.currency.as_str()).collect();
    let holds: Vec<&str> = holds.iter().map(TransferId::as_str).collect();
    let transfers: Vec<&str> = transfers.iter().map(TransferId::as_str).collect();
    let actors: Vec<String> = group.iter().map(|batch| encode_actor(&batch.by)).collect();
    let ids: Vec<&str> = group.iter().map(|batch| batch.id.as_str()).collect();
    let tables: BTreeSet<&str> = group.iter().filter_map(Batch::table_id).map(TableId::as_str).collect();
    let tables: Vec<&str> = tables.into_iter().collect();
    let keys: Vec<i64> = group.iter().map(|batch| command_key(&batch.by, &batch.id)).collect();

    let followed: BTreeSet<&Account> =
        group.iter().filter_map(|batch| batch.follows.as_ref().map(|(account, _)| account)).collect();
    let followed_owners: Vec<String> = followed.iter().map(|account| account.owner.to_string()).collect();
    let followed_currencies: Vec<&str> = followed.iter().map(|account| account.currency.as_str()).collect();

    let transfers_by_id = format!("{JOURNAL} WHERE id = ANY($1)");
    let account_values: [&(dyn ToSql + Sync); 2] = [&owners, &currencies];
    let hold_values: [&(dyn ToSql + Sync); 1] = [&holds];
    let transfer_values: [&(dyn ToSql + Sync); 1] = [&transfers];
    let command_values: [&(dyn ToSql + Sync); 2] = [&actors, &ids];
    let key_values: [&(dyn ToSql + Sync); 1] = [&keys];
    let tip_values: [&(dyn ToSql + Sync); 1] = [&tables];
    let last_values: [&(dyn ToSql + Sync); 2] = [&followed_owners, &followed_currencies];
    // Prepared first, so that nothing waits once the first query is sent.
    let statements = (
        client.prepare_cached(ACCOUNTS).await?,
        client.prepare_cached(HOLDS).await?,
        client.prepare_cached(&transfers_by_id).await?,
        client.prepare_cached(COMMANDS).await?,
        client.prepare_cached(TIPS).await?,
        client.prepare_cached(house::TIP).await?,
        client.prepare_cached(LAST_TRANSFERS).await?,
        client.prepare_cached(SEALED_COMMANDS).await?,
    );
    let query_if = async |is_needed: bool, statement, values| {
        if is_needed { client.query(statement, values).await } else { Ok(Vec::new()) }
    };
    // The house log is locked before any account.
    let is_outside = group.iter().any(|batch| batch.table.is_none());
    let begin = if is_outside { format!("BEGIN; {}", house::LOCK) } else { "BEGIN".to_owned() };
    let ((), account_rows, last_rows, hold_rows, transfer_rows, command_rows, key_rows, tip_rows, house_rows) =
        tokio::try_join!(
            biased;
            client.batch_execute(&begin),
            query_if(!owners.is_empty(), &statements.0, &account_values),
            query_if(!followed.is_empty(), &statements.6, &last_values),
            query_if(!holds.is_empty(), &statements.1, &hold_values),
            query_if(!transfers.is_empty(), &statements.2, &transfer_values),
            query_if(true, &statements.3, &command_values),
            query_if(true, &statements.7, &key_values),
            query_if(!tables.is_empty(), &statements.4, &tip_values),
            query_if(is_outside, &statements.5, &[]),
        )?;

    let mut balances: BTreeMap<Account, i64> = BTreeMap::new();
    for row in account_rows {
        let account = decode_account(row.try_get(0)?, row.try_get(1)?)?;
        *balances.entry(account).or_default() += row.try_get::<_, i64>(2)?;
    }
    let mut last_transfers = BTreeMap::new();
    for row in &last_rows {
        let account = decode_account(row.try_get(0)?, row.try_get(1)?)?;
        last_transfers.insert(account, unsigned(row.try_get(2)?)?);
    }
    let mut holds: BTreeMap<TransferId, Hold> = BTreeMap::new();
    for row in &hold_rows {
        let HoldRow { id, hold } = read::to_hold(row)?;
        holds.insert(id, hold);
    }
    let mut transfers: BTreeMap<TransferId, Transfer> = BTreeMap::new();
    for row in &transfer_rows {
        let transfer = read::to_transfer(row)?;
        transfers.insert(transfer.id.clone(), transfer);
    }
    let mut commands = BTreeMap::new();
    for row in &command_rows {
        let id = parse("a command", row.try_get(1)?)?;
        commands.insert((row.try_get(0)?, id), read::to_stored_command(row, 2)?);
    }
    // A key of a new command is in the index only if the command is repeated, or by chance.
    for batch in group.iter().filter(|_| !key_rows.is_empty()) {
        if let Some(stored) = blocks::command(client, &batch.by, &batch.id).await? {
            commands.insert((encode_actor(&batch.by), batch.id.clone()), stored);
        }
    }
    let mut tips = BTreeMap::new();
    for row in &tip_rows {
        let table = parse("a table", row.try_get(0)?)?;
        tips.insert(table, Tip { seq: unsigned(row.try_get(1)?)?, hash: decode_hash(row.try_get(2)?)? });
    }
    let house = house_rows.first().map_or(Ok(HOUSE_START), to_tip)?;
    let ledger = Ledger::from_parts(balances, holds, transfers);
    Ok(GroupState { ledger, commands, tips, house, last_transfers })
}
