//! Properties of every round: zero sums, the order of the steps, and independence of other hands and of suits.

use super::kit::{describe, differences, in_reference_form, settle};
use super::random_rounds::{every_round, hand_of, play_hand, with_full_cover};
use super::reference::{LineKind, LineParty, ReferenceSettlement, Round};
use crate::hand_properties::relabel_suits;
use paigow::rulebook::{DecidingCards, PayoutScope};
use paigow::{
    Amount, Arrangement, Bank, Card, CardSet, Hand, Line, Outcome, Party, PlayedHand, Player, Reason,
    Rulebook, Seat, Settlement, SevenCards, StepPart, Suit, WagerRef,
};
use paigow_testkit::Rng;
use std::collections::BTreeSet;

#[test]
fn rounds_and_lines_sum_to_zero() {
    every_round(
        |_| true,
        1_000,
        |_, round| {
            let showdown = round.showdown().expect("a round");
            let settlement = Settlement::of(&showdown);
            let settled = in_reference_form(&settlement, &round);
            let sum = settled.seats.iter().sum::<i64>() + settled.banker + settled.house;
            assert_eq!(sum, 0, "{}", describe(&round));

            // The opposing party of a line pays the net result and the commission.
            let mut seats = [0; Seat::COUNT_MAX];
            let (mut banker, mut house) = (0, 0);
            let mut give = |party: Party, cents: i64| match (party, round.bank) {
                (Party::Seat(seat), _) => seats[seat.index()] += cents,
                (Party::Banker, Bank::Seat { .. }) => banker += cents,
                (Party::Banker | Party::Dealer | Party::House, _) => house += cents,
            };
            for line in settlement.lines() {
                let fee = line.fee.cents().cast_signed();
                give(line.who, line.net.cents());
                give(Party::House, fee);
                give(line.against, -line.net.cents() - fee);
            }
            let nets = (settled.seats, settled.banker, settled.house);
            assert_eq!((seats, banker, house), nets, "{}", describe(&round));
        },
    );
}

/// Steps follow the order of the lines, and envy buttons stay on the table until the last step.
#[test]
fn steps_contain_every_line_once_and_buttons_stay_until_the_last() {
    let (mut with_buttons, mut with_envy) = (0, 0);
    every_round(
        |_| true,
        1_000,
        |_, round| {
            let showdown = round.showdown().expect("a round");
            let settlement = Settlement::of(&showdown);
            let (lines, steps) = (settlement.lines(), settlement.steps(&showdown));
            let positions: Vec<usize> = steps.iter().flat_map(|step| step.lines.clone()).collect();
            assert_eq!(positions, (0..lines.len()).collect::<Vec<_>>(), "{}", describe(&round));
            for step in &steps {
                assert!(lines[step.lines.clone()].iter().all(|line| line.who == step.who));
                let part = |line: &Line| match (line.outcome, line.reason, line.wager) {
                    (Outcome::Collection, ..) => StepPart::Collection,
                    (Outcome::Commission, ..) => StepPart::Commission,
                    (Outcome::Envy, ..) | (_, Reason::EnvyUnpaid { .. }, _) => StepPart::Envy,
                    (_, _, WagerRef::PaiGow) => StepPart::Base,
                    (_, _, WagerRef::Side(_)) => StepPart::Bonus,
                };
                let parts = lines[step.lines.clone()].iter().map(part);
                assert!(parts.into_iter().all(|part| part == step.part), "{}", describe(&round));
            }
            let envy = steps.iter().position(|step| step.part == StepPart::Envy).unwrap_or(steps.len());
            assert!(steps[envy..].iter().all(|step| step.part == StepPart::Envy), "{}", describe(&round));
            assert!(steps[envy..].iter().all(|step| step.unreconciled.is_empty()), "{}", describe(&round));

            let buttons: BTreeSet<(Seat, u8)> = Seat::up_to(Seat::COUNT_MAX as u8)
                .flat_map(|seat| (0..round.table_rules.side_wager_count()).map(move |wager| (seat, wager)))
                .filter(|(seat, wager)| {
                    let envy = &round.table_rules.wager(*wager).envy;
                    let stake = round.players[seat.index()].and_then(|player| player.stakes.sides[*wager]);
                    stake.zip(envy.as_ref()).is_some_and(|(stake, envy)| stake.amount >= envy.from)
                })
                .map(|(seat, wager)| (seat, wager as u8))
                .collect();
            let (last, before) = steps.split_last().expect("a round has lines");
            for step in before {
                let on_table = step.buttons.iter().map(|button| match button.wager {
                    WagerRef::Side(wager) => (button.seat, wager),
                    WagerRef::PaiGow => panic!("the base wager has no button"),
                });
                assert_eq!(on_table.collect::<BTreeSet<_>>(), buttons, "{}", describe(&round));
            }
            assert!(last.buttons.is_empty() && last.unreconciled.is_empty(), "{}", describe(&round));
            assert_eq!(last.nets, *settlement.nets(), "{}", describe(&round));
            let paid_envy =
                lines.iter().filter(|line| line.outcome == Outcome::Envy).filter_map(|line| match line {
                    Line { who: Party::Seat(seat), wager: WagerRef::Side(wager), .. } => {
                        Some((*seat, *wager))
                    }
                    _ => None,
                });
            assert!(paid_envy.into_iter().all(|holder| buttons.contains(&holder)), "{}", describe(&round));

            // Each wager is reconciled in exactly one step.
            let mut left: Option<Vec<(Party, WagerRef)>> = None;
            for step in &steps {
                assert_eq!(step.nets.sum(), 0, "{}", describe(&round));
                let remaining: BTreeSet<(Party, WagerRef)> = step.unreconciled.iter().copied().collect();
                assert_eq!(remaining.len(), step.unreconciled.len());
                if let Some(before) = &left {
                    let removed: BTreeSet<_> =
                        before.iter().filter(|wager| !remaining.contains(wager)).collect();
                    let reconciled: BTreeSet<(Party, WagerRef)> = match step.part {
                        StepPart::Base | StepPart::Bonus => {
                            lines[step.lines.clone()].iter().map(|line| (line.who, line.wager)).collect()
                        }
                        _ => BTreeSet::new(),
                    };
                    assert_eq!(removed, reconciled.iter().collect(), "{}", describe(&round));
                }
                left = Some(step.unreconciled.clone());
            }
            with_buttons += usize::from(!buttons.is_empty());
            with_envy += usize::from(envy < steps.len());
        },
    );
    assert!(with_buttons > 1_000 && with_envy > 1_000, "{with_buttons} with buttons, {with_envy} with envy");
}

/// The round with relabeled suits.
fn relabel_round<'p>(round: &Round<'p>, suits: [Suit; 4]) -> Round<'p> {
    let evaluator = round.table_rules.evaluator();
    let hand = |hand: SevenCards| -> SevenCards {
        Hand::new(relabel_suits(hand.cards(), &suits)).expect("seven cards")
    };
    let play = |dealt: SevenCards, low: CardSet| {
        let arrangement =
            Arrangement::new(hand(dealt), relabel_suits(low, &suits)).expect("two of the seven");
        arrangement.set(evaluator).map_or_else(PlayedHand::Foul, PlayedHand::Set)
    };
    let mut other = round.clone();
    for player in other.players.iter_mut().flatten() {
        let low = match player.played {
            PlayedHand::Set(setting) => setting.low,
            PlayedHand::Foul(foul) => foul.0.low,
        };
        player.played = play(player.hand, low.cards());
        player.hand = hand(player.hand);
    }
    if let Some(dealer) = &mut other.dealer {
        let PlayedHand::Set(setting) = play(dealer.hand, dealer.setting.low.cards()) else {
            panic!("{} is legal in other suits", dealer.setting);
        };
        (dealer.hand, dealer.setting) = (hand(dealer.hand), setting);
    }
    other
}

#[test]
fn relabelling_suits_changes_nothing() {
    every_round(
        |_| true,
        500,
        |rng, round| {
            let [clubs, diamonds, hearts, spades] = Suit::ALL;
            let colors =
                round.table_rules.book().wagers.iter().any(|wager| wager.looks_at == DecidingCards::Color);
            let suits = if colors {
                // With a color wager, the relabelling must keep the colors.
                *rng.pick(&[
                    [spades, diamonds, hearts, clubs],
                    [clubs, hearts, diamonds, spades],
                    [spades, hearts, diamonds, clubs],
                ])
            } else {
                let mut left = Suit::ALL.to_vec();
                [(); 4].map(|()| rng.take(&mut left))
            };
            let (settled, other) = (settle(&round), settle(&relabel_round(&round, suits)));
            assert!(settled == other, "{suits:?}: {}\n{}", differences(&settled, &other), describe(&round));
        },
    );
}

/// The round with other cards for all seats except the banker and one seat. The dealer keeps its hand too.
fn redeal_others<'p>(rng: &mut Rng, round: &Round<'p>, kept: Seat) -> Round<'p> {
    let banks = |seat: Seat| matches!(round.bank, Bank::Seat { seat: banker, .. } if banker == seat);
    let stays = |seat: Seat| seat == kept || banks(seat);
    let mut known = round.dealer.map_or(CardSet::EMPTY, |dealer| dealer.hand.cards());
    for seat in Seat::up_to(7).filter(|&seat| stays(seat)) {
        known = known.union(round.players[seat.index()].map_or(CardSet::EMPTY, |player| player.hand.cards()));
    }
    let mut deck: Vec<Card> = CardSet::DECK.difference(known).iter().collect();
    let mut other = round.clone();
    for seat in Seat::up_to(7).filter(|&seat| !stays(seat)) {
        if let Some(player) = &mut other.players[seat.index()] {
            let cards: Vec<Card> = (0..7).map(|_| rng.take(&mut deck)).collect();
            player.hand = hand_of(&cards);
            player.played = play_hand(rng, round.table_rules, player.hand);
        }
    }
    other
}

/// Whether a maximum payout applies to all hands of a round together, which makes them depend on one another.
fn has_maximum_per_round(book: &Rulebook) -> bool {
    book.wagers
        .iter()
        .filter_map(|wager| wager.payout_max.as_ref())
        .any(|max| max.per == PayoutScope::Round && max.amount.is_some())
}

#[test]
fn a_seat_without_envy_depends_only_on_its_own_hand_and_the_banker() {
    let mut others_changed = 0;
    every_round(
        |book| !has_maximum_per_round(book),
        500,
        |rng, round| {
            let round = with_full_cover(round);
            let plays =
                |player: &Option<Player>| player.is_some_and(|player| player.stakes.pai_gow > Amount::ZERO);
            let seat =
                Seat::up_to(7).find(|seat| plays(&round.players[seat.index()])).expect("a seat that plays");
            let (settled, other) = (settle(&round), settle(&redeal_others(rng, &round, seat)));
            let own = |settled: &ReferenceSettlement| {
                let mut lines = settled.lines.clone();
                lines.retain(|&(party, _, kind), _| {
                    party == LineParty::Seat(seat.number()) && kind != LineKind::Envy
                });
                lines
            };
            assert_eq!(own(&settled), own(&other), "{seat}\n{}", describe(&round));
            others_changed += u32::from(settled != other);
        },
    );
    assert!(others_changed > 1_000, "only {others_changed} rounds changed for the other seats");
}
