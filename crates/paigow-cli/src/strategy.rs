//! `paigow strategy`: the best setting of every hand, the edge it gives, and where house ways give most away.

use crate::answer::{Answer, Sheet};
use crate::args::StrategyArgs;
use crate::cache::Key;
use crate::numbers::{extend, fraction, outcomes_json, percent};
use crate::work::Work;
use crate::{Failure, files};
use paigow::rulebook::BuiltIn;
use paigow::{HandClass, HouseWay, Rulebook};
use paigow_math::{
    BaseOdds, Costly, DEALER_HANDS, DEALS, Fraction, HandWorth, Opposition, Outcomes, Strategy, Summary,
    WaySummary,
};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn answer(args: &StrategyArgs) -> Result<Answer, Failure> {
    let mut book = files::book(&args.book, &args.changes.set)?;
    if let Some(name) = &args.house_way {
        book.house_way = Arc::new(files::house_way(name)?);
    }
    // The book's own way first, then the others.
    let mut ways = vec![book.house_way.clone()];
    for name in BuiltIn::house_way_names() {
        let way = files::house_way(name)?;
        if way.rules() != book.house_way.rules() {
            ways.push(Arc::new(way));
        }
    }
    let ways: Vec<&HouseWay> = ways.iter().map(|way| &**way).collect();
    let against = Opposition {
        dealer: &book.house_way,
        ranking: book.ranking,
        dealer_push: &book.base_game.dealer_push,
        copies: book.base_game.copies,
        commission: book.commission.basis_points,
    };
    // A file that cannot be written is refused before the work, not after.
    let out = args.out.as_deref().map(OutFile::create).transpose()?;

    let work = Work::new(&args.work);
    let compute = || {
        work.under_bar("best settings", Strategy::WORK, |progress| Strategy::of(&against, &ways, progress))
    };
    let key = key(&against, &ways);
    let summary = match out {
        None => work.result(&key, |kept| read(kept, ways.len()), write, || compute().summary()),
        Some(out) => {
            let strategy = compute();
            out.write(&strategy, against.commission, &work)?;
            work.result(&key, |_| None, write, || strategy.summary())
        }
    };
    Ok(report(&book, &ways, &summary, usize::from(args.top)))
}

/// All that the result follows from.
fn key(against: &Opposition<'_>, ways: &[&HouseWay]) -> Key {
    let push: Vec<&str> = against.dealer_push.iter().copied().map(HandClass::name).collect();
    let mut from = vec![
        against.dealer.rules(),
        against.ranking.to_string(),
        push.join(" "),
        against.copies.name().to_owned(),
        against.commission.to_string(),
    ];
    from.extend(ways.iter().map(|way| way.rules()));
    Key::of("strategy", &from.iter().map(String::as_str).collect::<Vec<_>>())
}

fn report(book: &Rulebook, ways: &[&HouseWay], summary: &Summary, top: usize) -> Answer {
    let commission = || Fraction::new(book.commission.basis_points, 10_000);
    let odds = |outcomes: Outcomes| BaseOdds { outcomes, commission: commission() };
    let best = odds(summary.best);
    let own = &summary.ways[0];
    let costliest_json = |way: &WaySummary| -> Vec<Value> {
        let costly = |costly: &Costly| {
            let mut json =
                json!({ "cards": costly.cards, "house_way": costly.house_way, "best": costly.best });
            fraction(&mut json, "cost", &costly.part());
            json["hands"] = costly.hands.into();
            json
        };
        way.costliest.iter().take(top).map(costly).collect()
    };
    let mut json = json!({ "book": book.id, "house_way": book.house_way.id, "deals": DEALS as i64 });
    extend(&mut json, outcomes_json(&best));
    json["hands_set_differently"] = own.hands_set_differently.into();
    json["costliest"] = costliest_json(own).into();
    let compared = ways.iter().zip(&summary.ways).map(|(way, about)| {
        let odds = odds(about.outcomes);
        let mut json = outcomes_json(&odds);
        json["house_way"] = way.id.as_str().into();
        json["hands_set_differently"] = about.hands_set_differently.into();
        fraction(&mut json, "cost", &(odds.edge() - best.edge()));
        json["costliest"] = costliest_json(about).into();
        json
    });
    json["house_ways"] = compared.collect::<Vec<_>>().into();

    let deal = |what: &str, deals: i128| {
        vec![what.into(), deals.into(), percent(&Fraction::new(deals, DEALS), 6).into()]
    };
    let outcomes = Sheet {
        title: format!(
            "{}: every hand set best against the house way of {}\nhouse edge {}, standard deviation {}",
            book.title,
            book.house_way.title,
            percent(&best.edge(), 6),
            best.variance().root(6)
        ),
        columns: vec!["outcome", "deals", "part"],
        rows: vec![
            deal("the player wins", summary.best.win),
            deal("push", summary.best.push),
            deal("the player loses", summary.best.lose),
        ],
    };
    let compared = Sheet {
        title: "A player who sets by a house way instead".to_owned(),
        columns: vec!["house way", "house edge", "gives away", "hands set worse"],
        rows: ways
            .iter()
            .zip(&summary.ways)
            .map(|(way, about)| {
                let edge = odds(about.outcomes).edge();
                let cost = &edge - &best.edge();
                vec![
                    way.id.as_str().into(),
                    percent(&edge, 6).into(),
                    percent(&cost, 6).into(),
                    about.hands_set_differently.into(),
                ]
            })
            .collect(),
    };
    let costliest = Sheet {
        title: format!("Where the house way of {} gives most away", book.house_way.title),
        columns: vec!["cards", "house way", "best", "costs", "hands like it"],
        rows: own
            .costliest
            .iter()
            .take(top)
            .map(|costly| {
                vec![
                    costly.cards.as_str().into(),
                    costly.house_way.as_str().into(),
                    costly.best.as_str().into(),
                    percent(&costly.part(), 4).into(),
                    costly.hands.into(),
                ]
            })
            .collect(),
    };
    let mut sheets = vec![outcomes, compared];
    if top > 0 {
        sheets.push(costliest);
    }
    Answer { json, sheets }
}

fn write(summary: &Summary) -> Value {
    let outcomes = |of: &Outcomes| json!([of.win as i64, of.push as i64, of.lose as i64]);
    let costly = |of: &Costly| json!([of.cards, of.house_way, of.best, of.cost, of.hands]);
    let way = |way: &WaySummary| {
        json!({
            "outcomes": outcomes(&way.outcomes),
            "hands_set_differently": way.hands_set_differently,
            "costliest": way.costliest.iter().map(costly).collect::<Vec<_>>(),
        })
    };
    json!({ "best": outcomes(&summary.best), "ways": summary.ways.iter().map(way).collect::<Vec<_>>() })
}

fn read(value: &Value, ways: usize) -> Option<Summary> {
    let count = |value: &Value| value.as_i64().filter(|count| *count >= 0);
    let outcomes = |of: &Value| {
        let [win, push, lose] = [count(&of[0])?, count(&of[1])?, count(&of[2])?].map(i128::from);
        (win + push + lose == DEALS).then_some(Outcomes { win, push, lose })
    };
    let costly = |of: &Value| {
        let text = |at: usize| of[at].as_str().map(str::to_owned);
        Some(Costly {
            cards: text(0)?,
            house_way: text(1)?,
            best: text(2)?,
            cost: count(&of[3])?,
            hands: of[4].as_u64()?,
        })
    };
    let way = |of: &Value| {
        Some(WaySummary {
            outcomes: outcomes(&of["outcomes"])?,
            hands_set_differently: of["hands_set_differently"].as_u64()?,
            costliest: of["costliest"].as_array()?.iter().map(costly).collect::<Option<_>>()?,
        })
    };
    let read: Vec<WaySummary> = value["ways"].as_array()?.iter().map(way).collect::<Option<_>>()?;
    let best = outcomes(&value["best"])?;
    (read.len() == ways).then_some(Summary { best, ways: read })
}

/// A file of all settings on its way: it takes its name when it is whole.
struct OutFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

/// How many hands one core writes at a time.
const HANDS_TOGETHER: usize = 1 << 12;

impl OutFile {
    fn create(path: &Path) -> Result<OutFile, Failure> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let refuse = |error| Failure::Refused(format!("{}: {error}", path.display()));
        if path.is_dir() {
            return Err(Failure::Refused(format!("{}: it is a folder", path.display())));
        }
        let file = File::create(&part).map_err(refuse)?;
        Ok(OutFile { file, part, path: path.to_owned() })
    }

    fn write(self, strategy: &Strategy, commission: u32, work: &Work) -> Result<(), Failure> {
        let OutFile { file, part, path } = self;
        let mut out = BufWriter::new(file);
        let hands = strategy.len();
        let written = work.under_bar("writing", hands as u64, |progress| {
            writeln!(
                out,
                "cards,hands,low,high,win,push,lose,worth,house_low,house_high,house_win,house_push,house_lose,cost"
            )?;
            let starts: Vec<usize> = (0..hands).step_by(HANDS_TOGETHER).collect();
            for batch in starts.chunks(64) {
                let texts: Vec<String> = batch
                    .par_iter()
                    .map(|&start| {
                        let mut text = String::new();
                        let end = hands.min(start + HANDS_TOGETHER);
                        (start..end).for_each(|place| line(&strategy.hand(place), commission, &mut text));
                        progress((end - start) as u64);
                        text
                    })
                    .collect();
                for text in texts {
                    out.write_all(text.as_bytes())?;
                }
            }
            out.flush()?;
            fs::rename(&part, &path)
        });
        written.map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
    }
}

/// A class of hands as a line. Its settings have cards: they were made from the hand.
fn line(hand: &HandWorth<'_>, commission: u32, text: &mut String) {
    let ((Some(best), worth), (Some(house), house_worth)) = (hand.best_setting(), hand.setting_of(0)) else {
        return;
    };
    let value = worth.value(commission);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
        hand.hand(),
        hand.weight(),
        best.low,
        best.high,
        worth.win,
        worth.push(),
        worth.lose,
        part(value),
        house.low,
        house.high,
        house_worth.win,
        house_worth.push(),
        house_worth.lose,
        part(value - house_worth.value(commission)),
    );
}

/// A value over all dealer's hands as a part of a wager, with ten digits: there are millions of them to write.
fn part(value: i64) -> String {
    const ONE: i128 = 10_000_000_000;
    let whole = 10_000 * i128::from(DEALER_HANDS);
    let digits = (2 * i128::from(value.abs()) * ONE + whole) / (2 * whole);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:010}", digits / ONE, digits % ONE)
}
