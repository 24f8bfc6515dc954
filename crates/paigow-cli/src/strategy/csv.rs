//! CSV file with the best setting of every class of hands.

use crate::Failure;
use crate::out_file::OutFile;
use paigow_answers::Work;
use paigow_math::{DEALER_HANDS, HandWorth, Strategy};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::io::Write;

/// Number of hands per parallel task.
const CHUNK: usize = 1 << 12;

const COLUMNS: &str = "cards,hands,low,high,win,push,lose,expected_value,house_low,house_high,house_win,house_push,house_lose,cost";

/// Writes the settings of all classes of hands.
pub(super) fn write(out: OutFile, strategy: &Strategy, commission: u32, work: &Work) -> Result<(), Failure> {
    let hands = strategy.len();
    out.write(|out| {
        work.with_progress("writing", hands as u64, |progress| {
            writeln!(out, "{COLUMNS}")?;
            let starts: Vec<usize> = (0..hands).step_by(CHUNK).collect();
            for batch in starts.chunks(64) {
                let texts: Vec<String> = batch
                    .par_iter()
                    .map(|&start| {
                        let mut text = String::new();
                        let end = hands.min(start + CHUNK);
                        (start..end).for_each(|index| line(&strategy.hand(index), commission, &mut text));
                        progress((end - start) as u64);
                        text
                    })
                    .collect();
                for text in texts {
                    out.write_all(text.as_bytes())?;
                }
            }
            Ok(())
        })
    })
}

/// Writes the line of a class of hands.
fn line(hand: &HandWorth<'_>, commission: u32, text: &mut String) {
    let ((best, odds), (house, house_odds)) = (hand.best_setting(), hand.setting_of(0));
    let value = odds.value(commission);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
        hand.hand(),
        hand.weight(),
        best.low,
        best.high,
        odds.win,
        odds.push(),
        odds.lose,
        expected_value(value),
        house.low,
        house.high,
        house_odds.win,
        house_odds.push(),
        house_odds.lose,
        expected_value(value - house_odds.value(commission)),
    );
}

/// Formats a value over all dealer hands as an expected value per unit wagered, rounded to ten digits.
///
/// The file has millions of values, so this uses integers instead of exact fractions.
fn expected_value(value: i64) -> String {
    const ONE: i128 = 10_000_000_000;
    let whole = 10_000 * i128::from(DEALER_HANDS);
    let digits = (2 * i128::from(value.abs()) * ONE + whole) / (2 * whole);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:010}", digits / ONE, digits % ONE)
}
