//! A round from the first wager to the settlement, through its public interface.
//!
//! The tests cover dealing, the actions allowed in each phase, the agreement of `check` and `apply`, the replay of
//! events, and the round file. The module `settlement` tests the payments.

mod banking;
mod dealing;
mod kit;
mod phases;
mod random_rounds;
mod refusals;
mod setting;
mod wagers;
