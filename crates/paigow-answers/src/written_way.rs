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

/// Maximum number of characters of the title of a house way.
pub const TITLE_MAX: usize = 100;
/// Maximum number of characters of each other sentence of a house way.
pub const SENTENCE_MAX: usize = 600;

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
        _ => sentence_faults(&way, at).into_result(Some(way)),
    }
}

/// Faults of the sentences, which other people read at a table: characters that hide or reorder text, and lengths.
fn sentence_faults(way: &HouseWay, at: &str) -> Faults {
    let head =
        [("title".to_owned(), way.title(), TITLE_MAX), ("source".to_owned(), way.source(), SENTENCE_MAX)];
    let clauses = way.clauses().iter().enumerate().flat_map(|(index, clause)| {
        let sentence = |key: &str, text| (format!("{key} of clause {}", index + 1), text, SENTENCE_MAX);
        [sentence("says", &*clause.says), sentence("cite or assumed", &*clause.cite)]
    });
    let mut faults = Faults::default();
    for (name, text, max) in head.into_iter().chain(clauses) {
        if let Some(c) = text.chars().find(|c| is_invisible(*c)) {
            let message = format!("{name} has the invisible character U+{:04X}: remove it", u32::from(c));
            faults.push(Fault::new("invisible_character", at, message));
        }
        let length = text.chars().count();
        if length > max {
            let message = format!("{name} has {length} characters: at most {max} are allowed");
            faults.push(Fault::new("long_sentence", at, message));
        }
    }
    faults
}

/// Control characters, and characters that change the writing direction or have no width.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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

    #[test]
    fn sentences_are_short_and_visible() {
        let text = BuiltIn.house_way("foxwoods", None).unwrap().text.to_string();
        // The file aligns its keys.
        let text =
            text.replace("title  =", "title =").replace("says  =", "says =").replace("says   =", "says =");
        let faults = |from: &str, to: &str| codes(parse(&text.replacen(from, to, 1), "toml"));
        assert!(
            ["title = \"", "source = \"", "says = \""].iter().all(|start| text.contains(start)),
            "{text}"
        );
        assert_eq!(faults("", ""), [""; 0]);
        for hidden in ["\\u202E", "\\u0007", "\\n", "\u{200b}", "\\u2066"] {
            for key in ["title", "source"] {
                let start = format!("{key} = \"");
                assert_eq!(
                    faults(&start, &format!("{start}{hidden}")),
                    ["invisible_character"],
                    "{key} {hidden}"
                );
            }
        }
        let long = "x".repeat(SENTENCE_MAX + 1);
        assert_eq!(faults("title = \"", &format!("title = \"{}", &long[..=TITLE_MAX])), ["long_sentence"]);
        assert_eq!(
            faults("source = \"", &format!("source = \"{long}\u{feff}")),
            ["invisible_character", "long_sentence"]
        );
        assert_eq!(faults("says = \"", &format!("says = \"{long}")), ["long_sentence"]);
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
