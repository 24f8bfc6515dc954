//! The hand lab: settings with their expected values, house ways, classes and paytables for one hand.

use crate::best::{self, SettingWorth};
use crate::books::PaytableRow;
use crate::hand::HandAnswer;
use crate::question::QuestionContext;
use crate::set::{RankedHouseWay, SetAnswer, all_house_ways};
use crate::{CardText, Faults, RankingNames, ValueChanges};
use paigow::rulebook::{BookSource, BuiltIn, DecidingCards, SideWager};
use paigow::{
    Category, Color, Evaluator, HandClass, Holdings, PayRow, Paytable, Ranking, Rulebook, SevenCards, WinsOn,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Question for a full analysis of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LabQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// Name of a rule book.
    pub book: String,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Full analysis of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: CardText<SevenCards>,
    /// Id of the book.
    pub book: String,
    /// House way of the dealer.
    pub house_way: String,
    /// Ranking rules of the book.
    pub ranking: RankingNames,
    /// Classes, colors and best five cards of the hand.
    pub holds: HandAnswer,
    /// Number of possible dealer hands.
    pub dealer_hands: u64,
    /// Every legal setting, the best first.
    pub settings: Vec<LabSetting>,
    /// Setting chosen by each built-in house way, under the book's ranking. If the dealer sets by another one, it is the
    /// first.
    pub house_ways: Vec<LabHouseWay>,
    /// Payment by each paytable: those of the book first, then those of the other built-in books.
    pub paytables: Vec<LabPaytable>,
}

/// A setting, its results and its expected value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabSetting {
    /// Results and expected value.
    #[serde(flatten)]
    pub worth: SettingWorth,
    /// Description of the high hand.
    pub high_says: String,
    /// Description of the low hand.
    pub low_says: String,
}

/// Setting chosen by a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabHouseWay {
    /// The setting and the clause.
    #[serde(flatten)]
    pub set: SetAnswer,
    /// Title of the house way.
    pub title: String,
    /// Number of the clause within the house way, from 1.
    pub clause_number: usize,
    /// Index of the setting in `settings`, from 0.
    #[serde(rename = "place")]
    pub setting_index: usize,
}

/// Payment of a paytable for the hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabPaytable {
    /// Id of the book.
    pub book: String,
    /// Name of the wager.
    pub wager: String,
    /// Title of the wager.
    pub title: String,
    /// Name of the paytable.
    pub paytable: String,
    /// Whether it is the default paytable of the wager.
    pub default: bool,
    /// Whether tables may post it.
    pub available: bool,
    /// Use of the joker at tables that post it: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// Cards that decide the wager: `player_hand`, `dealer_hand`, `dealer_five_cards` or `color`. For the dealer's
    /// cards, the hand is evaluated as the dealer's, set by the book's house way.
    pub looks_at: &'static str,
    /// Whether the player's high hand must also beat the dealer's.
    pub player_must_beat: bool,
    /// Rows that pay. Empty if the hand loses. A wager on a color has one row for each color that wins.
    pub pays: Vec<LabRow>,
}

/// A row that pays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabRow {
    /// Color that the player must have chosen. `null` if the wager is not on a color.
    #[schema(required)]
    pub color: Option<&'static str>,
    /// The row.
    #[serde(flatten)]
    pub row: PaytableRow,
}

/// Analyzes a hand.
///
/// # Errors
/// All faults of the question.
///
/// # Panics
/// If a built-in house way sets the hand illegally, which the proofs exclude.
pub fn answer(question: &LabQuestion, book_source: &dyn BookSource) -> Result<LabAnswer, Faults> {
    let mut context = QuestionContext::new(book_source);
    let hand = context.hand(&question.cards);
    let book = context.book(&question.book, &question.changes);
    let (hand, book) = context.faults.into_result(hand.zip(book))?;
    let mut built_in = QuestionContext::new(&BuiltIn);
    let others: Vec<Rulebook> = BuiltIn::book_names()
        .filter(|name| *name != book.id)
        .filter_map(|name| built_in.book(name, &ValueChanges::default()))
        .collect();
    let mut ways = all_house_ways(&mut built_in.faults, Some(&book));
    built_in.faults.into_result(Some(()))?;
    // The dealer may set by a house way that is not built in.
    if ways.iter().all(|ranked| ranked.way.id() != book.house_way.id()) {
        ways.insert(0, RankedHouseWay::new(book.house_way.clone(), Some(&book)));
    }

    let paytables =
        std::iter::once(&book).chain(&others).flat_map(|book| LabPaytable::all_of(book, hand)).collect();
    let evaluator = Evaluator::of(book.ranking);
    let (id, ranking, dealer) = (book.id.clone(), book.ranking, book.house_way.clone());
    let best = best::BestRequest { hand, book, dealer }.answer();
    let house_ways = ways.iter().map(|ranked| {
        let set = ranked.set(hand);
        let setting_index = best.settings.iter().take_while(|setting| setting.low != set.low).count();
        assert!(
            setting_index < best.settings.len(),
            "the house way `{}` sets {hand} illegally",
            ranked.way.id()
        );
        let clause_number = ranked.decide(hand).clause + 1;
        LabHouseWay { set, title: ranked.way.title().to_owned(), clause_number, setting_index }
    });
    Ok(LabAnswer {
        cards: CardText(hand),
        book: id,
        house_way: best.house_way.clone(),
        ranking: ranking.into(),
        holds: HandAnswer::of(hand, ranking),
        dealer_hands: best.dealer_hands,
        house_ways: house_ways.collect(),
        settings: LabSetting::all_of(best.settings, evaluator),
        paytables,
    })
}

impl LabSetting {
    /// Describes settings.
    pub(crate) fn all_of(worths: Vec<SettingWorth>, evaluator: &Evaluator) -> Vec<LabSetting> {
        let describe = |worth: SettingWorth| LabSetting {
            high_says: evaluator.shape(evaluator.high(worth.high.0)).to_string(),
            low_says: evaluator.low(worth.low.0).to_string(),
            worth,
        };
        worths.into_iter().map(describe).collect()
    }
}

impl LabPaytable {
    /// Returns the payments of all paytables of a book for a hand.
    pub fn all_of(book: &Rulebook, hand: SevenCards) -> Vec<LabPaytable> {
        let tables =
            book.wagers.iter().flat_map(|wager| wager.paytables.iter().map(move |table| (wager, table)));
        let tables = tables.map(|(wager, table)| LabPaytable {
            book: book.id.clone(),
            wager: wager.name.clone(),
            title: wager.title.clone(),
            paytable: table.name.clone(),
            default: wager.default == table.name,
            available: table.available,
            joker: table.joker.name(),
            looks_at: wager.looks_at.name(),
            player_must_beat: wager.player_must_beat,
            pays: paying_rows(book, wager, table, hand),
        });
        tables.collect()
    }
}

/// Returns the rows of a paytable that pay for a hand.
fn paying_rows(book: &Rulebook, wager: &SideWager, table: &Paytable, hand: SevenCards) -> Vec<LabRow> {
    let row = |row: Option<&PayRow>, color: Option<Color>| {
        row.map(|row| LabRow { color: color.map(Color::name), row: PaytableRow::of(row) })
    };
    match wager.looks_at {
        DecidingCards::PlayerHand | DecidingCards::DealerHand => {
            let classes = Holdings::of(table.joker).classes_of(hand);
            row(table.best(classes), None).into_iter().collect()
        }
        DecidingCards::Color => {
            let colors = [Color::Red, Color::Black].into_iter();
            let cards = |color| hand.cards().count_color(color) as u8;
            colors.filter_map(|color| row(table.for_cards(cards(color)), Some(color))).collect()
        }
        DecidingCards::DealerFiveCards => {
            let class = dealer_high_card(book, table, hand);
            let pays = |row: &&PayRow| class.is_some_and(|class| row.wins_on == WinsOn::Class(class));
            row(table.rows.iter().find(pays), None).into_iter().collect()
        }
    }
}

/// Returns the class of the dealer's high hand if it is no more than a high card, or `None`.
fn dealer_high_card(book: &Rulebook, table: &Paytable, hand: SevenCards) -> Option<HandClass> {
    let evaluator = Evaluator::of(Ranking { joker: table.joker, ..book.ranking });
    let strength = book.house_way.decide(hand, evaluator).setting.high_strength;
    let is_high_card = strength.category() == Category::HighCard;
    HandClass::of_high_card(evaluator.shape(strength).ranks[0]).filter(|_| is_high_card)
}
