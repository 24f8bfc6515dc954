//! Answers to questions, as the JSON of the command line with more exact numbers.

use crate::errors::raise;
use crate::exact;
use crate::handles::{Book, Way};
use crate::run::run;
use crate::texts::Texts;
use paigow::Settlement;
use paigow_answers::best::BestQuestion;
use paigow_answers::census::CensusQuestion;
use paigow_answers::files::{self, Files};
use paigow_answers::hand::HandQuestion;
use paigow_answers::odds::{OddsQuestion, OddsRequest};
use paigow_answers::price::{PriceQuestion, PriceRequest};
use paigow_answers::set::SetQuestion;
use paigow_answers::settle::{SettleAnswer, SettleQuestion};
use paigow_answers::simulate::{SimulateQuestion, SimulateRequest};
use paigow_answers::strategy::{StrategyQuestion, StrategyRequest};
use paigow_answers::{Fault, Faults, Work, best, census, hand, rules, set, settle};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// Answers a question. The question and the answer are JSON.
///
/// `book` and `ways` are put into the question: the book as `book` and `changes`, and each house way under its key. A key
/// `house_ways` may occur several times. `others` are books that the question may name.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // arguments from Python are owned
pub(crate) fn answer(
    py: Python<'_>,
    kind: &str,
    question: &str,
    book: Option<&Book>,
    ways: Vec<(String, PyRef<'_, Way>)>,
    others: Vec<PyRef<'_, Book>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let question = Question::new(question, book, &ways, &others).map_err(|faults| raise(py, &faults))?;
    let answer = run(py, progress, |work| question.answer(kind, work))?;
    Ok(answer.map_err(|faults| raise(py, &faults))?.to_string())
}

/// Settles the round in a file. A book that it names may be a path relative to the file.
#[pyfunction]
pub(crate) fn settle_file(py: Python<'_>, path: &str) -> PyResult<String> {
    let settled = run(py, None, |_| {
        let source = files::source(Path::new(path))
            .map_err(|reason| Fault::new("unreadable", "round", format!("{path}: {reason}")))?;
        let (source, expected) = settle::split(&source);
        let round = settle::read(&source, &Files)?;
        let showdown = round.showdown().map_err(|refusals| settle::refusal_faults(&refusals))?;
        let settlement = Settlement::of(&showdown);
        let settled = to_json(&SettleAnswer::of(&showdown, &settlement))?;
        settle::differences(expected.as_ref(), &showdown, &settlement).into_result(Some(settled))
    })?;
    Ok(settled.map_err(|faults| raise(py, &faults))?.to_string())
}

/// A question and the texts that it names.
struct Question {
    json: Value,
    texts: Texts,
}

impl Question {
    fn new(
        json: &str,
        book: Option<&Book>,
        ways: &[(String, PyRef<'_, Way>)],
        others: &[PyRef<'_, Book>],
    ) -> Result<Question, Faults> {
        let mut json: Value = serde_json::from_str(json).map_err(bad_question)?;
        let mut texts = Texts::default();
        if let Some(book) = book {
            json["book"] = book.name.clone().into();
            json["changes"] = json!(book.changes);
            texts.join(&book.texts)?;
        }
        for (key, way) in ways {
            texts.join(&way.texts)?;
            match json.get_mut(key).and_then(Value::as_array_mut) {
                Some(list) => list.push(way.name.clone().into()),
                None => json[key] = way.name.clone().into(),
            }
        }
        for book in others {
            if !book.changes.0.is_empty() {
                let message = format!(
                    "{} has changed values, which a round cannot name: write them in a text that extends the book",
                    book.name
                );
                return Err(Fault::new("changed_book", "books", message).into());
            }
            texts.join(&book.texts)?;
        }
        Ok(Question { json, texts })
    }

    fn answer(&self, kind: &str, work: &Work) -> Result<Value, Faults> {
        let texts = &self.texts;
        match kind {
            "best" => to_json(&best::answer(&self.read::<BestQuestion>()?, texts)?),
            "census" => to_json(&census::answer(self.read::<CensusQuestion>()?)),
            "hand" => to_json(&hand::answer(&self.read::<HandQuestion>()?)?),
            "odds" => {
                let answer = OddsRequest::of(&self.read::<OddsQuestion>()?, texts)?.answer(work);
                to_json(&answer).map(|json| with(json, &answer, exact::odds))
            }
            "price" => {
                let answer = PriceRequest::of(&self.read::<PriceQuestion>()?, texts)?.answer(work);
                to_json(&answer).map(|json| with(json, &answer, exact::price))
            }
            "rules" => to_json(&rules::answer(&self.read()?, texts)?),
            "set" => to_json(&set::answer(&self.read::<SetQuestion>()?, texts)?),
            "settle" => to_json(&settle::answer(&self.read::<SettleQuestion>()?, texts)?),
            "simulate" => {
                let answer = SimulateRequest::of(&self.read::<SimulateQuestion>()?, texts)?.answer(work)?;
                to_json(&answer).map(|json| with(json, &answer, exact::simulate))
            }
            "strategy" => {
                let answer = StrategyRequest::of(&self.read::<StrategyQuestion>()?, texts)?.answer(work);
                to_json(&answer).map(|json| with(json, &answer, exact::strategy))
            }
            _ => Err(Fault::new("bad_question", "kind", format!("`{kind}` is no kind of question")).into()),
        }
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Faults> {
        T::deserialize(&self.json).map_err(bad_question)
    }
}

fn with<T>(mut json: Value, answer: &T, add_exact: impl Fn(&mut Value, &T)) -> Value {
    add_exact(&mut json, answer);
    json
}

fn to_json(answer: &impl Serialize) -> Result<Value, Faults> {
    serde_json::to_value(answer).map_err(bad_question)
}

/// A value that does not have the type of the question.
pub(crate) fn bad_question(error: impl std::fmt::Display) -> Faults {
    Fault::new("bad_question", "", error.to_string()).into()
}
