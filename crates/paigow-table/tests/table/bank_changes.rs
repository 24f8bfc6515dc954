//! A bank that changes its mind while wagers are open.

use crate::play::{Play, player, wager};
use paigow_table::{Command, TableEvent, TablePhase, Viewer};

const BANK: fn(u64) -> Command = |cents| Command::TakeBank { cents };
const BACK: Command = Command::GiveBankBack;

fn table(book: &str, dealer_wager_cents: u64) -> Play {
    let mut play = Play::open_with(book, &[], dealer_wager_cents);
    for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    play
}

fn covers(play: &Play) -> Option<u64> {
    play.table.view(&Viewer::Watcher).round.unwrap().bank.map(|bank| bank.covers_cents)
}

#[test]
fn a_bank_covers_more_or_less() {
    let (mut play, [ann, bob]) = (table("south-beach", 500), ["ann", "bob"].map(player));
    play.done(&ann, BANK(5_000));
    play.done(&bob, wager(4_500));
    assert_eq!(play.refused(&player("cat"), wager(500)), "cover_exceeded");
    play.done(&ann, BANK(20_000));
    assert_eq!((covers(&play), play.balance("ann")), (Some(20_000), 80_000));
    play.done(&player("cat"), wager(500));
    // The house's wager is covered too.
    assert_eq!(play.refused(&ann, BANK(5_499)), "cover_exceeded");
    play.done(&ann, BANK(5_500));
    assert_eq!((covers(&play), play.balance("ann")), (Some(5_500), 94_500));
    assert!(play.done(&ann, BANK(5_500)).events.is_empty(), "the same again does nothing");
    assert_eq!(play.refused(&ann, BANK(100_001)), "insufficient_funds");
    assert_eq!(play.refused(&ann, BANK(0)), "bad_amount");
    assert_eq!(play.refused(&bob, BANK(9_000)), "bank_taken");
    play.clock();
    assert_eq!(play.refused(&ann, BANK(9_000)), "not_now");
    play.clock();
    assert!(play.log.iter().any(|event| matches!(event, TableEvent::Settled { .. })));
}

#[test]
fn a_cover_of_some_is_not_taken_away_from_those_who_have_wagered() {
    let (mut play, [ann, bob]) = (table("california", 0), ["ann", "bob"].map(player));
    play.done(&ann, BANK(10_000));
    play.done(&ann, BANK(1_000));
    play.done(&ann, BANK(3_000));
    play.done(&bob, wager(2_000));
    assert_eq!(play.refused(&ann, BANK(1_999)), "cover_exceeded");
    play.done(&ann, BANK(2_000));
    play.done(&bob, wager(5_000));
    // It never covered that much: it may cover what it does, or more.
    assert_eq!(play.refused(&ann, BANK(1_999)), "cover_exceeded");
    play.done(&ann, BANK(4_000));
    assert_eq!(covers(&play), Some(4_000));
    play.clock();
    play.clock();
}

#[test]
fn where_the_dealer_may_bank_it_gets_the_bank_back() {
    let (mut play, [ann, bob]) = (table("south-beach", 500), ["ann", "bob"].map(player));
    assert_eq!(play.refused(&ann, BACK), "not_the_banker");
    play.done(&ann, BANK(5_000));
    assert_eq!(play.refused(&bob, BACK), "not_the_banker");
    play.done(&bob, wager(4_500));
    play.done(&bob, Command::Ready);
    play.done(&ann, BACK);
    assert_eq!((covers(&play), play.balance("ann"), play.balance("bob")), (None, 100_000, 95_500));
    assert!(
        play.table.view(&Viewer::Watcher).seats.iter().all(|seat| !seat.ready),
        "others play another bank"
    );
    // The seat may wager now, others may bank, and what the bank would have had to cover does not count.
    play.done(&ann, wager(90_000));
    play.done(&player("cat"), BANK(100_000));
    play.done(&player("cat"), BACK);
    for name in ["ann", "bob", "cat"] {
        play.done(&player(name), Command::Ready);
    }
    assert!(matches!(play.table.phase(), TablePhase::Settings { .. }));
    assert_eq!(play.refused(&ann, BACK), "not_now");
    play.clock();
    assert!(play.table.view(&Viewer::Watcher).last_bank.is_none());
}

#[test]
fn where_the_bank_is_offered_it_is_offered_on() {
    let (mut play, [ann, bob, cat]) = (table("california", 0), ["ann", "bob", "cat"].map(player));
    play.done(&ann, BANK(5_000));
    play.done(&ann, Command::PickPile { pile: 3 });
    play.done(&bob, wager(500));
    assert_eq!(play.refused(&ann, BACK), "bank_in_use");
    play.done(&bob, Command::Clear { wager: None });
    let before = play.log.len();
    play.done(&ann, BACK);
    let names: Vec<String> = play.log[before..]
        .iter()
        .map(|event| serde_json::to_value(event).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["bank_given_back", "bank_passed", "bank_offered"]);
    let view = play.table.view(&Viewer::Watcher);
    let round = view.round.unwrap();
    assert_eq!((view.offered, round.passed, round.pile), (Some(2), vec![1], None));
    assert_eq!(play.balance("ann"), 100_000);
    play.done(&bob, BANK(5_000));
    play.done(&bob, BACK);
    play.done(&cat, BANK(5_000));
    // Nobody is left to offer it to.
    play.done(&cat, BACK);
    assert!(matches!(play.table.phase(), TablePhase::Between { .. }));
    assert!(matches!(play.log.last(), Some(TableEvent::RoundAbandoned { .. })));
    assert_eq!(play.table.open_holds().count(), 0);
}
