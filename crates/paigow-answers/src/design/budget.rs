//! Clauses that a house way can do without, within a budget for the change of the edge.

use super::{DesignQuestion, DesignRequest};
use crate::exact::decimal_and_exact;
use crate::{Decimal, Exact, Fault, Faults, PricedGame, ValueChanges, Work};
use paigow::rulebook::BookSource;
use paigow_math::{Fraction, Removal, Removals, WorthTable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of characters of a budget.
const BUDGET_MAX: usize = 16;

/// Question for the clauses of a house way that can be removed within a budget.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetQuestion {
    /// Name of a rule book.
    pub book: String,
    /// The house way as TOML, as in a file.
    pub toml: String,
    /// The reference version, as TOML. Default: `toml`.
    pub before: Option<String>,
    /// Largest change of the edge against the reference version, up or down: a fraction of the wager as a decimal number
    /// from 0 to 1.
    #[schema(max_length = 16, pattern = "^(0|1)(\\.[0-9]+)?$", example = "0.0001")]
    pub budget: String,
    /// House way of the other side. Default: that of the book.
    pub against: Option<String>,
    /// Side that sets by the house way: `player`, `banker` or `dealer`, if the book has it. Default: `dealer`, or `banker`
    /// if the dealer never banks.
    pub side: Option<String>,
    /// Values of the book replaced for this question.
    #[serde(default)]
    pub changes: ValueChanges,
}

/// Clauses of a house way that can be removed within a budget.
///
/// The choice is greedy: each step removes the clause that leaves the edge closest to that of the reference version. Each
/// figure is exact. It is not proved that no other choice removes more clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BudgetAnswer {
    /// Id of the book.
    pub book: String,
    /// Side that sets by the house way: `player`, `banker` or `dealer`.
    pub side: &'static str,
    /// House way of the other side.
    pub against: String,
    /// The budget.
    pub budget: Decimal,
    /// Change of the edge against the reference version before the first step.
    pub edge_change: Decimal,
    /// The change as an exact fraction.
    pub edge_change_exact: Exact,
    /// Number of clauses before the first step.
    pub clauses: usize,
    /// The clauses to remove, in order. After each step the change is within the budget.
    pub steps: Vec<BudgetStep>,
    /// The step that would be next, if it did not exceed the budget. `null` if no further clause can be removed without a
    /// fault in the proof.
    #[schema(required)]
    pub next: Option<BudgetStep>,
}

/// A clause that is removed after those of the steps before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct BudgetStep {
    /// Number of the clause in the house way of the question, from 1.
    pub clause: usize,
    /// Condition of the clause.
    pub when: String,
    /// Allowed settings of the clause.
    pub set: Vec<String>,
    /// Number of hands that the clause decided.
    pub hands: u64,
    /// Change of the edge against the reference version after the step.
    pub edge_change: Decimal,
    /// The change as an exact fraction.
    pub edge_change_exact: Exact,
    /// Number of hands that are set differently than by the reference version after the step.
    pub hands_changed: u64,
}

/// A question with its book, house ways and budget loaded.
pub struct BudgetRequest {
    /// The house way, the reference version and the game.
    pub design: DesignRequest,
    budget: Fraction,
}

impl BudgetRequest {
    /// Loads the book and parses the house ways and the budget of a question.
    ///
    /// # Errors
    /// All faults of the question and of its texts.
    pub fn of(question: &BudgetQuestion, book_source: &dyn BookSource) -> Result<BudgetRequest, Faults> {
        let BudgetQuestion { book, toml, before, budget, against, side, changes } = question.clone();
        let design = DesignQuestion { book, toml, before, against, side, changes };
        let mut faults = Faults::default();
        let design =
            DesignRequest::of(&design, book_source).map_err(|found| faults.faults.extend(found.faults)).ok();
        let budget = parse_budget(&budget).map_err(|fault| faults.push(*fault)).ok();
        let (design, budget) = faults.into_result(design.zip(budget))?;
        Ok(BudgetRequest { design, budget })
    }

    /// Finds the clauses by a table of worths of the game.
    pub fn answer(&self, table: &WorthTable, work: &Work) -> BudgetAnswer {
        let PricedGame { book, side, against } = &self.design.game;
        let (decisions, before) = self.design.decide(table, work);
        let reference = before.as_ref().unwrap_or(&decisions);
        let edge = |outcomes| self.design.game.odds(outcomes).edge.0;
        let reference_edge = edge(table.outcomes(reference));
        let change = |outcomes| decimal_and_exact(edge(outcomes) - reference_edge.clone());
        let way = &self.design.way;
        let step = |removal: Removal| {
            let (edge_change, edge_change_exact) = change(removal.outcomes);
            let clause = &way.clauses()[removal.clause];
            BudgetStep {
                clause: removal.clause + 1,
                when: clause.when.clone(),
                set: clause.set.clone(),
                hands: removal.hands,
                edge_change,
                edge_change_exact,
                hands_changed: removal.hands_changed,
            }
        };
        let stop = |_| work.stop_if_cancelled();
        let Removals { steps, next } = table.remove_clauses(way, &decisions, reference, &self.budget, &stop);
        let (edge_change, edge_change_exact) = change(table.outcomes(&decisions));
        BudgetAnswer {
            book: book.id.clone(),
            side: side.name(),
            against: against.id().to_owned(),
            budget: Decimal(self.budget.clone()),
            edge_change,
            edge_change_exact,
            clauses: way.clauses().len(),
            steps: steps.into_iter().map(step).collect(),
            next: next.map(step),
        }
    }
}

/// Parses a budget: a decimal number from 0 to 1.
fn parse_budget(text: &str) -> Result<Fraction, Box<Fault>> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let digits: Option<u64> = (text.len() <= BUDGET_MAX && is_digits(whole) && is_digits(decimals))
        .then(|| format!("{whole}{decimals}").parse().ok())
        .flatten();
    let budget = digits.map(|digits| Fraction::new(digits, 10_u64.pow(decimals.len() as u32)));
    budget.filter(|budget| *budget <= Fraction::one()).ok_or_else(|| {
        let text: String = text.chars().take(BUDGET_MAX).collect();
        let message =
            format!("`{text}` is not a decimal number from 0 to 1 of at most {BUDGET_MAX} characters");
        Box::new(Fault::new("bad_budget", "budget", message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_decimal_numbers_from_0_to_1() {
        for (text, expected) in [("0", (0, 1)), ("0.0001", (1, 10_000)), ("1.0", (1, 1)), ("00.5", (1, 2))] {
            let (num, den) = expected;
            assert_eq!(parse_budget(text).ok(), Some(Fraction::new(num, den)), "{text}");
        }
        for text in ["", ".", ".5", "1.", "-0.1", "1.00001", "2", "1e-4", "0,1", "0.00000000000000001", "٠"]
        {
            assert_eq!(parse_budget(text).err().map(|fault| fault.code), Some("bad_budget"), "{text}");
        }
    }
}
