//! Steps of a settlement in views.

use crate::play::{Play, player, side, wager};
use crate::random::NAMES;
use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, PhaseName, RoundView, SeatView, StepPartCode, Viewer};
use paigow_testkit::Rng;

fn seat(play: &Play, number: u8) -> SeatView {
    play.table.view(&Viewer::Watcher).seats.into_iter().find(|seat| seat.seat == number).unwrap()
}

fn round(play: &Play) -> RoundView {
    play.table.view(&Viewer::Watcher).round.unwrap()
}

/// SD-4: a wager of 5.00 gets a button, and the dealer removes no button before all wagers are reconciled.
#[test]
fn button_stays_until_the_last_step() {
    let mut play = Play::open("south-dakota");
    for (seat, name, fortune) in [(1, "ann", 500), (2, "bob", 300), (3, "cyd", 700)] {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
        play.run(&player(name), wager(1_000));
        play.run(&player(name), side("fortune", fortune));
    }
    let button = |play: &Play, number: u8| seat(play, number).wagers["fortune"].button;
    assert_eq!((button(&play, 1), button(&play, 2), button(&play, 3)), (true, false, true));
    assert!(!seat(&play, 1).wagers["pai-gow"].button);
    // Replacing the wager updates its button.
    play.run(&player("cyd"), side("fortune", 400));
    assert!(!button(&play, 3));
    play.run(&player("cyd"), side("fortune", 500));
    play.clock();
    assert!(button(&play, 1) && button(&play, 3), "while hands are set");
    assert!(round(&play).steps.is_empty() && round(&play).settled_at.is_none());
    let settled_at = play.table.due().unwrap();
    play.clock();

    let round = round(&play);
    assert_eq!(round.settled_at, Some(settled_at));
    let (last, before) = round.steps.split_last().unwrap();
    for step in before {
        let mut buttons: Vec<(u8, &str)> =
            step.buttons.iter().map(|button| (button.seat, &*button.wager)).collect();
        buttons.sort_unstable();
        assert_eq!(buttons, [(1, "fortune"), (3, "fortune")], "{:?}", step.part);
    }
    assert!(last.buttons.is_empty() && last.unreconciled.is_empty());
    assert_eq!(Some(&last.net_cents), round.net_cents.as_ref());
    let parts = |part: StepPartCode| round.steps.iter().filter(|step| step.part == part).count();
    assert_eq!((parts(StepPartCode::Base), parts(StepPartCode::Bonus)), (3, 3));
    // The pause of eight seconds has room for six steps of one second.
    let offsets: Vec<u64> = round.steps.iter().map(|step| step.offset_ms).collect();
    assert_eq!(offsets[..6], [1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
}

/// Steps are shorter if they would not fit into the pause between rounds.
#[test]
fn many_steps_are_shorter() {
    let mut play = Play::open("ez");
    for (seat, name) in (1..).zip(["ann", "bob", "cyd", "dan", "eve", "fay"]) {
        play.issue(name, 100_000);
        play.run(&player(name), Command::Sit { seat });
        play.run(&player(name), wager(1_000));
        play.run(&player(name), side("dynasty", 500));
    }
    play.clock();
    play.clock();
    let steps = round(&play).steps;
    assert!(steps.len() >= 12);
    let step_ms = 8_000 / (steps.len() as u64 + 1);
    assert!((1..).zip(&steps).all(|(number, step)| step.offset_ms == number * step_ms), "{steps:?}");
}

/// In random play, steps contain all lines, end with the nets, and fit into the pause between rounds.
#[test]
fn steps_fit_between_rounds() {
    for book in BuiltIn::book_names() {
        let mut rng = Rng::new(7);
        let mut play = Play::open_with(book, &[], 500);
        for name in NAMES {
            play.issue(name, 10_000_000);
        }
        let between = play.table.config().clocks.between;
        let mut settled = 0;
        for _ in 0..4_000 {
            if rng.below(12) == 0
                && let Some(due) = play.table.due()
            {
                play.now = due;
                play.run(&Actor::Clock, Command::Tick);
            } else {
                let (by, command) = crate::random::command(&mut rng, &play);
                let _ = play.try_run(&by, &command);
            }
            let view = play.table.view(&Viewer::Watcher);
            let Some(round) = view.round.filter(|_| view.phase == PhaseName::Between) else { continue };
            let Some(lines) = &round.lines else {
                assert!(round.steps.is_empty() && round.settled_at.is_none());
                continue;
            };
            let mut next = 0;
            for step in &round.steps {
                assert_eq!(step.first_line, next);
                next += step.lines;
                assert!(lines[step.first_line..next].iter().all(|line| line.who == step.who));
                assert_eq!(step.net_cents.values().sum::<i64>() + step.house_cents, 0);
            }
            assert_eq!(next, lines.len());
            let last = round.steps.last().unwrap();
            assert_eq!(Some(&last.net_cents), round.net_cents.as_ref());
            assert_eq!(round.settled_at.unwrap().plus(between), view.until.unwrap());
            let step_ms = round.steps[0].offset_ms;
            assert!(
                last.offset_ms + step_ms <= between
                    && round
                        .steps
                        .windows(2)
                        .all(|pair| { pair[1].offset_ms - pair[0].offset_ms == step_ms })
            );
            settled += 1;
        }
        assert!(settled > 20, "{book}: {settled}");
    }
}
