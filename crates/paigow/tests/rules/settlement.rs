//! Settlement: comparison with a reference implementation, properties of every round, and manually computed rounds.

mod banking;
mod base_game;
mod commission;
mod envy;
mod kit;
mod payout_limits;
mod properties;
mod random_rounds;
mod reference;
mod reference_comparison;
mod side_wagers;
mod tables;
