//! Bonus classes of seven cards and the paytables that pay for them.

mod class;
mod holding;
mod paytable;

pub use class::{ClassSet, HandClass};
pub(crate) use holding::by_other_reading;
pub use holding::{Holding, Holdings};
pub use paytable::{PayRow, Pays, Paytable, WinsOn};
