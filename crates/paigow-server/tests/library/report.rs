//! Reports of constructed rounds: their expectation and variance agree with enumerations, with the odds and with simulated
//! rounds, and unlikely results stand out.

use paigow::rulebook::BuiltIn;
use paigow::{Amount, TableRules};
use paigow_answers::house_win::{HouseWin, base_outcomes};
use paigow_answers::judgement::side_expectation;
use paigow_answers::odds::{self, BASE_GAME, OddsQuestion};
use paigow_answers::{Exact, Work};
use paigow_math::{DecimalRounding, Fraction, QUIET, Simulation, TalliedWager};
use paigow_server::{ReportRow, ReportTally, RoundRecord};
use paigow_table::{HandView, LineView, RoundView, SeatView, Time, WagerView};
use paigow_testkit::{Rng, table_rules};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Shared by all tests, so that each base game is counted once.
static WORK: LazyLock<Work> = LazyLock::new(|| Work::without_progress(None));

/// A stake of a seat and its net result, both in cents.
type Placed = (u8, u64, i64);

fn line((seat, stake_cents, net_cents): Placed, wager: &str) -> LineView {
    let outcome = match net_cents {
        1.. => "win",
        0 => "push",
        _ => "lose",
    };
    LineView {
        who: format!("seat-{seat}"),
        wager: wager.to_owned(),
        stake_cents,
        outcome: outcome.to_owned(),
        net_cents,
        fee_cents: 0,
        against: "house".to_owned(),
        reason: None,
        because: String::new(),
        cite: String::new(),
        assumed: false,
    }
}

/// A round that ended on 1970-01-02, in which seats placed one wager against the house. Each seat has its own player.
fn round(wager: &str, placed: &[Placed]) -> RoundRecord {
    let seat = |(seat, cents, _): &Placed| SeatView {
        seat: *seat,
        player: format!("player-{seat}").parse().unwrap(),
        out: false,
        leaving: false,
        ready: true,
        next: false,
        wagers: [(wager.to_owned(), WagerView { cents: *cents, color: None, button: false })].into(),
        hand: Some(HandView::default()),
    };
    RoundRecord {
        table: "t1".parse().unwrap(),
        round: 1,
        book: String::new(),
        rules: String::new(),
        version: String::new(),
        currency: "PRACTICE".to_owned(),
        opened_at: Time(0),
        ended_at: Some(Time(86_400_000)),
        outcome: "settled",
        reason: None,
        first_seq: 1,
        last_seq: 2,
        seats: placed.iter().map(seat).collect(),
        play: None,
        lines: placed.iter().map(|placed| line(*placed, wager)).collect(),
    }
}

/// Returns the only row of a report of these rounds.
fn row(rules: &Arc<TableRules>, rounds: &[RoundRecord]) -> ReportRow {
    let mut tally = ReportTally::default();
    for record in rounds {
        tally.add(record, rules);
    }
    let mut rows = tally.rows(&WORK);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

fn expected(row: &ReportRow) -> Fraction {
    row.expected.clone().unwrap().0
}

/// Number of ways to choose `k` of `n`, by Pascal's rule.
fn choose(n: u32, k: u32) -> i128 {
    if k == 0 || n == 0 { i128::from(k == 0) } else { choose(n - 1, k - 1) + choose(n - 1, k) }
}

#[test]
fn unlikely_results_of_the_base_game_stand_out() {
    for (book, won) in [("ez", 1_000), ("washington", 950)] {
        let rules = table_rules(book, &[], &[]);
        let report = |wins: u64| {
            let rounds =
                (0..100).map(|n| round(BASE_GAME, &[(1, 1_000, if n < wins { won } else { -1_000 })]));
            row(&rules, &rounds.collect::<Vec<_>>())
        };
        let [all_lost, half, all_won] = [0, 50, 100].map(report);
        let deviations = |row: &ReportRow| {
            let text = row.deviations.clone().unwrap();
            text.replace('.', "").parse::<i64>().unwrap()
        };
        assert!(deviations(&all_lost) > 300, "{all_lost:?}");
        assert!(deviations(&all_won) < -300, "{all_won:?}");
        assert!(deviations(&half).abs() < 200, "{half:?}");
        assert_eq!((all_lost.wagers, all_lost.handle_cents, all_lost.win_cents), (100, 100_000, 100_000));
        assert_eq!(all_lost.hold, Some(Exact(Fraction::one())));
        assert_eq!((all_lost.day.as_str(), all_lost.title.as_str()), ("1970-01-02", "Pai Gow"));

        let question = OddsQuestion {
            book: book.to_owned(),
            wager: Some(BASE_GAME.to_owned()),
            stake_cents: Some(1_000),
            ..OddsQuestion::default()
        };
        let odds = odds::answer(&question, &BuiltIn, &WORK).unwrap();
        let odds = odds.base_game.unwrap();
        let hundred_stakes = Fraction::new(100_000, 1);
        assert_eq!(expected(&half), odds.at_stake.unwrap().edge_exact.0 * hundred_stakes);
        // The commission on ten dollars is not rounded, so the variance per unit applies.
        let variance = odds.outcomes.standard_deviation.0 * Fraction::new(100 * 1_000_000, 1);
        assert_eq!(half.deviation_cents, Some(variance.root(2)));
    }
}

#[test]
fn color_wager_has_the_moments_of_an_enumeration_by_numbers_of_cards() {
    let rules = table_rules("ez", &[], &[]);
    let stakes = [300_i64, 500];
    let report = row(&rules, &[round("red-black", &[(1, 300, -300), (4, 500, 500)])]);
    let (mut hands, mut sum, mut squares) = (0, 0, 0);
    for red in 0..=7_u32 {
        for joker in 0..=1_u32.min(7 - red) {
            let count = choose(26, red) * choose(26, 7 - red - joker);
            // EZ-8: seven cards of the color pay 5 to 1, four to six pay 1 to 1.
            let won = match red {
                7 => -5,
                4..=6 => -1,
                _ => 1,
            };
            (hands, sum, squares) = (hands + count, sum + count * won, squares + count * won * won);
        }
    }
    let mean = Fraction::new(sum, hands);
    let variance = Fraction::new(squares, hands) - mean.squared();
    let of_stakes = |power| Fraction::new(stakes.map(|stake| stake.pow(power)).iter().sum::<i64>(), 1);
    assert_eq!(expected(&report), mean.clone() * of_stakes(1));
    assert_eq!(mean, Fraction::new(7_940, 296_429), "the edge in golden/odds.golden");
    assert_eq!(report.deviation_cents, Some((variance * of_stakes(2)).root(2)));
    assert_eq!((report.win_cents, report.judged_win_cents, report.judged_wagers), (-200, -200, 2));
}

#[test]
fn wagers_on_one_dealer_hand_are_one_risk() {
    let rules = table_rules("ez", &[], &[]);
    let wager = "queens-dragon";
    let dealt = |placed: &[Placed]| {
        let mut record = round(wager, placed);
        record.play = Some(dealer_view());
        record
    };
    let two = row(&rules, &[dealt(&[(1, 100, -100), (2, 400, -400)])]);
    let one = row(&rules, &[dealt(&[(1, 500, -500)])]);
    assert_eq!((&two.expected, &two.deviation_cents), (&one.expected, &one.deviation_cents));
    let apart = row(&rules, &[dealt(&[(1, 100, -100)]), dealt(&[(2, 400, -400)])]);
    assert_eq!(apart.expected, two.expected);
    assert_ne!(apart.deviation_cents, two.deviation_cents);
    // Without a dealer's hand there is nothing to expect.
    let none = row(&rules, &[round(wager, &[(1, 100, -100)])]);
    assert_eq!((none.expected, none.deviations, none.judged_wagers), (None, None, 0));
}

fn dealer_view() -> RoundView {
    RoundView {
        round: 1,
        protocol: 2,
        commitment: "00".repeat(32).try_into().unwrap(),
        opened_at: None,
        key: None,
        signature: None,
        commitments: BTreeMap::new(),
        closed_signature: None,
        silent: Vec::new(),
        secret: None,
        passed: Vec::new(),
        bank: None,
        pile: None,
        bytes: BTreeMap::new(),
        dice: None,
        dealer: Some(HandView::default()),
        voided: None,
        net_cents: None,
        lines: None,
        settled_at: None,
        steps: Vec::new(),
    }
}

/// A hand pays its own wager and an envy bonus to the other seat in the same round.
#[test]
fn envy_bonuses_belong_to_the_hand_that_earns_them() {
    let rules = table_rules("south-dakota", &[], &[]);
    let index = rules.side_wager_index("fortune").unwrap();
    let stake = 500;
    let report = row(&rules, &[round("fortune", &[(1, stake, -500), (2, stake, -500)])]);
    let one = side_expectation(&rules, index, Amount::from_cents(stake), 1).unwrap();
    assert_eq!(expected(&report), -one * Fraction::new(2, 1));

    let question = OddsQuestion {
        book: "south-dakota".to_owned(),
        wager: Some("fortune".to_owned()),
        paytable: Some(rules.paytable(index).name.clone()),
        ..OddsQuestion::default()
    };
    let odds = odds::answer(&question, &BuiltIn, &WORK).unwrap().wagers.remove(0);
    let hands = i128::from(odds.hands.unwrap());
    let (mut sum, mut squares) = (-500 * i128::from(odds.losing), 250_000 * i128::from(odds.losing));
    for row in &odds.rows {
        let paid = 500 * i128::from(row.pays) + i128::from(row.envy_cents.unwrap_or(0));
        sum += i128::from(row.combinations) * paid;
        squares += i128::from(row.combinations) * paid * paid;
    }
    let variance = Fraction::new(squares, hands) - Fraction::new(sum, hands).squared();
    assert_eq!(report.deviation_cents, Some((variance * Fraction::new(2, 1)).root(2)));

    // Two hands of one player earn that player no envy bonus.
    let mut own = round("fortune", &[(1, stake, -500), (2, stake, -500)]);
    own.seats[1].player = own.seats[0].player.clone();
    let alone = side_expectation(&rules, index, Amount::from_cents(stake), 0).unwrap();
    assert_eq!(expected(&row(&rules, &[own])), -alone * Fraction::new(2, 1));
}

#[test]
fn fees_are_certain_and_stakes_without_action_have_no_handle() {
    let rules = table_rules("ez", &[], &[]);
    let plain = row(&rules, &[round(BASE_GAME, &[(1, 1_000, -1_000)])]);
    let mut with_fee = round(BASE_GAME, &[(1, 1_000, -1_000)]);
    with_fee.lines.push(LineView { outcome: "collection".to_owned(), ..line((1, 1_000, -75), BASE_GAME) });
    let with_fee = row(&rules, &[with_fee]);
    assert_eq!((with_fee.win_cents, with_fee.handle_cents, with_fee.wagers), (1_075, 1_000, 1));
    assert_eq!(expected(&with_fee), expected(&plain) + Fraction::new(75, 1));
    assert_eq!(
        (&with_fee.deviation_cents, &with_fee.deviations),
        (&plain.deviation_cents, &plain.deviations)
    );
    let mut part = round(BASE_GAME, &[(1, 600, -600)]);
    part.lines.push(LineView { outcome: "no_action".to_owned(), ..line((1, 400, 0), BASE_GAME) });
    let part = row(&rules, &[part]);
    assert_eq!((part.win_cents, part.handle_cents, part.wagers, part.judged_wagers), (600, 600, 1, 0));
    assert_eq!(part.expected, None);
}

#[test]
fn void_rounds_count_apart() {
    let rules = table_rules("ez", &[], &[]);
    let mut void = round(BASE_GAME, &[(1, 1_000, -1_000), (2, 1_000, 1_000)]);
    void.outcome = "voided";
    void.lines.clear();
    let report = row(&rules, &[void]);
    assert_eq!((report.voided, report.wagers, report.handle_cents, report.win_cents), (1, 0, 0, 0));
    assert_eq!((report.hold, report.expected, report.deviations), (None, None, None));
}

#[test]
fn base_wagers_of_a_round_share_the_dealers_hand() {
    let rules = table_rules("ez", &[], &[]);
    let together = row(&rules, &[round(BASE_GAME, &[(1, 1_000, -1_000), (2, 2_500, -2_500)])]);
    let apart =
        row(&rules, &[round(BASE_GAME, &[(1, 1_000, -1_000)]), round(BASE_GAME, &[(2, 2_500, -2_500)])]);
    assert_eq!(together.expected, apart.expected);
    assert_eq!((together.wagers, together.judged_wagers), (2, 2));
    let cents =
        |row: &ReportRow| row.deviation_cents.clone().unwrap().replace('.', "").parse::<u64>().unwrap();
    assert!(cents(&together) > cents(&apart), "{together:?} {apart:?}");
}

/// The measured correlation of base wagers agrees with simulated rounds. The variance is exact for one seat.
#[test]
fn variance_of_base_wagers_agrees_with_simulated_rounds() {
    const ROUNDS: u64 = 20_000;
    for (book, seats) in [("ez", 6), ("south-dakota", 2), ("south-dakota", 6)] {
        let rules = table_rules(book, &[], &[]);
        let way = rules.book().house_way.clone();
        let simulation = Simulation::new(&rules, &way, seats, None).unwrap();
        let words = |block: u64| {
            let mut rng = Rng::new(block + 1);
            move || rng.next()
        };
        let tallies = simulation.play(ROUNDS, words, QUIET);
        let compared = simulation.compare(&tallies, &|matchup| WORK.base_game(matchup));
        let base = compared.iter().find(|compared| compared.wager == TalliedWager::PaiGow).unwrap();
        // Variance of the sum of a round, for wagers of one unit.
        let seats = u64::from(seats);
        let simulated =
            base.error_squared.clone().unwrap() * Fraction::new(u128::from(ROUNDS * seats * seats), 1);
        let stake = Amount::from_cents(10_000);
        let stakes = vec![stake; seats as usize];
        let computed = HouseWin::of_base(&rules, &base_outcomes(&rules, &WORK), &stakes).variance
            / Fraction::new(100_000_000, 1);
        let ratio = simulated / computed;
        let text = ratio.decimal(3, DecimalRounding::Rounded);
        assert!((ratio - Fraction::one()).abs() < Fraction::new(5, 100), "{book}, {seats} seats: {text}");
    }
}
