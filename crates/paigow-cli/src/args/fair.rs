//! The command `fair`.

use super::ChangeArgs;
use paigow_table::PublicKey;
use std::path::PathBuf;

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
