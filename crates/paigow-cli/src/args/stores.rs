//! Commands on a store: audit, replay, backup, and the moves of its rows.

use clap::ValueEnum;
use paigow_server::settings::StoreLocation;
use paigow_table::PublicKey;
use std::path::PathBuf;

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
