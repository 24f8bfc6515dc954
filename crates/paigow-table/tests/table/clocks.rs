//! Deadlines, and what can be done in each phase: going, coming back, pausing, closing and voiding.

use crate::play::{Play, operator, player, side, wager};
use paigow::parse_cards;
use paigow_table::{Actor, Command, Commitment, PhaseName, SetBy, TableEvent, TablePhase, Time, Viewer};

const PHASES: [PhaseName; 5] =
    [PhaseName::Waiting, PhaseName::Offering, PhaseName::Wagers, PhaseName::Settings, PhaseName::Between];

/// A table at which ann, bob and cat sit, in this phase: ann banks, bob has wagered, cat has not.
fn at(phase: PhaseName) -> Play {
    let mut play = Play::open("california");
    let players = if phase == PhaseName::Waiting { &["ann"][..] } else { &["ann", "bob", "cat"] };
    for (seat, name) in (1..).zip(players) {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    if matches!(phase, PhaseName::Wagers | PhaseName::Settings | PhaseName::Between) {
        play.done(&player("ann"), Command::TakeBank { cents: 10_000 });
        play.done(&player("bob"), wager(2_500));
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

/// Lets the clock alone run until the table rests or begins a round.
fn run_out(play: &mut Play) {
    let round = play.table.round_number();
    for _ in 0..12 {
        if play.table.due().is_none() || play.table.round_number() > round {
            return;
        }
        play.clock();
    }
    panic!("a round does not finish: {:?}", play.table.phase());
}

fn commit() -> Command {
    Command::Commit { commitment: Commitment([1; 32]) }
}

#[test]
fn wagers_close_by_the_clock_or_when_all_are_ready() {
    let mut play = at(PhaseName::Wagers);
    play.clock();
    assert_eq!(phase_of(&play), PhaseName::Settings);

    let mut play = at(PhaseName::Wagers);
    play.done(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers);
    play.done(&player("cat"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
}

#[test]
fn who_changes_a_wager_is_not_ready_any_more() {
    let mut play = at(PhaseName::Wagers);
    play.done(&player("bob"), Command::Ready);
    assert!(play.done(&player("bob"), Command::Ready).events.is_empty(), "once is enough");
    play.done(&player("bob"), side("fortune", 500));
    play.done(&player("cat"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers);
    play.done(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
}

#[test]
fn nobody_is_dealt_a_hand_when_nobody_wagers() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    play.done(&player("ann"), Command::Sit { seat: 1 });
    play.done(&player("ann"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers, "there is time to wager yet");
    play.clock();
    assert!(matches!(play.log.last(), Some(TableEvent::RoundAbandoned { .. })));
}

/// The last one to sit out or get up was all the others were waiting for.
#[test]
fn who_goes_is_not_waited_for() {
    for goes in [Command::SitOut, Command::Stand] {
        let mut play = at(PhaseName::Wagers);
        play.done(&player("bob"), Command::Ready);
        play.done(&player("cat"), goes);
        assert_eq!(phase_of(&play), PhaseName::Settings);
    }
}

#[test]
fn who_sits_out_with_a_wager_plays_it() {
    let mut play = at(PhaseName::Wagers);
    play.done(&player("bob"), Command::SitOut);
    assert_eq!(play.refused(&player("bob"), side("fortune", 500)), "sitting_out");
    play.clock();
    play.done(&player("bob"), Command::HouseWay);
    play.done(&player("ann"), Command::HouseWay);
    assert_eq!(phase_of(&play), PhaseName::Between);
}

#[test]
fn late_commands_are_refused_from_the_deadline_on() {
    let late = |phase: PhaseName, name: &str, command: Command| {
        for by in [0, 1, 1_000_000] {
            let mut play = at(phase);
            play.now = Time(due(&play).0 + by);
            assert_eq!(play.refused(&player(name), command.clone()), "not_now", "{phase:?} {command:?}");
        }
        let mut play = at(phase);
        play.now = Time(due(&play).0 - 1);
        play.done(&player(name), command);
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
    let front = hand.cards.unwrap().split(' ').take(2).collect::<Vec<_>>().join(" ");
    late(PhaseName::Settings, "bob", Command::Set { front });
}

/// Wagers that are closed stay, though the clock has not dealt yet.
#[test]
fn who_gets_up_after_the_deadline_leaves_the_wager() {
    let mut play = at(PhaseName::Wagers);
    play.now = due(&play);
    play.done(&player("bob"), Command::Stand);
    assert!(sits(&play, "bob"));
    assert_eq!(play.balance("bob"), 97_500);
    run_out(&mut play);
    assert!(!sits(&play, "bob"));
}

#[test]
fn time_sets_hands_the_house_way() {
    let mut play = at(PhaseName::Settings);
    let effects = play.clock();
    for seat in [1, 2] {
        let set = TableEvent::HandSet { seat, front: String::new(), positions: None, by: SetBy::Clock };
        assert!(effects.events.contains(&set), "{:?}", effects.events);
        let view = play.table.view(&Viewer::Auditor);
        let hand = view.seats.iter().find(|sitting| sitting.seat == seat).unwrap().hand.clone().unwrap();
        let cards = parse_cards(&hand.cards.unwrap(), Some(7)).unwrap();
        let hand_of_seven = paigow::SevenCards::new(cards).unwrap();
        let setting = play.table.table_rules().house_way_setting(hand_of_seven);
        assert_eq!(hand.low.unwrap(), setting.low.to_string());
        assert_eq!(hand.by, Some(SetBy::Clock));
    }
}

#[test]
fn ticks_early_late_and_twice() {
    assert_eq!(at(PhaseName::Waiting).refused(&Actor::Clock, Command::Tick), "nothing_due");
    for phase in PHASES.into_iter().skip(1) {
        let mut play = at(phase);
        let until = due(&play);
        play.now = Time(until.0 - 1);
        assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due", "{phase:?}");
        // An hour late, and whoever says so.
        play.now = until.plus(3_600_000);
        play.done(&player("somebody"), Command::Tick);
        assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due", "{phase:?}");
        assert!(due(&play) > play.now);
    }
}

/// What a late clock finds is told from when it comes, not from when it should have come.
#[test]
fn a_late_clock_gives_everybody_the_whole_time() {
    let mut play = at(PhaseName::Wagers);
    play.now = due(&play).plus(500_000);
    play.done(&Actor::Clock, Command::Tick);
    assert_eq!(due(&play), play.now.plus(play.table.config().clocks.settings));
}

/// A clock that has gone back decides nothing early, unless the deadline is further away than the whole phase lasts: the clock comes after that
/// time, and the phase ends.
#[test]
fn a_clock_that_goes_back_only_waits_while_the_deadline_is_within_reach() {
    let mut play = at(PhaseName::Settings);
    let settings = play.table.config().clocks.settings;
    play.now = Time(due(&play).0 - settings);
    assert_eq!(play.refused(&Actor::Clock, Command::Tick), "nothing_due");
    play.now = Time(play.now.0 - 1);
    assert_eq!(play.refused(&player("bob"), Command::Tick), "nothing_due");
    play.done(&player("bob"), Command::HouseWay);
    let mut gone_back = at(PhaseName::Settings);
    gone_back.now = Time(0);
    gone_back.done(&Actor::Clock, Command::Tick);
    run_out(&mut play);
    run_out(&mut gone_back);
}

#[test]
fn the_end_of_time_is_no_reason_to_panic() {
    let mut play = at(PhaseName::Settings);
    play.now = Time(u64::MAX);
    // Nobody wagers any more, so that after some rounds the table rests.
    while play.table.due().is_some() {
        play.done(&Actor::Clock, Command::Tick);
    }
    assert!(play.table.round_number() < 10);
}

#[test]
fn seats_that_wager_nothing_for_three_rounds_sit_out() {
    let mut play = Play::open("ez");
    for (seat, name) in [(1, "ann"), (2, "bob")] {
        play.issue(name, 100_000);
        play.done(&player(name), Command::Sit { seat });
    }
    for round in 1..=3 {
        assert_eq!(play.table.round_number(), round);
        play.done(&player("bob"), wager(500));
        play.clock();
        play.clock();
        let effects = play.clock();
        let out = TableEvent::SatOut { seat: 1, by: Actor::Clock };
        assert_eq!(effects.events.contains(&out), round == 3);
    }
    // Nobody waits for ann now.
    play.done(&player("bob"), wager(500));
    play.done(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Settings);
    play.done(&player("bob"), Command::HouseWay);
    // Who comes back has three rounds again.
    play.done(&player("ann"), Command::Return);
    play.clock();
    play.done(&player("ann"), wager(500));
}

#[test]
fn a_table_rests_when_all_sit_out_and_wakes_when_one_returns() {
    let mut play = Play::open("ez");
    play.issue("ann", 10_000);
    play.done(&player("ann"), Command::Sit { seat: 1 });
    play.done(&player("ann"), Command::SitOut);
    assert_eq!(play.refused(&player("ann"), Command::SitOut), "sitting_out");
    run_out(&mut play);
    assert_eq!(play.table.phase(), TablePhase::Waiting);
    assert_eq!(play.table.round_number(), 1);
    play.done(&player("ann"), Command::Return);
    assert_eq!(play.refused(&player("ann"), Command::Return), "not_sitting_out");
    assert_eq!((phase_of(&play), play.table.round_number()), (PhaseName::Wagers, 2));
}

#[test]
fn standing_up_in_every_phase() {
    for phase in PHASES {
        for name in ["ann", "bob", "cat"] {
            let mut play = at(phase);
            if !sits(&play, name) {
                continue;
            }
            play.done(&player(name), Command::Stand);
            // Who has something at stake stays for as long as it is; wagers can still be taken back while they are open.
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
fn everybody_stands_up_in_every_phase_and_the_table_rests() {
    for phase in PHASES {
        let mut play = at(phase);
        for name in ["cat", "bob", "ann"] {
            if sits(&play, name) {
                play.done(&player(name), Command::Stand);
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
fn a_seat_the_house_frees_is_left_as_if_its_player_got_up() {
    for phase in PHASES {
        for (seat, name) in [(1, "ann"), (2, "bob"), (3, "cat")] {
            let (mut left, mut freed) = (at(phase), at(phase));
            if !sits(&left, name) {
                assert_eq!(freed.refused(&operator(), Command::Vacate { seat }), "empty_seat");
                continue;
            }
            let of_player = left.done(&player(name), Command::Stand);
            let of_house = freed.done(&operator(), Command::Vacate { seat });
            assert_eq!(of_player, of_house, "{phase:?} {name}");
        }
    }
}

/// Whoever sits down where somebody was has said, wagered and been dealt nothing.
#[test]
fn a_new_player_inherits_nothing_of_the_seat() {
    let mut play = at(PhaseName::Wagers);
    play.issue("dan", 100_000);
    play.done(&player("cat"), Command::Ready);
    play.done(&player("cat"), Command::Stand);
    play.done(&player("dan"), Command::Sit { seat: 3 });
    let seat = |play: &Play, at: u8| {
        play.table.view(&Viewer::Auditor).seats.into_iter().find(|sitting| sitting.seat == at).unwrap()
    };
    assert!(!seat(&play, 3).ready);
    play.done(&player("bob"), Command::Ready);
    assert_eq!(phase_of(&play), PhaseName::Wagers, "dan is not ready");

    let mut play = at(PhaseName::Between);
    play.issue("dan", 100_000);
    assert!(seat(&play, 2).hand.is_some());
    play.done(&player("bob"), Command::Stand);
    play.done(&player("dan"), Command::Sit { seat: 2 });
    assert_eq!((seat(&play, 2).hand, seat(&play, 2).wagers.len()), (None, 0));
}

#[test]
fn pausing_and_resuming_in_every_phase() {
    for phase in PHASES {
        let mut play = at(phase);
        play.done(&operator(), Command::Pause);
        assert_eq!(play.refused(&operator(), Command::Pause), "already_paused");
        let round = play.table.round_number();
        // The round that goes on is finished; no other begins, whoever comes.
        run_out(&mut play);
        assert_eq!(play.table.phase(), TablePhase::Waiting, "{phase:?}");
        play.issue("eve", 100_000);
        play.done(&player("eve"), Command::Sit { seat: 6 });
        assert_eq!(play.table.round_number(), round);
        play.done(&operator(), Command::Resume);
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
                play.done(&operator(), Command::Pause);
            }
            play.done(&operator(), Command::Close);
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
        play.done(&operator(), void.clone());
        assert_eq!(phase_of(&play), PhaseName::Between);
        for name in ["ann", "bob", "cat"] {
            assert_eq!(play.balance(name), 100_000, "{phase:?} {name}");
        }
        // The secret is out: no commitment stays unopened.
        assert!(play.table.view(&Viewer::Watcher).round.unwrap().secret.is_some());
        assert_eq!(play.refused(&operator(), void), "no_round");
        let round = play.table.round_number();
        play.clock();
        assert_eq!(play.table.round_number(), round + 1);
    }
}

#[test]
fn voiding_a_round_with_a_hand_already_set_and_somebody_leaving() {
    let mut play = at(PhaseName::Settings);
    play.done(&player("bob"), Command::HouseWay);
    play.done(&player("bob"), Command::Stand);
    play.done(&player("ann"), Command::Stand);
    play.done(&operator(), Command::Void { reason: "a card was exposed".into() });
    assert_eq!((play.balance("ann"), play.balance("bob")), (100_000, 100_000));
    play.clock();
    assert!(!sits(&play, "ann") && !sits(&play, "bob"));
}

#[test]
fn a_notice_in_every_phase_changes_nothing_else() {
    for phase in PHASES {
        let mut play = at(phase);
        let before = play.table.clone();
        let effects = play.done(&operator(), Command::Notice { text: "Ruhe bitte – все".to_owned() });
        assert!(play.table == before && effects.transfers.is_empty());
        assert_eq!(effects.events.len(), 1);
    }
}
