//! Tests of the oracle: manually evaluated hands, and well-known frequencies of five-card hands.
//!
//! Other tests check the fast evaluator against the oracle.

use crate::exhaustive::high_hands;
use crate::oracle::{Value, classes, high, is_legal, low};
use paigow::{Card, Category, ClassSet, HandClass, Joker, Rank, Ranking, Suit, Wheel};

const SEMI: Ranking = Ranking { joker: Joker::SemiWild, wheel: Wheel::Lowest };
const SEMI_EZ: Ranking = Ranking { joker: Joker::SemiWild, wheel: Wheel::SecondHighest };
const FULL: Ranking = Ranking { joker: Joker::FullyWild, wheel: Wheel::Lowest };
const FULL_EZ: Ranking = Ranking { joker: Joker::FullyWild, wheel: Wheel::SecondHighest };

/// Parses `As Td Jk`. It does not use the library's parser, whose errors could hide errors here.
fn cards<const N: usize>(text: &str) -> [Card; N] {
    let parse = |word: &str| {
        if word == "Jk" {
            return Some(Card::JOKER);
        }
        let mut letters = word.chars();
        let rank = Rank::from_letter(letters.next()?)?;
        let suit = Suit::from_letter(letters.next()?)?;
        Some(Card::new(rank, suit))
    };
    let all: Option<Vec<Card>> = text.split(' ').map(parse).collect();
    match all.map(<[Card; N]>::try_from) {
        Some(Ok(cards)) => cards,
        _ => panic!("not {N} cards: {text}"),
    }
}

/// A value with these decisive ranks, padded with 0.
fn value(category: Category, decisive: &[u8]) -> Value {
    let mut ranks = [0; 5];
    ranks[..decisive.len()].copy_from_slice(decisive);
    Value { category, ranks }
}

#[track_caller]
fn five(text: &str, rankings: &[Ranking], category: Category, decisive: &[u8]) {
    for &ranking in rankings {
        let found = high(&cards(text), ranking);
        assert_eq!(found, value(category, decisive), "{text}, {ranking}");
    }
}

#[track_caller]
fn two(text: &str, jokers: &[Joker], category: Category, decisive: &[u8]) {
    for &joker in jokers {
        let found = low(&cards(text), joker);
        assert_eq!(found, value(category, decisive), "{text}, {joker:?}");
    }
}

/// Checks that every hand of the list beats the one before it.
#[track_caller]
fn ascending(ranking: Ranking, hands: &[&str]) {
    for pair in hands.windows(2) {
        let [weaker, stronger] = [pair[0], pair[1]].map(|text| high(&cards(text), ranking));
        assert!(weaker < stronger, "{} < {}, {ranking}", pair[0], pair[1]);
    }
}

/// Checks whether a setting of a high hand `five` and a low hand `two` is legal.
#[track_caller]
fn setting(five: &str, two: &str, rankings: &[Ranking], legal: bool) {
    for &ranking in rankings {
        let found = is_legal(&cards(five), &cards(two), ranking);
        assert_eq!(found, legal, "high hand {five}, low hand {two}, {ranking}");
    }
}

/// Checks that the seven cards contain exactly these classes.
#[track_caller]
fn contains(text: &str, jokers: &[Joker], expected: &[HandClass]) {
    let expected: ClassSet = expected.iter().copied().collect();
    for &joker in jokers {
        assert_eq!(classes(&cards(text), joker), expected, "{text}, {joker:?}");
    }
}

const ANY: &[Ranking] = &Ranking::ALL;
const EITHER: &[Joker] = &Joker::ALL;
const SEMI_WILD: &[Joker] = &[Joker::SemiWild];
const FULLY_WILD: &[Joker] = &[Joker::FullyWild];

// -- five cards, no joker -----------------------------------------------------------------------

#[test]
fn natural_high_hands_rank_as_in_poker() {
    use Category as C;
    five("9h As 3s Kd 5c", ANY, C::HighCard, &[14, 13, 9, 5, 3]);
    five("7s Ah 5c 7d 3s", ANY, C::Pair, &[7, 14, 5, 3]);
    five("Ks 7d Kh 2c 7s", ANY, C::TwoPair, &[13, 7, 2]);
    five("4s Kc 4d 2s 4h", ANY, C::ThreeOfAKind, &[4, 13, 2]);
    five("8h 6s Ts 7d 9c", ANY, C::Straight, &[10]);
    five("Ks 2s Js 8s 4s", ANY, C::Flush, &[13, 11, 8, 4, 2]);
    // The three of a kind decides, not the higher pair.
    five("4s 4d 4h Kc Ks", ANY, C::FullHouse, &[4, 13]);
    five("9s 9d 2s 9h 9c", ANY, C::FourOfAKind, &[9, 2]);
    five("5s 6s 7s 8s 9s", ANY, C::StraightFlush, &[9]);
    five("Ts Js Qs Ks As", ANY, C::RoyalFlush, &[15]);
}

#[test]
fn straights_do_not_wrap_around() {
    let (text, ranks) = ("Qs Kd Ah 2c 3s", [14, 13, 12, 3, 2]);
    five(text, ANY, Category::HighCard, &ranks);
    five("Ks As 2s 3s 4s", ANY, Category::Flush, &[14, 13, 4, 3, 2]);
}

#[test]
fn categories_are_ordered() {
    let hands = [
        "As Kd Qh Jc 9s",
        "2s 2d 3h 4c 5s",
        "3s 3d 2h 2c 4s",
        "2s 2d 2h 3c 4s",
        "2s 3d 4h 5c 6s",
        "2s 3s 4s 5s 7s",
        "2s 2d 2h 3c 3s",
        "2s 2d 2h 2c 3s",
        "2s 3s 4s 5s 6s",
        "Ts Js Qs Ks As",
        "As Ad Ah Ac Jk",
    ];
    for ranking in Ranking::ALL {
        ascending(ranking, &hands);
    }
}

#[test]
fn the_first_card_that_differs_decides() {
    ascending(
        SEMI,
        &[
            "As Kd 9h 5c 2s", // the last card
            "As Kd 9h 5c 3s",
            "As Kd 9h 6c 2s", // the fourth card before the fifth
            "Ks Kd Qh Jc 9s", // the pair before its kickers
            "As Ad 4h 3c 2s",
            "Ks Kd 2h 2c As", // the higher pair, the lower pair, the odd card
            "Ks Kd 3h 3c 2s",
            "Ks Kd 3h 3c 4s",
        ],
    );
    // Suits have no order.
    let (spades, hearts) = ("Ks Js 8s 4s 2s", "Kh Jh 8h 4h 2h");
    assert_eq!(high(&cards(spades), SEMI), high(&cards(hearts), SEMI));
}

// -- the wheel ----------------------------------------------------------------------------------

#[test]
fn wheel_is_the_lowest_straight_under_wheel_lowest() {
    let straights = ["As 2d 3h 4c 5s", "2s 3d 4h 5c 6s", "9s Td Jh Qc Ks", "Ts Jd Qh Kc As"];
    ascending(SEMI, &straights);
    ascending(FULL, &straights);
    let flushes = ["As 2s 3s 4s 5s", "2s 3s 4s 5s 6s", "9s Ts Js Qs Ks", "Ts Js Qs Ks As"];
    ascending(SEMI, &flushes);
    ascending(FULL, &flushes);
}

#[test]
fn wheel_is_the_second_highest_straight_under_wheel_second_highest() {
    let straights = ["2s 3d 4h 5c 6s", "9s Td Jh Qc Ks", "As 2d 3h 4c 5s", "Ts Jd Qh Kc As"];
    ascending(SEMI_EZ, &straights);
    ascending(FULL_EZ, &straights);
    let flushes = ["2s 3s 4s 5s 6s", "9s Ts Js Qs Ks", "As 2s 3s 4s 5s", "Ts Js Qs Ks As"];
    ascending(SEMI_EZ, &flushes);
    ascending(FULL_EZ, &flushes);
}

#[test]
fn joker_makes_the_better_low_straight() {
    use Category as C;
    let lowest = &[SEMI, FULL];
    let second = &[SEMI_EZ, FULL_EZ];
    five("2s 3d 4h 5c Jk", lowest, C::Straight, &[6]); // as a six
    five("2s 3d 4h 5c Jk", second, C::Straight, &[14]); // as an ace
    five("2s 3s 4s 5s Jk", lowest, C::StraightFlush, &[6]);
    five("2s 3s 4s 5s Jk", second, C::StraightFlush, &[14]);
    // With an ace in the hand, only the wheel is possible.
    five("As 2d 3h 4c Jk", lowest, C::Straight, &[5]);
    five("As 2d 3h 4c Jk", second, C::Straight, &[14]);
    five("As 2d 3h 5c Jk", lowest, C::Straight, &[5]);
    five("As 2s 4s 5s Jk", second, C::StraightFlush, &[14]);
}

// -- five cards with the joker --------------------------------------------------------------------

#[test]
fn joker_completes_straights_and_flushes() {
    use Category as C;
    five("Kh Qc Js Th Jk", ANY, C::Straight, &[15]); // an ace rather than a nine
    five("Ad Kh Qc Js Jk", ANY, C::Straight, &[15]); // a ten, better than a pair of aces
    five("9h Tc Jd Qs Jk", ANY, C::Straight, &[13]); // a king rather than an eight
    five("3h 4c 5d 7s Jk", ANY, C::Straight, &[7]); // an inside straight
    five("As Ks 9s 4s Jk", ANY, C::Flush, &[14, 13, 12, 9, 4]); // the queen of spades
    five("Ks 9s 4s 2s Jk", ANY, C::Flush, &[14, 13, 9, 4, 2]); // the ace of spades
    five("As Ks Qs 9s Jk", ANY, C::Flush, &[14, 13, 12, 11, 9]); // the jack: the ten is lower
    five("6s 7s 8s 9s Jk", ANY, C::StraightFlush, &[10]);
    five("5s 6s 8s 9s Jk", ANY, C::StraightFlush, &[9]);
    five("9s Ts Js Qs Jk", ANY, C::StraightFlush, &[13]);
    five("Ts Js Qs Ks Jk", ANY, C::RoyalFlush, &[15]); // the ace
    five("As Js Qs Ks Jk", ANY, C::RoyalFlush, &[15]); // the ten
}

#[test]
fn semi_wild_joker_is_an_ace_outside_straights_and_flushes() {
    use Category as C;
    let semi = &[SEMI, SEMI_EZ];
    five("Kd 9h 5c 3s Jk", semi, C::HighCard, &[14, 13, 9, 5, 3]);
    five("As Kd 9h 5c Jk", semi, C::Pair, &[14, 13, 9, 5]);
    five("Kd Ks 9h 5c Jk", semi, C::Pair, &[13, 14, 9, 5]);
    five("Kd Ks Ah 5c Jk", semi, C::TwoPair, &[14, 13, 5]);
    five("Kd Ks 9h 9c Jk", semi, C::TwoPair, &[13, 9, 14]);
    five("Ad As 9h 5c Jk", semi, C::ThreeOfAKind, &[14, 9, 5]);
    five("Kd Ks Kh 9c Jk", semi, C::ThreeOfAKind, &[13, 14, 9]);
    five("Ad As 9h 9c Jk", semi, C::FullHouse, &[14, 9]);
    five("Kd Ks Kh Ac Jk", semi, C::FullHouse, &[13, 14]);
    five("Ad As Ah Kc Jk", semi, C::FourOfAKind, &[14, 13]);
    five("Kd Ks Kh Kc Jk", semi, C::FourOfAKind, &[13, 14]);
    five("Ad As Ah Ac Jk", semi, C::FiveOfAKind, &[14]);
    // Even with the joker, one card short of a straight.
    five("3h 4c 7d 8s Jk", semi, C::HighCard, &[14, 8, 7, 4, 3]);
}

#[test]
fn fully_wild_joker_is_any_card() {
    use Category as C;
    let full = &[FULL, FULL_EZ];
    five("Kd 9h 5c 3s Jk", full, C::Pair, &[13, 9, 5, 3]);
    five("As Kd 9h 5c Jk", full, C::Pair, &[14, 13, 9, 5]);
    five("2s 2d 3h 4c Jk", full, C::ThreeOfAKind, &[2, 4, 3]);
    five("Kd Ks Ah 5c Jk", full, C::ThreeOfAKind, &[13, 14, 5]);
    five("Kd Ks 9h 9c Jk", full, C::FullHouse, &[13, 9]);
    five("Ad As 9h 9c Jk", full, C::FullHouse, &[14, 9]);
    five("Kd Ks Kh 9c Jk", full, C::FourOfAKind, &[13, 9]);
    five("Kd Ks Kh Ac Jk", full, C::FourOfAKind, &[13, 14]);
    five("Kd Ks Kh Kc Jk", full, C::FiveOfAKind, &[13]);
    five("Ad As Ah Ac Jk", full, C::FiveOfAKind, &[14]);
    ascending(FULL, &["Ts Js Qs Ks As", "2d 2s 2h 2c Jk", "Kd Ks Kh Kc Jk", "Ad As Ah Ac Jk"]);
}

#[test]
fn joker_has_the_value_of_the_card_it_represents() {
    // Five natural cards and the same hand with the joker are a copy.
    let copies = [
        ("As Ks Qs 9s 4s", "As Ks 9s 4s Jk"),
        ("Ad Ks 9h 5c 3s", "Kd 9s 5h 3c Jk"),
        ("6s 7d 8h 9c Ts", "6s 7d 8h 9c Jk"),
    ];
    for (natural, with_joker) in copies {
        let [natural, with_joker] = [natural, with_joker].map(|text| high(&cards(text), SEMI));
        assert_eq!(natural, with_joker);
    }
}

// -- two cards ------------------------------------------------------------------------------------

#[test]
fn low_hand_is_a_pair_or_a_high_card() {
    use Category as C;
    two("As Kd", EITHER, C::HighCard, &[14, 13]);
    two("Kd As", EITHER, C::HighCard, &[14, 13]);
    two("7s 7d", EITHER, C::Pair, &[7]);
    two("8s 9s", EITHER, C::HighCard, &[9, 8]); // neither a straight nor a flush
}

#[test]
fn joker_in_the_low_hand() {
    use Category as C;
    two("Jk Kd", SEMI_WILD, C::HighCard, &[14, 13]);
    two("2s Jk", SEMI_WILD, C::HighCard, &[14, 2]);
    two("Jk Kd", FULLY_WILD, C::Pair, &[13]);
    two("2s Jk", FULLY_WILD, C::Pair, &[2]);
    two("As Jk", EITHER, C::Pair, &[14]);
}

// -- legal settings -------------------------------------------------------------------------------

#[test]
fn high_hand_must_have_the_higher_category() {
    setting("2s 2d 9h 5c 3s", "Ah Kd", ANY, true);
    setting("As Kd 9h 5c 3s", "2h 2d", ANY, false);
    setting("3s 3d 2h 2c 5s", "Ah Ad", ANY, true); // two pair and a low hand of aces
    setting("As 2d 3h 4c 5s", "Kh Kd", ANY, true);
}

#[test]
fn high_hand_must_have_the_higher_pair() {
    setting("6s 6d 9h 4c 3s", "5h 5c", ANY, true);
    setting("5s 5d Ah Kc 3s", "6h 6c", ANY, false);
    setting("6s 6d 9h 4c 3s", "6h 6c", ANY, true); // equal as far as they can be compared
}

#[test]
fn high_cards_are_compared_in_order() {
    setting("As 7d 5h 4c 3s", "Kh Qd", ANY, true); // the first decides
    setting("Kd Qs 9h 5c 3s", "Ah 2d", ANY, false);
    setting("As Qd 9h 5c 3s", "Ah Kd", ANY, false); // then the second
    setting("As Kd 9h 5c 3s", "Ah Qd", ANY, true);
    setting("As Kd 9h 5c 3s", "Ah Kc", ANY, true); // equal as far as they can be compared
}

#[test]
fn joker_counts_in_a_setting() {
    let semi = &[SEMI, SEMI_EZ];
    let full = &[FULL, FULL_EZ];
    setting("As Qd 9h 5c 3s", "Jk Kd", semi, false); // ace-king is above ace-queen
    setting("As Kd 9h 5c 3s", "Jk Qc", semi, true);
    setting("As Kd 9h 5c 3s", "Jk Kc", semi, true);
    setting("As Kd 9h 5c 3s", "Jk Qc", full, false); // the low hand is a pair of queens
    setting("Ks Kd 9h 5c 3s", "Jk Qc", full, true);
    setting("Ks Kd 9h 5c 3s", "Jk As", ANY, false); // the low hand is a pair of aces
    setting("Kd 9h 5c 3s Jk", "Ad Qc", ANY, true);
    setting("Kd 9h 5c 3s Jk", "Ad Kc", ANY, true);
    setting("Qd 9h 5c 3s Jk", "Ad Kc", semi, false); // the high hand is ace-queen
    setting("Qd 9h 5c 3s Jk", "Ad Kc", full, true); // the high hand is a pair of queens
    setting("Qd 9h 5c 3s Jk", "Kd Kc", ANY, false);
}

// -- classes of seven cards -----------------------------------------------------------------------

#[test]
fn classes_of_several_cards_of_a_rank() {
    use HandClass as H;
    contains("Ks Kd 9c 7d 4s 3c 2h", EITHER, &[H::Pair]);
    contains("Ks Kd 9c 9d 4s 3c 2h", EITHER, &[H::TwoPair, H::Pair]);
    let three_pair = [H::ThreePair, H::TwoPair, H::Pair];
    contains("Ks Kd 9c 9d 2s 2c 5h", EITHER, &three_pair);
    let trips = [H::ThreeOfAKind, H::Pair];
    contains("Ks Kd Kh 9c 7d 4s 2c", EITHER, &trips);
    let full_house = [H::FullHouse, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains("Ks Kd Kh 9c 9d 4s 2c", EITHER, &full_house);
    contains("Ks Kd Kh 9c 9d 9s 2c", EITHER, &full_house); // three of a kind twice
    let with_third = [H::FullHouse, H::ThreeOfAKind, H::ThreePair, H::TwoPair, H::Pair];
    contains("Ks Kd Kh 9c 9d 2s 2c", EITHER, &with_third);
    let quads = [H::FourOfAKind, H::ThreeOfAKind, H::Pair]; // two ranks are needed for two pair
    contains("Ks Kd Kh Kc 9d 7c 2s", EITHER, &quads);
    let quads_and_pair = [H::FourOfAKind, H::FullHouse, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains("Ks Kd Kh Kc 9d 9c 2s", EITHER, &quads_and_pair);
    contains("Ks Kd Kh Kc 9d 9c 9s", EITHER, &quads_and_pair);
}

#[test]
fn classes_of_several_cards_of_a_rank_with_the_joker() {
    use HandClass as H;
    // The joker adds nothing as an ace, but does as a deuce, a nine or a king.
    let two_pair = "Ks Kd 9c 9d 2s 7h Jk";
    contains(two_pair, SEMI_WILD, &[H::TwoPair, H::Pair]);
    let boat_or_three_pair = [H::FullHouse, H::ThreeOfAKind, H::ThreePair, H::TwoPair, H::Pair];
    contains(two_pair, FULLY_WILD, &boat_or_three_pair);
    // The joker as an ace makes the third pair.
    let with_ace = "As Kd Kc 9c 9d 2s Jk";
    contains(with_ace, SEMI_WILD, &[H::ThreePair, H::TwoPair, H::Pair]);
    contains(with_ace, FULLY_WILD, &boat_or_three_pair);
    // Three aces, and a pair beside them.
    let boat = [H::FullHouse, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains("As Ad Jk Kd Kc 2s 7h", SEMI_WILD, &boat);
    contains("As Ad Jk Kd Kc 2s 7h", FULLY_WILD, &boat_or_three_pair);
    let trips = "Ks Kd Kh 9c 7d 2s Jk";
    contains(trips, SEMI_WILD, &[H::ThreeOfAKind, H::Pair]);
    let quads_or_boat = [H::FourOfAKind, H::FullHouse, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains(trips, FULLY_WILD, &quads_or_boat);
}

#[test]
fn five_of_a_kind_and_five_aces() {
    use HandClass as H;
    let aces = "As Ad Ah Ac Jk Kd 9c";
    let five_aces = [H::FiveAces, H::FourOfAKind, H::ThreeOfAKind, H::Pair];
    contains(aces, SEMI_WILD, &five_aces);
    // A fully wild joker can pair the king instead.
    let with_pair =
        [H::FiveAces, H::FiveOfAKind, H::FourOfAKind, H::FullHouse, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains(aces, FULLY_WILD, &with_pair);
    contains("As Ad Ah Ac Jk 9d 9c", FULLY_WILD, &with_pair);
    let not_wild: Vec<H> = with_pair.into_iter().filter(|class| *class != H::FiveOfAKind).collect();
    contains("As Ad Ah Ac Jk 9d 9c", SEMI_WILD, &not_wild);
    let kings = "Ks Kd Kh Kc Jk 9d 2c";
    let four_kings = [H::FourOfAKind, H::ThreeOfAKind, H::Pair];
    contains(kings, SEMI_WILD, &four_kings);
    contains(kings, FULLY_WILD, &with_pair[1..]);
}

#[test]
fn classes_of_straights_and_flushes() {
    use HandClass as H;
    contains("4s 5d 6h 7c 8d Kd 2c", EITHER, &[H::Straight]);
    contains("As 2d 3h 4c 5d 9d Kc", EITHER, &[H::Straight]); // the wheel
    contains("As Ks 9s 7s 5s 4d 2c", EITHER, &[H::Flush]);
    // A straight and a flush of different cards.
    contains("2s 3s 4s 5d 6c 9s Ks", EITHER, &[H::Straight, H::Flush]);
    // The hand contains both three of a kind and a straight. Paytables pay the better.
    let with_trips = [H::Straight, H::ThreeOfAKind, H::Pair];
    contains("5s 5d 5h 6c 7d 8s 9c", EITHER, &with_trips);
    let straight_flush = [H::StraightFlush, H::Flush, H::Straight];
    contains("5d 6d 7d 8d 9d Kc 2h", EITHER, &straight_flush);
    // Queen to three is not a straight.
    contains("Qs Kd Ah 2c 3s 7d 8c", EITHER, &[H::AceHigh]);
}

#[test]
fn joker_completes_straights_and_flushes_of_seven() {
    use HandClass as H;
    let straight = "4s 5d 7h 8c Jk Kd 2c"; // as a six
    contains(straight, SEMI_WILD, &[H::Straight]);
    contains(straight, FULLY_WILD, &[H::Straight, H::Pair]);
    let flush = "Ks 9s 4s 2s Jk 7d 8c";
    contains(flush, SEMI_WILD, &[H::Flush]);
    contains(flush, FULLY_WILD, &[H::Flush, H::Pair]);
    // A wheel with the joker as the four, or a pair of aces.
    let wheel = "As 2d 3h 5c Jk 9d Kc";
    contains(wheel, EITHER, &[H::Straight, H::Pair]);
    let straight_flush = "5d 6d 8d 9d Jk Kc 2h";
    let classes = [H::StraightFlush, H::Flush, H::Straight, H::Pair];
    contains(straight_flush, SEMI_WILD, &classes[..3]);
    contains(straight_flush, FULLY_WILD, &classes);
    // A ten-high straight and a spade flush, but no straight flush: the six and the seven have other suits.
    let apart = "6d 7h 8s 9s 2s Ks Jk";
    contains(apart, SEMI_WILD, &[H::Straight, H::Flush]);
}

const ROYAL: [HandClass; 4] =
    [HandClass::RoyalFlush, HandClass::StraightFlush, HandClass::Flush, HandClass::Straight];

/// The classes of a royal flush, and others.
fn royal_and(others: &[HandClass]) -> Vec<HandClass> {
    [&ROYAL, others].concat()
}

#[test]
fn royal_flushes() {
    use HandClass as H;
    contains("Ts Js Qs Ks As 4d 7c", EITHER, &ROYAL);
    let by_joker = "9s Ts Js Qs Ks Jk 2d"; // as the ace; as the eight it is a lower straight flush
    contains(by_joker, SEMI_WILD, &ROYAL);
    contains(by_joker, FULLY_WILD, &royal_and(&[H::Pair]));
}

#[test]
fn royal_flush_and_royal_match() {
    use HandClass as H;
    let with_match = royal_and(&[H::RoyalFlushRoyalMatch, H::TwoPair, H::Pair]);
    contains("Ts Js Qs Ks As Kd Qd", EITHER, &with_match);
    let not_suited = royal_and(&[H::TwoPair, H::Pair]);
    contains("Ts Js Qs Ks As Kd Qc", EITHER, &not_suited);
    // The joker may complete the royal flush.
    let by_joker = "Ts Js Qs Jk As Kd Qd";
    contains(by_joker, SEMI_WILD, &with_match);
    let three_queens = [H::RoyalFlushRoyalMatch, H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains(by_joker, FULLY_WILD, &royal_and(&three_queens));
    // The joker is never part of the royal match.
    let short = "Ts Js Qs Ks As Kd Jk";
    contains(short, SEMI_WILD, &not_suited);
    let three_kings = [H::ThreeOfAKind, H::TwoPair, H::Pair];
    contains(short, FULLY_WILD, &royal_and(&three_kings));
}

#[test]
fn royal_flush_and_ace_queen() {
    use HandClass as H;
    let with_ace_queen = royal_and(&[H::RoyalFlushAceQueen, H::TwoPair, H::Pair]);
    contains("Ts Js Qs Ks As Ad Qd", EITHER, &with_ace_queen);
    contains("Ts Js Qs Ks Jk Ah Qh", SEMI_WILD, &with_ace_queen);
    let not_suited = royal_and(&[H::TwoPair, H::Pair]);
    contains("Ts Js Qs Ks As Ad Qh", EITHER, &not_suited);
    // The joker is never the ace of the ace-queen.
    contains("Ts Js Qs Ks As Jk Qd", SEMI_WILD, &not_suited);
}

#[test]
fn natural_seven_card_straight_flushes() {
    use HandClass as H;
    let natural = [H::Natural7CardStraightFlush, H::StraightFlush, H::Flush, H::Straight];
    contains("4h 5h 6h 7h 8h 9h Th", EITHER, &natural);
    let to_the_ace = royal_and(&[H::Natural7CardStraightFlush]);
    contains("8s 9s Ts Js Qs Ks As", EITHER, &to_the_ace);
    let from_the_ace =
        [H::Natural7CardStraightFlush, H::LuhnTaoWheel, H::StraightFlush, H::Flush, H::Straight];
    contains("As 2s 3s 4s 5s 6s 7s", EITHER, &from_the_ace);
    // A seven-card straight flush does not wrap around.
    contains("Qs Ks As 2s 3s 4s 5s", EITHER, &from_the_ace[1..]);
    // Seven consecutive ranks, but not of one suit.
    contains("4h 5h 6h 7h 8h 9h Td", EITHER, &natural[1..]);
}

#[test]
fn wild_seven_card_straight_flushes() {
    use HandClass as H;
    let wild = [H::Wild7CardStraightFlush, H::StraightFlush, H::Flush, H::Straight, H::Pair];
    contains("4h 5h Jk 7h 8h 9h Th", SEMI_WILD, &wild[..4]);
    contains("4h 5h Jk 7h 8h 9h Th", FULLY_WILD, &wild);
    contains("2s 3s 4s 5s 6s 7s Jk", SEMI_WILD, &wild[..4]);
    // Ace to seven: a hand with the joker has no Luhn Tao wheel, and the joker as an ace makes a pair.
    contains("As 2s 3s Jk 5s 6s 7s", EITHER, &wild);
    let to_the_ace = royal_and(&[H::Wild7CardStraightFlush, H::Pair]);
    contains("9s Ts Js Qs Ks As Jk", EITHER, &to_the_ace);
    // The joker cannot fill two gaps.
    contains("4h 5h Jk 8h 9h Th Jh", SEMI_WILD, &wild[1..4]);
}

#[test]
fn luhn_tao_wheels() {
    use HandClass as H;
    let wheel = [H::LuhnTaoWheelAceQueen, H::LuhnTaoWheel, H::StraightFlush, H::Flush, H::Straight, H::Pair];
    contains("As 2s 3s 4s 5s Ad Qd", EITHER, &wheel);
    contains("As 2s 3s 4s 5s Ad Qc", EITHER, &wheel[1..]); // not suited
    contains("As 2s 3s 4s 5s 9d Qc", EITHER, &wheel[1..5]);
    // A hand with the joker has no Luhn Tao wheel, even if the joker is not part of the straight.
    contains("As 2s 3s 4s Jk 9d Qc", EITHER, &wheel[2..]);
    contains("As 2s 3s 4s 5s Jk 9d", EITHER, &wheel[2..]);
}

#[test]
fn pai_gows_are_classed_by_their_highest_card() {
    use HandClass as H;
    contains("As Kd 9h 7c 5d 4s 2c", EITHER, &[H::AceHigh]);
    contains("Kd Qh 9s 7c 5d 4s 2c", EITHER, &[H::KingHigh]);
    contains("Qd Jh 9s 7c 5d 4s 2c", EITHER, &[H::QueenHigh]);
    contains("Jh Td 8s 7c 5d 4s 2c", EITHER, &[H::JackHigh]);
    contains("Td 9h 8s 6c 5d 4s 2c", EITHER, &[H::TenHigh]);
    contains("9h 8d 7s 5c 4d 3s 2c", EITHER, &[H::NineHigh]);
}

#[test]
fn joker_in_a_pai_gow_is_an_ace() {
    use HandClass as H;
    contains("Jk Kd 9h 7c 5d 4s 2c", SEMI_WILD, &[H::AceHigh]);
    contains("Jk Kd 9h 7c 5d 4s 2c", FULLY_WILD, &[H::Pair]);
    contains("Jk Ad 9h 7c 5d 4s 2c", SEMI_WILD, &[H::Straight, H::Pair]); // as a three
    contains("Jk Ad Qh 9c 7d 5s 2c", SEMI_WILD, &[H::Pair]); // two aces are a pair
}

// -- well-known frequencies -----------------------------------------------------------------------

#[test]
fn frequencies_with_52_cards() {
    let expected = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4, 0];
    assert_eq!(high_hands(SEMI).natural_frequencies, expected);
}

#[test]
fn frequencies_with_a_semi_wild_joker() {
    let expected = [1_418_964, 1_215_024, 138_600, 63_360, 20_532, 7_804, 4_368, 828, 180, 24, 1];
    assert_eq!(high_hands(SEMI).frequencies, expected);
}

#[test]
fn frequencies_with_a_fully_wild_joker() {
    let expected = [1_302_540, 1_268_088, 123_552, 137_280, 20_532, 7_804, 6_552, 3_120, 180, 24, 13];
    assert_eq!(high_hands(FULL_EZ).frequencies, expected);
}
