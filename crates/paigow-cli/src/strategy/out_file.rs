//! The best setting of every class of hands, as a file.

use crate::Failure;
use paigow_answers::Work;
use paigow_math::{DEALER_HANDS, HandWorth, Strategy};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

/// A file on its way. It is written beside its place and takes its name when it is whole; what is no plain file, such as a pipe,
/// is written as it is. A program that is killed leaves the part beside, under a name of its own.
pub(super) struct OutFile {
    file: File,
    path: PathBuf,
    part: Option<TemporaryFile>,
}

/// A file that goes away unless it is kept.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // Once it has its name there is nothing left here.
        let _ = fs::remove_file(&self.0);
    }
}

/// How many hands one core writes at a time.
const HANDS_TOGETHER: usize = 1 << 12;

impl OutFile {
    pub(super) fn create(path: &Path) -> Result<OutFile, Failure> {
        let refuse = |error: io::Error| Failure::Refused(format!("{}: {error}", path.display()));
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                Err(Failure::Refused(format!("{}: it is a folder", path.display())))
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path).map_err(refuse)?;
                Ok(OutFile { file, path: path.to_owned(), part: None })
            }
            found => {
                // Through a link to the file it names.
                let path =
                    if found.is_ok() { fs::canonicalize(path).map_err(refuse)? } else { path.to_owned() };
                let mut name = path.as_os_str().to_owned();
                name.push(format!(".{}.part", process::id()));
                let part = TemporaryFile(PathBuf::from(name));
                let file = OpenOptions::new().write(true).create_new(true).open(&part.0).map_err(refuse)?;
                Ok(OutFile { file, path, part: Some(part) })
            }
        }
    }

    pub(super) fn write(self, strategy: &Strategy, commission: u32, work: &Work) -> Result<(), Failure> {
        let OutFile { file, path, part } = self;
        let mut out = BufWriter::new(file);
        let hands = strategy.len();
        let written = work.watched("writing", hands as u64, |progress| {
            writeln!(
                out,
                "cards,hands,low,high,win,push,lose,worth,house_low,house_high,house_win,house_push,house_lose,cost"
            )?;
            let starts: Vec<usize> = (0..hands).step_by(HANDS_TOGETHER).collect();
            for batch in starts.chunks(64) {
                let texts: Vec<String> = batch
                    .par_iter()
                    .map(|&start| {
                        let mut text = String::new();
                        let end = hands.min(start + HANDS_TOGETHER);
                        (start..end).for_each(|place| line(&strategy.hand(place), commission, &mut text));
                        progress((end - start) as u64);
                        text
                    })
                    .collect();
                for text in texts {
                    out.write_all(text.as_bytes())?;
                }
            }
            out.flush()?;
            match &part {
                Some(part) => fs::rename(&part.0, &path),
                None => Ok(()),
            }
        });
        written.map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))
    }
}

/// A class of hands as a line.
fn line(hand: &HandWorth<'_>, commission: u32, text: &mut String) {
    let ((best, worth), (house, house_worth)) = (hand.best_setting(), hand.setting_of(0));
    let value = worth.value(commission);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
        hand.hand(),
        hand.weight(),
        best.low,
        best.high,
        worth.win,
        worth.push(),
        worth.lose,
        part(value),
        house.low,
        house.high,
        house_worth.win,
        house_worth.push(),
        house_worth.lose,
        part(value - house_worth.value(commission)),
    );
}

/// A value over all dealer's hands as a part of a wager, with ten digits: there are millions of them to write.
fn part(value: i64) -> String {
    const ONE: i128 = 10_000_000_000;
    let whole = 10_000 * i128::from(DEALER_HANDS);
    let digits = (2 * i128::from(value.abs()) * ONE + whole) / (2 * whole);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:010}", digits / ONE, digits % ONE)
}
