//! Checkpoints: a restored table continues as the table that was replayed from its first event.

use crate::play::{Play, keys, operator, player, wager};
use crate::random::{self, NAMES};
use paigow::rulebook::BuiltIn;
use paigow_table::{
    Actor, Checkpoint, Command, DecisionContext, Effects, Table, TableEvent, TableRefusal, Viewer,
};
use paigow_testkit::Rng;

/// A checkpoint, and the number of events before it.
struct Cut {
    at: usize,
    checkpoint: Checkpoint,
}

/// Executes a command, and takes a checkpoint if it opens a round or closes the table: before the command, and before
/// the event that opens the round.
fn run(play: &mut Play, by: &Actor, command: &Command, cuts: &mut Vec<Cut>) {
    let (mut table, at) = (play.table.clone(), play.log.len());
    let Ok(Effects { events, .. }) = play.try_run(by, command) else { return };
    let ends = |event: &TableEvent| matches!(event, TableEvent::RoundOpened { .. } | TableEvent::Closed);
    let Some(index) = events.iter().position(ends) else { return };
    cuts.push(Cut { at, checkpoint: table.checkpoint().expect("no round is open") });
    for event in &events[..index] {
        table.apply(event).unwrap();
    }
    cuts.push(Cut { at: at + index, checkpoint: table.checkpoint().expect("no round is open") });
    for event in &events[index..] {
        table.apply(event).unwrap();
    }
    assert!(table.checkpoint().is_none(), "a round is open, or the table is closed");
}

/// Plays at random, and returns the checkpoints.
fn played(mut play: Play, steps: usize, rng: &mut Rng) -> (Play, Vec<Cut>) {
    let mut cuts = Vec::new();
    for name in NAMES {
        play.issue(name, 1_000_000);
    }
    for _ in 0..steps {
        let (by, command) = random::command(rng, &play);
        run(&mut play, &by, &command, &mut cuts);
        if rng.below(6) == 0
            && let Some(due) = play.table.due()
        {
            play.now = due;
            run(&mut play, &Actor::Clock, &Command::Tick, &mut cuts);
        }
    }
    (play, cuts)
}

/// Returns a table restored from the JSON of a checkpoint.
fn restored(play: &Play, checkpoint: &Checkpoint) -> Table {
    let read = Checkpoint::from_json(&checkpoint.to_json()).unwrap();
    assert_eq!(read, *checkpoint);
    let table = Table::restore(&play.log[0], play.table.table_rules().clone(), &read).unwrap();
    assert_eq!(table.checkpoint().as_ref(), Some(checkpoint));
    table.with_keys(Some(keys())).unwrap()
}

fn viewers() -> impl Iterator<Item = Viewer> {
    let players = NAMES.iter().map(|name| Viewer::Player(name.parse().unwrap()));
    [Viewer::Watcher, Viewer::Operator, Viewer::Auditor].into_iter().chain(players)
}

fn decide(table: &Table, play: &Play, by: &Actor, command: &Command) -> Result<Effects, TableRefusal> {
    let context = DecisionContext { now: play.now, entropy: [9; 32], funds: &play.funds() };
    table.decide(by, command, &context)
}

/// Continues from every checkpoint of random play, and compares states, views and decisions with the replay.
#[test]
fn restored_tables_continue_as_replayed() {
    for (book, seed) in BuiltIn::book_names().zip(500..) {
        for version_1 in [false, true] {
            let mut rng = Rng::new(seed);
            let play = Play::open_with(book, &[], 500);
            let play = if version_1 { play.version_1() } else { play };
            let (play, cuts) = played(play, 600, &mut rng);
            assert!(cuts.len() > 10, "{book}: {} checkpoints", cuts.len());
            let fresh = Table::open(&play.log[0], play.table.table_rules().clone()).unwrap();
            let mut replayed = fresh.with_keys(Some(keys())).unwrap();
            let mut tables: Vec<(usize, Table)> = Vec::new();
            let mut cuts = cuts.into_iter().peekable();
            for (at, event) in play.log.iter().enumerate().skip(1) {
                while let Some(cut) = cuts.next_if(|cut| cut.at == at) {
                    tables.push((at, restored(&play, &cut.checkpoint)));
                }
                replayed.apply(event).unwrap();
                for (from, table) in &mut tables {
                    table.apply(event).unwrap();
                    // Before the round opens, the replayed table still has the finished round.
                    if *table != replayed {
                        let opened = &play.log[*from..=at];
                        let is_opened = |event: &TableEvent| matches!(event, TableEvent::RoundOpened { .. });
                        assert!(!opened.iter().any(is_opened), "{book}: event {at} after {from}");
                        continue;
                    }
                    if rng.below(16) == 0 {
                        for viewer in viewers() {
                            assert_eq!(table.view(&viewer), replayed.view(&viewer), "{book} {viewer:?}");
                        }
                    }
                    assert_eq!(table.due(), replayed.due());
                }
                // A restored table stays equal, so a few of them are enough at any time.
                if tables.len() > 6 {
                    tables.drain(..2);
                }
            }
            assert!(cuts.next().is_none() && !tables.is_empty());
            for (from, table) in tables {
                assert!(table == play.table, "{book}: from {from}");
                let table = if version_1 { table.with_keys(None).unwrap() } else { table };
                for _ in 0..60 {
                    let (by, command) = random::command(&mut rng, &play);
                    let expected = decide(&play.table, &play, &by, &command);
                    assert_eq!(decide(&table, &play, &by, &command), expected, "{book} {command:?}");
                }
            }
        }
    }
}

/// The command that opens the round decides the same at the checkpoint before it.
#[test]
fn opening_command_is_decided_again() {
    for (book, seed) in BuiltIn::book_names().zip(700..) {
        let mut rng = Rng::new(seed);
        let mut play = Play::open_with(book, &[], 500);
        for name in NAMES {
            play.issue(name, 1_000_000);
        }
        let mut opened = 0;
        for _ in 0..600 {
            let (by, command) = match play.table.due() {
                Some(due) if rng.below(6) == 0 => {
                    play.now = due;
                    (Actor::Clock, Command::Tick)
                }
                _ => random::command(&mut rng, &play),
            };
            let decided = decide(&play.table, &play, &by, &command);
            if let Ok(effects) = &decided
                && effects.events.iter().any(|event| matches!(event, TableEvent::RoundOpened { .. }))
            {
                let table = restored(&play, &play.table.checkpoint().unwrap());
                assert_eq!(decide(&table, &play, &by, &command), decided, "{book} {command:?}");
                opened += 1;
            }
            let _ = play.try_run(&by, &command);
        }
        assert!(opened > 5, "{book}: {opened} rounds");
    }
}

/// A closed table is restored without its last round.
#[test]
fn closed_tables_have_a_checkpoint_before_their_end() {
    for (book, seed) in BuiltIn::book_names().zip(800..) {
        let (mut play, mut cuts) = played(Play::open_with(book, &[], 500), 200, &mut Rng::new(seed));
        run(&mut play, &operator(), &Command::Close, &mut cuts);
        while !play.table.is_closed() {
            play.now = play.table.due().unwrap();
            run(&mut play, &Actor::Clock, &Command::Tick, &mut cuts);
        }
        assert!(play.table.checkpoint().is_none());
        for Cut { at, checkpoint } in &cuts[cuts.len() - 2..] {
            let mut table = restored(&play, checkpoint);
            for event in &play.log[*at..] {
                table.apply(event).unwrap();
            }
            assert!(table.is_closed());
            for viewer in viewers() {
                let mut expected = play.table.view(&viewer);
                assert!(expected.round.take().is_some());
                assert_eq!(table.view(&viewer), expected, "{book}");
            }
            let refused = decide(&table, &play, &player("ann"), &Command::Sit { seat: 1 }).unwrap_err();
            assert_eq!(refused.code(), "table_closed");
        }
    }
}

/// A store's writer without the key cannot choose a deal by opening a round of version 1 after a checkpoint.
#[test]
fn version_1_does_not_follow_a_checkpoint_after_version_2() {
    let play = |version_1: bool| {
        let play = Play::open("ez");
        let (play, cuts) = played(if version_1 { play.version_1() } else { play }, 200, &mut Rng::new(3));
        (cuts.last().unwrap().checkpoint.clone(), play)
    };
    let ((version_2, play), (version_1, other)) = (play(false), play(true));
    let opened = |checkpoint: &Checkpoint| {
        let round = checkpoint.rounds() + 1;
        let secret = paigow_table::Secret([4; 32]);
        let commitment = secret.commitment(checkpoint.table(), round);
        TableEvent::RoundOpened { round, secret: Some(secret), commitment, derived: None }
    };
    let refused = restored(&play, &version_2).apply(&opened(&version_2)).unwrap_err();
    assert!(refused.to_string().contains("version 1, after a round of version 2"), "{refused}");
    restored(&other, &version_1).apply(&opened(&version_1)).unwrap();
}

#[test]
fn open_rounds_have_no_checkpoint() {
    let mut play = Play::open("ez");
    assert_eq!(play.table.checkpoint().unwrap().rounds(), 0);
    play.issue("ann", 100_000);
    play.run(&player("ann"), Command::Sit { seat: 1 });
    assert!(play.table.checkpoint().is_none());
    play.run(&player("ann"), wager(2_500));
    play.clock();
    assert!(play.table.checkpoint().is_none(), "hands are dealt");
    play.clock();
    let checkpoint = play.table.checkpoint().expect("the round is settled");
    assert_eq!((checkpoint.rounds(), checkpoint.table()), (1, play.table.id()));
    // The finished round is not part of the checkpoint, so it cannot be voided.
    let void = Command::Void { reason: "a card was exposed".into() };
    assert!(decide(&play.table, &play, &operator(), &void).is_ok());
    let refused = decide(&restored(&play, &checkpoint), &play, &operator(), &void).unwrap_err();
    assert_eq!(refused.code(), "no_round");
}

/// JSON of version 1. It must not change: stores and archives have it.
const GOLDEN: &str = concat!(
    r#"{"version":1,"table":"t1","rounds":12,"holds":40,"protocol":2,"until":1700000,"paused":true,"closing":false,"#,
    r#""rules_contradicted":false,"last_bank":{"player":"ann","seat":2,"rounds":1},"#,
    r#""seats":{"2":{"player":"ann","out":false,"leaving":true,"next":false,"missed":0,"first_round":3,"changes":7,"time_paid":1600000},"#,
    r#""5":{"player":"bob","out":true,"leaving":false,"next":true,"missed":2,"first_round":9,"changes":0,"time_paid":null}},"#,
    r#""departed":{"cat":4}}"#
);

#[test]
fn format_is_unchanged() {
    let checkpoint = Checkpoint::from_json(GOLDEN).unwrap();
    assert_eq!(checkpoint.to_json(), GOLDEN);
    let play = Play::open("ez");
    let table = Table::restore(&play.log[0], play.table.table_rules().clone(), &checkpoint).unwrap();
    assert_eq!(table.checkpoint().unwrap().to_json(), GOLDEN);
    let seats: Vec<String> = table.players().map(|(seat, player)| format!("{seat} {player}")).collect();
    assert_eq!(seats, ["2 ann", "5 bob"]);
    assert_eq!((table.round_number(), table.due().map(|due| due.0)), (12, Some(1_700_000)));
}

/// Every value of the format is written by play, so that the golden text has no dead field.
#[test]
fn play_reaches_every_value() {
    let time_fee = [("collection.time_minutes", "30"), ("collection.time_fee", "5.00")];
    let (_, cuts) = played(Play::open_with("california", &time_fee, 0), 3_000, &mut Rng::new(11));
    let texts: Vec<String> = cuts.iter().map(|cut| cut.checkpoint.to_json()).collect();
    for part in [
        r#""paused":true"#,
        r#""last_bank":{"#,
        r#""out":true"#,
        r#""next":true"#,
        r#""leaving":true"#,
        r#""time_paid":1"#,
        r#""departed":{""#,
        r#""until":null"#,
        r#""until":1"#,
    ] {
        let reached = texts.iter().any(|text| text.contains(part));
        assert!(reached, "{part}");
    }
}

#[test]
fn contradictions_are_refused_with_every_reason() {
    let refused = |from: &str, to: &str| {
        assert!(GOLDEN.contains(from), "{from}");
        Checkpoint::from_json(&GOLDEN.replacen(from, to, 1)).unwrap_err().to_string()
    };
    for (from, to, reason) in [
        (r#""version":1"#, r#""version":2"#, "it has version 2, and this program reads version 1"),
        (r#""version":1,"#, "", "missing field `version`"),
        (r#""paused":true"#, r#""paused":1"#, "invalid type"),
        (r#""paused":true"#, r#""paused":true,"more":1"#, "unknown field `more`"),
        (r#""holds":40,"#, "", "missing field `holds`"),
        (r#""protocol":2"#, r#""protocol":3"#, "there is no fair-deal protocol 3"),
        (r#""protocol":2"#, r#""protocol":0"#, "12 rounds contradict protocol 0"),
        (
            r#""seat":2,"rounds":1"#,
            r#""seat":9,"rounds":1"#,
            "there is no seat 9, the seat of the last banker",
        ),
        (r#""seat":2,"rounds":1"#, r#""seat":2,"rounds":0"#, "the last banker banked 0 of 12 rounds"),
        (r#""seat":2,"rounds":1"#, r#""seat":2,"rounds":13"#, "the last banker banked 13 of 12 rounds"),
        (r#""5":{"#, r#""0":{"#, "there is no seat 0"),
        (r#""first_round":9"#, r#""first_round":14"#, "seat 5 takes part from round 14, after 12 rounds"),
        (r#""first_round":9"#, r#""first_round":0"#, "seat 5 takes part from round 0"),
        (r#""missed":2"#, r#""missed":5"#, "seat 5 missed 5 of 4 rounds"),
        (r#""until":1700000"#, r#""until":null"#, "seat 5 asked for the next round of a table that waits"),
        (r#""cat":4"#, r#""cat":0"#, "player cat left without a change"),
    ] {
        let refusal = refused(from, to);
        assert!(refusal.contains(reason), "{to}: {refusal}");
    }
    // Every reason is listed.
    let refusal = refused(r#""rounds":12,"holds":40,"protocol":2"#, r#""rounds":0,"holds":40,"protocol":0"#);
    for reason in [
        "40 holds, but no round",
        "a pause after a round, but no round",
        "a last banker, but no round",
        "seat 2 takes part from round 3, after 0 rounds",
        "seat 2 paid for playing time, but no round",
        "seat 5 missed 2 of 0 rounds",
    ] {
        assert!(refusal.contains(reason), "{reason}: {refusal}");
    }
    let play = Play::open("ez");
    let other = Checkpoint::from_json(&GOLDEN.replacen("t1", "t2", 1)).unwrap();
    let rules = play.table.table_rules().clone();
    let refusal = Table::restore(&play.log[0], rules.clone(), &other).err().unwrap().to_string();
    assert!(refusal.contains("it belongs to table t2, not to table t1"), "{refusal}");
    let checkpoint = Checkpoint::from_json(GOLDEN).unwrap();
    let refusal = Table::restore(&TableEvent::Rested, rules, &checkpoint).err().unwrap().to_string();
    assert!(refusal.contains("the first event of a table is `opened`"), "{refusal}");
}
