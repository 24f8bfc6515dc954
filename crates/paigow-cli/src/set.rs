//! `paigow set`: how a house way sets a hand, and why.

use crate::answer::{Answer, Format, Sheet, csv_field, markdown_cell};
use crate::args::SetArgs;
use crate::files::Files;
use crate::{Failure, print, stream};
use paigow::{Decision, Setting, SevenCards};
use paigow_answers::is_assumed;
use paigow_answers::set::{self, CompareAnswer, CompareQuestion, RankedHouseWay, SetAnswer, SetQuestion};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;

pub(crate) fn run(args: &SetArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let (book, changes) = (args.book.clone(), args.changes.changes());
    if args.all_house_ways {
        let mut question = CompareQuestion { cards: String::new(), book, changes };
        if let Some(cards) = stream::cards_in(&args.cards) {
            question.cards = cards;
            return print(&compared(&set::compare(&question, &Files)?)?, format, out);
        }
        let setters = set::setters(&question, &Files)?;
        return each_hand(&setters.into_iter().map(Lines::new).collect::<Vec<_>>(), format, out);
    }
    let mut question = SetQuestion { cards: String::new(), book, house_way: args.house_way.clone(), changes };
    if let Some(cards) = stream::cards_in(&args.cards) {
        question.cards = cards;
        let (hand, setter) = set::read(&question, &Files)?;
        let set = setter.set(hand);
        return print(&Answer::new(&set, vec![sheet(&set, &setter)])?, format, out);
    }
    each_hand(&[Lines::new(set::setter(&question, &Files)?)], format, out)
}

/// Answers a stream, a line for each hand and each house way.
fn each_hand(setters: &[Lines], format: Format, out: &mut impl Write) -> Result<(), Failure> {
    match format {
        Format::Csv => writeln!(out, "cards,house way,low hand,high hand,clause,says,cite")?,
        Format::Markdown => {
            writeln!(
                out,
                "| cards | house way | low hand | high hand | clause |\n| --- | --- | --- | --- | --- |"
            )?;
        }
        Format::Table | Format::Json => {}
    }
    stream::each_hand(out, |hand, text| {
        for setter in setters {
            setter.line(hand, format, text);
        }
    })
}

/// How a hand is set, for people.
fn sheet(set: &SetAnswer, setter: &RankedHouseWay) -> Sheet {
    let evaluator = setter.evaluator;
    let decided = &setter.way.clauses()[setter.decide(set.cards.0).clause];
    let placements = decided.set.join(", or ");
    let high = evaluator.shape(evaluator.high(set.high.0));
    let rows = [
        ("low hand", format!("{}: {}", set.low.0, evaluator.low(set.low.0))),
        ("high hand", format!("{}: {high}", set.high.0)),
        ("because", set.says.clone()),
        ("clause", format!("{} → {placements}", set.clause)),
        ("cite", set.cite.clone()),
    ];
    Sheet {
        title: format!(
            "{} set by the house way of {} ({})",
            set.cards.0,
            setter.way.title(),
            evaluator.ranking()
        ),
        columns: vec!["what", "is"],
        rows: rows.into_iter().map(|(what, is)| vec![what.into(), is.into()]).collect(),
    }
}

/// What every house way makes of a hand.
fn compared(compared: &CompareAnswer) -> Result<Answer, Failure> {
    let rows = compared.settings.iter().map(|set| {
        let (low, high) = (set.low.0.to_string(), set.high.0.to_string());
        vec![set.house_way.as_str().into(), low.into(), high.into(), set.says.as_str().into()]
    });
    let sheet = Sheet {
        title: format!("{} by every house way", compared.cards.0),
        columns: vec!["house way", "low hand", "high hand", "because"],
        rows: rows.collect(),
    };
    Ok(Answer::new(compared, vec![sheet])?)
}

/// The lines of a stream: millions of them, so what they have in common is made ready.
struct Lines {
    setter: RankedHouseWay,
    /// The end of the JSON of every hand that a clause decides.
    json_ends: Vec<String>,
}

impl Lines {
    fn new(setter: RankedHouseWay) -> Lines {
        let way = &setter.way;
        let json_ends = way.clauses().iter().map(|clause| {
            let (when, says, cite) = (json!(clause.when), json!(clause.says), json!(clause.cite));
            let (assumed, id) = (is_assumed(&clause.cite), json!(way.id()));
            format!(
                "\"clause\":{when},\"says\":{says},\"cite\":{cite},\"assumed\":{assumed},\"house_way\":{id}}}\n"
            )
        });
        Lines { json_ends: json_ends.collect(), setter }
    }

    /// A hand of a stream, as one line. As JSON it is what the answer to one hand is.
    fn line(&self, hand: SevenCards, format: Format, text: &mut String) {
        let Decision { setting: Setting { high, low, high_strength, low_strength }, clause } =
            self.setter.decide(hand);
        let way = &self.setter.way;
        let decided = &way.clauses()[clause];
        let cells = [way.id(), &decided.when, &decided.says, &decided.cite];
        // Writing to a string cannot fail.
        let _ = match format {
            Format::Json => write!(
                text,
                "{{\"cards\":\"{hand}\",\"high\":\"{high}\",\"low\":\"{low}\",\"high_category\":\"{}\",\"low_category\":\"{}\",{}",
                high_strength.category().name(),
                low_strength.category().name(),
                self.json_ends[clause],
            ),
            Format::Csv => {
                let [way, when, says, cite] = cells.map(csv_field);
                writeln!(text, "{hand},{way},{low},{high},{when},{says},{cite}")
            }
            Format::Markdown => {
                let [way, when, says, cite] = cells.map(markdown_cell);
                writeln!(text, "| {hand} | {way} | {low} | {high} | {when} | {says} | {cite} |")
            }
            Format::Table => {
                writeln!(text, "{hand}: {low} / {high}. {} ({}: {})", decided.says, way.id(), decided.cite)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_stream_is_the_answer_to_its_hand() {
        let setters = set::setters(&CompareQuestion::default(), &Files).unwrap();
        for lines in setters.into_iter().map(Lines::new) {
            for cards in ["As Kd Tc 9h 2s 2d Jk", "Ks Qs Js Ts 9s 8s 7s", "As Ah Ad Ac 4h 3d 2c"] {
                let hand: SevenCards = cards.parse().unwrap();
                let mut line = String::new();
                lines.line(hand, Format::Json, &mut line);
                let answer = lines.setter.set(hand);
                assert_eq!(line, format!("{}\n", serde_json::to_string(&answer).unwrap()));
            }
        }
    }
}
