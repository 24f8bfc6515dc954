//! Settlement: agreement with a second statement of the rules, laws that hold for every round, and rounds worked by hand.
//!
//! The rounds come from a small generator with a seed, so that a round that fails fails again. Plain shuffles seldom hold
//! what the rules are about, so hands are often put together: fours of a kind, straight flushes, low hands, copies.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

mod restated;

use paigow::rulebook::{Banker, BuiltIn, Cover, CoverUse, Limits, LooksAt, PaysFrom, Per};
use paigow::{
    Amount, Arrangement, Bank, BySeat, Card, CardSet, Color, Dealer, Hand, HandClass, Line, Net, Outcome,
    Owners, Party, PayRow, PlayedHand, Player, Rank, Reason, Rulebook, Seat, Settlement, SevenCards,
    Showdown, SideStake, Stakes, StepPart, Suit, TableRules, WagerRef, WinsOn, parse_cards,
};
use restated::{Entry, Key, Kind, Restated, Round, Who, restate};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

// Rounds nobody chose.

/// Splitmix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// One of the numbers below this.
    fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Once in so many times.
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

/// A book with what is posted.
fn table_rules(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> TableRules {
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|&(one, other)| (one.to_owned(), other.to_owned())).collect::<Vec<_>>()
    };
    let loaded = Rulebook::load(book, &owned(changes), &BuiltIn);
    let loaded = loaded.unwrap_or_else(|error| panic!("{book} with {changes:?}: {error}"));
    TableRules::new(Arc::new(loaded), &owned(posted)).expect("it can be posted")
}

/// The deck, shuffled, often with something in it. Hand number `i` is the cards from `7 * i` on.
fn shuffled(chance: &mut Chance, hands: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::deck().collect();
    for i in 0..7 * hands {
        let other = i + chance.index(deck.len() - i);
        deck.swap(i, other);
    }
    if chance.once_in(2) {
        for _ in 0..=chance.below(3) {
            let hand = chance.index(hands);
            let wanted = interesting(chance);
            put(&mut deck, hand, &wanted);
        }
    }
    if chance.once_in(4) {
        let (from, to) = (chance.index(hands), chance.index(hands));
        if from != to {
            copy(&mut deck, from, to);
        }
    }
    deck
}

/// Puts cards into a hand, and those it held to where they came from.
fn put(deck: &mut [Card], hand: usize, cards: &[Card]) {
    for (i, card) in cards.iter().enumerate() {
        let from = deck.iter().position(|other| other == card).expect("it is in the deck");
        deck.swap(7 * hand + i, from);
    }
}

/// Gives a hand the ranks of another, as far as there are cards for it.
fn copy(deck: &mut [Card], from: usize, to: usize) {
    for i in 0..7 {
        let Some((rank, suit)) = deck[7 * from + i].rank().zip(deck[7 * from + i].suit()) else { continue };
        let taken = |at: usize| at / 7 == from || (7 * to..7 * to + i).contains(&at);
        let twin = (1..4).find_map(|step| {
            let card = Card::new(rank, Suit::ALL[(suit.index() + step) % 4]);
            deck.iter().position(|&other| other == card).filter(|&at| !taken(at))
        });
        if let Some(at) = twin {
            deck.swap(7 * to + i, at);
        }
    }
}

/// At most seven cards that paytables or rules speak of.
fn interesting(chance: &mut Chance) -> Vec<Card> {
    let suit = chance.one_of(&Suit::ALL);
    let other = Suit::ALL[(suit.index() + 1 + chance.index(3)) % 4];
    let run = |suit: Suit, from: usize, length: usize| -> Vec<Card> {
        // Below the two there is the ace.
        (from..from + length).map(|place| Card::new(Rank::ALL[(place + 12) % 13], suit)).collect()
    };
    let four = |rank: Rank| Suit::ALL.map(|suit| Card::new(rank, suit)).to_vec();
    let mut cards = match chance.below(9) {
        0 | 1 => four(chance.one_of(&Rank::ALL)),
        2 => four(chance.one_of(&[Rank::Ace, Rank::King])),
        3 => run(suit, chance.index(8), 7),
        4 => run(suit, chance.index(10), 5),
        5 => run(suit, 9, 5),
        6 => run(suit, 0, 5),
        7 => {
            let of_color = |card: &Card| card.color() == Some(suit.color());
            let mut cards: Vec<Card> = Card::deck().filter(of_color).collect();
            (0..7).map(|_| chance.take(&mut cards)).collect()
        }
        // Seven ranks under a nine, or under something higher.
        _ => {
            let top = 7 + chance.index(6);
            let mut ranks = Rank::ALL[..top].to_vec();
            let mut cards = vec![Card::new(Rank::ALL[top], suit)];
            for _ in 0..6 {
                cards.push(Card::new(chance.take(&mut ranks), chance.one_of(&Suit::ALL)));
            }
            cards
        }
    };
    if cards.len() == 5 && chance.once_in(2) {
        let king_or_ace = chance.one_of(&[Rank::King, Rank::Ace]);
        cards.extend([Card::new(Rank::Queen, other), Card::new(king_or_ace, other)]);
    }
    if chance.once_in(3) {
        match cards.len() {
            4 => cards.push(Card::JOKER),
            length => cards[chance.index(length)] = Card::JOKER,
        }
    }
    cards
}

/// An amount within limits, often at them or at what an envy button costs.
fn amount(chance: &mut Chance, limits: &Limits) -> Amount {
    let (min, max) = (limits.min.cents(), limits.max.cents());
    let cents = match chance.below(8) {
        0 => min,
        1 => max,
        2 => 499,
        3 => 500,
        4 | 5 => chance.between(min, min + 3_000),
        _ => chance.between(min, max),
    };
    Amount::from_cents(cents.clamp(min, max))
}

fn stakes(chance: &mut Chance, table_rules: &TableRules) -> Stakes {
    let mut stakes =
        Stakes { pai_gow: amount(chance, &table_rules.book().base_game.limits), ..Stakes::default() };
    for place in 0..table_rules.side_wagers() {
        if !chance.once_in(3) {
            let wager = table_rules.wager(place);
            let color =
                (wager.looks_at == LooksAt::Color).then(|| chance.one_of(&[Color::Red, Color::Black]));
            stakes.sides[place] = Some(SideStake { amount: amount(chance, &wager.limits), color });
        }
    }
    stakes
}

/// The side wagers that a banking seat may have.
fn banker_stakes(chance: &mut Chance, table_rules: &TableRules) -> Stakes {
    let mut stakes = Stakes { pai_gow: Amount::ZERO, ..stakes(chance, table_rules) };
    for place in (0..table_rules.side_wagers()).filter(|place| !table_rules.wager(*place).banker_wagers) {
        stakes.sides[place] = None;
    }
    stakes
}

/// A hand laid the house way, or with two cards in front that chance picked.
fn lay(chance: &mut Chance, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    if chance.once_in(2) {
        return PlayedHand::Set(table_rules.house_way_setting(hand));
    }
    let mut cards: Vec<Card> = hand.cards().iter().collect();
    let front = CardSet::EMPTY.with(chance.take(&mut cards)).with(chance.take(&mut cards));
    table_rules.lay(hand, front, "a seat").expect("two of the seven")
}

/// A banker's hand: the same, but a foul is set the house way.
fn lay_banker(chance: &mut Chance, table_rules: &TableRules, hand: SevenCards) -> PlayedHand {
    match lay(chance, table_rules, hand) {
        PlayedHand::Foul(_) => PlayedHand::Set(table_rules.house_way_setting(hand)),
        set @ PlayedHand::Set(_) => set,
    }
}

fn hand_of(cards: &[Card]) -> SevenCards {
    Hand::new(cards.iter().copied().collect()).expect("seven cards")
}

/// A round of a table.
fn deal<'p>(chance: &mut Chance, table_rules: &'p TableRules) -> Round<'p> {
    let book = table_rules.book();
    let count = book.seats.players;
    let hands = usize::from(count) + usize::from(book.seats.dealer_hand);
    let deck = shuffled(chance, hands);
    let mut cards = deck.chunks(7);
    let mut next = || hand_of(cards.next().expect("a hand for everybody"));

    let any_seat = |chance: &mut Chance| Seat::new(chance.between(1, count.into()) as u8).expect("a seat");
    let dealer_may = book.banking.bankers.contains(&Banker::Dealer);
    let others_may = book.banking.bankers.len() > usize::from(dealer_may);
    let banks = (others_may && !(dealer_may && chance.once_in(3))).then(|| any_seat(chance));
    // Somebody plays, and it is not the banker.
    let plays = std::iter::repeat_with(|| any_seat(chance)).find(|&seat| Some(seat) != banks);

    let mut players = [None; Seat::COUNT_MAX];
    for seat in Seat::first(count) {
        let hand = next();
        players[seat.index()] = if banks == Some(seat) {
            let stakes = banker_stakes(chance, table_rules);
            Some(Player { hand, laid: lay_banker(chance, table_rules, hand), stakes })
        } else if plays == Some(seat) || !chance.once_in(4) {
            let watches = plays != Some(seat) && chance.once_in(12);
            let stakes = if watches { Stakes::default() } else { stakes(chance, table_rules) };
            Some(Player { hand, laid: lay(chance, table_rules, hand), stakes })
        } else {
            None
        };
    }
    let dealer = book.seats.dealer_hand.then(|| {
        let hand = next();
        let setting = table_rules.house_way_setting(hand);
        let wagers = banks.is_some() && book.banking.plays_dealer && !chance.once_in(3);
        let wager = if wagers { amount(chance, &book.base_game.limits) } else { Amount::ZERO };
        Dealer { hand, setting, wager }
    });
    let mut round = Round { table_rules, bank: Bank::Dealer, first: any_seat(chance), players, dealer };
    if let Some(seat) = banks {
        let covers = cover(chance, &round);
        round.bank = Bank::Seat { seat, covers };
    }
    round
}

/// All that is wagered on the base game.
fn action(round: &Round<'_>) -> u64 {
    let seats: u64 = round.players.iter().flatten().map(|player| player.stakes.pai_gow.cents()).sum();
    seats + round.dealer.map_or(0, |dealer| dealer.wager.cents())
}

/// What pays every wager whatever is dealt.
fn enough(round: &Round<'_>) -> u64 {
    let stakes = round.players.map(|player| player.map(|player| player.stakes).unwrap_or_default());
    action(round) + round.table_rules.reserve(&stakes).cents()
}

fn cover(chance: &mut Chance, round: &Round<'_>) -> Option<Amount> {
    let action = action(round);
    if round.table_rules.book().banking.cover == Cover::All {
        return chance.once_in(2).then(|| Amount::from_cents(action + chance.below(2)));
    }
    if round.table_rules.book().banking.pays_from == PaysFrom::Reserved {
        return Some(Amount::from_cents(enough(round) + chance.below(100)));
    }
    // A cover of nothing is none, and is refused.
    let cents = match chance.below(8) {
        0 => 1 + chance.below(2),
        1 => action,
        2 => action + chance.below(100_000),
        // Exactly what some seats wager.
        3 | 4 => {
            let some = round.players.iter().flatten().take(1 + chance.index(4));
            some.map(|player| player.stakes.pai_gow.cents()).sum()
        }
        _ => chance.below(action + 1),
    };
    Some(Amount::from_cents(cents.max(1)))
}

// What the settlement says, in the shape of the second statement.

fn settle(round: &Round<'_>) -> Restated {
    let showdown = round.showdown().unwrap_or_else(|refusals| panic!("{refusals:?}\n{}", text(round)));
    as_restated(&Settlement::of(&showdown), round)
}

fn as_restated(settlement: &Settlement, round: &Round<'_>) -> Restated {
    let nets = settlement.nets();
    let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
    for line in settlement.lines() {
        let who = match line.who {
            Party::Dealer => Who::Dealer,
            Party::Seat(seat) => Who::Seat(seat.number()),
            Party::Banker => Who::Banker,
            Party::House => panic!("the house has no line of its own"),
        };
        let place = match line.wager {
            WagerRef::PaiGow => None,
            WagerRef::Side(place) => Some(usize::from(place)),
        };
        let net = line.net.cents();
        let (fee, stake) = (line.fee.cents().cast_signed(), line.stake.cents().cast_signed());
        let (kind, entry) = match line.outcome {
            Outcome::Envy => (Kind::Envy, Entry { outcome: None, stake: 0, net, fee }),
            Outcome::Commission => (Kind::Commission, Entry { outcome: None, stake: 0, net, fee }),
            Outcome::Collection => (Kind::Collection, Entry { outcome: None, stake: 0, net, fee }),
            Outcome::NoAction => match line.reason {
                Reason::EnvyUnpaid { unpaid, .. } => {
                    let stake = unpaid.cents().cast_signed();
                    (Kind::Unpaid, Entry { outcome: None, stake, net, fee })
                }
                _ => (Kind::Returned, Entry { outcome: None, stake, net, fee }),
            },
            played => (Kind::Played, Entry { outcome: Some(played), stake, net, fee }),
        };
        let again = entries.get(&(who, place, kind)).copied();
        assert!(again.is_none() || entry.outcome.is_none(), "{who:?} is settled twice\n{}", text(round));
        let sum = again.map_or(entry, |again| Entry {
            stake: again.stake + entry.stake,
            net: again.net + entry.net,
            fee: again.fee + entry.fee,
            ..entry
        });
        entries.insert((who, place, kind), sum);
    }
    let says_nothing = |kind: Kind, entry: &Entry| {
        !matches!(kind, Kind::Played | Kind::Returned | Kind::Unpaid) && (entry.net, entry.fee) == (0, 0)
    };
    entries.retain(|&(_, _, kind), entry| !says_nothing(kind, entry));
    Restated {
        seats: nets.seats.map(Net::cents),
        banker: nets.banker.cents(),
        house: nets.house.cents(),
        entries,
    }
}

/// Where the settlement and its second statement part.
fn differences(settled: &Restated, restated: &Restated) -> String {
    let nets = |of: &Restated| (of.seats, of.banker, of.house);
    let mut text = format!("settled  {:?}\nrestated {:?}\n", nets(settled), nets(restated));
    let keys: BTreeSet<&Key> = settled.entries.keys().chain(restated.entries.keys()).collect();
    for key in keys {
        let (one, other) = (settled.entries.get(key), restated.entries.get(key));
        if one != other {
            let _ = writeln!(text, "{key:?}: settled {one:?}, restated {other:?}");
        }
    }
    text
}

/// The round for whoever has to look at it.
fn text(round: &Round<'_>) -> String {
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

/// A most for Fortune and other wagers that have none.
const LIMIT_A_HAND: &str = r#"{ amount = "250.01", per = "hand", cite = "assumed: a test" }"#;
const LIMIT_A_ROUND: &str = r#"{ amount = "100.00", per = "round", cite = "assumed: a test" }"#;
const FIVE_CENTS_A_ROUND: &str = r#"{ amount = "0.05", per = "round", cite = "assumed: a test" }"#;
/// Fees by the size of the wager.
const FEES: &str = r#"[
    { wager_from = "0.00", player = "1.00", banker = "2.00" },
    { wager_from = "50.00", player = "1.50", banker = "3.00" },
    { wager_from = "1000.00", player = "4.00", banker = "25.25" },
]"#;

/// Fees on side wagers.
const BONUS_FEES: &str = r#"[
    { wager_from = "0.00", player = "0.25", banker = "0.50" },
    { wager_from = "25.00", player = "0.50", banker = "2.00" },
]"#;

/// Books, values of them changed, and paytables posted.
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
    "washington, fortune: FPG-04, pai-gowd: 01, wagers.fortune.payout_max = LIMIT_A_ROUND",
    "washington, fortune: Washington, wagers.fortune.payout_max = FIVE_CENTS_A_ROUND, dealing.order = clockwise",
    "washington, pai-gowd: 03, wagers.fortune.payout_max = LIMIT_A_HAND",
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
    "california, fortune: FPG-04, banking.pays_from = reserved, wagers.fortune.payout_max = LIMIT_A_HAND",
    "california, fortune: FPG-01, banking.pays_from = guaranteed, collection.schedule = FEES, collection.taken = last, base_game.bonus_wagers_settled = seat_by_seat",
    "california, fortune: FPG-09, wagers.fortune.payout_max = LIMIT_A_ROUND, dealing.order = clockwise",
    "california, fortune: FPG-05, commission.percent = 5, base_game.copies = player",
    "california, fortune: FPG-06, commission.percent = 3.33, commission.banker = net_win",
    "california, fortune: FPG-04, wagers.fortune.settled_by = house, banking.cover_use = losses_only",
    "ez",
    "ez, dynasty: 2, ranking.joker = fully_wild",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS",
    "ez, dynasty: 3, base_game.dealer_push = LOW_HANDS, base_game.dealer_push_fouls = false",
    "ez, dynasty: 4, banking.bankers = OR_SEAT, commission.percent = 5, wagers.dynasty.settled_by = banker",
    "ez, dynasty: 5, banking.bankers = OR_SEAT, wagers.queens-dragon.settled_by = banker",
    "ez, dynasty: 6, wagers.red-black.payout_max = LIMIT_A_ROUND",
    "ez, dynasty: 7, wagers.protection.payout_max = LIMIT_A_ROUND, dealing.order = clockwise",
    "ez, base_game.copies = player, seats.players = 4",
];

/// A table as it is written in [`TABLES`].
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

/// A value by a name that is shorter, or as it is.
fn value_of(name: &'static str) -> &'static str {
    match name {
        "FEES" => FEES,
        "BONUS_FEES" => BONUS_FEES,
        "LIMIT_A_HAND" => LIMIT_A_HAND,
        "LIMIT_A_ROUND" => LIMIT_A_ROUND,
        "FIVE_CENTS_A_ROUND" => FIVE_CENTS_A_ROUND,
        "OR_SEAT" => r#"["dealer", "seat"]"#,
        "OR_PLAYER_DEALER" => r#"["dealer", "player_dealer"]"#,
        "LOW_HANDS" => r#"["queen_high", "king_high", "pair"]"#,
        value => value,
    }
}

/// How often each thing was seen.
type Tally = BTreeMap<&'static str, u64>;

/// What a million rounds must show, each many times: an agreement on nothing would be worth nothing.
const MUST_BE_SEEN: [&str; 25] = [
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
    "the dealer's wager goes back",
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

fn note(settled: &Restated, tally: &mut Tally) {
    let mut seen = |name: &'static str| *tally.entry(name).or_default() += 1;
    for (&(who, place, kind), entry) in &settled.entries {
        let key = |kind: Kind| settled.entries.contains_key(&(who, place, kind));
        seen(match (who, kind, entry.outcome) {
            (Who::Dealer, Kind::Returned, _) => "the dealer's wager goes back",
            (Who::Dealer, _, Some(Outcome::Win)) => "the dealer's hand wins",
            (Who::Dealer, _, Some(Outcome::Lose)) => "the dealer's hand loses",
            (Who::Dealer, ..) => "the dealer's hand pushes",
            (_, Kind::Unpaid, _) => "an envy bonus that is not paid",
            (_, Kind::Returned, _) if place.is_some() && key(Kind::Played) => {
                "a side wager in action in part"
            }
            (_, Kind::Returned, _) if place.is_some() => "a side wager without action",
            (_, Kind::Returned, _) if key(Kind::Played) => "a base wager covered in part",
            (_, Kind::Returned, _) => "a base wager without action",
            (_, Kind::Envy, _) if entry.net > 500_000 => "several envy bonuses",
            (_, Kind::Envy, _) => "an envy bonus",
            (_, Kind::Commission, _) => "a banker's commission",
            (Who::Banker, ..) if place.is_some() => "a banker's fee on side wagers",
            (Who::Banker, ..) => "a banker's fee",
            (_, Kind::Collection, _) if place.is_some() => "a player's fee on a side wager",
            (_, Kind::Collection, _) => "a player's fee",
            (_, Kind::Played, Some(Outcome::Foul)) => "a foul",
            (_, Kind::Played, Some(Outcome::Lose)) if place.is_none() => "a base loss",
            (_, Kind::Played, Some(Outcome::Lose)) => "a side loss",
            (_, Kind::Played, Some(Outcome::Push)) if place.is_none() => "a base push",
            (_, Kind::Played, Some(Outcome::Push)) => "a side push",
            (_, Kind::Played, _) if place.is_some() && entry.net % entry.stake != 0 => {
                "a side win that is limited"
            }
            (_, Kind::Played, _) if place.is_some() => "a side win",
            (_, Kind::Played, _) if entry.fee > 0 => "a base win less a commission",
            (_, Kind::Played, _) => "a base win",
        });
    }
}

fn agree(number: usize, rounds: usize) -> Tally {
    let table_rules = table(TABLES[number]);
    let mut chance = Chance(number as u64);
    let mut tally = Tally::new();
    for _ in 0..rounds {
        let round = deal(&mut chance, &table_rules);
        let (settled, restated) = (settle(&round), restate(&round));
        let same = settled == restated;
        assert!(same, "{}\n{}\n{}", TABLES[number], differences(&settled, &restated), text(&round));
        note(&settled, &mut tally);
    }
    tally
}

#[test]
fn a_million_rounds_settle_as_restated() {
    let share = 1_000_000_usize.div_ceil(TABLES.len());
    let half = |parity: usize| -> Vec<Tally> {
        (0..TABLES.len()).filter(|number| number % 2 == parity).map(|number| agree(number, share)).collect()
    };
    let tallies = std::thread::scope(|scope| {
        let halves = [0, 1].map(|parity| scope.spawn(move || half(parity)));
        halves.map(|half| half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).concat()
    });
    let mut total = Tally::new();
    for (name, count) in tallies.into_iter().flatten() {
        *total.entry(name).or_default() += count;
    }
    for name in MUST_BE_SEEN {
        let count = total.get(name).copied().unwrap_or(0);
        assert!(count >= 1_000, "{name} was seen {count} times");
    }
}

#[test]
fn every_book_is_among_the_tables() {
    for name in BuiltIn::book_names() {
        assert!(TABLES.contains(&name), "{name}");
    }
}

// Laws.

/// Tries a law on rounds of every table that is wanted.
fn every_round(
    wanted: impl Fn(&Rulebook) -> bool,
    rounds: usize,
    mut law: impl FnMut(&mut Chance, Round<'_>),
) {
    let mut tables = 0;
    for (number, text) in (0..).zip(TABLES) {
        let table_rules = table(text);
        if wanted(table_rules.book()) {
            tables += 1;
            let mut chance = Chance(!number);
            for _ in 0..rounds {
                let round = deal(&mut chance, &table_rules);
                law(&mut chance, round);
            }
        }
    }
    assert!(tables > 0, "no table is wanted");
}

#[test]
fn every_round_sums_to_zero_and_so_do_its_lines() {
    every_round(
        |_| true,
        1_000,
        |_, round| {
            let showdown = round.showdown().expect("a round");
            let settlement = Settlement::of(&showdown);
            let settled = as_restated(&settlement, &round);
            let sum = settled.seats.iter().sum::<i64>() + settled.banker + settled.house;
            assert_eq!(sum, 0, "{}", text(&round));

            // What a party wins and what the house keeps of it comes from the other party of the line.
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
            assert_eq!((seats, banker, house), nets, "{}", text(&round));
        },
    );
}

/// Steps follow the order of the settlement, and buttons stay until the last step.
#[test]
fn steps_hold_every_line_once_and_buttons_lie_until_the_last() {
    let (mut with_buttons, mut with_envy) = (0, 0);
    every_round(
        |_| true,
        1_000,
        |_, round| {
            let showdown = round.showdown().expect("a round");
            let settlement = Settlement::of(&showdown);
            let (lines, steps) = (settlement.lines(), settlement.steps(&showdown));
            let positions: Vec<usize> = steps.iter().flat_map(|step| step.lines.clone()).collect();
            assert_eq!(positions, (0..lines.len()).collect::<Vec<_>>(), "{}", text(&round));
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
                assert!(parts.into_iter().all(|part| part == step.part), "{}", text(&round));
            }
            let envy = steps.iter().position(|step| step.part == StepPart::Envy).unwrap_or(steps.len());
            assert!(steps[envy..].iter().all(|step| step.part == StepPart::Envy), "{}", text(&round));
            assert!(steps[envy..].iter().all(|step| step.unreconciled.is_empty()), "{}", text(&round));

            let buttons: BTreeSet<(Seat, u8)> = Seat::first(Seat::COUNT_MAX as u8)
                .flat_map(|seat| (0..round.table_rules.side_wagers()).map(move |place| (seat, place)))
                .filter(|(seat, place)| {
                    let envy = &round.table_rules.wager(*place).envy;
                    let stake = round.players[seat.index()].and_then(|player| player.stakes.sides[*place]);
                    stake.zip(envy.as_ref()).is_some_and(|(stake, envy)| stake.amount >= envy.from)
                })
                .map(|(seat, place)| (seat, place as u8))
                .collect();
            let (last, before) = steps.split_last().expect("a round has lines");
            for step in before {
                let lie = step.buttons.iter().map(|button| match button.wager {
                    WagerRef::Side(place) => (button.seat, place),
                    WagerRef::PaiGow => panic!("the base wager has no button"),
                });
                assert_eq!(lie.collect::<BTreeSet<_>>(), buttons, "{}", text(&round));
            }
            assert!(last.buttons.is_empty() && last.unreconciled.is_empty(), "{}", text(&round));
            assert_eq!(last.nets, *settlement.nets(), "{}", text(&round));
            let paid_envy =
                lines.iter().filter(|line| line.outcome == Outcome::Envy).filter_map(|line| match line {
                    Line { who: Party::Seat(seat), wager: WagerRef::Side(place), .. } => {
                        Some((*seat, *place))
                    }
                    _ => None,
                });
            assert!(paid_envy.into_iter().all(|holder| buttons.contains(&holder)), "{}", text(&round));

            // Each wager is reconciled in one step, and in none before it.
            let mut left: Option<Vec<(Party, WagerRef)>> = None;
            for step in &steps {
                assert_eq!(step.nets.sum(), 0, "{}", text(&round));
                let now: BTreeSet<(Party, WagerRef)> = step.unreconciled.iter().copied().collect();
                assert_eq!(now.len(), step.unreconciled.len());
                if let Some(before) = &left {
                    let gone: BTreeSet<_> = before.iter().filter(|wager| !now.contains(wager)).collect();
                    let reconciled: BTreeSet<(Party, WagerRef)> = match step.part {
                        StepPart::Base | StepPart::Bonus => {
                            lines[step.lines.clone()].iter().map(|line| (line.who, line.wager)).collect()
                        }
                        _ => BTreeSet::new(),
                    };
                    assert_eq!(gone, reconciled.iter().collect(), "{}", text(&round));
                }
                left = Some(step.unreconciled.clone());
            }
            with_buttons += usize::from(!buttons.is_empty());
            with_envy += usize::from(envy < steps.len());
        },
    );
    assert!(with_buttons > 1_000 && with_envy > 1_000, "{with_buttons} with buttons, {with_envy} with envy");
}

/// The cards with other suits.
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
    let lay = |dealt: SevenCards, low: CardSet| {
        let offered = Arrangement::new(hand(dealt), relabelled(low, suits)).expect("two of the seven");
        offered.set(evaluator).map_or_else(PlayedHand::Foul, PlayedHand::Set)
    };
    let mut other = round.clone();
    for player in other.players.iter_mut().flatten() {
        let low = match player.laid {
            PlayedHand::Set(setting) => setting.low,
            PlayedHand::Foul(foul) => foul.0.low,
        };
        player.laid = lay(player.hand, low.cards());
        player.hand = hand(player.hand);
    }
    if let Some(dealer) = &mut other.dealer {
        let PlayedHand::Set(setting) = lay(dealer.hand, dealer.setting.low.cards()) else {
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
        |chance, round| {
            let [clubs, diamonds, hearts, spades] = Suit::ALL;
            let colors = round.table_rules.book().wagers.iter().any(|wager| wager.looks_at == LooksAt::Color);
            let suits = if colors {
                // Where a wager is on a color the colors stay.
                chance.one_of(&[
                    [spades, diamonds, hearts, clubs],
                    [clubs, hearts, diamonds, spades],
                    [spades, hearts, diamonds, clubs],
                ])
            } else {
                let mut left = Suit::ALL.to_vec();
                [(); 4].map(|()| chance.take(&mut left))
            };
            let (settled, other) = (settle(&round), settle(&relabelled_round(&round, suits)));
            assert!(settled == other, "{suits:?}: {}\n{}", differences(&settled, &other), text(&round));
        },
    );
}

/// The same round with other cards for everybody but the banker, the dealer and one seat.
fn redealt<'p>(chance: &mut Chance, round: &Round<'p>, kept: Seat) -> Round<'p> {
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
            let cards: Vec<Card> = (0..7).map(|_| chance.take(&mut deck)).collect();
            player.hand = hand_of(&cards);
            player.laid = lay(chance, round.table_rules, player.hand);
        }
    }
    other
}

/// A banker who covers everything.
fn covering_all(mut round: Round<'_>) -> Round<'_> {
    if let Bank::Seat { covers, .. } = &mut round.bank {
        *covers = Some(Amount::MAX);
    }
    round
}

/// Whether a maximum is counted over the hands of a round together: then they do depend on each other.
fn shares_a_maximum(book: &Rulebook) -> bool {
    book.wagers
        .iter()
        .filter_map(|wager| wager.payout_max.as_ref())
        .any(|max| max.per == Per::Round && max.amount.is_some())
}

#[test]
fn a_seat_depends_on_nobody_but_itself_and_the_banker_envy_aside() {
    let mut others_changed = 0;
    every_round(
        |book| !shares_a_maximum(book),
        500,
        |chance, round| {
            let round = covering_all(round);
            let plays =
                |player: &Option<Player>| player.is_some_and(|player| player.stakes.pai_gow > Amount::ZERO);
            let seat =
                Seat::first(7).find(|seat| plays(&round.players[seat.index()])).expect("somebody plays");
            let (settled, other) = (settle(&round), settle(&redealt(chance, &round, seat)));
            let own = |settled: &Restated| {
                let mut entries = settled.entries.clone();
                entries.retain(|&(who, _, kind), _| who == Who::Seat(seat.number()) && kind != Kind::Envy);
                entries
            };
            assert_eq!(own(&settled), own(&other), "{seat}\n{}", text(&round));
            others_changed += u32::from(settled != other);
        },
    );
    assert!(others_changed > 1_000, "the other seats were hardly dealt anew: {others_changed}");
}

#[test]
fn envy_is_for_other_players_hands_alone() {
    every_round(
        |book| {
            let mut envies = book.wagers.iter().filter_map(|wager| wager.envy.as_ref()).peekable();
            envies.peek().is_some() && envies.all(|envy| !envy.banker_hand)
        },
        200,
        |chance, mut round| {
            // Fours of a kind for the one who holds the button, for the banker and the dealer, and for another player.
            let ranks = {
                let mut ranks = Rank::ALL.to_vec();
                [(); 4].map(|()| chance.take(&mut ranks))
            };
            let mut deck = shuffled(chance, 4);
            for (hand, rank) in ranks.into_iter().enumerate() {
                put(&mut deck, hand, &Suit::ALL.map(|suit| Card::new(rank, suit)));
            }
            let table_rules = round.table_rules;
            let fours: Vec<SevenCards> = deck.chunks(7).take(4).map(hand_of).collect();
            let set = |hand: SevenCards| table_rules.house_way_setting(hand);
            let player = |hand: SevenCards, stakes: Stakes| {
                Some(Player { hand, laid: PlayedHand::Set(set(hand)), stakes })
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
            round = covering_all(round);
            let (lone, another) = (chance.take(&mut free), chance.take(&mut free));

            let place =
                table_rules.book().wagers.iter().position(|wager| wager.envy.is_some()).expect("it has one");
            let envy = table_rules.wager(place).envy.as_ref().expect("it has one");
            let base = Stakes { pai_gow: table_rules.book().base_game.limits.min, ..Stakes::default() };
            let mut button = base;
            button.sides[place] = Some(SideStake { amount: envy.from, color: None });
            round.players[lone.index()] = player(fours[2], button);
            let paid = |round: &Round<'_>| {
                let settled = settle(round);
                let envy = |(&(who, _, kind), entry): (&Key, &Entry)| {
                    (kind == Kind::Envy).then_some((who, entry.net))
                };
                settled.entries.iter().filter_map(envy).collect::<Vec<_>>()
            };
            assert_eq!(paid(&round), [], "{lone} has the only button\n{}", text(&round));

            // Somebody without a wager is no other player yet.
            round.players[another.index()] = player(fours[3], Stakes::default());
            assert_eq!(paid(&round), [], "{another} does not wager\n{}", text(&round));
            round.players[another.index()] = player(fours[3], base);
            let row = |row: &&PayRow| row.wins_on == WinsOn::Class(HandClass::FourOfAKind);
            let amount = table_rules
                .paytable(place)
                .rows
                .iter()
                .find(row)
                .and_then(|row| row.envy)
                .expect("an envy bonus");
            let least = amount.cents().cast_signed();
            let [(who, net)] = paid(&round)[..] else { panic!("one bonus is paid\n{}", text(&round)) };
            // The three other cards may make it a better hand still.
            assert!(who == Who::Seat(lone.number()) && net >= least, "{who:?} {net}\n{}", text(&round));
        },
    );
}

/// A player's own hands, at whichever seats, earn that player no envy bonus, and nothing else depends on who plays them.
#[test]
fn hands_of_one_player_are_not_envied_by_one_another() {
    let mut dropped = 0;
    for (number, book) in (0..).zip(["south-dakota", "washington", "ez", "south-beach"]) {
        let table_rules = table_rules(book, &[("seats.hands_per_player", "3")], &[]);
        let mut chance = Chance(500 + number);
        for _ in 0..2_000 {
            let round = deal(&mut chance, &table_rules);
            let names: BySeat<u64> = std::array::from_fn(|_| chance.below(4));
            let owners = Owners::by_name(|seat| Some(names[seat.index()]));
            let Round { bank, first, players, dealer, .. } = round;
            let Ok(shared) = Showdown::with_owners(&table_rules, bank, first, players, dealer, owners) else {
                continue;
            };
            let apart = Settlement::of(&round.showdown().expect("a round"));
            let others = |line: &&Line| match (line.who, line.reason) {
                (Party::Seat(holder), Reason::Envy { of, .. }) => !owners.same(holder, of),
                _ => true,
            };
            let expected: Vec<Line> = apart.lines().iter().filter(others).copied().collect();
            assert_eq!(Settlement::of(&shared).lines(), expected, "{}", text(&round));
            dropped += apart.lines().len() - expected.len();
        }
    }
    assert!(dropped > 500, "{dropped} envy bonuses for a player's other hands");
}

#[test]
fn a_round_that_is_covered_whole_is_a_banked_round() {
    for cover_use in ["each_dollar_once", "losses_only", "once_in_all"] {
        for (book, bankers) in
            [("california", r#"["player_dealer"]"#), ("south-beach", r#"["dealer", "seat"]"#)]
        {
            let changes = |cover: &'static str| {
                [("banking.bankers", bankers), ("banking.cover", cover), ("banking.cover_use", cover_use)]
            };
            let some = table_rules(book, &changes("some_or_all"), &[]);
            let all = table_rules(book, &changes("all"), &[]);
            let mut chance = Chance(5);
            for _ in 0..5_000 {
                let mut round = deal(&mut chance, &some);
                let Bank::Seat { seat, .. } = round.bank else { continue };
                let enough = Amount::from_cents(enough(&round) + chance.below(2));
                round.bank = Bank::Seat { seat, covers: Some(enough) };
                let banked =
                    Round { table_rules: &all, bank: Bank::Seat { seat, covers: None }, ..round.clone() };
                let (covered, banked) = (settle(&round), settle(&banked));
                assert!(covered == banked, "{}\n{}", differences(&covered, &banked), text(&round));
            }
        }
    }
}

#[test]
fn what_is_not_in_action_goes_back_and_the_cover_is_never_exceeded() {
    let mut uncovered = 0;
    every_round(
        |book| book.banking.cover == Cover::SomeOrAll,
        2_000,
        |_, round| {
            let Bank::Seat { covers: Some(covers), .. } = round.bank else { return };
            let covers = covers.cents().cast_signed();
            let settled = settle(&round);
            let entry = |who: Who, kind: Kind| settled.entries.get(&(who, None, kind)).copied();
            let stake = |who: Who, kind: Kind| entry(who, kind).map_or(0, |entry| entry.stake);
            let wagers = Seat::first(7).filter_map(|seat| {
                Some((Who::Seat(seat.number()), round.players[seat.index()]?.stakes.pai_gow))
            });
            let wagers: Vec<(Who, Amount)> =
                wagers.chain(round.dealer.map(|dealer| (Who::Dealer, dealer.wager))).collect();
            let (mut decided, mut paid) = (0, 0);
            for (who, wager) in wagers {
                let (played, back) = (stake(who, Kind::Played), stake(who, Kind::Returned));
                assert_eq!(played + back, wager.cents().cast_signed(), "{who:?}\n{}", text(&round));
                assert!(entry(who, Kind::Returned).is_none_or(|entry| entry.net == 0), "{}", text(&round));
                uncovered += u32::from(back > 0);
                if let Some(Entry { outcome, net, fee, .. }) = entry(who, Kind::Played) {
                    let expected = match outcome {
                        Some(Outcome::Win) => played - fee,
                        Some(Outcome::Lose | Outcome::Foul) => -played,
                        _ => 0,
                    };
                    assert_eq!(net, expected, "{who:?}\n{}", text(&round));
                    decided += if outcome == Some(Outcome::Push) { 0 } else { played };
                    paid += (net + fee).max(0);
                }
            }
            let used = match round.table_rules.book().banking.cover_use {
                CoverUse::EachDollarOnce | CoverUse::OnceInAll => decided,
                CoverUse::LossesOnly => paid,
            };
            assert!(used <= covers, "{used} of {covers} is used\n{}", text(&round));
        },
    );
    assert!(uncovered > 1_000, "hardly anything was left uncovered: {uncovered}");
}

/// What a banking seat wins or loses on base and side wagers and envy bonuses, fees and commission aside, is no more than it has put up.
#[test]
fn a_dollar_that_answers_once_in_all_wins_and_loses_no_more_than_is_put_up() {
    let (mut most_won, mut most_lost) = (0, 0);
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
            assert!(won + lost <= covers, "{won} and {lost} of {covers}\n{}", text(&round));
            most_won += i32::from(won == covers);
            most_lost += i32::from(lost == covers);
        },
    );
    assert!(most_won > 10 && most_lost > 10, "the limit was hardly reached: {most_won}, {most_lost}");
}

// Rounds worked by hand.

/// A round put together by hand.
struct Scene {
    table_rules: TableRules,
    bank: Bank,
    first: Seat,
    players: BySeat<Option<Player>>,
    dealer: Option<Dealer>,
}

/// Seven cards, and the two in front.
type Cards = (&'static str, &'static str);

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn money(text: &str) -> Amount {
    text.parse().expect("an amount")
}

impl Scene {
    fn of(book: &str) -> Scene {
        Scene::with(book, &[], &[])
    }

    fn with(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> Scene {
        let table_rules = table_rules(book, changes, posted);
        let players = [None; Seat::COUNT_MAX];
        Scene { table_rules, bank: Bank::Dealer, first: seat(1), players, dealer: None }
    }

    /// The dealer, whose hand the house way sets so.
    #[track_caller]
    fn dealer(mut self, (cards, front): Cards, wager: &str) -> Scene {
        let hand: SevenCards = cards.parse().expect("seven cards");
        let setting = self.table_rules.house_way_setting(hand);
        assert_eq!(setting.low.cards(), parse_cards(front, Some(2)).expect("two cards"), "the house way");
        self.dealer = Some(Dealer { hand, setting, wager: money(wager) });
        self
    }

    /// A seat that wagers on the base game and beside it.
    fn seat(mut self, number: u8, (cards, front): Cards, pai_gow: &str, sides: &[(&str, &str)]) -> Scene {
        let hand: SevenCards = cards.parse().expect("seven cards");
        let front = parse_cards(front, Some(2)).expect("two cards");
        let laid = self.table_rules.lay(hand, front, "the seat").expect("two of the seven");
        let mut stakes = Stakes { pai_gow: money(pai_gow), ..Stakes::default() };
        for &(wager, amount) in sides {
            let (wager, color) = match wager.split_once(' ') {
                None => (wager, None),
                Some((wager, "red")) => (wager, Some(Color::Red)),
                Some((wager, _)) => (wager, Some(Color::Black)),
            };
            let place = self.table_rules.place(wager).expect("a wager of the book");
            stakes.sides[place] = Some(SideStake { amount: money(amount), color });
        }
        self.players[seat(number).index()] = Some(Player { hand, laid, stakes });
        self
    }

    /// A seat that banks.
    fn banks(self, number: u8, cards: Cards, covers: Option<&str>) -> Scene {
        let mut scene = self.seat(number, cards, "0.00", &[]);
        scene.bank = Bank::Seat { seat: seat(number), covers: covers.map(money) };
        scene
    }

    /// Where settling starts.
    fn first(mut self, number: u8) -> Scene {
        self.first = seat(number);
        self
    }

    /// Checks what everybody has in the end.
    #[track_caller]
    fn settles(self, expected: &str) {
        let Scene { table_rules, bank, first, players, dealer } = &self;
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
        let restated = restate(&round);
        assert!(settled == restated, "{}", differences(&settled, &restated));
    }
}

// No two of the hands down to `FOUL` share a card.

/// King high; jack-nine in front.
const KING_HIGH: Cards = ("Kh Jd 9c 7s 5h 3d 2c", "Jd 9c");
/// Wins both against it: aces, and queen-ten.
const WINS: Cards = ("As Ad Qc Tc 8d 6h 4s", "Qc Tc");
/// Loses both against it: queen high, and ten-eight. Four of its cards are red.
const LOSES: Cards = ("Qd Td 8h 6c 4h 3s 2s", "Td 8h");
/// Aces, and the same jack-nine.
const COPIES_FRONT: Cards = ("Ac Ah Jh 9d 8c 6d 4c", "Jh 9d");
/// The same king high, and the same jack-nine.
const COPIES_BOTH: Cards = ("Ks Jc 9h 7d 5s 3c 2h", "Jc 9h");
/// Queens, and eight-six.
const ONE_EACH: Cards = ("Qs Qh Th 8s 6s 5d 3h", "8s 6s");
/// King-ten in front of nine high.
const FOUL: Cards = ("Ts 9s 7c 5c 4d 2d Kd", "Kd Ts");

/// A queen-high pai gow; ten-eight in front.
const QUEEN_HIGH: Cards = ("Qh Ts 8c 7d 5c 4d 2h", "Ts 8c");
/// Four eights, and ace-king.
const FOUR_EIGHTS: Cards = ("8c 8d 8h 8s Ac Kc 3s", "Ac Kc");

#[test]
fn sb_3_both_win_one_pushes_none_loses_and_copies_are_the_bankers() {
    // $20.00 less 5 % is $19.00. The copies in front leave one hand won; two copies are two hands lost.
    Scene::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", &[])
        .seat(2, LOSES, "20.00", &[])
        .seat(3, COPIES_FRONT, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .seat(5, ONE_EACH, "20.00", &[])
        .settles("seat 1 +19.00, seat 2 -20.00, seat 3 +0.00, seat 4 -20.00, seat 5 +0.00, house +21.00");
}

#[test]
fn sb_3_copies_are_the_players_where_a_house_says_so() {
    Scene::with("south-beach", &[("base_game.copies", "player")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(3, COPIES_FRONT, "20.00", &[])
        .seat(4, COPIES_BOTH, "20.00", &[])
        .settles("seat 3 +19.00, seat 4 +19.00, house -38.00");
}

#[test]
fn sb_4_a_foul_loses() {
    Scene::of("south-beach")
        .dealer(KING_HIGH, "0.00")
        .seat(6, FOUL, "20.00", &[])
        .settles("seat 6 -20.00, house +20.00");
}

#[test]
fn sb_5_a_win_pays_even_money_less_five_per_cent() {
    // 5 % of $25.00 is $1.25; of $5.10 it is 25.5 cents, and a half goes up; of $5.09 it is 25.45 cents.
    for (stake, seat, house) in
        [("25.00", "+23.75", "-23.75"), ("5.10", "+4.84", "-4.84"), ("5.09", "+4.84", "-4.84")]
    {
        Scene::of("south-beach")
            .dealer(KING_HIGH, "0.00")
            .seat(1, WINS, stake, &[])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_5_a_house_may_round_to_quarters() {
    // 5 % of $27.00 is $1.35.
    for (rounding, seat, house) in
        [("nearest", "+25.75", "-25.75"), ("up", "+25.50", "-25.50"), ("down", "+25.75", "-25.75")]
    {
        Scene::with("south-beach", &[("commission.unit", "0.25"), ("commission.rounding", rounding)], &[])
            .dealer(KING_HIGH, "0.00")
            .seat(1, WINS, "27.00", &[])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn sb_7_the_banker_plays_everybody_and_the_dealer() {
    // The bank loses 25.00 and wins 100.00 and 50.00: 125.00, less 6.25. The house loses 50.00 and has 1.25 and 6.25.
    Scene::of("south-beach")
        .banks(2, KING_HIGH, Some("175.00"))
        .seat(1, WINS, "25.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +23.75, seat 3 -100.00, banker +118.75, house -42.50");
}

#[test]
fn sb_7_a_banker_who_loses_on_the_whole_pays_no_commission() {
    // The bank loses 200.00 and wins 150.00. The house loses 50.00 and has 10.00 from seat 1.
    Scene::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -50.00, house -40.00");
}

#[test]
fn sb_7_where_each_win_pays_a_losing_banker_pays_too() {
    // 5.00 and 2.50 on the two wins.
    Scene::with("south-beach", &[("commission.banker", "each_win")], &[])
        .banks(2, KING_HIGH, None)
        .seat(1, WINS, "200.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .dealer(QUEEN_HIGH, "50.00")
        .settles("seat 1 +190.00, seat 3 -100.00, banker -57.50, house -32.50");
}

#[test]
fn sb_7_the_dealers_hand_pays_no_commission() {
    // The bank wins 100.00 and loses 50.00 to the dealer: 50.00, less 2.50.
    Scene::of("south-beach")
        .banks(2, KING_HIGH, None)
        .seat(3, LOSES, "100.00", &[])
        .dealer(WINS, "50.00")
        .settles("seat 3 -100.00, banker +47.50, house +52.50");
}

#[test]
fn sb_8_fortune_pays_twenty_thousand_dollars_at_most_and_envy_is_not_limited() {
    // 8,000 times 5.00 is 40,000.00. Behind the straight flush wins, in front five-four loses. Seat 2 loses 10.00 and 5.00.
    Scene::of("south-beach")
        .dealer(("Ks Jd 9c 7s 5c 3d 2c", "Jd 9c"), "0.00")
        .seat(1, ("4h 5h 6h 7h 8h 9h Th", "5h 4h"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("Qd Td 8s 6c 4c 3s 2s", "Td 8s"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +20000.00, seat 2 +4985.00, house -24985.00");
}

#[test]
fn sb_8_five_aces_pay_three_hundred_dollars_to_holders_of_a_five_dollar_wager() {
    // 400 times 5.00, and 9.50. The other two lose their wagers; one of them holds no button.
    Scene::of("south-beach")
        .dealer(("Ks Jd 9c 7s 5c 3d 2c", "Jd 9c"), "0.00")
        .seat(1, ("As Ah Ad Ac Jk 7d 4h", "As Ah"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("Qd Td 8s 6c 4c 3s 2s", "Td 8s"), "10.00", &[("fortune", "5.00")])
        .seat(3, ("Qh Th 8h 6s 4d 3h 2d", "Th 8h"), "10.00", &[("fortune", "4.99")])
        .settles("seat 1 +2009.50, seat 2 +285.00, seat 3 -14.99, house -2279.51");
}

#[test]
fn sd_2_fortune_looks_at_all_seven_cards_however_they_are_set() {
    // The flush is torn apart for a foul: 10.00 is lost, and 4 times 5.00 won.
    Scene::of("south-dakota")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("Ah Qh 8h 6h 4h Kc 2d", "Ah Kc"), "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +10.00, house -10.00");
}

#[test]
fn sd_5_every_other_players_hand_pays_each_button_never_ones_own_nor_the_dealers() {
    // Seat 1: 9.50 + 20 × 5.00 + 10.00. Seat 2: 9.50 + 50 × 5.00 + 5.00. Seat 3: 5.00 + 10.00, and 16.00 lost.
    Scene::of("south-dakota")
        .dealer(("2c 2d 2h 2s Kd Jc 7h", "Kd Jc"), "0.00")
        .seat(1, ("9c 9d 9h 9s Kc Qd 4h", "Kc Qd"), "10.00", &[("fortune", "5.00")])
        .seat(2, ("4s 5s 6s 7s 8s Ts Ad", "Ad Ts"), "10.00", &[("fortune", "5.00")])
        .seat(3, ("Ah Qh Tc 8c 6d 5c 3d", "Qh Tc"), "10.00", &[("fortune", "6.00")])
        .settles("seat 1 +119.50, seat 2 +264.50, seat 3 -1.00, house -383.00");
}

#[test]
fn sd_6_three_pairs_push_under_paytable_1_alone() {
    let hand: Cards = ("Kc Kd Qh Qs 7c 7d 5c", "Qh Qs");
    for (table, expected) in [("1", "seat 1 +9.50, house -9.50"), ("2", "seat 1 +4.50, house -4.50")] {
        Scene::with("south-dakota", &[], &[("fortune", table)])
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("fortune", "5.00")])
            .settles(expected);
    }
}

/// A full house that wins both against a king high, and a flush that wins one.
const FULL_HOUSE: Cards = ("9d 9h 9s Kd Kc 4d 2d", "Kd Kc");
const FLUSH: Cards = ("Ah Qh 8h 6h 4h Ts 2s", "Ts 2s");

#[test]
fn wa_2_a_maximum_for_the_round_is_shared_and_the_odd_cent_goes_to_the_first() {
    // 5 × 10.00 and 4 × 25.00 are 150.00 and the most is 100.00: a third and two thirds of it.
    // Settling goes round counter-clockwise: from seat 1 seat 2 is last, from seat 2 it is first.
    for (first, expected) in [
        (1, "seat 1 +52.34, seat 2 +66.66, house -119.00"),
        (2, "seat 1 +52.33, seat 2 +66.67, house -119.00"),
    ] {
        Scene::with("washington", &[("wagers.fortune.payout_max", LIMIT_A_ROUND)], &[])
            .dealer(KING_HIGH, "0.00")
            .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
            .seat(2, FLUSH, "20.00", &[("fortune", "25.00")])
            .first(first)
            .settles(expected);
    }
}

#[test]
fn wa_2_a_maximum_for_a_hand_is_each_hands_own() {
    // 5 × 10.00 is within 250.01; 4 × 100.00 is not. 19.00 is the base game's.
    Scene::with("washington", &[("wagers.fortune.payout_max", LIMIT_A_HAND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("fortune", "10.00")])
        .seat(2, FLUSH, "20.00", &[("fortune", "100.00")])
        .settles("seat 1 +69.00, seat 2 +250.01, house -319.01");
}

#[test]
fn wa_2_no_maximum_touches_envy() {
    // 9.50 and five cents of 20 × 5.00; seat 2 loses 15.00 and has 5.00 of envy.
    Scene::with("washington", &[("wagers.fortune.payout_max", FIVE_CENTS_A_ROUND)], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +9.55, seat 2 -10.00, house +0.45");
}

#[test]
fn wa_5_pai_gowd_wants_the_dealers_five_cards_low_and_beaten() {
    // A king high pays 5 to 1 under paytable 02. Queen high does not beat it, nor does its like, nor does a foul.
    let pai_gowd = &[("pai-gowd", "10.00")];
    Scene::of("washington")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .seat(2, LOSES, "20.00", pai_gowd)
        .seat(4, COPIES_BOTH, "20.00", pai_gowd)
        .seat(6, FOUL, "20.00", pai_gowd)
        .settles("seat 1 +69.00, seat 2 -30.00, seat 4 -30.00, seat 6 -30.00, house +21.00");
    Scene::with("washington", &[], &[("pai-gowd", "01")])
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "20.00", pai_gowd)
        .settles("seat 1 +79.00, house -79.00");
}

#[test]
fn wa_5_a_pair_of_the_dealers_loses_pai_gowd_even_if_beaten() {
    Scene::of("washington")
        .dealer(WINS, "0.00")
        .seat(1, FULL_HOUSE, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 1 +9.00, house -9.00");
}

#[test]
fn wa_5_where_nothing_need_be_beaten_a_foul_wins_pai_gowd() {
    // Step 3 of the procedure by itself: the dealer's king high is all that counts.
    Scene::with("washington", &[("wagers.pai-gowd.player_must_beat", "false")], &[])
        .dealer(KING_HIGH, "0.00")
        .seat(2, LOSES, "20.00", &[("pai-gowd", "10.00")])
        .seat(6, FOUL, "20.00", &[("pai-gowd", "10.00")])
        .settles("seat 2 +30.00, seat 6 +30.00, house -60.00");
}

#[test]
fn ca_4_the_wager_of_the_player_dealer_answers_from_the_action_button_on() {
    // 100.00 of 150.00 is won from seat 3; 50.00 of seat 2's 80.00 is answered; nothing is left for seat 1.
    let scene = |first: u8| {
        Scene::of("california")
            .banks(4, KING_HIGH, Some("150.00"))
            .seat(1, COPIES_BOTH, "100.00", &[])
            .seat(2, WINS, "80.00", &[])
            .seat(3, LOSES, "100.00", &[])
            .first(first)
    };
    scene(3).settles("seat 1 +0.00, seat 2 +50.00, seat 3 -100.00, banker +50.00, house +0.00");
    // From seat 1 on it goes by seats 7, 6 and 5 to seat 3.
    scene(1).settles("seat 1 -100.00, seat 2 +0.00, seat 3 -50.00, banker +150.00, house +0.00");
}

#[test]
fn ca_4_a_push_uses_nothing_up() {
    // Seat 3 pushes, seat 2 wins 80.00, and 70.00 is left for seat 1.
    Scene::of("california")
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, ONE_EACH, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 +0.00, banker -10.00, house +0.00");
}

#[test]
fn ca_4_a_cardroom_may_count_only_what_is_paid_out() {
    // The 100.00 of seat 3 leave 150.00; the 80.00 paid to seat 2 leave 70.00, which is all seat 1 can lose.
    Scene::with("california", &[("banking.cover_use", "losses_only")], &[])
        .banks(4, KING_HIGH, Some("150.00"))
        .seat(1, COPIES_BOTH, "100.00", &[])
        .seat(2, WINS, "80.00", &[])
        .seat(3, LOSES, "100.00", &[])
        .first(3)
        .settles("seat 1 -70.00, seat 2 +80.00, seat 3 -100.00, banker +90.00, house +0.00");
}

#[test]
fn ca_6_the_player_dealer_settles_fortune_and_pays_envy() {
    // Seat 1 wins 10.00 and 20 × 5.00; seat 2 loses 10.00 and 5.00, and has 5.00 of envy.
    Scene::of("california")
        .banks(4, KING_HIGH, Some("115.00"))
        .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
}

#[test]
fn ca_4_what_is_put_up_pays_base_wagers_then_fortune_then_envy() {
    let scene = |put_up: &'static str| {
        Scene::of("california")
            .banks(4, KING_HIGH, Some(put_up))
            .seat(1, FOUR_EIGHTS, "10.00", &[("fortune", "5.00")])
            .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
    };
    // 10.00 to seat 1, 20 × 5.00 to seat 1; 4.99 is left, so seat 2 loses 4.99 of its 5.00 and has 4.99 of the envy bonus of 5.00.
    scene("114.99").settles("seat 1 +110.00, seat 2 -10.00, banker -100.00, house +0.00");
    // A cent short of Fortune: 99.99 pays 4.99, and 0.19 is left for seat 2 to lose and to be paid.
    scene("109.99").settles("seat 1 +109.80, seat 2 -10.00, banker -99.80, house +0.00");
    // 20.00 of cover is used whole, half of it paid: 10.00 pays 0.50 of Fortune, and nothing is left to take seat 2's 5.00 for.
    scene("20.00").settles("seat 1 +20.00, seat 2 -10.00, banker -10.00, house +0.00");
    // 10.00 answers seat 1 alone. All else goes back.
    scene("10.00").settles("seat 1 +10.00, seat 2 +0.00, banker -10.00, house +0.00");
}

#[test]
fn ca_6_the_player_dealers_own_hand_pays_no_envy() {
    Scene::of("california")
        .banks(4, FOUR_EIGHTS, Some("20.00"))
        .seat(2, COPIES_BOTH, "10.00", &[("fortune", "5.00")])
        .settles("seat 2 -15.00, banker +15.00, house +0.00");
}

#[test]
fn ca_8_fees_go_by_the_cardrooms_schedule() {
    // Seat 1 pays 1.00, seat 2 pays 2.00, and the player/dealer 5.00 on an action of 199.99.
    let schedule = r#"[{ wager_from = "0.00", player = "1.00", banker = "2.00" }, { wager_from = "100.00", player = "2.00", banker = "5.00" }]"#;
    Scene::with("california", &[("collection.schedule", schedule)], &[])
        .banks(4, KING_HIGH, Some("199.99"))
        .seat(1, WINS, "99.99", &[])
        .seat(2, LOSES, "100.00", &[])
        .settles("seat 1 +98.99, seat 2 -102.00, banker -4.99, house +8.00");
}

#[test]
fn ca_9_a_fully_wild_joker_makes_five_of_a_kind_and_threes_are_not_paid() {
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
            Scene::with("california", &[], &[("fortune", table)])
                .banks(4, KING_HIGH, Some("1260.00"))
                .seat(1, hand, "10.00", &[("fortune", "5.00")])
                .settles(expected);
        }
    }
}

#[test]
fn ez_1_the_queens_dragon_makes_every_base_wager_push() {
    let foul: Cards = ("Kd Kc 9s 7c 5d 3h 2d", "Kd Kc");
    Scene::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(2, ("Jd Th 9d 7s 6c 3c 2s", "Th 9d"), "25.00", &[])
        .seat(3, foul, "25.00", &[])
        .settles("seat 1 +0.00, seat 2 +0.00, seat 3 +0.00, house +0.00");
}

#[test]
fn ez_1_no_commission_is_taken_and_ez_11_ties_are_the_bankers() {
    Scene::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[])
        .seat(4, COPIES_BOTH, "10.00", &[])
        .settles("seat 1 +25.00, seat 4 -10.00, house -15.00");
}

#[test]
fn ez_4_the_queens_dragon_pays_fifty_to_one() {
    Scene::of("ez")
        .dealer(QUEEN_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +100.00, house -100.00");
    Scene::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, WINS, "25.00", &[("queens-dragon", "2.00")])
        .settles("seat 1 +23.00, house -23.00");
}

#[test]
fn ez_5_the_luhn_tao_wheel_pays_120_to_one_and_75_dollars_of_envy() {
    // The wheel is behind and wins, ten-nine in front loses. Seat 2 loses 10.00 and 5.00.
    Scene::of("ez")
        .dealer(KING_HIGH, "0.00")
        .seat(1, ("As 2s 3s 4s 5s 9d Td", "Td 9d"), "10.00", &[("dynasty", "5.00")])
        .seat(2, ("Qd Tc 8h 6c 4h 3c 2d", "Tc 8h"), "10.00", &[("dynasty", "5.00")])
        .settles("seat 1 +600.00, seat 2 +60.00, house -660.00");
}

#[test]
fn ez_7_protection_pays_for_low_hands_and_the_natural_wheel() {
    // The base wager of 10.00 is lost with the queen high, and pushes with the wheels.
    for (hand, seat, house) in [
        (LOSES, "+25.00", "-25.00"),
        (("As 2s 3s 4s 5s 9d Td", "Td 9d"), "+600.00", "-600.00"),
        (("Jk 2s 3s 4s 5s 9d Td", "Td 9d"), "-5.00", "+5.00"),
    ] {
        Scene::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[("protection", "5.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}

#[test]
fn ez_8_four_of_a_color_win_seven_pay_five_to_one_and_the_joker_has_none() {
    // Four red: 10.00 lost on the base game. Seven red and the three of each beside a joker win it.
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
        Scene::of("ez")
            .dealer(KING_HIGH, "0.00")
            .seat(1, hand, "10.00", &[(wager, "4.00")])
            .settles(&format!("seat 1 {seat}, house {house}"));
    }
}
