//! The house-way designer: proof and price of a house way that is being written, compared with its last version.

use crate::exact::decimal_and_exact;
use crate::odds::OutcomeOdds;
use crate::price::{COSTLIEST, HouseWayPrice, odds_of};
use crate::question::QuestionContext;
use crate::{CardText, Decimal, Exact, Fault, Faults, ValueChanges, Work};
use paigow::document::Source;
use paigow::rulebook::BookSource;
use paigow::{HouseWay, Rulebook, SevenCards, TwoCards};
use paigow_math::{ChangedKind, Changes, HouseWayFault, Matchup, Outcomes, Proof, Side, Valuation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum length of a house way in bytes. Two of them fit into the body of a request.
const TEXT_MAX: usize = 28_000;
/// Maximum number of clauses and phrases of a house way. The effort of a proof and of a price grows with them.
const CLAUSES_MAX: usize = 100;
const PHRASES_MAX: usize = 500;
/// Number of kinds of hands in the list of changes.
const CHANGED: usize = 20;

/// Question about a house way that is being written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignQuestion {
    /// Name of a rule book.
    pub book: String,
    /// The house way as TOML, as in a file.
    pub toml: String,
    /// The house way to compare with, as TOML.
    pub before: Option<String>,
    /// House way of the other side. Default: that of the book.
    pub against: Option<String>,
    /// Side that sets by the house way: `player`, `banker` or `dealer`. Default: `dealer`.
    pub side: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Proof and price of a house way that is being written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DesignAnswer {
    /// Id of the book.
    pub book: String,
    /// Side that sets by the house way: `player`, `banker` or `dealer`.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// Odds of the side that sets by the house way. `edge` is the house edge. For a banking seat it is the expected
    /// loss of the seat.
    pub odds: OutcomeOdds,
    /// Price of the house way. `null` if the server keeps no tables of worths; the odds are then counted.
    #[schema(required)]
    pub price: Option<HouseWayPrice>,
    /// Odds if every hand is set in the best way. `null` if the server keeps no tables of worths.
    #[schema(required)]
    pub best: Option<OutcomeOdds>,
    /// Faults of the house way on some hand. It is proved on every hand if there are none.
    pub faults: Vec<DesignFault>,
    /// Comparison with the other version, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<DesignComparison>,
}

/// A fault of a house way, with a hand that shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DesignFault {
    /// Code of the fault: `undecided`, `impossible`, `illegal` or `dead`.
    pub code: &'static str,
    /// Number of the clause, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<usize>,
    /// A hand that shows the fault. A dead clause that fits no hand has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub cards: Option<CardText<SevenCards>>,
    /// Number of the clause that decides the hand instead of a dead one, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<usize>,
}

/// Difference between two versions of a house way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct DesignComparison {
    /// Odds of the version before.
    pub before: OutcomeOdds,
    /// Edge of the new version minus that of the version before.
    pub edge_change: Decimal,
    /// The change as an exact fraction.
    pub edge_change_exact: Exact,
    /// Number of hands that are set differently. `null` if the server keeps no tables of worths.
    #[schema(required)]
    pub hands: Option<u64>,
    /// Kinds of hands that change the value most. Empty if the server keeps no tables of worths.
    pub kinds: Vec<ChangedHands>,
}

/// A kind of hands that two versions set differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ChangedHands {
    /// A representative hand.
    #[schema(value_type = String)]
    pub cards: CardText<SevenCards>,
    /// Number of hands of this kind.
    pub hands: u32,
    /// Low hand before.
    #[schema(value_type = String)]
    pub low_before: CardText<TwoCards>,
    /// Number of the deciding clause before, from 1.
    pub clause_before: usize,
    /// Low hand now.
    #[schema(value_type = String)]
    pub low: CardText<TwoCards>,
    /// Number of the deciding clause now, from 1.
    pub clause: usize,
    /// Additional value given away by the side, as a fraction of the wager over all hands.
    pub part: Decimal,
}

/// A question with its book and house ways loaded.
pub struct DesignRequest {
    book: Rulebook,
    side: Side,
    against: Arc<HouseWay>,
    way: HouseWay,
    before: Option<HouseWay>,
}

/// Proves and prices a house way. Without `worth_tables`, the base game is counted instead, and there is no price.
///
/// # Errors
/// All faults of the question and of its texts.
pub fn answer(
    question: &DesignQuestion,
    book_source: &dyn BookSource,
    worth_tables: bool,
    work: &Work,
) -> Result<DesignAnswer, Faults> {
    let request = DesignRequest::of(question, book_source)?;
    Ok(if worth_tables { request.answer(work) } else { request.counted_answer(work) })
}

impl DesignRequest {
    /// Loads the book and parses the house ways of a question.
    ///
    /// # Errors
    /// All faults of the question and of its texts.
    pub fn of(question: &DesignQuestion, book_source: &dyn BookSource) -> Result<DesignRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let book = context.priced_book(&question.book, &question.changes);
        let against = context.house_way(question.against.as_deref(), "against");
        let side = context.side(question.side.as_deref().or(Some(Side::Dealer.name())));
        let way = context.house_way_text(&question.toml, "toml");
        let before = question.before.as_deref().and_then(|text| context.house_way_text(text, "before"));
        let (book, (side, way)) = context.faults.into_result(book.zip(side.zip(way)))?;
        let against = against.unwrap_or_else(|| book.house_way.clone());
        Ok(DesignRequest { book, side, against, way, before })
    }

    /// Proves and prices the house way.
    pub fn answer(&self, work: &Work) -> DesignAnswer {
        let table = work.worth_table(&Valuation::of(&self.book, self.side, &self.against));
        let odds = |outcomes| odds_of(&self.book, self.side, outcomes);
        let before = self.before.as_ref().map(|before| (before, table.decide(before)));
        // Only the hands that the edit touches are decided again.
        let decisions = match &before {
            Some((before, decided)) => {
                table.decide_again(&self.way, decided, first_changed(before, &self.way))
            }
            None => table.decide(&self.way),
        };
        let price = table.price(&self.way, &decisions);
        let compared = before.map(|(_, decisions_before)| {
            let before = odds(table.outcomes(&decisions_before));
            let change = odds(price.outcomes).edge.0 - before.edge.0.clone();
            let (edge_change, edge_change_exact) = decimal_and_exact(change);
            let Changes { hands, kinds } = table.changes(&decisions_before, &decisions, CHANGED);
            let kinds = kinds.iter().map(ChangedHands::of).collect();
            DesignComparison { before, edge_change, edge_change_exact, hands: Some(hands), kinds }
        });
        let costliest = table.costliest(&decisions, COSTLIEST);
        DesignAnswer {
            book: self.book.id.clone(),
            side: self.side.name(),
            against: self.against.id().to_owned(),
            odds: odds(price.outcomes),
            price: Some(HouseWayPrice::of(&self.way, &price, odds(price.outcomes), &costliest)),
            best: Some(odds(table.best_outcomes())),
            faults: DesignFault::all_of(&Proof::of_kinds(self.way.as_draft(), &table)),
            compared,
        }
    }

    /// Proves the house way, and counts the base game with it.
    pub fn counted_answer(&self, work: &Work) -> DesignAnswer {
        let odds = odds_of(&self.book, self.side, self.count(&self.way, work));
        let compared = self.before.as_ref().map(|before| {
            let before = odds_of(&self.book, self.side, self.count(before, work));
            let (edge_change, edge_change_exact) =
                decimal_and_exact(odds.edge.0.clone() - before.edge.0.clone());
            DesignComparison { before, edge_change, edge_change_exact, hands: None, kinds: Vec::new() }
        });
        DesignAnswer {
            book: self.book.id.clone(),
            side: self.side.name(),
            against: self.against.id().to_owned(),
            odds,
            price: None,
            best: None,
            faults: DesignFault::all_of(&Proof::of(self.way.as_draft(), self.book.ranking)),
            compared,
        }
    }

    /// Outcomes of the side that sets by a house way, counted.
    fn count(&self, way: &HouseWay, work: &Work) -> Outcomes {
        let (ranking, copies) = (self.book.ranking, self.book.base_game.copies);
        let game = |player, dealer, dealer_push| {
            work.base_game(&Matchup { player, dealer, ranking, dealer_push }).outcomes(copies)
        };
        let push = &self.book.base_game.dealer_push[..];
        match self.side {
            Side::Player => game(way, &self.against, push),
            Side::Banker => game(&self.against, way, &[]).exchanged(),
            Side::Dealer => game(&self.against, way, push).exchanged(),
        }
    }
}

/// Number of phrases in all clauses.
fn phrases(way: &HouseWay) -> usize {
    let texts = way.clauses().iter().flat_map(|clause| clause.set.iter().chain([&clause.when]));
    texts.map(|text| text.split(',').count()).sum()
}

/// Number of clauses at the start that two house ways have in common.
fn first_changed(before: &HouseWay, after: &HouseWay) -> usize {
    let (before, after) = (before.rules(), after.rules());
    before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count()
}

impl QuestionContext<'_> {
    /// Parses a house way that was sent. `at` is the key of the question; faults name it with line and column.
    fn house_way_text(&mut self, text: &str, at: &str) -> Option<HouseWay> {
        if text.len() > TEXT_MAX {
            let message = format!("{} bytes: at most {TEXT_MAX} are allowed", text.len());
            self.faults.push(Fault::new("too_long", at, message));
            return None;
        }
        match HouseWay::parse("draft", &Source::new(at, text)) {
            Ok(way) if way.clauses().len() > CLAUSES_MAX => {
                let message = format!("{} clauses: at most {CLAUSES_MAX} are allowed", way.clauses().len());
                self.faults.push(Fault::new("too_many_clauses", at, message));
                None
            }
            Ok(way) if phrases(&way) > PHRASES_MAX => {
                let message = format!("{} phrases: at most {PHRASES_MAX} are allowed", phrases(&way));
                self.faults.push(Fault::new("too_many_phrases", at, message));
                None
            }
            Ok(way) => Some(way),
            Err(problems) => {
                self.faults.faults.extend(problems.into_iter().map(|problem| {
                    let (line, column) = problem.span.line_and_column();
                    Fault { line: Some(line), column: Some(column), ..Fault::of_problem(problem, None) }
                }));
                None
            }
        }
    }
}

impl DesignFault {
    fn all_of(proof: &Proof) -> Vec<DesignFault> {
        proof.faults.iter().map(DesignFault::of).collect()
    }

    fn of(fault: &HouseWayFault) -> DesignFault {
        let (code, clause, cards, decided_by) = match fault {
            HouseWayFault::Undecided(hand) => ("undecided", None, Some(*hand), None),
            HouseWayFault::Impossible { clause, hand } => ("impossible", Some(*clause), Some(*hand), None),
            HouseWayFault::Illegal { clause, hand } => ("illegal", Some(*clause), Some(*hand), None),
            HouseWayFault::Dead { clause, instead } => {
                ("dead", Some(*clause), instead.map(|(hand, _)| hand), instead.map(|(_, by)| by))
            }
        };
        DesignFault {
            code,
            clause: clause.map(|clause| clause + 1),
            cards: cards.map(CardText),
            decided_by: decided_by.map(|clause| clause + 1),
        }
    }
}

impl ChangedHands {
    fn of(kind: &ChangedKind) -> ChangedHands {
        let [clause_before, clause] = kind.clauses.map(|clause| clause + 1);
        let [low_before, low] = kind.settings.map(|setting| CardText(setting.low));
        ChangedHands {
            cards: CardText(kind.hand),
            hands: kind.hands,
            low_before,
            clause_before,
            low,
            clause,
            part: Decimal(kind.part.clone()),
        }
    }
}
