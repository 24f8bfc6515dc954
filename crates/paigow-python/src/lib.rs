//! The compiled part of the Python package `paigow`.
//!
//! Python code in `python/paigow` has the classes and functions of the package, with their types and documentation. This
//! module has only what must be compiled: handles of rule books and house ways, arrays of hands, and the answers of
//! `paigow-answers` as JSON. Arrays are bytes, one byte for each card.

mod answers;
mod arrays;
mod cards;
mod errors;
mod exact;
mod fair;
mod handles;
mod run;
mod texts;
mod worths;

/// Compiled part of the package `paigow`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::answers::{answer, settle_file};
    #[pymodule_export]
    use crate::arrays::{classes, rank, set_hands, suit_classes};
    #[pymodule_export]
    use crate::cards::{class_names, deck, describe, is_legal, parse_cards};
    #[pymodule_export]
    use crate::fair::{check_receipt, fair_deal};
    #[pymodule_export]
    use crate::handles::{Book, Way, names};
    #[pymodule_export]
    use crate::worths::{Worths, worths};
}
