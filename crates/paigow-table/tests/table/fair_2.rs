//! Version 2 of fair deals at a table: commitments, bytes, silence, secrets and receipts.

use crate::play::{Play, keys, player, wager};
use paigow::parse_cards;
use paigow_table::{
    Command, MasterKeys, PhaseName, Receipt, ReceiptPayload, ReceiptStep, SeatBytes, Secret, Table,
    TableEvent, Viewer, contradictions,
};
use std::collections::BTreeSet;

const NAMES: [&str; 3] = ["ann", "bob", "cat"];

fn bytes(seat: u8) -> SeatBytes {
    SeatBytes::new(vec![seat; 32]).unwrap()
}

fn commit(play: &Play, seat: u8) -> Command {
    Command::Commit { commitment: bytes(seat).commitment(play.table.id(), play.table.round_number(), seat) }
}

/// A table at which these seats have committed to bytes and all have wagered.
fn committed(book: &str, seats: &[u8]) -> Play {
    let mut play = Play::open(book);
    for (seat, name) in (1..).zip(NAMES) {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    for (seat, name) in (1..).zip(NAMES) {
        if seats.contains(&seat) {
            let command = commit(&play, seat);
            play.done(&player(name), command);
        }
        play.done(&player(name), wager(500));
    }
    play.clock();
    play
}

fn phase(play: &Play) -> PhaseName {
    play.table.view(&Viewer::Watcher).phase
}

/// The texts of the events so far, as they are stored.
fn stored(play: &Play) -> String {
    play.log.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

#[test]
fn hands_are_dealt_when_the_last_committed_seat_has_revealed() {
    let mut play = committed("ez", &[1, 3]);
    assert_eq!(phase(&play), PhaseName::Revealing);
    play.done(&player("ann"), Command::Reveal { bytes: bytes(1) });
    assert_eq!(phase(&play), PhaseName::Revealing);
    // Again changes nothing.
    assert!(play.done(&player("ann"), Command::Reveal { bytes: bytes(1) }).events.is_empty());
    play.done(&player("cat"), Command::Reveal { bytes: bytes(3) });
    assert_eq!(phase(&play), PhaseName::Settings);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().silent.is_empty());
}

#[test]
fn a_silent_seat_is_dealt_in_and_named() {
    let mut play = committed("ez", &[1, 3]);
    play.done(&player("cat"), Command::Reveal { bytes: bytes(3) });
    play.clock();
    assert_eq!(phase(&play), PhaseName::Settings);
    let round = play.table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!(round.silent, [1]);
    assert_eq!(round.bytes.into_keys().collect::<Vec<_>>(), [3]);
    // Too late.
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(1) }), "not_now");
    assert!(play.table.view(&Viewer::Player("ann".parse().unwrap())).seats[0].hand.is_some());
}

#[test]
fn without_commitments_hands_are_dealt_at_once_and_the_empty_list_is_signed() {
    let play = committed("ez", &[]);
    assert_eq!(phase(&play), PhaseName::Settings);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().closed_signature.is_some());
}

#[test]
fn every_byte_of_every_part_changes_the_deal() {
    let deal = |silent: &[u8], seats: &[u8]| {
        let mut play = committed("ez", seats);
        for (seat, name) in (1..).zip(NAMES) {
            if seats.contains(&seat) && !silent.contains(&seat) {
                play.done(&player(name), Command::Reveal { bytes: bytes(seat) });
            }
        }
        if phase(&play) == PhaseName::Revealing {
            play.clock();
        }
        play.clock();
        play.table.receipt_payload(&keys()).unwrap().cards.unwrap()
    };
    let deals = [
        deal(&[], &[]),
        deal(&[], &[1]),
        deal(&[1], &[1]),
        deal(&[], &[2]),
        deal(&[], &[1, 2]),
        deal(&[1], &[1, 2]),
        deal(&[2], &[1, 2]),
        deal(&[1, 2], &[1, 2]),
    ];
    assert_eq!(deals.iter().collect::<BTreeSet<_>>().len(), deals.len());
}

/// Nothing that is stored of an open round has a card or the secret in it, and all of it is found once the round is over.
#[test]
fn the_store_has_no_card_and_no_secret_of_an_open_round() {
    let mut play = committed("ez", &[1]);
    play.done(&player("ann"), Command::Reveal { bytes: bytes(1) });
    let own = play.table.view(&Viewer::Player("ann".parse().unwrap()));
    let cards = own.seats[0].hand.as_ref().unwrap().cards.clone().unwrap();
    let table_rules = play.table.table_rules().clone();
    let seven = paigow::SevenCards::new(parse_cards(&cards, Some(7)).unwrap()).unwrap();
    let front = table_rules.house_way_setting(seven).low.to_string();
    let set = Command::Set { front: front.clone() };
    let kept = play.table.stored_form(&player("ann"), &set).into_owned();
    assert!(matches!(kept, Command::SetPositions { .. }) && kept.may_store(&set));
    play.done(&player("ann"), set);
    let secret = String::from(play.table.view(&Viewer::Auditor).round.unwrap().secret.unwrap());
    let text = stored(&play);
    assert!(!text.contains(&secret) && !text.contains("\"front\"") && !text.contains("\"cards\""), "{text}");
    assert!(
        cards
            .split(' ')
            .all(|card| !text.contains(&format!("{card} ")) && !text.contains(&format!(" {card}")))
    );
    // Stored commands decide the same.
    let mut again = committed("ez", &[1]);
    again.done(&player("ann"), Command::Reveal { bytes: bytes(1) });
    again.done(&player("ann"), kept);
    assert!(again.table == play.table);
    play.clock();
    assert!(stored(&play).contains(&secret));
    let shown = play.table.view(&Viewer::Watcher).seats[0].hand.clone().unwrap();
    assert_eq!((shown.cards, shown.low), (Some(cards), Some(front)));
}

/// A round that was opened with an earlier key goes on after rotation, and the next one is opened with the new key.
#[test]
fn keys_rotate_in_the_middle_of_a_round() {
    let mut play = committed("ez", &[1]);
    let rotated = MasterKeys::new(&[[8; 32], [7; 32]]).unwrap();
    let before = play.table.view(&Viewer::Watcher).round.unwrap().key.unwrap();
    assert_eq!(before, keys().current());
    play.table = play.table.clone().with_keys(Some(std::sync::Arc::new(rotated.clone()))).unwrap();
    let ann = player("ann");
    // The kit replays with the first key alone: events are decided and applied here.
    let moment =
        paigow_table::DecisionContext { now: play.now, entropy: [3; 32], funds: &play.ledger_only() };
    let mut table = play.table.clone();
    let apply = |table: &mut Table, by, command: &Command, moment: &paigow_table::DecisionContext<'_>| {
        for event in table.decide(by, command, moment).unwrap().events {
            table.apply(&event).unwrap();
        }
    };
    apply(&mut table, &ann, &Command::Reveal { bytes: bytes(1) }, &moment);
    let clock = paigow_table::Actor::Clock;
    for _ in 0..2 {
        let due = paigow_table::DecisionContext { now: table.due().unwrap(), ..moment };
        apply(&mut table, &clock, &Command::Tick, &due);
    }
    let round = table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!((round.round, round.key), (2, Some(rotated.current())));
    assert_ne!(rotated.current(), before);
    assert_eq!(
        table.receipt_payload(&rotated).unwrap().opened.public_key,
        rotated.public_key(&rotated.current())
    );
}

/// A table that was restored opens the same round again with another secret, because the nonce is drawn anew.
#[test]
fn a_restored_store_does_not_use_a_secret_again() {
    let mut play = committed("ez", &[]);
    play.clock();
    let (table, now, funds) = (play.table.clone(), play.table.due().unwrap(), play.ledger_only());
    let opened = |drawn: u8| {
        let moment = paigow_table::DecisionContext { now, entropy: [drawn; 32], funds: &funds };
        let events = table.decide(&paigow_table::Actor::Clock, &Command::Tick, &moment).unwrap().events;
        let opened = events.into_iter().find_map(|event| match event {
            TableEvent::RoundOpened { round, commitment, .. } => Some((round, commitment)),
            _ => None,
        });
        opened.unwrap()
    };
    assert_eq!((opened(1).0, opened(2).0), (2, 2));
    assert_ne!(opened(1), opened(2));
    assert_eq!(opened(1), opened(1));
}

/// Bytes and commitments name the seat: copied ones are of no use.
#[test]
fn bytes_of_another_seat_are_refused() {
    let mut play = committed("ez", &[1, 2]);
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(2) }), "reveal_differs");
    play.done(&player("bob"), Command::Reveal { bytes: bytes(2) });
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(2) }), "reveal_differs");
}

/// Hashes of events can be computed without the master key. What a writer of the store appends must not choose the deal.
#[test]
fn events_that_choose_the_deal_do_not_fit() {
    let play = committed("ez", &[]);
    let dealt = play.log.iter().rposition(|event| matches!(event, TableEvent::Dealt { .. })).unwrap();
    let mut before = Table::open(&play.log[0], play.table.table_rules().clone()).unwrap();
    before = before.with_keys(Some(keys())).unwrap();
    play.log[1..dealt].iter().for_each(|event| before.apply(event).unwrap());
    let misfit = |change: &dyn Fn(&mut TableEvent)| {
        let mut event = play.log[dealt].clone();
        change(&mut event);
        before.clone().apply(&event).map_err(|misfit| misfit.0)
    };
    assert_eq!(misfit(&|_| ()), Ok(()));
    let other_dice = misfit(&|event| {
        let TableEvent::Dealt { dice, .. } = event else { unreachable!() };
        *dice = *dice % 7 + 1;
    });
    assert_eq!(other_dice.unwrap_err(), "the dice do not follow from the secret");
    let ordered: Vec<String> = paigow::Card::deck().map(|card| card.to_string()).collect();
    let chosen = misfit(&|event| {
        let TableEvent::Dealt { cards, .. } = event else { unreachable!() };
        *cards = ordered.join(" ");
    });
    assert_eq!(chosen.unwrap_err(), "cards are stored with a deal that follows from a key");

    // Nor does a round of version 1, whose secret its writer knows.
    let mut over = play;
    over.clock();
    let secret = Secret([9; 32]);
    let commitment = secret.commitment(over.table.id(), 2);
    let plain = TableEvent::RoundOpened { round: 2, secret: Some(secret), commitment, derived: None };
    let refused = over.table.clone().apply(&plain).unwrap_err();
    assert_eq!(refused.0, "round 2 is of version 1, and the one before it of version 2");
}

/// A deadline that a clock ahead has set is due to the clock alone: a player must not end a phase for the others.
#[test]
fn players_do_not_end_a_phase_whose_deadline_is_out_of_reach() {
    let play = committed("ez", &[1]);
    let now = paigow_table::Time(play.now.0 - 60_000);
    let moment = paigow_table::DecisionContext { now, entropy: [3; 32], funds: &play.ledger_only() };
    let tick = |by| play.table.decide(&by, &Command::Tick, &moment);
    assert_eq!(tick(player("bob")).unwrap_err().code(), "nothing_due");
    assert!(tick(paigow_table::Actor::Clock).is_ok());
}

fn receipt() -> (Receipt, ReceiptPayload) {
    let mut play = committed("ez", &[1, 3]);
    play.done(&player("cat"), Command::Reveal { bytes: bytes(3) });
    play.clock();
    play.clock();
    let payload = play.table.receipt_payload(&keys()).unwrap();
    (Receipt::sign(&payload, &keys()).unwrap(), payload)
}

fn failed(receipt: &Receipt) -> Vec<ReceiptStep> {
    let (checks, _) = receipt.check();
    checks.into_iter().filter(|check| check.holds == Some(false)).map(|check| check.step).collect()
}

/// The steps that fail if the house signs a changed payload.
fn failed_after(change: impl FnOnce(&mut ReceiptPayload)) -> Vec<ReceiptStep> {
    let (_, mut payload) = receipt();
    change(&mut payload);
    failed(&Receipt::sign(&payload, &keys()).unwrap())
}

#[test]
fn a_receipt_holds_and_every_tampering_is_named() {
    let (whole, payload) = receipt();
    let (checks, _) = whole.check();
    assert_eq!(checks.len(), 10);
    assert!(checks.iter().all(|check| check.holds == Some(true)), "{checks:?}");
    // The payload changed behind the signature.
    let changed =
        Receipt { payload: whole.payload.replacen("\"round\":1", "\"round\":2", 1), ..whole.clone() };
    assert!(failed(&changed).contains(&ReceiptStep::Receipt));
    let other = MasterKeys::new(&[[1; 32]]).unwrap();
    let forged = Receipt { public_key: other.public_key(&other.current()).unwrap(), ..whole.clone() };
    assert_eq!(failed(&forged), [ReceiptStep::Receipt]);
    // Changes that the house signs: each is a proof against it.
    assert_eq!(
        failed_after(|payload| {
            let dealer = payload.dealer.take().unwrap();
            payload.dealer = payload.hands.insert(1, dealer);
        }),
        [ReceiptStep::Hands]
    );
    assert_eq!(
        failed_after(|payload| {
            let (one, other) = (payload.hands[&1].clone(), payload.hands[&2].clone());
            payload.hands.extend([(1, other), (2, one)]);
        }),
        [ReceiptStep::Hands]
    );
    assert_eq!(
        failed_after(|payload| payload.dice = payload.dice.map(|dice| dice % 7 + 1)).first(),
        Some(&ReceiptStep::Dice)
    );
    assert_eq!(
        failed_after(|payload| payload.cards = payload.cards.take().map(|cards| cards.replace("Jk", "jk"))),
        [ReceiptStep::Cards]
    );
    assert!(
        failed_after(|payload| payload.secret = payload.secret.map(|mut secret| {
            secret.0[31] ^= 1;
            secret
        }))
        .contains(&ReceiptStep::Secret)
    );
    assert!(failed_after(|payload| payload.opened.commitment.0[0] ^= 1).contains(&ReceiptStep::Opening));
    assert_eq!(failed_after(|payload| payload.opened.at.0 += 1), [ReceiptStep::Opening]);
    assert!(
        failed_after(|payload| drop(payload.revealed.insert(3, bytes(9)))).contains(&ReceiptStep::Reveals)
    );
    assert_eq!(failed_after(|payload| payload.silent.clear()), [ReceiptStep::Silent]);
    assert!(
        failed_after(|payload| payload.closed.as_mut().unwrap().commitments.clear())
            .contains(&ReceiptStep::Closing)
    );
    assert!(failed_after(|payload| payload.secret = None).contains(&ReceiptStep::Secret));
    // What is left out is not passed over.
    for leave_out in [
        (|payload| payload.dice = None) as fn(&mut ReceiptPayload),
        |payload| payload.closed = None,
        |payload| payload.outcome = "open".to_owned(),
        |payload| payload.protocol = 1,
        |payload| payload.rules.push('0'),
        |payload| payload.dealing.seats = 0,
        |payload| payload.dealing.seats = 7,
        |payload| payload.dealing.seats = 255,
        |payload| payload.dealing.order = "sideways".to_owned(),
    ] {
        assert_eq!(failed_after(leave_out), [ReceiptStep::Form]);
    }
    assert!(failed_after(|payload| payload.round += 1).contains(&ReceiptStep::Opening));
    // Two receipts of one round that differ in what was committed to.
    let mut double = payload.clone();
    double.opened.commitment.0[0] ^= 1;
    assert!(contradictions(&payload, &double) && !contradictions(&payload, &payload));
    double.round += 1;
    assert!(!contradictions(&payload, &double));
}

#[test]
fn a_receipt_of_an_open_round_shows_no_card() {
    let play = committed("ez", &[1]);
    let payload = play.table.receipt_payload(&keys()).unwrap();
    assert_eq!((payload.outcome.as_str(), payload.secret, payload.cards.clone()), ("open", None, None));
    assert!(payload.hands.is_empty() && payload.closed.is_some());
    assert!(failed(&Receipt::sign(&payload, &keys()).unwrap()).is_empty());
}

#[test]
fn a_seat_that_is_given_up_loses_its_commitment() {
    let mut play = Play::open("ez");
    for (seat, name) in (1..).zip(NAMES) {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    let command = commit(&play, 1);
    play.done(&player("ann"), command);
    play.done(&player("ann"), Command::Stand);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().commitments.is_empty());
    assert!(matches!(play.log.last(), Some(TableEvent::Stood { seat: 1 })));
}
