//! Choice of the hand for a day.
//!
//! Hands are drawn from SHA-256 of the day and a counter until one passes every test:
//!
//! 1. Its kind belongs to the day of the month, by SHA-256 of the month and the kind. So no two hands of a month have
//!    the same kind, and no day depends on another one.
//! 2. The house ways, which casinos have published, do not all set it alike.
//! 3. The best setting is better than every other one by a clear margin, and a house way gives away at least as much.
//!
//! The common ways are the built-in house ways and two habits of players: the highest possible high hand, and the
//! highest possible low hand. All of them are part of the program, so the hand of a day is the same everywhere.

use super::day::Day;
use crate::Faults;
use crate::question::QuestionContext;
use crate::set::{RankedHouseWay, all_house_ways};
use paigow::rulebook::BuiltIn;
use paigow::{Arrangement, Card, CardSet, Evaluator, Rank, Rulebook, Setting, SevenCards};
use paigow_math::{BestSetting, DEALER_HANDS, Opposition};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Id of the book that the settings are valued by, as data: code depends on the values of books, not on their names.
const BOOK: &str = include_str!("book.txt");
/// Part of every digest. Another version would choose other hands.
const VERSION: &str = "paigow puzzle 1";
/// Clear margin between two settings: one percent of the wager, in ten-thousandths, over all dealer hands.
const MARGIN: i64 = 100 * DEALER_HANDS.cast_signed();
/// Number of days that kinds are assigned to, at least the days of a month.
const SLOTS: u64 = 31;

/// A hand with the value of every setting, and the settings that common ways choose.
pub(super) struct Choice {
    pub(super) hand: SevenCards,
    pub(super) best: BestSetting,
    /// Index of each common way's setting in `best`, in the order of [`Ways::names`].
    pub(super) chosen: Vec<usize>,
}

/// The book and the common ways.
pub(super) struct Ways {
    pub(super) book: Rulebook,
    pub(super) house_ways: Vec<RankedHouseWay>,
    evaluator: &'static Evaluator,
}

/// Titles of the habits of players.
const HABITS: [&str; 2] = ["Highest possible high hand", "Highest possible low hand"];

impl Ways {
    /// Loads the built-in book and house ways.
    pub(super) fn load() -> Result<Ways, Faults> {
        let mut context = QuestionContext::new(&BuiltIn);
        let book = context.book(BOOK.trim_end(), &crate::ValueChanges::default());
        let house_ways = all_house_ways(&mut context.faults, book.as_ref());
        let book = context.faults.into_result(book)?;
        let evaluator = Evaluator::of(book.ranking);
        Ok(Ways { book, house_ways, evaluator })
    }

    /// Ids of the house ways and titles of all ways. A habit has no id.
    pub(super) fn names(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let ways = self.house_ways.iter().map(|ranked| (Some(ranked.way.id()), ranked.way.title()));
        ways.chain(HABITS.map(|title| (None, title)))
    }

    /// Settings of a hand by each way.
    fn settings(&self, hand: SevenCards) -> Vec<Setting> {
        let legal =
            || hand.splits().filter_map(|(high, low)| Arrangement { high, low }.set(self.evaluator).ok());
        let high_first = legal().max_by_key(|setting| (setting.high_strength, setting.low_strength));
        let low_first = legal().max_by_key(|setting| (setting.low_strength, setting.high_strength));
        let ways = self.house_ways.iter().map(|ranked| ranked.decide(hand).setting);
        ways.chain([high_first, low_first].into_iter().flatten()).collect()
    }

    /// Returns the hand of a day.
    pub(super) fn choose(&self, day: Day) -> Choice {
        let mut draws = Draws { day, counter: 0 };
        loop {
            let hand = draws.next_hand();
            if self.slot(hand, day) != u64::from(day.parts().2 - 1) {
                continue;
            }
            let settings = self.settings(hand);
            let strengths = |setting: &Setting| (setting.high_strength, setting.low_strength);
            let published = &settings[..self.house_ways.len()];
            if published.iter().all(|setting| strengths(setting) == strengths(&published[0])) {
                continue;
            }
            if let Some(choice) = self.judge(hand, &settings) {
                return choice;
            }
        }
    }

    /// Values the settings of a hand. Returns `None` if the differences are not clear.
    fn judge(&self, hand: SevenCards, settings: &[Setting]) -> Option<Choice> {
        let opposition = Opposition::of(&self.book, &self.book.house_way);
        let best = BestSetting::of(hand, &opposition);
        let value = |index: usize| best.settings[index].1.value(opposition.commission);
        // Settings that differ only in suits have the same value.
        let second = (1..best.settings.len()).map(value).find(|other| *other < value(0))?;
        let position = |setting: &Setting| best.settings.iter().position(|(other, _)| other == setting);
        let chosen: Vec<usize> = settings.iter().filter_map(position).collect();
        let published = chosen.get(..self.house_ways.len())?;
        let worst = published.iter().map(|index| value(*index)).min()?;
        let is_clear = value(0) - second >= MARGIN && value(0) - worst >= MARGIN;
        is_clear.then_some(Choice { hand, best, chosen })
    }

    /// Day of the month that the kind of a hand belongs to, from 0.
    ///
    /// Hands are of one kind if they have the same pairs, three and four of a kind, the joker or not, and the same
    /// category of their highest five cards.
    fn slot(&self, hand: SevenCards, day: Day) -> u64 {
        let (year, month, _) = day.parts();
        let mut kind = format!("{VERSION} kind {year:04}-{month:02}");
        let cards = hand.cards();
        for rank in Rank::ALL {
            if cards.count(rank) > 1 {
                // Writing to a `String` cannot fail.
                let _ = write!(kind, " {}{}", cards.count(rank), rank.letter());
            }
        }
        let highest = hand.splits().map(|(high, _)| self.evaluator.high(high)).max();
        let category = highest.map_or("", |strength| strength.category().name());
        let _ = write!(kind, " {category} {}", cards.has_joker());
        first_number(&Sha256::digest(kind)) % SLOTS
    }
}

/// First eight bytes of a digest as a number.
fn first_number(digest: &[u8]) -> u64 {
    digest[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Hands drawn for a day.
struct Draws {
    day: Day,
    counter: u64,
}

impl Draws {
    /// Draws seven different cards.
    ///
    /// Each byte of a digest chooses a card of the deck. Bytes from 212 up are skipped, so that every card is equally
    /// likely: 212 is four times 53. A card that was drawn before is skipped too.
    fn next_hand(&mut self) -> SevenCards {
        let deck: Vec<Card> = Card::deck().collect();
        loop {
            let digest = Sha256::digest(format!("{VERSION} hand {} {}", self.day, self.counter));
            self.counter += 1;
            let mut cards = CardSet::EMPTY;
            for byte in digest.into_iter().map(usize::from).filter(|byte| *byte < 4 * deck.len()) {
                cards = cards.with(deck[byte % deck.len()]);
                if let Some(hand) = SevenCards::new(cards) {
                    return hand;
                }
            }
        }
    }
}
