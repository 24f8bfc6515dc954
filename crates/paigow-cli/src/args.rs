//! What can be typed: the one list of commands and their options.

use crate::answer::Format;
use clap::{Parser, Subcommand, ValueEnum};
use paigow::{Joker, Wheel};
use std::ffi::OsString;

/// Pai gow poker that can be trusted with the rules, the odds and the money.
#[derive(Parser)]
#[command(name = "paigow", version, max_term_width = 100)]
pub(crate) struct Args {
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Table, global = true)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// How many of the 154,143,080 seven-card hands are in each class.
    Census(CensusArgs),
    /// What seven cards hold: bonus classes, colours, the best five.
    Hand(HandArgs),
}

#[derive(clap::Args)]
pub(crate) struct CensusArgs {
    /// What the joker may stand for.
    #[arg(long, value_enum, default_value_t = JokerArg::Semi)]
    pub(crate) joker: JokerArg,
}

#[derive(clap::Args)]
pub(crate) struct HandArgs {
    /// Seven cards, such as "As Kd Tc 9h 2s 2d Jk", or - for one hand a line from standard input.
    #[arg(num_args = 1.., required = true)]
    pub(crate) cards: Vec<OsString>,
    /// What the joker may stand for.
    #[arg(long, value_enum, default_value_t = JokerArg::Semi)]
    pub(crate) joker: JokerArg,
    /// Where A-2-3-4-5 stands among the straights.
    #[arg(long, value_enum, default_value_t = WheelArg::SecondHighest)]
    pub(crate) wheel: WheelArg,
}

/// What the joker may stand for.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum JokerArg {
    /// An ace, or the card that completes a straight or a flush.
    Semi,
    /// Any card the hand does not hold, or the fifth of a kind.
    Full,
}

impl JokerArg {
    /// The word that is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            JokerArg::Semi => "semi",
            JokerArg::Full => "full",
        }
    }
}

impl From<JokerArg> for Joker {
    fn from(joker: JokerArg) -> Joker {
        match joker {
            JokerArg::Semi => Joker::SemiWild,
            JokerArg::Full => Joker::FullyWild,
        }
    }
}

/// Where the wheel stands.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum WheelArg {
    /// Below 2-3-4-5-6.
    Lowest,
    /// Just below 10-J-Q-K-A.
    SecondHighest,
}

impl From<WheelArg> for Wheel {
    fn from(wheel: WheelArg) -> Wheel {
        match wheel {
            WheelArg::Lowest => Wheel::Lowest,
            WheelArg::SecondHighest => Wheel::SecondHighest,
        }
    }
}
