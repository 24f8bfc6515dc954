//! Values of hands and settings, looked up in a table of worths.

use crate::arrays::{check, map_rows, seven};
use crate::cards::hand_of;
use crate::errors::raise;
use crate::handles::{Book, Way};
use crate::run::run;
use paigow::{Arrangement, Evaluator, FiveCards, TwoCards};
use paigow_answers::price::{PriceQuestion, PriceRequest};
use paigow_answers::{Fault, Faults};
use paigow_math::{DEALER_HANDS, KindWorth, WorthTable};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::{Arc, Mutex, PoisonError};

/// Values of all settings of all kinds of hands, against one opponent.
#[pyclass(frozen, module = "paigow._native")]
pub(crate) struct Worths {
    table: Arc<WorthTable>,
    evaluator: &'static Evaluator,
    side: &'static str,
    against: String,
    /// Gain of a win and loss of a loss, in ten-thousandths of a wager.
    stakes: (i64, i64),
}

/// Returns the table of worths of a side of a book: from memory, from the cache, or by computing it.
#[pyfunction]
pub(crate) fn worths(
    py: Python<'_>,
    book: &Book,
    side: Option<String>,
    against: Option<&Way>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Worths> {
    let mut texts = book.texts.clone();
    let own = book.house_way(py)?;
    let opponent = against.unwrap_or(&own);
    texts.join(&opponent.texts).map_err(|faults| raise(py, &faults))?;
    let question = PriceQuestion {
        book: book.name.clone(),
        changes: book.changes.clone(),
        house_ways: vec![opponent.name.clone()],
        against: Some(opponent.name.clone()),
        side,
    };
    let PriceRequest { game, .. } =
        PriceRequest::of(&question, &texts).map_err(|faults| raise(py, &faults))?;
    let table = run(py, progress, |work| work.worth_table(&game.valuation()))?;
    let valuation = game.valuation();
    let value = |win, lose| valuation.value(paigow_math::Worth { win, lose });
    Ok(Worths {
        table,
        evaluator: Evaluator::of(valuation.ranking),
        side: game.side.name(),
        against: game.against.id().to_owned(),
        stakes: (value(1, 0), -value(0, 1)),
    })
}

#[pymethods]
impl Worths {
    /// Side of the table whose settings are valued.
    #[getter]
    fn side(&self) -> &'static str {
        self.side
    }

    /// Id of the house way of the other side.
    #[getter]
    fn against(&self) -> &str {
        &self.against
    }

    /// Gain of a win and loss of a loss, in ten-thousandths of a wager.
    #[getter]
    fn stakes(&self) -> (i64, i64) {
        self.stakes
    }

    /// Number of hands of the other side.
    #[classattr]
    fn opponents() -> u64 {
        DEALER_HANDS
    }

    /// Returns the worths of hands set with these low hands, or set in the best way if `lows` is `None`.
    ///
    /// 24 bytes for each hand: the number of hands of its kind, the wins and the losses.
    fn values<'py>(
        &self,
        py: Python<'py>,
        hands: &[u8],
        lows: Option<&[u8]>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let bytes = run(py, progress, |work| {
            check(hands, 7)?;
            let illegal: Mutex<Vec<usize>> = Mutex::default();
            let bytes = map_rows(work, "valuing hands", hands, 7, 24, |number, row, out| {
                let worth = match lows {
                    None => Some(self.table.best_worth(seven(row))),
                    Some(lows) => self.worth_of(row, &lows[2 * number..][..2]),
                };
                let Some(KindWorth { hands, win, lose }) = worth else {
                    illegal.lock().unwrap_or_else(PoisonError::into_inner).push(number);
                    return;
                };
                for (slot, number) in out.chunks_exact_mut(8).zip([u64::from(hands), win, lose]) {
                    slot.copy_from_slice(&number.to_ne_bytes());
                }
            });
            let illegal = illegal.into_inner().unwrap_or_else(PoisonError::into_inner);
            illegal_rows(illegal).map(|()| bytes)
        })?;
        let bytes = bytes.map_err(|faults| raise(py, &faults))?;
        Ok(PyByteArray::new(py, &bytes))
    }
}

impl Worths {
    /// Returns the worth of a setting, or `None` if it is not a legal setting of the hand.
    fn worth_of(&self, hand: &[u8], low: &[u8]) -> Option<KindWorth> {
        let is_part = low[0] != low[1] && low.iter().all(|card| hand.contains(card));
        if !is_part {
            return None;
        }
        let hand = seven(hand);
        let low: TwoCards = hand_of(low).complete();
        let high: FiveCards = FiveCards::new(hand.cards() - low.cards())?;
        let setting = Arrangement { high, low }.set(self.evaluator).ok()?;
        self.table.setting_worth(hand, &setting)
    }
}

/// Refuses rows whose low hand is not one of the hand's legal low hands.
fn illegal_rows(mut rows: Vec<usize>) -> Result<(), Faults> {
    rows.sort_unstable();
    let named = rows.iter().take(20).map(|number| {
        let message = format!("row {number}: the low hand is not a legal low hand of these seven cards");
        Fault::new("bad_setting", &format!("rows.{number}"), message)
    });
    let mut faults = Faults { faults: named.collect() };
    if rows.len() > 20 {
        let message = format!("{} more rows are not legal settings", rows.len() - 20);
        faults.push(Fault::new("bad_setting", "rows", message));
    }
    faults.into_result(Some(()))
}
