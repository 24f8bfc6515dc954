//! `paigow check`: every problem of a text; and of a house way, the proof on every hand.

use crate::answer::{Answer, Format, Sheet, with_separators};
use crate::args::CheckArgs;
use crate::files::{self, Files};
use crate::{Failure, complain, print, problems};
use paigow::document::{Document, Problem, Source, Span};
use paigow::rulebook::{BookSource, BuiltIn, stem};
use paigow::{HouseWayDraft, Rulebook};
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
            complain(&format!("{}\n", problems::render(&check.problems)));
        }
        for fault in check.faults() {
            complain(&format!("paigow: {}: {fault}", check.name));
        }
        failed |= !check.is_right();
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

/// What was found out about one file.
struct Check {
    name: String,
    /// What the text is, for people.
    kind: &'static str,
    problems: Vec<Problem>,
    book: Option<Rulebook>,
    way: Option<(HouseWayDraft, Proof)>,
}

impl Check {
    /// The checks of what a name stands for: a file; or what comes with the program under that name, which may be a book
    /// and a house way at once.
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
                let nowhere = Span { source: Source::new(name, ""), start: 0, end: 0 };
                let problems = vec![Problem::new(&nowhere, reason.to_string())];
                return vec![Check { problems, ..Check::none(name, "file") }];
            }
        };
        let has_clauses =
            Document::parse(&source).is_ok_and(|document| document.root.get("clauses").is_some());
        vec![if has_clauses { Check::of_house_way(&source, stem) } else { Check::of_book(&source, stem) }]
    }

    fn none(name: &str, kind: &'static str) -> Check {
        Check { name: name.to_owned(), kind, problems: Vec::new(), book: None, way: None }
    }

    /// A house way is proved even where its last clause is missing, to show which hands it leaves undecided.
    fn of_house_way(source: &Source, stem: &str) -> Check {
        let check = Check::none(&source.name, "house way");
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
        let check = Check::none(&source.name, "rule book");
        match Rulebook::parse(stem, source, &[], &Files) {
            Ok(book) => {
                // The way is used under the book's ranking, which may not be the one it was written for.
                let draft = book.house_way.as_draft().clone();
                let proof = Proof::of(&draft, book.ranking);
                Check { way: Some((draft, proof)), book: Some(book), ..check }
            }
            Err(problems) => Check { problems, ..check },
        }
    }

    fn is_right(&self) -> bool {
        self.problems.is_empty() && self.faults().is_empty()
    }

    fn faults(&self) -> Vec<String> {
        let Some((way, proof)) = &self.way else { return Vec::new() };
        let own_ranking = self.book.as_ref().is_none_or(|book| book.ranking == way.ranking);
        let clause = |i: usize| format!("clause {} ({})", i + 1, way.clauses()[i].when);
        // Under another ranking than its own a clause may never come up, or hand a hand on to the next; what no ranking
        // excuses is a hand left over or set illegally.
        let grave = |fault: &&HouseWayFault| {
            own_ranking || matches!(fault, HouseWayFault::Undecided(_) | HouseWayFault::Illegal { .. })
        };
        let faults = proof.faults.iter().filter(grave).map(|fault| match fault {
            HouseWayFault::Undecided(hand) => format!("no clause decides {hand}"),
            HouseWayFault::Impossible { clause: i, hand } => {
                format!(
                    "{} fits {hand}, which no legal setting sets so: {}",
                    clause(*i),
                    way.clauses()[*i].set.join(", or ")
                )
            }
            HouseWayFault::Illegal { clause: i, hand } => format!("{} sets {hand} illegally", clause(*i)),
            HouseWayFault::Dead { clause: i, instead: None } => {
                format!("{} decides no hand: none fits it", clause(*i))
            }
            HouseWayFault::Dead { clause: i, instead: Some((hand, by)) } => {
                format!("{} decides no hand: {hand} fits it, but {} decides that", clause(*i), clause(*by))
            }
        });
        faults.collect()
    }

    fn sheet(&self) -> Sheet {
        let counted = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        let wrong = [counted(self.problems.len(), "problem"), counted(self.faults().len(), "fault")];
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        let state = if wrong.is_empty() { "right".to_owned() } else { wrong.join(", ") };
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
                columns: vec!["clause", "when", "hands", "classes", "such as"],
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
        Sheet { title, columns: vec!["what", "is"], rows }
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
            "right": self.is_right(),
            "problems": self.problems.iter().map(problems::json).collect::<Vec<_>>(),
            "faults": self.faults(),
            "clauses": clauses,
            "assumed": self.book.as_ref().map(|book| book.kinds().assumed),
        })
    }
}
