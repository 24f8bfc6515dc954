//! Rules of pai gow poker: cards, hand ranking, house ways, rule books, rounds and settlement.
//!
//! The library is pure. It uses no clock, no randomness, no files and no floating point.
//!
//! - A [`Hand`] is a fixed number of [`Card`]s: seven dealt, five in the high hand, two in the low hand.
//! - An [`Evaluator`] computes the strength of high and low hands under a [`Ranking`].
//! - [`Holdings`] finds the bonus classes that seven cards contain.
//! - A [`HouseWay`] splits seven cards into a [`Setting`].
//! - A [`Round`] turns [`Action`]s into [`RoundEvent`]s. A [`Settlement`] computes the payments of a [`Showdown`].
//! - A [`Rulebook`] holds the rules that differ between houses and jurisdictions, as values read from a checked text.
//!
//! # Examples
//!
//! ```
//! use paigow::rulebook::BuiltIn;
//! use paigow::{Evaluator, Rulebook, SevenCards};
//!
//! let name = BuiltIn::book_names().next().expect("at least one built-in book");
//! let book = Rulebook::load(name, &[], &BuiltIn)?;
//! let hand: SevenCards = "As Kd Tc 9h 2s 2d Jk".parse()?;
//! let decision = book.house_way.decide(hand, Evaluator::of(book.ranking));
//! println!("{}: {}", decision.setting, book.house_way.clauses()[decision.clause].says);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod bonus;
mod cards;
pub mod document;
mod house_way;
mod ranking;
mod round;
pub mod rulebook;
#[cfg(feature = "serde")]
mod serde_impls;
mod setting;
mod settlement;

pub use amount::{Amount, AmountFault};
pub use bonus::{ClassSet, HandClass, Holding, Holdings, PayRow, Pays, Paytable, WinsOn};
pub use cards::{
    Card, CardFault, CardFaults, CardSet, CardSetIter, Color, FiveCards, Hand, PartialHand, Rank, SevenCards,
    Suit, TwoCards, parse_cards,
};
#[cfg(feature = "reword")]
pub use document::reword;
pub use house_way::{Clause, ClauseTrial, Decision, HOUSE_WAY_SPEC, HouseWay, HouseWayDraft};
pub use ranking::{Category, Evaluator, HighStrength, Joker, LowStrength, Ranking, Shape, Wheel};
pub use round::{
    Action, Bank, BankHistory, BySeat, Deal, Dealer, DealingRules, ExpectedSettlement, Owners, PacketOwner,
    PlayedHand, Player, ROUND_SPEC, Refusal, RefusalCode, Round, RoundEvent, RoundFile, RoundPhase, Seat,
    SettlementDifference, Showdown, Shuffle, SideStake, Stakes,
};
pub use rulebook::{Rulebook, TableRules};
pub use setting::{Arrangement, Foul, Setting};
pub use settlement::{
    EnvyButton, HandComparison, Line, LineSource, Net, Nets, Outcome, Party, Reason, Settlement,
    SettlementStep, StepPart, WagerRef, citation,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
