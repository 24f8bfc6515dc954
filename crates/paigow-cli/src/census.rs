//! `paigow census`: number of hands in each class.

use crate::Failure;
use crate::answer::{Answer, Cell, Sheet, with_separators};
use crate::args::CensusArgs;
use paigow::HandClass;
use paigow_answers::census::{self, CensusQuestion, JokerName};

pub(crate) fn answer(args: &CensusArgs) -> Result<Answer, Failure> {
    let counts = census::answer(CensusQuestion { joker: args.joker.into() });
    let joker = match counts.joker {
        JokerName::Semi => "semi-wild",
        JokerName::Full => "fully wild",
    };
    let title = |name: &'static str| HandClass::from_name(name).map_or(name, HandClass::title);
    let classes = Sheet {
        title: format!("{} seven-card hands, the joker {joker}", with_separators(counts.hands)),
        columns: vec!["hand", "by rank in play", "hands that contain it"],
        rows: counts
            .contains
            .iter()
            .map(|(name, containing)| {
                let once = counts.classes.get(name).map_or_else(|| Cell::from(""), |hands| (*hands).into());
                vec![title(name).into(), once, (*containing).into()]
            })
            .collect(),
    };
    let colors = Sheet {
        title: "Cards of a chosen color".to_owned(),
        columns: vec!["cards", "hands"],
        rows: counts
            .cards_of_a_chosen_color
            .values()
            .enumerate()
            .rev()
            .map(|(cards, &hands)| vec![(cards as u64).into(), hands.into()])
            .collect(),
    };
    Ok(Answer::new(&counts, vec![classes, colors])?)
}
