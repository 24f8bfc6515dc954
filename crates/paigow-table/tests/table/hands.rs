//! Several hands of one player, at a table whose book allows it.

use crate::play::{Play, operator, player, side, wager};
use paigow_table::{
    Actor, Command, HandView, PhaseName, ReasonCode, SeatBytes, SeatView, Stake, TableEvent, Viewer,
};

/// Returns a table with this limit of hands per player, and with these seats taken.
fn table(book: &str, hands: &str, seats: &[(u8, &str)]) -> Play {
    let mut play = Play::open_with(book, &[("seats.hands_per_player", hands)], 0);
    for (seat, name) in seats {
        if play.balance(name) == 0 {
            play.issue(name, 1_000_000);
        }
        play.run(&player(name), Command::Sit { seat: *seat });
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
fn player_takes_as_many_seats_as_the_book_allows() {
    let mut play = table("ez", "1", &[(1, "ann")]);
    assert_eq!(play.refused(&player("ann"), Command::Sit { seat: 2 }), "already_seated");
    let mut play = table("ez", "2", &[(1, "ann"), (4, "ann"), (2, "bob")]);
    let (ann, bob) = (player("ann"), player("bob"));
    assert_eq!(play.refused(&ann, Command::Sit { seat: 5 }), "too_many_hands");
    assert_eq!(play.refused(&ann, Command::Sit { seat: 4 }), "too_many_hands");
    assert_eq!(play.table.facts().hands_per_player, 2);
    let view = play.table.view(&viewer("ann"));
    assert_eq!((view.you, view.yours), (Some(1), vec![1, 4]));
    // A player with several seats must name one. A player with one seat need not.
    assert_eq!(play.refused(&ann, wager(500)), "which_seat");
    assert_eq!(play.refused(&ann, Command::Stand), "which_seat");
    assert_eq!(play.refused(&ann, at(2, wager(500))), "not_your_seat");
    assert_eq!(play.refused(&ann, at(9, wager(500))), "not_your_seat");
    assert_eq!(play.refused(&player("eve"), at(1, wager(500))), "not_seated");
    play.run(&bob, wager(500));
    play.run(&bob, at(2, wager(700)));
    play.run(&ann, at(4, wager(500)));
    // Leaving one seat keeps the other.
    play.run(&ann, at(1, Command::Stand));
    assert_eq!(play.table.view(&viewer("ann")).yours, [4]);
    play.run(&ann, wager(900));
    assert_eq!(seat(&play, &Viewer::Watcher, 4).wagers["pai-gow"].cents, 900);
    // Only the seat's player may use it, and only the house may free it.
    play.run(&ann, Command::Sit { seat: 6 });
    play.run(&operator(), Command::Vacate { seat: 6 });
    assert_eq!(play.table.view(&viewer("ann")).yours, [4]);
}

#[test]
fn seats_of_one_player_are_independent() {
    let mut play = table("ez", "3", &[(1, "ann"), (3, "ann"), (5, "ann"), (2, "bob")]);
    let (ann, bob) = (player("ann"), player("bob"));
    play.run(&ann, at(1, wager(500)));
    play.run(&ann, at(1, side("dynasty", 600)));
    let stake = Stake { wager: "pai-gow".to_owned(), cents: 1_100, color: None };
    play.run(&ann, at(3, Command::Wagers { wagers: vec![stake], ready: true, commitment: None }));
    let bytes = SeatBytes::new(vec![9; 32]).unwrap();
    let commitment = bytes.commitment(play.table.id(), 1, 3);
    play.run(&ann, at(3, Command::Commit { commitment }));
    play.run(&ann, at(5, Command::SitOut));
    play.run(&bob, wager(500));
    play.run(&bob, Command::Ready);
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
    play.run(&ann, at(1, Command::Clear { wager: Some("dynasty".to_owned()) }));
    // The deal waits for every active seat.
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Wagers);
    play.run(&ann, at(1, Command::Ready));
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Revealing);
    play.run(&ann, at(3, Command::Reveal { bytes: bytes.clone() }));
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Settings);

    // The player sees only their own hands, and other viewers see neither.
    let cards = |play: &Play, viewer: &Viewer, number: u8| {
        seat(play, viewer, number).hand.and_then(|HandView { cards, .. }| cards)
    };
    for (number, name) in [(1, "ann"), (3, "ann"), (2, "bob")] {
        for other in ["ann", "bob", "eve"] {
            assert_eq!(cards(&play, &viewer(other), number).is_some(), name == other, "{other} at {number}");
        }
    }
    play.run(&ann, at(3, Command::HouseWay));
    assert_eq!(play.refused(&ann, at(3, Command::HouseWay)), "already_set");
    assert_eq!(play.refused(&ann, at(5, Command::HouseWay)), "no_hand");
    let own = cards(&play, &viewer("ann"), 3).unwrap();
    assert_eq!(play.refused(&ann, at(1, Command::Set { low: own[..5].to_owned() })), "not_their_cards");
    play.run(&ann, at(1, Command::HouseWay));
    play.run(&bob, Command::HouseWay);
    let round = play.table.view(&Viewer::Watcher).round.unwrap();
    assert_eq!(round.net_cents.unwrap().into_keys().collect::<Vec<_>>(), [1, 2, 3]);
    // A leaving player keeps only the seat with a wager.
    play.clock();
    play.run(&ann, at(1, wager(500)));
    play.run(&bob, wager(500));
    play.run(&ann, at(5, Command::Return));
    play.clock();
    play.run(&ann, at(1, Command::Stand));
    play.run(&ann, at(3, Command::Stand));
    assert!(seat(&play, &Viewer::Watcher, 1).leaving);
    assert_eq!(play.table.view(&viewer("ann")).yours, [1, 5]);
    // A void returns the wagers of all seats to the player.
    let before = play.balance("ann");
    play.run(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!(play.balance("ann"), before + 500);
}

/// CA-7: a player banks at one seat, and is offered the bank once a round.
#[test]
fn banker_cannot_wager_at_other_seats() {
    let mut play = table("california", "3", &[(1, "ann"), (2, "ann")]);
    assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Waiting, "ann has no opponent");
    play.issue("bob", 1_000_000);
    let (ann, bob) = (player("ann"), player("bob"));
    play.run(&bob, Command::Sit { seat: 4 });
    assert_eq!(offered(&play), Some(1));
    play.run(&ann, at(1, Command::PassBank));
    assert_eq!(offered(&play), Some(4), "ann has passed at both seats");
    play.run(&bob, Command::PassBank);
    play.clock();
    assert_eq!(offered(&play), Some(1));
    assert_eq!(play.refused(&ann, at(2, Command::TakeBank { cents: 50_000 })), "bank_not_offered");
    for round in 0..2 {
        assert_eq!(offered(&play), Some(1), "round {round}");
        play.run(&ann, at(1, Command::TakeBank { cents: 50_000 }));
        assert_eq!(play.refused(&ann, at(1, wager(500))), "banker_wagers");
        assert_eq!(play.refused(&ann, at(2, wager(500))), "own_bank");
        let stake = Stake { wager: "pai-gow".to_owned(), cents: 1, color: None };
        let refusal = play
            .try_run(&ann, &at(2, Command::Wagers { wagers: vec![stake], ready: false, commitment: None }));
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains("of the same player") && refusal.contains("minimum"), "{refusal}");
        // The table does not wait for seats that cannot wager.
        play.run(&bob, wager(1_000));
        play.run(&bob, Command::Ready);
        assert_eq!(play.table.view(&Viewer::Watcher).phase, PhaseName::Settings);
        assert!(
            seat(&play, &Viewer::Watcher, 2).hand.is_none()
                || seat(&play, &Viewer::Watcher, 2).wagers.is_empty()
        );
        play.clock();
        play.clock();
    }
    // The limit of two rounds applies to the player at any seat.
    assert_eq!(offered(&play), Some(4));
    play.run(&bob, Command::PassBank);
    let after = play.table.view(&Viewer::Watcher);
    assert!(after.offered.is_none() && after.phase == PhaseName::Between, "{:?}", after.offered);
    assert_eq!(after.last_bank.unwrap().rounds, 2);
}

/// The banker's other seats cannot wager, so they do not sit out for missing wagers.
#[test]
fn other_seats_of_banker_do_not_sit_out() {
    let mut play = Play::open_with(
        "california",
        &[("seats.hands_per_player", "2"), ("banking.rounds_running_max", "9")],
        0,
    );
    for (seat, name) in [(1, "ann"), (2, "ann"), (4, "bob")] {
        if play.balance(name) == 0 {
            play.issue(name, 1_000_000);
        }
        play.run(&player(name), Command::Sit { seat });
    }
    for _ in 0..5 {
        play.run(&player("ann"), at(1, Command::TakeBank { cents: 50_000 }));
        play.run(&player("bob"), wager(500));
        play.run(&player("bob"), Command::Ready);
        play.clock();
        play.clock();
    }
    assert!(!seat(&play, &Viewer::Watcher, 2).out);
    // A seat that could wager and does not for three rounds sits out.
    play.run(&player("ann"), at(1, Command::PassBank));
    for _ in 0..4 {
        let _ = play.try_run(&player("bob"), &Command::TakeBank { cents: 50_000 });
        play.run(&player("ann"), at(1, wager(500)));
        play.clock();
        play.clock();
        play.clock();
        if offered(&play) == Some(1) {
            play.run(&player("ann"), at(1, Command::PassBank));
        }
    }
    assert!(seat(&play, &Viewer::Watcher, 2).out);
}

/// A player must take back wagers at other seats before taking the bank.
#[test]
fn own_wagers_prevent_taking_the_bank() {
    let mut play = table("south-beach", "2", &[(1, "ann"), (2, "ann"), (3, "bob")]);
    let ann = player("ann");
    play.run(&ann, at(2, wager(500)));
    assert_eq!(play.refused(&ann, at(1, Command::TakeBank { cents: 50_000 })), "own_bank");
    play.run(&ann, at(2, Command::Clear { wager: None }));
    play.run(&ann, at(1, Command::TakeBank { cents: 50_000 }));
    assert_eq!(play.refused(&ann, at(2, wager(500))), "own_bank");
    play.run(&player("bob"), wager(500));
    play.run(&ann, at(1, Command::GiveBankBack));
    play.run(&ann, at(2, wager(500)));
}

/// All seats of a player, including those left, share the player's limit of changes.
#[test]
fn changes_are_counted_by_player() {
    let mut play = table("ez", "2", &[(1, "ann"), (2, "ann"), (3, "bob")]);
    let ann = player("ann");
    // Taking the second seat was the first change, because taking the first seat opened the round.
    for change in 0..99 {
        play.run(&ann, at(1, wager(500 + change)));
        play.run(&ann, at(2, wager(500 + change)));
    }
    play.run(&ann, at(1, wager(700)));
    assert_eq!(play.refused(&ann, at(1, Command::Ready)), "too_many_changes");
    play.run(&ann, at(2, Command::Stand));
    assert_eq!(play.refused(&ann, Command::Ready), "too_many_changes");
    assert_eq!(play.refused(&ann, Command::Sit { seat: 5 }), "too_many_changes");
    play.run(&ann, Command::Stand);
    assert_eq!(play.refused(&ann, Command::Sit { seat: 1 }), "too_many_changes");
    play.run(&player("bob"), wager(500));
}

/// SD-5: a player gets no envy bonus for their own hands at other seats.
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
        play.run(&player(name), Command::Sit { seat });
    }
    for _ in 0..60 {
        for (seat, name) in [(1, "ann"), (2, "ann"), (3, "bob")] {
            play.run(&player(name), at(seat, wager(1_000)));
            play.run(&player(name), at(seat, side("fortune", 500)));
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

/// Commands without a seat are serialized as in version 0.1.0. The seat is an additional field.
#[test]
fn commands_are_serialized_with_seat() {
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
        (Command::Suspend { seat: 3 }, r#"{"do":"suspend","seat":3}"#),
        (at(3, Command::Stand), r#"{"do":"stand","seat":3}"#),
        (at(2, wager(500)), r#"{"do":"wager","wager":"pai-gow","cents":500,"color":null,"seat":2}"#),
        (at(7, Command::PickPile { pile: 1 }), r#"{"do":"pick_pile","pile":1,"seat":7}"#),
    ];
    for (command, text) in pairs {
        assert_eq!(written(&command), text);
        assert_eq!(serde_json::from_str::<Command>(text).unwrap(), command);
    }
    // Commands of operators and of the clock take no seat.
    for text in [r#"{"do":"tick","seat":1}"#, r#"{"do":"pause","seat":1}"#, r#"{"do":"stand","seat":256}"#] {
        assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
    }
    let mut play = table("ez", "2", &[(1, "ann")]);
    assert_eq!(play.refused(&player("ann"), at(1, Command::Pause)), "operators_only");
    assert_eq!(play.refused(&Actor::Clock, at(1, Command::Stand)), "players_only");
}
