//! Writes a rule book that extends a built-in one, and shows how faults of a text are reported.

use paigow::Rulebook;
use paigow::document::Source;
use paigow::rulebook::BuiltIn;
use std::error::Error;

const BOOK: &str = r#"
title      = "Harbour Lights"
source     = "House rules, edition 1"
checked_on = "2026-11-15"
extends    = "south-beach"

[base_game]
limits = { min = "5.00", max = "500.00", cite = "page 1" }
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let parse = |text: &str| {
        Rulebook::parse("harbour-lights", &Source::new("harbour-lights.toml", text), &[], &BuiltIn)
    };

    let book = parse(BOOK).map_err(|problems| problems[0].to_string())?;
    println!("{}: base wagers from {}", book.title, book.base_game.limits.min);

    // A text with faults is refused as a whole, and every fault is named with its line and column.
    let problems = parse(&BOOK.replace("[base_game]", "[base_gmae]")).err().unwrap_or_default();
    for problem in problems {
        println!("{problem}");
    }
    Ok(())
}
