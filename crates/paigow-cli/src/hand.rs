//! `paigow hand`: what seven cards hold.

use crate::answer::{Answer, Format, Sheet, csv_field};
use crate::args::HandArgs;
use crate::{Failure, print, stream};
use paigow::Ranking;
use paigow_answers::census::JokerName;
use paigow_answers::hand::{self, HandAnswer, HandQuestion, WheelName};
use std::fmt::Write as _;
use std::io::Write;

pub(crate) fn run(args: &HandArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let (joker, wheel) = (args.joker.into(), args.wheel.into());
    let ranking = Ranking { joker: JokerName::into(joker), wheel: WheelName::into(wheel) };
    if let Some(cards) = stream::cards_in(&args.cards) {
        let held = hand::answer(&HandQuestion { cards, joker, wheel })?;
        return print(&InWords(held).answer(ranking)?, format, out);
    }
    match format {
        Format::Csv => writeln!(out, "{}", COLUMNS.join(","))?,
        Format::Markdown => {
            writeln!(out, "| {} |\n|{}", COLUMNS.join(" | "), " --- |".repeat(COLUMNS.len()))?;
        }
        Format::Table | Format::Json => {}
    }
    stream::each_hand(out, |hand, text| InWords(HandAnswer::by(hand, ranking)).line(format, text))
}

const COLUMNS: [&str; 6] = ["cards", "in play", "contains", "best five", "red", "black"];

/// What a hand holds, in words.
struct InWords(HandAnswer);

impl InWords {
    fn contains_in_words(&self) -> String {
        self.0.contains.iter().map(|class| class.0.title()).collect::<Vec<_>>().join(", ")
    }

    /// A hand on its own.
    fn answer(&self, ranking: Ranking) -> Result<Answer, Failure> {
        let held = &self.0;
        let rows = [
            ("in play", held.in_play.0.title().to_owned()),
            ("contains", self.contains_in_words()),
            ("best five", format!("{}: {}", held.best_five, held.best_five_says)),
            ("colors", format!("{} red, {} black", held.red, held.black)),
        ];
        let sheet = Sheet {
            title: format!("{} ({ranking})", held.cards.0),
            columns: vec!["what", "is"],
            rows: rows.into_iter().map(|(what, is)| vec![what.into(), is.into()]).collect(),
        };
        Ok(Answer::new(held, vec![sheet])?)
    }

    /// A hand of a stream, as one line.
    fn line(&self, format: Format, text: &mut String) {
        let held = &self.0;
        let (hand, in_play, best) = (held.cards.0, held.in_play.0.title(), &held.best_five);
        let (contains, red, black) = (self.contains_in_words(), held.red, held.black);
        // Writing to a string cannot fail.
        let _ = match format {
            // What a hand holds can always be written as JSON.
            Format::Json => writeln!(text, "{}", serde_json::to_string(held).unwrap_or_default()),
            Format::Csv => writeln!(text, "{hand},{in_play},{},{best},{red},{black}", csv_field(&contains)),
            Format::Markdown => {
                writeln!(text, "| {hand} | {in_play} | {contains} | {best} | {red} | {black} |")
            }
            Format::Table => {
                writeln!(text, "{hand}: {in_play}; contains {contains}; {red} red, {black} black")
            }
        };
    }
}
