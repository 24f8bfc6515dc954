//! Typed answers to questions, for the command line and for HTTP.
//!
//! Each file is one question and its answer. A question is what comes in, as JSON or from a command line; its `answer` gives a value
//! that serializes to the keys scripts rely on, or [`Faults`], which name everything wrong with the question at once. Exact numbers stay
//! exact in an answer, so that whoever prints it can choose the digits ([`Decimal`], [`Exact`], [`SquareRoot`]).
//!
//! Texts come from a [`BookSource`](paigow::rulebook::BookSource): with [`BuiltIn`](paigow::rulebook::BuiltIn) no question can name a file. Long work is
//! asked of a [`Work`], which many threads may share.
//!
//! ```
//! use paigow::rulebook::BuiltIn;
//! use paigow_answers::set::{self, SetQuestion};
//!
//! let way = BuiltIn::house_way_names().next().map(str::to_owned);
//! let question = SetQuestion { cards: "As Kd Tc 9h 2s 2d Jk".to_owned(), house_way: way, ..SetQuestion::default() };
//! println!("{}", serde_json::to_string(&set::answer(&question, &BuiltIn)?)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod best;
pub mod books;
mod cache;
pub mod census;
mod exact;
mod fault_paths;
mod faults;
pub mod hand;
pub mod house_ways;
pub mod lab;
pub mod odds;
mod question;
pub mod rules;
pub mod set;
pub mod settle;
mod shown;
mod sourced;
pub mod verify;
mod work;

pub use cache::{Cache, CacheKey};
pub use exact::{DIGITS, Decimal, Exact, SquareRoot, WrittenNumber};
pub use faults::{Fault, Faults};
pub use question::ValueChanges;
pub use shown::{ClassName, RankingNames, Shown};
pub use sourced::{ChangedValue, Kinds, SourcedValue, UsedValue};
pub use work::{CancelFlag, ProgressTick, ProgressWatcher, Work};

/// Whether a citation says that its value is assumed.
pub fn is_assumed(cite: &str) -> bool {
    paigow::document::assumption(cite).is_some()
}
