//! Views contain no card hidden from their viewer, in any state of random play with any book.

use crate::play::Play;
use crate::random::NAMES;
use paigow::Card;
use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, Contributions, FairDeal, SeatBytes, TableEvent, TablePhase, Viewer};
use paigow_testkit::Rng;
use std::collections::BTreeSet;

/// Splits a text into words. Each card is a word, and a digest is a word of 64 letters.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).collect()
}

/// State of the current or last round, from the log.
#[derive(Default)]
struct LoggedRound {
    secret: String,
    is_over: bool,
    is_dealt: bool,
}

impl LoggedRound {
    fn of(log: &[TableEvent], secret: String) -> LoggedRound {
        let mut round = LoggedRound { secret, is_over: true, ..LoggedRound::default() };
        for event in log {
            match event {
                TableEvent::RoundOpened { .. } => round.is_over = false,
                TableEvent::Dealt { .. } => round.is_dealt = true,
                TableEvent::Settled { .. }
                | TableEvent::RoundVoided { .. }
                | TableEvent::RoundAbandoned { .. } => {
                    round.is_over = true;
                }
                _ => {}
            }
        }
        round
    }
}

/// Checks the views of all viewers. Counts in `shown` the hands that their own players see.
fn check_views(play: &Play, deck: &BTreeSet<String>, shown: &mut usize) {
    let start =
        play.log.iter().rposition(|event| matches!(event, TableEvent::RoundOpened { .. })).unwrap_or(0);
    let all = play.table.view(&Viewer::Auditor);
    let secret = all.round.as_ref().and_then(|round| round.secret);
    let round = LoggedRound::of(&play.log[start..], secret.map(String::from).unwrap_or_default());
    let mut viewers: Vec<Viewer> = NAMES.iter().map(|name| Viewer::Player(name.parse().unwrap())).collect();
    viewers.extend([Viewer::Watcher, Viewer::Operator, Viewer::Player("zoe".parse().unwrap())]);
    for viewer in viewers {
        let text = serde_json::to_string(&play.table.view(&viewer)).unwrap();
        let words = words(&text);
        let seen: BTreeSet<&str> = words.iter().copied().filter(|word| deck.contains(*word)).collect();
        if round.is_over {
            continue;
        }
        assert!(!text.contains(&round.secret), "{viewer:?} sees the secret: {text}");
        let own =
            all.seats.iter().find(|seat| matches!(&viewer, Viewer::Player(player) if *player == seat.player));
        let own =
            own.and_then(|seat| seat.hand.as_ref()).and_then(|hand| hand.cards.clone()).unwrap_or_default();
        let own: BTreeSet<&str> = own.split_whitespace().collect();
        assert!(own.is_empty() || round.is_dealt);
        assert_eq!(seen, own, "{viewer:?} {:?}: {text}", play.table.phase());
        *shown += usize::from(!own.is_empty());
    }
    if round.is_over && round.is_dealt {
        // Every viewer can verify the deal now.
        let text = serde_json::to_string(&play.table.view(&Viewer::Watcher)).unwrap();
        assert!(text.contains(&round.secret));
    }
}

#[test]
fn views_contain_no_hidden_card_or_secret() {
    let deck: BTreeSet<String> = Card::deck().map(|card| card.to_string()).collect();
    assert_eq!(deck.len(), 53);
    for book in BuiltIn::book_names() {
        let shown = views_with_a_hand(book, 0, &deck);
        assert!(shown > 50, "{book}: only {shown} views had a hand");
    }
}

/// Checks every view of random play. Returns how many of them had a hand.
fn views_with_a_hand(book: &str, seed: u64, deck: &BTreeSet<String>) -> usize {
    let mut rng = Rng::new(seed);
    let mut play = Play::open_with(book, &[], 500);
    for name in NAMES {
        play.issue(name, 10_000_000);
    }
    let mut shown = 0;
    for _ in 0..1_500 {
        let late = rng.below(12) == 0;
        if late && let Some(due) = play.table.due() {
            play.now = due;
            play.run(&Actor::Clock, Command::Tick);
        } else {
            let (by, command) = crate::random::command(&mut rng, &play);
            // The command may be refused.
            let _ = play.try_run(&by, &command);
        }
        check_views(&play, deck, &mut shown);
    }
    shown
}

/// Other viewers see that a hand is set, but not its low hand and high hand.
#[test]
fn set_hand_is_hidden_until_the_round_is_over() {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.run(&crate::play::player(name), Command::Sit { seat });
        play.run(&crate::play::player(name), crate::play::wager(500));
    }
    play.clock();
    play.run(&crate::play::player("ann"), Command::HouseWay);
    let hand = |play: &Play, viewer: &Viewer| play.table.view(viewer).seats[0].hand.clone().unwrap();
    for viewer in [Viewer::Watcher, Viewer::Operator, Viewer::Player("bob".parse().unwrap())] {
        let seen = hand(&play, &viewer);
        assert!(seen.set && seen.by.is_some());
        assert_eq!((seen.cards, seen.low, seen.high, seen.foul), (None, None, None, None));
    }
    assert!(hand(&play, &Viewer::Player("ann".parse().unwrap())).low.is_some());
    play.run(&crate::play::player("bob"), Command::HouseWay);
    assert!(matches!(play.table.phase(), TablePhase::Between { .. }));
    assert!(hand(&play, &Viewer::Watcher).low.is_some());
}

/// A watcher's view of a finished round suffices to derive its deal.
#[test]
fn deal_is_verified_from_the_view() {
    let mut play = Play::open("ez").version_1();
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.run(&crate::play::player(name), Command::Sit { seat });
        play.run(&crate::play::player(name), crate::play::wager(500));
        let bytes = SeatBytes::new(vec![seat; 20]).unwrap();
        play.run(&crate::play::player(name), Command::AddBytes { bytes });
    }
    play.clock();
    play.clock();
    let view = play.table.view(&Viewer::Watcher);
    let round = view.round.unwrap();
    assert_eq!(round.protocol, 1);
    let secret = round.secret.unwrap();
    assert_eq!(secret.commitment(&view.table, round.round), round.commitment);
    let deal = FairDeal {
        secret,
        table: &view.table,
        round: round.round,
        seats: Contributions::Added(&round.bytes),
    };
    let cards: Vec<String> = deal.shuffle().cards().iter().map(ToString::to_string).collect();
    let dealt = |event: &TableEvent| matches!(event, TableEvent::Dealt { cards: dealt, .. } if *dealt == cards.join(" "));
    assert!(play.log.iter().any(dealt));
}
