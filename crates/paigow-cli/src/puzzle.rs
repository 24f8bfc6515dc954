//! `paigow puzzle`: shows the puzzle of a day, and its solution on request.

use crate::Failure;
use crate::answer::{Answer, Sheet};
use crate::args::PuzzleArgs;
use crate::numbers::percent;
use paigow_answers::puzzle::{Day, Puzzle, PuzzleAnswer, SolutionAnswer, parse_day};

pub(crate) fn answer(args: &PuzzleArgs) -> Result<Answer, Failure> {
    let today = Day::today();
    let puzzle = Puzzle::of(parse_day(&args.day, today)?, today)?;
    let question = puzzle.answer(today);
    if args.solution {
        let solution = puzzle.solution();
        return Ok(Answer::new(&solution, solution_sheets(&question, &solution))?);
    }
    let PuzzleAnswer { number, day, cards, title, house_way_title, difficulty, ways, ways_wrong, .. } =
        &question;
    let sheet = Sheet {
        title: format!("Puzzle {number}, {day}"),
        columns: vec!["cards", "game", "dealer's house way", "difficulty", "common ways that get it wrong"],
        rows: vec![vec![
            cards.0.to_string().into(),
            title.clone().into(),
            house_way_title.clone().into(),
            format!("{difficulty} of 5").into(),
            format!("{ways_wrong} of {ways}").into(),
        ]],
    };
    Ok(Answer::new(&question, vec![sheet])?)
}

fn solution_sheets(question: &PuzzleAnswer, solution: &SolutionAnswer) -> Vec<Sheet> {
    let settings = solution.settings.iter().map(|setting| {
        vec![
            setting.low.0.to_string().into(),
            setting.high.0.to_string().into(),
            setting.win.into(),
            setting.push.into(),
            setting.lose.into(),
            percent(&setting.ev.0, 4).into(),
            if setting.best { "best" } else { "" }.into(),
        ]
    });
    let ways = solution.ways.iter().map(|way| {
        vec![way.title.clone().into(), way.low.0.to_string().into(), percent(&way.cost.0, 4).into()]
    });
    vec![
        Sheet {
            title: format!("Puzzle {}, {}: {}", question.number, question.day, question.cards.0),
            columns: vec!["low hand", "high hand", "wins", "pushes", "loses", "expected value", "note"],
            rows: settings.collect(),
        },
        Sheet {
            title: "Common ways".to_owned(),
            columns: vec!["way", "low hand", "cost"],
            rows: ways.collect(),
        },
    ]
}
