//! The odds of the base game against the payouts of settlement.
//!
//! Pairs of hands for each of the nine comparisons are settled in real rounds. The net results, weighted by the counts
//! of an artificial game, must equal the odds of that game.

use paigow::rulebook::{Banker, BuiltIn, CopyWinner};
use paigow::{
    Amount, Bank, Card, Dealer, Hand, HandClass, HandComparison, Party, PlayedHand, Player, Seat, Settlement,
    SevenCards, Showdown, Stakes, TableRules, WagerRef,
};
use paigow_math::{BaseGame, BaseOdds, DEALS, Fraction, copies_part};
use paigow_testkit::{Rng, seat, table_rules};
use std::cmp::Ordering;

/// Pairs of hands for each comparison of the high and low hand of the first with those of the second.
fn compared_pairs(table_rules: &TableRules) -> [[Vec<[SevenCards; 2]>; 3]; 3] {
    let mut pairs: [[Vec<[SevenCards; 2]>; 3]; 3] = Default::default();
    let mut deck: Vec<Card> = Card::deck().collect();
    let mut rng = Rng::new(1);
    let set = |hand| table_rules.house_way_setting(hand);
    let wanted = 3;
    while pairs.as_flattened().iter().any(|pairs| pairs.len() < wanted) {
        rng.shuffle_front(&mut deck, 14);
        let hand =
            |from: usize| Hand::new(deck[from..from + 7].iter().copied().collect()).expect("seven cards");
        let hands: [SevenCards; 2] = [hand(0), hand(7)];
        let [one, other] = hands.map(set);
        let high = one.high_strength.cmp(&other.high_strength);
        let low = one.low_strength.cmp(&other.low_strength);
        let index = |order: Ordering| match order {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        };
        // Dealer's hands that make wagers push are excluded.
        let contains = |class: &HandClass| {
            paigow::Holdings::of(table_rules.book().ranking.joker).classes_of(hands[1]).contains(*class)
        };
        let cell = &mut pairs[index(high)][index(low)];
        if cell.len() < wanted && !table_rules.book().base_game.dealer_push.iter().any(contains) {
            cell.push(hands);
        }
    }
    pairs
}

/// Net results of a round for the player in the first seat and for the bank, which is the dealer or the last seat.
fn settle(
    table_rules: &TableRules,
    banker: Banker,
    player: SevenCards,
    bank: SevenCards,
    stake: Amount,
) -> [i128; 2] {
    let book = table_rules.book();
    let set = |hand| table_rules.house_way_setting(hand);
    let seated = |hand, pai_gow| Player {
        hand,
        played: PlayedHand::Set(set(hand)),
        stakes: Stakes { pai_gow, ..Stakes::default() },
    };
    let mut players = [None; Seat::COUNT_MAX];
    players[0] = Some(seated(player, stake));
    let dealer = |hand| Dealer { hand, setting: set(hand), wager: Amount::ZERO };
    let (bank, dealer) = if banker == Banker::Dealer {
        (Bank::Dealer, Some(dealer(bank)))
    } else {
        let seat = seat(book.seats.players);
        players[seat.index()] = Some(seated(bank, Amount::ZERO));
        let taken = player.cards().union(bank.cards());
        let rest = Hand::new(Card::deck().filter(|card| !taken.contains(*card)).take(7).collect()).unwrap();
        let covers = Some(Amount::from_cents(10 * stake.cents()));
        (Bank::Seat { seat, covers }, book.seats.dealer_hand.then(|| dealer(rest)))
    };
    let showdown =
        Showdown::new(table_rules, bank, Seat::FIRST, players, dealer).expect("a round the rules accept");
    let settlement = Settlement::of(&showdown);
    let base_lines = |party: Party| {
        settlement.lines().iter().filter(move |line| line.who == party && line.wager == WagerRef::PaiGow)
    };
    let [line] = base_lines(Party::Seat(Seat::FIRST)).collect::<Vec<_>>()[..] else {
        panic!("one line for one wager")
    };
    [line.net.cents().into(), settlement.nets().banker.cents().into()]
}

/// A game with nine pseudorandom counts. In the remaining deals the dealer's hand makes wagers push.
fn artificial_game() -> BaseGame {
    let mut rng = Rng::new(7);
    let compared =
        std::array::from_fn(|_| std::array::from_fn(|_| i128::from(rng.below(900_000_000_000_000))));
    let counted: i128 = compared.as_flattened().iter().sum();
    assert!(counted < DEALS);
    BaseGame { compared, dealer_push: DEALS - counted, ..BaseGame::default() }
}

struct Tally {
    net: i128,
    squares: i128,
}

impl Tally {
    /// Sums the net results over all deals of a game, cell by cell. Deals that push contribute nothing.
    fn of(game: &BaseGame, paid: impl Fn(usize, usize) -> i128) -> Tally {
        let mut tally = Tally { net: 0, squares: 0 };
        for (high, row) in game.compared.into_iter().enumerate() {
            for (low, deals) in row.into_iter().enumerate() {
                let net = paid(high, low);
                tally.net += net * deals;
                tally.squares += net * net * deals;
            }
        }
        tally
    }

    fn check(&self, odds: &BaseOdds, stake: i128) {
        let edge = Fraction::new(-self.net, stake * DEALS);
        assert_eq!(odds.edge(), edge);
        assert_eq!(odds.edge_before_commission() + odds.commission_part(), edge);
        assert_eq!(odds.variance(), Fraction::new(self.squares, stake * stake * DEALS) - edge.squared());
        assert_eq!(odds.outcomes.win + odds.outcomes.push + odds.outcomes.lose, DEALS);
    }
}

#[test]
fn base_odds_match_settlement() {
    // Every commission of this test on this stake is a whole number of cents.
    let stake = Amount::from_cents(100_000);
    let cents = i128::from(stake.cents());
    let game = artificial_game();
    let mut seen = 0;
    for name in BuiltIn::book_names() {
        for changes in [
            &[][..],
            &[("base_game.copies", "player")],
            &[("commission.percent", "2.5"), ("commission.banker", "each_win")],
        ] {
            let table_rules = table_rules(name, changes, &[]);
            let book = table_rules.book();
            let copies = book.base_game.copies;
            let commission = Fraction::new(book.commission.basis_points, 10_000);
            let pairs = compared_pairs(&table_rules);
            for banker in &book.banking.bankers {
                // All pairs of a cell have the same result.
                let paid = |high: usize, low: usize, seat_banks: bool| {
                    let all = pairs[high][low].iter().map(|&[one, other]| {
                        if seat_banks {
                            settle(&table_rules, *banker, other, one, stake)[1]
                        } else {
                            settle(&table_rules, *banker, one, other, stake)[0]
                        }
                    });
                    let all: Vec<i128> = all.collect();
                    assert!(all.iter().all(|net| *net == all[0]), "{name} {high} {low}: {all:?}");
                    all[0]
                };
                let odds = BaseOdds::of_player(&game, copies, commission.clone());
                Tally::of(&game, |high, low| paid(high, low, false)).check(&odds, cents);
                if *banker != Banker::Dealer {
                    let odds = BaseOdds::of_banker(&game, copies, commission.clone());
                    Tally::of(&game, |high, low| paid(high, low, true)).check(&odds, cents);
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 18, "the dealer banks in four books, a seat in two, each in three forms");
}

/// The value of copies is half of the difference between the player and the banker winning them, deal by deal.
#[test]
fn value_of_copies_is_half_of_the_difference() {
    let game = artificial_game();
    let mut changed = 0;
    for (high, row) in HandComparison::ALL.into_iter().zip(game.compared) {
        for (low, deals) in HandComparison::ALL.into_iter().zip(row) {
            // Each copy that goes to the player instead turns a loss into a push or a push into a win.
            let copies = [high, low].into_iter().filter(|compared| *compared == HandComparison::Copy).count();
            changed += deals * copies as i128;
        }
    }
    assert_eq!(copies_part(&game), Fraction::new(changed, 2 * DEALS));
    let edge = |copies| BaseOdds::of_player(&game, copies, Fraction::zero()).edge();
    assert_eq!(edge(CopyWinner::Banker) - edge(CopyWinner::Player), Fraction::new(changed, DEALS));
}
