//! The house-way designer: proof and price of a house way that is being written, compared with its last version.

mod budget;

pub use budget::{BudgetAnswer, BudgetQuestion, BudgetRequest, BudgetStep};

use crate::exact::decimal_and_exact;
use crate::odds::OutcomeOdds;
use crate::price::{COSTLIEST, HouseWayPrice};
use crate::priced_game::{GameQuestion, PricedGame};
use crate::question::QuestionContext;
use crate::written_way::{self, fault_code};
use crate::{CardText, Decimal, Exact, Faults, ValueChanges, Work};
use paigow::rulebook::BookSource;
use paigow::{HouseWay, SevenCards, TwoCards};
use paigow_math::{
    ChangedKind, Changes, Decisions, HouseWayFault, Matchup, Outcomes, Proof, TableSide, WorthTable,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    /// Side that sets by the house way: `player`, `banker` or `dealer`, if the book has it. Default: `dealer`, or `banker`
    /// if the dealer never banks.
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
    /// loss of the seat against one player, whose commission is on the win of that hand.
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
    /// The game that the price follows from.
    pub game: PricedGame,
    way: HouseWay,
    before: Option<HouseWay>,
}

impl DesignRequest {
    /// Loads the book and parses the house ways of a question.
    ///
    /// # Errors
    /// All faults of the question and of its texts.
    pub fn of(question: &DesignQuestion, book_source: &dyn BookSource) -> Result<DesignRequest, Faults> {
        let mut context = QuestionContext::new(book_source);
        let game = context.priced_game(&GameQuestion {
            book: &question.book,
            changes: &question.changes,
            against: question.against.as_deref(),
            side: question.side.as_deref(),
            default_side: TableSide::Dealer,
        });
        let way = context.written_way(&question.toml, "toml");
        let before = question.before.as_deref().and_then(|text| context.written_way(text, "before"));
        let (game, way) = context.faults.into_result(game.zip(way))?;
        Ok(DesignRequest { game, way, before })
    }

    /// Proves and prices the house way by a table of worths of the game.
    pub fn answer(&self, table: &WorthTable, work: &Work) -> DesignAnswer {
        let PricedGame { book, side, against } = &self.game;
        let odds = |outcomes| self.game.odds(outcomes);
        let (decisions, before) = self.decide(table, work);
        let price = table.price(&self.way, &decisions);
        work.stop_if_cancelled();
        let compared = before.map(|decisions_before| {
            let before = odds(table.outcomes(&decisions_before));
            let change = odds(price.outcomes).edge.0 - before.edge.0.clone();
            let (edge_change, edge_change_exact) = decimal_and_exact(change);
            let Changes { hands, kinds } = table.changes(&decisions_before, &decisions, CHANGED);
            let kinds = kinds.iter().map(ChangedHands::of).collect();
            DesignComparison { before, edge_change, edge_change_exact, hands: Some(hands), kinds }
        });
        let costliest = table.costliest(&decisions, COSTLIEST);
        work.stop_if_cancelled();
        DesignAnswer {
            book: book.id.clone(),
            side: side.name(),
            against: against.id().to_owned(),
            odds: odds(price.outcomes),
            price: Some(HouseWayPrice::of(&self.way, &price, odds(price.outcomes), &costliest)),
            best: Some(odds(table.best_outcomes())),
            faults: self.faults(),
            compared,
        }
    }

    /// Sets every kind of hand by the house way, and by the version before if there is one. Only the hands that the edit
    /// touches are decided twice.
    fn decide(&self, table: &WorthTable, work: &Work) -> (Decisions, Option<Decisions>) {
        let Some(before) = &self.before else { return (table.decide(&self.way), None) };
        let decided = table.decide(before);
        work.stop_if_cancelled();
        let decisions = table.decide_again(&self.way, &decided, first_changed(before, &self.way));
        work.stop_if_cancelled();
        (decisions, Some(decided))
    }

    /// Proves the house way, and counts the base game with it, without a table of worths. There is no price.
    pub fn counted_answer(&self, work: &Work) -> DesignAnswer {
        let PricedGame { book, side, against } = &self.game;
        let odds = self.game.odds(self.count(&self.way, work));
        let compared = self.before.as_ref().map(|before| {
            let before = self.game.odds(self.count(before, work));
            let (edge_change, edge_change_exact) =
                decimal_and_exact(odds.edge.0.clone() - before.edge.0.clone());
            DesignComparison { before, edge_change, edge_change_exact, hands: None, kinds: Vec::new() }
        });
        DesignAnswer {
            book: book.id.clone(),
            side: side.name(),
            against: against.id().to_owned(),
            odds,
            price: None,
            best: None,
            faults: self.faults(),
            compared,
        }
    }

    fn faults(&self) -> Vec<DesignFault> {
        let proof = Proof::of_kinds(self.way.as_draft(), self.game.book.ranking);
        proof.faults.iter().map(DesignFault::of).collect()
    }

    /// Outcomes of the side that sets by a house way, counted.
    fn count(&self, way: &HouseWay, work: &Work) -> Outcomes {
        let PricedGame { book, side, against } = &self.game;
        let (ranking, copies) = (book.ranking, book.base_game.copies);
        let game = |player, dealer, dealer_push| {
            work.base_game(&Matchup { player, dealer, ranking, dealer_push }).outcomes(copies)
        };
        let push = &book.base_game.dealer_push[..];
        match side {
            TableSide::Player => game(way, against, push),
            TableSide::Banker => game(against, way, &[]).exchanged(),
            TableSide::Dealer => game(against, way, push).exchanged(),
        }
    }
}

/// Number of clauses at the start that two house ways have in common.
fn first_changed(before: &HouseWay, after: &HouseWay) -> usize {
    let (before, after) = (before.rules(), after.rules());
    before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count()
}

impl QuestionContext<'_> {
    /// Parses a house way that was sent. `at` is the key of the question.
    fn written_way(&mut self, text: &str, at: &str) -> Option<HouseWay> {
        let way = written_way::parse(text, at);
        way.map_err(|mut faults| self.faults.faults.append(&mut faults.faults)).ok()
    }
}

impl DesignFault {
    fn of(fault: &HouseWayFault) -> DesignFault {
        let (clause, cards, decided_by) = match fault {
            HouseWayFault::Undecided(hand) => (None, Some(*hand), None),
            HouseWayFault::Impossible { clause, hand } | HouseWayFault::Illegal { clause, hand } => {
                (Some(*clause), Some(*hand), None)
            }
            HouseWayFault::Dead { clause, instead } => {
                (Some(*clause), instead.map(|(hand, _)| hand), instead.map(|(_, by)| by))
            }
        };
        DesignFault {
            code: fault_code(fault),
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
