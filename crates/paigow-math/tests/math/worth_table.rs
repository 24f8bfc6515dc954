//! The table of worths against the base game's count, which uses another method, and against single hands.

use crate::counts::{base_game, golden};
use paigow::document::Source;
use paigow::rulebook::{BookSource, BuiltIn};
use paigow::{CardSet, Evaluator, HouseWay, PartialHand, Rulebook, SevenCards};
use paigow_math::{
    BaseOdds, BestSetting, ClausePrice, Decisions, Fraction, Matchup, Opposition, Price, QUIET, Side,
    Valuation, WorthTable,
};
use paigow_testkit::rulebook;
use std::sync::{Arc, LazyLock};

pub(crate) struct Valued {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) table: WorthTable,
}

impl Valued {
    fn of(book: &str, side: Side) -> Valued {
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
pub(crate) static PLAYER: LazyLock<Valued> = LazyLock::new(|| Valued::of("washington", Side::Player));
/// The dealer of a book in which some of the dealer's hands push.
static DEALER: LazyLock<Valued> = LazyLock::new(|| Valued::of("ez", Side::Dealer));

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

/// Every hand of some kinds is valued alone, and the sums are compared.
#[test]
fn cost_of_a_kind_is_the_sum_over_its_hands() {
    let book = &PLAYER.book;
    let against = Opposition::of(book, &book.house_way);
    let (decisions, _) = PLAYER.price(&book.house_way);
    let costly = PLAYER.table.costliest(&decisions, 40_000);
    let few = |hands: u32| (2..=16).contains(&hands);
    let mut compared = 0;
    for kind in costly.iter().filter(|kind| few(kind.hands)).step_by(40).take(12) {
        let hands = relabelings(kind.hand);
        if hands.len() as u32 != kind.hands {
            continue;
        }
        let costs = hands.iter().map(|hand| {
            let valued = BestSetting::of(*hand, &against);
            let value = |index: usize| valued.settings[index].1.value(against.commission);
            value(0) - value(valued.house_way)
        });
        let expected = Fraction::new(costs.sum::<i64>(), 8_250_459_031_214_400_i128 * 10_000);
        assert_eq!(kind.part, expected, "{}", kind.hand);
        compared += 1;
    }
    assert!(compared >= 5, "{compared} kinds were compared");
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
fn edited(name: &str, edit: impl Fn(&mut Vec<String>)) -> HouseWay {
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

#[test]
fn table_survives_a_round_trip_and_wrong_lengths_are_rejected() {
    let bytes = PLAYER.table.to_bytes();
    let valuation = Valuation::of(&PLAYER.book, Side::Player, &PLAYER.book.house_way);
    let table = WorthTable::from_bytes(&valuation, &bytes).expect("the bytes of a table");
    let way = way("south-beach");
    assert_eq!(table.price(&way, &table.decide(&way)), PLAYER.price(&way).1);
    for wrong in [&bytes[..bytes.len() - 1], &bytes[1..], &[], &[&bytes[..], &[0]].concat()] {
        assert!(WorthTable::from_bytes(&valuation, wrong).is_none());
    }
}
