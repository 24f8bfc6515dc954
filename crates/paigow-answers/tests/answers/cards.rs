//! Tests of the strategy cards and of the exercises with them.

use paigow::rulebook::BuiltIn;
use paigow::{Evaluator, HouseWay, Rulebook, SevenCards};
use paigow_answers::best::{self, BestQuestion};
use paigow_answers::cards::{self, CardEntry};
use paigow_answers::exercises::{self, Exercise, ExerciseQuestion, ExercisesAnswer};
use paigow_answers::{CancelFlag, Faults, Work, house_ways};
use paigow_math::{Cancelled, TableSide};

fn all() -> Vec<CardEntry> {
    cards::list().unwrap().cards
}

fn ask(question: &ExerciseQuestion) -> Result<ExercisesAnswer, Faults> {
    exercises::answer(question, &BuiltIn, &Work::without_progress(None))
}

/// A question for ten hands of a card.
fn of(card: &CardEntry) -> ExerciseQuestion {
    ExerciseQuestion { card: card.id.clone(), seed: 5, count: Some(10), ..ExerciseQuestion::default() }
}

#[test]
fn cards_have_the_lines_of_their_house_way_and_a_cost() {
    let cards = all();
    assert_eq!(
        cards.iter().map(|card| card.id.as_str()).collect::<Vec<_>>(),
        BuiltIn::card_names().collect::<Vec<_>>()
    );
    for card in cards {
        let text = house_ways::answer(&card.id, &BuiltIn).unwrap();
        assert_eq!(text.title, card.title);
        for (line, clause) in card.lines.iter().zip(&text.clauses) {
            assert_eq!((&line.when, &line.set, &line.says), (&clause.when, &clause.set, &clause.says));
            assert!(line.contested <= line.hands && line.hands > 0, "{}: {line:?}", card.id);
        }
        assert_eq!(card.lines.len(), text.clauses.len());
        assert_eq!(card.lines.iter().map(|line| line.hands).sum::<u64>(), card.hands);
        // The cost is positive for every side, and small.
        let cost = serde_json::to_value(&card.cost).unwrap();
        assert!(
            cost.as_str().unwrap().starts_with("0.00") && card.hands_set_worse > 0,
            "{}: {cost}",
            card.id
        );
    }
    let faults = cards::answer("foxwoods").unwrap_err();
    assert_eq!((faults.faults[0].code, faults.faults.len()), ("not_found", 1));
}

/// Every line of every card is found, and decides the hands.
#[test]
fn exercises_of_a_line_are_decided_by_it() {
    for card in all() {
        let way = HouseWay::built_in(&card.id).unwrap();
        let evaluator = Evaluator::of(way.ranking());
        for (index, line) in card.lines.iter().enumerate() {
            for (contested, hands) in
                [(None, line.hands), (Some(true), line.contested), (Some(false), line.hands - line.contested)]
            {
                let question =
                    ExerciseQuestion { line: Some(index + 1), contested, count: Some(2), ..of(&card) };
                if hands == 0 {
                    let faults = ask(&question).unwrap_err();
                    assert_eq!(faults.faults[0].code, "no_such_hands", "{faults}");
                    continue;
                }
                let answer = ask(&question).unwrap();
                assert_eq!(answer.hands.len(), 2);
                for exercise in &answer.hands {
                    let decision = way.decide(exercise.cards.0, evaluator);
                    assert_eq!((decision.clause, exercise.line), (index, index + 1));
                    assert_eq!(
                        (decision.setting.low, decision.setting.high),
                        (exercise.low.0, exercise.high.0)
                    );
                    assert!(contested.is_none_or(|contested| contested == exercise.contested));
                    check(&card, exercise);
                }
            }
        }
    }
}

/// Checks the lines and the settings of an exercise.
fn check(card: &CardEntry, exercise: &Exercise) {
    assert_eq!(exercise.lines.len(), card.lines.len());
    let own = &exercise.lines[exercise.line - 1];
    assert!(own.unmet.is_empty() && own.low == Some(exercise.low));
    // Lines before it do not fit or cannot set the hand.
    assert!(
        exercise.lines[..exercise.line - 1].iter().all(|line| !line.unmet.is_empty() || line.low.is_none())
    );
    let next =
        exercise.lines[exercise.line..].iter().find(|line| line.unmet.is_empty() && line.low.is_some());
    assert_eq!(exercise.next_line, next.map(|line| line.line));
    let chosen = exercise.settings.iter().find(|setting| setting.worth.low == exercise.low).unwrap();
    let next =
        next.and_then(|line| exercise.settings.iter().find(|setting| Some(setting.worth.low) == line.low));
    let says =
        |setting: &paigow_answers::lab::LabSetting| (setting.high_says.clone(), setting.low_says.clone());
    if !exercise.contested
        && let Some(next) = next
    {
        assert_eq!(says(next), says(chosen), "{:?}", exercise.cards);
    }
    assert!(exercise.settings[0].worth.best);
}

#[test]
fn settings_have_the_values_of_the_best_setting() {
    for card in all().into_iter().filter(|card| card.side == "player") {
        for exercise in ask(&of(&card)).unwrap().hands {
            let cards = exercise.cards.0.to_string();
            let question = BestQuestion { cards, book: card.book.clone(), ..BestQuestion::default() };
            let best = best::answer(&question, &BuiltIn).unwrap();
            let worths: Vec<_> = exercise.settings.into_iter().map(|setting| setting.worth).collect();
            assert_eq!(worths, best.settings);
        }
    }
}

#[test]
fn equal_seeds_give_equal_hands_and_lines_learned_bound_them() {
    let card = &all()[0];
    let hands = |question: ExerciseQuestion| -> Vec<SevenCards> {
        ask(&question).unwrap().hands.iter().map(|exercise| exercise.cards.0).collect()
    };
    assert_eq!(hands(of(card)), hands(of(card)));
    assert_ne!(hands(of(card)), hands(ExerciseQuestion { seed: 6, ..of(card) }));
    let learned = ask(&ExerciseQuestion { lines: Some(2), ..of(card) }).unwrap();
    assert!(learned.hands.iter().all(|exercise| exercise.line <= 2));
    // Under another book, the hands are valued by its rules. The card is for a banking seat.
    assert_eq!(card.side, "banker");
    let has_bank =
        |book: &&str| TableSide::of_book(&Rulebook::built_in(book).unwrap()).contains(&TableSide::Banker);
    let (with_bank, without): (Vec<&str>, Vec<&str>) = BuiltIn::book_names().partition(has_bank);
    assert!(!with_bank.is_empty() && !without.is_empty());
    for book in without {
        let faults = ask(&ExerciseQuestion { book: Some(book.to_owned()), ..of(card) }).unwrap_err().faults;
        assert_eq!((faults[0].code, faults[0].at.as_deref()), ("side_not_in_book", Some("book")));
    }
    for book in with_bank {
        let answer = ask(&ExerciseQuestion { book: Some(book.to_owned()), ..of(card) }).unwrap();
        assert_eq!(answer.book, book);
        assert_eq!(answer.against, Rulebook::built_in(book).unwrap().house_way.id());
    }
}

#[test]
fn cancelled_question_values_no_further_hand() {
    let cancel = CancelFlag::default();
    let work = Work::without_progress(None).with_cancel(cancel.clone());
    let question = of(&all()[0]);
    let answer = || Cancelled::catch_unwind(|| exercises::answer(&question, &BuiltIn, &work).is_ok());
    assert_eq!(answer(), Ok(true));
    cancel.cancel();
    assert_eq!(answer(), Err(Cancelled));
}

#[test]
fn all_faults_of_a_question_are_reported() {
    let codes = |question: ExerciseQuestion| -> Vec<(&'static str, String)> {
        let faults = ask(&question).unwrap_err().faults;
        faults.into_iter().map(|fault| (fault.code, fault.at.unwrap_or_default())).collect()
    };
    let pair = |code: &'static str, at: &str| (code, at.to_owned());
    let card = &all()[0];
    let bad = ExerciseQuestion {
        card: "nowhere".to_owned(),
        book: Some("nowhere".to_owned()),
        line: Some(0),
        count: Some(11),
        ..ExerciseQuestion::default()
    };
    assert_eq!(
        codes(bad),
        [
            pair("not_found", "card"),
            pair("not_found", "book"),
            pair("bad_line", "line"),
            pair("bad_count", "count")
        ]
    );
    let bad = ExerciseQuestion { line: Some(99), lines: Some(0), count: Some(0), ..of(card) };
    assert_eq!(codes(bad), [pair("bad_line", "line"), pair("bad_line", "lines"), pair("bad_count", "count")]);
    // A line that comes after those learned decides no hand.
    let none = ExerciseQuestion { line: Some(2), lines: Some(1), ..of(card) };
    assert_eq!(codes(none), [pair("no_such_hands", "line")]);
}
