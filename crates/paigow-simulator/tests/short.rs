//! Runs of fixed seeds, and every planted fault. `cargo xtask simulate` executes as many runs as there is time for.

use paigow_simulator::{InjectedFault, PlantedFault, Simulator};
use std::time::Duration;

/// One core executes these runs in a few seconds.
const SEEDS: std::ops::Range<u64> = 0..RUNS;
const RUNS: u64 = 30;
/// Maximum time until a planted fault is found, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);

#[test]
fn invariants_hold_under_faults() {
    let mut simulator = Simulator::default();
    for seed in SEEDS {
        if let Err(broken) = simulator.run(seed, false) {
            panic!("{broken}");
        }
    }
    let report = &simulator.report;
    println!("{report}");
    // Runs with few rounds and faults would prove little.
    assert!(report.runs == RUNS && report.tables > RUNS && report.settled() > 10 * RUNS);
    assert!(report.several_hands() > RUNS, "{} rounds with several hands", report.several_hands());
    assert!(report.conflicts > 10 * RUNS && report.messages > 1_000 * RUNS);
    for fault in InjectedFault::ALL {
        let times = report.faults.get(&fault).copied().unwrap_or(0);
        assert!(times >= RUNS / 4, "{fault:?} happened {times} times");
    }
}

/// At California tables a player-dealer with few chips can bank against high bonus wagers. The auditor checks after
/// every round that the house account does not fall and that a bank pays no more than it has put up.
#[test]
fn house_never_pays_for_a_player_dealer() {
    let mut simulator = Simulator::with_book("california");
    for seed in SEEDS {
        if let Err(broken) = simulator.run(seed, false) {
            panic!("{broken}");
        }
    }
    let report = &simulator.report;
    println!("{report}");
    assert!(report.settled() > 10 * RUNS && report.spent() > RUNS, "{report}");
}

#[test]
fn same_seed_gives_the_same_run() {
    let counts = |simulator: &Simulator| simulator.report.to_string();
    let (mut first, mut second) = (Simulator::default(), Simulator::default());
    for seed in [7, 44, 7_000_000_007] {
        assert!(first.run(seed, false).is_ok() && second.run(seed, false).is_ok());
        assert_eq!(counts(&first), counts(&second), "seed {seed}");
    }
}

/// Defines a test per planted fault, which proves that the simulator detects it.
macro_rules! planted {
    ($($test:ident $fault:ident),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                let found = Simulator::default().find(PlantedFault::$fault, 0, PATIENCE);
                let found = found.unwrap_or_else(|missed| panic!("{missed:?}"));
                println!("{} runs, {:.2?}: {}", found.runs, found.took, found.broken.message);
            }
        )*

        #[test]
        fn every_planted_fault_has_a_test() {
            assert_eq!(PlantedFault::ALL, [$(PlantedFault::$fault),*]);
        }
    };
}

planted![
    acknowledge_before_commit_is_found AcknowledgeBeforeCommit,
    skipped_sequence_check_is_found SkipSequenceCheck,
    applied_repeated_command_is_found ApplyRepeatedCommand,
    changed_repeated_answer_is_found ChangeRepeatedAnswer,
    lost_hold_is_found LoseHold,
    lost_transfers_are_found LoseTransfers,
    overdrawn_account_is_found OverdrawAccount,
    line_paid_twice_is_found PayTwice,
    house_paying_for_a_bank_is_found HousePaysForBank,
    hidden_hand_in_a_view_is_found ShowHandInView,
    hidden_hand_in_the_feed_is_found ShowHandInFeed,
    forgotten_deadline_is_found ForgetDeadline,
    stale_table_is_found KeepStaleTable,
    resumed_other_history_is_found ResumeOtherHistory,
    gap_in_the_feed_is_found SkipInFeed,
];
