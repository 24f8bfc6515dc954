//! Parser for house-way files.

use super::{Clause, Condition, GroupPattern, HouseWay, HouseWayDraft, Placement};
use crate::document::spec::{optional, required};
use crate::document::{Document, Field, FieldType, Node, Problem, Source, Span, Spec, sorted_problems};
use crate::{Joker, Ranking, Wheel};

/// Schema of house-way files.
pub static HOUSE_WAY_SPEC: Spec = Spec {
    about: "A house way: ordered clauses by which a dealer sets seven cards. The first clause that fits a hand decides it.",
    cited: false,
    fields: &[
        required("title", FieldType::Text, "name of the house"),
        required("source", FieldType::Text, "document or page from which the text was taken"),
        required("ranking", FieldType::Table(&RANKING), "ranking for which the house way was written"),
        required("clauses", FieldType::Rows(&CLAUSE), "clauses in order; the last must fit every hand"),
    ],
};

pub(crate) const JOKERS: &[&str] = &["semi_wild", "fully_wild"];
pub(crate) const WHEELS: &[&str] = &["lowest", "second_highest"];
pub(crate) const JOKER: Field =
    required("joker", FieldType::Choice(JOKERS), "cards that the joker may represent");
pub(crate) const WHEEL: Field =
    required("wheel", FieldType::Choice(WHEELS), "rank of A-2-3-4-5 among the straights");

static RANKING: Spec =
    Spec { about: "Ranking used when no rule book is given.", cited: true, fields: &[JOKER, WHEEL] };

static CLAUSE: Spec = Spec {
    about: "A condition on the seven cards, and the settings allowed when it holds.",
    cited: true,
    fields: &[
        required("when", FieldType::Text, "condition on the seven cards: phrases separated by commas"),
        required(
            "set",
            FieldType::Texts,
            "allowed settings: phrases separated by commas; several texts are alternatives",
        ),
        required("says", FieldType::Text, "the rule in a dealer's words"),
        optional(
            "if_possible",
            FieldType::Bool,
            "whether hands without a legal setting under this clause may go on to the next clause",
        ),
    ],
};

impl HouseWay {
    /// Parses a house way, which decides every hand.
    ///
    /// # Errors
    /// Returns every problem of the text, including a last clause that may leave a hand undecided.
    pub fn parse(id: &str, source: &Source) -> Result<HouseWay, Vec<Problem>> {
        let (draft, mut problems) = HouseWayDraft::read(id, source);
        let way = draft.and_then(|draft| draft.complete().map_err(|problem| problems.push(problem)).ok());
        way.filter(|_| problems.is_empty()).ok_or_else(|| sorted_problems(problems))
    }
}

impl HouseWayDraft {
    /// Parses a house way, which may leave hands undecided.
    ///
    /// # Errors
    /// Returns every problem of the text.
    pub fn parse(id: &str, source: &Source) -> Result<HouseWayDraft, Vec<Problem>> {
        let (draft, problems) = HouseWayDraft::read(id, source);
        draft.filter(|_| problems.is_empty()).ok_or_else(|| sorted_problems(problems))
    }

    /// Returns the parsed draft and every problem found. The draft is `None` if a required part is invalid.
    fn read(id: &str, source: &Source) -> (Option<HouseWayDraft>, Vec<Problem>) {
        let document = match Document::parse(source) {
            Ok(document) => document,
            Err(problems) => return (None, problems),
        };
        let mut problems = Vec::new();
        HOUSE_WAY_SPEC.check(&document.root, &mut problems);
        let rows = document.root.get("clauses").and_then(Node::items).unwrap_or_default();
        let clauses: Vec<Option<Clause>> = rows.iter().map(|row| clause(row, &mut problems)).collect();
        let draft = (|| {
            let ranking = document.root.table("ranking")?;
            let clauses: Vec<Clause> = clauses.into_iter().collect::<Option<_>>()?;
            Some(HouseWayDraft {
                id: id.to_owned(),
                title: document.root.text("title")?.to_owned(),
                source: document.root.text("source")?.to_owned(),
                ranking: Ranking {
                    joker: Joker::from_name(ranking.text("joker")?)?,
                    wheel: Wheel::from_name(ranking.text("wheel")?)?,
                },
                by_pattern: GroupPattern::PHRASES.map(|(_, pattern)| {
                    let fitting = clauses
                        .iter()
                        .enumerate()
                        .filter(|(_, clause)| clause.condition.allows_pattern(pattern));
                    fitting.map(|(i, _)| i).collect()
                }),
                clauses,
                end: Span {
                    source: source.clone(),
                    start: source.text.trim_end().len(),
                    end: source.text.len(),
                },
            })
        })();
        (draft, problems)
    }
}

fn clause(row: &Node, problems: &mut Vec<Problem>) -> Option<Clause> {
    let table = row.table()?;
    // The schema check has already reported empty texts.
    let not_empty = |node: &&Node| node.text().is_some_and(|text| !text.trim().is_empty());
    let when = table.get("when").filter(not_empty);
    let condition =
        when.and_then(|node| collect_problems(Condition::parse(node.text()?, &node.span), problems));
    let set = table.get("set");
    let texts: Vec<&Node> = match set.and_then(Node::items) {
        Some(items) => items.iter().filter(not_empty).collect(),
        None => set.into_iter().filter(not_empty).collect(),
    };
    let placements: Vec<Option<Placement>> = texts
        .iter()
        .map(|node| collect_problems(Placement::parse(node.text()?, &node.span), problems))
        .collect();
    Some(Clause {
        when: when?.text()?.to_owned(),
        set: texts.iter().filter_map(|node| node.text()).map(str::to_owned).collect(),
        if_possible: table.boolean("if_possible").unwrap_or(false),
        says: table.text("says")?.to_owned(),
        cite: table.provenance("set")?.to_string(),
        condition: condition?,
        placements: placements.into_iter().collect::<Option<_>>()?,
    })
}

/// Returns the parsed value, or `None` after adding its problems to the list.
fn collect_problems<T>(parsed: Result<T, Vec<Problem>>, problems: &mut Vec<Problem>) -> Option<T> {
    parsed.map_err(|found| problems.extend(found)).ok()
}
