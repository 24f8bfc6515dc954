//! Deadlines, and commands in every phase: leaving, returning, pausing, closing and voiding.

use crate::play::{Play, operator, player, side, wager};
use paigow::parse_cards;
use paigow_table::{Actor, Command, Commitment, PhaseName, SetBy, TableEvent, TablePhase, Time, Viewer};

const PHASES: [PhaseName; 5] =
    [PhaseName::Waiting, PhaseName::Offering, PhaseName::Wagers, PhaseName::Settings, PhaseName::Between];

/// Returns a table with ann, bob and cat in this phase. Ann banks, bob has wagered and cat has not.
fn at(phase: PhaseName) -> Play {
    let mut play = Play::open("california");
    let players = if phase == PhaseName::Waiting { &["ann"][..] } else { &["ann", "bob", "cat"] };
    for (seat, name) in (1..).zip(players) {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    if matches!(phase, PhaseName::Wagers | PhaseName::Settings | PhaseName::Between) {
        play.run(&player("ann"), Command::TakeBank { cents: 10_000 });
        play.run(&player("bob"), wager(2_500));
    }
    if matches!(phase, PhaseName::Settings | PhaseName::Between) {
        play.clock();
    }
    if phase == PhaseName::Between {
        play.clock();
    }
    assert_eq!(phase_of(&play), phase);
    play
}

fn phase_of(play: &Play) -> PhaseName {
    play.table.view(&Viewer::Watcher).phase
}

fn due(play: &Play) -> Time {
    play.table.due().unwrap()
}

fn sits(play: &Play, name: &str) -> bool {
    play.table.players().any(|(_, player)| player.as_str() == name)
}

/// Fires deadlines until the table waits or opens a round.
fn run_out(play: &mut Play) {
    let round = play.table.round_number();
    for _ in 0..12 {
        if play.table.due().is_none() || play.table.round_number() > round {
            return;
        }
        play.clock();
    }
    panic!("the round does not finish: {:?}", play.table.phase());
}

fn commit() -> Command {
    Command::Commit { commitment: Commitment([1; 32]) }
}

#[test]
fn wagers_close_by_clock_or_when_all_are_ready() {
    let mut play = at(PhaseName::Wagers);
    play.clock();
    assert_eq!(phase_of(&play), PhaseName::Settings);

    let mut play = at(PhaseName::Wagers);
    play.run(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers);
    play.run(&player("cat"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
}

#[test]
fn next_round_opens_by_clock_or_when_all_have_asked() {
    let mut play = at(PhaseName::Between);
    let round = play.table.round_number();
    let asked = |play: &Play| {
        let seats = play.table.view(&Viewer::Watcher).seats;
        seats.iter().map(|seat| seat.next).collect::<Vec<_>>()
    };
    for name in ["ann", "bob"] {
        play.run(&player(name), Command::NextRound);
    }
    assert_eq!((phase_of(&play), asked(&play)), (PhaseName::Between, vec![true, true, false]));
    // A retry has no effect.
    assert!(play.run(&player("bob"), Command::NextRound).events.is_empty());
    play.run(&player("cat"), Command::NextRound);
    assert_eq!((play.table.round_number(), asked(&play)), (round + 1, vec![false; 3]));

    // A seat that sits out or leaves does not hold up the others, before or after they ask.
    for leave in [Command::SitOut, Command::Stand] {
        for leaves_first in [true, false] {
            let mut play = at(PhaseName::Between);
            if leaves_first {
                play.run(&player("cat"), leave.clone());
            }
            for name in ["ann", "bob"] {
                play.run(&player(name), Command::NextRound);
            }
            if !leaves_first {
                assert_eq!(play.table.round_number(), round);
                play.run(&player("cat"), leave.clone());
            }
            assert_eq!(play.table.round_number(), round + 1);
        }
    }

    // A request for the next round never counts for the round that has opened meanwhile.
    assert_eq!(at(PhaseName::Wagers).refused(&player("cat"), Command::NextRound), "not_now");

    // After a void the seats ask again.
    let mut play = at(PhaseName::Between);
    play.run(&player("ann"), Command::NextRound);
    play.run(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!(asked(&play), vec![false; 3]);
}

#[test]
fn changing_a_wager_clears_ready() {
    let mut play = at(PhaseName::Wagers);
    play.run(&player("bob"), Command::Ready);
    assert!(play.run(&player("bob"), Command::Ready).events.is_empty(), "a second ready changes nothing");
    play.run(&player("bob"), side("fortune", 500));
    play.run(&player("cat"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers);
    play.run(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
}

#[test]
fn round_without_wagers_is_abandoned() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    play.run(&player("ann"), Command::Sit { seat: 1 });
    play.run(&player("ann"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers, "wagers stay open without a wager");
    play.clock();
    assert!(matches!(play.log.last(), Some(TableEvent::RoundAbandoned { .. })));
}

/// The last seat that was not ready sits out or leaves, so the hands are dealt.
#[test]
fn leaving_seat_does_not_delay_the_deal() {
    for leave in [Command::SitOut, Command::Stand] {
        let mut play = at(PhaseName::Wagers);
        play.run(&player("bob"), Command::Ready);
        play.run(&player("cat"), leave);
        assert_eq!(phase_of(&play), PhaseName::Settings);
    }
}

#[test]
fn wager_of_seat_sitting_out_is_played() {
    let mut play = at(PhaseName::Wagers);
    play.run(&player("bob"), Command::SitOut);
    assert_eq!(play.refused(&player("bob"), side("fortune", 500)), "sitting_out");
    play.clock();
    play.run(&player("bob"), Command::HouseWay);
    play.run(&player("ann"), Command::HouseWay);
    assert_eq!(phase_of(&play), PhaseName::Between);
}

#[test]
fn commands_are_refused_from_the_deadline_on() {
    let late = |phase: PhaseName, name: &str, command: Command| {
        for by in [0, 1, 1_000_000] {
            let mut play = at(phase);
            play.now = Time(due(&play).0 + by);
            assert_eq!(play.refused(&player(name), command.clone()), "not_now", "{phase:?} {command:?}");
        }
        let mut play = at(phase);
        play.now = Time(due(&play).0 - 1);
        play.run(&player(name), command);
    };
    late(PhaseName::Offering, "ann", Command::TakeBank { cents: 10_000 });
    late(PhaseName::Offering, "ann", Command::PassBank);
    late(PhaseName::Wagers, "bob", wager(5_000));
    late(PhaseName::Wagers, "bob", side("fortune", 500));
    late(PhaseName::Wagers, "bob", Command::Clear { wager: None });
    late(PhaseName::Wagers, "bob", commit());
    late(PhaseName::Wagers, "bob", Command::Ready);
    late(PhaseName::Settings, "bob", Command::HouseWay);
    let hand = at(PhaseName::Settings).table.view(&Viewer::Auditor).seats[1].hand.clone().unwrap();
    let low = hand.cards.unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ");
    late(PhaseName::Settings, "bob", Command::Set { low });
}

/// Wagers stay closed after the deadline, even before the clock deals.
#[test]
fn leaving_after_the_deadline_keeps_the_wager() {
    let mut play = at(PhaseName::Wagers);
    play.now = due(&play);
    play.run(&player("bob"), Command::Stand);
    assert!(sits(&play, "bob"));
    assert_eq!(play.balance("bob"), 97_500);
    run_out(&mut play);
    assert!(!sits(&play, "bob"));
}

#[test]
fn clock_sets_hands_by_house_way() {
    let mut play = at(PhaseName::Settings);
    let effects = play.clock();
    for seat in [1, 2] {
        let set = TableEvent::HandSet { seat, low: String::new(), positions: None, by: SetBy::Clock };
        assert!(effects.events.contains(&set), "{:?}", effects.events);
        let view = play.table.view(&Viewer::Auditor);
        let hand = view.seats.iter().find(|view| view.seat == seat).unwrap().hand.clone().unwrap();
        let cards = parse_cards(&hand.cards.unwrap(), Some(7)).unwrap();
        let seven_cards = paigow::SevenCards::new(cards).unwrap();
        let setting = play.table.table_rules().house_way_setting(seven_cards);
        assert_eq!(hand.low.unwrap(), setting.low.to_string());
        assert_eq!(hand.by, Some(SetBy::Clock));
    }
}

#[test]
fn early_late_and_repeated_ticks() {
    assert_eq!(at(PhaseName::Waiting).refused(&Actor::Clock, Command::Tick), "nothing_due");
    for phase in PHASES.into_iter().skip(1) {
        let mut play = at(phase);
        let until = due(&play);
        play.now = Time(until.0 - 1);
        assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due", "{phase:?}");
        // An hour late, and by any actor.
        play.now = until.plus(3_600_000);
        play.run(&player("zoe"), Command::Tick);
        assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due", "{phase:?}");
        assert!(due(&play) > play.now);
    }
}

/// The next deadline counts from the actual time of the tick, not from the missed deadline.
#[test]
fn late_tick_gives_full_time() {
    let mut play = at(PhaseName::Wagers);
    play.now = due(&play).plus(500_000);
    play.run(&Actor::Clock, Command::Tick);
    assert_eq!(due(&play), play.now.plus(play.table.config().clocks.settings));
}

/// A clock that was set back fires no deadline early, unless the deadline is further away than the length of the phase.
/// Then the clock ends the phase.
#[test]
fn clock_set_back_waits_only_for_deadlines_within_reach() {
    let mut play = at(PhaseName::Settings);
    let settings = play.table.config().clocks.settings;
    play.now = Time(due(&play).0 - settings);
    assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due");
    play.now = Time(play.now.0 - 1);
    assert_eq!(play.refused(&player("bob"), Command::Tick), "nothing_due");
    play.run(&player("bob"), Command::HouseWay);
    let mut set_back = at(PhaseName::Settings);
    set_back.now = Time(0);
    set_back.run(&Actor::Clock, Command::Tick);
    run_out(&mut play);
    run_out(&mut set_back);
}

#[test]
fn maximum_time_does_not_panic() {
    let mut play = at(PhaseName::Settings);
    play.now = Time(u64::MAX);
    // No player wagers, so the table waits after some rounds.
    while play.table.due().is_some() {
        play.run(&Actor::Clock, Command::Tick);
    }
    assert!(play.table.round_number() < 10);
}

#[test]
fn seat_without_wagers_for_three_rounds_sits_out() {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    for round in 1..=3 {
        assert_eq!(play.table.round_number(), round);
        play.run(&player("bob"), wager(500));
        play.clock();
        play.clock();
        let effects = play.clock();
        let out = TableEvent::SatOut { seat: 1, by: Actor::Clock };
        assert_eq!(effects.events.contains(&out), round == 3);
    }
    // The table does not wait for ann now.
    play.run(&player("bob"), wager(500));
    play.run(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
    play.run(&player("bob"), Command::HouseWay);
    // A returning player has three rounds again.
    play.run(&player("ann"), Command::Return);
    play.clock();
    play.run(&player("ann"), wager(500));
}

#[test]
fn table_waits_while_all_sit_out() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    play.run(&player("ann"), Command::Sit { seat: 1 });
    play.run(&player("ann"), Command::SitOut);
    assert_eq!(play.refused(&player("ann"), Command::SitOut), "sitting_out");
    run_out(&mut play);
    assert_eq!(play.table.phase(), TablePhase::Waiting);
    assert_eq!(play.table.round_number(), 1);
    play.run(&player("ann"), Command::Return);
    assert_eq!(play.refused(&player("ann"), Command::Return), "not_sitting_out");
    assert_eq!((phase_of(&play), play.table.round_number()), (PhaseName::Wagers, 2));
}

#[test]
fn leaving_in_every_phase() {
    for phase in PHASES {
        for name in ["ann", "bob", "cat"] {
            let mut play = at(phase);
            if !sits(&play, name) {
                continue;
            }
            play.run(&player(name), Command::Stand);
            // A player with money at stake stays until the round is over. Open wagers are taken back.
            let stays = match phase {
                PhaseName::Wagers => name == "ann",
                PhaseName::Settings => name != "cat",
                _ => false,
            };
            assert_eq!(sits(&play, name), stays, "{phase:?} {name}");
            if stays {
                assert_eq!(play.refused(&player(name), Command::Stand), "leaving");
                assert_eq!(play.refused(&player(name), Command::Return), "leaving");
                assert_eq!(play.refused(&player(name), Command::Sit { seat: 6 }), "already_seated");
            } else {
                assert_eq!(play.refused(&player(name), Command::Stand), "not_seated");
            }
            run_out(&mut play);
            assert!(!sits(&play, name), "{phase:?} {name}");
            if phase == PhaseName::Wagers && name == "bob" {
                assert_eq!(play.balance("bob"), 100_000);
            }
        }
    }
}

#[test]
fn table_waits_after_all_leave_in_every_phase() {
    for phase in PHASES {
        let mut play = at(phase);
        for name in ["cat", "bob", "ann"] {
            if sits(&play, name) {
                play.run(&player(name), Command::Stand);
            }
        }
        while play.table.due().is_some() {
            play.clock();
        }
        assert_eq!(play.table.phase(), TablePhase::Waiting, "{phase:?}");
        assert_eq!(play.table.players().count(), 0, "{phase:?}");
        assert_eq!(play.table.open_holds().count(), 0, "{phase:?}");
    }
}

#[test]
fn vacate_has_same_effects_as_stand() {
    for phase in PHASES {
        for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
            let (mut left, mut vacated) = (at(phase), at(phase));
            if !sits(&left, name) {
                assert_eq!(vacated.refused(&operator(), Command::Vacate { seat }), "empty_seat");
                continue;
            }
            let stand = left.run(&player(name), Command::Stand);
            let vacate = vacated.run(&operator(), Command::Vacate { seat });
            assert_eq!(stand, vacate, "{phase:?} {name}");
        }
    }
}

#[test]
fn suspend_has_same_effects_as_sit_out_except_its_originator() {
    let by_operator = |event: &TableEvent| match event {
        TableEvent::SatOut { seat, .. } => TableEvent::SatOut { seat: *seat, by: operator() },
        other => other.clone(),
    };
    for phase in PHASES {
        for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
            let (mut left, mut suspended) = (at(phase), at(phase));
            if !sits(&left, name) {
                assert_eq!(suspended.refused(&operator(), Command::Suspend { seat }), "empty_seat");
                continue;
            }
            let sat_out = left.run(&player(name), Command::SitOut);
            let suspend = suspended.run(&operator(), Command::Suspend { seat });
            assert_eq!(
                sat_out.events.iter().map(by_operator).collect::<Vec<_>>(),
                suspend.events,
                "{phase:?} {name}"
            );
            assert_eq!(sat_out.transfers, suspend.transfers, "{phase:?} {name}");
            assert_eq!(suspended.refused(&operator(), Command::Suspend { seat }), "sitting_out");
        }
    }
}

#[test]
fn seat_without_base_wager_has_missed_its_round() {
    let mut play = at(PhaseName::Between);
    let missed = |play: &Play| play.table.missed_last_round().map(|(seat, _)| seat).collect::<Vec<_>>();
    assert_eq!(missed(&play), [3]);
    play.run(&operator(), Command::Suspend { seat: 3 });
    assert_eq!(missed(&play), [0; 0]);

    // A wager in the next round counts before the deal.
    let mut play = Play::open("south-dakota");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
    }
    play.run(&player("ann"), wager(2_500));
    run_out(&mut play);
    assert_eq!((phase_of(&play), missed(&play)), (PhaseName::Wagers, vec![2]));
    play.run(&player("bob"), wager(2_500));
    assert_eq!(missed(&play), [0; 0]);
}

/// The ready state, wagers and hand of a seat do not pass to its next player.
#[test]
fn new_player_inherits_nothing() {
    let mut play = at(PhaseName::Wagers);
    play.issue("dan", 100_000);
    play.run(&player("cat"), Command::Ready);
    play.run(&player("cat"), Command::Stand);
    play.run(&player("dan"), Command::Sit { seat: 3 });
    let seat = |play: &Play, number: u8| {
        play.table.view(&Viewer::Auditor).seats.into_iter().find(|view| view.seat == number).unwrap()
    };
    assert!(!seat(&play, 3).ready);
    play.run(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers, "dan is not ready");

    let mut play = at(PhaseName::Between);
    play.issue("dan", 100_000);
    assert!(seat(&play, 2).hand.is_some());
    play.run(&player("bob"), Command::Stand);
    play.run(&player("dan"), Command::Sit { seat: 2 });
    assert_eq!((seat(&play, 2).hand, seat(&play, 2).wagers.len()), (None, 0));
}

#[test]
fn pausing_and_resuming_in_every_phase() {
    for phase in PHASES {
        let mut play = at(phase);
        play.run(&operator(), Command::Pause);
        assert_eq!(play.refused(&operator(), Command::Pause), "already_paused");
        let round = play.table.round_number();
        // The current round finishes, and no other opens, even if a player joins.
        run_out(&mut play);
        assert_eq!(play.table.phase(), TablePhase::Waiting, "{phase:?}");
        play.issue("eve", 100_000);
        play.run(&player("eve"), Command::Sit { seat: 6 });
        assert_eq!(play.table.round_number(), round);
        play.run(&operator(), Command::Resume);
        assert_eq!(play.refused(&operator(), Command::Resume), "not_paused");
        assert_eq!(play.table.round_number(), round + 1, "{phase:?}");
    }
}

#[test]
fn closing_in_every_phase() {
    for phase in PHASES {
        for pause in [false, true] {
            let mut play = at(phase);
            if pause {
                play.run(&operator(), Command::Pause);
            }
            play.run(&operator(), Command::Close);
            assert_eq!(play.table.is_closed(), phase == PhaseName::Waiting);
            if phase != PhaseName::Waiting {
                assert_eq!(play.refused(&operator(), Command::Close), "already_closing");
                assert_eq!(play.refused(&player("eve"), Command::Sit { seat: 6 }), "already_closing");
            }
            run_out(&mut play);
            assert!(play.table.is_closed(), "{phase:?}");
            assert_eq!(play.table.players().count(), 0);
            for (by, command) in [
                (player("ann"), Command::Sit { seat: 1 }),
                (operator(), Command::Resume),
                (Actor::Clock, Command::Tick),
            ] {
                assert_eq!(play.refused(&by, command), "table_closed");
            }
        }
    }
}

#[test]
fn voiding_in_every_phase() {
    for phase in PHASES {
        let mut play = at(phase);
        let void = Command::Void { reason: "a card was exposed".into() };
        if phase == PhaseName::Waiting {
            assert_eq!(play.refused(&operator(), void), "no_round", "{phase:?}");
            continue;
        }
        play.run(&operator(), void.clone());
        assert_eq!(phase_of(&play), PhaseName::Between);
        for name in ["ann", "bob", "cat"] {
            assert_eq!(play.balance(name), 100_000, "{phase:?} {name}");
        }
        // The void reveals the secret.
        assert!(play.table.view(&Viewer::Watcher).round.unwrap().secret.is_some());
        assert_eq!(play.refused(&operator(), void), "no_round");
        let round = play.table.round_number();
        play.clock();
        assert_eq!(play.table.round_number(), round + 1);
    }
}

#[test]
fn voiding_with_a_set_hand_and_leaving_players() {
    let mut play = at(PhaseName::Settings);
    play.run(&player("bob"), Command::HouseWay);
    play.run(&player("bob"), Command::Stand);
    play.run(&player("ann"), Command::Stand);
    play.run(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!((play.balance("ann"), play.balance("bob")), (100_000, 100_000));
    play.clock();
    assert!(!sits(&play, "ann") && !sits(&play, "bob"));
}

#[test]
fn notice_changes_nothing() {
    for phase in PHASES {
        let mut play = at(phase);
        let before = play.table.clone();
        let effects = play.run(&operator(), Command::Notice { text: "Ruhe bitte – все".to_owned() });
        assert!(play.table == before && effects.transfers.is_empty());
        assert_eq!(effects.events.len(), 1);
    }
}
