//! A table whose rules are others than those it was opened with: nobody plays there, and everybody gets their money back.

#![allow(clippy::unwrap_used)] // a test that expects wrongly has failed

mod play;

use paigow::rulebook::BuiltIn;
use paigow_table::{Actor, Command, Event, Phase, PhaseWord, Table, Viewer};
use play::{Play, operator, player, wager};

/// A table with two players in a round that has come so far.
fn at(phase: PhaseWord) -> Play {
    let mut play = Play::open("south-beach");
    for (seat, name) in [(1, "ann"), (6, "bob")] {
        play.issue(name, 10_000);
        play.done(&player(name), Command::Sit { seat });
        play.done(&player(name), wager(500));
    }
    for _ in 0..[PhaseWord::Wagers, PhaseWord::Settings, PhaseWord::Between]
        .iter()
        .position(|name| *name == phase)
        .unwrap()
    {
        play.clock();
    }
    assert_eq!(play.table.view(&Viewer::Watcher).phase, phase);
    play
}

/// The same log, read when the book says something else: fewer seats, which the log would not fit.
fn with_other_rules(play: &mut Play) {
    let mut config = play.table.config().clone();
    config.changes.insert("seats.players".to_owned(), "4".to_owned());
    let posting = config.posting(&BuiltIn).unwrap();
    let digest = posting.digest();
    let mut table = Table::open(&play.log[0], posting).unwrap().held_to(&digest);
    play.log[1..].iter().for_each(|event| table.apply(event).unwrap());
    assert!(table.rules_have_changed() && !play.table.rules_have_changed());
    play.table = table;
}

/// As `Play::try_do`, which holds the table against a replay by the rules it was opened with.
fn try_do(play: &mut Play, by: &Actor, command: &Command) -> Result<(), &'static str> {
    struct Nobody;
    impl paigow_table::Funds for Nobody {
        fn cents(&self, _: &paigow_table::Account) -> i64 {
            0
        }
    }
    let moment = paigow_table::Moment { now: play.now, entropy: [7; 32], funds: &Nobody };
    let effects = play.table.decide(by, command, &moment).map_err(|refusal| refusal.code())?;
    play.ledger.take(&effects.transfers).unwrap();
    effects.events.iter().for_each(|event| play.table.apply(event).unwrap());
    play.log.extend(effects.events);
    Ok(())
}

#[test]
fn nobody_plays_by_other_rules_and_money_comes_back() {
    for phase in [PhaseWord::Wagers, PhaseWord::Settings, PhaseWord::Between] {
        let mut play = at(phase);
        let due = play.table.due().unwrap();
        with_other_rules(&mut play);
        assert!(play.table.view(&Viewer::Watcher).facts.rules_changed);
        assert_eq!(play.table.due(), None, "the clock has nothing to see to");
        play.now = due;
        let given = [
            (player("ann"), wager(500)),
            (player("ann"), Command::Stand),
            (player("ann"), Command::HouseWay),
            (player("ann"), Command::Close),
            (player("cat"), Command::Sit { seat: 2 }),
            (Actor::Clock, Command::Tick),
            (Actor::Clock, Command::Close),
            (operator(), Command::Pause),
            (operator(), Command::Vacate { seat: 1 }),
        ];
        for (by, command) in given {
            assert_eq!(try_do(&mut play, &by, &command), Err("rules_changed"), "{command:?}");
        }
        let void = Command::Void { reason: "other rules".to_owned() };
        if phase == PhaseWord::Between {
            assert_eq!(try_do(&mut play, &operator(), &void), Err("no_round"));
        } else {
            try_do(&mut play, &operator(), &void).unwrap();
            assert_eq!((play.balance("ann"), play.balance("bob")), (10_000, 10_000));
        }
        assert_eq!(play.table.open_holds().count(), 0);
        try_do(&mut play, &operator(), &Command::Close).unwrap();
        if !play.table.is_closed() {
            play.now = play.table.due().unwrap();
            try_do(&mut play, &Actor::Clock, &Command::Tick).unwrap();
        }
        assert!(play.table.is_closed());
        assert_eq!(try_do(&mut play, &operator(), &void), Err("table_closed"));
        // With its own rules again, the log is that of a table that was closed.
        let config = play.table.config().clone();
        let posting = config.posting(&BuiltIn).unwrap();
        let digest = posting.digest();
        let mut table = Table::open(&play.log[0], posting).unwrap().held_to(&digest);
        play.log[1..].iter().for_each(|event| table.apply(event).unwrap());
        assert!(table.is_closed() && !table.rules_have_changed());
    }
}

/// What was settled by the old rules is not settled again by the new ones.
#[test]
fn hands_of_other_rules_are_not_shown() {
    let mut play = at(PhaseWord::Between);
    assert!(play.table.view(&Viewer::Watcher).seats[0].hand.is_some());
    with_other_rules(&mut play);
    let view = play.table.view(&Viewer::Auditor);
    assert!(view.seats.iter().all(|seat| seat.hand.is_none()));
    assert!(view.round.unwrap().lines.is_none());
    assert!(matches!(play.table.phase(), Phase::Between { .. }));
    assert!(play.log.iter().any(|event| matches!(event, Event::Settled { .. })));
}
