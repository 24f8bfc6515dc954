//! The exact worth of every setting of one hand.
//!
//! The dealer has one of the C(46, 7) = 53,524,680 hands of the remaining cards, set the house way. A house way's
//! setting depends only on ranks unless the hand can make a flush, because conditions and strengths use suits in no
//! other way. So the count proceeds in two steps:
//!
//! 1. Hands are counted by their ranks, as if no hand could make a flush. The number of hands with a pattern of ranks
//!    is a product over the ranks of the ways to choose that many of the remaining cards.
//! 2. Hands that can make a flush are subtracted and added again with their true strengths. They have at least five
//!    cards of one suit, where the joker belongs to any suit.

use crate::dominance::{Dominance, WIDTH, WinsAndLosses};
use crate::hand_table::choose;
use crate::set_hand::{HandSetter, SetHand};
use paigow::rulebook::CopyWinner;
use paigow::{
    Arrangement, Card, CardSet, HandClass, HighStrength, HouseWay, PartialHand, Rank, Ranking, Rulebook,
    Setting, SevenCards, Suit,
};
use rayon::prelude::*;

/// The dealer and the rules that a player's setting is valued against.
#[derive(Clone, Copy)]
pub struct Opposition<'a> {
    /// House way of the dealer.
    pub dealer: &'a HouseWay,
    /// Ranking of hands.
    pub ranking: Ranking,
    /// Hand classes of the dealer that make every base wager push.
    pub dealer_push: &'a [HandClass],
    /// Side that wins copies.
    pub copies: CopyWinner,
    /// The commission on a win, in hundredths of a percent.
    pub commission: u32,
}

impl<'a> Opposition<'a> {
    /// The rules of a book, with a dealer who sets by this house way.
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

/// Number of dealer's hands that share no card with a given hand: C(46, 7).
pub const DEALER_HANDS: u64 = 53_524_680;

/// Wins and losses of a setting over all dealer's hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Number of dealer's hands against which the setting wins.
    pub win: u32,
    /// Number of dealer's hands against which the setting loses.
    pub lose: u32,
}

impl Worth {
    /// Number of dealer's hands against which the setting pushes.
    pub fn push(self) -> u64 {
        DEALER_HANDS - u64::from(self.win) - u64::from(self.lose)
    }

    /// Net win in ten-thousandths of a wager, summed over all dealer's hands. `commission` is in basis points.
    pub fn value(self, commission: u32) -> i64 {
        i64::from(self.win) * i64::from(10_000 - commission) - i64::from(self.lose) * 10_000
    }
}

/// The legal settings of a hand, ordered by their worth.
///
/// # Examples
///
/// ```
/// use paigow::rulebook::BuiltIn;
/// use paigow::{Rulebook, SevenCards};
/// use paigow_math::{BestSetting, DEALER_HANDS, Opposition};
///
/// let name = BuiltIn::book_names().next().expect("at least one built-in book");
/// let book = Rulebook::built_in(name)?;
/// let hand: SevenCards = "As Kd Tc 9h 2s 2d Jk".parse()?;
/// let best = BestSetting::of(hand, &Opposition::of(&book, &book.house_way));
/// let (setting, worth) = best.settings[0];
/// println!("{setting} wins against {} of {DEALER_HANDS} dealer's hands", worth.win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BestSetting {
    /// All legal settings, the best first.
    pub settings: Vec<(Setting, Worth)>,
    /// Index of the dealer's house-way setting.
    pub house_way: usize,
}

impl BestSetting {
    /// Values every legal setting of a hand against every possible dealer's hand.
    ///
    /// # Panics
    /// If the number of dealer's hands counted is not [`DEALER_HANDS`], or if the house-way setting is not legal.
    pub fn of(hand: SevenCards, opposition: &Opposition<'_>) -> BestSetting {
        let setter = HandSetter::new(opposition.dealer, opposition.ranking, opposition.dealer_push);
        let dealers = DealerHands::count(hand.cards(), &setter);
        let evaluator = setter.evaluator;
        let legal = hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(evaluator).ok());
        let mut settings: Vec<(Setting, Worth)> = legal
            .map(|setting| {
                let WinsAndLosses { win, lose } =
                    dealers.wins_and_losses(SetHand::of(&setting), opposition.copies);
                (setting, Worth { win, lose })
            })
            .collect();
        let chosen = opposition.dealer.decide(hand, evaluator).setting;
        settings.sort_by_key(|(setting, worth)| {
            let tie_break = (setting.low_strength, setting.high_strength, setting.low.cards());
            (-worth.value(opposition.commission), std::cmp::Reverse(tie_break))
        });
        let house_way = settings.iter().position(|(setting, _)| *setting == chosen);
        let Some(house_way) = house_way else {
            panic!("the house way `{}` sets {hand} as {chosen}, which is not legal", opposition.dealer.id())
        };
        BestSetting { settings, house_way }
    }
}

/// The possible dealer's hands, counted by their strengths.
struct DealerHands {
    /// A row of [`WIDTH`] counts for each high-hand strength. Counts wrap while a hand is subtracted before it is
    /// added.
    counts: Vec<u32>,
    /// Number of hands that make every base wager push.
    pushing: u32,
}

impl DealerHands {
    /// Counts the dealer's hands that contain none of the `taken` cards.
    fn count(taken: CardSet, setter: &HandSetter<'_>) -> Dominance {
        let left = RemainingCards::without(taken);
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
        dominance.compute_sums();
        let counted = u64::from(dominance.total()) + u64::from(hands.pushing);
        assert_eq!(counted, DEALER_HANDS, "the dealer's hands counted are not all dealer's hands");
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

    /// Counts the hands of every pattern that extends this one with ranks from `rank` up, as if none could make a
    /// flush.
    fn count_patterns(
        &mut self,
        left: &RemainingCards,
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
        for count in 0..=cards.min(left.count_rank(rank) as u8) {
            pattern.counts[rank] = count;
            let ways = ways * choose(left.count_rank(rank), usize::from(count));
            self.count_patterns(left, setter, pattern, rank + 1, cards - count, ways);
        }
        pattern.counts[rank] = 0;
    }

    /// Recounts the hands with exactly these cards of a suit with their true strengths.
    fn correct_flushes(
        &mut self,
        left: &RemainingCards,
        setter: &HandSetter<'_>,
        suit: Suit,
        mask: u16,
        joker: bool,
    ) {
        let mut suited = PartialHand::of_suit(suit, mask);
        if joker {
            suited = suited.with(Card::JOKER);
        }
        let mut others = [0; 13];
        self.correct_with(left, setter, suit, suited, &mut others, 0, 1);
    }

    /// Recursive step of `correct_flushes`: completes the hand with cards of other suits, from a rank up.
    #[allow(clippy::too_many_arguments)] // a recursion that carries its state
    fn correct_with(
        &mut self,
        left: &RemainingCards,
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
            let free = left.count_rank(rank) - usize::from(left.suits[suit.index()] >> rank & 1);
            let taken = usize::from(others[rank]);
            if taken == free {
                continue;
            }
            // The setting does not depend on which of the other suits the card has.
            let Some(other) = Suit::ALL.into_iter().filter(|other| *other != suit).nth(taken) else {
                continue;
            };
            others[rank] += 1;
            // One more card of the rank replaces the factor C(free, taken) by C(free, taken + 1).
            let ways = ways / choose(free, taken) * choose(free, taken + 1);
            let hand = hand.with(Card::new(Rank::ALL[rank], other));
            self.correct_with(left, setter, suit, hand, others, rank, ways);
            others[rank] -= 1;
        }
    }
}

/// The cards that remain for the dealer.
struct RemainingCards {
    suits: [u16; 4],
    joker: bool,
}

impl RemainingCards {
    fn without(taken: CardSet) -> RemainingCards {
        let left = CardSet::DECK.difference(taken);
        RemainingCards { suits: left.suit_masks(), joker: left.has_joker() }
    }

    /// Number of remaining cards of a rank.
    fn count_rank(&self, rank: usize) -> usize {
        self.suits.iter().filter(|mask| **mask >> rank & 1 == 1).count()
    }

    /// The sets of cards of one suit that can make a flush, with or without the joker.
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

/// Number of cards of each rank, and whether the joker is among the cards.
struct Pattern {
    counts: [u8; 13],
    joker: bool,
}

impl Pattern {
    fn of(cards: CardSet) -> Pattern {
        Pattern { counts: Rank::ALL.map(|rank| cards.count(rank) as u8), joker: cards.has_joker() }
    }

    /// Seven cards of this pattern that cannot make a flush. Suits rotate, so that none has more than two cards.
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
