//! Envy bonuses: the hands that earn them and the seats that receive them.

use super::kit::{COPIES_BOTH, FOUR_EIGHTS, RoundBuilder, describe, settle};
use super::random_rounds::{deal, every_round, hand_of, shuffled, swap_into_hand, with_full_cover};
use super::reference::{LineAmounts, LineKey, LineKind, LineParty, Round};
use paigow::{
    Amount, Bank, BySeat, Card, Dealer, HandClass, Line, Owners, Party, PayRow, PlayedHand, Player, Rank,
    Reason, Seat, Settlement, SevenCards, Showdown, SideStake, Stakes, Suit, WinsOn,
};
use paigow_testkit::{Rng, table_rules};

#[test]
fn envy_bonus_is_paid_only_for_hands_of_other_players() {
    every_round(
        |book| {
            let mut envies = book.wagers.iter().filter_map(|wager| wager.envy.as_ref()).peekable();
            envies.peek().is_some() && envies.all(|envy| !envy.banker_hand)
        },
        200,
        |rng, mut round| {
            // Four of a kind for the holder of the button, the banker, the dealer and another player.
            let ranks = {
                let mut ranks = Rank::ALL.to_vec();
                [(); 4].map(|()| rng.take(&mut ranks))
            };
            let mut deck = shuffled(rng, 4);
            for (hand, rank) in ranks.into_iter().enumerate() {
                swap_into_hand(&mut deck, hand, &Suit::ALL.map(|suit| Card::new(rank, suit)));
            }
            let table_rules = round.table_rules;
            let fours: Vec<SevenCards> = deck.chunks(7).take(4).map(hand_of).collect();
            let set = |hand: SevenCards| table_rules.house_way_setting(hand);
            let player = |hand: SevenCards, stakes: Stakes| {
                Some(Player { hand, played: PlayedHand::Set(set(hand)), stakes })
            };
            let mut free: Vec<Seat> = Seat::up_to(table_rules.book().seats.players).collect();
            round.players = [None; Seat::COUNT_MAX];
            if let Bank::Seat { seat, .. } = round.bank {
                free.retain(|&other| other != seat);
                round.players[seat.index()] = player(fours[0], Stakes::default());
            }
            if let Some(dealer) = &mut round.dealer {
                *dealer = Dealer { hand: fours[1], setting: set(fours[1]), wager: Amount::ZERO };
            }
            round = with_full_cover(round);
            let (holder, another) = (rng.take(&mut free), rng.take(&mut free));

            let wagers = &table_rules.book().wagers;
            let wager = wagers.iter().position(|wager| wager.envy.is_some()).expect("a wager with envy");
            let envy = table_rules.wager(wager).envy.as_ref().expect("a wager with envy");
            let base = Stakes { pai_gow: table_rules.book().base_game.limits.min, ..Stakes::default() };
            let mut button = base;
            button.sides[wager] = Some(SideStake { amount: envy.from, color: None });
            round.players[holder.index()] = player(fours[2], button);
            let paid = |round: &Round<'_>| {
                let settled = settle(round);
                let envy = |(&(party, _, kind), amounts): (&LineKey, &LineAmounts)| {
                    (kind == LineKind::Envy).then_some((party, amounts.net))
                };
                settled.lines.iter().filter_map(envy).collect::<Vec<_>>()
            };
            assert_eq!(paid(&round), [], "{holder} has the only button\n{}", describe(&round));

            // A seat without a wager does not count as another player.
            round.players[another.index()] = player(fours[3], Stakes::default());
            assert_eq!(paid(&round), [], "{another} does not wager\n{}", describe(&round));
            round.players[another.index()] = player(fours[3], base);
            let row = |row: &&PayRow| row.wins_on == WinsOn::Class(HandClass::FourOfAKind);
            let amount = table_rules
                .paytable(wager)
                .rows
                .iter()
                .find(row)
                .and_then(|row| row.envy)
                .expect("an envy bonus");
            let least = amount.cents().cast_signed();
            let [(party, net)] = paid(&round)[..] else { panic!("one bonus is paid\n{}", describe(&round)) };
            // The three other cards may make a better hand.
            let expected = LineParty::Seat(holder.number());
            assert!(party == expected && net >= least, "{party:?} {net}\n{}", describe(&round));
        },
    );
}

/// A player's own hands at other seats earn that player no envy bonus. No other line depends on the owners of seats.
#[test]
fn hands_of_the_same_player_earn_no_envy_bonus() {
    let mut dropped = 0;
    for (number, book) in (0..).zip(["south-dakota", "washington", "ez", "south-beach"]) {
        let table_rules = table_rules(book, &[("seats.hands_per_player", "3")], &[]);
        let mut rng = Rng::new(500 + number);
        for _ in 0..2_000 {
            let round = deal(&mut rng, &table_rules);
            let names: BySeat<u64> = std::array::from_fn(|_| rng.below(4));
            let owners = Owners::by_name(|seat| Some(names[seat.index()]));
            let Round { bank, first, players, dealer, .. } = round;
            let Ok(shared) = Showdown::with_owners(&table_rules, bank, first, players, dealer, owners) else {
                continue;
            };
            let separate = Settlement::of(&round.showdown().expect("a round"));
            let for_other_owners = |line: &&Line| match (line.who, line.reason) {
                (Party::Seat(holder), Reason::Envy { of, .. }) => !owners.same(holder, of),
                _ => true,
            };
            let expected: Vec<Line> = separate.lines().iter().filter(for_other_owners).copied().collect();
            assert_eq!(Settlement::of(&shared).lines(), expected, "{}", describe(&round));
            dropped += separate.lines().len() - expected.len();
        }
    }
    assert!(dropped > 500, "{dropped} envy bonuses for a player's other hands");
}

#[test]
fn sb_8_five_aces_pay_three_hundred_dollars_of_envy_from_a_five_dollar_wager() {
    // Seat 1 wins 400 times 5.00, and 9.50. The other two lose their wagers. Seat 3 holds no button.
    RoundBuilder::of("south-beach")
        .dealer(("Ks Jd 9c 7s 5c 3d 2c", "Jd 9c"), "0.00")
        .seat(1, ("As Ah Ad Ac Jk 7d 4h", "As Ah"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("Qd Td 8s 6c 4c 3s 2s", "Td 8s"), "10.00", &[("fortune", "5.00")])
        .seat(3, ("Qh Th 8h 6s 4d 3h 2d", "Th 8h"), "10.00", &[("fortune", "4.99")])
        .settles("seat 1 +2009.50, seat 2 +285.00, seat 3 -14.99, house -2279.51");
}

#[test]
fn sd_5_each_button_earns_for_other_players_hands_but_not_the_dealers() {
    // Seat 1: 9.50 + 20 × 5.00 + 10.00. Seat 2: 9.50 + 50 × 5.00 + 5.00. Seat 3: 5.00 + 10.00 − 16.00.
    RoundBuilder::of("south-dakota")
        .dealer(("2c 2d 2h 2s Kd Jc 7h", "Kd Jc"), "0.00")
        .seat(1, ("9c 9d 9h 9s Kc Qd 4h", "Kc Qd"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("4s 5s 6s 7s 8s Ts Ad", "Ad Ts"), "10.00", &[("fortune", "5.00")])
        .seat(3, ("Ah Qh Tc 8c 6d 5c 3d", "Qh Tc"), "10.00", &[("fortune", "6.00")])
        .settles("seat 1 +119.50, seat 2 +264.50, seat 3 -1.00, house -383.00");
}

#[test]
fn ca_6_the_player_dealers_hand_earns_no_envy_bonus() {
    RoundBuilder::of("california")
        .banks(4, FOUR_EIGHTS, Some("20.00"))
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 2 -15.00, banker +15.00, house +0.00");
}
