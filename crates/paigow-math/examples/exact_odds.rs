//! Counts all 154,143,080 hands and prints the exact edge of every paytable of a side wager.

use paigow::Rulebook;
use paigow_math::{Census, DecimalRounding, WagerOdds};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let book = Rulebook::built_in("south-dakota")?;
    let census = Census::compute(book.ranking.joker);
    for wager in &book.wagers {
        for paytable in &wager.paytables {
            // Only wagers on the dealer's high hand ask for the base game; this book has none.
            let odds =
                WagerOdds::of(wager, paytable, &census, || unreachable!("the wager depends on one hand"));
            let edge = odds.edge();
            println!(
                "{} {}: {} = {edge}",
                wager.title,
                paytable.name,
                edge.decimal(6, DecimalRounding::Rounded)
            );
        }
    }
    Ok(())
}
