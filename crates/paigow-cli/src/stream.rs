//! Hands as they come in: one from the command line, or one a line from standard input.

use crate::Failure;
use paigow::SevenCards;
use std::ffi::OsString;
use std::io::{self, BufRead};

/// The hand on the command line, or `None` where `-` asks for standard input. Cards may be one argument or
/// several.
///
/// # Errors
/// Everything wrong with the cards.
pub(crate) fn hand_in(cards: &[OsString]) -> Result<Option<SevenCards>, Failure> {
    if let [only] = cards
        && only == "-"
    {
        return Ok(None);
    }
    let text: Vec<_> = cards.iter().map(|card| card.to_string_lossy()).collect();
    text.join(" ").parse().map(Some).map_err(|faults| Failure::Refused(format!("{faults}")))
}

/// Answers every line of standard input that is a hand; says what is wrong with the others, and goes on.
/// Empty lines are passed over.
///
/// # Errors
/// That some lines were refused, or that reading or writing failed.
pub(crate) fn each_hand(mut answer: impl FnMut(SevenCards) -> io::Result<()>) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let mut number = 0u64;
    let mut refused = false;
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::Refused(format!("standard input: {error}")))? == 0 {
            break;
        }
        number += 1;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        match text.trim_end().parse() {
            Ok(hand) => answer(hand)?,
            Err(faults) => {
                eprintln!("paigow: line {number}: {faults}");
                refused = true;
            }
        }
    }
    if refused { Err(Failure::LinesRefused) } else { Ok(()) }
}
