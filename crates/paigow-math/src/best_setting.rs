//! The worth of every setting of one hand, exactly.
//!
//! The dealer has one of the C(46, 7) = 53,524,680 hands of the cards that are left, each set the house way. What a house way makes
//! of a hand depends on its ranks alone unless the hand can make a flush, because conditions and strengths ask for suits in no
//! other way. So hands are counted by their ranks first, as though none could make a flush: for a pattern of ranks, the
//! product of the ways to take so many of the cards of each rank that are left. Then the hands that can make a flush, which
//! have at least five cards of one suit, the joker being of any, are taken out again and put in as what they are.

use crate::dominance::{Dominance, WIDTH};
use crate::hand_table::choose;
use crate::set_hand::{HandSetter, SetHand};
use paigow::rulebook::Copies;
use paigow::{
    Arrangement, Card, CardSet, HandClass, HighStrength, HouseWay, PartialHand, Rank, Ranking, Rulebook,
    Setting, SevenCards, Suit,
};
use rayon::prelude::*;

/// What a player plays against.
#[derive(Clone, Copy)]
pub struct Opposition<'a> {
    /// How the dealer sets.
    pub dealer: &'a HouseWay,
    /// How hands rank.
    pub ranking: Ranking,
    /// The dealer's hands that make every base wager push.
    pub dealer_push: &'a [HandClass],
    /// Who wins equal hands.
    pub copies: Copies,
    /// The commission on a win, in hundredths of a percent.
    pub commission: u32,
}

impl<'a> Opposition<'a> {
    /// What a book has a player play against, with a dealer who sets this way.
    pub fn of(book: &'a Rulebook, dealer: &'a HouseWay) -> Opposition<'a> {
        Opposition {
            dealer,
            ranking: book.ranking,
            dealer_push: &book.base_game.dealer_push,
            copies: book.base_game.copies,
            commission: book.commission.basis_points,
        }
    }
}

/// How many hands the dealer may have beside a given one: C(46, 7).
pub const DEALER_HANDS: u64 = 53_524_680;

/// What a setting is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// The dealer's hands against which it wins.
    pub win: u32,
    /// Those against which it loses.
    pub lose: u32,
}

impl Worth {
    /// Those against which it pushes.
    pub fn push(self) -> u64 {
        DEALER_HANDS - u64::from(self.win) - u64::from(self.lose)
    }

    /// What it wins, in ten thousandths of a wager and summed over all dealer's hands.
    pub fn value(self, commission: u32) -> i64 {
        i64::from(self.win) * i64::from(10_000 - commission) - i64::from(self.lose) * 10_000
    }
}

/// The legal settings of a hand with their worth.
#[derive(Clone, Debug)]
pub struct BestSetting {
    /// All of them, the best first.
    pub settings: Vec<(Setting, Worth)>,
    /// The place of the one the dealer would choose.
    pub house_way: usize,
}

impl BestSetting {
    /// Values every legal setting of a hand against every hand the dealer may have.
    ///
    /// # Panics
    /// If the dealer's hands counted are not all there are, or the house way's setting is not among the legal ones: every run
    /// checks both.
    pub fn of(hand: SevenCards, against: &Opposition<'_>) -> BestSetting {
        let setter = HandSetter::new(against.dealer, against.ranking, against.dealer_push);
        let dealers = DealerHands::beside(hand.cards(), &setter);
        let evaluator = setter.evaluator;
        let legal = hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(evaluator).ok());
        let mut settings: Vec<(Setting, Worth)> = legal
            .map(|setting| {
                let worth = dealers.against(SetHand::of(&setting), against.copies);
                (setting, Worth { win: worth.win, lose: worth.lose })
            })
            .collect();
        let chosen = against.dealer.decide(hand, evaluator).setting;
        settings.sort_by_key(|(setting, worth)| {
            let front = (setting.low_strength, setting.high_strength, setting.low.cards());
            (-worth.value(against.commission), std::cmp::Reverse(front))
        });
        let house_way = settings.iter().position(|(setting, _)| *setting == chosen);
        let Some(house_way) = house_way else {
            panic!("the house way `{}` sets {hand} as {chosen}, which is not legal", against.dealer.id())
        };
        BestSetting { settings, house_way }
    }
}

/// The dealer's hands that are possible beside some cards, counted by their strengths.
struct DealerHands {
    /// A row of [`WIDTH`] for each strength of five cards. Numbers wrap round while hands are taken out that are yet to be
    /// put in.
    counts: Vec<u32>,
    pushing: u32,
}

impl DealerHands {
    fn beside(taken: CardSet, setter: &HandSetter<'_>) -> Dominance {
        let left = Left::beside(taken);
        let suited: Vec<(Suit, u16, bool)> = left.suited().collect();
        let mut hands = suited
            .par_chunks(256)
            .fold(DealerHands::new, |mut hands, chunk| {
                for &(suit, mask, joker) in chunk {
                    hands.correct_flushes(&left, setter, suit, mask, joker);
                }
                hands
            })
            .reduce(DealerHands::new, |one, other| one.with(&other));
        for joker in [false, true] {
            if !joker || left.joker {
                hands.count_patterns(
                    &left,
                    setter,
                    &mut Pattern { counts: [0; 13], joker },
                    0,
                    7 - u8::from(joker),
                    1,
                );
            }
        }
        let mut dominance = Dominance::new();
        dominance.clear();
        dominance.add_all(&hands.counts);
        dominance.sum_up();
        let counted = u64::from(dominance.total()) + u64::from(hands.pushing);
        assert_eq!(counted, DEALER_HANDS, "the dealer's hands counted are not all there are");
        dominance
    }

    fn new() -> DealerHands {
        DealerHands { counts: vec![0; HighStrength::COUNT * WIDTH], pushing: 0 }
    }

    fn with(mut self, other: &DealerHands) -> DealerHands {
        self.counts.iter_mut().zip(&other.counts).for_each(|(one, other)| *one = one.wrapping_add(*other));
        self.pushing = self.pushing.wrapping_add(other.pushing);
        self
    }

    fn add(&mut self, hand: SetHand, hands: u32) {
        let count = if hand.pushes() {
            &mut self.pushing
        } else {
            &mut self.counts[hand.high() * WIDTH + hand.low()]
        };
        *count = count.wrapping_add(hands);
    }

    /// Counts the hands of every pattern that goes on like this one from a rank up, as though none could make a flush.
    fn count_patterns(
        &mut self,
        left: &Left,
        setter: &HandSetter<'_>,
        pattern: &mut Pattern,
        rank: usize,
        cards: u8,
        ways: u32,
    ) {
        if cards == 0 {
            return self.add(setter.set(pattern.without_flush()), ways);
        }
        if rank == 13 {
            return;
        }
        for count in 0..=cards.min(left.of_rank(rank) as u8) {
            pattern.counts[rank] = count;
            let ways = ways * choose(left.of_rank(rank), usize::from(count));
            self.count_patterns(left, setter, pattern, rank + 1, cards - count, ways);
        }
        pattern.counts[rank] = 0;
    }

    /// Takes out the hands with just these cards of a suit, and puts them in as what they are.
    fn correct_flushes(&mut self, left: &Left, setter: &HandSetter<'_>, suit: Suit, mask: u16, joker: bool) {
        let mut suited = PartialHand::of_suit(suit, mask);
        if joker {
            suited = suited.with(Card::JOKER);
        }
        let mut others = [0; 13];
        self.correct_with(left, setter, suit, suited, &mut others, 0, 1);
    }

    /// The same where cards of other suits are among the hand, from a rank up.
    #[allow(clippy::too_many_arguments)] // a recursion that carries what it has built
    fn correct_with(
        &mut self,
        left: &Left,
        setter: &HandSetter<'_>,
        suit: Suit,
        hand: PartialHand,
        others: &mut [u8; 13],
        from: usize,
        ways: u32,
    ) {
        if hand.cards().len() == 7 {
            let hand: SevenCards = hand.complete();
            self.add(setter.set(hand), ways);
            self.add(setter.set(Pattern::of(hand.cards()).without_flush()), ways.wrapping_neg());
            return;
        }
        for rank in from..13 {
            let free = left.of_rank(rank) - usize::from(left.suits[suit.index()] >> rank & 1);
            let taken = usize::from(others[rank]);
            if taken == free {
                continue;
            }
            // Of the other suits it is all one which the hand has.
            let Some(other) = Suit::ALL.into_iter().filter(|other| *other != suit).nth(taken) else {
                continue;
            };
            others[rank] += 1;
            // Taking one more of a rank of which so many were taken: C(free, taken + 1) ways for C(free, taken).
            let ways = ways / choose(free, taken) * choose(free, taken + 1);
            let hand = hand.with(Card::new(Rank::ALL[rank], other));
            self.correct_with(left, setter, suit, hand, others, rank, ways);
            others[rank] -= 1;
        }
    }
}

/// The cards that are left beside some.
struct Left {
    suits: [u16; 4],
    joker: bool,
}

impl Left {
    fn beside(taken: CardSet) -> Left {
        let left = CardSet::DECK.difference(taken);
        Left { suits: left.suit_masks(), joker: left.has_joker() }
    }

    /// How many of a rank.
    fn of_rank(&self, rank: usize) -> usize {
        self.suits.iter().filter(|mask| **mask >> rank & 1 == 1).count()
    }

    /// The sets of one suit that can make a flush, with or without the joker.
    fn suited(&self) -> impl Iterator<Item = (Suit, u16, bool)> {
        let jokers = if self.joker { &[false, true][..] } else { &[false][..] };
        let of_suit = move |(suit, left): (Suit, u16)| {
            let sets = (0..1u16 << 13).filter(move |mask| mask & !left == 0);
            sets.flat_map(move |mask| {
                let cards = mask.count_ones() as usize;
                let fits = move |joker: &bool| (5..=7).contains(&(cards + usize::from(*joker)));
                jokers.iter().copied().filter(fits).map(move |joker| (suit, mask, joker))
            })
        };
        Suit::ALL.into_iter().zip(self.suits).flat_map(of_suit)
    }
}

/// How many cards of each rank, and whether the joker.
struct Pattern {
    counts: [u8; 13],
    joker: bool,
}

impl Pattern {
    fn of(cards: CardSet) -> Pattern {
        Pattern { counts: Rank::ALL.map(|rank| cards.count(rank) as u8), joker: cards.has_joker() }
    }

    /// Seven cards like this that can make no flush: suits go round, so that none has more than two.
    fn without_flush(&self) -> SevenCards {
        let mut hand = if self.joker { PartialHand::EMPTY.with(Card::JOKER) } else { PartialHand::EMPTY };
        let mut suits = Suit::ALL.into_iter().cycle();
        for (rank, count) in Rank::ALL.into_iter().zip(self.counts) {
            for suit in suits.by_ref().take(usize::from(count)) {
                hand = hand.with(Card::new(rank, suit));
            }
        }
        hand.complete()
    }
}
