//! Exact answers over the rules of pai gow poker: integers counted over all hands; and rounds played at random, to
//! check them from the outside.

mod base_game;
mod base_odds;
mod best_setting;
mod census;
mod deck;
mod dominance;
mod fraction;
mod hand_table;
mod progress;
mod proof;
mod published;
mod set_hand;
mod simulation;
mod strategy;
mod suit_classes;
mod supersets;
mod wager_odds;

pub use base_game::{BaseGame, DEALS, NoPair, Outcomes, Sides};
pub use base_odds::{BaseOdds, copies_part};
pub use best_setting::{BestSetting, DEALER_HANDS, Opposition, Worth};
pub use census::{Census, color_counts};
pub use fraction::{Cut, Fraction};
pub use progress::{Cancelled, Progress, QUIET};
pub use proof::{Decided, Proof, WayFault};
pub use published::{Figure, FiguresFault, Printed, Published, Status};
pub use simulation::{Account, Comparison, Simulation, Tallies};
pub use strategy::{Costly, HandWorth, Strategy, Summary, WaySummary};
pub use suit_classes::SuitClasses;
pub use wager_odds::{Counted, WagerOdds};
