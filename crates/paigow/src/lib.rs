//! The rules of pai gow poker, pure: no clock, no randomness, no file, no floating point.

mod card;
mod card_set;
mod category;
mod class;
mod evaluator;
mod hand;
mod holding;
mod key;
mod notation;
mod paytable;
mod rank;
mod ranking;
mod strength;
mod suit;

pub use card::Card;
pub use card_set::CardSet;
pub use category::Category;
pub use class::{ClassSet, HandClass};
pub use evaluator::Evaluator;
pub use hand::{FiveCards, Hand, Partial, SevenCards, TwoCards};
pub use holding::{Holding, Holdings};
pub use notation::{CardFault, CardFaults, parse_cards};
pub use paytable::{Pays, Paytable};
pub use rank::Rank;
pub use ranking::{Joker, Ranking, Wheel};
pub use strength::{HighStrength, LowStrength, Shape};
pub use suit::{Color, Suit};
