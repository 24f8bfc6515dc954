//! `paigow best`: every legal setting of a hand against every hand the dealer may have.

use crate::answer::{Answer, Sheet};
use crate::args::BestArgs;
use crate::numbers::{fraction, percent};
use crate::{Failure, files, stream};
use paigow::Evaluator;
use paigow_math::{BestSetting, DEALER_HANDS, Fraction, Opposition, Worth};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) fn answer(args: &BestArgs) -> Result<Answer, Failure> {
    let hand = stream::hand_in(&args.cards)?
        .ok_or_else(|| Failure::Refused("seven cards are needed: it takes one hand at a time".to_owned()))?;
    let book = files::book(&args.book, &args.changes.set)?;
    let dealer = match &args.house_way {
        Some(name) => Arc::new(files::house_way(name)?),
        None => book.house_way.clone(),
    };
    let commission = book.commission.basis_points;
    let against = Opposition {
        dealer: &dealer,
        ranking: book.ranking,
        dealer_push: &book.base_game.dealer_push,
        copies: book.base_game.copies,
        commission,
    };
    let best = BestSetting::of(hand, &against);
    let ev = |worth: &Worth| Fraction::new(worth.value(commission), DEALER_HANDS * 10_000);
    let best_value = best.settings[0].1.value(commission);

    let settings = best.settings.iter().enumerate().map(|(place, (setting, worth))| {
        let mut json = json!({
            "high": setting.high.to_string(),
            "low": setting.low.to_string(),
            "win": worth.win,
            "push": worth.push(),
            "lose": worth.lose,
        });
        fraction(&mut json, "ev", &ev(worth));
        json["best"] = (worth.value(commission) == best_value).into();
        json["house_way"] = (place == best.house_way).into();
        json
    });
    let json = json!({
        "cards": hand.to_string(),
        "book": book.id,
        "house_way": dealer.id,
        "dealer_hands": DEALER_HANDS,
        "settings": settings.collect::<Vec<Value>>(),
    });
    let evaluator = Evaluator::of(book.ranking);
    let rows = best.settings.iter().enumerate().map(|(place, (setting, worth))| {
        let note = match (worth.value(commission) == best_value, place == best.house_way) {
            (true, true) => "best, and the house way",
            (true, false) => "best",
            (false, true) => "the house way",
            (false, false) => "",
        };
        vec![
            setting.low.to_string().into(),
            setting.high.to_string().into(),
            format!("{}; {}", setting.low_strength, evaluator.shape(setting.high_strength)).into(),
            u64::from(worth.win).into(),
            worth.push().into(),
            u64::from(worth.lose).into(),
            percent(&ev(worth), 4).into(),
            note.into(),
        ]
    });
    let sheet = Sheet {
        title: format!("{hand} at {}, the dealer setting as {} does", book.title, dealer.title),
        columns: vec!["in front", "behind", "which is", "wins", "pushes", "loses", "worth", "note"],
        rows: rows.collect(),
    };
    Ok(Answer { json, sheets: vec![sheet] })
}
