//! A host that plays the history, and constructors of its steps.

use crate::Failure;
use crate::environment::{FixedEnvironment, secret};
use crate::step::{Step, rehearse};
use paigow::rulebook::BuiltIn;
use paigow_server::{Environment, Host, RulesCache, Store};
use paigow_table::{
    Account, Actor, Clocks, ColorName, Command, CommandId, Config, LineRecord, MasterKeys, Owner, Purpose,
    Stake, TableId, Time,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Currencies of the tables.
pub(crate) const PRACTICE: &str = "PRACTICE";
pub(crate) const CLUB: &str = "CLUB";

/// Maximum number of secrets tried for a round.
const SECRETS_MAX: u32 = 200_000;

/// Returns the master key of the history, which protects nothing.
pub(crate) fn keys() -> Arc<MasterKeys> {
    let keys = MasterKeys::new(&[[7; 32]]);
    Arc::new(keys.unwrap_or_else(|| unreachable!("the list has one key")))
}

/// A host with fixed times and secrets.
pub(crate) struct HistoryHost<S> {
    pub(crate) host: Host<S, FixedEnvironment>,
    commands: AtomicU64,
}

impl<S: Store> HistoryHost<S> {
    pub(crate) fn new(store: S) -> HistoryHost<S> {
        let host = Host::new(store, FixedEnvironment::new(), RulesCache::new(BuiltIn), keys());
        HistoryHost { host, commands: AtomicU64::new(0) }
    }

    pub(crate) fn now(&self) -> Time {
        self.host.environment().now()
    }

    fn command_id(&self) -> Result<CommandId, Failure> {
        let commands = self.commands.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(format!("c{commands}").parse()?)
    }

    /// Issues chips to a player, or redeems them.
    pub(crate) async fn chips(
        &self,
        who: &str,
        currency: &str,
        cents: u64,
        purpose: Purpose,
    ) -> Result<(), Failure> {
        let account =
            |owner| -> Result<Account, Failure> { Ok(Account { owner, currency: currency.parse()? }) };
        let (player_account, issue) = (account(Owner::Player(who.parse()?))?, account(Owner::Issue)?);
        let accounts =
            if purpose == Purpose::Redeem { (player_account, issue) } else { (issue, player_account) };
        let by = Actor::Operator("olga".parse()?);
        self.host.transfer(&by, &self.command_id()?, accounts, cents, purpose).await?;
        Ok(())
    }

    pub(crate) async fn open(&self, config: Config) -> Result<(), Failure> {
        self.host.open(&Actor::Operator("olga".parse()?), &self.command_id()?, config).await?;
        Ok(())
    }

    /// Executes steps that open no round, or one whose cards do not matter.
    pub(crate) async fn steps(&self, table: &str, steps: &[Step]) -> Result<(), Failure> {
        let id: TableId = table.parse()?;
        let round = self.host.table(&id).await?.0.round_number() + 1;
        self.steps_with(&id, steps, secret(&id, round, 0)).await
    }

    /// Plays a round with the first secret whose settlement satisfies `is_wanted`. The first step opens the round.
    pub(crate) async fn round(
        &self,
        table: &str,
        steps: &[Step],
        is_wanted: impl Fn(&[LineRecord]) -> bool,
    ) -> Result<(), Failure> {
        let id: TableId = table.parse()?;
        let (now, (before, _)) = (self.now(), self.host.table(&id).await?);
        let round = before.round_number() + 1;
        for number in 0..SECRETS_MAX {
            let secret = secret(&id, round, number);
            if rehearse(&before, steps, now, secret)?.is_some_and(|lines| is_wanted(&lines)) {
                return self.steps_with(&id, steps, secret).await;
            }
        }
        Err(format!("no secret gives round {round} of {table} the required outcomes").into())
    }

    async fn steps_with(&self, id: &TableId, steps: &[Step], secret: [u8; 32]) -> Result<(), Failure> {
        for step in steps {
            let (table, _) = self.host.table(id).await?;
            let (by, command, at) = step.resolve(&table, self.now())?;
            self.host.environment().set(at, secret);
            if by == Actor::Clock {
                let fired = self.host.tick(id).await?;
                fired.ok_or_else(|| format!("no deadline was due at {id}"))?;
            } else {
                let result = self.host.command(id, &by, &self.command_id()?, &command).await;
                result.map_err(|error| format!("{id}: {by} {command:?}: {error}"))?;
            }
        }
        Ok(())
    }
}

/// Returns the configuration of a table of a book without overrides.
pub(crate) fn config(table: &str, book: &str) -> Result<Config, Failure> {
    Ok(Config {
        table: table.parse()?,
        book: book.to_owned(),
        paytables: BTreeMap::new(),
        changes: BTreeMap::new(),
        currency: PRACTICE.parse()?,
        clocks: Clocks::default(),
        dealer_wager_cents: 0,
        bots: 0,
        name: None,
        private: false,
        house_way_toml: None,
    })
}

/// Returns a map from pairs of keys and texts.
pub(crate) fn texts(texts: &[(&str, &str)]) -> BTreeMap<String, String> {
    texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

pub(crate) fn player_command(who: &'static str, command: Command) -> Step {
    Step::Player(who, command)
}

/// Seats players at the first seats.
pub(crate) fn sit(players: &[&'static str]) -> Vec<Step> {
    (1..).zip(players).map(|(seat, who)| player_command(who, Command::Sit { seat })).collect()
}

/// Places all wagers of a player in one command, and declares ready.
pub(crate) fn wagers(who: &'static str, stakes: &[(&str, u64)]) -> Step {
    let stake = |(wager, cents): &(&str, u64)| {
        let (wager, color) = match wager.rsplit_once(' ') {
            Some((wager, "red")) => (wager, Some(ColorName::Red)),
            Some((wager, "black")) => (wager, Some(ColorName::Black)),
            _ => (*wager, None),
        };
        Stake { wager: wager.to_owned(), cents: *cents, color }
    };
    player_command(
        who,
        Command::Wagers { wagers: stakes.iter().map(stake).collect(), ready: true, commitment: None },
    )
}

/// Places one wager of a player.
pub(crate) fn wager(who: &'static str, wager: &str, cents: u64) -> Step {
    player_command(who, Command::Wager { wager: wager.to_owned(), cents, color: None })
}

/// Whether any line has this wager and outcome.
pub(crate) fn has(lines: &[LineRecord], wager: &str, outcome: &str) -> bool {
    lines.iter().any(|line| line.wager == wager && line.outcome == outcome)
}
