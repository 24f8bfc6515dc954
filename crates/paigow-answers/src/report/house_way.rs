//! The house way of a report, with the number of hands that each clause decides, and the census of hands.

use crate::census::{self, CensusQuestion, JokerName};
use crate::written_way::describe;
use paigow::{Joker, Rulebook};
use paigow_math::{HouseWayFault, Proof};
use serde::Serialize;

/// A house way with its proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedHouseWay {
    /// Id of the house way.
    pub id: String,
    /// Title for display.
    pub title: String,
    /// Document that it follows.
    pub source: String,
    /// Clauses, in order. The first that applies decides.
    pub clauses: Vec<ReportedClause>,
    /// Faults on some hand. The house way is proved on every hand if there are none.
    pub faults: Vec<String>,
}

/// A clause with the hands that it decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedClause {
    /// Condition on the cards.
    pub when: String,
    /// Alternative settings.
    pub set: Vec<String>,
    /// The clause as a sentence.
    pub says: String,
    /// Citation.
    pub cite: String,
    /// Number of hands that the clause decides, out of 154,143,080.
    pub hands: u64,
    /// Number of classes of hands that differ in more than their suits.
    pub classes: u64,
    /// A hand that the clause decides.
    pub example: Option<String>,
}

impl ReportedHouseWay {
    /// Proves the house way of a book under the ranking of the book.
    pub fn of(book: &Rulebook) -> ReportedHouseWay {
        let way = &book.house_way;
        let draft = way.as_draft();
        let proof = Proof::of(draft, book.ranking);
        // Under another ranking than its own, a clause may decide no hand. An undecided hand and an illegal setting are
        // faults under every ranking.
        let counts = |fault: &&HouseWayFault| {
            book.ranking == draft.ranking
                || matches!(fault, HouseWayFault::Undecided(_) | HouseWayFault::Illegal { .. })
        };
        let clauses = way.clauses().iter().zip(&proof.clauses).map(|(clause, decided)| ReportedClause {
            when: clause.when.clone(),
            set: clause.set.clone(),
            says: clause.says.clone(),
            cite: clause.cite.clone(),
            hands: decided.hands,
            classes: decided.classes,
            example: decided.example.map(|hand| hand.to_string()),
        });
        ReportedHouseWay {
            id: way.id().to_owned(),
            title: way.title().to_owned(),
            source: way.source().to_owned(),
            clauses: clauses.collect(),
            faults: proof.faults.iter().filter(counts).map(|fault| describe(fault, draft)).collect(),
        }
    }
}

/// Number of hands in each class, by rank in play, the highest first.
pub(super) fn census(joker: Joker) -> Vec<(String, u64)> {
    let joker = match joker {
        Joker::SemiWild => JokerName::Semi,
        Joker::FullyWild => JokerName::Full,
    };
    let answer = census::answer(CensusQuestion { joker });
    answer.classes.into_iter().map(|(class, hands)| (class.to_owned(), hands)).collect()
}
