//! Hands as they come in: one from the command line, or one a line from standard input.

use crate::{Failure, complain};
use paigow::SevenCards;
use rayon::prelude::*;
use std::ffi::OsString;
use std::io::{self, Read, Write};

/// The cards on the command line, or `None` where `-` asks for standard input. They may be one argument or several.
pub(crate) fn cards_in(cards: &[OsString]) -> Option<String> {
    if let [only] = cards
        && only == "-"
    {
        return None;
    }
    let text: Vec<_> = cards.iter().map(|card| card.to_string_lossy()).collect();
    Some(text.join(" "))
}

/// How much is read at a time: what a pipe gives, so that whoever types a line is answered at once.
const READ_BYTES: usize = 1 << 20;
/// A longer line is no hand, and is not kept to be looked at.
const LINE_BYTES_MAX: usize = 1 << 16;
/// How many lines one core answers at a time.
const LINES_TOGETHER: usize = 256;

/// Answers every line of standard input that is a hand, on all cores and in order; says what is wrong with the others, and
/// goes on. Empty lines are passed over.
///
/// # Errors
/// That some lines were refused, or that reading or writing failed.
pub(crate) fn each_hand(
    out: &mut impl Write,
    answer: impl Fn(SevenCards, &mut String) + Send + Sync,
) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    let mut buffer = vec![0; READ_BYTES];
    let mut lines_before = 0;
    let mut refused = false;
    // Whether the start of a line that is too long has been thrown away.
    let mut too_long = false;
    loop {
        let read =
            input.read(&mut buffer).map_err(|error| Failure::Refused(format!("standard input: {error}")))?;
        bytes.extend_from_slice(&buffer[..read]);
        // The last line may not have come whole yet.
        let whole = match bytes.iter().rposition(|&byte| byte == b'\n') {
            _ if read == 0 => bytes.len(),
            Some(end) => end + 1,
            None => 0,
        };
        let mut from = 0;
        if too_long && whole > 0 {
            from = bytes.iter().position(|&byte| byte == b'\n').map_or(whole, |end| end + 1);
            lines_before += 1;
            refused = true;
            complain(&format!("paigow: line {lines_before}: longer than {LINE_BYTES_MAX} bytes"));
            too_long = false;
        }
        let text = String::from_utf8_lossy(&bytes[from..whole]);
        // Some programs start a text with a mark that says it is UTF-8.
        let text = if lines_before == 0 { text.trim_start_matches('\u{FEFF}') } else { &text };
        let lines: Vec<&str> = text.lines().collect();
        let parts: Vec<Answered> =
            lines.par_chunks(LINES_TOGETHER).map(|lines| Answered::to(lines, &answer)).collect();
        for (part, answered) in parts.iter().enumerate() {
            out.write_all(answered.text.as_bytes())?;
            for (line, faults) in &answered.refused {
                complain(&format!(
                    "paigow: line {}: {faults}",
                    lines_before + part * LINES_TOGETHER + line + 1
                ));
                refused = true;
            }
        }
        out.flush()?;
        lines_before += lines.len();
        bytes.drain(..whole);
        if bytes.len() > LINE_BYTES_MAX {
            bytes.clear();
            too_long = true;
        }
        if read == 0 {
            break;
        }
    }
    if refused { Err(Failure::Reported) } else { Ok(()) }
}

/// The answers to some lines, and what was wrong with others.
struct Answered {
    text: String,
    refused: Vec<(usize, String)>,
}

impl Answered {
    fn to(lines: &[&str], answer: &impl Fn(SevenCards, &mut String)) -> Answered {
        let mut answered = Answered { text: String::new(), refused: Vec::new() };
        for (i, line) in lines.iter().enumerate() {
            let line = line.trim_end();
            if line.is_empty() {
                continue;
            }
            if line.len() > LINE_BYTES_MAX {
                answered.refused.push((i, format!("longer than {LINE_BYTES_MAX} bytes")));
                continue;
            }
            match line.parse() {
                Ok(hand) => answer(hand, &mut answered.text),
                Err(faults) => answered.refused.push((i, faults.to_string())),
            }
        }
        answered
    }
}
