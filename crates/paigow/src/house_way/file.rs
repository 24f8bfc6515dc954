//! A house way as text.

use super::{Clause, Condition, GroupPattern, HouseWay, HouseWayDraft, Placement};
use crate::document::spec::{optional, required};
use crate::document::{Document, Field, FieldType, Node, Problem, Source, Span, Spec, in_order};
use crate::{Joker, Ranking, Wheel};

/// What a house way's file may contain.
pub static HOUSE_WAY_SPEC: Spec = Spec {
    about: "How a dealer sets seven cards, as clauses in order: the first that fits a hand decides it.",
    cited: false,
    fields: &[
        required("title", FieldType::Text, "the house, for people"),
        required("source", FieldType::Text, "where the text was found"),
        required("ranking", FieldType::Table(&RANKING), "what the way was written for"),
        required("clauses", FieldType::Rows(&CLAUSE), "the clauses in order; the last fits every hand"),
    ],
};

pub(crate) const JOKERS: &[&str] = &["semi_wild", "fully_wild"];
pub(crate) const WHEELS: &[&str] = &["lowest", "second_highest"];
pub(crate) const JOKER: Field = required("joker", FieldType::Choice(JOKERS), "what the joker may stand for");
pub(crate) const WHEEL: Field =
    required("wheel", FieldType::Choice(WHEELS), "where A-2-3-4-5 stands among the straights");

static RANKING: Spec =
    Spec { about: "How hands rank where no rule book says otherwise.", cited: true, fields: &[JOKER, WHEEL] };

static CLAUSE: Spec = Spec {
    about: "What the cards must show, and what is then done with them.",
    cited: true,
    fields: &[
        required("when", FieldType::Text, "what the seven cards must show: phrases separated by commas"),
        required(
            "set",
            FieldType::Texts,
            "what the setting must do: phrases separated by commas; of several texts, any",
        ),
        required("says", FieldType::Text, "what a dealer would say"),
        optional(
            "if_possible",
            FieldType::Bool,
            "whether hands that cannot be set so go on to the next clause",
        ),
    ],
};

impl HouseWay {
    /// Reads a house way, which decides every hand.
    ///
    /// # Errors
    /// Everything that is wrong with the text, and that it may leave a hand undecided.
    pub fn parse(id: &str, source: &Source) -> Result<HouseWay, Vec<Problem>> {
        let (draft, mut problems) = HouseWayDraft::read(id, source);
        let way = draft.and_then(|draft| draft.complete().map_err(|problem| problems.push(problem)).ok());
        way.filter(|_| problems.is_empty()).ok_or_else(|| in_order(problems))
    }
}

impl HouseWayDraft {
    /// Reads a house way, which may leave hands undecided.
    ///
    /// # Errors
    /// Everything that is wrong with the words of the text.
    pub fn parse(id: &str, source: &Source) -> Result<HouseWayDraft, Vec<Problem>> {
        let (draft, problems) = HouseWayDraft::read(id, source);
        draft.filter(|_| problems.is_empty()).ok_or_else(|| in_order(problems))
    }

    /// What can be read of a house way, and what is wrong with it.
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
                    let fitting =
                        clauses.iter().enumerate().filter(|(_, clause)| clause.condition.is_for(pattern));
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
    // An empty text has been refused already.
    let written = |node: &&Node| node.text().is_some_and(|text| !text.trim().is_empty());
    let when = table.get("when").filter(written);
    let condition = when.and_then(|node| noted(Condition::parse(node.text()?, &node.span), problems));
    let set = table.get("set");
    let texts: Vec<&Node> = match set.and_then(Node::items) {
        Some(items) => items.iter().filter(written).collect(),
        None => set.into_iter().filter(written).collect(),
    };
    let placements: Vec<Option<Placement>> =
        texts.iter().map(|node| noted(Placement::parse(node.text()?, &node.span), problems)).collect();
    Some(Clause {
        when: when?.text()?.to_owned(),
        set: texts.iter().filter_map(|node| node.text()).map(str::to_owned).collect(),
        if_possible: table.truth("if_possible").unwrap_or(false),
        says: table.text("says")?.to_owned(),
        cite: table.provenance("set")?.to_string(),
        condition: condition?,
        placements: placements.into_iter().collect::<Option<_>>()?,
    })
}

/// What was read; or nothing, and the problems noted.
fn noted<T>(read: Result<T, Vec<Problem>>, problems: &mut Vec<Problem>) -> Option<T> {
    read.map_err(|found| problems.extend(found)).ok()
}
