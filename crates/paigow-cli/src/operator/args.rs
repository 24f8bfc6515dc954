//! Command line of `paigow operator`. The doc comments are the help texts.

use clap::Subcommand;
use paigow_server::settings::StoreLocation;
use paigow_table::CommandId;
use std::path::PathBuf;

/// Arguments of `paigow operator`. The secret is in the variable `PAIGOW_OPERATOR_SECRET`.
#[derive(clap::Args)]
pub(crate) struct OperatorArgs {
    /// URL of the server process itself, not of a proxy in front of it.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) server: String,
    /// Name of the operator in the operators' log.
    #[arg(long, value_name = "NAME", default_value = "operator")]
    pub(crate) name: String,
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// Tasks of an operator.
#[derive(Subcommand)]
pub(crate) enum Task {
    /// List the open tables.
    Tables,
    /// Open a table.
    Open {
        /// Name of the table.
        table: String,
        /// Rule book.
        #[arg(long)]
        book: String,
        /// Paytable to post for a side wager, such as `fortune=FPG-03`. May be repeated.
        #[arg(long = "paytable", value_name = "WAGER=TABLE")]
        paytables: Vec<String>,
        /// Replace a value of the book at this table. May be repeated.
        #[arg(long = "set", value_name = "KEY=VALUE")]
        changes: Vec<String>,
        /// Offer only this side wager, or `none` [default: the side wagers that the book offers]. May be repeated.
        #[arg(long = "offer", value_name = "WAGER")]
        offer: Vec<String>,
        /// Wager of the dealer's hand against a banking seat, 0 for none [default: the table minimum]
        #[arg(long = "dealer-wager", value_name = "CENTS")]
        dealer_wager_cents: Option<u64>,
        /// Currency of the table [default: practice chips]
        #[arg(long)]
        currency: Option<String>,
        /// Maximum number of seats that bots take.
        #[arg(long, default_value_t = 0)]
        bots: u8,
    },
    /// Start no new rounds at a table.
    Pause {
        /// Name of the table.
        table: String,
    },
    /// Resume rounds at a paused table.
    Resume {
        /// Name of the table.
        table: String,
    },
    /// Close a table after the current round.
    Close {
        /// Name of the table.
        table: String,
    },
    /// Free a seat at a table, as if its player left.
    Vacate {
        /// Name of the table.
        table: String,
        /// Number of the seat.
        seat: u8,
    },
    /// Make a seat sit out, as if its player asked for it.
    Suspend {
        /// Name of the table.
        table: String,
        /// Number of the seat.
        seat: u8,
    },
    /// Void the current round, or the settled round until the next one opens, and return all money.
    Void {
        /// Name of the table.
        table: String,
        /// Reason, shown to every viewer: `exposed_card`, `wrong_count`, `machine_fault`, or any other text.
        #[arg(long)]
        reason: String,
    },
    /// Show a notice to every viewer, at one table or at all.
    Notice {
        /// Text of the notice.
        text: String,
        /// Show it only at this table.
        #[arg(long)]
        table: Option<String>,
    },
    /// Issue chips to a player, or redeem them.
    Chips {
        /// Id of the command. A repeated call with the same id and `--name` moves no more chips [default: a random id,
        /// printed before sending]
        #[arg(long, value_name = "ID")]
        id: Option<CommandId>,
        /// Player id.
        player: String,
        /// Amount in cents.
        cents: u64,
        /// Currency of the chips [default: practice chips]
        #[arg(long)]
        currency: Option<String>,
        /// Redeem chips instead of issuing them.
        #[arg(long)]
        redeem: bool,
    },
    /// Show all accounts and the trial balance; each currency sums to zero.
    Balance,
    /// List transfers of money.
    Journal {
        /// List transfers after this sequence number.
        #[arg(long, default_value_t = 0)]
        after: u64,
        /// Maximum number of transfers.
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Print all finished rounds as JSON lines or, with `--format csv`, as CSV.
    Rounds {
        /// Print only rounds of this table.
        #[arg(long)]
        table: Option<String>,
    },
    /// List entries of the operators' log.
    Acts {
        /// List entries after this sequence number.
        #[arg(long, default_value_t = 0)]
        after: u64,
        /// Maximum number of entries.
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Shut the server down gracefully, after load balancers have seen that it accepts no new clients.
    Drain,
    /// Replace the operator secret. The old secret becomes invalid.
    NewSecret {
        /// Write the new secret directly to this store, if the old one is lost [default: ask the server]
        #[arg(long, value_name = "PATH|URL")]
        store: Option<StoreLocation>,
        /// File with the master keys, to sign the entry of the house log. Without it, an audit with keys reports the
        /// entry.
        #[arg(long, value_name = "FILE", requires = "store")]
        key_file: Option<PathBuf>,
    },
}
