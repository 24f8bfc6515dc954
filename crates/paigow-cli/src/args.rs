//! Command line: all commands and their options. The doc comments are the help texts.

mod computations;
mod fair;
mod stores;

pub(crate) use computations::{
    CardArgs, CardsArgs, OddsArgs, PriceArgs, ReportArgs, SimulateArgs, StrategyArgs, WorkArgs,
};
pub(crate) use fair::FairArgs;
pub(crate) use stores::{
    ArchiveArgs, AuditArgs, BackupArgs, BooksArg, CompactArgs, ExportArg, ExportArgs, MoveArgs, ReplayArgs,
};

use crate::answer::Format;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use paigow_answers::census::JokerName;
use paigow_answers::hand::WheelName;
use std::ffi::OsString;
use std::path::PathBuf;

/// Pai gow poker: rules, exact odds, and tables with verifiable deals and accounts.
#[derive(Parser)]
#[command(name = "paigow", version = paigow_server::PROGRAM, max_term_width = 100)]
pub(crate) struct Args {
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Table, global = true)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Subcommand)]
pub(crate) enum CliCommand {
    /// List the rule books with their wagers, paytables and number of assumed values.
    Books,
    /// Print the rules of a book as sentences, each with its citation.
    Rules(RulesArgs),
    /// Report all problems of rule books and house ways, and prove house ways on every hand.
    Check(CheckArgs),
    /// Set a hand by a house way and show the clause that decided.
    Set(SetArgs),
    /// Evaluate every legal setting of a hand against all possible dealer hands.
    Best(BestArgs),
    /// Compute the exact odds of the base game and of side wagers.
    Odds(OddsArgs),
    /// Find the best setting of every hand, its house edge, and the cost of house ways.
    Strategy(StrategyArgs),
    /// Write the game report for a test laboratory or a regulator, or compare two reports.
    Report(ReportArgs),
    /// Price house ways exactly: edge, cost against best play, and cost of each clause.
    Price(PriceArgs),
    /// Search for the best strategy card: a short list of rules with its exact cost.
    Card(CardArgs),
    /// List the strategy cards that come with the program, with their exact costs.
    Cards(CardsArgs),
    /// Show the puzzle of a day: a hand that common ways of setting get wrong.
    Puzzle(PuzzleArgs),
    /// Settle a round line by line, each with its reason and its rule.
    Settle(SettleArgs),
    /// Play random rounds and compare the results with the exact odds.
    Simulate(SimulateArgs),
    /// Reproduce a deal from its secret and check its commitment, or check signed receipts.
    Fair(FairArgs),
    /// Count the 154,143,080 seven-card hands by class.
    Census(CensusArgs),
    /// Show the bonus classes, colors and best five of seven cards.
    Hand(HandArgs),
    /// Compare every figure printed in the documents with the exact value.
    Verify(VerifyArgs),
    /// Check a whole store from the start: hash chains, deals, settlements and money.
    Audit(AuditArgs),
    /// Show a stored round event by event and line by line.
    Replay(ReplayArgs),
    /// Run the server: tables, the page and the API.
    Serve(crate::serve::ServeArgs),
    /// Check settings, clock, disk, permissions, database and keys of a server, and say what to do. Changes nothing.
    /// Takes the same settings as `serve`.
    Doctor(crate::serve::ServeArgs),
    /// Operate a running server: tables, notices, voids, chips, balance, exports, drain.
    Operator(crate::operator::OperatorArgs),
    /// Copy a store to a file, also while a server uses it.
    Backup(BackupArgs),
    /// Seal old rounds of a store into compressed blocks and release their space.
    Compact(CompactArgs),
    /// Move a whole store to another database: between SQLite and PostgreSQL, both ways.
    Move(MoveArgs),
    /// Move rounds that are older than a number of days into a signed file, which is audited and replayed without the store.
    Archive(ArchiveArgs),
    /// Export stored rounds or transfers; the JSON format prints one object per line.
    Export(ExportArgs),
    /// Print the completion script of a shell. Ignores `--format`.
    Completions(CompletionsArgs),
    /// Write the manual pages of the program and of all commands to a folder.
    Man(ManArgs),
}

impl Args {
    /// Parses the command line of the process. Help, version and a wrong command line end the process.
    pub(crate) fn of_process() -> Args {
        let mut command = crate::manual::with_examples(Args::command());
        let mut matches = command.get_matches_mut();
        Args::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

#[derive(clap::Args)]
pub(crate) struct CompletionsArgs {
    /// Shell that reads the script.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Folder for the pages, which is created if it does not exist. Existing pages are replaced, all or none; other files
    /// stay.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) out: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// Rule book: a name or a path.
    pub(crate) book: String,
    /// Print the canonical form of the rules, whose SHA-256 is their digest. Ignores `--format`.
    #[arg(long)]
    pub(crate) canonical: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

/// Values of a rule book that are replaced for this command.
#[derive(clap::Args)]
pub(crate) struct ChangeArgs {
    /// Replace a value of the book, such as ranking.wheel=lowest. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value, requires = "book")]
    pub(crate) set: Vec<(String, String)>,
}

impl ChangeArgs {
    /// Returns the changes for a question.
    pub(crate) fn changes(&self) -> paigow_answers::ValueChanges {
        paigow_answers::ValueChanges(self.set.iter().cloned().collect())
    }
}

fn key_and_value(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Rule books or house ways: paths, or names of built-in ones.
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
}

#[derive(clap::Args)]
#[group(id = "way", required = true, multiple = true, args = ["book", "house_way", "all_house_ways"])]
pub(crate) struct SetArgs {
    /// Seven cards, such as "As Kd Tc 9h 2s 2d Jk", or - to read one hand per line from standard input.
    #[arg(num_args = 1.., required = true)]
    pub(crate) cards: Vec<OsString>,
    /// Rule book whose ranking and house way are used: a name or a path.
    #[arg(long)]
    pub(crate) book: Option<String>,
    /// House way: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// Compare all built-in house ways.
    #[arg(long, conflicts_with = "house_way")]
    pub(crate) all_house_ways: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

#[derive(clap::Args)]
pub(crate) struct BestArgs {
    /// Seven cards, such as "As Kd Tc 9h 2s 2d Jk".
    #[arg(num_args = 1.., required = true)]
    pub(crate) cards: Vec<OsString>,
    /// Rule book: a name or a path.
    #[arg(long)]
    pub(crate) book: String,
    /// House way of the dealer: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

#[derive(clap::Args)]
pub(crate) struct PuzzleArgs {
    /// Day in UTC, such as 2026-11-17, or `today`.
    #[arg(default_value = "today")]
    pub(crate) day: String,
    /// Show the value of every setting, and the settings of common ways.
    #[arg(long)]
    pub(crate) solution: bool,
}

#[derive(clap::Args)]
pub(crate) struct SettleArgs {
    /// File with the round, or - for standard input.
    pub(crate) file: OsString,
}

#[derive(clap::Args)]
pub(crate) struct CensusArgs {
    /// Use of the joker.
    #[arg(long, value_enum, default_value_t = JokerArg::Semi)]
    pub(crate) joker: JokerArg,
}

#[derive(clap::Args)]
pub(crate) struct HandArgs {
    /// Seven cards, such as "As Kd Tc 9h 2s 2d Jk", or - to read one hand per line from standard input.
    #[arg(num_args = 1.., required = true)]
    pub(crate) cards: Vec<OsString>,
    /// Use of the joker.
    #[arg(long, value_enum, default_value_t = JokerArg::Semi)]
    pub(crate) joker: JokerArg,
    /// Rank of the wheel, A-2-3-4-5, among the straights.
    #[arg(long, value_enum, default_value_t = WheelArg::SecondHighest)]
    pub(crate) wheel: WheelArg,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Key of one document, which is the first part of the ids of its figures [default: all documents]
    #[arg(long, value_name = "KEY")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Use of the joker.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum JokerArg {
    /// Semi-wild: an ace, or the card that completes a straight or a flush.
    Semi,
    /// Fully wild: any card that the hand does not hold, or the fifth of a kind.
    Full,
}

impl From<JokerArg> for JokerName {
    fn from(joker: JokerArg) -> JokerName {
        match joker {
            JokerArg::Semi => JokerName::Semi,
            JokerArg::Full => JokerName::Full,
        }
    }
}

/// Rank of the wheel.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum WheelArg {
    /// Below 2-3-4-5-6.
    Lowest,
    /// Just below 10-J-Q-K-A.
    SecondHighest,
}

impl From<WheelArg> for WheelName {
    fn from(wheel: WheelArg) -> WheelName {
        match wheel {
            WheelArg::Lowest => WheelName::Lowest,
            WheelArg::SecondHighest => WheelName::SecondHighest,
        }
    }
}
