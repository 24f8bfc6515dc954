//! `paigow set`: sets hands by house ways and shows the clauses that decided.

use crate::answer::{Answer, Format, Sheet, markdown_cell};
use crate::args::SetArgs;
use crate::{Failure, print, stream};
use paigow::{Decision, Setting, SevenCards};
use paigow_answers::files::Files;
use paigow_answers::is_assumed;
use paigow_answers::set::{self, CompareAnswer, CompareQuestion, RankedHouseWay, SetAnswer, SetQuestion};
use paigow_server::csv_row;
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
        let ways = set::house_ways(&question, &Files)?;
        return each_hand(&ways.into_iter().map(LineWriter::new).collect::<Vec<_>>(), format, out);
    }
    let mut question = SetQuestion { cards: String::new(), book, house_way: args.house_way.clone(), changes };
    if let Some(cards) = stream::cards_in(&args.cards) {
        question.cards = cards;
        let (hand, way) = set::read(&question, &Files)?;
        let set = way.set(hand);
        return print(&Answer::new(&set, vec![sheet(&set, &way)])?, format, out);
    }
    each_hand(&[LineWriter::new(set::house_way(&question, &Files)?)], format, out)
}

/// Answers a stream of hands with one line per hand and house way.
fn each_hand(writers: &[LineWriter], format: Format, out: &mut impl Write) -> Result<(), Failure> {
    out.write_all(heading(format).as_bytes())?;
    stream::each_hand(out, |hand, text| {
        for writer in writers {
            writer.line(hand, format, text);
        }
    })
}

/// Returns the lines with the names of a stream's columns.
fn heading(format: Format) -> &'static str {
    match format {
        Format::Csv => "cards,house way,low hand,high hand,clause,reason,cite\n",
        Format::Markdown => {
            "| cards | house way | low hand | high hand | clause | reason | cite |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n"
        }
        Format::Table | Format::Json => "",
    }
}

/// Sheet of a setting and the clause that decided.
fn sheet(set: &SetAnswer, ranked: &RankedHouseWay) -> Sheet {
    let evaluator = ranked.evaluator;
    let decided = &ranked.way.clauses()[ranked.decide(set.cards.0).clause];
    let placements = decided.set.join(", or ");
    let high = evaluator.shape(evaluator.high(set.high.0));
    let rows = [
        ("low hand", format!("{}: {}", set.low.0, evaluator.low(set.low.0))),
        ("high hand", format!("{}: {high}", set.high.0)),
        ("reason", set.says.clone()),
        ("clause", format!("{} → {placements}", set.clause)),
        ("cite", set.cite.clone()),
    ];
    Sheet {
        title: format!(
            "{} set by the house way of {} ({})",
            set.cards.0,
            ranked.way.title(),
            evaluator.ranking()
        ),
        columns: vec!["item", "value"],
        rows: rows.into_iter().map(|(item, value)| vec![item.into(), value.into()]).collect(),
    }
}

/// Answer with the settings of a hand by all house ways.
fn compared(compared: &CompareAnswer) -> Result<Answer, Failure> {
    let rows = compared.settings.iter().map(|set| {
        let (low, high) = (set.low.0.to_string(), set.high.0.to_string());
        vec![set.house_way.as_str().into(), low.into(), high.into(), set.says.as_str().into()]
    });
    let sheet = Sheet {
        title: format!("{} by every house way", compared.cards.0),
        columns: vec!["house way", "low hand", "high hand", "reason"],
        rows: rows.collect(),
    };
    Ok(Answer::new(compared, vec![sheet])?)
}

/// Writes the lines of a stream. A stream may have millions, so their common parts are prepared once.
struct LineWriter {
    ranked: RankedHouseWay,
    /// End of the JSON line for each clause.
    json_ends: Vec<String>,
    /// Id of the house way as a CSV field.
    csv_id: String,
    /// End of the CSV line for each clause.
    csv_ends: Vec<String>,
}

impl LineWriter {
    fn new(ranked: RankedHouseWay) -> LineWriter {
        let way = &ranked.way;
        let json_ends = way.clauses().iter().map(|clause| {
            let (when, says, cite) = (json!(clause.when), json!(clause.says), json!(clause.cite));
            let (assumed, id) = (is_assumed(&clause.cite), json!(way.id()));
            format!(
                "\"clause\":{when},\"says\":{says},\"cite\":{cite},\"assumed\":{assumed},\"house_way\":{id}}}\n"
            )
        });
        let csv_ends = way.clauses().iter().map(|clause| csv_row([&clause.when, &clause.says, &clause.cite]));
        LineWriter {
            json_ends: json_ends.collect(),
            csv_id: csv_row([way.id()]),
            csv_ends: csv_ends.collect(),
            ranked,
        }
    }

    /// Appends the line of one hand. The JSON line equals the answer to a question about this hand.
    fn line(&self, hand: SevenCards, format: Format, text: &mut String) {
        let Decision { setting: Setting { high, low, high_strength, low_strength }, clause } =
            self.ranked.decide(hand);
        let way = &self.ranked.way;
        let decided = &way.clauses()[clause];
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
                writeln!(text, "{hand},{},{low},{high},{}", self.csv_id, self.csv_ends[clause])
            }
            Format::Markdown => {
                let cells = [way.id(), &decided.when, &decided.says, &decided.cite];
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
    fn json_line_of_a_stream_equals_the_answer() {
        let ways = set::house_ways(&CompareQuestion::default(), &Files).unwrap();
        for writer in ways.into_iter().map(LineWriter::new) {
            for cards in ["As Kd Tc 9h 2s 2d Jk", "Ks Qs Js Ts 9s 8s 7s", "As Ah Ad Ac 4h 3d 2c"] {
                let hand: SevenCards = cards.parse().unwrap();
                let mut line = String::new();
                writer.line(hand, Format::Json, &mut line);
                let answer = writer.ranked.set(hand);
                assert_eq!(line, format!("{}\n", serde_json::to_string(&answer).unwrap()));
            }
        }
    }

    #[test]
    fn markdown_heading_has_as_many_columns_as_the_lines() {
        let columns = |line: &str| line.matches('|').count() - line.matches("\\|").count();
        let ways = set::house_ways(&CompareQuestion::default(), &Files).unwrap();
        for writer in ways.into_iter().map(LineWriter::new) {
            let mut text = heading(Format::Markdown).to_owned();
            writer.line("As Kd Tc 9h 2s 2d Jk".parse().unwrap(), Format::Markdown, &mut text);
            let counts: Vec<usize> = text.lines().map(columns).collect();
            assert_eq!(counts, [8; 3], "{text}");
        }
    }
}
