//! `paigow census`: how many hands are in each class.

use crate::answer::{Answer, Cell, Sheet, with_separators};
use crate::args::CensusArgs;
use paigow::{HandClass, Joker};
use paigow_math::{Census, color_counts};
use serde_json::{Map, Value, json};

pub(crate) fn answer(args: &CensusArgs) -> Answer {
    let joker = Joker::from(args.joker);
    let census = Census::take(joker);
    let possible = |class: &HandClass| census.containing(*class) > 0;
    let named = |classes: &mut dyn Iterator<Item = (&'static str, u64)>| -> Value {
        classes.map(|(name, hands)| (name.to_owned(), hands.into())).collect::<Map<_, _>>().into()
    };

    let in_play: Vec<HandClass> =
        HandClass::IN_PLAY.into_iter().filter(|&class| census.in_play(class) > 0).collect();
    let contained: Vec<HandClass> = HandClass::ALL.into_iter().filter(possible).collect();
    let high_card =
        HandClass::PAI_GOWS.map(|class| (class.name().trim_end_matches("_high"), census.in_play(class)));
    let json = json!({
        "joker": args.joker.word(),
        "hands": Census::HANDS,
        "classes": named(&mut in_play.iter().map(|class| (class.name(), census.in_play(*class)))),
        "high_card": named(&mut high_card.into_iter()),
        "contains": named(&mut contained.iter().map(|class| (class.name(), census.containing(*class)))),
        "cards_of_a_chosen_color": color_counts().iter().enumerate()
            .map(|(cards, &hands)| (cards.to_string(), hands.into())).collect::<Map<_, _>>(),
    });

    let joker = match joker {
        Joker::SemiWild => "semi-wild",
        Joker::FullyWild => "fully wild",
    };
    let classes = Sheet {
        title: format!("{} seven-card hands, the joker {joker}", with_separators(Census::HANDS)),
        columns: vec!["hand", "by rank in play", "hands that contain it"],
        rows: contained
            .iter()
            .map(|&class| {
                let counted = in_play.contains(&class);
                let once = if counted { census.in_play(class).into() } else { Cell::from("") };
                vec![class.title().into(), once, census.containing(class).into()]
            })
            .collect(),
    };
    let colors = Sheet {
        title: "Cards of a chosen colour".to_owned(),
        columns: vec!["cards", "hands"],
        rows: color_counts()
            .iter()
            .enumerate()
            .rev()
            .map(|(cards, &hands)| vec![(cards as u64).into(), hands.into()])
            .collect(),
    };
    Answer { json, sheets: vec![classes, colors] }
}
