//! The fee for playing time: paid in advance with the first wager of each interval, and held with the stake.

use crate::play::{Play, account, operator, player, wager};
use paigow_table::{Actor, Command, LineRecord, Owner, ReasonCode, TableEvent, TablePhase, VoidReason};

const HALF_HOUR: &[(&str, &str)] = &[("collection.time_minutes", "30"), ("collection.time_fee", "5.00")];

fn table() -> Play {
    let mut play = Play::open_with("california", HALF_HOUR, 0);
    for (seat, name) in (1..).zip(["ann", "bob"]) {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play
}

/// Plays a round with ann or bob as player/dealer. Returns the time fees taken.
fn round(play: &mut Play) -> Vec<(String, i64)> {
    let TablePhase::Offering { seat, .. } = play.table.phase() else { panic!("no offer") };
    let offered = play.table.players().find(|(other, _)| *other == seat).unwrap().1.to_string();
    play.run(&player(&offered), Command::TakeBank { cents: 20_000 });
    let other = if offered == "ann" { "bob" } else { "ann" };
    play.run(&player(other), wager(10_000));
    while !matches!(play.table.phase(), TablePhase::Between { .. }) {
        play.clock();
    }
    let settled = play.log.iter().rev().find_map(|event| match event {
        TableEvent::Settled { settlement, .. } => Some(settlement.clone()),
        _ => None,
    });
    let is_time = |line: &LineRecord| line.reason == Some(ReasonCode::TimeFee);
    let lines = settled.unwrap();
    let count = lines.iter().filter(|line| is_time(line)).count();
    assert!(lines[..count].iter().all(is_time), "fees come first");
    lines.into_iter().filter(is_time).map(|line| (line.who, line.net_cents)).collect()
}

fn collected(play: &Play) -> i64 {
    play.ledger.balance(&account(Owner::Collection))
}

#[test]
fn players_and_banker_pay_once_an_interval() {
    let mut play = table();
    let mut first = round(&mut play);
    first.sort();
    assert_eq!(first, [("banker".to_owned(), -500), ("seat-2".to_owned(), -500)]);
    assert_eq!(collected(&play), 1_000);
    play.clock();
    assert_eq!(round(&mut play), [], "the half hour has not passed");
    assert_eq!(collected(&play), 1_000);
    play.now.0 += 31 * 60_000;
    play.run(&Actor::Clock, Command::Tick);
    assert_eq!(round(&mut play).len(), 2);
    assert_eq!(collected(&play), 2_000);
}

#[test]
fn voided_round_returns_time_fee() {
    let mut play = table();
    round(&mut play);
    play.run(&operator(), Command::Void { reason: VoidReason::WrongCount });
    assert_eq!(collected(&play), 0);
    play.clock();
    assert_eq!(round(&mut play).len(), 2, "the time fee is owed again");
}

#[test]
fn wager_without_funds_for_fee_is_refused() {
    let mut play = Play::open_with("california", HALF_HOUR, 0);
    for (seat, (name, cents)) in (1..).zip([("ann", 100_000), ("bob", 10_499)]) {
        play.issue(name, cents);
        play.run(&player(name), Command::Sit { seat });
    }
    play.run(&player("ann"), Command::TakeBank { cents: 20_000 });
    assert!(play.try_run(&player("bob"), &wager(10_000)).is_err(), "$100 and $5 are more than $104.99");
    assert!(play.try_run(&player("bob"), &wager(9_999)).is_ok());
}
