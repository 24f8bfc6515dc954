//! Exact answers over the rules of pai gow poker: integers counted over all hands, no simulation.

mod base_game;
mod census;
mod hand_table;
mod proof;
mod suit_classes;

pub use base_game::{BaseGame, DEALS};
pub use census::{Census, color_counts};
pub use proof::{Decided, Proof, WayFault};
pub use suit_classes::SuitClasses;
