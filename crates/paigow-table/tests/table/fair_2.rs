//! Version 2 of the fair-deal protocol at a table: commitments, bytes, silent seats, secrets and receipts.

use crate::play::{Play, keys, player, wager};
use paigow::parse_cards;
use paigow_table::{
    Command, MasterKeys, PhaseName, Receipt, ReceiptPayload, ReceiptStep, SeatBytes, Secret, Table,
    TableEvent, Viewer, contradict,
};
use std::collections::BTreeSet;

const NAMES: [&str; 3] = ["ann", "bob", "cat"];

fn bytes(seat: u8) -> SeatBytes {
    SeatBytes::new(vec![seat; 32]).unwrap()
}

fn commit(play: &Play, seat: u8) -> Command {
    Command::Commit { commitment: bytes(seat).commitment(play.table.id(), play.table.round_number(), seat) }
}

/// Returns a table after wagers closed, at which these seats have committed to bytes and all seats have wagered.
fn committed(book: &str, seats: &[u8]) -> Play {
    let mut play = Play::open(book);
    for (seat, name) in (1..).zip(NAMES) {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    for (seat, name) in (1..).zip(NAMES) {
        if seats.contains(&seat) {
            let command = commit(&play, seat);
            play.run(&player(name), command);
        }
        play.run(&player(name), wager(500));
    }
    play.clock();
    play
}

fn phase(play: &Play) -> PhaseName {
    play.table.view(&Viewer::Watcher).phase
}

/// Returns the stored form of all events so far.
fn stored(play: &Play) -> String {
    play.log.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

#[test]
fn last_reveal_deals_hands() {
    let mut play = committed("ez", &[1, 3]);
    assert_eq!(phase(&play), PhaseName::Revealing);
    play.run(&player("ann"), Command::Reveal { bytes: bytes(1) });
    assert_eq!(phase(&play), PhaseName::Revealing);
    // A second reveal changes nothing.
    assert!(play.run(&player("ann"), Command::Reveal { bytes: bytes(1) }).events.is_empty());
    play.run(&player("cat"), Command::Reveal { bytes: bytes(3) });
    assert_eq!(phase(&play), PhaseName::Settings);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().silent.is_empty());
}

#[test]
fn silent_seat_is_dealt_in_and_listed() {
    let mut play = committed("ez", &[1, 3]);
    play.run(&player("cat"), Command::Reveal { bytes: bytes(3) });
    play.clock();
    assert_eq!(phase(&play), PhaseName::Settings);
    let round = play.table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!(round.silent, [1]);
    assert_eq!(round.bytes.into_keys().collect::<Vec<_>>(), [3]);
    // The deadline to reveal has passed.
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(1) }), "not_now");
    assert!(play.table.view(&Viewer::Player("ann".parse().unwrap())).seats[0].hand.is_some());
}

#[test]
fn round_without_commitments_is_dealt_at_once() {
    let play = committed("ez", &[]);
    assert_eq!(phase(&play), PhaseName::Settings);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().closed_signature.is_some());
}

#[test]
fn committed_and_silent_seats_change_the_deal() {
    let deal = |silent: &[u8], seats: &[u8]| {
        let mut play = committed("ez", seats);
        for (seat, name) in (1..).zip(NAMES) {
            if seats.contains(&seat) && !silent.contains(&seat) {
                play.run(&player(name), Command::Reveal { bytes: bytes(seat) });
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

/// Stored events of an open round contain neither cards nor the secret. Both are known once the round is over.
#[test]
fn open_round_stores_no_card_and_no_secret() {
    let mut play = committed("ez", &[1]);
    play.run(&player("ann"), Command::Reveal { bytes: bytes(1) });
    let own = play.table.view(&Viewer::Player("ann".parse().unwrap()));
    let cards = own.seats[0].hand.as_ref().unwrap().cards.clone().unwrap();
    let table_rules = play.table.table_rules().clone();
    let seven = paigow::SevenCards::new(parse_cards(&cards, Some(7)).unwrap()).unwrap();
    let low = table_rules.house_way_setting(seven).low.to_string();
    let set = Command::Set { low: low.clone() };
    let stored_set = play.table.stored_form(&player("ann"), &set).into_owned();
    assert!(matches!(stored_set, Command::SetPositions { .. }) && stored_set.may_be_stored_form_of(&set));
    play.run(&player("ann"), set);
    let secret = String::from(play.table.view(&Viewer::Auditor).round.unwrap().secret.unwrap());
    let text = stored(&play);
    assert!(!text.contains(&secret) && !text.contains("\"front\"") && !text.contains("\"cards\""), "{text}");
    assert!(
        cards
            .split(' ')
            .all(|card| !text.contains(&format!("{card} ")) && !text.contains(&format!(" {card}")))
    );
    // The stored command has the same effects.
    let mut again = committed("ez", &[1]);
    again.run(&player("ann"), Command::Reveal { bytes: bytes(1) });
    again.run(&player("ann"), stored_set);
    assert!(again.table == play.table);
    play.clock();
    assert!(stored(&play).contains(&secret));
    let shown = play.table.view(&Viewer::Watcher).seats[0].hand.clone().unwrap();
    assert_eq!((shown.cards, shown.low), (Some(cards), Some(low)));
}

/// A round opened with an earlier key continues after rotation, and the next round uses the new key.
#[test]
fn keys_rotate_during_a_round() {
    let mut play = committed("ez", &[1]);
    let rotated = MasterKeys::new(&[[8; 32], [7; 32]]).unwrap();
    let before = play.table.view(&Viewer::Watcher).round.unwrap().key.unwrap();
    assert_eq!(before, keys().current());
    play.table = play.table.clone().with_keys(Some(std::sync::Arc::new(rotated.clone()))).unwrap();
    let ann = player("ann");
    // `Play` replays with the first key only, so events are decided and applied here.
    let context = paigow_table::DecisionContext { now: play.now, entropy: [3; 32], funds: &play.funds() };
    let mut table = play.table.clone();
    let apply = |table: &mut Table, by, command: &Command, context: &paigow_table::DecisionContext<'_>| {
        for event in table.decide(by, command, context).unwrap().events {
            table.apply(&event).unwrap();
        }
    };
    apply(&mut table, &ann, &Command::Reveal { bytes: bytes(1) }, &context);
    let clock = paigow_table::Actor::Clock;
    for _ in 0..2 {
        let due = paigow_table::DecisionContext { now: table.due().unwrap(), ..context };
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

/// A restored table opens the same round again with another secret, because the nonce is random.
#[test]
fn restored_table_uses_a_new_secret() {
    let mut play = committed("ez", &[]);
    play.clock();
    let (table, now, funds) = (play.table.clone(), play.table.due().unwrap(), play.funds());
    let opened = |entropy: u8| {
        let context = paigow_table::DecisionContext { now, entropy: [entropy; 32], funds: &funds };
        let events = table.decide(&paigow_table::Actor::Clock, &Command::Tick, &context).unwrap().events;
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

/// A commitment includes the seat, so bytes of another seat do not match.
#[test]
fn bytes_of_another_seat_are_refused() {
    let mut play = committed("ez", &[1, 2]);
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(2) }), "reveal_differs");
    play.run(&player("bob"), Command::Reveal { bytes: bytes(2) });
    assert_eq!(play.refused(&player("ann"), Command::Reveal { bytes: bytes(2) }), "reveal_differs");
}

/// Hashes of events can be computed without the master key. A writer of the store must not be able to choose the deal.
#[test]
fn events_that_choose_the_deal_are_invalid() {
    let play = committed("ez", &[]);
    let dealt = play.log.iter().rposition(|event| matches!(event, TableEvent::Dealt { .. })).unwrap();
    let mut before = Table::open(&play.log[0], play.table.table_rules().clone()).unwrap();
    before = before.with_keys(Some(keys())).unwrap();
    play.log[1..dealt].iter().for_each(|event| before.apply(event).unwrap());
    let apply = |change: &dyn Fn(&mut TableEvent)| {
        let mut event = play.log[dealt].clone();
        change(&mut event);
        before.clone().apply(&event).map_err(|invalid| invalid.0)
    };
    assert_eq!(apply(&|_| ()), Ok(()));
    let other_dice = apply(&|event| {
        let TableEvent::Dealt { dice, .. } = event else { unreachable!() };
        *dice = *dice % 7 + 1;
    });
    assert_eq!(other_dice.unwrap_err(), "the dice do not follow from the secret");
    let ordered: Vec<String> = paigow::Card::deck().map(|card| card.to_string()).collect();
    let chosen_cards = apply(&|event| {
        let TableEvent::Dealt { cards, .. } = event else { unreachable!() };
        *cards = ordered.join(" ");
    });
    assert_eq!(chosen_cards.unwrap_err(), "the event contains cards, but the deal is derived from a key");

    // A round of version 1 is invalid too, because its writer knows the secret.
    let mut over = play;
    over.clock();
    let secret = Secret([9; 32]);
    let commitment = secret.commitment(over.table.id(), 2);
    let plain = TableEvent::RoundOpened { round: 2, secret: Some(secret), commitment, derived: None };
    let refused = over.table.clone().apply(&plain).unwrap_err();
    assert_eq!(refused.0, "round 2 is of version 1, after a round of version 2");
}

/// Only the clock fires a deadline that a fast clock has set. A player must not end a phase early.
#[test]
fn player_does_not_fire_deadline_out_of_reach() {
    let play = committed("ez", &[1]);
    let now = paigow_table::Time(play.now.0 - 60_000);
    let context = paigow_table::DecisionContext { now, entropy: [3; 32], funds: &play.funds() };
    let tick = |by| play.table.decide(&by, &Command::Tick, &context);
    assert_eq!(tick(player("bob")).unwrap_err().code(), "nothing_due");
    assert!(tick(paigow_table::Actor::Clock).is_ok());
}

fn receipt() -> (Receipt, ReceiptPayload) {
    let mut play = committed("ez", &[1, 3]);
    play.run(&player("cat"), Command::Reveal { bytes: bytes(3) });
    play.clock();
    play.clock();
    let payload = play.table.receipt_payload(&keys()).unwrap();
    (Receipt::sign(&payload, &keys()).unwrap(), payload)
}

/// Returns the steps of the verification that fail.
fn failed(receipt: &Receipt) -> Vec<ReceiptStep> {
    let (checks, _) = receipt.check();
    checks.into_iter().filter(|check| check.holds == Some(false)).map(|check| check.step).collect()
}

/// Returns the steps that fail if the house signs a changed payload.
fn failed_after(change: impl FnOnce(&mut ReceiptPayload)) -> Vec<ReceiptStep> {
    let (_, mut payload) = receipt();
    change(&mut payload);
    failed(&Receipt::sign(&payload, &keys()).unwrap())
}

#[test]
fn receipt_verifies_and_tampering_fails() {
    let (valid, payload) = receipt();
    let (checks, _) = valid.check();
    assert_eq!(checks.len(), 10);
    assert!(checks.iter().all(|check| check.holds == Some(true)), "{checks:?}");
    // The payload was changed after it was signed.
    let changed =
        Receipt { payload: valid.payload.replacen("\"round\":1", "\"round\":2", 1), ..valid.clone() };
    assert!(failed(&changed).contains(&ReceiptStep::Receipt));
    let other = MasterKeys::new(&[[1; 32]]).unwrap();
    let forged = Receipt { public_key: other.public_key(&other.current()).unwrap(), ..valid.clone() };
    assert_eq!(failed(&forged), [ReceiptStep::Receipt]);
    // Changes signed by the house. Each failure is a proof against the house.
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
    // Missing or invalid parts fail the form.
    for change in [
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
        assert_eq!(failed_after(change), [ReceiptStep::Form]);
    }
    assert!(failed_after(|payload| payload.round += 1).contains(&ReceiptStep::Opening));
    // Two receipts of one round with different commitments.
    let mut double = payload.clone();
    double.opened.commitment.0[0] ^= 1;
    assert!(contradict(&payload, &double) && !contradict(&payload, &payload));
    double.round += 1;
    assert!(!contradict(&payload, &double));
}

#[test]
fn receipt_of_open_round_has_no_cards() {
    let play = committed("ez", &[1]);
    let payload = play.table.receipt_payload(&keys()).unwrap();
    assert_eq!((payload.outcome.as_str(), payload.secret, payload.cards.clone()), ("open", None, None));
    assert!(payload.hands.is_empty() && payload.closed.is_some());
    assert!(failed(&Receipt::sign(&payload, &keys()).unwrap()).is_empty());
}

#[test]
fn leaving_a_seat_removes_its_commitment() {
    let mut play = Play::open("ez");
    for (seat, name) in (1..).zip(NAMES) {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    let command = commit(&play, 1);
    play.run(&player("ann"), command);
    play.run(&player("ann"), Command::Stand);
    assert!(play.table.view(&Viewer::Watcher).round.unwrap().commitments.is_empty());
    assert!(matches!(play.log.last(), Some(TableEvent::Stood { seat: 1 })));
}
