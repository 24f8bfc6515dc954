//! No view holds a card its viewer may not see, in any state of long play at any book.

use crate::play::Play;
use crate::random::{NAMES, Rng};
use paigow::Card;
use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, Contributions, FairDeal, SeatBytes, TableEvent, TablePhase, Viewer};
use std::collections::BTreeSet;

/// The words of a text: cards are written in words of their own, digests are words of 64 letters.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).collect()
}

/// What is known of the round that goes on or was the last, from the log alone.
#[derive(Default)]
struct Known {
    secret: String,
    is_over: bool,
    is_dealt: bool,
}

impl Known {
    fn of(log: &[TableEvent], secret: String) -> Known {
        let mut known = Known { secret, is_over: true, ..Known::default() };
        for event in log {
            match event {
                TableEvent::RoundOpened { .. } => known.is_over = false,
                TableEvent::Dealt { .. } => known.is_dealt = true,
                TableEvent::Settled { .. }
                | TableEvent::RoundVoided { .. }
                | TableEvent::RoundAbandoned { .. } => {
                    known.is_over = true;
                }
                _ => {}
            }
        }
        known
    }
}

fn look(play: &Play, deck: &BTreeSet<String>, shown: &mut usize) {
    let start =
        play.log.iter().rposition(|event| matches!(event, TableEvent::RoundOpened { .. })).unwrap_or(0);
    let all = play.table.view(&Viewer::Auditor);
    let secret = all.round.as_ref().and_then(|round| round.secret);
    let known = Known::of(&play.log[start..], secret.map(String::from).unwrap_or_default());
    let mut viewers: Vec<Viewer> = NAMES.iter().map(|name| Viewer::Player(name.parse().unwrap())).collect();
    viewers.extend([Viewer::Watcher, Viewer::Operator, Viewer::Player("zoe".parse().unwrap())]);
    for viewer in viewers {
        let text = serde_json::to_string(&play.table.view(&viewer)).unwrap();
        let words = words(&text);
        let seen: BTreeSet<&str> = words.iter().copied().filter(|word| deck.contains(*word)).collect();
        if known.is_over {
            continue;
        }
        assert!(!text.contains(&known.secret), "{viewer:?} sees the secret: {text}");
        let own =
            all.seats.iter().find(|seat| matches!(&viewer, Viewer::Player(player) if *player == seat.player));
        let own =
            own.and_then(|seat| seat.hand.as_ref()).and_then(|hand| hand.cards.clone()).unwrap_or_default();
        let own: BTreeSet<&str> = own.split_whitespace().collect();
        assert!(own.is_empty() || known.is_dealt);
        assert_eq!(seen, own, "{viewer:?} {:?}: {text}", play.table.phase());
        *shown += usize::from(!own.is_empty());
    }
    if known.is_over && known.is_dealt {
        // Everybody may check the deal now.
        let text = serde_json::to_string(&play.table.view(&Viewer::Watcher)).unwrap();
        assert!(text.contains(&known.secret));
    }
}

#[test]
fn no_view_holds_a_hidden_card_or_the_secret() {
    let deck: BTreeSet<String> = Card::deck().map(|card| card.to_string()).collect();
    assert_eq!(deck.len(), 53);
    for (book, seed) in BuiltIn::book_names().flat_map(|book| (0..3).map(move |seed| (book, seed))) {
        let mut rng = Rng(seed);
        let mut play = Play::open_with(book, &[], 500);
        for name in NAMES {
            play.issue(name, 10_000_000);
        }
        let mut shown = 0;
        for _ in 0..1_500 {
            let late = rng.below(12) == 0;
            if late && let Some(due) = play.table.due() {
                play.now = due;
                play.done(&Actor::Clock, Command::Tick);
            } else {
                let (by, command) = crate::random::command(&mut rng, &play);
                // Refusals are part of it.
                let _ = play.try_do(&by, &command);
            }
            look(&play, &deck, &mut shown);
        }
        assert!(shown > 50, "{book}: hands were hardly ever looked at ({shown})");
    }
}

/// The same for hands that are set, where the front could tell.
#[test]
fn a_hand_that_is_set_stays_hidden_until_the_round_is_over() {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.done(&crate::play::player(name), Command::Sit { seat });
        play.done(&crate::play::player(name), crate::play::wager(500));
    }
    play.clock();
    play.done(&crate::play::player("ann"), Command::HouseWay);
    let hand = |play: &Play, viewer: &Viewer| play.table.view(viewer).seats[0].hand.clone().unwrap();
    for viewer in [Viewer::Watcher, Viewer::Operator, Viewer::Player("bob".parse().unwrap())] {
        let seen = hand(&play, &viewer);
        assert!(seen.set && seen.by.is_some());
        assert_eq!((seen.cards, seen.low, seen.high, seen.foul), (None, None, None, None));
    }
    assert!(hand(&play, &Viewer::Player("ann".parse().unwrap())).low.is_some());
    play.done(&crate::play::player("bob"), Command::HouseWay);
    assert!(matches!(play.table.phase(), TablePhase::Between { .. }));
    assert!(hand(&play, &Viewer::Watcher).low.is_some());
}

/// What a watcher sees of a round that is over is enough to derive its deal.
#[test]
fn a_deal_is_checked_from_the_view_alone() {
    let mut play = Play::open("ez").version_1();
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.done(&crate::play::player(name), Command::Sit { seat });
        play.done(&crate::play::player(name), crate::play::wager(500));
        let bytes = SeatBytes::new(vec![seat; 20]).unwrap();
        play.done(&crate::play::player(name), Command::AddBytes { bytes });
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
