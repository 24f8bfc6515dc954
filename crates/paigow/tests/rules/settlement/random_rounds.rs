//! Random rounds from a fixed seed.
//!
//! Plain shuffles rarely contain the hands that the rules are about, so many hands are constructed: four of a kind,
//! straight flushes, pai gows, copies.

use super::reference::Round;
use super::tables::{TABLES, table};
use paigow::rulebook::{Banker, Cover, DecidingCards, Limits, PaysFrom};
use paigow::{
    Amount, Bank, Card, CardSet, Color, Dealer, Hand, PlayedHand, Player, Rank, Rulebook, Seat, SevenCards,
    SideStake, Stakes, Suit, TableRules,
};
use paigow_testkit::Rng;

/// A shuffled deck, often with constructed hands. Hand `i` starts at index `7 * i`.
pub(super) fn shuffled(rng: &mut Rng, hands: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::deck().collect();
    rng.shuffle_front(&mut deck, 7 * hands);
    if rng.once_in(2) {
        for _ in 0..=rng.below(3) {
            let hand = rng.index(hands);
            let wanted = notable_cards(rng);
            swap_into_hand(&mut deck, hand, &wanted);
        }
    }
    if rng.once_in(4) {
        let (from, to) = (rng.index(hands), rng.index(hands));
        if from != to {
            copy_ranks(&mut deck, from, to);
        }
    }
    deck
}

/// Swaps cards into a hand.
pub(super) fn swap_into_hand(deck: &mut [Card], hand: usize, cards: &[Card]) {
    for (i, card) in cards.iter().enumerate() {
        let from = deck.iter().position(|other| other == card).expect("it is in the deck");
        deck.swap(7 * hand + i, from);
    }
}

/// Gives a hand the ranks of another hand, as far as cards are available.
fn copy_ranks(deck: &mut [Card], from: usize, to: usize) {
    for i in 0..7 {
        let Some((rank, suit)) = deck[7 * from + i].rank().zip(deck[7 * from + i].suit()) else { continue };
        let taken = |index: usize| index / 7 == from || (7 * to..7 * to + i).contains(&index);
        let twin = (1..4).find_map(|step| {
            let card = Card::new(rank, Suit::ALL[(suit.index() + step) % 4]);
            deck.iter().position(|&other| other == card).filter(|&index| !taken(index))
        });
        if let Some(index) = twin {
            deck.swap(7 * to + i, index);
        }
    }
}

/// At most seven cards that make a hand with a rule or a payout of its own.
fn notable_cards(rng: &mut Rng) -> Vec<Card> {
    let suit = *rng.pick(&Suit::ALL);
    let other = Suit::ALL[(suit.index() + 1 + rng.index(3)) % 4];
    let run = |suit: Suit, from: usize, length: usize| -> Vec<Card> {
        // The ace counts below the two.
        (from..from + length).map(|step| Card::new(Rank::ALL[(step + 12) % 13], suit)).collect()
    };
    let four = |rank: Rank| Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec();
    let mut cards = match rng.below(9) {
        0 | 1 => four(*rng.pick(&Rank::ALL)),
        2 => four(*rng.pick(&[Rank::Ace, Rank::King])),
        3 => run(suit, rng.index(8), 7),
        4 => run(suit, rng.index(10), 5),
        5 => run(suit, 9, 5),
        6 => run(suit, 0, 5),
        7 => {
            let of_color = |card: &Card| card.color() == Some(suit.color());
            let mut cards: Vec<Card> = Card::deck().filter(of_color).collect();
            (0..7).map(|_| rng.take(&mut cards)).collect()
        }
        // Seven ranks, with a nine or a higher card on top.
        _ => {
            let top = 7 + rng.index(6);
            let mut ranks = Rank::ALL[..top].to_vec();
            let mut cards = vec![Card::new(Rank::ALL[top], suit)];
            for _ in 0..6 {
                cards.push(Card::new(rng.take(&mut ranks), *rng.pick(&Suit::ALL)));
            }
            cards
        }
    };
    if cards.len() == 5 && rng.once_in(2) {
        let king_or_ace = *rng.pick(&[Rank::King, Rank::Ace]);
        cards.extend([Card::new(Rank::Queen, other), Card::new(king_or_ace, other)]);
    }
    if rng.once_in(3) {
        match cards.len() {
            4 => cards.push(Card::JOKER),
            length => cards[rng.index(length)] = Card::JOKER,
        }
    }
    cards
}

/// A random amount within limits, often a limit or the smallest stake for an envy button.
fn amount_within(rng: &mut Rng, limits: &Limits) -> Amount {
    let (min, max) = (limits.min.cents(), limits.max.cents());
    let cents = match rng.below(8) {
        0 => min,
        1 => max,
        2 => 499,
        3 => 500,
        4 | 5 => rng.between(min, min + 3_000),
        _ => rng.between(min, max),
    };
    Amount::from_cents(cents.clamp(min, max))
}

fn stakes(rng: &mut Rng, table_rules: &TableRules) -> Stakes {
    let mut stakes =
        Stakes { pai_gow: amount_within(rng, &table_rules.book().base_game.limits), ..Stakes::default() };
    for index in 0..table_rules.side_wager_count() {
        if !rng.once_in(3) {
            let wager = table_rules.wager(index);
            let color =
                (wager.looks_at == DecidingCards::Color).then(|| *rng.pick(&[Color::Red, Color::Black]));
            stakes.sides[index] = Some(SideStake { amount: amount_within(rng, &wager.limits), color });
        }
    }
    stakes
}

/// Random stakes of a banking seat on the side wagers that it may place.
fn banker_stakes(rng: &mut Rng, table_rules: &TableRules) -> Stakes {
    let mut stakes = Stakes { pai_gow: Amount::ZERO, ..stakes(rng, table_rules) };
    for wager in (0..table_rules.side_wager_count()).filter(|wager| !table_rules.wager(*wager).banker_wagers)
    {
        stakes.sides[wager] = None;
    }
    stakes
}

/// Sets a hand the house way, or with a random low hand.
pub(super) fn play_hand(rng: &mut Rng, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    if rng.once_in(2) {
        return PlayedHand::Set(table_rules.house_way_setting(hand));
    }
    let mut cards: Vec<Card> = hand.cards().iter().collect();
    let low = CardSet::EMPTY.with(rng.take(&mut cards)).with(rng.take(&mut cards));
    table_rules.played_hand(hand, low, "a seat").expect("two of the seven")
}

/// Sets a banker's hand. A foul is set the house way.
fn play_banker_hand(rng: &mut Rng, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    match play_hand(rng, table_rules, hand) {
        PlayedHand::Foul(_) => PlayedHand::Set(table_rules.house_way_setting(hand)),
        set @ PlayedHand::Set(_) => set,
    }
}

pub(super) fn hand_of(cards: &[Card]) -> SevenCards {
    Hand::new(cards.iter().copied().collect()).expect("seven cards")
}

/// A random round of a table.
pub(super) fn deal<'p>(rng: &mut Rng, table_rules: &'p TableRules) -> Round<'p> {
    let book = table_rules.book();
    let count = book.seats.players;
    let hands = usize::from(count) + usize::from(book.seats.dealer_hand);
    let deck = shuffled(rng, hands);
    let mut cards = deck.chunks(7);
    let mut next = || hand_of(cards.next().expect("a hand for every seat and the dealer"));

    let any_seat = |rng: &mut Rng| Seat::new(rng.between(1, count.into()) as u8).expect("a seat");
    let dealer_may = book.banking.bankers.contains(&Banker::Dealer);
    let others_may = book.banking.bankers.len() > usize::from(dealer_may);
    let banks = (others_may && !(dealer_may && rng.once_in(3))).then(|| any_seat(rng));
    // At least one seat plays against the banker.
    let plays = std::iter::repeat_with(|| any_seat(rng)).find(|&seat| Some(seat) != banks);

    let mut players = [None; Seat::COUNT_MAX];
    for seat in Seat::up_to(count) {
        let hand = next();
        players[seat.index()] = if banks == Some(seat) {
            let stakes = banker_stakes(rng, table_rules);
            Some(Player { hand, played: play_banker_hand(rng, table_rules, hand), stakes })
        } else if plays == Some(seat) || !rng.once_in(4) {
            let no_wager = plays != Some(seat) && rng.once_in(12);
            let stakes = if no_wager { Stakes::default() } else { stakes(rng, table_rules) };
            Some(Player { hand, played: play_hand(rng, table_rules, hand), stakes })
        } else {
            None
        };
    }
    let dealer = book.seats.dealer_hand.then(|| {
        let hand = next();
        let setting = table_rules.house_way_setting(hand);
        let wagers = banks.is_some() && book.banking.plays_dealer && !rng.once_in(3);
        let wager = if wagers { amount_within(rng, &book.base_game.limits) } else { Amount::ZERO };
        Dealer { hand, setting, wager }
    });
    let mut round = Round { table_rules, bank: Bank::Dealer, first: any_seat(rng), players, dealer };
    if let Some(seat) = banks {
        let covers = cover(rng, &round);
        round.bank = Bank::Seat { seat, covers };
    }
    round
}

/// Sum of all wagers on the base game, in cents.
fn action(round: &Round<'_>) -> u64 {
    let seats: u64 = round.players.iter().flatten().map(|player| player.stakes.pai_gow.cents()).sum();
    seats + round.dealer.map_or(0, |dealer| dealer.wager.cents())
}

/// Amount that covers every wager for all possible hands, in cents.
pub(super) fn full_cover(round: &Round<'_>) -> u64 {
    let stakes = round.players.map(|player| player.map(|player| player.stakes).unwrap_or_default());
    action(round) + round.table_rules.reserve(&stakes).cents()
}

fn cover(rng: &mut Rng, round: &Round<'_>) -> Option<Amount> {
    let action = action(round);
    if round.table_rules.book().banking.cover == Cover::All {
        return rng.once_in(2).then(|| Amount::from_cents(action + rng.below(2)));
    }
    if round.table_rules.book().banking.pays_from == PaysFrom::Reserved {
        return Some(Amount::from_cents(full_cover(round) + rng.below(100)));
    }
    // The rules refuse a cover of zero.
    let cents = match rng.below(8) {
        0 => 1 + rng.below(2),
        1 => action,
        2 => action + rng.below(100_000),
        // Exactly the base wagers of some seats.
        3 | 4 => {
            let some = round.players.iter().flatten().take(1 + rng.index(4));
            some.map(|player| player.stakes.pai_gow.cents()).sum()
        }
        _ => rng.below(action + 1),
    };
    Some(Amount::from_cents(cents.max(1)))
}

/// The round with a banker who covers every wager.
pub(super) fn with_full_cover(mut round: Round<'_>) -> Round<'_> {
    if let Bank::Seat { covers, .. } = &mut round.bank {
        *covers = Some(Amount::MAX);
    }
    round
}

/// Checks a property on random rounds of every table whose book is selected.
pub(super) fn every_round(
    selected: impl Fn(&Rulebook) -> bool,
    rounds: usize,
    mut check: impl FnMut(&mut Rng, Round<'_>),
) {
    let mut tables = 0;
    for (number, text) in (0..).zip(TABLES) {
        let table_rules = table(text);
        if selected(table_rules.book()) {
            tables += 1;
            let mut rng = Rng::new(!number);
            for _ in 0..rounds {
                let round = deal(&mut rng, &table_rules);
                check(&mut rng, round);
            }
        }
    }
    assert!(tables > 0, "no table is selected");
}
