//! Simulated rounds of every book agree with the exact odds, do not depend on the number of threads, and reveal errors.

use crate::counts::base_game;
use paigow::rulebook::BuiltIn;
use paigow::{Refusal, Seat, TableRules};
use paigow_math::{
    BaseGame, Comparison, DecimalRounding, Fraction, Matchup, QUIET, Simulation, TalliedWager,
};
use paigow_testkit::{Rng, seat, table_rules};
use std::cell::RefCell;

/// Random words, with one stream per block.
fn words(seed: u64, block: u64) -> impl FnMut() -> u64 {
    let stream = Rng::new(Rng::new(seed).next() ^ block).next();
    let mut rng = Rng::new(stream);
    move || rng.next()
}

/// The base games that simulations were compared with, each once.
#[derive(Default)]
struct Games(RefCell<Vec<BaseGame>>);

impl Games {
    fn get(&self, matchup: &Matchup<'_>) -> BaseGame {
        let game = base_game(matchup);
        if !self.0.borrow().contains(&game) {
            self.0.borrow_mut().push(game);
        }
        game
    }
}

fn play(
    table_rules: &TableRules,
    seats: u8,
    banker: Option<u8>,
    (seed, rounds): (u64, u64),
    games: &Games,
) -> Vec<Comparison> {
    let way = table_rules.book().house_way.clone();
    let banker = banker.map(seat);
    let simulation = Simulation::new(table_rules, &way, seats, banker).expect("a table");
    let tallies = simulation.play(rounds, |block| words(seed, block), QUIET);
    assert_eq!(tallies.rounds(), rounds);
    simulation.compare(&tallies, &|matchup| games.get(matchup))
}

fn show(name: &str, comparisons: &[Comparison]) {
    for comparison in comparisons {
        println!(
            "{name} {:?}: {} hands, observed {}, exact {}, off by {} standard errors",
            comparison.wager,
            comparison.hands,
            comparison.observed.decimal(6, DecimalRounding::Rounded),
            comparison.exact.as_ref().expect("an exact edge").decimal(6, DecimalRounding::Rounded),
            comparison.deviation(2).expect("a deviation"),
        );
    }
}

#[test]
fn simulation_of_every_book_matches_exact_odds() {
    // `cargo xtask rounds` plays more rounds.
    let requested = std::env::var("PAIGOW_ROUNDS").ok().map(|rounds| rounds.parse().unwrap());
    let many: u64 = requested.unwrap_or(3_000_000);
    let games = Games::default();
    let mut faults = Vec::new();
    let mut check = |name: &str, comparisons: Vec<Comparison>, accounts: usize| {
        show(name, &comparisons);
        assert_eq!(comparisons.len(), accounts, "{name}");
        let flagged = comparisons.into_iter().filter(Comparison::is_flagged);
        faults.extend(flagged.map(|comparison| format!("{name}: {comparison:?}")));
    };
    let books: Vec<&str> = BuiltIn::book_names().collect();
    assert_eq!(books.len(), 5);
    for (seed, name) in (1..).zip(books) {
        let table_rules = table_rules(name, &[], &[]);
        let accounts = match name {
            "ez" => 6,
            "washington" => 4,
            "south-dakota" | "south-beach" | "california" => 3 + usize::from(name == "california"),
            _ => panic!("the expected number of accounts of {name} is missing"),
        };
        check(
            name,
            play(&table_rules, table_rules.book().seats.players, None, (seed, many), &games),
            accounts,
        );
    }
    // A seat banks against other seats and the dealer, with a commission on its net win and then on each win.
    let banked = table_rules("south-beach", &[], &[]);
    check("south-beach banked by a seat", play(&banked, 6, Some(2), (6, many / 10), &games), 4);
    let each_win = table_rules("south-beach", &[("commission.banker", "each_win")], &[]);
    check("south-beach, each win", play(&each_win, 3, Some(3), (7, many / 10), &games), 4);
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(games.0.borrow().len(), 3, "base games compared with");
}

#[test]
fn tallies_do_not_depend_on_the_number_of_threads() {
    let table_rules = table_rules("ez", &[], &[]);
    let way = table_rules.book().house_way.clone();
    let simulation = Simulation::new(&table_rules, &way, 6, None).unwrap();
    let rounds = 3 * Simulation::BLOCK + 77;
    let play_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation.play(rounds, |block| words(7, block), QUIET))
    };
    let one = play_on(1);
    assert_eq!(one.rounds(), rounds);
    assert!(one == play_on(2) && one == play_on(3));
    let other_seed = simulation.play(rounds, |block| words(8, block), QUIET);
    assert_ne!(one, other_seed);
}

/// A base game that is wrong by half a percent is flagged, and so is every wager whose exact edge is shifted.
#[test]
fn wrong_exact_odds_are_flagged() {
    let table_rules = table_rules("south-dakota", &[], &[]);
    // The outcomes of golden/base-game.golden, in cells in which copies do not matter.
    let right = BaseGame {
        compared: [[2_402_482_226_669_052, 0, 3_341_113_289_015_576], [0; 3], [0, 0, 2_506_863_515_529_772]],
        ..BaseGame::default()
    };
    let way = table_rules.book().house_way.clone();
    let simulation = Simulation::new(&table_rules, &way, 6, None).unwrap();
    let tallies = simulation.play(1_000_000, |block| words(3, block), QUIET);
    let base = |game: BaseGame| -> Comparison {
        let comparisons = simulation.compare(&tallies, &|_| game);
        comparisons.into_iter().find(|comparison| comparison.wager == TalliedWager::PaiGow).unwrap()
    };
    assert!(!base(right).is_flagged(), "{:?}", base(right).deviation(2));
    let mut wrong = right;
    // Half a percent of all deals moves from push to loss.
    wrong.compared[0][2] -= paigow_math::DEALS / 200;
    wrong.compared[2][2] += paigow_math::DEALS / 200;
    let found = base(wrong);
    assert!(found.is_flagged(), "{:?}", found.deviation(2));
    assert!(found.deviation(2).unwrap().starts_with('-'), "observed below exact");

    // Every wager is flagged if and only if its exact edge is shifted.
    for comparison in simulation.compare(&tallies, &|_| right) {
        assert!(!comparison.is_flagged(), "{comparison:?}");
        let exact = comparison.exact.clone().map(|exact| exact + Fraction::new(1, 100));
        let shifted = Comparison { exact, ..comparison };
        assert!(shifted.is_flagged(), "{shifted:?}");
    }
}

#[test]
fn invalid_simulations_are_refused() {
    let six_seats = table_rules("ez", &[], &[]);
    let way = six_seats.book().house_way.clone();
    let refused = |seats, banker| Simulation::new(&six_seats, &way, seats, banker).err().expect("a refusal");
    assert!(matches!(refused(7, None)[..], [Refusal::SeatOutOfRange { seat: 7, seats: 6 }]));
    assert!(matches!(refused(6, Some(Seat::FIRST))[..], [Refusal::BankerNotAllowed { .. }]));
    let banked = table_rules("california", &[], &[]);
    let alone = Simulation::new(&banked, &way, 1, None).err().expect("a refusal");
    assert!(matches!(alone[..], [Refusal::NoWagers]), "{alone:?}");
}
