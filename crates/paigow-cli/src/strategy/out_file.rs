//! CSV file with the best setting of every class of hands.

use crate::Failure;
use paigow_answers::Work;
use paigow_math::{DEALER_HANDS, HandWorth, Strategy};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// An output file that is written completely or not at all.
///
/// The data goes to a temporary file in the same folder, which is renamed at the end. A killed program leaves the
/// temporary file. A path that is not a regular file, such as a pipe, is written directly.
pub(super) struct OutFile {
    file: File,
    path: PathBuf,
    temporary: Option<TemporaryFile>,
}

/// A file that is removed on drop.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // After the rename there is no file of this name, and the error is ignored.
        let _ = fs::remove_file(&self.0);
    }
}

/// Number of hands per parallel task.
const CHUNK: usize = 1 << 12;

impl OutFile {
    pub(super) fn create(path: &Path) -> Result<OutFile, Failure> {
        let refuse = |error: io::Error| Failure::Refused(format!("{}: {error}", path.display()));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Failure::Refused(format!("{}: is a folder", path.display()))),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path).map_err(refuse)?;
                Ok(OutFile { file, path: path.to_owned(), temporary: None })
            }
            found => {
                // Resolves a symbolic link, so that the rename replaces its target.
                let path =
                    if found.is_ok() { fs::canonicalize(path).map_err(refuse)? } else { path.to_owned() };
                let mut name = path.as_os_str().to_owned();
                name.push(format!(".{}.part", process::id()));
                let temporary = TemporaryFile(PathBuf::from(name));
                let file =
                    OpenOptions::new().write(true).create_new(true).open(&temporary.0).map_err(refuse)?;
                Ok(OutFile { file, path, temporary: Some(temporary) })
            }
        }
    }

    pub(super) fn write(self, strategy: &Strategy, commission: u32, work: &Work) -> Result<(), Failure> {
        let OutFile { file, path, temporary } = self;
        let mut out = BufWriter::new(file);
        let hands = strategy.len();
        let written = work.with_progress("writing", hands as u64, |progress| {
            writeln!(
                out,
                "cards,hands,low,high,win,push,lose,expected_value,house_low,house_high,house_win,house_push,house_lose,cost"
            )?;
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
            out.flush()?;
            match &temporary {
                Some(temporary) => fs::rename(&temporary.0, &path),
                None => Ok(()),
            }
        });
        written.map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
    }
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
