//! The table of worths against the base game's count, which uses another method, and against single hands.

use crate::counts::{base_game, golden};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{CardSet, Evaluator, HouseWay, PartialHand, Rulebook, SevenCards};
use paigow_math::{
    BaseOdds, BestSetting, Cancelled, ClausePrice, Decisions, Fraction, Matchup, Opposition, Price, Proof,
    QUIET, Removals, TableSide, Valuation, WorthTable,
};
use paigow_testkit::rulebook;
use std::sync::{Arc, LazyLock};

pub(crate) struct Valued {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) table: WorthTable,
}

impl Valued {
    pub(crate) fn of(book: &str, side: TableSide) -> Valued {
        let book = rulebook(book, &[]);
        let table = WorthTable::build(&Valuation::of(&book, side, &book.house_way), QUIET);
        Valued { book, table }
    }

    pub(crate) fn price(&self, way: &HouseWay) -> (Decisions, Price) {
        let decisions = self.table.decide(way);
        let price = self.table.price(way, &decisions);
        (decisions, price)
    }

    fn game(&self, player: &HouseWay, dealer: &HouseWay) -> paigow_math::BaseGame {
        let dealer_push = &self.book.base_game.dealer_push;
        base_game(&Matchup { player, dealer, ranking: self.book.ranking, dealer_push })
    }
}

/// A player against the dealer of a book with commission.
pub(crate) static PLAYER: LazyLock<Valued> = LazyLock::new(|| Valued::of("washington", TableSide::Player));
/// The dealer of a book in which some of the dealer's hands push.
static DEALER: LazyLock<Valued> = LazyLock::new(|| Valued::of("ez", TableSide::Dealer));

fn way(name: &str) -> HouseWay {
    HouseWay::load(name, &BuiltIn).expect("a house way")
}

/// The golden numbers were found by `paigow strategy`, which values the settings of single hands.
#[test]
fn player_prices_match_golden_strategy() {
    for line in golden("strategy.golden") {
        let [name, numbers @ ..] = &line[..] else { panic!("{line:?}") };
        let numbers: Vec<i128> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        let (outcomes, worse) = if name == "best" {
            (PLAYER.table.best_outcomes(), 0)
        } else {
            let (_, price) = PLAYER.price(&way(name));
            (price.outcomes, price.hands_set_worse)
        };
        let priced = [outcomes.win, outcomes.push, outcomes.lose, i128::from(worse)];
        assert_eq!(priced[..], numbers, "{line:?}");
    }
}

/// The dealer's outcomes are those of the players exchanged. Both sides set by the dealer's way.
#[test]
fn dealer_price_matches_the_count_of_the_game() {
    let way = &DEALER.book.house_way;
    let (_, price) = DEALER.price(way);
    let game = DEALER.game(way, way);
    assert!(game.dealer_push > 0);
    let players = game.outcomes(DEALER.book.base_game.copies);
    assert_eq!([price.outcomes.lose, price.outcomes.push], [players.win, players.push]);
    assert_eq!(price.outcomes.win, players.lose);
}

/// Every hand of some kinds is valued alone, for each side, and the sums are compared.
#[test]
fn cost_of_a_kind_is_the_sum_over_its_hands() {
    for (valued, side) in [(&PLAYER, TableSide::Player), (&DEALER, TableSide::Dealer)] {
        let book = &valued.book;
        let valuation = Valuation::of(book, side, &book.house_way);
        let (decisions, _) = valued.price(&book.house_way);
        let costly = valued.table.costliest(&decisions, 40_000);
        let few = |hands: u32| (2..=16).contains(&hands);
        let mut compared = 0;
        for kind in costly.iter().filter(|kind| few(kind.hands)).step_by(40).take(12) {
            let hands = relabelings(kind.hand);
            if hands.len() as u32 != kind.hands {
                continue;
            }
            let costs = hands.iter().map(|hand| {
                let settings = BestSetting::of_side(*hand, &valuation);
                let value = |index: usize| valuation.value(settings.settings[index].1);
                value(0) - value(settings.house_way)
            });
            let expected = Fraction::new(costs.sum::<i64>(), 8_250_459_031_214_400_i128 * 10_000);
            assert_eq!(kind.part, expected, "{}", kind.hand);
            compared += 1;
        }
        assert!(compared >= 5, "{compared} kinds were compared for the {}", side.name());
    }
}

/// A banking seat wins the copies that a player loses, and the commission is on its wins.
#[test]
fn banking_seat_wins_copies() {
    let book = &PLAYER.book;
    let hand: SevenCards = "Ks Qd Th 9s 7c 5d 3h".parse().unwrap();
    let [player, banker] = [TableSide::Player, TableSide::Banker].map(|side| {
        let best = BestSetting::of_side(hand, &Valuation::of(book, side, &book.house_way));
        let (_, worth) = best.settings[best.house_way];
        worth
    });
    let best = BestSetting::of(hand, &Opposition::of(book, &book.house_way));
    assert_eq!(best.settings[best.house_way].1, player);
    assert!(banker.win > player.win && banker.lose < player.lose, "{banker:?} {player:?}");
}

/// All hands that differ from a hand only by a relabeling of the suits.
fn relabelings(hand: SevenCards) -> Vec<SevenCards> {
    let masks = hand.cards().suit_masks();
    let mut hands = Vec::new();
    for code in 0..256 {
        let suits = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if (0..4).all(|suit| suits.contains(&suit)) {
            let cards = CardSet::from_masks(suits.map(|suit| masks[suit]), hand.cards().has_joker());
            hands.push(PartialHand::of(cards).complete());
        }
    }
    hands.sort_unstable_by_key(|hand: &SevenCards| hand.cards());
    hands.dedup();
    hands
}

/// Returns a built-in house way with two neighboring clauses exchanged, or without a clause.
pub(crate) fn edited(name: &str, edit: impl Fn(&mut Vec<String>)) -> HouseWay {
    let source = BuiltIn.house_way(name, None).expect("a house way");
    let mut parts = source.text.split("[[clauses]]").map(str::to_owned);
    let head = parts.next().expect("a text before the clauses");
    let mut clauses: Vec<String> = parts.collect();
    edit(&mut clauses);
    let text = clauses.into_iter().fold(head, |text, clause| text + "[[clauses]]" + &clause);
    HouseWay::parse("edited", &Source::new("edited", text)).expect("a valid house way")
}

/// Moving or removing a clause changes the price by what the clause's price says. The count of the base game agrees.
#[test]
fn moved_and_removed_clauses_cost_what_their_prices_say() {
    let way = &PLAYER.book.house_way;
    let (before, price) = PLAYER.price(way);
    for clause in 0..way.clauses().len() - 1 {
        let ClausePrice { swapped, removed, .. } = &price.clauses[clause];
        let mut edits = vec![(edited(way.id(), |clauses| _ = clauses.remove(clause)), removed)];
        // The last two clauses cannot change places: the last must fit every hand.
        if swapped.is_some() {
            edits.push((edited(way.id(), |clauses| clauses.swap(clause, clause + 1)), swapped));
        }
        for (other, expected) in edits {
            let decisions = PLAYER.table.decide_again(&other, &before, clause);
            assert_eq!(decisions, PLAYER.table.decide(&other), "clause {clause}");
            let change = PLAYER.table.price(&other, &decisions).cost - price.cost.clone();
            assert_eq!(Some(&change), expected.as_ref(), "clause {clause}");
        }
    }
    let moved = edited(way.id(), |clauses| clauses.swap(1, 2));
    let (after, moved_price) = PLAYER.price(&moved);
    let game = PLAYER.game(&moved, way);
    let copies = PLAYER.book.base_game.copies;
    let commission = Fraction::new(PLAYER.book.commission.basis_points, 10_000);
    assert_eq!(moved_price.outcomes, game.outcomes(copies));
    let edge = BaseOdds::of_player(&game, copies, commission.clone()).edge();
    let best = BaseOdds { outcomes: moved_price.best, commission }.edge();
    assert_eq!(moved_price.cost, edge - best);

    let changes = PLAYER.table.changes(&before, &after, usize::MAX);
    assert!(changes.hands > 0);
    assert_eq!(changes.kinds.iter().map(|kind| u64::from(kind.hands)).sum::<u64>(), changes.hands);
    let parts = changes.kinds.iter().fold(Fraction::zero(), |sum, kind| sum + kind.part.clone());
    assert_eq!(parts, moved_price.cost - price.cost);
    let evaluator = Evaluator::of(PLAYER.book.ranking);
    for kind in changes.kinds.iter().take(100) {
        let [one, other] = [way, &moved].map(|way| way.decide(kind.hand, evaluator));
        assert_eq!(kind.clauses, [one.clause, other.clause], "{}", kind.hand);
        assert_eq!(
            kind.settings.map(|setting| setting.low_strength),
            [one, other].map(|d| d.setting.low_strength)
        );
    }
}

/// The value of a side changes by the outcomes of its deals. A win pays less than a loss costs, by the commission.
fn edge(outcomes: paigow_math::Outcomes) -> Fraction {
    let commission = Fraction::new(PLAYER.book.commission.basis_points, 10_000);
    BaseOdds { outcomes, commission }.edge()
}

/// Each step has the outcomes of the house way without its clauses, and no other clause would leave a smaller change.
#[test]
fn clauses_are_removed_greedily_within_the_budget() {
    let way = &PLAYER.book.house_way;
    let table = &PLAYER.table;
    let decisions = table.decide(way);
    let reference = edge(table.outcomes(&decisions));
    let without = |removed: &[usize]| {
        edited(way.id(), |clauses| {
            let mut index = 0..;
            clauses.retain(|_| index.next().is_some_and(|index| !removed.contains(&index)));
        })
    };
    let change = |outcomes| (edge(outcomes) - reference.clone()).abs();
    let budget = Fraction::new(1, 10_000);
    let Removals { steps, next } = table.remove_clauses(way, &decisions, &decisions, &budget, QUIET);
    assert!(steps.len() >= 5, "{} steps", steps.len());
    let next = next.expect("a step that exceeds the budget");
    assert!(change(next.outcomes) > budget);
    let mut removed: Vec<usize> = Vec::new();
    for step in steps.iter().chain([&next]) {
        let before = table.decide(&without(&removed));
        if removed.len() < 2 {
            let others = (0..way.clauses().len() - 1).filter(|clause| !removed.contains(clause));
            let changes = others.map(|clause| {
                let shorter = without(&[&removed[..], &[clause]].concat());
                // Without the clause, a hand may fit a later clause that has no legal setting for it.
                let is_proved = Proof::of_kinds(shorter.as_draft(), PLAYER.book.ranking).faults.is_empty();
                (is_proved.then(|| change(table.outcomes(&table.decide(&shorter)))), clause)
            });
            let best =
                changes.filter_map(|(change, clause)| Some((change?, clause))).min().expect("a clause");
            assert_eq!(step.clause, best.1, "after {removed:?}");
        }
        let number = (0..step.clause).filter(|clause| !removed.contains(clause)).count();
        let price = table.price(&without(&removed), &before);
        assert_eq!(step.hands, price.clauses[number].hands, "clause {}", step.clause);
        removed.push(step.clause);
        let shorter = without(&removed);
        let after = table.decide(&shorter);
        assert_eq!(step.outcomes, table.outcomes(&after), "without {removed:?}");
        assert_eq!(step.hands_changed, table.changes(&decisions, &after, 0).hands, "without {removed:?}");
        assert!(Proof::of_kinds(shorter.as_draft(), PLAYER.book.ranking).faults.is_empty(), "{removed:?}");
    }
    assert!(steps.iter().all(|step| change(step.outcomes) <= budget));
    // An edit before the first step counts. Without a budget, only clauses go that change nothing.
    let edited = without(&[1]);
    let after = table.decide(&edited);
    let Removals { steps, .. } = table.remove_clauses(&edited, &after, &decisions, &Fraction::zero(), QUIET);
    assert!(steps.iter().all(|step| change(step.outcomes) == Fraction::zero()), "{steps:?}");
    // A search that is not needed any more stops before the next removal.
    let cancelled = Cancelled::catch_unwind(|| {
        table.remove_clauses(way, &decisions, &decisions, &budget, &|_| Cancelled::unwind())
    });
    assert_eq!(cancelled, Err(Cancelled));
    // Any budget leaves the last clause.
    let all = table.remove_clauses(way, &decisions, &decisions, &Fraction::one(), QUIET);
    assert_eq!(all.next, None);
    assert!(all.steps.iter().all(|step| step.clause + 1 < way.clauses().len()));
}

#[test]
fn table_survives_a_round_trip_and_wrong_lengths_are_rejected() {
    let bytes = PLAYER.table.to_bytes();
    // The target is 800 MB.
    assert!((90_000_000..120_000_000).contains(&bytes.len()), "{} bytes", bytes.len());
    let valuation = Valuation::of(&PLAYER.book, TableSide::Player, &PLAYER.book.house_way);
    let table = WorthTable::from_bytes(&valuation, &bytes).expect("the bytes of a table");
    let way = way("south-beach");
    assert_eq!(table.price(&way, &table.decide(&way)), PLAYER.price(&way).1);
    for wrong in [&bytes[..bytes.len() - 1], &bytes[1..], &[], &[&bytes[..], &[0]].concat()] {
        assert!(WorthTable::from_bytes(&valuation, wrong).is_none());
    }
}
