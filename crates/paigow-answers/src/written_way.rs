//! House ways that are sent as text: their limits, their parser and their proof.
//!
//! The designer and tables with a house way of their own accept the same texts.

use crate::{Fault, Faults};
use paigow::document::Source;
use paigow::{HouseWay, HouseWayDraft, Ranking};
use paigow_math::{HouseWayFault, Proof};

/// Maximum length of a house way in bytes. Two of them fit into the body of a request.
pub const TEXT_MAX: usize = 28_000;
/// Maximum number of clauses of a house way. The effort of a proof and of a price grows with them.
pub const CLAUSES_MAX: usize = 100;
/// Maximum number of phrases of a house way.
pub const PHRASES_MAX: usize = 500;

/// Parses a house way. `at` is the key of the question; faults name it with line and column.
///
/// # Errors
/// All faults of the text, or the limit that it exceeds.
pub fn parse(text: &str, at: &str) -> Result<HouseWay, Faults> {
    let too_many = |code, found: usize, unit, max: usize| {
        Err(Fault::new(code, at, format!("{found} {unit}: at most {max} are allowed")).into())
    };
    if text.len() > TEXT_MAX {
        return too_many("too_long", text.len(), "bytes", TEXT_MAX);
    }
    let way = HouseWay::parse("draft", &Source::new(at, text)).map_err(|problems| Faults {
        faults: problems.into_iter().map(Fault::of_written_problem).collect(),
    })?;
    match (way.clauses().len(), phrases(&way)) {
        (clauses, _) if clauses > CLAUSES_MAX => {
            too_many("too_many_clauses", clauses, "clauses", CLAUSES_MAX)
        }
        (_, phrases) if phrases > PHRASES_MAX => {
            too_many("too_many_phrases", phrases, "phrases", PHRASES_MAX)
        }
        _ => Ok(way),
    }
}

/// Proves a house way on every hand under a ranking. `at` is the key of the question that faults name.
///
/// # Errors
/// Every fault of the proof, with a hand that shows it.
pub fn prove(way: &HouseWay, ranking: Ranking, at: &str) -> Result<(), Faults> {
    let proof = Proof::of_kinds(way.as_draft(), ranking);
    let faults = proof.faults.iter().map(|fault| {
        let message = describe(fault, way.as_draft());
        Fault::new(fault_code(fault), at, message)
    });
    Faults { faults: faults.collect() }.into_result(Some(()))
}

/// Returns the code of a fault of a proof.
pub fn fault_code(fault: &HouseWayFault) -> &'static str {
    match fault {
        HouseWayFault::Undecided(_) => "undecided",
        HouseWayFault::Impossible { .. } => "impossible",
        HouseWayFault::Illegal { .. } => "illegal",
        HouseWayFault::Dead { .. } => "dead",
    }
}

/// Describes a fault of a proof, with the clauses and a hand that shows it.
pub fn describe(fault: &HouseWayFault, way: &HouseWayDraft) -> String {
    let clause = |index: usize| format!("clause {} ({})", index + 1, way.clauses()[index].when);
    match *fault {
        HouseWayFault::Undecided(hand) => format!("no clause decides {hand}"),
        HouseWayFault::Impossible { clause: index, hand } => {
            let set = way.clauses()[index].set.join(", or ");
            format!("{} applies to {hand}, but no legal setting matches: {set}", clause(index))
        }
        HouseWayFault::Illegal { clause: index, hand } => format!("{} sets {hand} illegally", clause(index)),
        HouseWayFault::Dead { clause: index, instead: None } => {
            format!("{} decides no hand: it applies to none", clause(index))
        }
        HouseWayFault::Dead { clause: index, instead: Some((hand, by)) } => {
            let (dead, decides) = (clause(index), clause(by));
            format!("{dead} decides no hand: it applies to {hand}, but {decides} decides that hand")
        }
    }
}

/// Number of phrases in all clauses.
fn phrases(way: &HouseWay) -> usize {
    let texts = way.clauses().iter().flat_map(|clause| clause.set.iter().chain([&clause.when]));
    texts.map(|text| text.split(',').count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow::rulebook::{BookSource, BuiltIn};

    fn codes(result: Result<impl Sized, Faults>) -> Vec<&'static str> {
        result.err().map(|faults| faults.faults.iter().map(|fault| fault.code).collect()).unwrap_or_default()
    }

    /// A copy of a built-in house way can be played at a table of every book.
    #[test]
    fn built_in_house_ways_are_proved_under_the_ranking_of_every_book() {
        for name in BuiltIn::house_way_names() {
            let source = BuiltIn.house_way(name, None).unwrap();
            let way = parse(&source.text, "toml").unwrap();
            for book in BuiltIn::book_names() {
                let ranking = paigow::Rulebook::built_in(book).unwrap().ranking;
                assert_eq!(codes(prove(&way, ranking, "toml")), [""; 0], "{name} at {book}");
            }
        }
    }
}
