//! Arbitrary input for commands, events and configurations: no panic, no hang, and a refusal changes nothing.

use crate::play::{Play, operator, player, side, wager};
use crate::random::NAMES;
use paigow::rulebook::BuiltIn;
use paigow_table::{
    Actor, Command, Commitment, Config, DecisionContext, RulesForm, SeatBytes, Stake, Table, TableEvent,
    Time, Transfer, Viewer,
};
use paigow_testkit::Rng;

fn commands() -> Vec<Command> {
    vec![
        Command::Sit { seat: 3 },
        Command::Stand,
        Command::SitOut,
        Command::Return,
        wager(2_500),
        side("fortune", 500),
        Command::Wagers {
            wagers: [("pai-gow", 2_500), ("fortune", 500)]
                .map(|(wager, cents)| Stake { wager: wager.to_owned(), cents, color: None })
                .to_vec(),
            ready: true,
            commitment: Some(Commitment([3; 32])),
        },
        Command::Clear { wager: None },
        Command::Clear { wager: Some("fortune".to_owned()) },
        Command::AddBytes { bytes: SeatBytes::new(vec![7; 32]).unwrap() },
        Command::Commit { commitment: Commitment([5; 32]) },
        Command::Reveal { bytes: SeatBytes::new(vec![7; 32]).unwrap() },
        Command::SetPositions { positions: [1, 7] },
        Command::TakeBank { cents: 10_000 },
        Command::PassBank,
        Command::PickPile { pile: 2 },
        Command::GiveBankBack,
        Command::Ready,
        Command::Set { low: "As Kd".to_owned() },
        Command::HouseWay,
        Command::At { seat: 3, command: Box::new(wager(2_500)) },
        Command::At { seat: 1, command: Box::new(Command::Stand) },
        Command::Tick,
        Command::Pause,
        Command::Resume,
        Command::Close,
        Command::Void { reason: "why".into() },
        Command::Notice { text: "what".to_owned() },
    ]
}

const FRAGMENTS: [&str; 20] = [
    "null",
    "-1",
    "0",
    "18446744073709551615",
    "18446744073709551616",
    "1e400",
    "0.5",
    "\"\"",
    "[]",
    "{}",
    "true",
    "\\u0000",
    "\\ud800",
    "\u{202e}",
    "Jk",
    "As",
    "\"do\":\"stand\",",
    ",",
    "999999999999",
    "255",
];

/// Returns a text with parts changed, removed, doubled or replaced.
fn mutate(rng: &mut Rng, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(2) {
        let at = rng.index(bytes.len() + 1);
        let to = (at + rng.index(8)).min(bytes.len());
        match rng.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let again = bytes[at..to].to_vec();
                bytes.splice(at..at, again);
            }
            3 => drop(bytes.splice(at..to, rng.pick(&FRAGMENTS).bytes())),
            4 => {
                // Replace a whole value, from a colon to the next comma or brace.
                let colon = bytes
                    .iter()
                    .skip(at)
                    .position(|byte| *byte == b':')
                    .map_or(bytes.len(), |offset| at + offset + 1);
                let length = bytes[colon..].iter().position(|byte| matches!(byte, b',' | b'}')).unwrap_or(0);
                bytes.splice(colon..colon + length, rng.pick(&FRAGMENTS).bytes());
            }
            _ => bytes.insert(at, rng.next() as u8),
        }
    }
    bytes
}

/// Returns a table after some steps of random play.
fn started(book: &str, steps: usize, rng: &mut Rng) -> Play {
    let mut play = Play::open_with(book, &[], 500);
    for name in NAMES {
        play.issue(name, 100_000);
    }
    for _ in 0..steps {
        let (by, command) = crate::random::command(rng, &play);
        let _ = play.try_run(&by, &command);
        if rng.below(10) == 0
            && let Some(due) = play.table.due()
        {
            play.now = due;
            play.run(&Actor::Clock, Command::Tick);
        }
    }
    play
}

#[test]
fn random_bytes_do_not_parse() {
    let mut rng = Rng::new(1);
    for _ in 0..200_000 {
        let bytes: Vec<u8> = (0..rng.below(64)).map(|_| rng.next() as u8).collect();
        assert!(serde_json::from_slice::<Command>(&bytes).is_err());
        assert!(serde_json::from_slice::<TableEvent>(&bytes).is_err());
        assert!(serde_json::from_slice::<Config>(&bytes).is_err());
        assert!(serde_json::from_slice::<Transfer>(&bytes).is_err());
    }
    let deep = "[".repeat(100_000);
    assert!(serde_json::from_str::<Command>(&deep).is_err());
    assert!(serde_json::from_str::<Command>(&format!("{{\"do\":{deep}")).is_err());
}

#[test]
fn commands_round_trip() {
    for command in commands() {
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command, "{text}");
        // Unknown fields are refused.
        let unknown = text.replacen('{', "{\"more\":1,", 1);
        assert!(serde_json::from_str::<Command>(&unknown).is_err(), "{unknown}");
    }
}

#[test]
fn mutated_commands_are_accepted_or_refused() {
    let texts: Vec<String> =
        commands().iter().map(|command| serde_json::to_string(command).unwrap()).collect();
    for (book, seed) in BuiltIn::book_names().zip(1..) {
        let mut rng = Rng::new(seed);
        let (mut parsed, mut accepted) = (0, 0);
        for _ in 0..50 {
            let steps = rng.index(120);
            let mut play = started(book, steps, &mut rng);
            for _ in 0..1_000 {
                let text = rng.pick(&texts).clone();
                let Ok(command) = serde_json::from_slice::<Command>(&mutate(&mut rng, &text)) else {
                    continue;
                };
                parsed += 1;
                let by = match rng.below(8) {
                    0 => operator(),
                    1 => Actor::Clock,
                    _ => player(rng.pick::<&str>(&NAMES)),
                };
                let (table, ledger, log) = (play.table.clone(), play.ledger.clone(), play.log.len());
                if play.try_run(&by, &command).is_ok() {
                    accepted += 1;
                } else {
                    assert!(play.table == table && play.ledger == ledger && play.log.len() == log);
                }
                if play.table.is_closed() {
                    break;
                }
            }
        }
        assert!(parsed > 300 && accepted > 30, "{book}: {parsed} parsed, {accepted} accepted");
    }
}

/// Events of a modified log are applied or refused, and no view panics.
#[test]
fn mutated_events_are_applied_or_refused() {
    for (book, seed) in BuiltIn::book_names().zip(100..) {
        let mut rng = Rng::new(seed);
        let play = started(book, 150, &mut rng);
        let texts: Vec<String> = play.log.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
        let mut parsed = 0;
        for _ in 0..2_000 {
            let start = rng.index(texts.len());
            let mut table = Table::open(&play.log[0], play.table.table_rules().clone()).unwrap();
            play.log[1..=start]
                .iter()
                .skip(usize::from(start == 0))
                .for_each(|event| table.apply(event).unwrap());
            for _ in 0..20 {
                // Events also come out of order.
                let text = rng.pick(&texts).clone();
                let text = if rng.below(3) == 0 { text.into_bytes() } else { mutate(&mut rng, &text) };
                let Ok(event) = serde_json::from_slice::<TableEvent>(&text) else { continue };
                parsed += 1;
                if table.apply(&event).is_err() {
                    break;
                }
                for viewer in [Viewer::Watcher, Viewer::Auditor, Viewer::Player("ann".parse().unwrap())] {
                    serde_json::to_string(&table.view(&viewer)).unwrap();
                }
            }
        }
        assert!(parsed > 400, "{book}: {parsed}");
    }
}

/// Rounds open in sequence, and a finished round takes no events.
#[test]
fn events_out_of_sequence_are_invalid() {
    let play = started("ez", 300, &mut Rng::new(3));
    let is_opened = |event: &&TableEvent| matches!(event, TableEvent::RoundOpened { .. });
    let mut opened = play.log.iter().filter(is_opened);
    let (first, second) = (opened.next().unwrap(), opened.next().unwrap());
    let fresh = || Table::open(&play.log[0], play.table.table_rules().clone()).unwrap();
    assert!(fresh().apply(second).is_err(), "the first round must come first");
    let mut table = fresh();
    table.apply(first).unwrap();
    assert!(table.clone().apply(first).is_err(), "a round opens only once");
    assert!(table.clone().apply(second).is_err(), "the first round is not over");
    let settled = play.log.iter().position(|event| matches!(event, TableEvent::Settled { .. })).unwrap();
    let mut table = fresh();
    play.log[1..=settled].iter().for_each(|event| table.apply(event).unwrap());
    assert!(table.apply(&play.log[settled]).is_err(), "a round is settled only once");
}

/// An accepted configuration makes a table that can be played.
#[test]
fn mutated_configurations_are_refused_or_played() {
    let mut rng = Rng::new(5);
    let mut config =
        Play::open_with("south-beach", &[("base_game.limits.min", "1.00")], 500).table.config().clone();
    let table_rules = config.table_rules(&BuiltIn).unwrap();
    config.paytables.insert("fortune".to_owned(), table_rules.paytable(0).name.clone());
    let text = serde_json::to_string(&config).unwrap();
    let (mut parsed, mut accepted) = (0, 0);
    for _ in 0..6_000 {
        let Ok(config) = serde_json::from_slice::<Config>(&mutate(&mut rng, &text)) else { continue };
        parsed += 1;
        let Ok(table_rules) = config.table_rules(&BuiltIn) else { continue };
        accepted += 1;
        let opened = TableEvent::Opened {
            config,
            rules: String::new(),
            form: RulesForm::CANONICAL,
            version: String::new(),
        };
        check_plays(Table::open(&opened, table_rules).unwrap());
    }
    assert!(parsed > 500 && accepted > 100, "{parsed} parsed, {accepted} accepted");
}

/// Every player has a large balance.
struct UnlimitedFunds;

impl paigow_table::Funds for UnlimitedFunds {
    fn cents(&self, _: &paigow_table::Account) -> i64 {
        1 << 40
    }

    fn round_transfers(&self, _: &paigow_table::TableId, _: u64) -> Vec<Transfer> {
        Vec::new()
    }
}

/// Plays some rounds with two players and the clock.
fn check_plays(mut table: Table) {
    let mut now = Time(1_000);
    let commands =
        [Command::TakeBank { cents: 1_000_000 }, wager(2_500), side("fortune", 500), Command::Ready];
    let mut run = |now: Time, by: &Actor, command: &Command| {
        let context = DecisionContext { now, entropy: [9; 32], funds: &UnlimitedFunds };
        let Ok(effects) = table.decide(by, command, &context) else { return table.due() };
        effects.events.iter().for_each(|event| table.apply(event).unwrap());
        table.due()
    };
    run(now, &player("ann"), &Command::Sit { seat: 1 });
    run(now, &player("bob"), &Command::Sit { seat: 2 });
    for _ in 0..12 {
        for name in ["ann", "bob"] {
            for command in &commands {
                run(now, &player(name), command);
            }
        }
        now = run(now, &player("zoe"), &Command::Stand).unwrap_or(now);
        run(now, &Actor::Clock, &Command::Tick);
    }
    assert!(table.round_number() > 1);
}
