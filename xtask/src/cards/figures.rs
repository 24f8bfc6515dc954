//! The figures of `docs/strategy.md`, computed by the program.
//!
//! Each table of the page stands between the comments `<!-- NAME -->` and `<!-- end -->`.

use super::Program;
use crate::failure::Failure;
use serde_json::Value;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const PAGE: &str = "docs/strategy.md";

/// The house ways that were published, which the program prices.
const PUBLISHED: [&str; 9] = [
    "foxwoods",
    "ballys",
    "south-beach",
    "trump-plaza",
    "claridge",
    "marina-bay-sands",
    "golden-nugget",
    "flamingo",
    "mgm-grand",
];

/// Book and side of the figures on the page.
const BOOK: &str = "washington";
const SIDE: &str = "player";

/// Compares the figures of the page with those of the program, or writes them.
pub(super) fn run(root: &Path, program: &Program<'_>, cards: &[&str], write: bool) -> Result<(), Failure> {
    let path = root.join(PAGE);
    let text = fs::read_to_string(&path).map_err(|cause| super::unreadable(&path, cause))?;
    let mut page = text.clone();
    for (name, figures) in [
        ("published", published(program)?),
        ("frontier", frontier(program)?),
        ("card", card(program)?),
        ("cards", shipped(program, cards)?),
        ("others", others(program, cards)?),
    ] {
        page = replaced(&page, name, &figures)?;
    }
    if page == text {
        return Ok(());
    }
    if write {
        return fs::write(&path, page).map_err(|cause| super::unreadable(&path, cause));
    }
    Err(Failure::Drifted { file: PAGE, source: "the program", remedy: "run `cargo xtask cards --write`" })
}

/// Replaces the text between the comments of a name.
fn replaced(page: &str, name: &str, figures: &str) -> Result<String, Failure> {
    let (start, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.ok_or_else(|| {
        Failure::Invalid(PAGE.to_owned(), format!("it has no text between `<!-- {name} -->` and `{end}`"))
    })?;
    Ok(format!("{before}{start}\n{figures}\n{end}{after}"))
}

/// Edge and cost of the published house ways, with their costliest clauses.
fn published(program: &Program<'_>) -> Result<String, Failure> {
    let args = [&["price"][..], &PUBLISHED, &["--book", BOOK, "--side", SIDE]].concat();
    let price = program.answer(&args)?;
    let mut table = String::from(
        "| house way | house edge | given away | costliest clauses |\n| --- | ---: | ---: | --- |\n",
    );
    for way in list(&price["ways"]) {
        let clauses = list(&way["clauses"]);
        let mut costliest: Vec<(usize, &Value)> = clauses.iter().enumerate().collect();
        costliest.sort_by_key(|(_, clause)| Reverse(units(&clause["cost"], 12)));
        let clause = |(index, clause): &(usize, &Value)| {
            format!("{}. {}: {}", index + 1, text(&clause["when"]), percent(&clause["cost"], 4))
        };
        let costliest: Vec<String> = costliest.iter().take(3).map(clause).collect();
        let (edge, cost) = (percent(&way["edge"], 4), percent(&way["gives_away"], 4));
        let name = text(&way["way"]);
        row(&mut table, &[&format!("`{name}`"), &edge, &cost, &costliest.join("; ")]);
    }
    Ok(table)
}

/// Cost of the cards found, by number of lines.
fn frontier(program: &Program<'_>) -> Result<String, Failure> {
    let found = program.answer(&["card", BOOK, "--side", SIDE, "--lines", "12", "--frontier"])?;
    let mut table = String::from("| lines | given away | hands set worse |\n| ---: | ---: | ---: |\n");
    for point in list(&found["frontier"]) {
        let cells =
            [point["lines"].to_string(), percent(&point["gives_away"], 4), count(&point["hands_set_worse"])];
        row(&mut table, &cells.each_ref().map(String::as_str));
    }
    Ok(table)
}

/// The lines of the card of 12 lines, and its exact cost.
fn card(program: &Program<'_>) -> Result<String, Failure> {
    let found = program.answer(&["card", BOOK, "--side", SIDE, "--lines", "12", "--frontier"])?;
    let mut lines = String::new();
    for (index, line) in list(&found["clauses"]).iter().enumerate() {
        let _ = writeln!(lines, "{}. {}", index + 1, text(&line["says"])); // writing to a string cannot fail
    }
    let (cost, exact) = (percent(&found["gives_away"], 6), text(&found["gives_away_exact"]));
    Ok(format!("{lines}\nIt gives away {cost}, or exactly {exact} of the wager.\n"))
}

/// Prices of the cards that ship.
fn shipped(program: &Program<'_>, cards: &[&str]) -> Result<String, Failure> {
    let mut table = String::from(
        "| card | against | edge | best play | given away | hands set worse |\n| --- | --- | ---: | ---: | ---: | ---: |\n",
    );
    for name in cards {
        let [book, side, _] = super::parts(name)?;
        let price = program.answer(&["price", name, "--book", book, "--side", side])?;
        let way = &price["ways"][0];
        let cells = [
            format!("`{name}`"),
            text(&price["against"]).to_owned(),
            percent(&way["edge"], 4),
            percent(&price["best"]["edge"], 4),
            percent(&way["gives_away"], 4),
            count(&way["hands_set_worse"]),
        ];
        row(&mut table, &cells.each_ref().map(String::as_str));
    }
    Ok(table)
}

/// Cost of the cards of the book against each published dealer.
fn others(program: &Program<'_>, cards: &[&str]) -> Result<String, Failure> {
    let prefix = format!("{BOOK}-{SIDE}-");
    let cards: Vec<&str> = cards.iter().copied().filter(|name| name.starts_with(&prefix)).collect();
    let names: Vec<String> = cards.iter().map(|name| format!("`{name}`")).collect();
    let mut table = format!("| dealer | best play | {} |\n", names.join(" | "));
    row(&mut table, &[&["---", "---:"][..], &vec!["---:"; cards.len()]].concat());
    for dealer in PUBLISHED {
        let args = [&["price"][..], &cards, &["--book", BOOK, "--side", SIDE, "--against", dealer]].concat();
        let price = program.answer(&args)?;
        let mut cells = vec![format!("`{dealer}`"), percent(&price["best"]["edge"], 4)];
        cells.extend(list(&price["ways"]).iter().map(|way| percent(&way["gives_away"], 4)));
        row(&mut table, &cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    Ok(table)
}

fn row(table: &mut String, cells: &[&str]) {
    let _ = writeln!(table, "| {} |", cells.join(" | ")); // writing to a string cannot fail
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A decimal fraction of an answer, such as `-0.0123`, in units of 10^-`digits`, rounded to the nearest.
fn units(value: &Value, digits: usize) -> i64 {
    let decimal = text(value);
    let (whole, part) = decimal.trim_start_matches('-').split_once('.').unwrap_or((decimal, ""));
    let padded = format!("{whole}{part:0<width$}", width = digits + 1);
    let tenths: i64 = padded[..=whole.len() + digits].parse().unwrap_or_default();
    let rounded = (tenths + 5) / 10;
    if decimal.starts_with('-') { -rounded } else { rounded }
}

/// A fraction as a percentage, rounded to this many digits.
fn percent(value: &Value, digits: usize) -> String {
    let units = units(value, digits + 2);
    let (sign, scale) = (if units < 0 { "−" } else { "" }, 10_i64.pow(digits as u32));
    let (whole, part) = (units.abs() / scale, units.abs() % scale);
    format!("{sign}{whole}.{part:0digits$} %")
}

/// A count with separators of thousands.
fn count(value: &Value) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_written_between_their_comments() {
        let page = "a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\n\n<!-- end -->\n";
        let written = replaced(page, "one", "| new |\n").unwrap();
        assert_eq!(written, "a\n<!-- one -->\n\n| new |\n\n<!-- end -->\nb\n<!-- two -->\n\n<!-- end -->\n");
        assert_eq!(replaced(&written, "one", "| new |\n").unwrap(), written);
        assert!(replaced(page, "three", "").is_err());
    }

    #[test]
    fn numbers_are_written_as_on_the_page() {
        for (decimal, written) in [
            ("0.000493511", "0.0494 %"),
            ("0.00049", "0.0490 %"),
            ("0.0001999999", "0.0200 %"),
            ("-0.0271", "−2.7100 %"),
            ("1", "100.0000 %"),
            ("0", "0.0000 %"),
        ] {
            assert_eq!(percent(&json!(decimal), 4), written);
        }
        assert_eq!(
            [json!(7), json!(1_234), json!(5_314_610)].map(|value| count(&value)),
            ["7", "1,234", "5,314,610"]
        );
    }
}
