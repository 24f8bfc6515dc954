//! Exact odds of pai gow poker, counted over all hands, and a simulation that checks them.

mod base_game;
mod base_odds;
mod best_setting;
mod card_price;
mod card_search;
mod census;
mod decided_hands;
mod deck;
mod detection;
mod deviation;
mod dominance;
mod exposure;
mod fraction;
mod hand_table;
mod house_way_settings;
mod moments;
mod progress;
mod proof;
mod published;
mod rank_pattern;
mod set_hand;
mod simulation;
mod strategy;
mod suit_classes;
mod supersets;
mod wager_odds;
mod worth_table;

pub use base_game::{BaseGame, DEALS, Matchup, NoPair, Outcomes};
pub use base_odds::{BaseOdds, copies_part};
pub use best_setting::{BestSetting, DEALER_HANDS, Opposition, Worth};
pub use card_price::{CardName, CardPrice, CardPricesFault};
pub use card_search::{CardLine, CardSearch, PatternLists, StrategyCard};
pub use census::{Census, color_counts};
pub use decided_hands::{DecidedCount, DecidedHands, DrawnHand};
pub use detection::{HitLimits, TestLevel};
pub use deviation::standard_deviations;
pub use exposure::Exposure;
pub use fraction::{DecimalRounding, Fraction};
pub use moments::Moments;
pub use progress::{Cancelled, Progress, QUIET};
pub use proof::{ClauseCount, HouseWayFault, Proof};
pub use published::{Figure, FiguresFault, PrintedFigure, PublishedFigures, Status};
pub use simulation::{Comparison, Simulation, TalliedWager, Tallies};
pub use strategy::{CostlyHand, HandWorth, HouseWaySummary, Strategy, StrategySummary};
pub use suit_classes::SuitClasses;
pub use wager_odds::{CountBasis, WagerOdds};
pub use worth_table::{
    ChangedKind, Changes, ClausePrice, CostlyKind, Decisions, KindWorth, Price, Removal, Removals, TableSide,
    Valuation, WorthTable,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
