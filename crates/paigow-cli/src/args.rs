//! What can be typed: the one list of commands and their options.

use crate::answer::Format;
use clap::{Parser, Subcommand, ValueEnum, value_parser};
use paigow::Amount;
use paigow_answers::census::JokerName;
use paigow_answers::hand::WheelName;
use paigow_server::settings::StoreLocation;
use paigow_table::PublicKey;
use std::ffi::OsString;
use std::path::PathBuf;

/// Pai gow poker that can be trusted with the rules, the odds and the money.
#[derive(Parser)]
#[command(name = "paigow", version = paigow_server::PROGRAM, max_term_width = 100)]
pub(crate) struct Args {
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Table, global = true)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Subcommand)]
pub(crate) enum CliCommand {
    /// The rule books: wagers, paytables, and how much had to be assumed.
    Books,
    /// A book's rules in plain words, each with its citation.
    Rules(RulesArgs),
    /// Every problem of rule books and house ways; a house way is proved on every hand.
    Check(CheckArgs),
    /// How a house way sets a hand, and the clause that decided.
    Set(SetArgs),
    /// Every legal setting of a hand against every hand the dealer may have, exactly.
    Best(BestArgs),
    /// The exact odds of the base game and the side wagers.
    Odds(OddsArgs),
    /// The best setting of every hand, the edge it gives, and what house ways give away.
    Strategy(StrategyArgs),
    /// A round settled line by line, each with its reason and its rule.
    Settle(SettleArgs),
    /// Rounds played at random, beside the exact odds.
    Simulate(SimulateArgs),
    /// A deal again from the secret that decided it, and whether it was the one committed to.
    Fair(FairArgs),
    /// How many of the 154,143,080 seven-card hands are in each class.
    Census(CensusArgs),
    /// What seven cards hold: bonus classes, colors, the best five.
    Hand(HandArgs),
    /// Every figure printed in the documents, beside the exact one.
    Verify(VerifyArgs),
    /// Everything a store has, checked again from the start: chains, deals, settlements, money.
    Audit(AuditArgs),
    /// A stored round again, event by event and line by line.
    Replay(ReplayArgs),
    /// Tables for practice money in the browser, and the API: until it is told to stop.
    Serve(crate::serve::ServeArgs),
    /// The house's side of a running server: tables, notices, void, chips, balance, exports, drain.
    Operator(crate::operator::OperatorArgs),
    /// A copy of a store in a file, as it is at one moment, while a server goes on.
    Backup(BackupArgs),
    /// Stored rounds or transfers, for spreadsheets and other programs; JSON comes one object a line.
    Export(ExportArgs),
}

/// Where tables and money are kept.
#[derive(clap::Args)]
pub(crate) struct StoreArg {
    /// A file, or the address of a database, such as `postgres://user@host/name`.
    #[arg(long, value_name = "PATH|URL", default_value = "paigow.db")]
    pub(crate) store: StoreLocation,
}

/// Rule books that stored tables were opened with.
#[derive(clap::Args)]
pub(crate) struct BooksArg {
    /// The folder of the operator's own rule books, as `paigow serve --books` has it.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) books: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct AuditArgs {
    /// Writes the heads of all chains to a new file, to be kept outside the store; only if nothing is off.
    #[arg(long, value_name = "FILE")]
    pub(crate) heads: Option<PathBuf>,
    /// Compares the store with heads that were kept: names what is missing, shortened or different.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// The file with the master keys: the house's signatures and deals that are not shown yet are then checked as well. Heads are signed with it, and kept heads must be.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The table.
    pub(crate) table: String,
    /// The round's number.
    pub(crate) round: u64,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// The copy. A file that is there is not written over.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// What is wanted.
    #[arg(value_enum)]
    pub(crate) what: ExportArg,
    /// Of one table alone.
    #[arg(long)]
    pub(crate) table: Option<String>,
    #[command(flatten)]
    pub(crate) books: BooksArg,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

/// What can be exported.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ExportArg {
    /// Rounds with their hands and settlements; a row for each line of a settlement.
    Rounds,
    /// Every movement of money.
    Journal,
}

#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// A rule book's name, or a path to one.
    pub(crate) book: String,
    /// Prints the canonical form of the rules whatever the format: the bytes whose SHA-256 is their digest.
    #[arg(long)]
    pub(crate) canonical: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

/// Values of a rule book replaced for one question.
#[derive(clap::Args)]
pub(crate) struct ChangeArgs {
    /// Replaces a value of the book, such as ranking.wheel=lowest; as often as needed.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value, requires = "book")]
    pub(crate) set: Vec<(String, String)>,
}

impl ChangeArgs {
    /// The changes as a question has them.
    pub(crate) fn changes(&self) -> paigow_answers::ValueChanges {
        paigow_answers::ValueChanges(self.set.iter().cloned().collect())
    }
}

fn key_and_value(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("it must be KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

#[derive(clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, or names of books or house ways that come with the program.
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
}

#[derive(clap::Args)]
#[group(id = "way", required = true, multiple = true, args = ["book", "house_way", "all_house_ways"])]
pub(crate) struct SetArgs {
    /// Seven cards, such as "As Kd Tc 9h 2s 2d Jk", or - for one hand a line from standard input.
    #[arg(num_args = 1.., required = true)]
    pub(crate) cards: Vec<OsString>,
    /// The rule book whose ranking, and house way unless another is given, is used.
    #[arg(long)]
    pub(crate) book: Option<String>,
    /// A house way's name, or a path to one.
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// Compares all house ways that come with the program.
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
    /// The rule book that is played by.
    #[arg(long)]
    pub(crate) book: String,
    /// The dealer's house way, instead of the book's: a name, or a path to one.
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

#[derive(clap::Args)]
pub(crate) struct OddsArgs {
    /// A rule book's name, or a path to one.
    pub(crate) book: String,
    /// One wager alone; pai-gow is the base game.
    #[arg(long)]
    pub(crate) wager: Option<String>,
    /// One paytable alone.
    #[arg(long)]
    pub(crate) paytable: Option<String>,
    /// How many players are at the table, for what they earn each other.
    #[arg(long)]
    pub(crate) players: Option<u8>,
    /// Also the edge of a wager of this much, payout maximum and rounding of the commission included.
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) stake: Option<Amount>,
    /// The dealer's house way, instead of the book's: a name, or a path to one.
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// The player's house way, which is otherwise the dealer's.
    #[arg(long)]
    pub(crate) player_house_way: Option<String>,
    /// Compares all house ways that come with the program, at the base game.
    #[arg(long, conflicts_with_all = ["stake", "players", "paytable"])]
    pub(crate) all_house_ways: bool,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct StrategyArgs {
    /// A rule book's name, or a path to one.
    pub(crate) book: String,
    /// Writes the best setting of every class of hands to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The dealer's house way, instead of the book's: a name, or a path to one.
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// How many of the costliest hands are listed.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) top: u8,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// How long work is done.
#[derive(clap::Args)]
pub(crate) struct WorkArgs {
    /// Shows no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Computes afresh, and keeps nothing for the next time. Results are kept in the folder `PAIGOW_CACHE` names, or else in the
    /// user's cache folder.
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(clap::Args)]
pub(crate) struct SettleArgs {
    /// A file with the round, or - for standard input.
    pub(crate) file: OsString,
}

#[derive(clap::Args)]
pub(crate) struct SimulateArgs {
    /// A rule book's name, or a path to one.
    pub(crate) book: String,
    /// How many rounds are played.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = value_parser!(u64).range(1..=ROUNDS_MAX))]
    pub(crate) rounds: u64,
    /// How many seats play, the one that banks among them; all of the book's unless said otherwise.
    #[arg(long, value_name = "N")]
    pub(crate) seats: Option<u8>,
    /// Where chance starts: the same seed gives the same rounds, on any number of cores.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The seat that banks; the dealer where it may, seat 1 otherwise.
    #[arg(long, value_name = "SEAT")]
    pub(crate) banker: Option<u8>,
    /// Posts another paytable of a side wager; as often as needed.
    #[arg(long = "paytable", value_name = "WAGER=NAME", value_parser = wager_and_paytable)]
    pub(crate) paytables: Vec<(String, String)>,
    /// A house way's name, or a path to one, in place of the dealer's.
    #[arg(long)]
    pub(crate) house_way: Option<String>,
    /// The house way the seats set by, otherwise the dealer's.
    #[arg(long)]
    pub(crate) player_house_way: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// As they are typed, so that all that is wrong with them can be said at once.
#[derive(clap::Args)]
pub(crate) struct FairArgs {
    /// A signed receipt to check, with everything it says; with several, also whether they contradict each other.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["secret", "table", "round", "seat", "commitment", "rules", "silent", "book"])]
    pub(crate) receipt: Vec<PathBuf>,
    /// The public key of the house (`GET /api/keys`): receipts of other keys do not hold.
    #[arg(long, value_name = "HEX", requires = "receipt", value_parser = |text: &str| PublicKey::try_from(text.to_owned()))]
    pub(crate) public_key: Option<PublicKey>,
    /// The secret that was shown after the round: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", required_unless_present = "receipt")]
    pub(crate) secret: Option<String>,
    /// The table's name.
    #[arg(long, value_name = "NAME", required_unless_present = "receipt")]
    pub(crate) table: Option<String>,
    /// The number of the round.
    #[arg(long, value_name = "N", required_unless_present = "receipt")]
    pub(crate) round: Option<String>,
    /// The digest of the table's rules: the round is then of version 2 of fair deals.
    #[arg(long, value_name = "HEX")]
    pub(crate) rules: Option<String>,
    /// The commitment of a seat that did not reveal its bytes; as often as needed.
    #[arg(long, value_name = "SEAT=HEX", requires = "rules")]
    pub(crate) silent: Vec<String>,
    /// Bytes that a seat has revealed (version 2) or added (version 1), in hexadecimal digits; as often as needed.
    #[arg(long, value_name = "SEAT=HEX")]
    pub(crate) seat: Vec<String>,
    /// The commitment that was shown before the round: another one is a failed check.
    #[arg(long, value_name = "HEX")]
    pub(crate) commitment: Option<String>,
    /// The rule book, for who gets which cards: a name, or a path to one.
    #[arg(long, requires = "plays")]
    pub(crate) book: Option<String>,
    /// The seats with a wager, such as 1,2,5.
    #[arg(long, value_name = "SEATS", requires = "book")]
    pub(crate) plays: Option<String>,
    /// The seat that banks; the dealer unless it is given.
    #[arg(long, value_name = "SEAT", requires = "book")]
    pub(crate) banker: Option<String>,
    /// The pile the banker picked, where the book has it pick one; the first unless it is given.
    #[arg(long, value_name = "N", requires = "book")]
    pub(crate) pile: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
}

/// Days on any machine; sums stay far below what they are kept in.
const ROUNDS_MAX: u64 = 1_000_000_000_000;

fn wager_and_paytable(text: &str) -> Result<(String, String), &'static str> {
    key_and_value(text).map_err(|_| "it must be WAGER=NAME")
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

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// The key of one document, the first part of its figures' ids.
    #[arg(long, value_name = "KEY")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// What the joker may stand for.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum JokerArg {
    /// An ace, or the card that completes a straight or a flush.
    Semi,
    /// Any card the hand does not hold, or the fifth of a kind.
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

/// Where the wheel stands.
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
