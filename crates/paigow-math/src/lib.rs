//! Exact answers over the rules of pai gow poker: integers counted over all hands; and rounds played at random, to
//! check them from the outside.

mod base_game;
mod base_odds;
mod census;
mod deck;
mod dominance;
mod fraction;
mod hand_table;
mod progress;
mod proof;
mod set_hand;
mod simulation;
mod suit_classes;
mod wager_odds;

pub use base_game::{BaseGame, DEALS, NoPair, Outcomes, Sides};
pub use base_odds::{BaseOdds, copies_part};
pub use census::{Census, color_counts};
pub use fraction::{Cut, Fraction};
pub use progress::{Progress, QUIET};
pub use proof::{Decided, Proof, WayFault};
pub use simulation::{Account, Comparison, Simulation, Tallies};
pub use suit_classes::SuitClasses;
pub use wager_odds::{Counted, WagerOdds};
