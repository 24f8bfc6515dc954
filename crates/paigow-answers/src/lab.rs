//! All that can be said of one hand at once: its settings with their worth, what every house way makes of it, what it holds, and what
//! every paytable pays for it.

use crate::best::{self, SettingWorth};
use crate::books::PaytableRow;
use crate::hand::HandAnswer;
use crate::question::QuestionContext;
use crate::set::{SetAnswer, all_house_ways};
use crate::{Faults, RankingNames, Shown, ValueChanges};
use paigow::rulebook::{BookSource, BuiltIn, LooksAt, SideWager};
use paigow::{
    Category, Color, Evaluator, HandClass, Holdings, PayRow, Paytable, Ranking, Rulebook, SevenCards, WinsOn,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which hand, at which book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LabQuestion {
    /// Seven cards, such as `As Kd Tc 9h 2s 2d Jk`.
    pub cards: String,
    /// A rule book's name.
    pub book: String,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// All that can be said of a hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabAnswer {
    /// The seven cards.
    #[schema(value_type = String, example = "As Kd Tc 9h 2s 2d Jk")]
    pub cards: Shown<SevenCards>,
    /// The book.
    pub book: String,
    /// How the dealer sets.
    pub house_way: String,
    /// How hands rank.
    pub ranking: RankingNames,
    /// What the hand holds.
    pub holds: HandAnswer,
    /// How many hands the dealer may have.
    pub dealer_hands: u64,
    /// Every legal setting, the best first.
    pub settings: Vec<LabSetting>,
    /// What every house way that comes with the program makes of it, under the book's ranking.
    pub house_ways: Vec<LabHouseWay>,
    /// What every paytable makes of it: the book's first, then those of the other books that come with the program.
    pub paytables: Vec<LabPaytable>,
}

/// A setting and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabSetting {
    /// What it is worth.
    #[serde(flatten)]
    pub worth: SettingWorth,
    /// What the five are.
    pub high_says: String,
    /// What the two are.
    pub low_says: String,
}

/// A house way's choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabHouseWay {
    /// The setting and the clause.
    #[serde(flatten)]
    pub set: SetAnswer,
    /// What the house way is called.
    pub title: String,
    /// The number of the clause among all of the house way, from 1.
    pub clause_number: usize,
    /// The place of the setting among all settings, from 0.
    pub place: usize,
}

/// What a paytable makes of the hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabPaytable {
    /// The book.
    pub book: String,
    /// The wager.
    pub wager: String,
    /// What the wager is called.
    pub title: String,
    /// The paytable.
    pub paytable: String,
    /// Whether it is the one posted unless another is.
    pub default: bool,
    /// Whether it may be posted.
    pub available: bool,
    /// What the joker is where it is posted: `semi_wild` or `fully_wild`.
    pub joker: &'static str,
    /// What decides the wager: `player_hand`, `dealer_hand`, `dealer_five_cards` or `color`. Where it is the dealer's cards, the hand is
    /// taken for the dealer's, set by the book's house way.
    pub looks_at: &'static str,
    /// Whether the player's five cards must beat the dealer's as well.
    pub player_must_beat: bool,
    /// The rows that pay; none where the hand loses, one for each color that wins where a color is chosen.
    pub pays: Vec<LabRow>,
}

/// A row that pays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct LabRow {
    /// The color that must have been chosen, where one is.
    #[schema(required)]
    pub color: Option<&'static str>,
    /// The row.
    #[serde(flatten)]
    pub row: PaytableRow,
}

/// All that can be said of a hand.
///
/// # Errors
/// Everything that is wrong with the question.
///
/// # Panics
/// If a house way that comes with the program sets the hand illegally, which the proofs exclude.
pub fn answer(question: &LabQuestion, book_source: &dyn BookSource) -> Result<LabAnswer, Faults> {
    let mut ask = QuestionContext::new(book_source);
    let hand = ask.hand(&question.cards);
    let book = ask.book(&question.book, &question.changes);
    let (hand, book) = ask.faults.or(hand.zip(book))?;
    let mut built_in = QuestionContext::new(&BuiltIn);
    let others: Vec<Rulebook> = BuiltIn::book_names()
        .filter(|name| *name != book.id)
        .filter_map(|name| built_in.book(name, &ValueChanges::default()))
        .collect();
    let ways = all_house_ways(&mut built_in.faults, Some(&book));
    built_in.faults.or(Some(()))?;

    let paytables =
        std::iter::once(&book).chain(&others).flat_map(|book| LabPaytable::all_of(book, hand)).collect();
    let evaluator = Evaluator::of(book.ranking);
    let (id, ranking, dealer) = (book.id.clone(), book.ranking, book.house_way.clone());
    let best = best::BestRequest { hand, book, dealer }.answer();
    let house_ways = ways.iter().map(|setter| {
        let set = setter.set(hand);
        let place = best.settings.iter().take_while(|setting| setting.low != set.low).count();
        assert!(place < best.settings.len(), "the house way `{}` sets {hand} illegally", setter.way.id());
        let clause_number = setter.decide(hand).clause + 1;
        LabHouseWay { set, title: setter.way.title().to_owned(), clause_number, place }
    });
    Ok(LabAnswer {
        cards: Shown(hand),
        book: id,
        house_way: best.house_way.clone(),
        ranking: ranking.into(),
        holds: HandAnswer::by(hand, ranking),
        dealer_hands: best.dealer_hands,
        house_ways: house_ways.collect(),
        settings: best
            .settings
            .into_iter()
            .map(|worth| LabSetting {
                high_says: evaluator.shape(evaluator.high(worth.high.0)).to_string(),
                low_says: evaluator.low(worth.low.0).to_string(),
                worth,
            })
            .collect(),
        paytables,
    })
}

impl LabPaytable {
    /// What every paytable of a book makes of a hand.
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
            pays: paying(book, wager, table, hand),
        });
        tables.collect()
    }
}

/// The rows that pay a hand.
fn paying(book: &Rulebook, wager: &SideWager, table: &Paytable, hand: SevenCards) -> Vec<LabRow> {
    let row = |row: Option<&PayRow>, color: Option<Color>| {
        row.map(|row| LabRow { color: color.map(Color::name), row: PaytableRow::of(row) })
    };
    match wager.looks_at {
        LooksAt::PlayerHand | LooksAt::DealerHand => {
            let classes = Holdings::of(table.joker).classes_of(hand);
            row(table.best(classes), None).into_iter().collect()
        }
        LooksAt::Color => {
            let colors = [Color::Red, Color::Black].into_iter();
            let cards = |color| hand.cards().count_color(color) as u8;
            colors.filter_map(|color| row(table.for_cards(cards(color)), Some(color))).collect()
        }
        LooksAt::DealerFiveCards => {
            let class = high_card_of_five(book, table, hand);
            let pays = |row: &&PayRow| class.is_some_and(|class| row.wins_on == WinsOn::Class(class));
            row(table.rows.iter().find(pays), None).into_iter().collect()
        }
    }
}

/// The class of the dealer's five cards as set, if they are without a pair.
fn high_card_of_five(book: &Rulebook, table: &Paytable, hand: SevenCards) -> Option<HandClass> {
    let evaluator = Evaluator::of(Ranking { joker: table.joker, ..book.ranking });
    let strength = book.house_way.decide(hand, evaluator).setting.high_strength;
    let without_pair = strength.category() == Category::HighCard;
    HandClass::of_high_card(evaluator.shape(strength).ranks[0]).filter(|_| without_pair)
}
