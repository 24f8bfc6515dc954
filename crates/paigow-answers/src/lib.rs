//! Typed answers to questions about the rules and the odds, for the command line and for HTTP.
//!
//! Each public module answers one kind of question: its question types, its answer types and a function `answer`.
//! Questions come from JSON or from a command line. An answer serializes to JSON with stable keys. A question that
//! cannot be answered returns [`Faults`], which list everything wrong with it. Answers keep numbers exact
//! ([`Decimal`], [`Exact`], [`SquareRoot`]), so that the caller can choose how many digits to print.
//!
//! Rule books and house ways come from a [`BookSource`](paigow::rulebook::BookSource). With
//! [`BuiltIn`](paigow::rulebook::BuiltIn), no question can read a file. Long computations go through a [`Work`], which
//! threads may share.
//!
//! # Examples
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
pub mod card;
mod card_text;
pub mod cards;
pub mod census;
pub mod design;
mod exact;
pub mod exercises;
mod fault_paths;
mod faults;
pub mod files;
pub mod hand;
pub mod house_ways;
pub mod house_win;
pub mod judgement;
pub mod lab;
pub mod odds;
pub mod price;
mod priced_game;
pub mod puzzle;
mod question;
mod random;
pub mod report;
pub mod rules;
pub mod set;
pub mod settle;
pub mod simulate;
mod sourced;
pub mod strategy;
mod table_progress;
pub mod verify;
mod work;
pub mod written_way;

pub use cache::{Cache, CacheKey};
pub use card_text::{CardText, ClassName, RankingNames};
pub use exact::{DIGITS, Decimal, Exact, SquareRoot, WrittenNumber};
pub use faults::{Fault, Faults};
pub use priced_game::PricedGame;
pub use question::ValueChanges;
pub use sourced::{ChangedValue, Kinds, SourcedValue, UsedValue};
pub use table_progress::TableProgress;
pub use work::{CancelFlag, ProgressTick, ProgressWatcher, Work};

/// Whether a citation marks its value as assumed.
pub fn is_assumed(cite: &str) -> bool {
    paigow::document::assumption(cite).is_some()
}
