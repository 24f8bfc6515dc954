//! Changing the cover and giving the bank back while wagers are open.

use crate::play::{Play, player, wager};
use paigow_table::{Command, TableEvent, TablePhase, Viewer};

const TAKE_BANK: fn(u64) -> Command = |cents| Command::TakeBank { cents };
const GIVE_BACK: Command = Command::GiveBankBack;

fn table(book: &str, dealer_wager_cents: u64) -> Play {
    let mut play = Play::open_with(book, &[], dealer_wager_cents);
    for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play
}

fn covers(play: &Play) -> Option<u64> {
    play.table.view(&Viewer::Watcher).round.unwrap().bank.map(|bank| bank.covers_cents)
}

#[test]
fn banker_changes_cover() {
    let (mut play, [ann, bob]) = (table("south-beach", 500), ["ann", "bob"].map(player));
    play.run(&ann, TAKE_BANK(5_000));
    play.run(&bob, wager(4_500));
    assert_eq!(play.refused(&player("cat"), wager(500)), "cover_exceeded");
    play.run(&ann, TAKE_BANK(20_000));
    assert_eq!((covers(&play), play.balance("ann")), (Some(20_000), 80_000));
    play.run(&player("cat"), wager(500));
    // The cover must include the house's wager.
    assert_eq!(play.refused(&ann, TAKE_BANK(5_499)), "cover_exceeded");
    play.run(&ann, TAKE_BANK(5_500));
    assert_eq!((covers(&play), play.balance("ann")), (Some(5_500), 94_500));
    assert!(play.run(&ann, TAKE_BANK(5_500)).events.is_empty(), "the same amount changes nothing");
    assert_eq!(play.refused(&ann, TAKE_BANK(100_001)), "insufficient_funds");
    assert_eq!(play.refused(&ann, TAKE_BANK(0)), "bad_amount");
    assert_eq!(play.refused(&bob, TAKE_BANK(9_000)), "bank_taken");
    play.clock();
    assert_eq!(play.refused(&ann, TAKE_BANK(9_000)), "not_now");
    play.clock();
    assert!(play.log.iter().any(|event| matches!(event, TableEvent::Settled { .. })));
}

#[test]
fn cover_is_not_reduced_below_wagers() {
    let (mut play, [ann, bob]) = (table("california", 0), ["ann", "bob"].map(player));
    play.run(&ann, TAKE_BANK(10_000));
    play.run(&ann, TAKE_BANK(1_000));
    play.run(&ann, TAKE_BANK(3_000));
    play.run(&bob, wager(2_000));
    assert_eq!(play.refused(&ann, TAKE_BANK(1_999)), "cover_exceeded");
    play.run(&ann, TAKE_BANK(2_000));
    play.run(&bob, wager(5_000));
    // The cover is less than the wagers, so it may stay or increase, but not decrease.
    assert_eq!(play.refused(&ann, TAKE_BANK(1_999)), "cover_exceeded");
    play.run(&ann, TAKE_BANK(4_000));
    assert_eq!(covers(&play), Some(4_000));
    play.clock();
    play.clock();
}

#[test]
fn bank_returns_to_dealer_who_may_bank() {
    let (mut play, [ann, bob]) = (table("south-beach", 500), ["ann", "bob"].map(player));
    assert_eq!(play.refused(&ann, GIVE_BACK), "not_the_banker");
    play.run(&ann, TAKE_BANK(5_000));
    assert_eq!(play.refused(&bob, GIVE_BACK), "not_the_banker");
    play.run(&bob, wager(4_500));
    play.run(&bob, Command::Ready);
    play.run(&ann, GIVE_BACK);
    assert_eq!((covers(&play), play.balance("ann"), play.balance("bob")), (None, 100_000, 95_500));
    assert!(
        play.table.view(&Viewer::Watcher).seats.iter().all(|seat| !seat.ready),
        "seats are not ready against another bank"
    );
    // The seat may now wager, other seats may bank, and the old cover no longer limits wagers.
    play.run(&ann, wager(90_000));
    play.run(&player("cat"), TAKE_BANK(100_000));
    play.run(&player("cat"), GIVE_BACK);
    for name in ["ann", "bob", "cat"] {
        play.run(&player(name), Command::Ready);
    }
    assert!(matches!(play.table.phase(), TablePhase::Settings { .. }));
    assert_eq!(play.refused(&ann, GIVE_BACK), "not_now");
    play.clock();
    assert!(play.table.view(&Viewer::Watcher).last_bank.is_none());
}

#[test]
fn offered_bank_is_offered_on() {
    let (mut play, [ann, bob, cat]) = (table("california", 0), ["ann", "bob", "cat"].map(player));
    play.run(&ann, TAKE_BANK(5_000));
    play.run(&ann, Command::PickPile { pile: 3 });
    play.run(&bob, wager(500));
    assert_eq!(play.refused(&ann, GIVE_BACK), "bank_in_use");
    play.run(&bob, Command::Clear { wager: None });
    let before = play.log.len();
    play.run(&ann, GIVE_BACK);
    let names: Vec<String> = play.log[before..]
        .iter()
        .map(|event| serde_json::to_value(event).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["bank_given_back", "bank_passed", "bank_offered"]);
    let view = play.table.view(&Viewer::Watcher);
    let round = view.round.unwrap();
    assert_eq!((view.offered, round.passed, round.pile), (Some(2), vec![1], None));
    assert_eq!(play.balance("ann"), 100_000);
    play.run(&bob, TAKE_BANK(5_000));
    play.run(&bob, GIVE_BACK);
    play.run(&cat, TAKE_BANK(5_000));
    // No seat is left to offer the bank to.
    play.run(&cat, GIVE_BACK);
    assert!(matches!(play.table.phase(), TablePhase::Between { .. }));
    assert!(matches!(play.log.last(), Some(TableEvent::RoundAbandoned { .. })));
    assert_eq!(play.table.open_holds().count(), 0);
}
