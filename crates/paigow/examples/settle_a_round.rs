//! Settles a round line by line: every wager with its result, its amount and the reason.

use paigow::document::Source;
use paigow::rulebook::BuiltIn;
use paigow::{RoundFile, Settlement};
use std::error::Error;

const ROUND: &str = r#"
book   = "ez"
dealer = { cards = "Kd Ks 9c 8h 7d 4s 2c" }

[[seats]]
seat   = 1
cards  = "As Ac Ad Kh 9d 6d 2s"
wagers = { pai-gow = "25.00", queens-dragon = "5.00" }
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let round = RoundFile::parse(&Source::new("round.toml", ROUND), &BuiltIn)
        .map_err(|problems| problems[0].to_string())?;
    let showdown = round.showdown().map_err(|refusals| refusals[0].to_string())?;
    let settlement = Settlement::of(&showdown);
    for line in settlement.lines() {
        println!("{}", line.because(&showdown));
    }
    assert_eq!(settlement.nets().sum(), 0, "every cent that one side wins, another loses");
    Ok(())
}
