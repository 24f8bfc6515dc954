//! The odds of side wagers against the payouts of settlement.
//!
//! All hands are grouped by the classes they contain and by whether they contain the joker. Sample hands of every group
//! are dealt in real rounds. The payouts of settlement, weighted by the number of hands in each group, must equal the
//! odds: the counts of each row, the edge, the hit frequency and the variance, for every paytable of every book.
//! Settlement and the odds use the same paytable, but settlement finds the row of a hand and the odds count the hands
//! of a row.

use crate::counts::census;
use paigow::rulebook::{BuiltIn, DecidingCards, SideWager};
use paigow::{
    Amount, Bank, Card, CardSet, ClassSet, Color, Dealer, Hand, HandClass, Holdings, Joker, Line, Outcome,
    PartialHand, Party, Pays, Paytable, PlayedHand, Player, Rank, Reason, Rulebook, Seat, Settlement,
    SevenCards, SideStake, Stakes, Suit, TableRules, WagerRef, WinsOn,
};
use paigow_math::{
    BaseGame, Census, CountBasis, DEALS, Fraction, NoPair, SuitClasses, WagerOdds, color_counts,
};
use paigow_testkit::{Rng, hand, rulebook, seat};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

// Hands.

/// The hands that contain the same classes, with or without the joker.
struct HandGroup {
    classes: ClassSet,
    hands: u64,
    samples: Vec<Sample>,
}

/// A hand of a group, with hands for the other seats.
struct Sample {
    hand: SevenCards,
    others: Vec<SevenCards>,
}

/// Returns a random number that depends only on the given one.
fn scramble(number: u64) -> u64 {
    Rng::new(number).next()
}

impl Sample {
    /// The hand with permuted suits, and six hands of the remaining cards.
    fn of(hand: PartialHand, seed: u64) -> Sample {
        let mut masks = hand.cards().suit_masks();
        masks.rotate_left(seed as usize % 4);
        if seed / 4 % 2 == 1 {
            masks.swap(0, 1);
        }
        let cards = CardSet::from_masks(masks, hand.cards().has_joker());
        Sample { hand: Hand::new(cards).unwrap(), others: others(cards, seed) }
    }
}

/// Six hands of the remaining cards, shuffled.
fn others(taken: CardSet, seed: u64) -> Vec<SevenCards> {
    let mut rest: Vec<Card> = CardSet::DECK.difference(taken).iter().collect();
    rest.sort_by_key(|card| {
        scramble(seed << 6 ^ Card::deck().position(|other| other == *card).unwrap() as u64)
    });
    rest.chunks_exact(7).take(6).map(|cards| Hand::new(cards.iter().copied().collect()).unwrap()).collect()
}

/// All groups under a use of the joker. The samples are the first visited hand, the fourth, the sixteenth and so on.
fn hand_groups(joker: Joker) -> &'static [HandGroup] {
    static GROUPS: [OnceLock<Vec<HandGroup>>; 2] = [const { OnceLock::new() }; 2];
    GROUPS[joker as usize].get_or_init(|| {
        let holdings = Holdings::of(joker);
        let mut groups: BTreeMap<(ClassSet, bool), (u64, HandGroup)> = BTreeMap::new();
        SuitClasses::of(7).for_each(|hand, weight| {
            let classes = holdings.classes_of(hand.complete());
            let new = || (0, HandGroup { classes, hands: 0, samples: Vec::new() });
            let (seen, group) = groups.entry((classes, hand.cards().has_joker())).or_insert_with(new);
            *seen += 1;
            group.hands += weight;
            if seen.is_power_of_two() && seen.trailing_zeros().is_multiple_of(2) {
                group.samples.push(Sample::of(hand, scramble(*seen)));
            }
        });
        groups.into_values().map(|(_, group)| group).collect()
    })
}

#[test]
fn groups_partition_all_hands() {
    for joker in Joker::ALL {
        assert_eq!(hand_groups(joker).iter().map(|group| group.hands).sum::<u64>(), Census::HANDS);
        let contained = |class| hand_groups(joker).iter().any(|group| group.classes.contains(class));
        for class in HandClass::ALL {
            let exists =
                class != HandClass::Nothing && (class != HandClass::FiveOfAKind || joker == Joker::FullyWild);
            assert_eq!(contained(class), exists, "{class}");
        }
        for group in hand_groups(joker) {
            for sample in &group.samples {
                assert_eq!(Holdings::of(joker).classes_of(sample.hand), group.classes, "{}", sample.hand);
            }
        }
    }
}

// Books.

/// Every book, and the book with a choice of the joker under its other choice too.
fn books() -> Vec<Arc<Rulebook>> {
    let mut books: Vec<_> = BuiltIn::book_names().map(|name| rulebook(name, &[])).collect();
    books.push(rulebook("ez", &[("ranking.joker", "fully_wild")]));
    books
}

/// A side wager with one of its paytables posted.
struct Offer {
    table_rules: TableRules,
    /// Index of the side wager among the offered ones.
    index: usize,
}

impl Offer {
    fn wager(&self) -> &SideWager {
        self.table_rules.wager(self.index)
    }

    fn paytable(&self) -> &Paytable {
        self.table_rules.paytable(self.index)
    }

    fn name(&self) -> String {
        format!("{} {} {}", self.table_rules.book().id, self.wager().name, self.paytable().name)
    }

    /// Stakes of a seat: `amount` on the side wager, and the minimum on the base game.
    fn stakes(&self, amount: Amount, color: Option<Color>) -> Stakes {
        let mut stakes =
            Stakes { pai_gow: self.table_rules.book().base_game.limits.min, ..Stakes::default() };
        stakes.sides[self.index] = Some(SideStake { amount, color });
        stakes
    }

    /// Settles a round of the first seats against the dealer, or against the last seat if the dealer has no hand.
    fn settle(&self, seats: &[(SevenCards, Stakes)], bank: SevenCards) -> Settlement {
        let set = |hand| self.table_rules.house_way_setting(hand);
        let player = |hand, stakes| Player { hand, played: PlayedHand::Set(set(hand)), stakes };
        let book = self.table_rules.book();
        let mut players = [None; Seat::COUNT_MAX];
        for (slot, &(hand, stakes)) in players.iter_mut().zip(seats) {
            *slot = Some(player(hand, stakes));
        }
        let (banker, dealer) = if book.seats.dealer_hand {
            (Bank::Dealer, Some(Dealer { hand: bank, setting: set(bank), wager: Amount::ZERO }))
        } else {
            let seat = seat(book.seats.players);
            assert!(players[seat.index()].is_none(), "the banker's seat is free");
            players[seat.index()] = Some(player(bank, Stakes::default()));
            (Bank::Seat { seat, covers: Some(Amount::from_cents(1_000_000_000)) }, None)
        };
        let showdown = paigow::Showdown::new(&self.table_rules, banker, Seat::FIRST, players, dealer);
        Settlement::of(&showdown.expect("a round the rules accept"))
    }

    /// Payout of the first seat's wager.
    fn payout(&self, seats: &[(SevenCards, Stakes)], bank: SevenCards) -> Payout {
        let settlement = self.settle(seats, bank);
        let mine = |line: &&Line| {
            line.who == Party::Seat(Seat::FIRST)
                && line.wager == WagerRef::Side(self.index as u8)
                && line.outcome != Outcome::Envy
        };
        let lines: Vec<&Line> = settlement.lines().iter().filter(mine).collect();
        let [line] = lines[..] else { panic!("one line for one wager: {lines:?}") };
        let row = match line.reason {
            Reason::Row(row) | Reason::Limited(row) => Some(usize::from(row)),
            _ => None,
        };
        Payout { outcome: line.outcome, net: line.net.cents().into(), row }
    }

    /// Payout of a wager on one hand. The sample is dealt to the player or the dealer, whichever the wager is on.
    fn payout_on_one_hand(&self, sample: &Sample, stake: Amount) -> Payout {
        let stakes = self.stakes(stake, None);
        let other = sample.others[0];
        match self.wager().looks_at {
            DecidingCards::DealerHand => self.payout(&[(other, stakes)], sample.hand),
            _ => self.payout(&[(sample.hand, stakes)], other),
        }
    }
}

/// Every side wager with every paytable that can be posted.
fn offers(books: &[Arc<Rulebook>]) -> Vec<Offer> {
    let mut offers = Vec::new();
    for book in books {
        for (index, wager) in book.wagers.iter().enumerate() {
            for paytable in wager.paytables.iter().filter(|paytable| paytable.available) {
                let posted = [(wager.name.clone(), paytable.name.clone())];
                let table_rules = TableRules::new(Arc::clone(book), &posted).expect("valid table rules");
                offers.push(Offer { table_rules, index });
            }
        }
    }
    offers
}

fn is_on_one_hand(offer: &Offer) -> bool {
    matches!(offer.wager().looks_at, DecidingCards::PlayerHand | DecidingCards::DealerHand)
}

fn odds_of_hands(offer: &Offer) -> WagerOdds<'_> {
    let (wager, paytable) = (offer.wager(), offer.paytable());
    WagerOdds::of(wager, paytable, census(paytable.joker), || panic!("the wager is on one hand"))
}

// Payouts.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Payout {
    outcome: Outcome,
    /// In cents.
    net: i128,
    row: Option<usize>,
}

/// Payouts over all hands or deals.
struct Tally {
    stake: i128,
    all: i128,
    by_row: Vec<i128>,
    wins: i128,
    losing: i128,
    net: i128,
    net_squared: i128,
}

impl Tally {
    fn new(rows: usize, stake: Amount) -> Tally {
        let stake = i128::from(stake.cents());
        Tally { stake, all: 0, by_row: vec![0; rows], wins: 0, losing: 0, net: 0, net_squared: 0 }
    }

    fn add(&mut self, paid: Payout, times: i128) {
        let Payout { outcome, net, row } = paid;
        self.all += times;
        self.net += net * times;
        self.net_squared += net * net * times;
        match (outcome, row) {
            (Outcome::Win, Some(row)) => {
                assert!(net > 0);
                self.wins += times;
                self.by_row[row] += times;
            }
            (Outcome::Push, Some(row)) => {
                assert_eq!(net, 0);
                self.by_row[row] += times;
            }
            (Outcome::Lose, None) => {
                assert_eq!(net, -self.stake);
                self.losing += times;
            }
            _ => panic!("a side wager wins or pushes through a row, or loses without a row: {paid:?}"),
        }
    }

    fn edge(&self) -> Fraction {
        Fraction::new(-self.net, self.stake * self.all)
    }

    /// Checks that the odds equal the payouts.
    fn check(&self, odds: &WagerOdds<'_>, name: &str) {
        assert_eq!(self.all, odds.of.all(), "{name}");
        let counted: Vec<i128> = odds.rows.iter().map(|(_, count)| *count).collect();
        assert_eq!(counted, self.by_row, "{name}: rows");
        assert_eq!(odds.losing(), self.losing, "{name}: losing");
        assert_eq!(odds.hit_frequency(), Fraction::new(self.wins, self.all), "{name}: hit frequency");
        assert_eq!(odds.edge(), self.edge(), "{name}: edge");
        let squares = Fraction::new(self.net_squared, self.stake * self.stake * self.all);
        assert_eq!(odds.variance(), squares - self.edge().squared(), "{name}: variance");
        let returned: Fraction = odds.rows.iter().map(|(row, count)| odds.row_return(row, *count)).sum();
        assert_eq!(
            returned,
            Fraction::new(self.net + self.stake * self.losing, self.stake * self.all),
            "{name}"
        );
    }
}

/// Payouts of settlement over all hands, from samples of each group. All samples of a group must have the same payout.
fn tally_of_groups(offer: &Offer, stake: Amount, samples: usize) -> Tally {
    let mut tally = Tally::new(offer.paytable().rows.len(), stake);
    for group in hand_groups(offer.paytable().joker) {
        let samples = group.samples.iter().take(samples);
        let mut paid = samples.map(|sample| (sample, offer.payout_on_one_hand(sample, stake)));
        let (first, expected) = paid.next().expect("a hand of the group");
        for (sample, paid) in paid {
            assert_eq!(paid, expected, "{}: {} and {}", offer.name(), sample.hand, first.hand);
        }
        tally.add(expected, group.hands.into());
    }
    tally
}

#[test]
fn odds_of_wagers_on_one_hand_match_settlement() {
    let mut seen = 0;
    for offer in offers(&books()).iter().filter(|offer| is_on_one_hand(offer)) {
        let odds = odds_of_hands(offer);
        assert_eq!(odds.of, CountBasis::Hands);
        let stake = offer.wager().limits.min;
        tally_of_groups(offer, stake, usize::MAX).check(&odds, &offer.name());
        seen += 1;
    }
    assert_eq!(seen, 41, "the paytables of every book, twice for the book with a choice of the joker");
}

// Maximum payouts.

/// Stakes around those at which a row's payout reaches the maximum, and the smallest and the largest stake.
fn stakes_around_the_maximum(wager: &SideWager, paytable: &Paytable, max: u64) -> Vec<Amount> {
    let limits = [wager.limits.min.cents(), wager.limits.max.cents()];
    let pays = paytable.rows.iter().filter_map(|row| match row.pays {
        Pays::ToOne(times) => Some(u64::from(times)),
        Pays::Push => None,
    });
    let mut stakes: Vec<u64> = pays.flat_map(|times| [max / times, max / times + 1]).chain(limits).collect();
    stakes.retain(|stake| (limits[0]..=limits[1]).contains(stake));
    stakes.sort_unstable();
    stakes.dedup();
    stakes.into_iter().map(Amount::from_cents).collect()
}

#[test]
fn edge_under_a_maximum_payout_matches_settlement() {
    let cite = |wager: &str| (format!("wagers.{wager}.payout_max.cite"), "a test".to_owned());
    let mut limited = 0;
    let mut check = |book: &Arc<Rulebook>| {
        for offer in offers(std::slice::from_ref(book)).iter().filter(|offer| is_on_one_hand(offer)) {
            let wager = offer.wager();
            let max = wager.payout_max.as_ref().and_then(|max| max.amount).map_or(0, Amount::cents);
            let odds = odds_of_hands(offer);
            for stake in stakes_around_the_maximum(wager, offer.paytable(), max) {
                let tally = tally_of_groups(offer, stake, 2);
                assert_eq!(odds.edge_at(stake), tally.edge(), "{} at {stake}", offer.name());
                assert_eq!(odds.hit_frequency(), Fraction::new(tally.wins, tally.all), "{}", offer.name());
                assert!(odds.edge_at(stake) >= odds.edge());
                limited += usize::from(odds.edge_at(stake) > odds.edge());
            }
        }
    };
    for name in BuiltIn::book_names() {
        check(&rulebook(name, &[]));
    }
    for (name, wager) in
        [("washington", "fortune"), ("california", "fortune"), ("ez", "dynasty"), ("ez", "queens-dragon")]
    {
        for per in ["hand", "round"] {
            for amount in ["\"20000.00\"", "\"777.77\""] {
                let key = |key: &str| format!("wagers.{wager}.payout_max.{key}");
                let changes = [(key("amount"), amount.to_owned()), (key("per"), per.to_owned()), cite(wager)];
                let changed = Rulebook::load(name, &changes, &BuiltIn).expect("a book with a maximum payout");
                check(&Arc::new(changed));
            }
        }
    }
    assert!(limited > 100, "the maximum applied {limited} times");
}

// Envy.

/// The first seat holds an envy button at the smallest stake that earns one. Every other seat is dealt hands of every
/// group, and the bonuses of its hands must add up to the envy value.
#[test]
fn envy_value_matches_settlement() {
    let mut seen = 0;
    for offer in offers(&books()) {
        let Some(envy) = &offer.wager().envy else { continue };
        let book = Arc::clone(offer.table_rules.book());
        let players = book.seats.players - u8::from(!book.seats.dealer_hand);
        let odds = odds_of_hands(&offer);
        let none = Stakes { pai_gow: book.base_game.limits.min, ..Stakes::default() };
        let with = |cents| offer.stakes(Amount::from_cents(cents), None);
        let mut worth = Fraction::zero();
        assert_eq!(odds.edge_with_players(1), odds.edge());
        for seat in 2..=players {
            let mut earned = 0;
            for group in hand_groups(offer.paytable().joker) {
                let sample = &group.samples[usize::from(seat) % group.samples.len()];
                // The seat gets the sample, and the other seats and the bank get other hands.
                let mut hands = sample.others[..usize::from(players) - 1].to_vec();
                hands.insert(usize::from(seat) - 1, sample.hand);
                let bank = sample.others[5];
                let bonus = |stake: Stakes| {
                    let seats = hands
                        .iter()
                        .enumerate()
                        .map(|(index, &hand)| (hand, if index == 0 { stake } else { none }));
                    let settlement = offer.settle(&seats.collect::<Vec<_>>(), bank);
                    let envies = settlement.lines().iter().filter(|line| line.outcome == Outcome::Envy);
                    let of_seat = |line: &&Line| {
                        assert_eq!(line.who, Party::Seat(Seat::FIRST), "no other seat holds a button");
                        matches!(line.reason, Reason::Envy { of, .. } if of.number() == seat)
                    };
                    envies.filter(of_seat).map(|line| i128::from(line.net.cents())).sum::<i128>()
                };
                let least = bonus(with(envy.from.cents()));
                earned += least * i128::from(group.hands);
                assert_eq!(
                    bonus(with(offer.wager().limits.max.cents())),
                    least,
                    "the bonus does not depend on the stake"
                );
                assert_eq!(bonus(with(envy.from.cents() - 1)), 0, "the stake earns no button");
                let alone = offer.settle(&[(sample.hand, with(envy.from.cents()))], bank);
                assert!(
                    alone.lines().iter().all(|line| line.outcome != Outcome::Envy),
                    "no bonus for the own hand"
                );
            }
            let earned = Fraction::new(earned, i128::from(envy.from.cents()) * odds.of.all());
            assert_eq!(odds.envy(), earned, "{} by seat {seat}", offer.name());
            worth = worth + earned;
            assert_eq!(
                odds.edge_with_players(seat),
                odds.edge() - worth.clone(),
                "{} with {seat}",
                offer.name()
            );
        }
        seen += 1;
    }
    assert_eq!(seen, 37, "every Fortune and Dynasty table");
}

// Colors.

/// Number of hands with 0 to 7 cards of a color, by adding one card after another to all hands.
fn colors_card_by_card(color: Color) -> [u64; 8] {
    let mut hands = [[0u64; 8]; 8];
    hands[0][0] = 1;
    for card in Card::deck() {
        let more = usize::from(card.color() == Some(color));
        for cards in (0..7).rev() {
            for colored in (0..=cards).rev() {
                hands[cards + 1][colored + more] += hands[cards][colored];
            }
        }
    }
    hands[7]
}

#[test]
fn odds_of_color_wagers_match_settlement() {
    let of_color = |color| Card::deck().filter(move |card| card.color() == Some(color));
    let changes = [
        ("wagers.red-black.payout_max.amount", "\"77.77\""),
        ("wagers.red-black.payout_max.per", "hand"),
        ("wagers.red-black.payout_max.cite", "a test"),
    ];
    let mut seen = 0;
    for offer in offers(&[rulebook("ez", &[]), rulebook("ez", &changes)]) {
        if offer.wager().looks_at != DecidingCards::Color {
            continue;
        }
        let odds = odds_of_hands(&offer);
        for (color, other) in [(Color::Red, Color::Black), (Color::Black, Color::Red)] {
            let counted = colors_card_by_card(color);
            assert_eq!(counted, color_counts());
            assert_eq!(counted.iter().sum::<u64>(), Census::HANDS);
            let paid = |colored: usize, joker: bool, seed: u64, stake: Amount| {
                let mut cards: CardSet =
                    if joker { [Card::JOKER].into_iter().collect() } else { CardSet::EMPTY };
                let skip = |seed: u64| scramble(seed) as usize % 19;
                cards = of_color(color).skip(skip(seed)).take(colored).fold(cards, CardSet::with);
                let rest = 7 - cards.len();
                cards = of_color(other).skip(skip(seed + 1)).take(rest).fold(cards, CardSet::with);
                let hand = Hand::new(cards).expect("seven cards");
                offer.payout(&[(hand, offer.stakes(stake, Some(color)))], others(cards, seed)[0])
            };
            for stake in [100, 101, 500, 1_555, 1_556, 7_777, 7_778, 50_000].map(Amount::from_cents) {
                let mut tally = Tally::new(odds.rows.len(), stake);
                for (colored, hands) in counted.into_iter().enumerate() {
                    let expected = paid(colored, false, 0, stake);
                    for seed in 1..20 {
                        assert_eq!(paid(colored, false, seed, stake), expected);
                        // The joker takes one of the other cards' positions.
                        if colored < 7 {
                            assert_eq!(paid(colored, true, seed, stake), expected);
                        }
                    }
                    tally.add(expected, hands.into());
                }
                assert_eq!(odds.edge_at(stake), tally.edge(), "{} at {stake}", offer.name());
                if stake < Amount::from_cents(1_555) {
                    tally.check(&odds, &offer.name());
                }
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 2);
}

// Wagers on the dealer's high hand.

/// The hand with the suits rotated. The joker becomes an ace.
fn rotate_suits(hand: SevenCards, steps: usize) -> SevenCards {
    let card = |card: Card| match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => Card::new(rank, Suit::ALL[(suit.index() + steps) % 4]),
        _ => Card::new(Rank::Ace, Suit::ALL[steps]),
    };
    Hand::new(hand.cards().iter().map(card).collect()).expect("seven cards")
}

/// Covers every highest card of the dealer's high hand and every comparison with the player's. The counts of deals are
/// artificial, and each count must be in the row that settlement pays.
#[test]
fn odds_of_wagers_on_the_dealers_high_hand_match_settlement() {
    let no_pair = std::array::from_fn(|rank| {
        let deals = DEALS / 20 + 1_000_003 * rank as i128;
        NoPair { deals, beaten: deals / 3 + rank as i128 }
    });
    let game = BaseGame { no_pair, ..BaseGame::default() };
    let mut seen = 0;
    for must_beat in ["true", "false"] {
        let changed = rulebook("washington", &[("wagers.pai-gowd.player_must_beat", must_beat)]);
        let offers = offers(&[changed]);
        for offer in offers.iter().filter(|offer| offer.wager().looks_at == DecidingCards::DealerFiveCards) {
            let odds = WagerOdds::of(offer.wager(), offer.paytable(), census(Joker::SemiWild), || game);
            assert_eq!(odds.of, CountBasis::Deals);
            let stake = offer.wager().limits.min;
            let mut tally = Tally::new(odds.rows.len(), stake);
            let mut left = DEALS;
            for (rank, deals) in Rank::ALL.into_iter().zip(no_pair) {
                let Some(class) = HandClass::of_high_card(rank) else { continue };
                let compared = compared_with_dealers(offer, class, stake);
                tally.add(compared[0], deals.beaten);
                assert_eq!(compared[1], compared[2], "{}: a copy is not beaten", offer.name());
                tally.add(compared[1], deals.deals - deals.beaten);
                left -= deals.deals;
                let in_table =
                    offer.paytable().rows.iter().position(|row| row.wins_on == WinsOn::Class(class));
                assert_eq!(compared[0].row, in_table, "{class}");
                assert_eq!(compared[1].row, in_table.filter(|_| must_beat == "false"), "{class}");
            }
            // All other deals lose.
            let pair = hand("Ks Kd Qc 9h 7s 4d 2c");
            let better = hand("As Ad Ac Jh Js 4h 2d");
            let paid = offer.payout(&[(better, offer.stakes(stake, None))], pair);
            assert_eq!(paid.outcome, Outcome::Lose);
            tally.add(paid, left);
            tally.check(&odds, &offer.name());
            assert_eq!(odds.edge_at(stake), odds.edge());
            assert_eq!(odds.edge_with_players(6), odds.edge(), "no envy");
            seen += 1;
        }
    }
    assert_eq!(seen, 6, "three paytables, with the condition and without");
}

/// Payouts if the dealer has a pai gow of the class and the player's high hand is higher, equal and lower.
///
/// All deals with the same comparison must have the same payout.
fn compared_with_dealers(offer: &Offer, class: HandClass, stake: Amount) -> [Payout; 3] {
    let mut found: [Vec<Payout>; 3] = Default::default();
    let high = |hand| offer.table_rules.house_way_setting(hand).high_strength;
    let mut deal = |player: SevenCards, dealer: SevenCards| {
        let comparison = match high(player).cmp(&high(dealer)) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        found[comparison].push(offer.payout(&[(player, offer.stakes(stake, None))], dealer));
        comparison
    };
    let all = || hand_groups(Joker::SemiWild).iter();
    let samples = all().filter(|group| group.classes.contains(class)).flat_map(|group| &group.samples);
    for sample in samples {
        let dealer = sample.hand;
        for other in &sample.others {
            deal(*other, dealer);
        }
        // The same ranks in other suits.
        for steps in 1..4 {
            let copy = rotate_suits(dealer, steps);
            if copy.cards().intersection(dealer.cards()).is_empty() {
                assert_eq!(deal(copy, dealer), 1, "{copy} copies {dealer}");
            }
        }
        // Pai gows of this class and of lower classes, which are rare among the samples.
        let lower = HandClass::PAI_GOWS.into_iter().filter(|other| *other >= class);
        for player in lower.flat_map(|class| all().filter(move |group| group.classes.contains(class))) {
            for player in &player.samples {
                let player = rotate_suits(player.hand, 1);
                if player.cards().intersection(dealer.cards()).is_empty() {
                    deal(player, dealer);
                }
            }
        }
    }
    found.map(|paid| {
        assert!(paid.iter().all(|other| *other == paid[0]), "{class}: {paid:?}");
        paid[0]
    })
}

// All paytables, including those that cannot be posted.

/// Index of the row with the highest payout among the classes of a hand, the first of equals.
///
/// It does not use the paytable's own search.
fn best_row(paytable: &Paytable, classes: ClassSet) -> Option<usize> {
    let times = |pays| match pays {
        Pays::Push => 0,
        Pays::ToOne(times) => times,
    };
    let rows = paytable.rows.iter().enumerate();
    let held = rows.filter(|(_, row)| matches!(row.wins_on, WinsOn::Class(class) if classes.contains(class)));
    held.min_by_key(|&(index, row)| (std::cmp::Reverse(times(row.pays)), index)).map(|(index, _)| index)
}

#[test]
fn row_counts_of_every_paytable_match_hand_groups() {
    let (mut seen, mut unavailable) = (0, 0);
    for book in books() {
        for wager in book
            .wagers
            .iter()
            .filter(|wager| matches!(wager.looks_at, DecidingCards::PlayerHand | DecidingCards::DealerHand))
        {
            for paytable in &wager.paytables {
                let no_game = || panic!("the wager is on one hand");
                let odds = WagerOdds::of(wager, paytable, census(paytable.joker), no_game);
                let mut rows = vec![0; paytable.rows.len()];
                for group in hand_groups(paytable.joker) {
                    if let Some(row) = best_row(paytable, group.classes) {
                        rows[row] += i128::from(group.hands);
                    }
                }
                let counted: Vec<i128> = odds.rows.iter().map(|(_, count)| *count).collect();
                assert_eq!(counted, rows, "{} {}", book.id, paytable.name);
                assert!(counted.iter().all(|count| *count > 0), "{} {}", book.id, paytable.name);
                let envy: i128 = paytable
                    .rows
                    .iter()
                    .zip(&rows)
                    .map(|(row, count)| i128::from(row.envy.map_or(0, Amount::cents)) * count)
                    .sum();
                let from = wager.envy.as_ref().map_or(1, |envy| envy.from.cents());
                assert_eq!(odds.envy(), Fraction::new(envy, i128::from(from) * i128::from(Census::HANDS)));
                seen += 1;
                if !paytable.available {
                    let posted = [(wager.name.clone(), paytable.name.clone())];
                    assert!(TableRules::new(Arc::clone(&book), &posted).is_err());
                    unavailable += 1;
                }
            }
        }
    }
    assert_eq!((seen, unavailable), (42, 1));
}
