//! Commands that compute or simulate for a long time.

use super::{ChangeArgs, key_and_value};
use clap::value_parser;
use paigow::Amount;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct OddsArgs {
    /// Rule book: a name or a path.
    pub(crate) book: String,
    /// Only this wager; pai-gow is the base game [default: the base game and all side wagers]
    #[arg(long)]
    pub(crate) wager: Option<String>,
    /// Only this paytable.
    #[arg(long)]
    pub(crate) paytable: Option<String>,
    /// Number of players at the table, for envy bonuses [default: as many as the book allows]
    #[arg(long)]
    pub(crate) players: Option<u8>,
    /// Also show the edge at this stake, including the payout maximum and the rounding of the commission.
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) stake: Option<Amount>,
    /// House way of the dealer: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// House way of the player: a name or a path [default: that of the dealer]
    #[arg(long)]
    pub(crate) player_house_way: Option<String>,
    /// Compare all built-in house ways in the base game.
    #[arg(long, conflicts_with_all = ["stake", "players", "paytable"])]
    pub(crate) all_house_ways: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct StrategyArgs {
    /// Rule book: a name or a path.
    pub(crate) book: String,
    /// Write the best setting of every class of hands to this CSV file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// House way of the dealer: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// Number of costliest hands to list.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) top: u8,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct PriceArgs {
    /// House ways: names or paths.
    #[arg(required = true, value_name = "HOUSE_WAY")]
    pub(crate) house_ways: Vec<String>,
    /// Rule book: a name or a path.
    #[arg(long)]
    pub(crate) book: String,
    /// House way of the other side: a name or a path [default: that of the book]
    #[arg(long, value_name = "HOUSE_WAY")]
    pub(crate) against: Option<String>,
    /// Side that sets by the house ways: a player, a banking seat, or the house as the dealer [default: player]
    #[arg(long, value_parser = ["player", "banker", "dealer"])]
    pub(crate) side: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct ReportArgs {
    /// Rule book: a name or a path.
    #[arg(required_unless_present = "compare")]
    pub(crate) book: Option<String>,
    /// Folder for the report: a new or empty one, or an earlier report, which is replaced as a whole.
    #[arg(long, value_name = "FOLDER", required_unless_present = "compare")]
    pub(crate) out: Option<PathBuf>,
    /// Compare two reports: changed rules, and the exact difference of each figure.
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["book", "out", "house_way", "set", "rounds", "seed"])]
    pub(crate) compare: Vec<PathBuf>,
    /// House way of the dealer: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// Number of rounds of each simulated table.
    #[arg(long, value_name = "N", default_value_t = paigow_answers::report::ROUNDS_DEFAULT, value_parser = value_parser!(u64).range(2..=paigow_answers::report::ROUNDS_MAX))]
    pub(crate) rounds: u64,
    /// Seed of the simulation. The same seed gives the same rounds on any number of cores.
    #[arg(long, value_name = "S", default_value_t = paigow_answers::report::SEED_DEFAULT)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct CardsArgs {
    /// Strategy card whose lines are printed, with the hands that each decides.
    pub(crate) card: Option<String>,
}

#[derive(clap::Args)]
pub(crate) struct CardArgs {
    /// Rule book: a name or a path.
    pub(crate) book: String,
    /// Maximum number of lines, including the last line, which fits every hand.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(1..=i64::from(paigow_answers::card::LINES_MAX)))]
    pub(crate) lines: u8,
    /// Write the card as a house way to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Search for every number of lines up to 30 and list the costs. The search tries longer lists, so it may also find a better
    /// card. Takes minutes.
    #[arg(long)]
    pub(crate) frontier: bool,
    /// Draw the costs by number of lines to this SVG file.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Price the card against every built-in house way. Takes up to a minute for each that is not in the cache.
    #[arg(long)]
    pub(crate) others: bool,
    /// House way of the other side: a name or a path [default: that of the book]
    #[arg(long, visible_alias = "house-way", value_name = "HOUSE_WAY")]
    pub(crate) against: Option<String>,
    /// Side that plays by the card: a player, a banking seat, or the house as the dealer [default: player]
    #[arg(long, value_parser = ["player", "banker", "dealer"])]
    pub(crate) side: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Options of long computations.
#[derive(clap::Args)]
pub(crate) struct WorkArgs {
    /// Show no progress bar.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Neither read nor write the cache of results, which is in the folder `PAIGOW_CACHE` or in the user's cache
    /// folder.
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(clap::Args)]
pub(crate) struct SimulateArgs {
    /// Rule book: a name or a path.
    pub(crate) book: String,
    /// Number of rounds to play.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = value_parser!(u64).range(1..=ROUNDS_MAX))]
    pub(crate) rounds: u64,
    /// Number of seats that play, including a banking seat [default: all seats of the book]
    #[arg(long, value_name = "N")]
    pub(crate) seats: Option<u8>,
    /// Seed of the random numbers. The same seed gives the same rounds on any number of cores.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Seat that banks [default: the dealer if the book allows it, else seat 1]
    #[arg(long, value_name = "SEAT")]
    pub(crate) banker: Option<u8>,
    /// Post another paytable of a side wager. May be repeated.
    #[arg(long = "paytable", value_name = "WAGER=NAME", value_parser = wager_and_paytable)]
    pub(crate) paytables: Vec<(String, String)>,
    /// House way of the dealer: a name or a path [default: that of the book]
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// House way of the seats: a name or a path [default: that of the dealer]
    #[arg(long)]
    pub(crate) player_house_way: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Maximum of `--rounds`. It takes days on any machine, and its sums do not overflow.
const ROUNDS_MAX: u64 = paigow_answers::simulate::SimulateRequest::ROUNDS_MAX;

fn wager_and_paytable(text: &str) -> Result<(String, String), &'static str> {
    key_and_value(text).map_err(|_| "expected WAGER=NAME")
}
