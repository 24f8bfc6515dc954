//! Several hands for one player, at a table whose book allows it.

use crate::play::{Play, operator, player, side, wager};
use paigow_table::{
    Actor, Command, HandView, PhaseName, ReasonCode, SeatBytes, SeatView, Stake, TableEvent, Viewer,
};

/// A table with so many hands for a player, and these who have sat down.
fn table(book: &str, hands: &str, seats: &[(u8, &str)]) -> Play {
    let mut play = Play::open_with(book, &[("seats.hands_per_player", hands)], 0);
    for (seat, name) in seats {
        if play.balance(name) == 0 {
            play.issue(name, 1_000_000);
        }
        play.done(&player(name), Command::Sit { seat: *seat });
    }
    play
}

fn at(seat: u8, command: Command) -> Command {
    Command::At { seat, command: Box::new(command) }
}

fn seat(play: &Play, viewer: &Viewer, number: u8) -> SeatView {
    play.table.view(viewer).seats.into_iter().find(|seat| seat.seat == number).unwrap()
}

fn viewer(name: &str) -> Viewer {
    Viewer::Player(name.parse().unwrap())
}

fn offered(play: &Play) -> Option<u8> {
    play.table.view(&Viewer::Watcher).offered
}

#[test]
fn a_player_sits_at_as_many_seats_as_the_book_allows() {
    let mut play = table("ez", "1", &[(1, "ann")]);
    assert_eq!(play.refused(&player("ann"), Command::Sit { seat: 2 }), "already_seated");
    let mut play = table("ez", "2", &[(1, "ann"), (4, "ann"), (2, "bob")]);
    let (ann, bob) = (player("ann"), player("bob"));
    assert_eq!(play.refused(&ann, Command::Sit { seat: 5 }), "too_many_hands");
    assert_eq!(play.refused(&ann, Command::Sit { seat: 4 }), "too_many_hands");
    assert_eq!(play.table.facts().hands_per_player, 2);
    let view = play.table.view(&viewer("ann"));
    assert_eq!((view.you, view.yours), (Some(1), vec![1, 4]));
    // A player with several seats must name one; a player with one seat need not.
    assert_eq!(play.refused(&ann, wager(500)), "which_seat");
    assert_eq!(play.refused(&ann, Command::Stand), "which_seat");
    assert_eq!(play.refused(&ann, at(2, wager(500))), "not_your_seat");
    assert_eq!(play.refused(&ann, at(9, wager(500))), "not_your_seat");
    assert_eq!(play.refused(&player("eve"), at(1, wager(500))), "not_seated");
    play.done(&bob, wager(500));
    play.done(&bob, at(2, wager(700)));
    play.done(&ann, at(4, wager(500)));
    // Getting up from one seat leaves the other.
    play.done(&ann, at(1, Command::Stand));
    assert_eq!(play.table.view(&viewer("ann")).yours, [4]);
    play.done(&ann, wager(900));
    assert_eq!(seat(&play, &Viewer::Watcher, 4).wagers["pai-gow"].cents, 900);
    // Only the seat's player may use it, and only the house may free it.
    play.done(&ann, Command::Sit { seat: 6 });
    play.done(&operator(), Command::Vacate { seat: 6 });
    assert_eq!(play.table.view(&viewer("ann")).yours, [4]);
}

#[test]
fn every_seat_is_a_hand_of_its_own() {
    let mut play = table("ez", "3", &[(1, "ann"), (3, "ann"), (5, "ann"), (2, "bob")]);
    let (ann, bob) = (player("ann"), player("bob"));
    play.done(&ann, at(1, wager(500)));
    play.done(&ann, at(1, side("dynasty", 600)));
    let stake = Stake { wager: "pai-gow".to_owned(), cents: 1_100, color: None };
    play.done(&ann, at(3, Command::Wagers { wagers: vec![stake], ready: true, commitment: None }));
    let bytes = SeatBytes::new(vec![9; 32]).unwrap();
    let commitment = bytes.commitment(play.table.id(), 1, 3);
    play.done(&ann, at(3, Command::Commit { commitment }));
    play.done(&ann, at(5, Command::SitOut));
    play.done(&bob, wager(500));
    play.done(&bob, Command::Ready);
    let watched = play.table.view(&Viewer::Watcher);
    assert_eq!(watched.round.unwrap().commitments.into_iter().collect::<Vec<_>>(), [(3, commitment)]);
    let state = |play: &Play, number: u8| {
        let seat = seat(play, &Viewer::Watcher, number);
        (seat.wagers.len(), seat.ready, seat.out)
    };
    assert_eq!(
        [state(&play, 1), state(&play, 3), state(&play, 5)],
        [(2, false, false), (1, true, false), (0, false, true)]
    );
    play.done(&ann, at(1, Command::Clear { wager: Some("dynasty".to_owned()) }));
    // The deal waits for every seat that plays.
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Wagers);
    play.done(&ann, at(1, Command::Ready));
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Revealing);
    play.done(&ann, at(3, Command::Reveal { bytes: bytes.clone() }));
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Settings);

    // The player sees both of their hands and no other; other viewers see neither.
    let cards = |play: &Play, viewer: &Viewer, number: u8| {
        seat(play, viewer, number).hand.and_then(|HandView { cards, .. }| cards)
    };
    for (number, name) in [(1, "ann"), (3, "ann"), (2, "bob")] {
        for other in ["ann", "bob", "eve"] {
            assert_eq!(cards(&play, &viewer(other), number).is_some(), name == other, "{other} at {number}");
        }
    }
    play.done(&ann, at(3, Command::HouseWay));
    assert_eq!(play.refused(&ann, at(3, Command::HouseWay)), "already_set");
    assert_eq!(play.refused(&ann, at(5, Command::HouseWay)), "no_hand");
    let own = cards(&play, &viewer("ann"), 3).unwrap();
    assert_eq!(play.refused(&ann, at(1, Command::Set { front: own[..5].to_owned() })), "not_their_cards");
    play.done(&ann, at(1, Command::HouseWay));
    play.done(&bob, Command::HouseWay);
    let round = play.table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!(round.net_cents.unwrap().into_keys().collect::<Vec<_>>(), [1, 2, 3]);
    // A player with a wager keeps that seat, and no other.
    play.clock();
    play.done(&ann, at(1, wager(500)));
    play.done(&bob, wager(500));
    play.done(&ann, at(5, Command::Return));
    play.clock();
    play.done(&ann, at(1, Command::Stand));
    play.done(&ann, at(3, Command::Stand));
    assert!(seat(&play, &Viewer::Watcher, 1).leaving);
    assert_eq!(play.table.view(&viewer("ann")).yours, [1, 5]);
    // All of it goes back to its player, seat by seat.
    let before = play.balance("ann");
    play.done(&operator(), Command::Void { reason: "a card lay open".into() });
    assert_eq!(play.balance("ann"), before + 500);
}

/// CA-7: the bank goes round; a player has it with one seat, and is offered it once a round.
#[test]
fn a_player_banks_with_one_seat_and_wagers_at_none_of_the_others() {
    let mut play = table("california", "3", &[(1, "ann"), (2, "ann")]);
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Waiting, "no seat plays against ann");
    play.issue("bob", 1_000_000);
    let (ann, bob) = (player("ann"), player("bob"));
    play.done(&bob, Command::Sit { seat: 4 });
    assert_eq!(offered(&play), Some(1));
    play.done(&ann, at(1, Command::PassBank));
    assert_eq!(offered(&play), Some(4), "ann has passed at both seats");
    play.done(&bob, Command::PassBank);
    play.clock();
    assert_eq!(offered(&play), Some(1));
    assert_eq!(play.refused(&ann, at(2, Command::TakeBank { cents: 50_000 })), "bank_not_offered");
    for round in 0..2 {
        assert_eq!(offered(&play), Some(1), "round {round}");
        play.done(&ann, at(1, Command::TakeBank { cents: 50_000 }));
        assert_eq!(play.refused(&ann, at(1, wager(500))), "banker_wagers");
        assert_eq!(play.refused(&ann, at(2, wager(500))), "own_bank");
        let stake = Stake { wager: "pai-gow".to_owned(), cents: 1, color: None };
        let refusal = play
            .try_do(&ann, &at(2, Command::Wagers { wagers: vec![stake], ready: false, commitment: None }));
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains("of the same player") && refusal.contains("minimum"), "{refusal}");
        // The table does not wait for seats that cannot wager.
        play.done(&bob, wager(1_000));
        play.done(&bob, Command::Ready);
        assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Settings);
        assert!(
            seat(&play, &Viewer::Watcher, 2).hand.is_none()
                || seat(&play, &Viewer::Watcher, 2).wagers.is_empty()
        );
        play.clock();
        play.clock();
    }
    // It is a person who has banked two rounds running, wherever that person sits.
    assert_eq!(offered(&play), Some(4));
    play.done(&bob, Command::PassBank);
    let after = play.table.view(&Viewer::Watcher);
    assert!(after.offered.is_none() && after.phase == PhaseName::Between, "{:?}", after.offered);
    assert_eq!(after.last_bank.unwrap().rounds, 2);
}

/// The other seats of a player who banks for long do not sit out for it.
#[test]
fn seats_that_cannot_wager_miss_nothing() {
    let mut play = Play::open_with(
        "california",
        &[("seats.hands_per_player", "2"), ("banking.rounds_running_max", "9")],
        0,
    );
    for (seat, name) in [(1, "ann"), (2, "ann"), (4, "bob")] {
        if play.balance(name) == 0 {
            play.issue(name, 1_000_000);
        }
        play.done(&player(name), Command::Sit { seat });
    }
    for _ in 0..5 {
        play.done(&player("ann"), at(1, Command::TakeBank { cents: 50_000 }));
        play.done(&player("bob"), wager(500));
        play.done(&player("bob"), Command::Ready);
        play.clock();
        play.clock();
    }
    assert!(!seat(&play, &Viewer::Watcher, 2).out);
    // With wagers of others open to it, a seat that makes none for three rounds does.
    play.done(&player("ann"), at(1, Command::PassBank));
    for _ in 0..4 {
        let _ = play.try_do(&player("bob"), &Command::TakeBank { cents: 50_000 });
        play.done(&player("ann"), at(1, wager(500)));
        play.clock();
        play.clock();
        play.clock();
        if offered(&play) == Some(1) {
            play.done(&player("ann"), at(1, Command::PassBank));
        }
    }
    assert!(seat(&play, &Viewer::Watcher, 2).out);
}

/// Where the dealer may bank too, wagers at other seats are taken back before the bank is taken.
#[test]
fn wagers_at_other_seats_keep_a_player_from_the_bank() {
    let mut play = table("south-beach", "2", &[(1, "ann"), (2, "ann"), (3, "bob")]);
    let ann = player("ann");
    play.done(&ann, at(2, wager(500)));
    assert_eq!(play.refused(&ann, at(1, Command::TakeBank { cents: 50_000 })), "own_bank");
    play.done(&ann, at(2, Command::Clear { wager: None }));
    play.done(&ann, at(1, Command::TakeBank { cents: 50_000 }));
    assert_eq!(play.refused(&ann, at(2, wager(500))), "own_bank");
    play.done(&player("bob"), wager(500));
    play.done(&ann, at(1, Command::GiveBankBack));
    play.done(&ann, at(2, wager(500)));
}

/// All seats of a player share what that player may change in a round, and so do seats that were given up.
#[test]
fn changes_are_counted_by_player() {
    let mut play = table("ez", "2", &[(1, "ann"), (2, "ann"), (3, "bob")]);
    let ann = player("ann");
    // Sitting down at the second seat was the first.
    for change in 0..99 {
        play.done(&ann, at(1, wager(500 + change)));
        play.done(&ann, at(2, wager(500 + change)));
    }
    play.done(&ann, at(1, wager(700)));
    assert_eq!(play.refused(&ann, at(1, Command::Ready)), "too_many_changes");
    play.done(&ann, at(2, Command::Stand));
    assert_eq!(play.refused(&ann, Command::Ready), "too_many_changes");
    assert_eq!(play.refused(&ann, Command::Sit { seat: 5 }), "too_many_changes");
    play.done(&ann, Command::Stand);
    assert_eq!(play.refused(&ann, Command::Sit { seat: 1 }), "too_many_changes");
    play.done(&player("bob"), wager(500));
}

/// SD-5: no envy bonus for one's own hand, at whichever seat.
#[test]
fn own_hands_earn_no_envy_bonus() {
    let pays = "[{ hand = \"full_house\", pays = 5, envy = \"3.00\" }, { hand = \"three_of_a_kind\", pays = 2, envy = \"2.00\" }, \
                { hand = \"two_pair\", pays = 1, envy = \"1.00\" }]";
    let changes = [("seats.hands_per_player", "2"), ("wagers.fortune.paytables.FPG-01.pays", pays)];
    let mut play = Play::open_with("washington", &changes, 0);
    for (seat, name) in [(1, "ann"), (2, "ann"), (3, "bob")] {
        if play.balance(name) == 0 {
            play.issue(name, 10_000_000);
        }
        play.done(&player(name), Command::Sit { seat });
    }
    for _ in 0..60 {
        for (seat, name) in [(1, "ann"), (2, "ann"), (3, "bob")] {
            play.done(&player(name), at(seat, wager(1_000)));
            play.done(&player(name), at(seat, side("fortune", 500)));
        }
        play.clock();
        play.clock();
        play.clock();
    }
    let lines = play.log.iter().filter_map(|event| match event {
        TableEvent::Settled { settlement, .. } => Some(settlement),
        _ => None,
    });
    let envy = lines.flatten().filter_map(|line| match line.reason {
        Some(ReasonCode::Envy { seat, .. }) => Some((line.who.as_str(), seat)),
        _ => None,
    });
    let mut pairs: Vec<(&str, u8)> = envy.collect();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs, [("seat-1", 3), ("seat-2", 3), ("seat-3", 1), ("seat-3", 2)]);
}

/// Commands without a seat are written as version 0.1.0 wrote them; with one, the seat is one field more.
#[test]
fn a_command_is_written_with_its_seat() {
    let written = |command: &Command| serde_json::to_string(command).unwrap();
    let pairs = [
        (Command::Stand, r#"{"do":"stand"}"#),
        (Command::SitOut, r#"{"do":"sit_out"}"#),
        (wager(500), r#"{"do":"wager","wager":"pai-gow","cents":500,"color":null}"#),
        (Command::Clear { wager: None }, r#"{"do":"clear","wager":null}"#),
        (
            Command::Wagers { wagers: Vec::new(), ready: true, commitment: None },
            r#"{"do":"wagers","wagers":[],"ready":true}"#,
        ),
        (Command::Sit { seat: 3 }, r#"{"do":"sit","seat":3}"#),
        (Command::Vacate { seat: 3 }, r#"{"do":"vacate","seat":3}"#),
        (at(3, Command::Stand), r#"{"do":"stand","seat":3}"#),
        (at(2, wager(500)), r#"{"do":"wager","wager":"pai-gow","cents":500,"color":null,"seat":2}"#),
        (at(7, Command::PickPile { pile: 1 }), r#"{"do":"pick_pile","pile":1,"seat":7}"#),
    ];
    for (command, text) in pairs {
        assert_eq!(written(&command), text);
        assert_eq!(serde_json::from_str::<Command>(text).unwrap(), command);
    }
    // Commands of the house and of the clock have no seat of a player.
    for text in [r#"{"do":"tick","seat":1}"#, r#"{"do":"pause","seat":1}"#, r#"{"do":"stand","seat":256}"#] {
        assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
    }
    let mut play = table("ez", "2", &[(1, "ann")]);
    assert_eq!(play.refused(&player("ann"), at(1, Command::Pause)), "operators_only");
    assert_eq!(play.refused(&Actor::Clock, at(1, Command::Stand)), "players_only");
}
