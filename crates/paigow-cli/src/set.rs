//! `paigow set`: how a house way sets a hand, and why.

use crate::answer::{Answer, Format, Sheet, csv_field, markdown_cell};
use crate::args::SetArgs;
use crate::{Failure, files, print, stream};
use paigow::rulebook::BuiltIn;
use paigow::{Evaluator, HouseWay, Ranking, Setting, SevenCards};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

pub(crate) fn run(args: &SetArgs, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let book = args.book.as_ref().map(|name| files::book(name, &args.changes.set)).transpose()?;
    let ranking = |way: &HouseWay| book.as_ref().map_or(way.ranking, |book| book.ranking);
    let setters: Vec<Setter> = if args.all_house_ways {
        let ways = BuiltIn::house_way_names().map(|name| files::house_way(name).map(Arc::new));
        ways.map(|way| way.map(|way| Setter::new(way.clone(), ranking(&way)))).collect::<Result<_, _>>()?
    } else {
        let way = match (&args.house_way, &book) {
            (Some(name), _) => Arc::new(files::house_way(name)?),
            (None, Some(book)) => book.house_way.clone(),
            (None, None) => return Err(Failure::Refused("give --book or --house-way".to_owned())),
        };
        vec![Setter::new(way.clone(), ranking(&way))]
    };

    if let Some(hand) = stream::hand_in(&args.cards)? {
        let answer = if args.all_house_ways { compared(hand, &setters) } else { setters[0].answer(hand) };
        return print(&answer, format, out);
    }
    match format {
        Format::Csv => writeln!(out, "cards,house way,in front,behind,clause,says,cite")?,
        Format::Markdown => {
            writeln!(
                out,
                "| cards | house way | front | behind | clause |\n| --- | --- | --- | --- | --- |"
            )?;
        }
        Format::Table | Format::Json => {}
    }
    stream::each_hand(out, |hand, text| {
        for setter in &setters {
            setter.line(hand, format, text);
        }
    })
}

/// A house way under a ranking, with what its lines have in common made ready.
struct Setter {
    way: Arc<HouseWay>,
    evaluator: &'static Evaluator,
    /// The end of the JSON of every hand that a clause decides.
    json_ends: Vec<String>,
}

impl Setter {
    fn new(way: Arc<HouseWay>, ranking: Ranking) -> Setter {
        let json_ends = way.clauses().iter().map(|clause| {
            let (when, says, cite) = (json!(clause.when), json!(clause.says), json!(clause.cite));
            format!("\"clause\":{when},\"says\":{says},\"cite\":{cite},\"house_way\":{}}}\n", json!(way.id))
        });
        Setter { json_ends: json_ends.collect(), evaluator: Evaluator::of(ranking), way }
    }

    /// The setting and the place of the clause. A house way that was read decides every hand.
    fn set(&self, hand: SevenCards) -> Option<(Setting, usize)> {
        self.way.decide(hand, self.evaluator).map(|decision| (decision.setting, decision.clause))
    }

    fn answer(&self, hand: SevenCards) -> Answer {
        let Some((setting, clause)) = self.set(hand) else {
            return Answer { json: Value::Null, sheets: Vec::new() };
        };
        let clause = &self.way.clauses()[clause];
        let high = self.evaluator.shape(setting.high_strength).to_string();
        let rows = [
            ("in front", format!("{}: {}", setting.low, setting.low_strength)),
            ("behind", format!("{}: {high}", setting.high)),
            ("because", clause.says.clone()),
            ("clause", format!("{} → {}", clause.when, clause.set.join(", or "))),
            ("cite", clause.cite.clone()),
        ];
        let sheet = Sheet {
            title: format!(
                "{hand} set by the house way of {} ({})",
                self.way.title,
                self.evaluator.ranking()
            ),
            columns: vec!["what", "is"],
            rows: rows.into_iter().map(|(what, is)| vec![what.into(), is.into()]).collect(),
        };
        Answer { json: self.json(hand), sheets: vec![sheet] }
    }

    /// The same object a stream prints, so that its keys are written down once.
    fn json(&self, hand: SevenCards) -> Value {
        let mut text = String::new();
        self.line(hand, Format::Json, &mut text);
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// A hand of a stream, as one line.
    fn line(&self, hand: SevenCards, format: Format, text: &mut String) {
        let Some((setting, clause)) = self.set(hand) else { return };
        let Setting { high, low, high_strength, low_strength } = setting;
        let decided = &self.way.clauses()[clause];
        let cells = [&self.way.id, &decided.when, &decided.says, &decided.cite];
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
                let [way, when, says, cite] = cells.map(|cell| csv_field(cell));
                writeln!(text, "{hand},{way},{low},{high},{when},{says},{cite}")
            }
            Format::Markdown => {
                let [way, when, says, cite] = cells.map(|cell| markdown_cell(cell));
                writeln!(text, "| {hand} | {way} | {low} | {high} | {when} | {says} | {cite} |")
            }
            Format::Table => {
                writeln!(text, "{hand}: {low} / {high}. {} ({}: {})", decided.says, self.way.id, decided.cite)
            }
        };
    }
}

/// What every house way makes of a hand.
fn compared(hand: SevenCards, setters: &[Setter]) -> Answer {
    let rows = setters.iter().filter_map(|setter| {
        let (setting, clause) = setter.set(hand)?;
        let says = &setter.way.clauses()[clause].says;
        Some(vec![
            setter.way.id.as_str().into(),
            setting.low.to_string().into(),
            setting.high.to_string().into(),
            says.as_str().into(),
        ])
    });
    let sheet = Sheet {
        title: format!("{hand} by every house way"),
        columns: vec!["house way", "in front", "behind", "because"],
        rows: rows.collect(),
    };
    let settings: Vec<Value> = setters.iter().map(|setter| setter.json(hand)).collect();
    Answer { json: json!({ "cards": hand.to_string(), "settings": settings }), sheets: vec![sheet] }
}
