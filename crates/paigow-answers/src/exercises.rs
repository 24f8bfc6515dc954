//! Exercises for a strategy card: hands drawn by the line that decides them, with the value of every setting.

use crate::best::SettingWorth;
use crate::cards::LoadedCard;
use crate::lab::LabSetting;
use crate::priced_game::check_side;
use crate::question::QuestionContext;
use crate::{CardText, Fault, Faults, RankingNames, ValueChanges, Work};
use paigow::rulebook::BookSource;
use paigow::{ClauseTrial, Evaluator, FiveCards, HouseWay, Rulebook, SevenCards, TwoCards};
use paigow_math::{BestSetting, DEALER_HANDS, DecidedHands, DrawnHand, TableSide, Valuation};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum number of hands in an answer.
pub const HANDS_MAX: usize = 10;
/// Part of every digest. Another version would draw other hands.
const VERSION: &str = "paigow exercise 1";

/// Question for exercises with a strategy card.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExerciseQuestion {
    /// Name of a strategy card.
    pub card: String,
    /// Name of a rule book. Default: that of the card.
    pub book: Option<String>,
    /// Seed of the draw. Equal questions have equal hands.
    #[serde(default)]
    pub seed: u32,
    /// Number of hands, from 1 to 10. Default: 1.
    #[schema(minimum = 1, maximum = 10)]
    pub count: Option<usize>,
    /// Number of the line that decides every hand, from 1. Default: any line.
    #[schema(minimum = 1, maximum = 100)]
    pub line: Option<usize>,
    /// Number of lines learned so far: only hands that one of these lines decides. Default: all lines.
    #[schema(minimum = 1, maximum = 100)]
    pub lines: Option<usize>,
    /// `true` for hands on which lines meet: the card sets them differently without the line that decides. `false` for
    /// other hands. Default: both, as often as they are dealt.
    pub contested: Option<bool>,
}

/// Exercises with a strategy card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ExercisesAnswer {
    /// Id of the card.
    pub card: String,
    /// Id of the book.
    pub book: String,
    /// Side that plays by the card: `player`, `banker` or `dealer`. The settings are valued for it.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// Ranking of hands.
    pub ranking: RankingNames,
    /// Number of hands that the other side may have.
    pub dealer_hands: u64,
    /// The hands.
    pub hands: Vec<Exercise>,
}

/// A hand to set by a strategy card, with its solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Exercise {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// Number of the line that decides, from 1.
    pub line: usize,
    /// Whether lines meet on this hand: the card sets it differently without the line that decides.
    pub contested: bool,
    /// Number of the line that decides without this one. `null` for the last line.
    #[schema(required)]
    pub next_line: Option<usize>,
    /// The card's low hand.
    #[schema(value_type = String, example = "Kd Tc")]
    pub low: CardText<TwoCards>,
    /// The card's high hand.
    #[schema(value_type = String, example = "As Jk 9h 2s 2d")]
    pub high: CardText<FiveCards>,
    /// All lines of the card, applied to this hand.
    pub lines: Vec<TriedLine>,
    /// Every legal setting with its exact value, the best first.
    pub settings: Vec<LabSetting>,
}

/// A line of a card, applied to a hand regardless of the other lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct TriedLine {
    /// Number of the line, from 1.
    pub line: usize,
    /// Whether the line is for hands with these pairs, threes and fours.
    pub same_pattern: bool,
    /// Phrases of the condition that do not hold. The hand fits the line if there are none.
    pub unmet: Vec<String>,
    /// The low hand that the line asks for. `null` if no legal setting is as the line says.
    #[schema(required, value_type = Option<String>, example = "Kd Tc")]
    pub low: Option<CardText<TwoCards>>,
    /// The low hand if the line did not ask for a lowest low hand. `null` if that is no legal setting either.
    #[schema(required, value_type = Option<String>, example = "Kd Tc")]
    pub low_without_minimum: Option<CardText<TwoCards>>,
}

/// A question with its card and book loaded.
pub struct ExerciseRequest {
    card: String,
    way: Arc<HouseWay>,
    side: TableSide,
    book: Rulebook,
    seed: u32,
    count: usize,
    line: Option<usize>,
    lines: usize,
    contested: Option<bool>,
}

/// Draws exercises.
///
/// # Errors
/// All faults of the question, or `no_such_hands` if no hand is as the question asks.
pub fn answer(
    question: &ExerciseQuestion,
    book_source: &dyn BookSource,
    work: &Work,
) -> Result<ExercisesAnswer, Faults> {
    ExerciseRequest::of(question, book_source)?.answer(work)
}

impl ExerciseRequest {
    /// Loads the card and the book of a question.
    ///
    /// # Errors
    /// All faults of the question.
    pub fn of(question: &ExerciseQuestion, book_source: &dyn BookSource) -> Result<ExerciseRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let card = context.card(&question.card);
        let other = question.book.as_deref().map(|name| context.book(name, &ValueChanges::default()));
        let all = card.as_ref().map_or(usize::MAX, |card| card.way.clauses().len());
        for (number, at) in [(question.line, "line"), (question.lines, "lines")] {
            if let Some(number) = number.filter(|number| !(1..=all).contains(number)) {
                let message = if all == usize::MAX {
                    format!("{at} {number}: numbers of lines begin at 1")
                } else {
                    format!("{at} {number}: the card has the lines 1 to {all}")
                };
                context.faults.push(Fault::new("bad_line", at, message));
            }
        }
        if let (Some(card), Some(Some(book))) = (&card, &other)
            && let Err(fault) = check_side(card.price.side, book, "book")
        {
            context.faults.push(*fault);
        }
        let count = question.count.unwrap_or(1);
        if !(1..=HANDS_MAX).contains(&count) {
            let message = format!("{count} hands: from 1 to {HANDS_MAX} are allowed");
            context.faults.push(Fault::new("bad_count", "count", message));
        }
        let LoadedCard { price, way, book } = context.faults.into_result(card)?;
        Ok(ExerciseRequest {
            card: price.name.clone(),
            side: price.side,
            way,
            book: other.flatten().unwrap_or(book),
            seed: question.seed,
            count,
            line: question.line,
            lines: question.lines.unwrap_or(all),
            contested: question.contested,
        })
    }

    /// Draws the hands and values their settings, until the work is cancelled.
    ///
    /// # Errors
    /// No hand is as the question asks.
    pub fn answer(&self, work: &Work) -> Result<ExercisesAnswer, Faults> {
        let wanted = |line: usize, contested: bool| {
            self.line.is_none_or(|wanted| wanted == line + 1)
                && line < self.lines
                && self.contested.is_none_or(|wanted| wanted == contested)
        };
        let mut numbers = Numbers { seed: format!("{VERSION} {} {}", self.card, self.seed), count: 0 };
        let decided = DecidedHands::of(&self.way, self.book.ranking);
        let drawn = decided.draw(self.count, wanted, |count| numbers.below(count));
        if drawn.is_empty() {
            return Err(self.no_such_hands().into());
        }
        let exercise = |drawn: &DrawnHand| {
            work.stop_if_cancelled();
            self.exercise(drawn)
        };
        Ok(ExercisesAnswer {
            card: self.card.clone(),
            book: self.book.id.clone(),
            side: self.side.name(),
            against: self.book.house_way.id().to_owned(),
            ranking: self.book.ranking.into(),
            dealer_hands: DEALER_HANDS,
            hands: drawn.iter().map(exercise).collect(),
        })
    }

    fn no_such_hands(&self) -> Fault {
        let line = match self.line {
            Some(line) => format!("line {line} decides"),
            None => format!("the lines up to {} decide", self.lines),
        };
        let hands = match self.contested {
            Some(true) => "no hand on which lines meet",
            Some(false) => "only hands on which lines meet",
            None => "no hand",
        };
        let message = format!("{line} {hands} under the rules of {}", self.book.id);
        Fault::new("no_such_hands", if self.line.is_some() { "line" } else { "lines" }, message)
    }

    fn exercise(&self, drawn: &DrawnHand) -> Exercise {
        let (hand, evaluator) = (drawn.hand, Evaluator::of(self.book.ranking));
        let draft = self.way.as_draft();
        let setting = self.way.decide(hand, evaluator).setting;
        let next = draft.decide_after(drawn.clause, hand, evaluator);
        let valuation = Valuation::of(&self.book, self.side, &self.book.house_way);
        let best = BestSetting::of_side(hand, &valuation);
        let worths = SettingWorth::all_of(&best, |worth| valuation.value(worth));
        let lines = (0..self.way.clauses().len()).map(|line| {
            let ClauseTrial { same_pattern, unmet, setting, without_minimum } =
                draft.try_clause(line, hand, evaluator);
            let [low, low_without_minimum] =
                [setting, without_minimum].map(|setting| setting.map(|setting| CardText(setting.low)));
            TriedLine { line: line + 1, same_pattern, unmet, low, low_without_minimum }
        });
        Exercise {
            cards: CardText(hand),
            line: drawn.clause + 1,
            contested: drawn.contested,
            next_line: next.map(|next| next.clause + 1),
            low: CardText(setting.low),
            high: CardText(setting.high),
            lines: lines.collect(),
            settings: LabSetting::all_of(worths, evaluator),
        }
    }
}

/// Numbers that follow from a seed.
struct Numbers {
    seed: String,
    count: u64,
}

impl Numbers {
    /// Returns a number below `count`, from eight bytes of SHA-256. The bias is less than one in 2³⁶ for the number of all
    /// hands.
    fn below(&mut self, count: u64) -> u64 {
        let digest = Sha256::digest(format!("{} {}", self.seed, self.count));
        self.count += 1;
        let number = digest[..8].iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
        ((number * u128::from(count)) >> 64) as u64
    }
}
