//! Bonus classes of seven cards, and the paytables that pay them.

mod class;
mod holding;
mod paytable;

pub use class::{ClassSet, HandClass};
pub(crate) use holding::other_reading_classes;
pub use holding::{Holding, Holdings};
pub use paytable::{PayRow, Pays, Paytable, WinsOn};
