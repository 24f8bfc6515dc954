//! The rules of pai gow poker, pure: no clock, no randomness, no file, no floating point.
//!
//! Cards make [`Hand`]s; an [`Evaluator`] says how strong five or two cards are under a [`Ranking`], and [`Holdings`] what
//! bonus classes seven contain. A [`HouseWay`] sets seven cards into a [`Setting`]. A [`Rulebook`] has everything that houses
//! and jurisdictions do differently, as values read from a checked text.
//!
//! ```
//! use paigow::rulebook::BuiltIn;
//! use paigow::{Evaluator, Rulebook, SevenCards};
//!
//! let name = BuiltIn::book_names().next().expect("books come with the program");
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
mod setting;
mod settlement;

pub use amount::{Amount, AmountFault};
pub use bonus::{ClassSet, HandClass, Holding, Holdings, PayRow, Pays, Paytable, WinsOn};
pub use cards::{
    Card, CardFault, CardFaults, CardSet, Color, FiveCards, Hand, PartialHand, Rank, SevenCards, Suit,
    TwoCards, parse_cards,
};
#[cfg(feature = "reword")]
pub use document::reword;
pub use house_way::{Clause, Decision, HOUSE_WAY_SPEC, HouseWay, HouseWayDraft};
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
