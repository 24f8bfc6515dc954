//! Settlement: agreement with a second statement of the rules, laws that hold for every round, and rounds worked by hand.
//!
//! The rounds come from a small generator with a seed, so that a round that fails fails again. Plain shuffles seldom hold
//! what the rules are about, so hands are often put together: fours of a kind, straight flushes, low hands, copies.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

mod restated;

use paigow::rulebook::{Banker, BuiltIn, Cover, Limits, LooksAt};
use paigow::{
    Amount, Arrangement, Bank, Card, CardSet, Color, Dealer, Hand, Laid, Outcome, Party, Player, Posting,
    Rank, Rulebook, Seat, Settlement, SevenCards, SideStake, Stakes, Suit, WagerRef, parse_cards,
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
fn posting(book: &str, changes: &[(&str, &str)], posted: &[(&str, &str)]) -> Posting {
    let owned = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|&(one, other)| (one.to_owned(), other.to_owned())).collect::<Vec<_>>()
    };
    let loaded = Rulebook::load(book, &owned(changes), &BuiltIn);
    let loaded = loaded.unwrap_or_else(|error| panic!("{book} with {changes:?}: {error}"));
    Posting::new(Arc::new(loaded), &owned(posted)).expect("it can be posted")
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

fn stakes(chance: &mut Chance, posting: &Posting) -> Stakes {
    let mut stakes =
        Stakes { pai_gow: amount(chance, &posting.book().base_game.limits), ..Stakes::default() };
    for place in 0..posting.side_wagers() {
        if !chance.once_in(3) {
            let wager = posting.wager(place);
            let color =
                (wager.looks_at == LooksAt::Color).then(|| chance.one_of(&[Color::Red, Color::Black]));
            stakes.sides[place] = Some(SideStake { amount: amount(chance, &wager.limits), color });
        }
    }
    stakes
}

/// A hand laid the house way, or with two cards in front that chance picked.
fn lay(chance: &mut Chance, posting: &Posting, hand: SevenCards) -> Laid {
    if chance.once_in(2) {
        return Laid::Set(posting.house_way_setting(hand).expect("a house way sets every hand"));
    }
    let mut cards: Vec<Card> = hand.cards().iter().collect();
    let front = CardSet::EMPTY.with(chance.take(&mut cards)).with(chance.take(&mut cards));
    posting.lay(hand, front, "a seat").expect("two of the seven")
}

/// A banker's hand: the same, but a foul is set the house way.
fn lay_banker(chance: &mut Chance, posting: &Posting, hand: SevenCards) -> Laid {
    match lay(chance, posting, hand) {
        Laid::Foul(_) => Laid::Set(posting.house_way_setting(hand).expect("a house way sets every hand")),
        set @ Laid::Set(_) => set,
    }
}

fn hand_of(cards: &[Card]) -> SevenCards {
    Hand::new(cards.iter().copied().collect()).expect("seven cards")
}

/// A round of a table.
fn deal<'p>(chance: &mut Chance, posting: &'p Posting) -> Round<'p> {
    let book = posting.book();
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
            Some(Player { hand, laid: lay_banker(chance, posting, hand), stakes: Stakes::default() })
        } else if plays == Some(seat) || !chance.once_in(4) {
            let watches = plays != Some(seat) && chance.once_in(12);
            let stakes = if watches { Stakes::default() } else { stakes(chance, posting) };
            Some(Player { hand, laid: lay(chance, posting, hand), stakes })
        } else {
            None
        };
    }
    let dealer = book.seats.dealer_hand.then(|| {
        let hand = next();
        let setting = posting.house_way_setting(hand).expect("a house way sets every hand");
        let wagers = banks.is_some() && book.banking.plays_dealer && !chance.once_in(3);
        let wager = if wagers { amount(chance, &book.base_game.limits) } else { Amount::ZERO };
        Dealer { hand, setting, wager }
    });
    let mut round = Round { posting, bank: Bank::Dealer, first: any_seat(chance), players, dealer };
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

fn cover(chance: &mut Chance, round: &Round<'_>) -> Option<Amount> {
    let action = action(round);
    if round.posting.book().banking.cover == Cover::All {
        return chance.once_in(2).then(|| Amount::from_cents(action + chance.below(2)));
    }
    Some(Amount::from_cents(match chance.below(8) {
        0 => chance.below(2),
        1 => action,
        2 => action + chance.below(100_000),
        // Exactly what some seats wager.
        3 | 4 => {
            let some = round.players.iter().flatten().take(1 + chance.index(4));
            some.map(|player| player.stakes.pai_gow.cents()).sum()
        }
        _ => chance.below(action + 1),
    }))
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
            Party::Seat(seat) if !matches!(round.bank, Bank::Seat { seat: banker, .. } if banker == seat) => {
                Who::Seat(seat.number())
            }
            Party::Seat(_) | Party::Banker => Who::Banker,
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
            Outcome::NoAction => (Kind::Returned, Entry { outcome: None, stake, net, fee }),
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
        !matches!(kind, Kind::Played | Kind::Returned) && (entry.net, entry.fee) == (0, 0)
    };
    entries.retain(|&(_, _, kind), entry| !says_nothing(kind, entry));
    Restated {
        seats: nets.seats.map(|net| net.cents()),
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
    let mut text = format!("{}: {:?}, first {}\n", round.posting.book().id, round.bank, round.first);
    for (number, player) in (1..).zip(&round.players) {
        if let Some(player) = player {
            let _ = writeln!(text, "seat {number}: {player:?}");
        }
    }
    let _ = write!(text, "dealer: {:?}", round.dealer);
    text
}

// Agreement.

type Pairs = &'static [(&'static str, &'static str)];

const FEES: &str = r#"[{ wager_from = "0.00", player = "1.00", banker = "2.00" }, { wager_from = "50.00", player = "1.50", banker = "3.00" }, { wager_from = "1000.00", player = "4.00", banker = "25.25" }]"#;
const LIMIT_A_ROUND: &str = r#"{ amount = "100.00", per = "round", cite = "assumed: a test" }"#;

/// Books, changes to them, and paytables posted.
const TABLES: &[(&str, Pairs, Pairs)] = &[
    ("south-beach", &[], &[]),
    (
        "south-beach",
        &[("commission.rounding", "up"), ("commission.unit", "0.25"), ("commission.percent", "2.5")],
        &[],
    ),
    ("south-beach", &[("commission.rounding", "down"), ("commission.unit", "0.25")], &[]),
    (
        "south-beach",
        &[("commission.rounding", "nearest"), ("commission.unit", "0.10"), ("commission.percent", "2.5")],
        &[],
    ),
    ("south-beach", &[("base_game.copies", "player")], &[]),
    (
        "south-beach",
        &[("commission.banker", "each_win"), ("commission.rounding", "up"), ("commission.unit", "0.05")],
        &[],
    ),
    ("south-beach", &[("banking.cover", "some_or_all")], &[]),
    (
        "south-beach",
        &[
            ("banking.cover", "some_or_all"),
            ("banking.cover_use", "losses_only"),
            ("commission.banker", "each_win"),
        ],
        &[],
    ),
    (
        "south-beach",
        &[("banking.cover", "some_or_all"), ("commission.unit", "0.25"), ("commission.rounding", "up")],
        &[],
    ),
    (
        "south-beach",
        &[("wagers.fortune.settled_by", "banker"), ("wagers.fortune.payout_max.amount", "150.00")],
        &[],
    ),
    (
        "south-beach",
        &[("wagers.fortune.payout_max.amount", "33.33"), ("wagers.fortune.payout_max.per", "round")],
        &[],
    ),
    (
        "south-beach",
        &[
            ("collection.schedule", FEES),
            ("collection.cite", "assumed: a test"),
            ("setting.player_foul", "house_way"),
        ],
        &[],
    ),
    ("south-beach", &[("ranking.joker", "fully_wild")], &[]),
    ("south-dakota", &[], &[]),
    ("south-dakota", &[("dealing.order", "clockwise")], &[("fortune", "2")]),
    ("south-dakota", &[("base_game.copies", "player")], &[("fortune", "3")]),
    ("south-dakota", &[("wagers.fortune.envy.from", "7.77")], &[("fortune", "4")]),
    ("south-dakota", &[], &[("fortune", "6")]),
    ("south-dakota", &[], &[("fortune", "7")]),
    ("washington", &[], &[]),
    (
        "washington",
        &[("wagers.fortune.payout_max.amount", "100.00")],
        &[("fortune", "FPG-04"), ("pai-gowd", "01")],
    ),
    (
        "washington",
        &[("wagers.fortune.payout_max.amount", "0.05"), ("dealing.order", "clockwise")],
        &[("fortune", "Washington")],
    ),
    (
        "washington",
        &[("wagers.fortune.payout_max.amount", "250.01"), ("wagers.fortune.payout_max.per", "hand")],
        &[("pai-gowd", "03")],
    ),
    ("washington", &[("wagers.pai-gowd.player_must_beat", "false")], &[("fortune", "FPG-07")]),
    (
        "washington",
        &[
            ("banking.bankers", r#"["dealer", "seat"]"#),
            ("banking.plays_dealer", "true"),
            ("wagers.pai-gowd.settled_by", "banker"),
        ],
        &[],
    ),
    ("california", &[], &[]),
    ("california", &[("banking.cover_use", "losses_only")], &[("fortune", "FPG-02")]),
    ("california", &[("collection.schedule", FEES)], &[("fortune", "FPG-07")]),
    ("california", &[("banking.cover", "all")], &[("fortune", "FPG-08")]),
    (
        "california",
        &[("wagers.fortune.payout_max", LIMIT_A_ROUND), ("dealing.order", "clockwise")],
        &[("fortune", "FPG-09")],
    ),
    ("california", &[("commission.percent", "5"), ("base_game.copies", "player")], &[("fortune", "FPG-05")]),
    (
        "california",
        &[
            ("banking.bankers", r#"["player_dealer", "seat"]"#),
            ("commission.percent", "3.33"),
            ("commission.banker", "net_win"),
        ],
        &[("fortune", "FPG-06")],
    ),
    ("ez", &[], &[]),
    ("ez", &[("ranking.joker", "fully_wild")], &[("dynasty", "2")]),
    ("ez", &[("base_game.dealer_push", r#"["queen_high", "king_high", "pair"]"#)], &[("dynasty", "3")]),
    (
        "ez",
        &[
            ("banking.bankers", r#"["dealer", "seat"]"#),
            ("commission.percent", "5"),
            ("wagers.dynasty.settled_by", "banker"),
        ],
        &[("dynasty", "4")],
    ),
    (
        "ez",
        &[("banking.bankers", r#"["dealer", "seat"]"#), ("wagers.queens-dragon.settled_by", "banker")],
        &[("dynasty", "5")],
    ),
    ("ez", &[("wagers.red-black.payout_max", LIMIT_A_ROUND)], &[("dynasty", "6")]),
    (
        "ez",
        &[("wagers.protection.payout_max", LIMIT_A_ROUND), ("dealing.order", "clockwise")],
        &[("dynasty", "7")],
    ),
    ("ez", &[("base_game.copies", "player"), ("seats.players", "4")], &[]),
];

/// How often each outcome was seen, by its place in the enum.
type Tally = BTreeMap<String, u64>;

fn agree(table: usize, rounds: usize) -> Tally {
    let (book, changes, posted) = TABLES[table];
    let posting = posting(book, changes, posted);
    let mut chance = Chance(table as u64);
    let mut tally = Tally::new();
    for _ in 0..rounds {
        let round = deal(&mut chance, &posting);
        let settled = settle(&round);
        let restated = restate(&round);
        assert_eq!(
            settled,
            restated,
            "settled on the left, restated on the right, under {changes:?}\n{}",
            text(&round)
        );
        for ((who, place, kind), entry) in &settled.entries {
            let who = if let Who::Seat(_) = who { "seat".to_owned() } else { format!("{who:?}") };
            let side = if place.is_some() { "side" } else { "base" };
            *tally.entry(format!("{who} {side} {kind:?} {:?}", entry.outcome)).or_default() += 1;
        }
    }
    tally
}

#[test]
fn a_million_rounds_settle_as_restated() {
    let share = 1_000_000_usize.div_ceil(TABLES.len());
    let half = |parity: usize| -> Vec<Tally> {
        (0..TABLES.len()).filter(|table| table % 2 == parity).map(|table| agree(table, share)).collect()
    };
    let tallies = std::thread::scope(|scope| {
        let halves = [0, 1].map(|parity| scope.spawn(move || half(parity)));
        halves.map(|half| half.join().expect("the halves agree")).concat()
    });
    let mut total = Tally::new();
    for (outcome, count) in tallies.into_iter().flatten() {
        *total.entry(outcome).or_default() += count;
    }
    println!("{total:#?}");
}
