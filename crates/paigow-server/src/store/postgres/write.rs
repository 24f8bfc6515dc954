//! A group of batches, taken in one transaction. All reads are sent together, and so are all writes, each kind of row in one statement:
//! two journeys to the database, whatever the number of batches and their size.

use super::super::house::{HOUSE_START, HouseLogEntry, HouseRecord, HouseTip, SharedSigner, entries_after};
use super::super::plan::Writes;
use super::super::words::{of_actor, parse, to_account, to_hash, unsigned};
use super::super::{AppendOutcome, Batch, HoldRow, StoreError, StoredCommand, Tip};
use super::house::{self, to_tip};
use super::read::{self, JOURNAL};
use super::rows::write;
use deadpool_postgres::Client;
use paigow_table::{Account, CommandId, Hold, Ledger, TableId, Transfer, TransferId};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::types::ToSql;

/// Takes a group: what came of each. Where it fails, nothing of it is kept.
pub(super) async fn take(
    client: &Client,
    signer: &SharedSigner,
    group: &[Batch],
) -> Result<Vec<AppendOutcome>, StoreError> {
    let taken = take_open(client, signer, group).await;
    if taken.is_err() {
        // Where this fails as well the connection is lost, and the transaction with it.
        let _ = client.batch_execute("ROLLBACK").await;
    }
    taken
}

async fn take_open(
    client: &Client,
    signer: &SharedSigner,
    group: &[Batch],
) -> Result<Vec<AppendOutcome>, StoreError> {
    let mut known = read(client, group).await?;
    // Processes that want the same tables write them in the same order, so that none waits for another that waits for it.
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by_key(|place| group[*place].table_id());
    let mut outcomes: Vec<AppendOutcome> = vec![AppendOutcome::Behind; group.len()];
    let mut planned: Vec<(&Batch, Writes<'_>)> = Vec::with_capacity(group.len());
    for place in order {
        let batch = &group[place];
        outcomes[place] = match known.plan(batch) {
            Ok(writes) => {
                let outcome = writes.outcome();
                planned.push((batch, writes));
                outcome
            }
            Err(outcome) => outcome,
        };
    }
    write(client, &planned, &logged(known.house, &planned, signer)).await?;
    Ok(outcomes)
}

/// What the house log says of batches at no table.
fn logged(tip: HouseTip, planned: &[(&Batch, Writes<'_>)], signer: &SharedSigner) -> Vec<HouseLogEntry> {
    let outside = planned.iter().filter(|(batch, _)| batch.table.is_none());
    let records: Vec<_> =
        outside.map(|(batch, writes)| (batch.at, HouseRecord::of_batch(batch, writes.digest))).collect();
    entries_after(tip, records.iter().map(|(at, record)| (*at, record)), signer)
}

/// What a group needs to know: as it was read, then as it is with what was planned so far.
struct GroupState {
    ledger: Ledger,
    kept: BTreeMap<(String, CommandId), StoredCommand>,
    /// The last event of each table.
    tips: BTreeMap<TableId, Tip>,
    /// The last entry of the house log, where a batch is at no table.
    house: HouseTip,
}

impl GroupState {
    /// What a batch writes, or what else comes of it.
    fn plan<'a>(&mut self, batch: &'a Batch) -> Result<Writes<'a>, AppendOutcome> {
        let name = (of_actor(&batch.by), batch.id.clone());
        let kept = self.kept.get(&name).cloned();
        let tip = batch.table_id().and_then(|table| self.tips.get(table)).copied().unwrap_or(Tip::START);
        let writes = batch.take(kept, tip, &mut self.ledger)?;
        if let (Some(table), Some(tip)) = (batch.table_id(), writes.tip()) {
            self.tips.insert(table.clone(), tip);
        }
        let (table, body, answer) = (batch.table_id().cloned(), batch.body.clone(), batch.answer.clone());
        self.kept.insert(name, StoredCommand { table, body, answer });
        Ok(writes)
    }
}

/// Locks accounts and holds, each in one order. What is waited for here is waited for by all in the same order.
const ACCOUNTS: &str = "SELECT owner, currency, cents FROM accounts \
    WHERE (owner, currency) IN (SELECT * FROM unnest($1::text[], $2::text[])) \
    ORDER BY owner, currency, shard FOR UPDATE";
const HOLDS: &str =
    "SELECT id, holder, escrow, currency, cents_left FROM holds WHERE id = ANY($1) ORDER BY id FOR UPDATE";
const KEPT: &str = "SELECT actor, id, table_id, body, answer FROM commands \
    WHERE (actor, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))";
const TIPS: &str = "SELECT asked.id, last.seq, last.hash FROM unnest($1::text[]) AS asked (id) \
    CROSS JOIN LATERAL (SELECT seq, hash FROM events WHERE table_id = asked.id ORDER BY seq DESC LIMIT 1) AS last";

/// Begins a transaction, and reads what a group needs to know.
///
/// All is asked at once and answered in this order. The places come last: where one is as expected, nobody has appended to the table
/// since the rest was read, so that what looks new, or refused, was not done by somebody else a moment ago.
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
    let actors: Vec<String> = group.iter().map(|batch| of_actor(&batch.by)).collect();
    let ids: Vec<&str> = group.iter().map(|batch| batch.id.as_str()).collect();
    let tables: BTreeSet<&str> = group.iter().filter_map(Batch::table_id).map(TableId::as_str).collect();
    let tables: Vec<&str> = tables.into_iter().collect();

    let of_transfers = format!("{JOURNAL} WHERE id = ANY($1)");
    let account_values: [&(dyn ToSql + Sync); 2] = [&owners, &currencies];
    let hold_values: [&(dyn ToSql + Sync); 1] = [&holds];
    let transfer_values: [&(dyn ToSql + Sync); 1] = [&transfers];
    let kept_values: [&(dyn ToSql + Sync); 2] = [&actors, &ids];
    let tip_values: [&(dyn ToSql + Sync); 1] = [&tables];
    // Prepared before, so that nothing is waited for once the first has been sent.
    let statements = (
        client.prepare_cached(ACCOUNTS).await?,
        client.prepare_cached(HOLDS).await?,
        client.prepare_cached(&of_transfers).await?,
        client.prepare_cached(KEPT).await?,
        client.prepare_cached(TIPS).await?,
        client.prepare_cached(house::TIP).await?,
    );
    let ask = async |asked: bool, statement, values| {
        if asked { client.query(statement, values).await } else { Ok(Vec::new()) }
    };
    // The house log is locked before any account.
    let outside = group.iter().any(|batch| batch.table.is_none());
    let begin = if outside { format!("BEGIN; {}", house::LOCK) } else { "BEGIN".to_owned() };
    let ((), account_rows, hold_rows, transfer_rows, kept_rows, tip_rows, house_rows) = tokio::try_join!(
        biased;
        client.batch_execute(&begin),
        ask(!owners.is_empty(), &statements.0, &account_values),
        ask(!holds.is_empty(), &statements.1, &hold_values),
        ask(!transfers.is_empty(), &statements.2, &transfer_values),
        ask(true, &statements.3, &kept_values),
        ask(!tables.is_empty(), &statements.4, &tip_values),
        ask(outside, &statements.5, &[]),
    )?;

    let mut balances: BTreeMap<Account, i64> = BTreeMap::new();
    for row in account_rows {
        let account = to_account(row.try_get(0)?, row.try_get(1)?)?;
        *balances.entry(account).or_default() += row.try_get::<_, i64>(2)?;
    }
    let mut holds: BTreeMap<TransferId, Hold> = BTreeMap::new();
    for row in &hold_rows {
        let HoldRow { id, hold } = read::to_hold(row)?;
        holds.insert(id, hold);
    }
    let mut taken: BTreeMap<TransferId, Transfer> = BTreeMap::new();
    for row in &transfer_rows {
        let transfer = read::to_transfer(row)?;
        taken.insert(transfer.id.clone(), transfer);
    }
    let mut kept = BTreeMap::new();
    for row in &kept_rows {
        let id = parse("a command", row.try_get(1)?)?;
        kept.insert((row.try_get(0)?, id), read::to_kept(row, 2)?);
    }
    let mut tips = BTreeMap::new();
    for row in &tip_rows {
        let table = parse("a table", row.try_get(0)?)?;
        tips.insert(table, Tip { seq: unsigned(row.try_get(1)?)?, hash: to_hash(row.try_get(2)?)? });
    }
    let house = house_rows.first().map_or(Ok(HOUSE_START), to_tip)?;
    Ok(GroupState { ledger: Ledger::with(balances, holds, taken), kept, tips, house })
}
