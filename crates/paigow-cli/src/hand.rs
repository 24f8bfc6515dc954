//! `paigow hand`: what seven cards hold.

use crate::answer::{Answer, Format, Sheet};
use crate::args::HandArgs;
use crate::{Failure, print, stream};
use paigow::{Color, Evaluator, HandClass, Holdings, Ranking, SevenCards};
use serde_json::json;
use std::io::Write;

pub(crate) fn run(args: &HandArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let ranking = Ranking { joker: args.joker.into(), wheel: args.wheel.into() };
    if let Some(hand) = stream::hand_in(&args.cards)? {
        return print(&answer(hand, ranking), format, out);
    }
    stream::each_hand(out, |hand, text| {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail, and what is written is text.
        if answer(hand, ranking).print(format, &mut bytes).is_ok() {
            text.push_str(&String::from_utf8_lossy(&bytes));
        }
    })
}

fn answer(hand: SevenCards, ranking: Ranking) -> Answer {
    let evaluator = Evaluator::of(ranking);
    let classes = Holdings::of(ranking.joker).classes_of(hand);
    let in_play = classes.first_of(&HandClass::IN_PLAY);
    let best =
        hand.splits().map(|(high, _)| (evaluator.high(high), high)).max_by_key(|(strength, _)| *strength);
    let (best, says) = best.map_or_else(Default::default, |(strength, high)| {
        (high.to_string(), evaluator.shape(strength).to_string())
    });
    let (red, black) = (hand.cards().count_color(Color::Red), hand.cards().count_color(Color::Black));
    let json = json!({
        "cards": hand.to_string(),
        "in_play": in_play.name(),
        "contains": classes.iter().map(HandClass::name).collect::<Vec<_>>(),
        "best_five": best,
        "best_five_says": says,
        "red": red,
        "black": black,
        "ranking": {"joker": ranking.joker.name(), "wheel": ranking.wheel.name()},
    });
    let contains: Vec<&str> = classes.iter().map(HandClass::title).collect();
    let rows = [
        ("in play", in_play.title().to_owned()),
        ("contains", contains.join(", ")),
        ("best five", format!("{best}: {says}")),
        ("colours", format!("{red} red, {black} black")),
    ];
    let sheet = Sheet {
        title: format!("{hand} ({ranking})"),
        columns: vec!["what", "is"],
        rows: rows.into_iter().map(|(what, is)| vec![what.into(), is.into()]).collect(),
    };
    Answer { json, sheets: vec![sheet] }
}
