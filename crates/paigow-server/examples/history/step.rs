//! Steps of a round, and the settlement they lead to with a given secret.

use crate::Failure;
use paigow_table::{
    Account, Actor, Command, DecisionContext, Funds, LineRecord, PlayerId, Table, TableEvent, Time, Viewer,
};

/// A step of a round.
#[derive(Clone)]
pub(crate) enum Step {
    /// A player sends a command.
    Player(&'static str, Command),
    /// A player fouls: the low hand is higher than the high hand.
    Foul(&'static str),
    /// A player sets the hand without the house way.
    Set(&'static str),
    /// An operator sends a command.
    Operator(Command),
    /// Time passes until the next deadline, and the clock fires it.
    Clock,
}

/// Time between two commands.
const PAUSE_MS: u64 = 100;

impl Step {
    /// Returns the actor, command and time of this step in the table's current state.
    pub(crate) fn resolve(&self, table: &Table, now: Time) -> Result<(Actor, Command, Time), Failure> {
        let later = now.plus(PAUSE_MS);
        let player = |who: &str| -> Result<Actor, Failure> { Ok(Actor::Player(who.parse()?)) };
        Ok(match self {
            Step::Player(who, command) => (player(who)?, command.clone(), later),
            Step::Foul(who) => (player(who)?, setting(table, who, later, true)?, later),
            Step::Set(who) => (player(who)?, setting(table, who, later, false)?, later),
            Step::Operator(command) => (Actor::Operator("olga".parse()?), command.clone(), later),
            Step::Clock => {
                let due = table.due().ok_or_else(|| format!("no deadline is due at {}", table.id()))?;
                (Actor::Clock, Command::Tick, due.max(now))
            }
        })
    }
}

/// Returns a command that sets the first two cards, in the hand's order, that foul or do not foul, as `foul` requires.
fn setting(table: &Table, who: &str, now: Time, foul: bool) -> Result<Command, Failure> {
    let player: PlayerId = who.parse()?;
    let viewer = Viewer::Player(player.clone());
    let hand = |table: &Table| table.view(&viewer).seats.into_iter().find(|seat| seat.player == player)?.hand;
    let cards = hand(table).and_then(|hand| hand.cards).ok_or_else(|| format!("{who} has no hand"))?;
    let cards: Vec<&str> = cards.split(' ').collect();
    for (index, first) in cards.iter().enumerate() {
        for second in &cards[index + 1..] {
            let set = Command::Set { low: format!("{first} {second}") };
            let mut copy = table.clone();
            apply(&mut copy, &Actor::Player(player.clone()), &set, now, [0; 32])?;
            if hand(&copy).and_then(|hand| hand.foul) == Some(foul) {
                return Ok(set);
            }
        }
    }
    Err(format!("{who} cannot set {cards:?} so that foul is {foul}").into())
}

/// Funds with zero balances: a rehearsed round does not use the ledger.
struct NoFunds;

impl Funds for NoFunds {
    fn cents(&self, _: &Account) -> i64 {
        0
    }

    fn round_transfers(&self, _: &paigow_table::TableId, _: u64) -> Vec<paigow_table::Transfer> {
        Vec::new()
    }
}

fn apply(
    table: &mut Table,
    by: &Actor,
    command: &Command,
    now: Time,
    entropy: [u8; 32],
) -> Result<Vec<TableEvent>, Failure> {
    let events = table.decide(by, command, &DecisionContext { now, entropy, funds: &NoFunds })?.events;
    for event in &events {
        table.apply(event)?;
    }
    Ok(events)
}

/// Returns the settlement of these steps with a secret, or `None` if a hand cannot be set as a step requires.
pub(crate) fn rehearse(
    table: &Table,
    steps: &[Step],
    mut now: Time,
    secret: [u8; 32],
) -> Result<Option<Vec<LineRecord>>, Failure> {
    let (mut table, mut lines) = (table.clone(), None);
    for step in steps {
        let resolved = match step.resolve(&table, now) {
            Err(_) if matches!(step, Step::Foul(_) | Step::Set(_)) => return Ok(None),
            resolved => resolved?,
        };
        let (by, command, at) = resolved;
        for event in apply(&mut table, &by, &command, at, secret)? {
            if let TableEvent::Settled { settlement, .. } = event {
                lines = Some(settlement);
            }
        }
        now = at;
    }
    Ok(lines)
}
