//! Settlement: comparison with a reference implementation, properties of every round, and manually computed rounds.
//!
//! A generator with a fixed seed makes the random rounds, so that failures are reproducible. Plain shuffles rarely
//! contain the hands that the rules are about, so many hands are constructed: four of a kind, straight flushes, pai
//! gows, copies.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a failed expectation fails the test

mod reference;

use paigow::rulebook::{Banker, BuiltIn, Cover, CoverUse, Limits, LooksAt, PaysFrom, Per};
use paigow::{
    Amount, Arrangement, Bank, BySeat, Card, CardSet, Color, Dealer, Hand, HandClass, Line, Net, Outcome,
    Owners, Party, PayRow, PlayedHand, Player, Rank, Reason, Rulebook, Seat, Settlement, SevenCards,
    Showdown, SideStake, Stakes, StepPart, Suit, TableRules, WagerRef, WinsOn, parse_cards,
};
use reference::{
    LineAmounts, LineKey, LineKind, LineParty, ReferenceSettlement, Round, reference_settlement,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

// Random rounds.

/// Random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A random number below `count`.
    fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True with probability `1 / times`.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    fn take<T>(&mut self, items: &mut Vec<T>) -> T {
        items.swap_remove(self.index(items.len()))
    }
}

/// The rules of a table: a book with changes, and posted paytables.
fn table_rules(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> TableRules {
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|&(one, other)| (one.to_owned(), other.to_owned())).collect::<Vec<_>>()
    };
    let loaded = Rulebook::load(book, &owned(changes), &BuiltIn);
    let loaded = loaded.unwrap_or_else(|error| panic!("{book} with {changes:?}: {error}"));
    TableRules::new(Arc::new(loaded), &owned(posted)).expect("valid table rules")
}

/// A shuffled deck, often with constructed hands. Hand `i` starts at index `7 * i`.
fn shuffled(random: &mut Random, hands: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::deck().collect();
    for i in 0..7 * hands {
        let other = i + random.index(deck.len() - i);
        deck.swap(i, other);
    }
    if random.once_in(2) {
        for _ in 0..=random.below(3) {
            let hand = random.index(hands);
            let wanted = notable_cards(random);
            swap_into_hand(&mut deck, hand, &wanted);
        }
    }
    if random.once_in(4) {
        let (from, to) = (random.index(hands), random.index(hands));
        if from != to {
            copy_ranks(&mut deck, from, to);
        }
    }
    deck
}

/// Swaps cards into a hand.
fn swap_into_hand(deck: &mut [Card], hand: usize, cards: &[Card]) {
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
fn notable_cards(random: &mut Random) -> Vec<Card> {
    let suit = random.one_of(&Suit::ALL);
    let other = Suit::ALL[(suit.index() + 1 + random.index(3)) % 4];
    let run = |suit: Suit, from: usize, length: usize| -> Vec<Card> {
        // The ace counts below the two.
        (from..from + length).map(|step| Card::new(Rank::ALL[(step + 12) % 13], suit)).collect()
    };
    let four = |rank: Rank| Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec();
    let mut cards = match random.below(9) {
        0 | 1 => four(random.one_of(&Rank::ALL)),
        2 => four(random.one_of(&[Rank::Ace, Rank::King])),
        3 => run(suit, random.index(8), 7),
        4 => run(suit, random.index(10), 5),
        5 => run(suit, 9, 5),
        6 => run(suit, 0, 5),
        7 => {
            let of_color = |card: &Card| card.color() == Some(suit.color());
            let mut cards: Vec<Card> = Card::deck().filter(of_color).collect();
            (0..7).map(|_| random.take(&mut cards)).collect()
        }
        // Seven ranks, with a nine or a higher card on top.
        _ => {
            let top = 7 + random.index(6);
            let mut ranks = Rank::ALL[..top].to_vec();
            let mut cards = vec![Card::new(Rank::ALL[top], suit)];
            for _ in 0..6 {
                cards.push(Card::new(random.take(&mut ranks), random.one_of(&Suit::ALL)));
            }
            cards
        }
    };
    if cards.len() == 5 && random.once_in(2) {
        let king_or_ace = random.one_of(&[Rank::King, Rank::Ace]);
        cards.extend([Card::new(Rank::Queen, other), Card::new(king_or_ace, other)]);
    }
    if random.once_in(3) {
        match cards.len() {
            4 => cards.push(Card::JOKER),
            length => cards[random.index(length)] = Card::JOKER,
        }
    }
    cards
}

/// A random amount within limits, often a limit or the smallest stake for an envy button.
fn amount(random: &mut Random, limits: &Limits) -> Amount {
    let (min, max) = (limits.min.cents(), limits.max.cents());
    let cents = match random.below(8) {
        0 => min,
        1 => max,
        2 => 499,
        3 => 500,
        4 | 5 => random.between(min, min + 3_000),
        _ => random.between(min, max),
    };
    Amount::from_cents(cents.clamp(min, max))
}

fn stakes(random: &mut Random, table_rules: &TableRules) -> Stakes {
    let mut stakes =
        Stakes { pai_gow: amount(random, &table_rules.book().base_game.limits), ..Stakes::default() };
    for index in 0..table_rules.side_wagers() {
        if !random.once_in(3) {
            let wager = table_rules.wager(index);
            let color =
                (wager.looks_at == LooksAt::Color).then(|| random.one_of(&[Color::Red, Color::Black]));
            stakes.sides[index] = Some(SideStake { amount: amount(random, &wager.limits), color });
        }
    }
    stakes
}

/// Random stakes of a banking seat on the side wagers that it may place.
fn banker_stakes(random: &mut Random, table_rules: &TableRules) -> Stakes {
    let mut stakes = Stakes { pai_gow: Amount::ZERO, ..stakes(random, table_rules) };
    for wager in (0..table_rules.side_wagers()).filter(|wager| !table_rules.wager(*wager).banker_wagers) {
        stakes.sides[wager] = None;
    }
    stakes
}

/// Sets a hand the house way, or with a random low hand.
fn play_hand(random: &mut Random, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    if random.once_in(2) {
        return PlayedHand::Set(table_rules.house_way_setting(hand));
    }
    let mut cards: Vec<Card> = hand.cards().iter().collect();
    let low = CardSet::EMPTY.with(random.take(&mut cards)).with(random.take(&mut cards));
    table_rules.played_hand(hand, low, "a seat").expect("two of the seven")
}

/// Sets a banker's hand. A foul is set the house way.
fn play_banker_hand(random: &mut Random, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    match play_hand(random, table_rules, hand) {
        PlayedHand::Foul(_) => PlayedHand::Set(table_rules.house_way_setting(hand)),
        set @ PlayedHand::Set(_) => set,
    }
}

fn hand_of(cards: &[Card]) -> SevenCards {
    Hand::new(cards.iter().copied().collect()).expect("seven cards")
}

/// A random round of a table.
fn deal<'p>(random: &mut Random, table_rules: &'p TableRules) -> Round<'p> {
    let book = table_rules.book();
    let count = book.seats.players;
    let hands = usize::from(count) + usize::from(book.seats.dealer_hand);
    let deck = shuffled(random, hands);
    let mut cards = deck.chunks(7);
    let mut next = || hand_of(cards.next().expect("a hand for every seat and the dealer"));

    let any_seat = |random: &mut Random| Seat::new(random.between(1, count.into()) as u8).expect("a seat");
    let dealer_may = book.banking.bankers.contains(&Banker::Dealer);
    let others_may = book.banking.bankers.len() > usize::from(dealer_may);
    let banks = (others_may && !(dealer_may && random.once_in(3))).then(|| any_seat(random));
    // At least one seat plays against the banker.
    let plays = std::iter::repeat_with(|| any_seat(random)).find(|&seat| Some(seat) != banks);

    let mut players = [None; Seat::COUNT_MAX];
    for seat in Seat::first(count) {
        let hand = next();
        players[seat.index()] = if banks == Some(seat) {
            let stakes = banker_stakes(random, table_rules);
            Some(Player { hand, played: play_banker_hand(random, table_rules, hand), stakes })
        } else if plays == Some(seat) || !random.once_in(4) {
            let no_wager = plays != Some(seat) && random.once_in(12);
            let stakes = if no_wager { Stakes::default() } else { stakes(random, table_rules) };
            Some(Player { hand, played: play_hand(random, table_rules, hand), stakes })
        } else {
            None
        };
    }
    let dealer = book.seats.dealer_hand.then(|| {
        let hand = next();
        let setting = table_rules.house_way_setting(hand);
        let wagers = banks.is_some() && book.banking.plays_dealer && !random.once_in(3);
        let wager = if wagers { amount(random, &book.base_game.limits) } else { Amount::ZERO };
        Dealer { hand, setting, wager }
    });
    let mut round = Round { table_rules, bank: Bank::Dealer, first: any_seat(random), players, dealer };
    if let Some(seat) = banks {
        let covers = cover(random, &round);
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
fn full_cover(round: &Round<'_>) -> u64 {
    let stakes = round.players.map(|player| player.map(|player| player.stakes).unwrap_or_default());
    action(round) + round.table_rules.reserve(&stakes).cents()
}

fn cover(random: &mut Random, round: &Round<'_>) -> Option<Amount> {
    let action = action(round);
    if round.table_rules.book().banking.cover == Cover::All {
        return random.once_in(2).then(|| Amount::from_cents(action + random.below(2)));
    }
    if round.table_rules.book().banking.pays_from == PaysFrom::Reserved {
        return Some(Amount::from_cents(full_cover(round) + random.below(100)));
    }
    // The rules refuse a cover of zero.
    let cents = match random.below(8) {
        0 => 1 + random.below(2),
        1 => action,
        2 => action + random.below(100_000),
        // Exactly the base wagers of some seats.
        3 | 4 => {
            let some = round.players.iter().flatten().take(1 + random.index(4));
            some.map(|player| player.stakes.pai_gow.cents()).sum()
        }
        _ => random.below(action + 1),
    };
    Some(Amount::from_cents(cents.max(1)))
}

// The settlement in the form of the reference implementation.

fn settle(round: &Round<'_>) -> ReferenceSettlement {
    let showdown = round.showdown().unwrap_or_else(|refusals| panic!("{refusals:?}\n{}", describe(round)));
    in_reference_form(&Settlement::of(&showdown), round)
}

fn in_reference_form(settlement: &Settlement, round: &Round<'_>) -> ReferenceSettlement {
    let nets = settlement.nets();
    let mut lines: BTreeMap<LineKey, LineAmounts> = BTreeMap::new();
    for line in settlement.lines() {
        let party = match line.who {
            Party::Dealer => LineParty::Dealer,
            Party::Seat(seat) => LineParty::Seat(seat.number()),
            Party::Banker => LineParty::Banker,
            Party::House => panic!("the house has no line of its own"),
        };
        let wager = match line.wager {
            WagerRef::PaiGow => None,
            WagerRef::Side(wager) => Some(usize::from(wager)),
        };
        let net = line.net.cents();
        let (fee, stake) = (line.fee.cents().cast_signed(), line.stake.cents().cast_signed());
        let without_stake = LineAmounts { outcome: None, stake: 0, net, fee };
        let (kind, amounts) = match line.outcome {
            Outcome::Envy => (LineKind::Envy, without_stake),
            Outcome::Commission => (LineKind::Commission, without_stake),
            Outcome::Collection => (LineKind::Collection, without_stake),
            Outcome::NoAction => match line.reason {
                Reason::EnvyUnpaid { unpaid, .. } => {
                    let stake = unpaid.cents().cast_signed();
                    (LineKind::Unpaid, LineAmounts { stake, ..without_stake })
                }
                _ => (LineKind::Returned, LineAmounts { stake, ..without_stake }),
            },
            outcome => (LineKind::Played, LineAmounts { outcome: Some(outcome), stake, net, fee }),
        };
        let earlier = lines.get(&(party, wager, kind)).copied();
        assert!(
            earlier.is_none() || amounts.outcome.is_none(),
            "{party:?} is settled twice\n{}",
            describe(round)
        );
        let sum = earlier.map_or(amounts, |earlier| LineAmounts {
            stake: earlier.stake + amounts.stake,
            net: earlier.net + amounts.net,
            fee: earlier.fee + amounts.fee,
            ..amounts
        });
        lines.insert((party, wager, kind), sum);
    }
    let is_empty = |kind: LineKind, amounts: &LineAmounts| {
        !matches!(kind, LineKind::Played | LineKind::Returned | LineKind::Unpaid)
            && (amounts.net, amounts.fee) == (0, 0)
    };
    lines.retain(|&(_, _, kind), amounts| !is_empty(kind, amounts));
    ReferenceSettlement {
        seats: nets.seats.map(Net::cents),
        banker: nets.banker.cents(),
        house: nets.house.cents(),
        lines,
    }
}

/// Differences between the settlement and the reference.
fn differences(settled: &ReferenceSettlement, reference: &ReferenceSettlement) -> String {
    let nets = |settlement: &ReferenceSettlement| (settlement.seats, settlement.banker, settlement.house);
    let mut text = format!("settled   {:?}\nreference {:?}\n", nets(settled), nets(reference));
    let keys: BTreeSet<&LineKey> = settled.lines.keys().chain(reference.lines.keys()).collect();
    for key in keys {
        let (one, other) = (settled.lines.get(key), reference.lines.get(key));
        if one != other {
            let _ = writeln!(text, "{key:?}: settled {one:?}, reference {other:?}");
        }
    }
    text
}

/// Description of the round for failure messages.
fn describe(round: &Round<'_>) -> String {
    let mut text = format!("{}: {:?}, first {}\n", round.table_rules.book().id, round.bank, round.first);
    for (number, player) in (1..).zip(&round.players) {
        if let Some(player) = player {
            let _ = writeln!(text, "seat {number}: {player:?}");
        }
    }
    let _ = write!(text, "dealer: {:?}", round.dealer);
    text
}

// Agreement.

/// Maximum payouts for wagers without one.
const LIMIT_PER_HAND: &str = r#"{ amount = "250.01", per = "hand", cite = "assumed: a test" }"#;
const LIMIT_PER_ROUND: &str = r#"{ amount = "100.00", per = "round", cite = "assumed: a test" }"#;
const FIVE_CENTS_PER_ROUND: &str = r#"{ amount = "0.05", per = "round", cite = "assumed: a test" }"#;
/// Collection fees by the size of the base wager.
const FEES: &str = r#"[
    { wager_from = "0.00", player = "1.00", banker = "2.00" },
    { wager_from = "50.00", player = "1.50", banker = "3.00" },
    { wager_from = "1000.00", player = "4.00", banker = "25.25" },
]"#;

/// Collection fees on side wagers.
const BONUS_FEES: &str = r#"[
    { wager_from = "0.00", player = "0.25", banker = "0.50" },
    { wager_from = "25.00", player = "0.50", banker = "2.00" },
]"#;

/// Tables: a book, changed values (`key = value`) and posted paytables (`wager: paytable`).
const TABLES: [&str; 50] = [
    "south-beach",
    "south-beach, commission.rounding = up, commission.unit = 0.25, commission.percent = 2.5",
    "south-beach, commission.rounding = down, commission.unit = 0.25",
    "south-beach, commission.rounding = nearest, commission.unit = 0.10, commission.percent = 2.5",
    "south-beach, base_game.copies = player",
    "south-beach, commission.banker = each_win, commission.rounding = up, commission.unit = 0.05",
    "south-beach, banking.cover = some_or_all",
    "south-beach, banking.cover = some_or_all, banking.cover_use = losses_only, commission.banker = each_win",
    "south-beach, banking.cover = some_or_all, commission.rounding = up, commission.unit = 0.25",
    "south-beach, wagers.fortune.settled_by = banker, wagers.fortune.banker_wagers = false, wagers.fortune.payout_max.amount = 150.00",
    "south-beach, wagers.fortune.payout_max.amount = 33.33, wagers.fortune.payout_max.per = round",
    "south-beach, collection.schedule = FEES, collection.cite = a test, setting.player_foul = house_way",
    "south-beach, ranking.joker = fully_wild",
    "south-dakota",
    "south-dakota, fortune: 2, dealing.order = clockwise",
    "south-dakota, fortune: 3, base_game.copies = player",
    "south-dakota, fortune: 4, wagers.fortune.envy.from = 7.77",
    "south-dakota, fortune: 6",
    "south-dakota, fortune: 7",
    "south-beach, wagers.fortune.banker_wagers = true, wagers.fortune.envy.banker_hand = true",
    "washington",
    "washington, fortune: FPG-04, pai-gowd: 01, wagers.fortune.payout_max = LIMIT_PER_ROUND",
    "washington, fortune: Washington, wagers.fortune.payout_max = FIVE_CENTS_PER_ROUND, dealing.order = clockwise",
    "washington, pai-gowd: 03, wagers.fortune.payout_max = LIMIT_PER_HAND",
    "washington, fortune: FPG-07, wagers.pai-gowd.player_must_beat = false, setting.player_foul = house_way",
    "washington, banking.bankers = OR_SEAT, banking.plays_dealer = true, wagers.pai-gowd.settled_by = banker",
    "washington, fortune: FPG-03, banking.bankers = OR_PLAYER_DEALER, banking.cover = some_or_all",
    "california",
    "california, fortune: FPG-02, banking.cover_use = losses_only",
    "california, fortune: FPG-01, banking.cover_use = once_in_all",
    "california, fortune: FPG-03, banking.cover_use = once_in_all, banking.pays_from = reserved",
    "california, fortune: FPG-07, collection.schedule = FEES",
    "california, fortune: FPG-08, banking.cover = all",
    "california, fortune: FPG-02, collection.schedule = FEES, collection.bonus = BONUS_FEES",
    "california, fortune: FPG-03, banking.cover_use = losses_only, base_game.bonus_wagers_settled = seat_by_seat",
    "california, fortune: FPG-04, banking.pays_from = reserved, wagers.fortune.payout_max = LIMIT_PER_HAND",
    "california, fortune: FPG-01, banking.pays_from = guaranteed, collection.schedule = FEES, collection.taken = last, base_game.bonus_wagers_settled = seat_by_seat",
    "california, fortune: FPG-09, wagers.fortune.payout_max = LIMIT_PER_ROUND, dealing.order = clockwise",
    "california, fortune: FPG-05, commission.percent = 5, base_game.copies = player",
    "california, fortune: FPG-06, commission.percent = 3.33, commission.banker = net_win",
    "california, fortune: FPG-04, wagers.fortune.settled_by = house, banking.cover_use = losses_only",
    "ez",
    "ez, dynasty: 2, ranking.joker = fully_wild",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS, base_game.dealer_push_fouls = false",
    "ez, dynasty: 4, banking.bankers = OR_SEAT, commission.percent = 5, wagers.dynasty.settled_by = banker",
    "ez, dynasty: 5, banking.bankers = OR_SEAT, wagers.queens-dragon.settled_by = banker",
    "ez, dynasty: 6, wagers.red-black.payout_max = LIMIT_PER_ROUND",
    "ez, dynasty: 7, wagers.protection.payout_max = LIMIT_PER_ROUND, dealing.order = clockwise",
    "ez, base_game.copies = player, seats.players = 4",
];

/// Parses an entry of [`TABLES`].
fn table(text: &'static str) -> TableRules {
    let (mut changes, mut posted) = (Vec::new(), Vec::new());
    let mut parts = text.split(", ");
    let book = parts.next().expect("a book");
    for part in parts {
        match (part.split_once(" = "), part.split_once(": ")) {
            (Some((key, value)), _) => changes.push((key, value_of(value))),
            (_, Some(post)) => posted.push(post),
            _ => panic!("{part}"),
        }
    }
    table_rules(book, &changes, &posted)
}

/// Replaces an abbreviated value of [`TABLES`] by its full text.
fn value_of(name: &'static str) -> &'static str {
    match name {
        "FEES" => FEES,
        "BONUS_FEES" => BONUS_FEES,
        "LIMIT_PER_HAND" => LIMIT_PER_HAND,
        "LIMIT_PER_ROUND" => LIMIT_PER_ROUND,
        "FIVE_CENTS_PER_ROUND" => FIVE_CENTS_PER_ROUND,
        "OR_SEAT" => r#"["dealer", "seat"]"#,
        "OR_PLAYER_DEALER" => r#"["dealer", "player_dealer"]"#,
        "LOW_HANDS" => r#"["queen_high", "king_high", "pair"]"#,
        value => value,
    }
}

/// Number of occurrences of each case.
type Tally = BTreeMap<&'static str, u64>;

/// Cases that must occur often in a million rounds. The comparison proves nothing for cases that do not occur.
const REQUIRED_CASES: [&str; 25] = [
    "a side wager in action in part",
    "a side wager without action",
    "an envy bonus that is not paid",
    "a player's fee on a side wager",
    "a banker's fee on side wagers",
    "a base win",
    "a base loss",
    "a base push",
    "a foul",
    "a base win less a commission",
    "a base wager covered in part",
    "a base wager without action",
    "the dealer's hand wins",
    "the dealer's hand loses",
    "the dealer's hand pushes",
    "the dealer's wager is returned",
    "a side win",
    "a side loss",
    "a side push",
    "a side win that is limited",
    "an envy bonus",
    "several envy bonuses",
    "a banker's commission",
    "a player's fee",
    "a banker's fee",
];

fn tally_cases(settled: &ReferenceSettlement, tally: &mut Tally) {
    let mut count = |name: &'static str| *tally.entry(name).or_default() += 1;
    for (&(party, wager, kind), amounts) in &settled.lines {
        let has = |kind: LineKind| settled.lines.contains_key(&(party, wager, kind));
        count(match (party, kind, amounts.outcome) {
            (LineParty::Dealer, LineKind::Returned, _) => "the dealer's wager is returned",
            (LineParty::Dealer, _, Some(Outcome::Win)) => "the dealer's hand wins",
            (LineParty::Dealer, _, Some(Outcome::Lose)) => "the dealer's hand loses",
            (LineParty::Dealer, ..) => "the dealer's hand pushes",
            (_, LineKind::Unpaid, _) => "an envy bonus that is not paid",
            (_, LineKind::Returned, _) if wager.is_some() && has(LineKind::Played) => {
                "a side wager in action in part"
            }
            (_, LineKind::Returned, _) if wager.is_some() => "a side wager without action",
            (_, LineKind::Returned, _) if has(LineKind::Played) => "a base wager covered in part",
            (_, LineKind::Returned, _) => "a base wager without action",
            (_, LineKind::Envy, _) if amounts.net > 500_000 => "several envy bonuses",
            (_, LineKind::Envy, _) => "an envy bonus",
            (_, LineKind::Commission, _) => "a banker's commission",
            (LineParty::Banker, ..) if wager.is_some() => "a banker's fee on side wagers",
            (LineParty::Banker, ..) => "a banker's fee",
            (_, LineKind::Collection, _) if wager.is_some() => "a player's fee on a side wager",
            (_, LineKind::Collection, _) => "a player's fee",
            (_, LineKind::Played, Some(Outcome::Foul)) => "a foul",
            (_, LineKind::Played, Some(Outcome::Lose)) if wager.is_none() => "a base loss",
            (_, LineKind::Played, Some(Outcome::Lose)) => "a side loss",
            (_, LineKind::Played, Some(Outcome::Push)) if wager.is_none() => "a base push",
            (_, LineKind::Played, Some(Outcome::Push)) => "a side push",
            (_, LineKind::Played, _) if wager.is_some() && amounts.net % amounts.stake != 0 => {
                "a side win that is limited"
            }
            (_, LineKind::Played, _) if wager.is_some() => "a side win",
            (_, LineKind::Played, _) if amounts.fee > 0 => "a base win less a commission",
            (_, LineKind::Played, _) => "a base win",
        });
    }
}

/// Compares random rounds of a table with the reference.
fn compare_with_reference(number: usize, rounds: usize) -> Tally {
    let table_rules = table(TABLES[number]);
    let mut random = Random(number as u64);
    let mut tally = Tally::new();
    for _ in 0..rounds {
        let round = deal(&mut random, &table_rules);
        let (settled, reference) = (settle(&round), reference_settlement(&round));
        let same = settled == reference;
        assert!(same, "{}\n{}\n{}", TABLES[number], differences(&settled, &reference), describe(&round));
        tally_cases(&settled, &mut tally);
    }
    tally
}

#[test]
fn a_million_rounds_match_the_reference() {
    let share = 1_000_000_usize.div_ceil(TABLES.len());
    let half = |parity: usize| -> Vec<Tally> {
        let numbers = (0..TABLES.len()).filter(|number| number % 2 == parity);
        numbers.map(|number| compare_with_reference(number, share)).collect()
    };
    let tallies = std::thread::scope(|scope| {
        let halves = [0, 1].map(|parity| scope.spawn(move || half(parity)));
        halves.map(|half| half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).concat()
    });
    let mut total = Tally::new();
    for (name, count) in tallies.into_iter().flatten() {
        *total.entry(name).or_default() += count;
    }
    for name in REQUIRED_CASES {
        let count = total.get(name).copied().unwrap_or(0);
        assert!(count >= 1_000, "{name} occurred {count} times");
    }
}

#[test]
fn every_book_is_among_the_tables() {
    for name in BuiltIn::book_names() {
        assert!(TABLES.contains(&name), "{name}");
    }
}

// Properties of every round.

/// Checks a property on random rounds of every table whose book is selected.
fn every_round(
    selected: impl Fn(&Rulebook) -> bool,
    rounds: usize,
    mut check: impl FnMut(&mut Random, Round<'_>),
) {
    let mut tables = 0;
    for (number, text) in (0..).zip(TABLES) {
        let table_rules = table(text);
        if selected(table_rules.book()) {
            tables += 1;
            let mut random = Random(!number);
            for _ in 0..rounds {
                let round = deal(&mut random, &table_rules);
                check(&mut random, round);
            }
        }
    }
    assert!(tables > 0, "no table is selected");
}

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

            let buttons: BTreeSet<(Seat, u8)> = Seat::first(Seat::COUNT_MAX as u8)
                .flat_map(|seat| (0..round.table_rules.side_wagers()).map(move |wager| (seat, wager)))
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

/// The cards with relabelled suits.
fn relabelled(cards: CardSet, suits: [Suit; 4]) -> CardSet {
    let other = |card: Card| {
        card.rank().zip(card.suit()).map_or(card, |(rank, suit)| Card::new(rank, suits[suit.index()]))
    };
    cards.iter().map(other).collect()
}

fn relabelled_round<'p>(round: &Round<'p>, suits: [Suit; 4]) -> Round<'p> {
    let evaluator = round.table_rules.evaluator();
    let hand =
        |hand: SevenCards| -> SevenCards { Hand::new(relabelled(hand.cards(), suits)).expect("seven cards") };
    let play = |dealt: SevenCards, low: CardSet| {
        let arrangement = Arrangement::new(hand(dealt), relabelled(low, suits)).expect("two of the seven");
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
        |random, round| {
            let [clubs, diamonds, hearts, spades] = Suit::ALL;
            let colors = round.table_rules.book().wagers.iter().any(|wager| wager.looks_at == LooksAt::Color);
            let suits = if colors {
                // With a color wager, the relabelling must keep the colors.
                random.one_of(&[
                    [spades, diamonds, hearts, clubs],
                    [clubs, hearts, diamonds, spades],
                    [spades, hearts, diamonds, clubs],
                ])
            } else {
                let mut left = Suit::ALL.to_vec();
                [(); 4].map(|()| random.take(&mut left))
            };
            let (settled, other) = (settle(&round), settle(&relabelled_round(&round, suits)));
            assert!(settled == other, "{suits:?}: {}\n{}", differences(&settled, &other), describe(&round));
        },
    );
}

/// The round with other cards for all seats except the banker and one seat. The dealer keeps its hand too.
fn redeal_others<'p>(random: &mut Random, round: &Round<'p>, kept: Seat) -> Round<'p> {
    let banks = |seat: Seat| matches!(round.bank, Bank::Seat { seat: banker, .. } if banker == seat);
    let stays = |seat: Seat| seat == kept || banks(seat);
    let mut known = round.dealer.map_or(CardSet::EMPTY, |dealer| dealer.hand.cards());
    for seat in Seat::first(7).filter(|&seat| stays(seat)) {
        known = known.union(round.players[seat.index()].map_or(CardSet::EMPTY, |player| player.hand.cards()));
    }
    let mut deck: Vec<Card> = CardSet::DECK.difference(known).iter().collect();
    let mut other = round.clone();
    for seat in Seat::first(7).filter(|&seat| !stays(seat)) {
        if let Some(player) = &mut other.players[seat.index()] {
            let cards: Vec<Card> = (0..7).map(|_| random.take(&mut deck)).collect();
            player.hand = hand_of(&cards);
            player.played = play_hand(random, round.table_rules, player.hand);
        }
    }
    other
}

/// The round with a banker who covers every wager.
fn with_full_cover(mut round: Round<'_>) -> Round<'_> {
    if let Bank::Seat { covers, .. } = &mut round.bank {
        *covers = Some(Amount::MAX);
    }
    round
}

/// Whether a maximum payout applies to all hands of a round together, which makes them depend on one another.
fn has_maximum_per_round(book: &Rulebook) -> bool {
    book.wagers
        .iter()
        .filter_map(|wager| wager.payout_max.as_ref())
        .any(|max| max.per == Per::Round && max.amount.is_some())
}

#[test]
fn a_seat_without_envy_depends_only_on_its_own_hand_and_the_banker() {
    let mut others_changed = 0;
    every_round(
        |book| !has_maximum_per_round(book),
        500,
        |random, round| {
            let round = with_full_cover(round);
            let plays =
                |player: &Option<Player>| player.is_some_and(|player| player.stakes.pai_gow > Amount::ZERO);
            let seat =
                Seat::first(7).find(|seat| plays(&round.players[seat.index()])).expect("a seat that plays");
            let (settled, other) = (settle(&round), settle(&redeal_others(random, &round, seat)));
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

#[test]
fn envy_bonus_is_paid_only_for_hands_of_other_players() {
    every_round(
        |book| {
            let mut envies = book.wagers.iter().filter_map(|wager| wager.envy.as_ref()).peekable();
            envies.peek().is_some() && envies.all(|envy| !envy.banker_hand)
        },
        200,
        |random, mut round| {
            // Four of a kind for the holder of the button, the banker, the dealer and another player.
            let ranks = {
                let mut ranks = Rank::ALL.to_vec();
                [(); 4].map(|()| random.take(&mut ranks))
            };
            let mut deck = shuffled(random, 4);
            for (hand, rank) in ranks.into_iter().enumerate() {
                swap_into_hand(&mut deck, hand, &Suit::ALL.map(|suit| Card::new(rank, suit)));
            }
            let table_rules = round.table_rules;
            let fours: Vec<SevenCards> = deck.chunks(7).take(4).map(hand_of).collect();
            let set = |hand: SevenCards| table_rules.house_way_setting(hand);
            let player = |hand: SevenCards, stakes: Stakes| {
                Some(Player { hand, played: PlayedHand::Set(set(hand)), stakes })
            };
            let mut free: Vec<Seat> = Seat::first(table_rules.book().seats.players).collect();
            round.players = [None; Seat::COUNT_MAX];
            if let Bank::Seat { seat, .. } = round.bank {
                free.retain(|&other| other != seat);
                round.players[seat.index()] = player(fours[0], Stakes::default());
            }
            if let Some(dealer) = &mut round.dealer {
                *dealer = Dealer { hand: fours[1], setting: set(fours[1]), wager: Amount::ZERO };
            }
            round = with_full_cover(round);
            let (holder, another) = (random.take(&mut free), random.take(&mut free));

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
        let mut random = Random(500 + number);
        for _ in 0..2_000 {
            let round = deal(&mut random, &table_rules);
            let names: BySeat<u64> = std::array::from_fn(|_| random.below(4));
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
fn some_or_all_with_full_cover_settles_like_all() {
    for cover_use in ["each_dollar_once", "losses_only", "once_in_all"] {
        for (book, bankers) in
            [("california", r#"["player_dealer"]"#), ("south-beach", r#"["dealer", "seat"]"#)]
        {
            let changes = |cover: &'static str| {
                [("banking.bankers", bankers), ("banking.cover", cover), ("banking.cover_use", cover_use)]
            };
            let some = table_rules(book, &changes("some_or_all"), &[]);
            let all = table_rules(book, &changes("all"), &[]);
            let mut random = Random(5);
            for _ in 0..5_000 {
                let mut round = deal(&mut random, &some);
                let Bank::Seat { seat, .. } = round.bank else { continue };
                let covers = Amount::from_cents(full_cover(&round) + random.below(2));
                round.bank = Bank::Seat { seat, covers: Some(covers) };
                let banked =
                    Round { table_rules: &all, bank: Bank::Seat { seat, covers: None }, ..round.clone() };
                let (covered, banked) = (settle(&round), settle(&banked));
                assert!(covered == banked, "{}\n{}", differences(&covered, &banked), describe(&round));
            }
        }
    }
}

#[test]
fn uncovered_stakes_are_returned_and_the_cover_is_never_exceeded() {
    let mut uncovered = 0;
    every_round(
        |book| book.banking.cover == Cover::SomeOrAll,
        2_000,
        |_, round| {
            let Bank::Seat { covers: Some(covers), .. } = round.bank else { return };
            let covers = covers.cents().cast_signed();
            let settled = settle(&round);
            let amounts = |party: LineParty, kind: LineKind| settled.lines.get(&(party, None, kind)).copied();
            let stake =
                |party: LineParty, kind: LineKind| amounts(party, kind).map_or(0, |amounts| amounts.stake);
            let wagers = Seat::first(7).filter_map(|seat| {
                Some((LineParty::Seat(seat.number()), round.players[seat.index()]?.stakes.pai_gow))
            });
            let wagers: Vec<(LineParty, Amount)> =
                wagers.chain(round.dealer.map(|dealer| (LineParty::Dealer, dealer.wager))).collect();
            let (mut decided, mut paid) = (0, 0);
            for (party, wager) in wagers {
                let (played, returned) = (stake(party, LineKind::Played), stake(party, LineKind::Returned));
                assert_eq!(played + returned, wager.cents().cast_signed(), "{party:?}\n{}", describe(&round));
                let net = amounts(party, LineKind::Returned).map_or(0, |amounts| amounts.net);
                assert_eq!(net, 0, "{}", describe(&round));
                uncovered += u32::from(returned > 0);
                if let Some(LineAmounts { outcome, net, fee, .. }) = amounts(party, LineKind::Played) {
                    let expected = match outcome {
                        Some(Outcome::Win) => played - fee,
                        Some(Outcome::Lose | Outcome::Foul) => -played,
                        _ => 0,
                    };
                    assert_eq!(net, expected, "{party:?}\n{}", describe(&round));
                    decided += if outcome == Some(Outcome::Push) { 0 } else { played };
                    paid += (net + fee).max(0);
                }
            }
            let used = match round.table_rules.book().banking.cover_use {
                CoverUse::EachDollarOnce | CoverUse::OnceInAll => decided,
                CoverUse::LossesOnly => paid,
            };
            assert!(used <= covers, "{used} of {covers} is used\n{}", describe(&round));
        },
    );
    assert!(uncovered > 1_000, "only {uncovered} wagers were not fully covered");
}

/// Under `once_in_all`, the wins and losses of a banking seat together never exceed its funds, without fees and
/// commission.
#[test]
fn once_in_all_cover_limits_wins_and_losses() {
    let (mut limit_won, mut limit_lost) = (0, 0);
    every_round(
        |book| book.banking.cover_use == CoverUse::OnceInAll,
        4_000,
        |_, round| {
            let Bank::Seat { covers: Some(covers), .. } = round.bank else { return };
            let covers = covers.cents().cast_signed();
            let showdown = round.showdown().expect("a round the rules accept");
            let settlement = Settlement::of(&showdown);
            let against = settlement.lines().iter().filter(|line| line.against == Party::Banker);
            let (mut won, mut lost) = (0, 0);
            for line in against {
                let net = line.net.cents() + line.fee.cents().cast_signed();
                won += (-net).max(0);
                lost += net.max(0);
            }
            assert!(won + lost <= covers, "{won} and {lost} of {covers}\n{}", describe(&round));
            limit_won += i32::from(won == covers);
            limit_lost += i32::from(lost == covers);
        },
    );
    assert!(limit_won > 10 && limit_lost > 10, "the limit was rarely reached: {limit_won}, {limit_lost}");
}

// Manually computed rounds.

/// A round with chosen cards and wagers.
struct RoundBuilder {
    table_rules: TableRules,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
}

/// Seven cards, and the low hand.
type Cards = (&'static str, &'static str);

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn money(text: &str) -> Amount {
    text.parse().expect("an amount")
}

impl RoundBuilder {
    fn of(book: &str) -> RoundBuilder {
        RoundBuilder::with(book, &[], &[])
    }

    fn with(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> RoundBuilder {
        let table_rules = table_rules(book, changes, posted);
        let players = [None; Seat::COUNT_MAX];
        RoundBuilder { table_rules, bank: Bank::Dealer, first: seat(1), players, dealer: None }
    }

    /// Adds the dealer. The house way must set its hand with this low hand.
    #[track_caller]
    fn dealer(mut self, (cards, low): Cards, wager: &str) -> RoundBuilder {
        let hand: SevenCards = cards.parse().expect("seven cards");
        let setting = self.table_rules.house_way_setting(hand);
        assert_eq!(setting.low.cards(), parse_cards(low, Some(2)).expect("two cards"), "the house way");
        self.dealer = Some(Dealer { hand, setting, wager: money(wager) });
        self
    }

    /// Adds a seat with a base wager and side wagers.
    fn seat(
        mut self,
        number: u8,
        (cards, low): Cards,
        pai_gow: &str,
        sides: &[(&str, &str)],
    ) -> RoundBuilder {
        let hand: SevenCards = cards.parse().expect("seven cards");
        let low = parse_cards(low, Some(2)).expect("two cards");
        let played = self.table_rules.played_hand(hand, low, "the seat").expect("two of the seven");
        let mut stakes = Stakes { pai_gow: money(pai_gow), ..Stakes::default() };
        for &(wager, amount) in sides {
            let (wager, color) = match wager.split_once(' ') {
                None => (wager, None),
                Some((wager, "red")) => (wager, Some(Color::Red)),
                Some((wager, _)) => (wager, Some(Color::Black)),
            };
            let index = self.table_rules.side_wager_index(wager).expect("a wager of the book");
            stakes.sides[index] = Some(SideStake { amount: money(amount), color });
        }
        self.players[seat(number).index()] = Some(Player { hand, played, stakes });
        self
    }

    /// Adds the banking seat.
    fn banks(self, number: u8, cards: Cards, covers: Option<&str>) -> RoundBuilder {
        let mut round = self.seat(number, cards, "0.00", &[]);
        round.bank = Bank::Seat { seat: seat(number), covers: covers.map(money) };
        round
    }

    /// Sets the seat that is settled first.
    fn first(mut self, number: u8) -> RoundBuilder {
        self.first = seat(number);
        self
    }

    /// Checks the net results of all parties.
    #[track_caller]
    fn settles(self, expected: &str) {
        let RoundBuilder { table_rules, bank, first, players, dealer } = &self;
        let round = Round { table_rules, bank: *bank, first: *first, players: *players, dealer: *dealer };
        let settled = settle(&round);
        let mut nets = Vec::new();
        let mut net = |name: String, cents: i64| {
            let sign = if cents < 0 { "-" } else { "+" };
            nets.push(format!("{name} {sign}{}", Amount::from_cents(cents.unsigned_abs())));
        };
        for seat in Seat::first(7).filter(|seat| players[seat.index()].is_some()) {
            match bank {
                Bank::Seat { seat: banker, .. } if *banker == seat => {
                    assert_eq!(settled.seats[seat.index()], 0);
                }
                _ => net(seat.to_string(), settled.seats[seat.index()]),
            }
        }
        if let Bank::Seat { .. } = bank {
            net("banker".to_owned(), settled.banker);
        }
        net("house".to_owned(), settled.house);
        assert_eq!(nets.join(", "), expected);
        let reference = reference_settlement(&round);
        assert!(settled == reference, "{}", differences(&settled, &reference));
    }
}

// The hands from `KING_HIGH` to `FOUL` share no card.

/// A king-high pai gow, with low hand jack-nine.
const KING_HIGH: Cards = ("Kh Jd 9c 7s 5h 3d 2c", "Jd 9c");
/// Wins both hands against `KING_HIGH`: aces, with low hand queen-ten.
const WINS: Cards = ("As Ad Qc Tc 8d 6h 4s", "Qc Tc");
/// Loses both hands against `KING_HIGH`: queen high, with low hand ten-eight. Four of its cards are red.
const LOSES: Cards = ("Qd Td 8h 6c 4h 3s 2s", "Td 8h");
/// Aces, with the same low hand as `KING_HIGH`.
const COPIES_LOW: Cards = ("Ac Ah Jh 9d 8c 6d 4c", "Jh 9d");
/// The same high and low hand as `KING_HIGH`.
const COPIES_BOTH: Cards = ("Ks Jc 9h 7d 5s 3c 2h", "Jc 9h");
/// Wins one hand and loses one against `KING_HIGH`: queens, with low hand eight-six.
const ONE_EACH: Cards = ("Qs Qh Th 8s 6s 5d 3h", "8s 6s");
/// A foul: low hand king-ten with a nine-high high hand.
const FOUL: Cards = ("Ts 9s 7c 5c 4d 2d Kd", "Kd Ts");

/// A queen-high pai gow, with low hand ten-eight.
const QUEEN_HIGH: Cards = ("Qh Ts 8c 7d 5c 4d 2h", "Ts 8c");
/// Four eights, with low hand ace-king.
const FOUR_EIGHTS: Cards = ("8c 8d 8h 8s Ac Kc 3s", "Ac Kc");

#[test]
fn sb_3_win_push_lose_and_copies_go_to_the_banker() {
    // $20.00 less 5 % is $19.00. With a copy of the low hand, only the high hand wins. Two copies lose both hands.
    RoundBuilder::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", &[])
        .seat(2, LOSES, "20.00", &[])
        .seat(3, COPIES_LOW, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .seat(5, ONE_EACH, "20.00", &[])
        .settles("seat 1 +19.00, seat 2 -20.00, seat 3 +0.00, seat 4 -20.00, seat 5 +0.00, house +21.00");
}

#[test]
fn sb_3_copies_go_to_the_player_if_the_house_says_so() {
    RoundBuilder::with("south-beach", &[("base_game.copies", "player")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(3, COPIES_LOW, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .settles("seat 3 +19.00, seat 4 +19.00, house -38.00");
}

#[test]
fn sb_4_a_foul_loses() {
    RoundBuilder::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(6, FOUL, "20.00", &[])
        .settles("seat 6 -20.00, house +20.00");
}

#[test]
fn sb_5_a_win_pays_even_money_less_five_percent() {
    // 5 % of $25.00 is $1.25. 5 % of $5.10 is 25.5 cents, and a half is rounded up. 5 % of $5.09 is 25.45 cents.
    for (stake, seat, house) in
        [("25.00", "+23.75", "-23.75"), ("5.10", "+4.84", "-4.84"), ("5.09", "+4.84", "-4.84")]
    {
        RoundBuilder::of("south-beach")
            .dealer(KING_HIGH, "0.00")
            .seat(1, WINS, stake, &[])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_5_commission_may_be_rounded_to_quarters() {
    // 5 % of $27.00 is $1.35.
    for (rounding, seat, house) in
        [("nearest", "+25.75", "-25.75"), ("up", "+25.50", "-25.50"), ("down", "+25.75", "-25.75")]
    {
        RoundBuilder::with(
            "south-beach",
            &[("commission.unit", "0.25"), ("commission.rounding", rounding)],
            &[],
        )
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "27.00", &[])
        .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_7_the_banker_plays_all_seats_and_the_dealer() {
    // The bank loses 25.00 and wins 100.00 and 50.00: 125.00, less 6.25. The house loses 50.00 and gets 1.25 and 6.25.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, Some("175.00"))
        .seat(1, WINS, "25.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +23.75, seat 3 -100.00, banker +118.75, house -42.50");
}

#[test]
fn sb_7_a_banker_with_a_net_loss_pays_no_commission() {
    // The bank loses 200.00 and wins 150.00. The house loses 50.00 and gets 10.00 from seat 1.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -50.00, house -40.00");
}

#[test]
fn sb_7_commission_on_each_win_applies_to_a_net_loss_too() {
    // The banker pays 5.00 and 2.50 on its two wins.
    RoundBuilder::with("south-beach", &[("commission.banker", "each_win")], &[])
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -57.50, house -32.50");
}

#[test]
fn sb_7_the_dealers_hand_pays_no_commission() {
    // The bank wins 100.00 and loses 50.00 to the dealer: 50.00, less 2.50.
    RoundBuilder::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(3, LOSES, "100.00", &[])
        .dealer(WINS, "50.00")
        .settles("seat 3 -100.00, banker +47.50, house +52.50");
}

#[test]
fn sb_8_fortune_pays_at_most_twenty_thousand_dollars_and_envy_is_not_limited() {
    // 8,000 times 5.00 is 40,000.00. The straight flush wins and the low hand five-four loses. Seat 2 loses 10.00 and
    // 5.00.
    RoundBuilder::of("south-beach")
        .dealer(("Ks Jd 9c 7s 5c 3d 2c", "Jd 9c"), "0.00")
        .seat(1, ("4h 5h 6h 7h 8h 9h Th", "5h 4h"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("Qd Td 8s 6c 4c 3s 2s", "Td 8s"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +20000.00, seat 2 +4985.00, house -24985.00");
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
fn sd_2_fortune_counts_all_seven_cards_independent_of_the_setting() {
    // The flush is split and the hand is a foul: the seat loses 10.00 and wins 4 times 5.00.
    RoundBuilder::of("south-dakota")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("Ah Qh 8h 6h 4h Kc 2d", "Ah Kc"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +10.00, house -10.00");
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
fn sd_6_three_pairs_push_only_under_paytable_1() {
    let hand: Cards = ("Kc Kd Qh Qs 7c 7d 5c", "Qh Qs");
    for (table, expected) in [("1", "seat 1 +9.50, house -9.50"), ("2", "seat 1 +4.50, house -4.50")] {
        RoundBuilder::with("south-dakota", &[], &[("fortune", table)])
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("fortune", "5.00")])
            .settles(expected);
    }
}

/// Wins both hands against `KING_HIGH`.
const FULL_HOUSE: Cards = ("9d 9h 9s Kd Kc 4d 2d", "Kd Kc");
/// Wins one hand against `KING_HIGH`.
const FLUSH: Cards = ("Ah Qh 8h 6h 4h Ts 2s", "Ts 2s");

#[test]
fn wa_2_a_maximum_per_round_is_shared_and_the_odd_cent_goes_to_the_first() {
    // 5 × 10.00 and 4 × 25.00 are 150.00, and the maximum is 100.00: a third and two thirds of it.
    // Settlement goes counterclockwise. Seat 2 is last when seat 1 starts, and first when seat 2 starts.
    for (first, expected) in [
        (1, "seat 1 +52.34, seat 2 +66.66, house -119.00"),
        (2, "seat 1 +52.33, seat 2 +66.67, house -119.00"),
    ] {
        RoundBuilder::with("washington", &[("wagers.fortune.payout_max", LIMIT_PER_ROUND)], &[])
            .dealer(KING_HIGH, "0.00")
            .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
            .seat(2, FLUSH, "20.00", &[("fortune", "25.00")])
            .first(first)
            .settles(expected);
    }
}

#[test]
fn wa_2_a_maximum_per_hand_applies_to_each_hand() {
    // 5 × 10.00 is within 250.01, and 4 × 100.00 is not. Seat 1 also wins 19.00 on the base game.
    RoundBuilder::with("washington", &[("wagers.fortune.payout_max", LIMIT_PER_HAND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
        .seat(2, FLUSH, "20.00", &[("fortune", "100.00")])
        .settles("seat 1 +69.00, seat 2 +250.01, house -319.01");
}

#[test]
fn wa_2_envy_is_not_limited() {
    // Seat 1 wins 9.50 and five cents of 20 × 5.00. Seat 2 loses 15.00 and gets an envy bonus of 5.00.
    RoundBuilder::with("washington", &[("wagers.fortune.payout_max", FIVE_CENTS_PER_ROUND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +9.55, seat 2 -10.00, house +0.45");
}

#[test]
fn wa_5_pai_gowd_pays_for_a_beaten_pai_gow_of_the_dealer() {
    // King high pays 5 to 1 under paytable 02. Queen high, a copy and a foul do not beat it.
    let pai_gowd = &[("pai-gowd", "10.00")];
    RoundBuilder::of("washington")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .seat(2, LOSES, "20.00", pai_gowd)
        .seat(4, COPIES_BOTH, "20.00", pai_gowd)
        .seat(6, FOUL, "20.00", pai_gowd)
        .settles("seat 1 +69.00, seat 2 -30.00, seat 4 -30.00, seat 6 -30.00, house +21.00");
    RoundBuilder::with("washington", &[], &[("pai-gowd", "01")])
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .settles("seat 1 +79.00, house -79.00");
}

#[test]
fn wa_5_pai_gowd_loses_against_a_dealers_pair() {
    RoundBuilder::of("washington")
        .dealer(WINS, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 1 +9.00, house -9.00");
}

#[test]
fn wa_5_without_player_must_beat_a_foul_wins_pai_gowd() {
    // Only step 3 of the procedure applies: the dealer's king high decides.
    RoundBuilder::with("washington", &[("wagers.pai-gowd.player_must_beat", "false")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(2, LOSES, "20.00", &[("pai-gowd", "10.00")])
        .seat(6, FOUL, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 2 +30.00, seat 6 +30.00, house -60.00");
}

#[test]
fn ca_4_the_cover_is_used_from_the_action_button_on() {
    // Seat 3 uses 100.00 of the cover of 150.00. Seat 2 has 50.00 of its 80.00 in action. Nothing is left for seat 1.
    let round = |first: u8| {
        RoundBuilder::of("california")
            .banks(4, KING_HIGH, Some("150.00"))
            .seat(1, COPIES_BOTH, "100.00", &[])
            .seat(2, WINS, "80.00", &[])
            .seat(3, LOSES, "100.00", &[])
            .first(first)
    };
    round(3).settles("seat 1 +0.00, seat 2 +50.00, seat 3 -100.00, banker +50.00, house +0.00");
    // From seat 1 the order continues with seats 7, 6, 5, 4 and 3.
    round(1).settles("seat 1 -100.00, seat 2 +0.00, seat 3 -50.00, banker +150.00, house +0.00");
}

#[test]
fn ca_4_a_push_uses_no_cover() {
    // Seat 3 pushes, seat 2 wins 80.00, and 70.00 of cover is left for seat 1.
    RoundBuilder::of("california")
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, ONE_EACH, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 +0.00, banker -10.00, house +0.00");
}

#[test]
fn ca_4_under_losses_only_only_payouts_use_cover() {
    // The loss of seat 3 leaves a cover of 150.00. The 80.00 paid to seat 2 leave 70.00, which is all that seat 1 can
    // lose.
    RoundBuilder::with("california", &[("banking.cover_use", "losses_only")], &[])
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 -100.00, banker +90.00, house +0.00");
}

#[test]
fn ca_6_the_player_dealer_settles_fortune_and_pays_envy() {
    // Seat 1 wins 10.00 and 20 × 5.00. Seat 2 loses 10.00 and 5.00, and gets an envy bonus of 5.00.
    RoundBuilder::of("california")
        .banks(4, KING_HIGH, Some("115.00"))
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
}

#[test]
fn ca_4_funds_pay_base_wagers_then_fortune_then_envy() {
    let round = |put_up: &'static str| {
        RoundBuilder::of("california")
            .banks(4, KING_HIGH, Some(put_up))
            .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
            .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
    };
    // Seat 1 gets 10.00 and 20 × 5.00. 4.99 is left, so seat 2 loses 4.99 of its 5.00 and gets 4.99 of the envy bonus
    // of 5.00.
    round("114.99").settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
    // One cent short of the Fortune payout: 99.99 pays for 4.99, and seat 2 loses and gets the remaining 0.19.
    round("109.99").settles("seat 1 +109.80, seat 2 -10.00, banker -99.80, house +0.00");
    // The cover of 20.00 is used up, and half of it is paid out. The other 10.00 pays for 0.50 of Fortune. Nothing is
    // left for seat 2's 5.00, which is returned.
    round("20.00").settles("seat 1 +20.00, seat 2 -10.00, banker -10.00, house +0.00");
    // 10.00 covers only seat 1. All other stakes are returned.
    round("10.00").settles("seat 1 +10.00, seat 2 +0.00, banker -10.00, house +0.00");
}

#[test]
fn ca_6_the_player_dealers_hand_earns_no_envy_bonus() {
    RoundBuilder::of("california")
        .banks(4, FOUR_EIGHTS, Some("20.00"))
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 2 -15.00, banker +15.00, house +0.00");
}

#[test]
fn ca_8_fees_follow_the_cardrooms_schedule() {
    // Seat 1 pays 1.00, seat 2 pays 2.00, and the player/dealer pays 5.00 on an action of 199.99.
    let schedule = r#"[{ wager_from = "0.00", player = "1.00", banker = "2.00" }, { wager_from = "100.00", player = "2.00", banker = "5.00" }]"#;
    RoundBuilder::with("california", &[("collection.schedule", schedule)], &[])
        .banks(4, KING_HIGH, Some("199.99"))
        .seat(1, WINS, "99.99", &[])
        .seat(2, LOSES, "100.00", &[])
        .settles("seat 1 +98.99, seat 2 -102.00, banker -4.99, house +8.00");
}

#[test]
fn ca_9_a_fully_wild_joker_makes_five_of_a_kind() {
    let eights_and_joker: Cards = ("8c 8d 8h 8s Jk Ac Kc", "Ac Kc");
    let three_nines: Cards = ("9d 9h 9s Ad Qs 6c 4h", "Ad Qs");
    for (table, fives, threes) in [
        (
            "FPG-01",
            "seat 1 +110.00, banker -110.00, house +0.00",
            "seat 1 +25.00, banker -25.00, house +0.00",
        ),
        (
            "FPG-07",
            "seat 1 +1260.00, banker -1260.00, house +0.00",
            "seat 1 +5.00, banker -5.00, house +0.00",
        ),
    ] {
        for (hand, expected) in [(eights_and_joker, fives), (three_nines, threes)] {
            RoundBuilder::with("california", &[], &[("fortune", table)])
                .banks(4, KING_HIGH, Some("1260.00"))
                .seat(1, hand, "10.00", &[("fortune", "5.00")])
                .settles(expected);
        }
    }
}

#[test]
fn ez_1_the_queens_dragon_makes_every_base_wager_push() {
    let foul: Cards = ("Kd Kc 9s 7c 5d 3h 2d", "Kd Kc");
    RoundBuilder::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(2, ("Jd Th 9d 7s 6c 3c 2s", "Th 9d"), "25.00", &[])
        .seat(3, foul, "25.00", &[])
        .settles("seat 1 +0.00, seat 2 +0.00, seat 3 +0.00, house +0.00");
}

#[test]
fn ez_1_no_commission_and_ez_11_copies_go_to_the_banker() {
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(4, COPIES_BOTH, "10.00", &[])
        .settles("seat 1 +25.00, seat 4 -10.00, house -15.00");
}

#[test]
fn ez_4_the_queens_dragon_pays_fifty_to_one() {
    RoundBuilder::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +100.00, house -100.00");
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +23.00, house -23.00");
}

#[test]
fn ez_5_the_luhn_tao_wheel_pays_120_to_one_and_75_dollars_of_envy() {
    // The wheel wins and the low hand ten-nine loses. Seat 2 loses 10.00 and 5.00.
    RoundBuilder::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("As 2s 3s 4s 5s 9d Td", "Td 9d"), "10.00", &[("dynasty", "5.00")])
        .seat(2, ("Qd Tc 8h 6c 4h 3c 2d", "Tc 8h"), "10.00", &[("dynasty", "5.00")])
        .settles("seat 1 +600.00, seat 2 +60.00, house -660.00");
}

#[test]
fn ez_7_protection_pays_for_low_hands_and_the_natural_wheel() {
    // The base wager of 10.00 loses with the queen high, and pushes with the wheels.
    for (hand, seat, house) in [
        (LOSES, "+25.00", "-25.00"),
        (("As 2s 3s 4s 5s 9d Td", "Td 9d"), "+600.00", "-600.00"),
        (("Jk 2s 3s 4s 5s 9d Td", "Td 9d"), "-5.00", "+5.00"),
    ] {
        RoundBuilder::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("protection", "5.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn ez_8_red_black_pays_by_cards_of_the_color_and_the_joker_has_none() {
    // `LOSES` has four red cards and loses 10.00 on the base game. The other two hands win it.
    let seven_red: Cards = ("Ah Qd Td 8h 6d 4h 2d", "Qd Td");
    let three_each: Cards = ("Jk Qh 8d 6h Ts 4s 2s", "Qh Ts");
    for (hand, wager, seat, house) in [
        (LOSES, "red-black red", "-6.00", "+6.00"),
        (LOSES, "red-black black", "-14.00", "+14.00"),
        (seven_red, "red-black red", "+30.00", "-30.00"),
        (seven_red, "red-black black", "+6.00", "-6.00"),
        (three_each, "red-black red", "+6.00", "-6.00"),
        (three_each, "red-black black", "+6.00", "-6.00"),
    ] {
        RoundBuilder::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[(wager, "4.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}
