//! The puzzle of the day: one hand for each date, the same in every program.

mod choice;
mod day;

use crate::best::{BestAnswer, BestRequest, SettingWorth};
use crate::exact::decimal_and_exact;
use crate::{CardText, Decimal, Exact, Fault, Faults};
use choice::{Choice, Ways};
use paigow::{SevenCards, TwoCards};
use paigow_math::{DEALER_HANDS, Fraction};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use utoipa::ToSchema;

pub use day::{Day, DayError};

/// Day of the first puzzle.
pub const FIRST_DAY: Day = Day::new(2026, 1, 1);
/// Number of difficulties.
const DIFFICULTIES: usize = 5;
/// Maximum number of puzzles in memory: more than a month of the archive.
const CACHED_MAX: usize = 64;

/// The puzzle of a day, without its solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PuzzleAnswer {
    /// Day of the puzzle, in UTC.
    #[schema(example = "2026-11-17")]
    pub day: String,
    /// Number of the puzzle, from 1.
    pub number: u32,
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// Id of the book that the settings are valued by.
    pub book: String,
    /// Title of the book.
    pub title: String,
    /// House way of the dealer.
    pub house_way: String,
    /// Title of the house way.
    pub house_way_title: String,
    /// Difficulty from 1 to 5: the share of common ways that do not find the best setting.
    pub difficulty: usize,
    /// Number of common ways: the built-in house ways and two habits of players.
    pub ways: usize,
    /// Number of common ways that do not find the best setting.
    pub ways_wrong: usize,
    /// The current day, in UTC.
    pub today: String,
    /// Day of the first puzzle.
    pub first: String,
    /// End of the current day, in milliseconds since 1970-01-01.
    pub next_at: u64,
}

/// The solution of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct SolutionAnswer {
    /// Day of the puzzle, in UTC.
    pub day: String,
    /// Number of possible dealer hands.
    pub dealer_hands: u64,
    /// Every legal setting, the best first.
    pub settings: Vec<SettingWorth>,
    /// Settings of the common ways.
    pub ways: Vec<WayCost>,
}

/// Setting that a common way chooses, and its cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct WayCost {
    /// Id of the house way. `null` for a habit of players.
    #[schema(required)]
    pub house_way: Option<String>,
    /// Title of the house way or of the habit.
    pub title: String,
    /// The low hand that it chooses.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: CardText<TwoCards>,
    /// Cost per unit wagered, compared with the best setting.
    pub cost: Decimal,
    /// Cost as an exact fraction.
    pub cost_exact: Exact,
}

/// A puzzle with its solution.
#[derive(Clone, Debug)]
pub struct Puzzle {
    day: Day,
    hand: SevenCards,
    best: BestAnswer,
    title: String,
    house_way_title: String,
    ways: Vec<WayCost>,
}

/// The common ways, loaded once.
static WAYS: LazyLock<Result<Ways, Faults>> = LazyLock::new(Ways::load);
/// Puzzles that were requested last. Choosing a hand takes some hundredths of a second.
static CACHE: Mutex<BTreeMap<Day, Arc<Puzzle>>> = Mutex::new(BTreeMap::new());

impl Puzzle {
    /// Returns the puzzle of a day that has come.
    ///
    /// # Errors
    /// The day has no puzzle yet, or is before the first one.
    pub fn of(day: Day, today: Day) -> Result<Arc<Puzzle>, Faults> {
        if !(FIRST_DAY..=today).contains(&day) {
            let message =
                format!("there is no puzzle for {day}: the days from {FIRST_DAY} to {today} have one");
            return Err(Faults { faults: vec![Fault::new("no_such_puzzle", "day", message)] });
        }
        let cached = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(puzzle) = cached().get(&day) {
            return Ok(puzzle.clone());
        }
        let ways = WAYS.as_ref().map_err(Faults::clone)?;
        let puzzle = Arc::new(Puzzle::choose(day, ways));
        let mut cache = cached();
        // The puzzles of the last days are asked for most.
        while cache.len() >= CACHED_MAX {
            cache.pop_first();
        }
        cache.insert(day, puzzle.clone());
        Ok(puzzle)
    }

    fn choose(day: Day, ways: &Ways) -> Puzzle {
        let Choice { hand, best, chosen } = ways.choose(day);
        let (book, dealer) = (ways.book.clone(), ways.book.house_way.clone());
        let (title, house_way_title) = (book.title.clone(), dealer.title().to_owned());
        let commission = book.commission.basis_points;
        let value = |index: usize| best.settings[index].1.value(commission);
        let ways = ways.names().zip(chosen).map(|((id, title), index)| {
            let (cost, cost_exact) =
                decimal_and_exact(Fraction::new(value(0) - value(index), DEALER_HANDS * 10_000));
            WayCost {
                house_way: id.map(str::to_owned),
                title: title.to_owned(),
                low: CardText(best.settings[index].0.low),
                cost,
                cost_exact,
            }
        });
        let ways = ways.collect();
        let best = BestRequest { hand, book, dealer }.answer_of(&best);
        Puzzle { day, hand, best, title, house_way_title, ways }
    }

    /// Returns the puzzle without its solution.
    pub fn answer(&self, today: Day) -> PuzzleAnswer {
        let ways_wrong = self.ways.iter().filter(|way| way.cost.0 != Fraction::zero()).count();
        PuzzleAnswer {
            day: self.day.to_string(),
            number: self.day.0 - FIRST_DAY.0 + 1,
            cards: CardText(self.hand),
            book: self.best.book.clone(),
            title: self.title.clone(),
            house_way: self.best.house_way.clone(),
            house_way_title: self.house_way_title.clone(),
            difficulty: (DIFFICULTIES * ways_wrong).div_ceil(self.ways.len()).max(1),
            ways: self.ways.len(),
            ways_wrong,
            today: today.to_string(),
            first: FIRST_DAY.to_string(),
            next_at: today.start_ms() + day::DAY_MS,
        }
    }

    /// Returns the solution.
    pub fn solution(&self) -> SolutionAnswer {
        SolutionAnswer {
            day: self.day.to_string(),
            dealer_hands: self.best.dealer_hands,
            settings: self.best.settings.clone(),
            ways: self.ways.clone(),
        }
    }
}

/// Parses the day of a question: a date, or `today`.
///
/// # Errors
/// The text is neither.
pub fn parse_day(text: &str, today: Day) -> Result<Day, Faults> {
    if text == "today" {
        return Ok(today);
    }
    let fault = |error: DayError| Faults { faults: vec![Fault::new("bad_day", "day", error.to_string())] };
    text.parse().map_err(fault)
}
