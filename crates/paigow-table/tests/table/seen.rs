//! Seen events: they contain no hidden data, and suffice to update every view.

use crate::play::{Play, operator, player, wager};
use crate::random::NAMES;
use paigow::Card;
use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, PhaseName, SeenEvent, Table, TableEvent, View, Viewer};
use paigow_testkit::Rng;
use std::collections::BTreeSet;

fn viewers() -> Vec<Viewer> {
    let players = NAMES.into_iter().chain(["zoe"]).map(|name| Viewer::Player(name.parse().unwrap()));
    players.chain([Viewer::Watcher, Viewer::Operator, Viewer::Auditor]).collect()
}

/// A table with one view for every kind of viewer, updated by seen events.
struct Watched {
    play: Play,
    /// Replay of the events seen so far.
    table: Table,
    /// Number of events seen so far.
    seen_count: usize,
    views: Vec<(Viewer, View)>,
    deck: BTreeSet<String>,
    /// Number of seen events with private data.
    private: usize,
}

impl Watched {
    fn new(play: Play) -> Watched {
        let table = play.table.clone();
        let views = viewers().into_iter().map(|viewer| (viewer.clone(), table.view(&viewer))).collect();
        let deck = Card::deck().map(|card| card.to_string()).collect();
        let seen_count = play.log.len();
        Watched { play, table, seen_count, views, deck, private: 0 }
    }

    /// Updates and checks every view with the new events, one by one.
    fn update(&mut self) {
        let log = self.play.log.split_off(self.seen_count);
        for event in &log {
            self.table.apply(event).unwrap();
            let public = self.table.seen(event, &Viewer::Watcher);
            let private_seats = self.table.seats_with_private_view(event);
            for (viewer, view) in &mut self.views {
                let seen = self.table.seen(event, viewer);
                view.apply(&seen);
                assert_eq!(*view, self.table.view(viewer), "{viewer:?} after {event:?}");
                if *viewer == Viewer::Auditor {
                    continue;
                }
                // Viewers without private data see the same value as a watcher.
                let sees_more = view.yours.iter().any(|own| private_seats.contains(own));
                assert_eq!(seen == public, !sees_more, "{viewer:?} {event:?}");
                self.private += usize::from(sees_more);
                check_no_leak(&self.table, &self.deck, viewer, &seen);
            }
        }
        self.seen_count += log.len();
        self.play.log.extend(log);
    }
}

/// Checks that a seen event contains no card hidden from its viewer, no secret before the round is over, and no hold.
fn check_no_leak(table: &Table, deck: &BTreeSet<String>, viewer: &Viewer, seen: &SeenEvent) {
    let text = serde_json::to_string(seen).unwrap();
    assert!(!text.contains("\"hold\""), "{text}");
    let all = table.view(&Viewer::Auditor);
    let Some(round) = all.round else { return };
    if all.phase == PhaseName::Between {
        return;
    }
    assert!(!text.contains(&String::from(round.secret.unwrap())), "{viewer:?} sees the secret: {text}");
    let own =
        all.seats.iter().filter(|seat| matches!(viewer, Viewer::Player(player) if *player == seat.player));
    let own: Vec<String> = own.filter_map(|seat| seat.hand.clone()?.cards).collect();
    let own: BTreeSet<&str> = own.iter().flat_map(|cards| cards.split(' ')).collect();
    let cards = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| deck.contains(*word));
    for card in cards {
        assert!(own.contains(card), "{viewer:?} sees {card}: {text}");
    }
}

#[test]
fn seen_events_update_views() {
    // In every second run, players may have several hands.
    for (book, seed) in BuiltIn::book_names().flat_map(|book| (0..4).map(move |seed| (book, seed))) {
        let mut rng = Rng::new(seed);
        let hands: &[(&str, &str)] = if seed % 2 == 0 { &[] } else { &[("seats.hands_per_player", "3")] };
        let mut play = Play::open_with(book, hands, 500);
        for name in NAMES {
            play.issue(name, 10_000_000);
        }
        let mut watched = Watched::new(play);
        let mut kinds = BTreeSet::new();
        for _ in 0..4_000 {
            if rng.below(12) == 0
                && let Some(due) = watched.play.table.due()
            {
                watched.play.now = due;
                watched.play.run(&Actor::Clock, Command::Tick);
            } else {
                let (by, command) = crate::random::command(&mut rng, &watched.play);
                // The command may be refused.
                let _ = watched.play.try_run(&by, &command);
            }
            watched.update();
        }
        watched.play.try_run(&operator(), &Command::Notice { text: "the end".to_owned() }).unwrap();
        let _ = watched.play.try_run(&operator(), &Command::Void { reason: "the end".into() });
        watched.play.run(&operator(), Command::Close);
        if !watched.play.table.is_closed() {
            watched.play.clock();
        }
        watched.update();
        for event in &watched.play.log {
            let seen = serde_json::to_value(watched.table.seen(event, &Viewer::Watcher)).unwrap();
            let event = serde_json::to_value(event).unwrap();
            assert_eq!(seen["event"], event["event"], "seen events have the names of events");
            kinds.insert(event["event"].as_str().unwrap().to_owned());
        }
        assert!(kinds.len() > 18, "{book}: {kinds:?}");
        assert!(watched.private > 30, "{book}: {}", watched.private);
    }
}

#[test]
fn seen_events_omit_hidden_fields() {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 10_000);
        play.run(&player(name), Command::Sit { seat });
        play.run(&player(name), wager(500));
    }
    play.clock();
    let seen = |play: &Play, viewer: &Viewer, name: &str| {
        let mut events =
            play.log.iter().map(|event| serde_json::to_value(play.table.seen(event, viewer)).unwrap());
        events.rfind(|event| event["event"] == name).unwrap()
    };
    let keys = |value: &serde_json::Value| {
        value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    let [ann, watcher] = [Viewer::Player("ann".parse().unwrap()), Viewer::Watcher];
    assert_eq!(keys(&seen(&play, &watcher, "opened")), "event table book currency facts");
    assert_eq!(
        keys(&seen(&play, &watcher, "round_opened")),
        "event round protocol commitment opened_at key signature"
    );
    assert_eq!(
        keys(&seen(&play, &Viewer::Auditor, "round_opened")),
        "event round protocol commitment opened_at key signature secret"
    );
    assert_eq!(keys(&seen(&play, &watcher, "wagered")), "event seat wager cents color");
    assert_eq!(keys(&seen(&play, &watcher, "dealt")), "event dice until seats");
    assert_eq!(keys(&seen(&play, &ann, "dealt")), "event dice until seats hands");
    assert_eq!(keys(&seen(&play, &ann, "dealt")["hands"]), "1");
    assert_eq!(keys(&seen(&play, &Viewer::Auditor, "dealt")), "event dice until seats hands dealer");
    play.run(&player("ann"), Command::HouseWay);
    assert_eq!(keys(&seen(&play, &watcher, "hand_set")), "event seat by");
    assert_eq!(keys(&seen(&play, &ann, "hand_set")), "event seat by low high foul");
    play.clock();
    let settled = seen(&play, &watcher, "settled");
    let fields = "event secret settlement settled_at steps until hands dealer net_cents last_bank";
    assert_eq!(keys(&settled), fields);
    assert_eq!(keys(&settled["hands"]), "1 2");
    assert_eq!(keys(&settled["net_cents"]), "1 2");
    for hand in [&settled["hands"]["1"], &settled["hands"]["2"], &settled["dealer"]] {
        assert!(hand["cards"].is_string() && hand["low"].is_string() && hand["foul"].is_boolean(), "{hand}");
    }
}

#[test]
fn facts_of_tables() {
    let facts = Play::open("california").table.facts();
    assert_eq!((facts.seats, facts.dealer_hand), (7, false));
    assert!(facts.banking.seats && facts.banking.offered && !facts.banking.covers_all);
    assert_eq!(facts.banking.rounds_max, Some(2));
    let [base, fortune] = &facts.wagers[..] else { panic!("{:?}", facts.wagers) };
    assert_eq!((&*base.wager, base.min_cents, base.max_cents), ("pai-gow", 500, 1_000_000));
    assert_eq!((&*fortune.wager, fortune.min_cents, fortune.max_cents), ("fortune", 100, 50_000));
    assert_eq!((fortune.paytable.as_deref(), fortune.envy_from_cents), (Some("FPG-01"), Some(500)));
    let facts = Play::open_with("south-beach", &[], 500).table.facts();
    assert!(facts.dealer_hand && facts.banking.covers_all && !facts.banking.offered);
    assert_eq!(facts.banking.dealer_wager_cents, 500);
    assert!(Play::open("ez").table.facts().wagers.iter().any(|wager| wager.color));
}

/// A view has the seat that the bank is offered to, the seats that passed, and the last banker.
#[test]
fn view_shows_bank() {
    let mut play = Play::open("california");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    let view = |play: &Play| play.table.view(&Viewer::Watcher);
    assert_eq!(view(&play).offered, Some(1));
    play.run(&player("ann"), Command::PassBank);
    assert_eq!((view(&play).offered, view(&play).round.unwrap().passed), (Some(2), vec![1]));
    play.run(&player("bob"), Command::TakeBank { cents: 10_000 });
    assert_eq!(view(&play).offered, None);
    play.run(&player("ann"), wager(500));
    play.clock();
    assert!(view(&play).round.unwrap().lines.is_none());
    play.clock();
    let (bank, lines) = (view(&play).last_bank.unwrap(), view(&play).round.unwrap().lines.unwrap());
    assert_eq!((bank.player.as_str(), bank.seat, bank.rounds), ("bob", 2, 1));
    let settled = play.log.iter().find_map(|event| match event {
        TableEvent::Settled { settlement, .. } => Some(settlement.clone()),
        _ => None,
    });
    assert_eq!(lines, play.table.lines(&settled.unwrap()));
}
