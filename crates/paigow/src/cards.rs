//! Cards, sets of cards, and hands of a fixed size.

mod card;
mod card_set;
mod hand;
mod notation;
mod rank;
mod suit;

pub use card::Card;
pub use card_set::{CardSet, CardSetIter};
pub use hand::{FiveCards, Hand, PartialHand, SevenCards, TwoCards};
pub use notation::{CardFault, CardFaults, parse_cards};
pub use rank::Rank;
pub use suit::{Color, Suit};
