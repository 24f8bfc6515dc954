//! A short run of fixed seeds, and every planted fault. `cargo xtask simulate` runs as many worlds as there is time for.

use paigow_simulator::{InjectedFault, PlantedFault, Simulator};
use std::time::Duration;

/// One core runs these in some seconds.
const SEEDS: std::ops::Range<u64> = 0..WORLDS;
const WORLDS: u64 = 60;
/// Maximum time until a planted fault is found, on a machine that is busy with other things too.
const PATIENCE: Duration = Duration::from_mins(4);

#[test]
fn nothing_is_lost_and_every_round_finishes_whatever_fails() {
    let mut simulator = Simulator::default();
    for seed in SEEDS {
        if let Err(broken) = simulator.run(seed, false) {
            panic!("{broken}");
        }
    }
    let report = &simulator.report;
    println!("{report}");
    // A run with few rounds and faults would prove little.
    assert!(report.worlds == WORLDS && report.tables > WORLDS && report.settled() > 10 * WORLDS);
    assert!(report.several_hands() > WORLDS, "{} rounds with several hands", report.several_hands());
    assert!(report.conflicts > 10 * WORLDS && report.messages > 1_000 * WORLDS);
    for fault in InjectedFault::ALL {
        let times = report.faults.get(&fault).copied().unwrap_or(0);
        assert!(times >= WORLDS / 4, "{fault:?} happened {times} times");
    }
}

/// California's tables, where players with little put up bank against high bonus wagers. The auditor checks after every round that the house
/// account does not fall and that a bank pays no more than it has put up.
#[test]
fn the_house_never_pays_for_a_player_dealer() {
    let mut simulator = Simulator::of_book("california");
    for seed in SEEDS {
        if let Err(broken) = simulator.run(seed, false) {
            panic!("{broken}");
        }
    }
    let report = &simulator.report;
    println!("{report}");
    assert!(report.settled() > 10 * WORLDS && report.spent() > WORLDS, "{report}");
}

#[test]
fn a_seed_gives_the_same_world_again() {
    let counts = |simulator: &Simulator| simulator.report.to_string();
    let (mut one, mut other) = (Simulator::default(), Simulator::default());
    for seed in [7, 44, 7_000_000_007] {
        assert!(one.run(seed, false).is_ok() && other.run(seed, false).is_ok());
        assert_eq!(counts(&one), counts(&other), "seed {seed}");
    }
}

/// A test for each planted fault: it shows that the simulator can fail.
macro_rules! planted {
    ($($test:ident $fault:ident),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                let found = Simulator::default().find(PlantedFault::$fault, 0, PATIENCE);
                let found = found.unwrap_or_else(|missed| panic!("{missed:?}"));
                println!("{} worlds, {:.2?}: {}", found.worlds, found.took, found.broken.what);
            }
        )*

        #[test]
        fn every_planted_fault_has_a_test() {
            assert_eq!(PlantedFault::ALL, [$(PlantedFault::$fault),*]);
        }
    };
}

planted![
    acknowledging_before_the_commit_is_found AcknowledgeBeforeCommit,
    a_skipped_sequence_check_is_found SkipSequenceCheck,
    a_repeated_command_that_is_applied_is_found ApplyRepeatedCommand,
    a_repeated_answer_that_is_changed_is_found ChangeRepeatedAnswer,
    a_lost_hold_is_found LoseHold,
    lost_transfers_are_found LoseTransfers,
    an_overdrawn_account_is_found OverdrawAccount,
    a_line_paid_twice_is_found PayTwice,
    a_house_that_pays_for_a_bank_is_found HousePaysForBank,
    a_hidden_hand_in_a_view_is_found ShowHandInView,
    a_hidden_hand_in_the_feed_is_found ShowHandInFeed,
    a_forgotten_deadline_is_found ForgetDeadline,
    a_stale_table_is_found KeepStaleTable,
    going_on_with_another_history_is_found ResumeOtherHistory,
    a_gap_in_the_feed_is_found SkipInFeed,
];
