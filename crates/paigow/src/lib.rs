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
mod card;
mod card_set;
mod category;
mod citation;
mod class;
mod dealing;
pub mod document;
mod evaluator;
mod expected;
mod hand;
mod holding;
mod house_way;
mod key;
mod line;
mod notation;
mod owners;
mod paytable;
mod posting;
mod rank;
mod ranking;
mod reason;
mod record;
mod refusal;
mod reserve;
mod round;
pub mod rulebook;
mod seat;
mod setting;
mod settlement;
mod showdown;
mod steps;
mod strength;
mod suit;
mod wording;

pub use amount::{Amount, AmountFault};
pub use card::Card;
pub use card_set::CardSet;
pub use category::Category;
pub use citation::{LineSource, citation};
pub use class::{ClassSet, HandClass};
pub use dealing::{Deal, DealingRules, Place, Shuffle};
pub use evaluator::Evaluator;
pub use expected::{Difference, Expected};
pub use hand::{FiveCards, Hand, Partial, SevenCards, TwoCards};
pub use holding::{Holding, Holdings};
pub use house_way::{Clause, Decision, HOUSE_WAY_SPEC, HouseWay, HouseWayDraft};
pub use line::{Compared, Line, Net, Nets, Outcome, Party, Reason, WagerRef};
pub use notation::{CardFault, CardFaults, parse_cards};
pub use owners::Owners;
pub use paytable::{PayRow, Pays, Paytable, WinsOn};
pub use posting::Posting;
pub use rank::Rank;
pub use ranking::{Joker, Ranking, Wheel};
pub use record::{ROUND_SPEC, Record};
pub use refusal::{Refusal, RefusalCode};
pub use round::{Action, BankedBefore, Event, Phase, Round};
pub use rulebook::Rulebook;
pub use seat::{BySeat, Seat};
pub use setting::{Arrangement, Foul, Setting};
pub use settlement::Settlement;
pub use showdown::{Bank, Dealer, Laid, Player, Showdown, SideStake, Stakes};
pub use steps::{EnvyButton, SettlementStep, StepPart};
pub use strength::{HighStrength, LowStrength, Shape};
pub use suit::{Color, Suit};
#[cfg(feature = "reword")]
pub use wording::reword;
