//! Input of hands: one from the command line, or one per line from standard input.

use crate::{Failure, print_error};
use paigow::SevenCards;
use rayon::prelude::*;
use std::ffi::OsString;
use std::io::{self, Read, Write};

/// Returns the cards on the command line, or `None` if `-` selects standard input.
///
/// The cards may be one argument or several.
pub(crate) fn cards_in(cards: &[OsString]) -> Option<String> {
    if let [only] = cards
        && only == "-"
    {
        return None;
    }
    let text: Vec<_> = cards.iter().map(|card| card.to_string_lossy()).collect();
    Some(text.join(" "))
}

/// Size of the read buffer. A read returns what the pipe has, so a typed line is answered at once.
const READ_BYTES: usize = 1 << 20;
/// Maximum length of a line. A longer line is reported and discarded.
const LINE_BYTES_MAX: usize = 1 << 16;
/// Number of lines per parallel task.
const CHUNK: usize = 256;

/// Answers every hand on standard input, on all cores and in order.
///
/// Bad lines are reported on standard error and skipped. Empty lines are skipped.
///
/// # Errors
/// A line was bad, or reading or writing failed.
pub(crate) fn each_hand(
    out: &mut impl Write,
    answer: impl Fn(SevenCards, &mut String) + Send + Sync,
) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    let mut buffer = vec![0; READ_BYTES];
    let mut lines_before = 0;
    let mut has_bad_lines = false;
    // Whether the start of a line that is too long has been discarded.
    let mut too_long = false;
    loop {
        let read =
            input.read(&mut buffer).map_err(|error| Failure::Refused(format!("standard input: {error}")))?;
        bytes.extend_from_slice(&buffer[..read]);
        // The last line may be incomplete.
        let complete = match bytes.iter().rposition(|&byte| byte == b'\n') {
            _ if read == 0 => bytes.len(),
            Some(end) => end + 1,
            None => 0,
        };
        let mut start = 0;
        if too_long && complete > 0 {
            start = bytes.iter().position(|&byte| byte == b'\n').map_or(complete, |end| end + 1);
            lines_before += 1;
            has_bad_lines = true;
            print_error(&format!("paigow: line {lines_before}: longer than {LINE_BYTES_MAX} bytes"));
            too_long = false;
        }
        let text = String::from_utf8_lossy(&bytes[start..complete]);
        // Some programs start a text with a byte order mark.
        let text = if lines_before == 0 { text.trim_start_matches('\u{FEFF}') } else { &text };
        let lines: Vec<&str> = text.lines().collect();
        let chunks: Vec<ChunkResult> =
            lines.par_chunks(CHUNK).map(|lines| ChunkResult::of(lines, &answer)).collect();
        for (index, chunk) in chunks.iter().enumerate() {
            out.write_all(chunk.text.as_bytes())?;
            for (line, faults) in &chunk.bad_lines {
                print_error(&format!("paigow: line {}: {faults}", lines_before + index * CHUNK + line + 1));
                has_bad_lines = true;
            }
        }
        out.flush()?;
        lines_before += lines.len();
        bytes.drain(..complete);
        if bytes.len() > LINE_BYTES_MAX {
            bytes.clear();
            too_long = true;
        }
        if read == 0 {
            break;
        }
    }
    if has_bad_lines { Err(Failure::Reported) } else { Ok(()) }
}

/// Answers of a chunk of lines, and the faults of its bad lines by index.
struct ChunkResult {
    text: String,
    bad_lines: Vec<(usize, String)>,
}

impl ChunkResult {
    fn of(lines: &[&str], answer: &impl Fn(SevenCards, &mut String)) -> ChunkResult {
        let mut result = ChunkResult { text: String::new(), bad_lines: Vec::new() };
        for (i, line) in lines.iter().enumerate() {
            let line = line.trim_end();
            if line.is_empty() {
                continue;
            }
            if line.len() > LINE_BYTES_MAX {
                result.bad_lines.push((i, format!("longer than {LINE_BYTES_MAX} bytes")));
                continue;
            }
            match line.parse() {
                Ok(hand) => answer(hand, &mut result.text),
                Err(faults) => result.bad_lines.push((i, faults.to_string())),
            }
        }
        result
    }
}
