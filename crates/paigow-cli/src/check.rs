//! `paigow check`: reports all problems of rule books and house ways, and proves house ways on every hand.

use crate::answer::{Answer, Format, Sheet, with_separators};
use crate::args::CheckArgs;
use crate::{Failure, print, print_error, problems};
use paigow::document::{Document, Problem, Source, Span};
use paigow::rulebook::{BookSource, BuiltIn, stem};
use paigow::{HouseWayDraft, Rulebook};
use paigow_answers::files::{self, Files};
use paigow_answers::written_way::describe;
use paigow_math::{HouseWayFault, Proof};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(args: &CheckArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let checks: Vec<Check> = args.files.iter().flat_map(|name| Check::of(name)).collect();
    let answer = Answer {
        json: json!({ "files": checks.iter().map(Check::json).collect::<Vec<_>>() }),
        sheets: checks.iter().map(Check::sheet).collect(),
    };
    print(&answer, format, out)?;
    out.flush()?;
    let mut failed = false;
    for check in &checks {
        if !check.problems.is_empty() {
            print_error(&format!("{}\n", problems::render(&check.problems)));
        }
        for fault in check.faults() {
            print_error(&format!("paigow: {}: {fault}", check.name));
        }
        failed |= !check.is_valid();
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// Result of checking one text.
struct Check {
    name: String,
    /// Kind of text, for people.
    kind: &'static str,
    problems: Vec<Problem>,
    book: Option<Rulebook>,
    way: Option<(HouseWayDraft, Proof)>,
}

impl Check {
    /// Checks the texts of a name: the built-in book and the built-in house way of that name, or a file.
    fn of(name: &str) -> Vec<Check> {
        let stem = stem(name);
        let book = BuiltIn.book(name, None).map(|source| Check::of_book(&source, stem));
        let way = BuiltIn.house_way(name, None).map(|source| Check::of_house_way(&source, stem));
        if book.is_some() || way.is_some() {
            return book.into_iter().chain(way).collect();
        }
        let source = match files::source(Path::new(name)) {
            Ok(source) => source,
            Err(reason) => {
                let span = Span { source: Source::new(name, ""), start: 0, end: 0 };
                let problems = vec![Problem::new(&span, reason.to_string())];
                return vec![Check { problems, ..Check::empty(name, "file") }];
            }
        };
        let has_clauses =
            Document::parse(&source).is_ok_and(|document| document.root.get("clauses").is_some());
        vec![if has_clauses { Check::of_house_way(&source, stem) } else { Check::of_book(&source, stem) }]
    }

    fn empty(name: &str, kind: &'static str) -> Check {
        Check { name: name.to_owned(), kind, problems: Vec::new(), book: None, way: None }
    }

    /// Checks a house way. One without a final clause is also proved, to show a hand that it leaves undecided.
    fn of_house_way(source: &Source, stem: &str) -> Check {
        let check = Check::empty(&source.name, "house way");
        match HouseWayDraft::parse(stem, source) {
            Ok(draft) => {
                let proof = Proof::of(&draft, draft.ranking);
                let problems = draft.clone().complete().err().into_iter().collect();
                Check { problems, way: Some((draft, proof)), ..check }
            }
            Err(problems) => Check { problems, ..check },
        }
    }

    fn of_book(source: &Source, stem: &str) -> Check {
        let check = Check::empty(&source.name, "rule book");
        match Rulebook::parse(stem, source, &[], &Files) {
            Ok(book) => {
                // The book uses its own ranking, which may differ from the one that the house way was written for.
                let draft = book.house_way.as_draft().clone();
                let proof = Proof::of(&draft, book.ranking);
                Check { way: Some((draft, proof)), book: Some(book), ..check }
            }
            Err(problems) => Check { problems, ..check },
        }
    }

    fn is_valid(&self) -> bool {
        self.problems.is_empty() && self.faults().is_empty()
    }

    fn faults(&self) -> Vec<String> {
        let Some((way, proof)) = &self.way else { return Vec::new() };
        let own_ranking = self.book.as_ref().is_none_or(|book| book.ranking == way.ranking);
        // Under another ranking than its own, a clause may decide no hand or leave hands to the next clause. An
        // undecided hand and an illegal setting are faults under every ranking.
        let counts = |fault: &&HouseWayFault| {
            own_ranking || matches!(fault, HouseWayFault::Undecided(_) | HouseWayFault::Illegal { .. })
        };
        let faults = proof.faults.iter().filter(counts).map(|fault| describe(fault, way));
        faults.collect()
    }

    fn sheet(&self) -> Sheet {
        let counted = |count: usize, noun: &str| match count {
            0 => None,
            1 => Some(format!("1 {noun}")),
            _ => Some(format!("{count} {noun}s")),
        };
        let errors = [counted(self.problems.len(), "problem"), counted(self.faults().len(), "fault")];
        let errors: Vec<String> = errors.into_iter().flatten().collect();
        let state = if errors.is_empty() { "valid".to_owned() } else { errors.join(", ") };
        let title = format!("{}: a {}, {state}", self.name, self.kind);
        if let (Some((way, proof)), None) = (&self.way, &self.book) {
            let hands: u64 = proof.clauses.iter().map(|decided| decided.hands).sum();
            let rows = (1u64..).zip(way.clauses()).zip(&proof.clauses).map(|((i, clause), decided)| {
                let example = decided.example.map(|hand| hand.to_string()).unwrap_or_default();
                vec![
                    i.into(),
                    clause.when.as_str().into(),
                    decided.hands.into(),
                    decided.classes.into(),
                    example.into(),
                ]
            });
            return Sheet {
                title: format!("{title}; {} hands decided under {}", with_separators(hands), way.ranking),
                columns: vec!["clause", "when", "hands", "classes", "example"],
                rows: rows.collect(),
            };
        }
        let rows = match &self.book {
            Some(book) => vec![
                vec!["title".into(), book.title.as_str().into()],
                vec![
                    "paytables".into(),
                    book.wagers.iter().map(|wager| wager.paytables.len()).sum::<usize>().to_string().into(),
                ],
                vec!["assumed".into(), book.kinds().assumed.to_string().into()],
                vec!["house way".into(), format!("{}, proved on every hand", book.house_way.title()).into()],
            ],
            None => self
                .problems
                .iter()
                .map(|problem| {
                    let (line, column) = problem.span.line_and_column();
                    vec![
                        format!("{}:{line}:{column}", problem.span.source.name).into(),
                        problem.message.as_str().into(),
                    ]
                })
                .collect(),
        };
        let columns = if self.book.is_some() { vec!["item", "value"] } else { vec!["location", "problem"] };
        Sheet { title, columns, rows }
    }

    fn json(&self) -> Value {
        let clauses = self.way.as_ref().map(|(way, proof)| {
            way.clauses()
                .iter()
                .zip(&proof.clauses)
                .map(|(clause, decided)| {
                    json!({
                        "when": clause.when,
                        "hands": decided.hands,
                        "classes": decided.classes,
                        "example": decided.example.map(|hand| hand.to_string()),
                    })
                })
                .collect::<Vec<_>>()
        });
        json!({
            "file": self.name,
            "kind": self.kind,
            "right": self.is_valid(),
            "problems": self.problems.iter().map(problems::json).collect::<Vec<_>>(),
            "faults": self.faults(),
            "clauses": clauses,
            "assumed": self.book.as_ref().map(|book| book.kinds().assumed),
        })
    }
}
