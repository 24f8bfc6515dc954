//! Enforcement of the limits that players set for themselves. The journal is the record of losses and of time played.

mod recent_transfers;

use super::App;
use crate::host::StakeMax;
use crate::people::{ChosenLimits, DAY_MS, LossLimit, People, PlayerLimits, Versioned, load};
use crate::{ApiProblem, JournalRow, Store, StoreError};
use axum::http::StatusCode;
use paigow::Amount;
use paigow_table::{
    Account, Command, Currency, Owner, PlayerId, Purpose, TableId, Time, TransferId, TransferKind,
};
use recent_transfers::{RecentTransfers, TransferCache};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use tokio::sync::MutexGuard;

/// Number of locks that players share.
const LOCKS: usize = 64;
/// Number of ended rounds whose end is kept in memory.
const ENDS_MAX: usize = 20_000;
const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;

/// Locks and cached values for the enforcement of limits.
pub(crate) struct LimitState {
    /// Held from the check of a limit to the commit of the wager, so that two wagers in this process do not both use what
    /// is left. For wagers in several processes the store checks that the account has no later transfers.
    locks: Vec<tokio::sync::Mutex<()>>,
    hasher: RandomState,
    /// Time of the last transfer of rounds that have ended.
    ends: Mutex<HashMap<(TableId, u64), Time>>,
    transfers: TransferCache,
}

impl Default for LimitState {
    fn default() -> LimitState {
        let locks = (0..LOCKS).map(|_| tokio::sync::Mutex::default()).collect();
        LimitState {
            locks,
            hasher: RandomState::new(),
            ends: Mutex::default(),
            transfers: TransferCache::default(),
        }
    }
}

/// What a player may add to the stakes now, and the refusal of more.
pub(super) struct StakeLimit<'a> {
    pub(super) max: StakeMax,
    pub(super) problem: ApiProblem,
    _lock: MutexGuard<'a, ()>,
}

/// Losses and minutes that count against limits.
pub(crate) struct LimitUse {
    pub(crate) loss_cents: BTreeMap<Currency, u64>,
    pub(crate) minutes: u64,
}

/// Transfers of a player in one round.
#[derive(Default)]
struct RoundUse {
    debit_cents: u64,
    credit_cents: u64,
    first_hold: Option<Time>,
    last: Time,
    /// Held cents that have not returned, by hold.
    holds: BTreeMap<TransferId, u64>,
}

impl App {
    /// Drops the cached values of limits, which an earlier state of the store contradicts.
    pub(crate) fn clear_limit_cache(&self) {
        self.limits.ends.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.limits.transfers.clear();
    }

    /// Returns the limits that a player has set.
    pub(crate) async fn limits_of(&self, player: &PlayerId) -> Result<PlayerLimits, StoreError> {
        let limits: Option<Versioned<PlayerLimits>> = load(self.store(), player.as_str()).await?;
        Ok(limits.map(|limits| limits.value).unwrap_or_default())
    }

    /// Returns what a player may put at stake at a table, or `None` without limits.
    pub(super) async fn stake_limit(
        &self,
        player: &PlayerId,
        table: &TableId,
    ) -> Result<Option<StakeLimit<'_>>, ApiProblem> {
        let now = self.now();
        if self.limits_of(player).await?.at(now).0 == ChosenLimits::default() {
            return Ok(None);
        }
        let index = self.limits.hasher.hash_one(player) as usize % LOCKS;
        let lock = self.limits.locks[index].lock().await;
        // Another process may have tightened the limits meanwhile.
        let (limits, _) = self.limits_of(player).await?.at(now);
        if let Some(minutes) = limits.minutes {
            let played = self.played(player, now).await?;
            if played.ms >= u64::from(minutes) * MINUTE_MS {
                return Ok(Some(StakeLimit {
                    max: StakeMax { cents: 0, follows: None },
                    problem: time_problem(minutes, &played, now),
                    _lock: lock,
                }));
            }
        }
        let Some(loss) = limits.loss else { return Ok(None) };
        let currency = self.tables.table(table).await.map_err(ApiProblem::from)?.0.config().currency.clone();
        let account = Account { owner: Owner::Player(player.clone()), currency };
        let (rounds, last_transfer) = self.rounds_since(&account, loss.start(now)).await?;
        let lost = lost_cents(&rounds);
        let cents = loss.cents.saturating_sub(lost);
        let problem = loss_problem(loss, lost, cents, &rounds, now);
        let max = StakeMax { cents, follows: Some((account, last_transfer)) };
        Ok(Some(StakeLimit { max, problem, _lock: lock }))
    }

    /// Returns the losses within the days of the loss limit, or within one day without, and the minutes within a day.
    pub(crate) async fn limit_use(
        &self,
        player: &PlayerId,
        limits: &ChosenLimits,
    ) -> Result<LimitUse, StoreError> {
        let now = self.now();
        let start = limits.loss.unwrap_or(LossLimit { cents: 0, days: 1 }).start(now);
        let mut loss_cents = BTreeMap::new();
        for account in self.accounts_of(player).await? {
            let lost = lost_cents(&self.rounds_since(&account, start).await?.0);
            loss_cents.insert(account.currency, lost);
        }
        Ok(LimitUse { loss_cents, minutes: self.played(player, now).await?.ms / MINUTE_MS })
    }

    async fn accounts_of(&self, player: &PlayerId) -> Result<Vec<Account>, StoreError> {
        let owner = Owner::Player(player.clone());
        let balances = self.store().balances_of(&owner).await?;
        Ok(balances.into_keys().map(|currency| Account { owner: owner.clone(), currency }).collect())
    }

    /// Returns the rounds of an account with a hold at or after a time, and the account's last transfer, or 0.
    async fn rounds_since(
        &self,
        account: &Account,
        start: Time,
    ) -> Result<(BTreeMap<(TableId, u64), RoundUse>, u64), StoreError> {
        let mut last_transfer = 0;
        let mut rounds: BTreeMap<(TableId, u64), RoundUse> = BTreeMap::new();
        // Requests at the same time may have read the clock a little earlier.
        let oldest = start.min(self.now().minus(LossLimit::DAYS_MAX * DAY_MS)).minus(HOUR_MS);
        let count = |recent: &RecentTransfers| {
            last_transfer = recent.last();
            for row in recent.since(start) {
                let Some(table) = row.table.clone() else { continue };
                rounds.entry((table, row.round)).or_default().add(row, account);
            }
        };
        self.limits.transfers.read(self.store(), account, (start, oldest), count).await?;
        // What an earlier wager paid is no gain within the time.
        rounds.retain(|_, round| round.first_hold.is_some());
        Ok((rounds, last_transfer))
    }

    /// Returns the time within the last day in which the player had money at stake in a round.
    async fn played(&self, player: &PlayerId, now: Time) -> Result<PlayTime, StoreError> {
        let start = now.minus(DAY_MS);
        let mut intervals = Vec::new();
        for account in self.accounts_of(player).await? {
            for (key, round) in self.rounds_since(&account, start).await?.0 {
                let Some(first) = round.first_hold else { continue };
                let end = if round.holds.values().all(|left| *left == 0) {
                    round.last
                } else {
                    self.end_of_round(key, now).await?
                };
                intervals.push((first, end.max(first).min(now.max(first))));
            }
        }
        Ok(PlayTime::of(intervals))
    }

    /// Returns the time of the last transfer of a round, or now if the round has open holds.
    async fn end_of_round(&self, key: (TableId, u64), now: Time) -> Result<Time, StoreError> {
        let ends = || self.limits.ends.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(end) = ends().get(&key) {
            return Ok(*end);
        }
        let rows = self.store().round_journal(&key.0, key.1).await?;
        let mut left: BTreeMap<&TransferId, u64> = BTreeMap::new();
        for JournalRow { transfer, .. } in &rows {
            match &transfer.kind {
                TransferKind::Hold => *left.entry(&transfer.id).or_default() += transfer.cents,
                TransferKind::Post(hold) | TransferKind::Void(hold) => {
                    let held = left.entry(hold).or_default();
                    *held = held.saturating_sub(transfer.cents);
                }
                TransferKind::Plain => {}
            }
        }
        if left.values().any(|left| *left > 0) {
            return Ok(now);
        }
        let end = rows.iter().map(|row| row.at).max().unwrap_or(now);
        let mut ends = ends();
        if ends.len() >= ENDS_MAX {
            ends.clear();
        }
        ends.insert(key, end);
        Ok(end)
    }
}

impl RoundUse {
    /// Adds a transfer of an account. Transfers arrive the latest first.
    fn add(&mut self, row: &JournalRow, account: &Account) {
        let transfer = &row.transfer;
        if matches!(transfer.purpose, Purpose::Issue | Purpose::Redeem) {
            return;
        }
        self.last = self.last.max(row.at);
        if transfer.debit == *account {
            self.debit_cents = self.debit_cents.saturating_add(transfer.cents);
        } else {
            self.credit_cents = self.credit_cents.saturating_add(transfer.cents);
        }
        match &transfer.kind {
            TransferKind::Hold => {
                self.first_hold = Some(self.first_hold.map_or(row.at, |first| first.min(row.at)));
                let returned = self.holds.entry(transfer.id.clone()).or_default();
                *returned = transfer.cents.saturating_sub(*returned);
            }
            // The hold itself comes later in this order, and turns the sum into what is left.
            TransferKind::Void(hold) if transfer.credit == *account => {
                *self.holds.entry(hold.clone()).or_default() += transfer.cents;
            }
            _ => {}
        }
    }
}

/// Returns what a player has lost over rounds. Held money counts as lost until it returns.
fn lost_cents(rounds: &BTreeMap<(TableId, u64), RoundUse>) -> u64 {
    let sum = |cents: fn(&RoundUse) -> u64| rounds.values().map(cents).fold(0, u64::saturating_add);
    sum(|round| round.debit_cents).saturating_sub(sum(|round| round.credit_cents))
}

/// Time that a player has played.
struct PlayTime {
    ms: u64,
    /// Start of the earliest round.
    first: Option<Time>,
}

impl PlayTime {
    /// Returns the length of the union of intervals. Rounds at two tables at once count once.
    fn of(mut intervals: Vec<(Time, Time)>) -> PlayTime {
        intervals.sort_unstable();
        let first = intervals.first().map(|(from, _)| *from);
        let (mut ms, mut until) = (0, Time(0));
        for (from, to) in intervals {
            let from = from.max(until);
            ms += to.0.saturating_sub(from.0);
            until = until.max(to);
        }
        PlayTime { ms, first }
    }
}

fn time_problem(minutes: u32, played: &PlayTime, now: Time) -> ApiProblem {
    let wait = until_free(played.first, DAY_MS, now);
    let detail = format!(
        "you have played {} of the {minutes} minutes that you allow yourself within 24 hours; the earliest of them \
         counts for another {}",
        played.ms / MINUTE_MS,
        duration(wait),
    );
    limit_problem("time_limit", detail, wait)
}

fn loss_problem(
    limit: LossLimit,
    lost: u64,
    max: u64,
    rounds: &BTreeMap<(TableId, u64), RoundUse>,
    now: Time,
) -> ApiProblem {
    let first = rounds.values().filter_map(|round| round.first_hold).min();
    let days = u64::from(limit.days);
    let wait = until_free(first, days * DAY_MS, now);
    let frees = match first {
        Some(_) => format!("; the earliest round counts for another {}", duration(wait)),
        None => String::new(),
    };
    let detail = format!(
        "your loss limit is {} within {days} day{}: you have lost or wagered {}, so you may put {} more at stake{frees}",
        Amount::from_cents(limit.cents),
        if days == 1 { "" } else { "s" },
        Amount::from_cents(lost),
        Amount::from_cents(max),
    );
    limit_problem("loss_limit", detail, wait)
}

fn limit_problem(code: &str, detail: String, wait: u64) -> ApiProblem {
    ApiProblem {
        retry_seconds: (wait > 0).then_some(wait.div_ceil(1_000)),
        ..ApiProblem::new(StatusCode::CONFLICT, code, detail)
    }
}

/// Returns the milliseconds until a round no longer counts.
fn until_free(first: Option<Time>, window: u64, now: Time) -> u64 {
    first.map_or(0, |first| first.plus(window).0.saturating_sub(now.0))
}

/// Formats a duration in hours and minutes.
fn duration(ms: u64) -> String {
    let minutes = ms.div_ceil(MINUTE_MS);
    if minutes < 60 { format!("{minutes} min") } else { format!("{} h {} min", minutes / 60, minutes % 60) }
}

/// Whether a command of a player may put money at stake.
pub(super) fn may_stake(command: &Command) -> bool {
    match command {
        Command::At { command, .. } => may_stake(command),
        Command::Wager { .. } | Command::Wagers { .. } | Command::TakeBank { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_at_the_same_time_count_once() {
        let played = |intervals: &[(u64, u64)]| {
            PlayTime::of(intervals.iter().map(|(from, to)| (Time(*from), Time(*to))).collect()).ms
        };
        assert_eq!(played(&[]), 0);
        assert_eq!(played(&[(10, 20), (30, 45)]), 25);
        assert_eq!(played(&[(30, 45), (10, 20), (15, 35)]), 35);
        assert_eq!(played(&[(10, 100), (20, 30), (40, 50)]), 90);
        assert_eq!(played(&[(10, 20), (20, 30)]), 20);
    }

    #[test]
    fn commands_that_put_money_at_stake_are_recognized() {
        let at = |command| Command::At { seat: 2, command: Box::new(command) };
        let wager = || Command::Wager { wager: "pai-gow".to_owned(), cents: 500, color: None };
        for command in [wager(), at(wager()), at(at(Command::TakeBank { cents: 1 }))] {
            assert!(may_stake(&command), "{command:?}");
        }
        for command in [Command::Ready, at(Command::Stand), Command::Clear { wager: None }] {
            assert!(!may_stake(&command), "{command:?}");
        }
    }

    #[test]
    fn durations_are_rounded_up() {
        assert_eq!(duration(1), "1 min");
        assert_eq!(duration(59 * MINUTE_MS), "59 min");
        assert_eq!(duration(DAY_MS), "24 h 0 min");
        assert_eq!(duration(61 * MINUTE_MS + 1), "1 h 2 min");
    }
}
