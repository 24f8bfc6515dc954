//! The census against independent counts: `golden/census.golden`, and the combinations that a game's maker published.

use crate::counts::{census, golden};
use paigow::{HandClass, Joker, PartialHand, PayRow, Pays, Paytable, Suit, WinsOn};
use paigow_math::{Census, SuitClasses, color_counts};

#[test]
fn census_matches_golden_file() {
    let lines = golden("census.golden");
    let mut seen = 0;
    for joker in Joker::ALL {
        let census = census(joker);
        for line in lines.iter().filter(|line| line[0] == joker.name()) {
            let [_, class, in_play, contained] = &line[..] else { panic!("{line:?}") };
            let class = HandClass::from_name(class).expect("a class");
            assert_eq!(
                census.in_play(class),
                in_play.parse::<u64>().unwrap(),
                "{} {class} in play",
                joker.name()
            );
            assert_eq!(
                census.containing(class),
                contained.parse::<u64>().unwrap(),
                "{} {class}",
                joker.name()
            );
            seen += 1;
        }
        let all: u64 = HandClass::IN_PLAY.into_iter().map(|class| census.in_play(class)).sum();
        assert_eq!(all, Census::HANDS, "each hand once");
    }
    assert_eq!(seen, 2 * (HandClass::ALL.len() - 1), "every class but nothing, under both uses of the joker");
}

/// EZ-6: "Detailed Return Table For Pay Table 3", pays and combinations as printed.
#[test]
fn ez_6_combinations_of_pay_table_3_match() {
    let printed: Vec<(HandClass, Option<Pays>, u64)> = golden("ez-pay-table-3.golden")
        .iter()
        .map(|row| {
            let pays = match row[1].as_str() {
                "loss" => None,
                odds => Some(Pays::ToOne(odds.parse().unwrap())),
            };
            (HandClass::from_name(&row[0]).unwrap(), pays, row[2].parse().unwrap())
        })
        .collect();
    assert_eq!(printed.len(), 12);
    // A losing row is counted like a push, the lowest payout.
    let rows = printed.iter().map(|&(class, pays, _)| PayRow {
        wins_on: WinsOn::Class(class),
        pays: pays.unwrap_or(Pays::Push),
        envy: None,
    });
    let table = Paytable {
        name: "3".to_owned(),
        also: None,
        available: true,
        joker: Joker::SemiWild,
        rows: rows.collect(),
    };
    let census = census(Joker::SemiWild);
    for (class, _, combinations) in printed {
        assert_eq!(census.paid(&table, class), combinations, "{class}");
    }
}

#[test]
fn hands_with_a_straight_and_three_of_a_kind_are_counted() {
    let census = census(Joker::SemiWild);
    let both = census.count(|classes| {
        classes.first_of(&HandClass::IN_PLAY) == HandClass::Straight
            && classes.contains(HandClass::ThreeOfAKind)
    });
    assert_eq!(both, 201_824);
}

/// EZ-8: binomial counts of cards of a color, against a count over all suit classes.
#[test]
fn ez_8_color_counts_match_suit_classes() {
    let mut counted = [0; 8];
    SuitClasses::of(7).for_each(|hand: PartialHand, weight| {
        let counts = Suit::ALL.map(|suit| hand.cards().suit_mask(suit).count_ones() as usize);
        // There are six ways to choose the two red suits. Each occurs equally often among the hands of a class.
        for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            counted[counts[one] + counts[other]] += weight;
        }
    });
    assert_eq!(counted.map(|six_fold| six_fold / 6), color_counts());
    assert_eq!(color_counts().iter().sum::<u64>(), Census::HANDS);
}
