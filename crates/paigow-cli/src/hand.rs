//! `paigow hand`: what seven cards hold.

use crate::answer::{Answer, Format, Sheet, csv_field};
use crate::args::HandArgs;
use crate::{Failure, print, stream};
use paigow::{Color, Evaluator, HandClass, Holdings, Ranking, SevenCards};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;

pub(crate) fn run(args: &HandArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let ranking = Ranking { joker: args.joker.into(), wheel: args.wheel.into() };
    if let Some(hand) = stream::hand_in(&args.cards)? {
        return print(&Held::by(hand, ranking).answer(), format, out);
    }
    match format {
        Format::Csv => writeln!(out, "{}", Held::COLUMNS.join(","))?,
        Format::Markdown => {
            writeln!(out, "| {} |\n|{}", Held::COLUMNS.join(" | "), " --- |".repeat(Held::COLUMNS.len()))?;
        }
        Format::Table | Format::Json => {}
    }
    stream::each_hand(out, |hand, text| Held::by(hand, ranking).line(format, text))
}

/// What a hand holds, in words.
struct Held {
    hand: SevenCards,
    ranking: Ranking,
    in_play: HandClass,
    contains: Vec<HandClass>,
    best_five: String,
    best_five_says: String,
    red: usize,
    black: usize,
}

impl Held {
    const COLUMNS: [&str; 6] = ["cards", "in play", "contains", "best five", "red", "black"];

    fn by(hand: SevenCards, ranking: Ranking) -> Held {
        let evaluator = Evaluator::of(ranking);
        let classes = Holdings::of(ranking.joker).classes_of(hand);
        let best =
            hand.splits().map(|(high, _)| (evaluator.high(high), high)).max_by_key(|(strength, _)| *strength);
        let (best_five, best_five_says) = best.map_or_else(Default::default, |(strength, high)| {
            (high.to_string(), evaluator.shape(strength).to_string())
        });
        Held {
            hand,
            ranking,
            in_play: classes.first_of(&HandClass::IN_PLAY),
            contains: classes.iter().collect(),
            best_five,
            best_five_says,
            red: hand.cards().count_color(Color::Red),
            black: hand.cards().count_color(Color::Black),
        }
    }

    fn json(&self) -> Value {
        json!({
            "cards": self.hand.to_string(),
            "in_play": self.in_play.name(),
            "contains": self.contains.iter().map(|class| class.name()).collect::<Vec<_>>(),
            "best_five": self.best_five,
            "best_five_says": self.best_five_says,
            "red": self.red,
            "black": self.black,
            "ranking": {"joker": self.ranking.joker.name(), "wheel": self.ranking.wheel.name()},
        })
    }

    fn contains_in_words(&self) -> String {
        self.contains.iter().map(|class| class.title()).collect::<Vec<_>>().join(", ")
    }

    /// A hand on its own.
    fn answer(&self) -> Answer {
        let rows = [
            ("in play", self.in_play.title().to_owned()),
            ("contains", self.contains_in_words()),
            ("best five", format!("{}: {}", self.best_five, self.best_five_says)),
            ("colours", format!("{} red, {} black", self.red, self.black)),
        ];
        let sheet = Sheet {
            title: format!("{} ({})", self.hand, self.ranking),
            columns: vec!["what", "is"],
            rows: rows.into_iter().map(|(what, is)| vec![what.into(), is.into()]).collect(),
        };
        Answer { json: self.json(), sheets: vec![sheet] }
    }

    /// A hand of a stream, as one line.
    fn line(&self, format: Format, text: &mut String) {
        let (hand, in_play, best) = (self.hand, self.in_play.title(), &self.best_five);
        let (contains, red, black) = (self.contains_in_words(), self.red, self.black);
        // Writing to a string cannot fail.
        let _ = match format {
            Format::Json => writeln!(text, "{}", self.json()),
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
