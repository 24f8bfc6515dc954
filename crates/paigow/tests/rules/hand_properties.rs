//! Properties that hold for every hand, checked on random hands.

use paigow::{
    Card, CardSet, Category, ClassSet, Evaluator, FiveCards, Hand, Holdings, Joker, Rank, Ranking,
    SevenCards, Suit, TwoCards, parse_cards,
};
use proptest::prelude::*;
use proptest::sample::subsequence;
use std::collections::BTreeSet;

fn hand<const N: usize>() -> impl Strategy<Value = Hand<N>> {
    let deck: Vec<Card> = Card::deck().collect();
    subsequence(deck, N).prop_map(|cards| Hand::new(cards.into_iter().collect()).expect("N cards"))
}

/// Like [`hand`], but half of the hands contain the joker, which most special rules are about.
fn hand_often_with_joker<const N: usize>() -> impl Strategy<Value = Hand<N>> {
    let with = hand::<N>().prop_map(|hand| {
        let cards = hand.cards();
        let first = cards.iter().next().expect("no hand is empty");
        let swapped = if cards.has_joker() { cards } else { cards.without(first).with(Card::JOKER) };
        Hand::new(swapped).expect("N cards")
    });
    prop_oneof![hand::<N>(), with]
}

fn ranking() -> impl Strategy<Value = Ranking> {
    prop::sample::select(Ranking::ALL.to_vec())
}

/// Replaces each suit by the suit at its index in `suits`.
pub(crate) fn relabel_suits(cards: CardSet, suits: &[Suit]) -> CardSet {
    let relabel = |card: Card| match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => Card::new(rank, suits[suit.index()]),
        _ => card,
    };
    cards.iter().map(relabel).collect()
}

fn suits() -> impl Strategy<Value = Vec<Suit>> {
    Just(Suit::ALL.to_vec()).prop_shuffle()
}

fn classes(hand: SevenCards, joker: Joker) -> ClassSet {
    Holdings::of(joker).classes_of(hand)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn relabelling_suits_changes_nothing(
        seven in hand_often_with_joker::<7>(), ranking in ranking(), suits in suits(),
    ) {
        let other: SevenCards = Hand::new(relabel_suits(seven.cards(), &suits)).expect("seven cards");
        prop_assert_eq!(classes(seven, ranking.joker), classes(other, ranking.joker));
        let evaluator = Evaluator::of(ranking);
        let strengths = |hand: SevenCards| -> BTreeSet<_> {
            hand.splits().map(|(high, low)| (evaluator.high(high), evaluator.low(low))).collect()
        };
        prop_assert_eq!(strengths(seven), strengths(other));
    }

    /// Replaces a card without a pair by a higher card without a pair, in the same suit so that a flush stays a flush.
    /// Straights are excluded, because the new card would break them.
    #[test]
    fn higher_card_never_weakens_a_hand(five in hand_often_with_joker::<5>(), ranking in ranking()) {
        let evaluator = Evaluator::of(ranking);
        let before = evaluator.high(five);
        let straight = [Category::Straight, Category::StraightFlush, Category::RoyalFlush];
        prop_assume!(!straight.contains(&before.category()));
        for card in five.cards() {
            let (Some(old), Some(suit)) = (card.rank(), card.suit()) else { continue };
            let alone = five.cards().count(old) == 1;
            let higher = Rank::ALL.into_iter().filter(|&new| new > old && five.cards().count(new) == 0);
            for new in higher.filter(|_| alone) {
                let cards = five.cards().without(card).with(Card::new(new, suit));
                let stronger: FiveCards = Hand::new(cards).expect("five cards");
                prop_assert!(evaluator.high(stronger) >= before, "{five} to {stronger} under {ranking}");
            }
        }
    }

    /// A fully wild joker can represent any card that it replaces, and every joker can represent an ace.
    #[test]
    fn joker_never_weakens_a_hand(
        five in hand::<5>(), two in hand::<2>(), ranking in ranking(),
    ) {
        let evaluator = Evaluator::of(ranking);
        let replaceable = |card: &Card| match ranking.joker {
            Joker::FullyWild => true,
            Joker::SemiWild => card.rank() == Some(Rank::Ace),
        };
        if !five.cards().has_joker() {
            for card in five.cards().iter().filter(replaceable) {
                let wild: FiveCards = Hand::new(five.cards().without(card).with(Card::JOKER)).expect("five cards");
                prop_assert!(evaluator.high(wild) >= evaluator.high(five), "{wild} for {five}");
            }
        }
        if !two.cards().has_joker() {
            for card in two.cards().iter().filter(replaceable) {
                let wild: TwoCards = Hand::new(two.cards().without(card).with(Card::JOKER)).expect("two cards");
                prop_assert!(evaluator.low(wild) >= evaluator.low(two), "{wild} for {two}");
            }
        }
    }

    /// A fully wild joker makes every class that a semi-wild joker makes, except that its hand is never a pai gow.
    #[test]
    fn fully_wild_joker_makes_all_semi_wild_classes(seven in hand_often_with_joker::<7>()) {
        let [semi, full] = Joker::ALL.map(|joker| classes(seven, joker));
        let pai_gows = paigow::HandClass::PAI_GOWS.into_iter().collect();
        prop_assert!(semi.difference(pai_gows).difference(full).is_empty(), "{seven}: {semi:?}, {full:?}");
    }

    #[test]
    fn printed_hands_parse_to_the_same_hand(seven in hand::<7>(), two in hand::<2>()) {
        prop_assert_eq!(seven.to_string().parse::<SevenCards>(), Ok(seven));
        prop_assert_eq!(two.to_string().parse::<TwoCards>(), Ok(two));
        let no_gaps = seven.to_string().replace(' ', "");
        prop_assert_eq!(no_gaps.parse::<SevenCards>(), Ok(seven));
        prop_assert_eq!(no_gaps.to_uppercase().replace('T', "10").parse::<SevenCards>(), Ok(seven));
    }

    #[test]
    fn seven_cards_have_21_splits(seven in hand::<7>()) {
        let mut lows = BTreeSet::new();
        for (high, low) in seven.splits() {
            prop_assert_eq!(high.cards().union(low.cards()), seven.cards());
            prop_assert_eq!((high.cards().len(), low.cards().len()), (5, 2));
            prop_assert_eq!(Hand::new(high.cards()), Some(high), "the sums of a part are those of its cards");
            prop_assert_eq!(Hand::new(low.cards()), Some(low));
            lows.insert(low.cards());
        }
        prop_assert_eq!(lows.len(), 21);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "\\PC{0,40}") {
        match parse_cards(&text, Some(7)) {
            Ok(set) => prop_assert_eq!(set.len(), 7),
            Err(faults) => prop_assert!(!faults.to_string().is_empty()),
        }
    }

    #[test]
    fn card_like_text_does_not_panic(text in "([2-9TJQKA1jk0][cdhsxk♠♥]?[ ,]?){0,12}") {
        match parse_cards(&text, Some(7)) {
            Ok(set) => prop_assert_eq!(set.len(), 7),
            Err(faults) => prop_assert!(!faults.faults().is_empty()),
        }
    }
}
