//! A short run of fixed seeds. `cargo xtask simulate` runs as many as there is time for.

use paigow_simulator::Simulator;

/// As many as are done in some seconds on one core.
const SEEDS: std::ops::Range<u64> = 0..WORLDS;
const WORLDS: u64 = 200;

#[test]
fn nothing_is_lost_and_every_round_finishes_whatever_fails() {
    let mut simulator = Simulator::default();
    for seed in SEEDS {
        if let Err(broken) = simulator.run(seed, false) {
            panic!("cargo xtask simulate --seed {}", broken.seed);
        }
    }
    let report = &simulator.report;
    println!("{report}");
    // A run in which little happened would prove little.
    assert!(report.tables > WORLDS && report.settled() > 10 * WORLDS);
    assert!(report.crashes() > WORLDS && report.conflicts > WORLDS);
}

#[test]
fn a_seed_gives_the_same_world_again() {
    let counts = |simulator: &Simulator| simulator.report.to_string();
    let (mut one, mut other) = (Simulator::default(), Simulator::default());
    for seed in [7, 7_000_000_007] {
        assert!(one.run(seed, false).is_ok() && other.run(seed, false).is_ok());
        assert_eq!(counts(&one), counts(&other), "seed {seed}");
    }
}
