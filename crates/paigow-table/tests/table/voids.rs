//! Voiding a settled round restores every balance from before the round, or is refused and changes nothing.

use crate::play::{Play, account, operator, player, player_account, side, wager};
use paigow_table::{
    Account, Command, Owner, PhaseName, Purpose, ReasonCode, TableEvent, TableRefusal, Transfer,
    TransferKind, Viewer, VoidReason,
};
use std::collections::BTreeMap;

const NAMES: [&str; 3] = ["ann", "bob", "cat"];

fn void(reason: VoidReason) -> Command {
    Command::Void { reason }
}

fn table(book: &str, changes: &[(&str, &str)], dealer_wager_cents: u64, entropy: u8, cents: u64) -> Play {
    let mut play = Play::open_with(book, changes, dealer_wager_cents);
    play.entropy = entropy;
    for (seat, name) in (1..).zip(NAMES) {
        play.issue(name, cents);
        play.run(&player(name), Command::Sit { seat });
    }
    play
}

/// Plays the open round until its settlement. The first seat that may bank puts up `bank`, and the others wager `base`.
fn settle(play: &mut Play, bank: u64, base: u64) {
    let view = play.table.view(&Viewer::Watcher);
    let banker = match view.phase {
        PhaseName::Offering => view.offered.unwrap(),
        _ => 1,
    };
    if view.facts.banking.seats {
        play.run(&player(NAMES[usize::from(banker) - 1]), Command::TakeBank { cents: bank });
    }
    for (seat, name) in (1..).zip(NAMES) {
        if !view.facts.banking.seats || seat != banker {
            play.run(&player(name), wager(base));
            for offered in view.facts.wagers.iter().skip(1).filter(|wager| !wager.color) {
                play.run(&player(name), side(&offered.wager, 500));
            }
        }
    }
    play.clock();
    assert!(matches!(play.log.last(), Some(TableEvent::Dealt { .. })));
    play.clock();
    assert!(matches!(play.log.last(), Some(TableEvent::Settled { .. })));
}

/// Returns all nonzero balances.
fn balances(play: &Play) -> BTreeMap<Account, i64> {
    let balances = play.ledger.balances().iter().filter(|(_, cents)| **cents != 0);
    balances.map(|(account, cents)| (account.clone(), *cents)).collect()
}

#[test]
fn void_reverses_settled_round() {
    let fees: &[(&str, &str)] =
        &[("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }]")];
    let (mut moved, mut uncovered) = (0, 0);
    for (book, changes, dealer, cents, bank, base) in [
        ("south-beach", &[][..], 2_500, 100_000, 60_000, 10_033),
        ("california", fees, 0, 60_000, 50_000, 10_000),
        // The bank puts up less than the wagers against it.
        ("california", fees, 0, 10_500, 4_000, 5_000),
        ("ez", &[][..], 0, 100_000, 0, 10_000),
        ("washington", &[][..], 0, 100_000, 0, 10_000),
    ] {
        for entropy in 0..12 {
            let mut play = table(book, changes, dealer, entropy * 9, cents);
            let before = balances(&play);
            settle(&mut play, bank, base);
            let after = balances(&play);
            moved += usize::from(after != before);
            let view = play.table.view(&Viewer::Watcher);
            let lines = view.round.and_then(|round| round.lines).unwrap_or_default();
            uncovered += usize::from(lines.iter().any(|line| line.reason == Some(ReasonCode::NotCovered)));
            let effects = play.run(&operator(), void(VoidReason::WrongCount));
            assert_eq!(balances(&play), before, "{book} {entropy}");
            assert!(
                effects
                    .transfers
                    .iter()
                    .all(|back| back.kind == TransferKind::Plain && back.purpose == Purpose::Voided)
            );
            assert_eq!(play.refused(&operator(), void(VoidReason::WrongCount)), "no_round", "already void");
        }
    }
    assert!(moved > 50 && uncovered > 0, "{moved} rounds moved money, {uncovered} had uncovered wagers");
}

#[test]
fn view_shows_void_and_reason() {
    let mut play = table("south-beach", &[], 500, 0, 100_000);
    settle(&mut play, 60_000, 1_000);
    let settled = play.table.view(&Viewer::Watcher);
    assert!(settled.last_bank.is_some());
    let round = settled.round.unwrap();
    assert!(round.lines.is_some() && round.net_cents.is_some() && round.voided.is_none());
    let reason = VoidReason::Other { text: "the wrong deck".to_owned() };
    play.run(&operator(), void(reason.clone()));
    let view = play.table.view(&Viewer::Watcher);
    assert_eq!((view.phase, &view.last_bank), (PhaseName::Between, &None), "the last banker is restored");
    let round = view.round.unwrap();
    assert_eq!((round.voided.as_ref(), &round.lines, &round.net_cents), (Some(&reason), &None, &None));
    assert!(view.seats.iter().all(|seat| seat.hand.as_ref().is_some_and(|hand| hand.cards.is_some())));
    // A round in progress is also voided with its reason.
    play.clock();
    play.run(&player("bob"), wager(1_000));
    play.run(&operator(), void(VoidReason::ExposedCard));
    let round = play.table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!((round.round, round.voided), (2, Some(VoidReason::ExposedCard)));
}

#[test]
fn void_restores_last_banker() {
    let mut play = table("california", &[], 0, 0, 1_000_000);
    let last = |play: &Play| play.table.view(&Viewer::Watcher).last_bank.map(|last| (last.seat, last.rounds));
    settle(&mut play, 50_000, 1_000);
    assert_eq!(last(&play), Some((1, 1)));
    play.clock();
    settle(&mut play, 50_000, 1_000);
    assert_eq!(last(&play), Some((1, 2)));
    play.run(&operator(), void(VoidReason::MachineFault));
    assert_eq!(last(&play), Some((1, 1)));
    play.clock();
    // The void round does not count toward the limit of two consecutive rounds.
    settle(&mut play, 50_000, 1_000);
    assert_eq!(last(&play), Some((1, 2)));
}

/// Redeems a player's chips.
fn redeem(play: &mut Play, name: &str, cents: u64) {
    let transfer = Transfer {
        id: "redeem/1".parse().unwrap(),
        kind: TransferKind::Plain,
        debit: player_account(name),
        credit: account(Owner::Issue),
        cents,
        purpose: Purpose::Redeem,
    };
    play.journal.extend(play.ledger.apply(&[transfer]).unwrap());
}

#[test]
fn void_without_funds_is_refused() {
    let mut tried = 0;
    for entropy in 0..40 {
        let mut play = table("washington", &[], 0, entropy * 6, 100_000);
        settle(&mut play, 0, 10_000);
        let Some(winner) = NAMES.into_iter().find(|name| play.balance(name) > 100_000) else { continue };
        tried += 1;
        let (has, before) = (play.balance(winner), play.ledger.clone());
        let won = (has - 100_000).cast_unsigned();
        redeem(&mut play, winner, has.cast_unsigned() - won + 7);
        let after = play.ledger.clone();
        let command = void(VoidReason::ExposedCard);
        let refusal = play.try_run(&operator(), &command).unwrap_err();
        assert_eq!(refusal, TableRefusal::VoidShortfall { player: winner.parse().unwrap(), cents: 7 });
        let message = format!("the round cannot be voided: {winner} lacks $0.07 of the amount to return");
        assert_eq!((refusal.code(), refusal.to_string()), ("void_shortfall", message));
        assert!(play.ledger == after && play.ledger != before);
        assert!(matches!(play.log.last(), Some(TableEvent::Settled { .. })));
        // With enough chips the round is voided.
        play.issue(winner, 7);
        play.run(&operator(), command);
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn settled_round_is_voided_until_the_next_opens() {
    let mut play = table("ez", &[], 0, 0, 100_000);
    settle(&mut play, 0, 1_000);
    assert_eq!(play.refused(&operator(), void(VoidReason::RulesChanged)), "no_round");
    assert_eq!(play.refused(&operator(), void("".into())), "bad_text");
    assert_eq!(play.refused(&player("ann"), void(VoidReason::ExposedCard)), "operators_only");
    // A pause prevents the next round from opening.
    play.run(&operator(), Command::Pause);
    play.clock();
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Waiting);
    play.run(&player("bob"), Command::Stand);
    play.run(&player("dan"), Command::Sit { seat: 2 });
    play.run(&operator(), void(VoidReason::ExposedCard));
    assert!(NAMES.into_iter().all(|name| play.balance(name) == 100_000), "players who left included");
    play.clock();
    play.run(&operator(), Command::Resume);
    assert_eq!(play.table.round_number(), 2);
    play.run(&operator(), void(VoidReason::ExposedCard));
    assert_eq!(play.refused(&operator(), void(VoidReason::ExposedCard)), "no_round");
}
