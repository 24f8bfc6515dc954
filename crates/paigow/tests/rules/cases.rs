//! Clause cases: the examples in `rulebooks/<book>/cases.md`, which show the meaning of each rule.
//!
//! `docs/rule-books.md` describes the format. Every numbered duty of a book must have a heading.

use paigow::document::{Node, Value};
use paigow::rulebook::{BuiltIn, DecidingCards};
use paigow::{
    Arrangement, CardSet, Color, Evaluator, Hand, HandClass, Holdings, PayRow, Ranking, Rulebook, SevenCards,
    parse_cards,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn cases_file(book: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks").join(book).join("cases.md")
}

#[test]
fn cases_give_the_written_results() {
    let mut failures = String::new();
    let mut checked = 0;
    for name in BuiltIn::book_names() {
        let book = Rulebook::load(name, &[], &BuiltIn).expect("the built-in books are valid");
        let path = cases_file(name);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut inside = false;
        for (number, line) in text.lines().enumerate() {
            match line.trim() {
                "```case" => inside = true,
                "```" => inside = false,
                "" => {}
                case if inside => {
                    checked += 1;
                    if let Err(reason) = check(case, &book) {
                        let _ = writeln!(failures, "{name}/cases.md:{}: {case}\n    {reason}", number + 1);
                    }
                }
                _ => {}
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(checked > 400, "only {checked} cases were found");
}

#[test]
fn duties_have_headings() {
    let duties = [
        ("south-dakota", "SD", 9),
        ("washington", "WA", 6),
        ("california", "CA", 11),
        ("south-beach", "SB", 8),
        ("ez", "EZ", 12),
    ];
    for (name, key, count) in duties {
        let text = std::fs::read_to_string(cases_file(name)).expect("the cases of a book");
        let book = Rulebook::load(name, &[], &BuiltIn).expect("a book");
        for number in 1..=count {
            let duty = format!("{key}-{number}");
            assert!(
                text.lines().any(|line| line.starts_with(&format!("## {duty} "))),
                "{name} has no heading for {duty}"
            );
            assert!(book.duties.iter().any(|entry| entry.key == duty), "{name} has no duty {duty}");
        }
    }
}

fn check(case: &str, book: &Rulebook) -> Result<(), String> {
    let (verb, rest) = case.split_once(char::is_whitespace).ok_or("a case is a verb and its arguments")?;
    match verb {
        "beats" | "equal" => return compare(verb, rest, book),
        _ => {}
    }
    let (arguments, expected) = rest.split_once("=>").ok_or("a case ends with `=>` and the result")?;
    let (arguments, expected) = (arguments.trim(), expected.trim());
    let found = match verb {
        "value" => {
            let node = book.document().at(arguments);
            node.map(value_text).ok_or_else(|| format!("there is no value {arguments}"))?
        }
        "set" => return check_set(arguments, expected, book),
        "pays" => paying_row(arguments, book)?.map_or("lose".to_owned(), |row| row.pays.to_string()),
        "envy" => paying_row(arguments, book)?
            .and_then(|row| row.envy)
            .map_or("none".to_owned(), |amount| format!("${amount}")),
        "stands" => is_legal(arguments, book)?,
        _ => return Err(format!("unknown verb `{verb}`")),
    };
    if found == expected { Ok(()) } else { Err(format!("the result is {found}")) }
}

fn value_text(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        Value::Integer(integer) => integer.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| format!("\"{}\"", value_text(item))).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.kind().to_owned(),
    }
}

fn seven(text: &str) -> Result<SevenCards, String> {
    text.parse().map_err(|faults| format!("{text}: {faults}"))
}

/// Compares the strengths of both hands with the written setting. The choice among equivalent cards is free.
fn check_set(cards: &str, expected: &str, book: &Rulebook) -> Result<(), String> {
    let hand = seven(cards)?;
    let evaluator = Evaluator::of(book.ranking);
    let low = expected.strip_suffix(" in the low hand").ok_or("a setting is written `… in the low hand`")?;
    let low: CardSet = parse_cards(low, Some(2)).map_err(|faults| faults.to_string())?;
    let written = Arrangement::new(hand, low).ok_or("the low hand is not two of the seven cards")?;
    let written = written.set(evaluator).map_err(|foul| foul.to_string())?;
    let decision = book.house_way.decide(hand, evaluator);
    let strengths = |setting: paigow::Setting| (setting.low_strength, setting.high_strength);
    if strengths(decision.setting) == strengths(written) {
        return Ok(());
    }
    Err(format!(
        "{} in the low hand, by clause `{}`",
        decision.setting.low,
        book.house_way.clauses()[decision.clause].when
    ))
}

/// The row that pays a wager. The arguments are `wager paytable cards`, with a color before the cards, or both hands.
fn paying_row<'a>(arguments: &str, book: &'a Rulebook) -> Result<Option<&'a PayRow>, String> {
    let mut words = arguments.split_whitespace();
    let wager = words.next().and_then(|name| book.wager(name)).ok_or("unknown wager")?;
    let table = words.next().and_then(|name| wager.paytable(name)).ok_or("unknown paytable")?;
    let rest: Vec<&str> = words.collect();
    match wager.looks_at {
        DecidingCards::PlayerHand | DecidingCards::DealerHand => {
            Ok(table.best(Holdings::of(table.joker).classes_of(seven(&rest.join(" "))?)))
        }
        DecidingCards::Color => {
            let (color, cards) = rest.split_first().ok_or("a color and cards")?;
            let color = match *color {
                "red" => Color::Red,
                "black" => Color::Black,
                other => return Err(format!("`{other}` is not a color")),
            };
            Ok(table.for_cards(seven(&cards.join(" "))?.cards().count_color(color) as u8))
        }
        DecidingCards::DealerFiveCards => {
            let text = rest.join(" ");
            let (player, dealer) = text.split_once(" dealer ").ok_or("`player … dealer …`")?;
            let player = seven(player.strip_prefix("player ").ok_or("`player … dealer …`")?)?;
            let dealer = seven(dealer)?;
            let evaluator = Evaluator::of(book.ranking);
            let high = |hand| book.house_way.decide(hand, evaluator).setting.high_strength;
            let (player, dealer) = (high(player), high(dealer));
            let less_than_a_pair = dealer.category() == paigow::Category::HighCard;
            if !less_than_a_pair || wager.player_must_beat && player <= dealer {
                return Ok(None);
            }
            let highest = evaluator.shape(dealer).ranks[0].name();
            let class =
                HandClass::from_name(&format!("{highest}_high")).ok_or("no class for this high card")?;
            Ok(table.best([class].into_iter().collect()))
        }
    }
}

fn compare(verb: &str, rest: &str, book: &Rulebook) -> Result<(), String> {
    let sign = if verb == "beats" { '>' } else { '=' };
    let (one, other) = rest.split_once(sign).ok_or_else(|| format!("`{verb} … {sign} …`"))?;
    let order = match parse_cards(one, None).map_err(|faults| faults.to_string())?.len() {
        5 => strength::<5, _>(one, other, book.ranking, Evaluator::high)?,
        2 => strength::<2, _>(one, other, book.ranking, Evaluator::low)?,
        cards => return Err(format!("{cards} cards are neither a high nor a low hand")),
    };
    let wanted = if verb == "beats" { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Equal };
    if order == wanted { Ok(()) } else { Err(format!("the first is {order:?}")) }
}

fn strength<const N: usize, S: Ord>(
    one: &str,
    other: &str,
    ranking: Ranking,
    strength: fn(&Evaluator, Hand<N>) -> S,
) -> Result<std::cmp::Ordering, String> {
    let parse = |text: &str| text.trim().parse::<Hand<N>>().map_err(|faults| faults.to_string());
    let evaluator = Evaluator::of(ranking);
    Ok(strength(evaluator, parse(one)?).cmp(&strength(evaluator, parse(other)?)))
}

/// Whether a setting is legal: `yes` or `no`.
fn is_legal(arguments: &str, book: &Rulebook) -> Result<String, String> {
    let parts = arguments.split_once(" with low hand ");
    let (five, two) = parts.ok_or("`stands … with low hand … => yes or no`")?;
    let evaluator = Evaluator::of(book.ranking);
    let high = evaluator.high(five.parse().map_err(|faults| format!("{faults}"))?);
    let low = evaluator.low(two.parse().map_err(|faults| format!("{faults}"))?);
    Ok(if evaluator.is_legal(high, low) { "yes" } else { "no" }.to_owned())
}
