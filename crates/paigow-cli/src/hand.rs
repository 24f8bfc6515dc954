//! `paigow hand`: shows the bonus classes, colors and best five of seven cards.

use crate::answer::{Answer, Format, Sheet};
use crate::args::HandArgs;
use crate::{Failure, print, stream};
use paigow::Ranking;
use paigow_answers::census::JokerName;
use paigow_answers::hand::{self, HandAnswer, HandQuestion, WheelName};
use paigow_server::csv_row;
use std::fmt::Write as _;
use std::io::Write;

pub(crate) fn run(args: &HandArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let (joker, wheel) = (args.joker.into(), args.wheel.into());
    let ranking = Ranking { joker: JokerName::into(joker), wheel: WheelName::into(wheel) };
    if let Some(cards) = stream::cards_in(&args.cards) {
        let contents = hand::answer(&HandQuestion { cards, joker, wheel })?;
        return print(&Contents(contents).answer(ranking)?, format, out);
    }
    match format {
        Format::Csv => writeln!(out, "{}", csv_row(COLUMNS))?,
        Format::Markdown => {
            writeln!(out, "| {} |\n|{}", COLUMNS.join(" | "), " --- |".repeat(COLUMNS.len()))?;
        }
        Format::Table | Format::Json => {}
    }
    stream::each_hand(out, |hand, text| Contents(HandAnswer::of(hand, ranking)).line(format, text))
}

const COLUMNS: [&str; 6] = ["cards", "in play", "contains", "best five", "red", "black"];

/// Contents of a hand, for printing.
struct Contents(HandAnswer);

impl Contents {
    /// Titles of all classes that the hand contains.
    fn class_titles(&self) -> String {
        self.0.contains.iter().map(|class| class.0.title()).collect::<Vec<_>>().join(", ")
    }

    /// Answer for a single hand.
    fn answer(&self, ranking: Ranking) -> Result<Answer, Failure> {
        let contents = &self.0;
        let rows = [
            ("in play", contents.in_play.0.title().to_owned()),
            ("contains", self.class_titles()),
            ("best five", format!("{}: {}", contents.best_five, contents.best_five_says)),
            ("colors", format!("{} red, {} black", contents.red, contents.black)),
        ];
        let sheet = Sheet {
            title: format!("{} ({ranking})", contents.cards.0),
            columns: vec!["item", "value"],
            rows: rows.into_iter().map(|(item, value)| vec![item.into(), value.into()]).collect(),
        };
        Ok(Answer::new(contents, vec![sheet])?)
    }

    /// Appends the line of one hand of a stream.
    fn line(&self, format: Format, text: &mut String) {
        let contents = &self.0;
        let (hand, in_play, best) = (contents.cards.0, contents.in_play.0.title(), &contents.best_five);
        let (contains, red, black) = (self.class_titles(), contents.red, contents.black);
        // Writing to a string cannot fail.
        let _ = match format {
            // The contents of a hand always serialize to JSON.
            Format::Json => writeln!(text, "{}", serde_json::to_string(contents).unwrap_or_default()),
            Format::Csv => {
                let (hand, red, black) = (hand.to_string(), red.to_string(), black.to_string());
                writeln!(text, "{}", csv_row([hand.as_str(), in_play, &contains, best, &red, &black]))
            }
            Format::Markdown => {
                writeln!(text, "| {hand} | {in_play} | {contains} | {best} | {red} | {black} |")
            }
            Format::Table => {
                writeln!(text, "{hand}: {in_play}; contains {contains}; {red} red, {black} black")
            }
        };
    }
}
