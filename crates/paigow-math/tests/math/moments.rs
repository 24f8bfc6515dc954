//! Moments and exposure of every wager against plain integer arithmetic over its rows.

use crate::counts::census;
use paigow::rulebook::{BuiltIn, DecidingCards, SettledBy, SideWager};
use paigow::{Amount, Pays, Rulebook, Seat, SideStake, Stakes, TableRules};
use paigow_math::{BaseGame, BaseOdds, CountBasis, DEALS, Exposure, Fraction, Outcomes, WagerOdds};
use std::sync::Arc;

fn books() -> impl Iterator<Item = Rulebook> {
    BuiltIn::book_names().map(|name| Rulebook::built_in(name).unwrap())
}

/// Sums of the powers of the results of all hands: the raw moments times the number of hands.
fn power_sums(odds: &WagerOdds<'_>) -> [i128; 3] {
    let mut sums = [0; 3];
    let mut add = |result: i128, hands: i128| {
        for (sum, power) in sums.iter_mut().zip(1..) {
            *sum += result.pow(power) * hands;
        }
    };
    for (row, hands) in &odds.rows {
        match row.pays {
            Pays::Push => {}
            Pays::ToOne(times) => add(times.into(), *hands),
        }
    }
    add(-1, odds.losing());
    sums
}

#[test]
fn central_moments_follow_from_power_sums() {
    let mut tables = 0;
    for book in books() {
        for wager in book.wagers.iter().filter(|wager| wager.looks_at != DecidingCards::DealerFiveCards) {
            for paytable in &wager.paytables {
                let odds = WagerOdds::of(wager, paytable, census(paytable.joker), BaseGame::default);
                assert_eq!(odds.of, CountBasis::Hands);
                let [first, second, third] = power_sums(&odds).map(|sum| Fraction::new(sum, odds.of.all()));
                let moments = odds.moments();
                assert_eq!(moments.mean, first);
                assert_eq!(moments.mean, -odds.edge());
                assert_eq!(moments.variance, &second - &first.squared());
                assert_eq!(moments.variance, odds.variance());
                let three = Fraction::new(3, 1);
                let two = Fraction::new(2, 1);
                let central =
                    &(&third - &(&three * &(&first * &second))) + &(&two * &(&first.squared() * &first));
                assert_eq!(moments.third, central, "{} {}", book.id, paytable.name);
                tables += 1;
            }
        }
    }
    assert!(tables > 30, "{tables} tables");
}

/// The skewness in floating point, from the results of every row.
#[test]
#[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
fn skewness_is_that_of_a_plain_sum() {
    for book in books() {
        for wager in book.wagers.iter().filter(|wager| wager.looks_at != DecidingCards::DealerFiveCards) {
            let paytable = &wager.paytables[0];
            let odds = WagerOdds::of(wager, paytable, census(paytable.joker), BaseGame::default);
            let all = odds.of.all() as f64;
            let mut results: Vec<(f64, f64)> = Vec::new();
            for (row, hands) in &odds.rows {
                let times = match row.pays {
                    Pays::Push => 0,
                    Pays::ToOne(times) => times,
                };
                results.push((f64::from(times), *hands as f64 / all));
            }
            results.push((-1.0, odds.losing() as f64 / all));
            let mean: f64 = results.iter().map(|(result, share)| result * share).sum();
            let moment = |power: i32| -> f64 {
                results.iter().map(|(result, share)| (result - mean).powi(power) * share).sum()
            };
            let plain = moment(3) / moment(2).powf(1.5);
            let exact: f64 = odds.moments().skewness(9).unwrap().parse().unwrap();
            assert!((plain - exact).abs() < 1e-6 * plain.abs().max(1.0), "{plain} {exact}");
        }
    }
}

#[test]
fn moments_of_the_base_game_are_those_of_its_three_results() {
    let outcomes = Outcomes { win: DEALS / 4, push: DEALS / 2, lose: DEALS / 4 };
    let odds = BaseOdds { outcomes, commission: Fraction::new(1, 20) };
    let moments = odds.moments();
    assert_eq!((moments.mean.clone(), moments.variance.clone()), (-odds.edge(), odds.variance()));
    // Results 19/20, 0 and -1 with the mean -1/80: distances 77/80, 1/80 and -79/80.
    let cubes = Fraction::new(77 * 77 * 77 + 2 - 79 * 79 * 79, 4 * 80 * 80 * 80);
    assert_eq!(moments.third, cubes);
}

/// The reserve of a banking seat is the same bound, computed by the rules for settling rounds.
#[test]
fn exposure_of_a_round_is_the_reserve_of_a_bank() {
    let mut compared = 0;
    for book in books() {
        let players = book.seats.players;
        let book = Arc::new(book);
        let rules = TableRules::new(book.clone(), &[]).unwrap();
        let settled = |wager: &SideWager| wager.settled_by == SettledBy::Banker;
        for index in (0..rules.side_wager_count()).filter(|index| settled(rules.wager(*index))) {
            let wager = rules.wager(index);
            let exposure = Exposure::of(wager, rules.paytable(index), players);
            let mut stakes = [Stakes::default(); Seat::COUNT_MAX];
            for seat in Seat::up_to(players) {
                stakes[seat.index()].pai_gow = Amount::from_cents(10_000);
                let side = SideStake { amount: wager.limits.max, color: None };
                stakes[seat.index()].sides[index] = Some(side);
            }
            assert_eq!(exposure.round_cents, rules.reserve(&stakes).cents(), "{} {}", book.id, wager.name);
            assert_eq!(exposure.stake_cents, wager.limits.max.cents());
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn exposure_respects_the_payout_maximum_and_counts_envy_bonuses() {
    let book = Rulebook::built_in("south-beach").unwrap();
    let wager = book.wager("fortune").unwrap();
    // 8,000 to 1 on $500, at most $20,000 a hand (SB-8); the best hand pays each of five other players $5,000.
    let exposure = Exposure::of(wager, &wager.paytables[0], 6);
    assert_eq!(exposure.wager_cents, 2_000_000);
    let envy = wager.paytables[0].rows.iter().filter_map(|row| row.envy).max().unwrap().cents();
    assert_eq!(exposure.hand_cents, 2_000_000 + 5 * envy);
    // A banking player's hand can earn the bonus too.
    assert_eq!(exposure.round_cents, 6 * 2_000_000 + 6 * 6 * envy);
    let alone = Exposure::of(wager, &wager.paytables[0], 1);
    assert_eq!((alone.hand_cents, alone.round_cents), (2_000_000, 2_000_000 + envy));

    // The dealer's hand decides the wagers of all players at once.
    let book = Rulebook::built_in("ez").unwrap();
    let wager = book.wager("queens-dragon").unwrap();
    let exposure = Exposure::of(wager, &wager.paytables[0], 6);
    assert_eq!(exposure.hand_cents, 6 * exposure.wager_cents);
    assert_eq!(exposure.round_cents, exposure.hand_cents);
}
