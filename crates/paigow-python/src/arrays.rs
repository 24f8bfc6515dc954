//! Arrays of hands: one byte for each card, one row for each hand.

use crate::cards::{CARDS, DECK, hand_of, indices, joker_of, ranking};
use crate::errors::raise;
use crate::handles::Way;
use crate::run::run;
use paigow::{Evaluator, HandClass, Holdings, SevenCards};
use paigow_answers::{Fault, Faults, Work};
use paigow_math::SuitClasses;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rayon::prelude::*;

/// Number of rows per parallel task, and of progress.
const CHUNK: usize = 1 << 14;

/// Maximum number of bad rows that a refusal names.
const NAMED_MAX: usize = 20;

/// Describes the faults of the cards of a hand: indices out of range, and cards that appear twice.
pub(crate) fn row_faults(row: &[u8]) -> Vec<String> {
    let mut faults: Vec<String> = row
        .iter()
        .filter(|index| usize::from(**index) >= CARDS)
        .map(|index| format!("{index} is not the index of a card, which is from 0 to {}", CARDS - 1))
        .collect();
    for (at, index) in row.iter().enumerate() {
        let is_repeated = row[..at].contains(index) && !row[at + 1..].contains(index);
        if is_repeated && usize::from(*index) < CARDS {
            faults.push(format!("{} appears more than once", DECK[usize::from(*index)]));
        }
    }
    faults
}

/// Whether the cards of a row are different cards.
fn is_valid(row: &[u8]) -> bool {
    let mut seen = 0u64;
    for &index in row {
        let bit = 1u64 << (index & 63);
        if usize::from(index) >= CARDS || seen & bit != 0 {
            return false;
        }
        seen |= bit;
    }
    true
}

/// Checks all rows. Refuses with the numbers of bad rows, from 0.
pub(crate) fn check(cards: &[u8], width: usize) -> Result<(), Faults> {
    let rows = cards.par_chunks_exact(width).enumerate();
    let mut bad: Vec<usize> = rows.filter(|(_, row)| !is_valid(row)).map(|(number, _)| number).collect();
    bad.sort_unstable();
    let named = bad.iter().take(NAMED_MAX).map(|&number| {
        let faults = row_faults(&cards[number * width..][..width]).join("; ");
        Fault::new("bad_hands", &format!("rows.{number}"), format!("row {number}: {faults}"))
    });
    let mut faults = Faults { faults: named.collect() };
    if bad.len() > NAMED_MAX {
        let message = format!("{} more rows are not hands", bad.len() - NAMED_MAX);
        faults.push(Fault::new("bad_hands", "rows", message));
    }
    faults.into_result(Some(()))
}

/// Computes `size` bytes for every row, in parallel and with progress.
pub(crate) fn map_rows(
    work: &Work,
    name: &str,
    cards: &[u8],
    width: usize,
    size: usize,
    each: impl Fn(usize, &[u8], &mut [u8]) + Sync,
) -> Vec<u8> {
    let rows = cards.len() / width;
    let mut out = vec![0; rows * size];
    work.with_progress(name, rows as u64, |progress| {
        let chunks = cards.par_chunks(CHUNK * width).zip(out.par_chunks_mut(CHUNK * size)).enumerate();
        // A cancelled computation skips the chunks that are left.
        chunks.panic_fuse().for_each(|(chunk, (cards, out))| {
            progress(0);
            let rows = cards.chunks_exact(width).zip(out.chunks_exact_mut(size));
            rows.enumerate().for_each(|(row, (cards, out))| each(chunk * CHUNK + row, cards, out));
            progress((cards.len() / width) as u64);
        });
    });
    out
}

/// Returns the hand of a row that was checked.
pub(crate) fn seven(row: &[u8]) -> SevenCards {
    hand_of(row).complete()
}

/// Sets hands by a house way.
///
/// Returns nine bytes for each hand: the low hand, the high hand, and the index of the clause in two bytes.
#[pyfunction]
pub(crate) fn set_hands<'py>(
    py: Python<'py>,
    way: &Way,
    hands: &[u8],
    joker: &str,
    wheel: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let evaluator = Evaluator::of(ranking(py, joker, wheel)?);
    let way = way.way.clone();
    bytes_of(py, progress, |work| {
        check(hands, 7)?;
        Ok(map_rows(work, "setting hands", hands, 7, 9, |_, row, out| {
            let decision = way.decide(seven(row), evaluator);
            let (low, high) = (decision.setting.low.cards(), decision.setting.high.cards());
            let cards = indices(low).chain(indices(high));
            out.iter_mut().zip(cards).for_each(|(slot, card)| *slot = card);
            out[7..].copy_from_slice(&(decision.clause as u16).to_ne_bytes());
        }))
    })
}

/// Returns the strengths of hands of five or two cards, two bytes for each.
#[pyfunction]
pub(crate) fn rank<'py>(
    py: Python<'py>,
    hands: &[u8],
    width: usize,
    joker: &str,
    wheel: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let evaluator = Evaluator::of(ranking(py, joker, wheel)?);
    bytes_of(py, progress, |work| {
        check(hands, width)?;
        Ok(map_rows(work, "ranking hands", hands, width, 2, |_, row, out| {
            let strength = if width == 5 {
                evaluator.high(hand_of(row).complete()).index()
            } else {
                evaluator.low(hand_of(row).complete()).index()
            };
            out.copy_from_slice(&(strength as u16).to_ne_bytes());
        }))
    })
}

/// Returns the classes of hands of seven cards, eight bytes for each.
///
/// The first four are the set of classes that the hand contains, as bits; then follows the index of its rank in play.
#[pyfunction]
pub(crate) fn classes<'py>(
    py: Python<'py>,
    hands: &[u8],
    joker: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let holdings = Holdings::of(joker_of(py, joker)?);
    // Few holdings have many hands, so the bits of each are computed once.
    let known: Vec<(u32, u32)> = {
        let mut known = vec![(0, 0); paigow::Holding::COUNT_MAX];
        for (holding, classes) in holdings.all() {
            let bits = classes.iter().fold(0, |bits, class| bits | 1u32 << class as u32);
            known[holding.index()] = (bits, classes.first_of(&HandClass::IN_PLAY) as u32);
        }
        known
    };
    bytes_of(py, progress, |work| {
        check(hands, 7)?;
        Ok(map_rows(work, "classifying hands", hands, 7, 8, |_, row, out| {
            let (bits, in_play) = known[holdings.find(seven(row)).index()];
            out[..4].copy_from_slice(&bits.to_ne_bytes());
            out[4..].copy_from_slice(&in_play.to_ne_bytes());
        }))
    })
}

/// Returns one hand of every suit class, and the number of hands in each class.
#[pyfunction]
pub(crate) fn suit_classes(py: Python<'_>) -> PyResult<(Bound<'_, PyByteArray>, Bound<'_, PyByteArray>)> {
    let (hands, weights) = run(py, None, |_| {
        let (mut hands, mut weights) = (Vec::new(), Vec::new());
        SuitClasses::of(7).for_each(|hand, weight| {
            hands.extend(indices(hand.cards()));
            weights.push(weight as u8);
        });
        (hands, weights)
    })?;
    Ok((PyByteArray::new(py, &hands), PyByteArray::new(py, &weights)))
}

/// Runs a computation of bytes.
fn bytes_of<'py>(
    py: Python<'py>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Work) -> Result<Vec<u8>, Faults> + Send,
) -> PyResult<Bound<'py, PyByteArray>> {
    let bytes = run(py, progress, job)?.map_err(|faults| raise(py, &faults))?;
    Ok(PyByteArray::new(py, &bytes))
}
