//! Exact answers over the rules of pai gow poker: integers counted over all hands, no simulation.

mod census;
mod suit_classes;

pub use census::{Census, color_counts};
pub use suit_classes::SuitClasses;
