//! Tables whose rules differ from those they were opened with: they take no new commands, and all money is returned.

use crate::play::{Play, operator, player, wager};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow_table::{
    Actor, Command, PhaseName, RulesForm, RulesMatch, Table, TableEvent, TablePhase, Viewer, VoidReason,
};

/// Returns a table with two players and a round in this phase.
fn at(phase: PhaseName) -> Play {
    let mut play = Play::open("south-beach").version_1();
    for (seat, name) in [(1, "ann"), (6, "bob")] {
        play.issue(name, 10_000);
        play.run(&player(name), Command::Sit { seat });
        play.run(&player(name), wager(500));
    }
    for _ in 0..[PhaseName::Wagers, PhaseName::Settings, PhaseName::Between]
        .iter()
        .position(|name| *name == phase)
        .unwrap()
    {
        play.clock();
    }
    assert_eq!(play.table.view(&Viewer::Watcher).phase, phase);
    play
}

/// Replays the log with other rules: fewer seats, which the log contradicts.
fn with_other_rules(play: &mut Play) {
    let mut config = play.table.config().clone();
    config.changes.insert("seats.players".to_owned(), "4".to_owned());
    let table_rules = config.table_rules(&BuiltIn).unwrap();
    let digest = table_rules.digest();
    let mut table = Table::open(&play.log[0], table_rules).unwrap().with_rules_digest(&digest);
    play.log[1..].iter().for_each(|event| table.apply(event).unwrap());
    assert!(table.rules_have_changed() && !play.table.rules_have_changed());
    play.table = table;
}

/// Like `Play::try_run`, but without comparing the table with a replay by its original rules.
fn try_run(play: &mut Play, by: &Actor, command: &Command) -> Result<(), &'static str> {
    struct Journal<'a>(&'a [paigow_table::Transfer]);
    impl paigow_table::Funds for Journal<'_> {
        fn cents(&self, _: &paigow_table::Account) -> i64 {
            1 << 40
        }

        fn round_transfers(&self, table: &paigow_table::TableId, round: u64) -> Vec<paigow_table::Transfer> {
            let prefix = format!("{table}/{round}/");
            self.0.iter().filter(|moved| moved.id.as_str().starts_with(&prefix)).cloned().collect()
        }
    }
    let context =
        paigow_table::DecisionContext { now: play.now, entropy: [7; 32], funds: &Journal(&play.journal) };
    let effects = play.table.decide(by, command, &context).map_err(|refusal| refusal.code())?;
    play.ledger.apply(&effects.transfers).unwrap();
    effects.events.iter().for_each(|event| play.table.apply(event).unwrap());
    play.log.extend(effects.events);
    Ok(())
}

#[test]
fn changed_rules_stop_play_and_return_money() {
    for phase in [PhaseName::Wagers, PhaseName::Settings, PhaseName::Between] {
        let mut play = at(phase);
        let due = play.table.due().unwrap();
        with_other_rules(&mut play);
        assert!(play.table.view(&Viewer::Watcher).facts.rules_changed);
        assert_eq!(play.table.due(), None, "no deadline");
        play.now = due;
        let commands = [
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
        for (by, command) in commands {
            assert_eq!(try_run(&mut play, &by, &command), Err("rules_changed"), "{command:?}");
        }
        let void = Command::Void { reason: "other rules".into() };
        if phase == PhaseName::Between {
            // Changed rules are no reason to void a round that was settled by the old rules.
            let changed = Command::Void { reason: VoidReason::RulesChanged };
            assert_eq!(try_run(&mut play, &operator(), &changed), Err("no_round"));
        }
        try_run(&mut play, &operator(), &void).unwrap();
        assert_eq!((play.balance("ann"), play.balance("bob")), (10_000, 10_000));
        assert_eq!(play.table.open_holds().count(), 0);
        try_run(&mut play, &operator(), &Command::Close).unwrap();
        if !play.table.is_closed() {
            play.now = play.table.due().unwrap();
            try_run(&mut play, &Actor::Clock, &Command::Tick).unwrap();
        }
        assert!(play.table.is_closed());
        assert_eq!(try_run(&mut play, &operator(), &void), Err("table_closed"));
        // With its original rules, the log replays to a closed table.
        let config = play.table.config().clone();
        let table_rules = config.table_rules(&BuiltIn).unwrap();
        let digest = table_rules.digest();
        let mut table = Table::open(&play.log[0], table_rules).unwrap().with_rules_digest(&digest);
        play.log[1..].iter().for_each(|event| table.apply(event).unwrap());
        assert!(table.is_closed() && !table.rules_have_changed());
    }
}

/// Rounds settled by the old rules are not settled again by the new rules.
#[test]
fn changed_rules_show_no_hands() {
    let mut play = at(PhaseName::Between);
    assert!(play.table.view(&Viewer::Watcher).seats[0].hand.is_some());
    with_other_rules(&mut play);
    let view = play.table.view(&Viewer::Auditor);
    assert!(view.seats.iter().all(|seat| seat.hand.is_none()));
    // The stored lines are shown without sentences, which other rules cannot generate.
    let lines = view.round.unwrap().lines.unwrap();
    assert!(lines.iter().all(|line| line.reason.is_some() && line.because.is_empty()));
    assert!(matches!(play.table.phase(), TablePhase::Between { .. }));
    assert!(play.log.iter().any(|event| matches!(event, TableEvent::Settled { .. })));
}

/// Books of version 0.1.0, with the same values as in version 0.0.0.
struct EarlierBooks;

impl BookSource for EarlierBooks {
    fn book(&self, name: &str, _from: Option<&Source>) -> Option<Source> {
        BuiltIn::earlier_book("0.1.0", name)
    }

    fn house_way(&self, name: &str, from: Option<&Source>) -> Option<Source> {
        BuiltIn.house_way(name, from)
    }
}

/// Opens a table with California's book as version 0.0.0 did, and compares its rules with the books of that time.
fn version_0_table(
    changes: &[(&str, &str)],
    form: u32,
    version: &str,
) -> Result<Table, paigow_table::InvalidEvent> {
    let mut play = Play::open_with("california", changes, 0);
    let TableEvent::Opened { config, .. } = play.log.remove(0) else { panic!("the first event is `opened`") };
    // Digest by version 0.0.0 of the book's sentences, without the side wagers.
    let rules = "7656eb269add6023a595ab7788ce298b5034d655d0ced926455b41207490b0c3".to_owned();
    let table_rules = config.table_rules(&EarlierBooks).unwrap();
    let digest = table_rules.digest();
    let opened = TableEvent::Opened { config, rules, form: RulesForm(form), version: version.to_owned() };
    Table::open(&opened, table_rules).map(|table| table.with_rules_digest(&digest))
}

#[test]
fn digest_of_sentences_is_compared_if_possible() {
    let rules = |changes, form| version_0_table(changes, form, "0.0.0").unwrap().rules_match();
    assert_eq!(rules(&[], 0), RulesMatch::Retired, "same rules, but the house pays for banks");
    assert_eq!(rules(&[("wagers.fortune.settled_by", "house")], 0), RulesMatch::Unverified);
    assert_eq!(rules(&[("commission.cite", "elsewhere")], 0), RulesMatch::Unverified);
    assert_eq!(rules(&[], 1), RulesMatch::Different, "not a canonical digest");
    assert_eq!(rules(&[], 2), RulesMatch::Different, "unknown form");
    let invalid = version_0_table(&[], 0, "0.1.0 (unknown)").err().unwrap();
    assert!(invalid.to_string().contains("must name the form"), "{invalid}");
}

#[test]
fn unverified_rules_are_used_until_contradicted() {
    let play = at(PhaseName::Between);
    let TableEvent::Opened { config, .. } = play.log[0].clone() else {
        panic!("the first event is `opened`")
    };
    let first = |config: &paigow_table::Config| TableEvent::Opened {
        config: config.clone(),
        rules: "no digest".to_owned(),
        form: RulesForm::SENTENCES,
        version: "0.0.0".to_owned(),
    };
    let replay = |config: &paigow_table::Config, log: &[TableEvent]| {
        let table_rules = config.table_rules(&BuiltIn).unwrap();
        let digest = table_rules.digest();
        let mut table = Table::open(&first(config), table_rules).unwrap().with_rules_digest(&digest);
        for event in log {
            table.apply(event).unwrap();
        }
        table
    };
    let table = replay(&config, &play.log[1..]);
    assert_eq!(table.rules_match(), RulesMatch::Unverified);
    let lines = table.view(&Viewer::Watcher).round.unwrap().lines.unwrap();
    assert!(lines.iter().all(|line| !line.because.is_empty()), "sentences are generated");
    // With another commission the settlement contradicts the stored one.
    let mut other = config;
    other.changes.insert("commission.percent".to_owned(), "9".to_owned());
    let mut log = play.log[1..].to_vec();
    for event in &mut log {
        if let TableEvent::Settled { settlement, .. } = event {
            settlement[0].net_cents += 1;
        }
    }
    let table = replay(&other, &log);
    assert_eq!(table.rules_match(), RulesMatch::Different);
    let lines = table.view(&Viewer::Watcher).round.unwrap().lines.unwrap();
    assert!(lines.iter().all(|line| line.because.is_empty()), "no sentences by other rules");
}
