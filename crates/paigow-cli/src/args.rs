//! Command line: all commands and their options. The doc comments are the help texts.

use crate::answer::Format;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use clap_complete::Shell;
use paigow::Amount;
use paigow_answers::census::JokerName;
use paigow_answers::hand::WheelName;
use paigow_server::settings::StoreLocation;
use paigow_table::PublicKey;
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

/// Location of the store.
#[derive(clap::Args)]
pub(crate) struct StoreArg {
    /// Store: an SQLite file, or a PostgreSQL URL such as `postgres://user@host/name`.
    #[arg(long, value_name = "PATH|URL", default_value = "paigow.db")]
    pub(crate) store: StoreLocation,
}

/// Location of the operator's own rule books.
#[derive(clap::Args)]
pub(crate) struct BooksArg {
    /// Folder of the operator's own rule books, as for `paigow serve --books`.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) books: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct AuditArgs {
    /// Write the heads of all chains to a new file if the audit has no findings. Keep it outside the store.
    #[arg(long, value_name = "FILE")]
    pub(crate) heads: Option<PathBuf>,
    /// Compare the store with a file of heads and report chains that are missing, shortened or different.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Audit this archive without a store.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["store", "heads", "against", "archives"])]
    pub(crate) archive: Option<PathBuf>,
    /// Also audit these archives of the store, and compare them with what the store keeps of them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) archives: Vec<PathBuf>,
    /// Public key of the house (`GET /api/keys`), which must have signed the archives. Not needed with `--key-file`.
    #[arg(long, value_name = "HEX", conflicts_with = "key_file", value_parser = |text: &str| PublicKey::try_from(text.to_owned()))]
    pub(crate) public_key: Option<PublicKey>,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// File with the master keys. With it, the audit also checks signatures and deals that are not yet revealed, signs
    /// the file of `--heads`, and requires a signature on the file of `--against`.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct ArchiveArgs {
    /// Archive rounds that ended more than this number of days ago. Rounds of the last 7 days always stay, because loss limits
    /// need them.
    #[arg(long, value_name = "DAYS")]
    pub(crate) older_than: u64,
    /// File of the archive. If a complete archive has this name and is not recorded in the store yet, because the command was
    /// interrupted, the command continues with it.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// File with the master keys, which sign the archive and the entry of the house log.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: PathBuf,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Show no progress bar.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// Name of the table.
    pub(crate) table: String,
    /// Number of the round.
    pub(crate) round: u64,
    /// Show a round of this archive, without a store.
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    pub(crate) archive: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// New file for the copy. An existing file is not overwritten.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(clap::Args)]
pub(crate) struct CompactArgs {
    /// Seal rounds that are older than this, in minutes, at least 1.
    #[arg(long, value_name = "MINUTES", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=525_600))]
    pub(crate) older_than: u64,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(clap::Args)]
pub(crate) struct MoveArgs {
    /// Store to move: an SQLite file, or a PostgreSQL URL. It is not changed. Stop its servers first.
    #[arg(long, value_name = "STORE")]
    pub(crate) from: StoreLocation,
    /// Target: a new file, an empty PostgreSQL database, or the target of an unfinished move from the same store.
    #[arg(long, value_name = "STORE")]
    pub(crate) to: StoreLocation,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    /// File with the master keys. With it, the audits also check signatures and deals that are not yet revealed.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Show no progress bar.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// Records to export.
    #[arg(value_enum)]
    pub(crate) what: ExportArg,
    /// Export only this table.
    #[arg(long)]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

/// Records that can be exported.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ExportArg {
    /// Rounds with their hands and settlements, one row per line of a settlement.
    Rounds,
    /// All transfers of money.
    Journal,
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
pub(crate) struct SettleArgs {
    /// File with the round, or - for standard input.
    pub(crate) file: OsString,
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

/// Arguments of `fair`. They stay text here, so that the command can report all faults at once.
#[derive(clap::Args)]
pub(crate) struct FairArgs {
    /// Signed receipt to check. May be repeated; several receipts are also checked for contradictions.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["secret", "table", "round", "seat", "commitment", "rules", "silent", "book"])]
    pub(crate) receipt: Vec<PathBuf>,
    /// Public key of the house (`GET /api/keys`). Receipts signed with other keys fail the check.
    #[arg(long, value_name = "HEX", requires = "receipt", value_parser = |text: &str| PublicKey::try_from(text.to_owned()))]
    pub(crate) public_key: Option<PublicKey>,
    /// Secret revealed after the round: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", required_unless_present = "receipt")]
    pub(crate) secret: Option<String>,
    /// Name of the table.
    #[arg(long, value_name = "NAME", required_unless_present = "receipt")]
    pub(crate) table: Option<String>,
    /// Number of the round.
    #[arg(long, value_name = "N", required_unless_present = "receipt")]
    pub(crate) round: Option<String>,
    /// Digest of the table's rules. Selects version 2 of fair deals.
    #[arg(long, value_name = "HEX")]
    pub(crate) rules: Option<String>,
    /// Commitment of a seat that did not reveal its bytes. May be repeated.
    #[arg(long, value_name = "SEAT=HEX", requires = "rules")]
    pub(crate) silent: Vec<String>,
    /// Bytes that a seat revealed (version 2) or added (version 1), in hexadecimal. May be repeated.
    #[arg(long, value_name = "SEAT=HEX")]
    pub(crate) seat: Vec<String>,
    /// Commitment published before the round. A different one fails the check.
    #[arg(long, value_name = "HEX")]
    pub(crate) commitment: Option<String>,
    /// Rule book that assigns the cards to seats: a name or a path.
    #[arg(long, requires = "plays")]
    pub(crate) book: Option<String>,
    /// Seats with a wager, such as 1,2,5.
    #[arg(long, value_name = "SEATS", requires = "book")]
    pub(crate) plays: Option<String>,
    /// Seat that banks [default: the dealer]
    #[arg(long, value_name = "SEAT", requires = "book")]
    pub(crate) banker: Option<String>,
    /// Pile that the banker picked, if the book lets the banker pick one [default: the first]
    #[arg(long, value_name = "N", requires = "book")]
    pub(crate) pile: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

/// Maximum of `--rounds`. It takes days on any machine, and its sums do not overflow.
const ROUNDS_MAX: u64 = paigow_answers::simulate::SimulateRequest::ROUNDS_MAX;

fn wager_and_paytable(text: &str) -> Result<(String, String), &'static str> {
    key_and_value(text).map_err(|_| "expected WAGER=NAME")
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
