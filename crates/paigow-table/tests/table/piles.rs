//! The action pile that the banker picks (CA-5).

use crate::play::{Play, player, wager};
use paigow::{Deal, Seat, Shuffle, parse_cards};
use paigow_table::{Command, TableEvent, TablePhase, Viewer};

const PICK_PILE: fn(u8) -> Command = |pile| Command::PickPile { pile };

/// Returns a table with three players. The second banks, and wagers are open.
fn banked(changes: &[(&str, &str)]) -> Play {
    // Protocol version 1 stores the cards.
    let mut play = Play::open_with("california", changes, 0).version_1();
    for (seat, name) in [(1, "ann"), (2, "bob"), (5, "cat")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play.run(&player("ann"), Command::PassBank);
    play.run(&player("bob"), Command::TakeBank { cents: 50_000 });
    play
}

/// Returns the hands of the seats when the rules deal the stored cards with this pile.
fn by_the_rules(play: &Play, pile: Option<u8>, seats: &[u8]) -> Vec<String> {
    let (cards, dice) = play
        .log
        .iter()
        .find_map(|event| match event {
            TableEvent::Dealt { cards, dice, .. } => Some((cards.clone(), *dice)),
            _ => None,
        })
        .unwrap();
    let cards = cards.split(' ').map(|card| parse_cards(card, Some(1)).unwrap().iter().next().unwrap());
    let shuffle = Shuffle::new(cards.collect::<Vec<_>>().try_into().unwrap()).unwrap();
    let plays = std::array::from_fn(|index| seats.contains(&(index as u8 + 1)));
    let book = play.table.table_rules().book();
    let deal = Deal::new(book, &shuffle, dice, pile, plays, Seat::new(2)).unwrap();
    seats.iter().map(|seat| deal.hands[usize::from(*seat) - 1].unwrap().to_string()).collect()
}

fn hands(play: &Play) -> Vec<String> {
    let seats = play.table.view(&Viewer::Auditor).seats;
    seats.into_iter().filter_map(|seat| seat.hand?.cards).collect()
}

#[test]
fn picked_pile_goes_first() {
    let mut dealt = Vec::new();
    for pile in [None, Some(1), Some(2), Some(7)] {
        let mut play = banked(&[]);
        let (ann, bob, cat) = (player("ann"), player("bob"), player("cat"));
        if let Some(pile) = pile {
            // The last pick counts. Picking the same pile again changes nothing.
            play.run(&bob, PICK_PILE(3));
            play.run(&bob, PICK_PILE(pile));
            assert!(play.run(&bob, PICK_PILE(pile)).events.is_empty());
        }
        assert_eq!(play.table.view(&Viewer::Watcher).round.unwrap().pile, pile, "every viewer sees the pick");
        play.run(&ann, wager(500));
        play.run(&cat, wager(500));
        play.clock();
        assert_eq!(hands(&play), by_the_rules(&play, pile, &[1, 2, 5]));
        assert_eq!(play.refused(&bob, PICK_PILE(1)), "not_now");
        dealt.push(hands(&play));
    }
    assert_eq!(dealt[0], dealt[1], "the default is the first pile");
    assert!(dealt[1] != dealt[2] && dealt[2] != dealt[3] && dealt[1] != dealt[3]);
}

#[test]
fn only_the_banker_picks_if_the_book_allows_it() {
    let mut play = banked(&[]);
    let (ann, bob) = (player("ann"), player("bob"));
    assert_eq!(play.refused(&ann, PICK_PILE(1)), "not_the_banker");
    for pile in [0, 8, 255] {
        assert_eq!(play.refused(&bob, PICK_PILE(pile)), "bad_action_pile");
    }
    play.run(&bob, PICK_PILE(7));
    assert_eq!(play.table.facts().banking.piles, 7);
    let mut play = Play::open("south-beach");
    play.issue("ann", 10_000);
    play.run(&ann, Command::Sit { seat: 1 });
    assert_eq!(play.refused(&ann, PICK_PILE(1)), "not_the_banker");
    play.run(&ann, Command::TakeBank { cents: 5_000 });
    assert_eq!(play.refused(&ann, PICK_PILE(1)), "bad_action_pile");
    assert_eq!(play.table.facts().banking.piles, 0);
}

/// If only playing seats are dealt to, the number of piles is known only when wagers close.
#[test]
fn pile_beyond_last_wraps_around() {
    for (pile, counted) in [(1, 1), (2, 2), (3, 1), (7, 1)] {
        let mut play = banked(&[("dealing.spots", "active")]);
        play.run(&player("bob"), PICK_PILE(pile));
        play.run(&player("ann"), wager(500));
        play.clock();
        assert!(matches!(play.table.phase(), TablePhase::Settings { .. }));
        assert_eq!(hands(&play), by_the_rules(&play, Some(counted), &[1, 2]), "pile {pile}");
    }
}

#[test]
fn pick_applies_to_one_round() {
    let mut play = banked(&[]);
    play.run(&player("bob"), PICK_PILE(4));
    play.run(&player("ann"), wager(500));
    for _ in 0..3 {
        play.clock();
    }
    play.run(&player("bob"), Command::TakeBank { cents: 50_000 });
    assert_eq!(play.table.view(&Viewer::Watcher).round.unwrap().pile, None);
}
