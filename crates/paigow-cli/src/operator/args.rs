//! What an operator can ask for.

use clap::Subcommand;
use paigow_server::settings::StoreLocation;
use paigow_table::CommandId;
use std::path::PathBuf;

/// The server, who asks, and what for. The secret is in the variable `PAIGOW_OPERATOR_SECRET`.
#[derive(clap::Args)]
pub(crate) struct OperatorArgs {
    /// The server: the process itself, not what stands in front of it.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) server: String,
    /// Under this name everything is written down.
    #[arg(long, value_name = "NAME", default_value = "operator")]
    pub(crate) name: String,
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What is to be done.
#[derive(Subcommand)]
pub(crate) enum Task {
    /// The tables that are open.
    Tables,
    /// Opens a table of the house.
    Open {
        /// Its name.
        table: String,
        /// The rule book.
        #[arg(long)]
        book: String,
        /// The posted paytable of a side wager, such as `fortune=FPG-03`.
        #[arg(long = "paytable", value_name = "WAGER=TABLE")]
        paytables: Vec<String>,
        /// A value of the book that is otherwise at this table.
        #[arg(long = "set", value_name = "KEY=VALUE")]
        changes: Vec<String>,
        /// A side wager the table offers; the others of the book are not offered. `none`: no side wager at all.
        #[arg(long = "offer", value_name = "WAGER")]
        offer: Vec<String>,
        /// What the house wagers against a seat that banks, where its hand plays too; 0 is no wager [default: the table minimum]
        #[arg(long = "dealer-wager", value_name = "CENTS")]
        dealer_wager_cents: Option<u64>,
        /// What is played for; practice chips where nothing is said.
        #[arg(long)]
        currency: Option<String>,
        /// How many seats bots may take.
        #[arg(long, default_value_t = 0)]
        bots: u8,
    },
    /// No new rounds at a table.
    Pause {
        /// Which.
        table: String,
    },
    /// Rounds again.
    Resume {
        /// Which.
        table: String,
    },
    /// No more rounds after this one.
    Close {
        /// Which.
        table: String,
    },
    /// A seat at a table is given up, as if its player got up.
    Vacate {
        /// Which table.
        table: String,
        /// Which seat.
        seat: u8,
    },
    /// Voids the round at a table, or the settled one until the next opens: everything is returned.
    Void {
        /// Which.
        table: String,
        /// Reason, shown to every viewer: `exposed_card`, `wrong_count`, `machine_fault`, or any other text.
        #[arg(long)]
        reason: String,
    },
    /// Shows a notice to every viewer, at one table or at all.
    Notice {
        /// What.
        text: String,
        /// At one table only.
        #[arg(long)]
        table: Option<String>,
    },
    /// Issues chips to a player, or takes them back.
    Chips {
        /// Id of the command: with the same id and the same `--name`, chips move once [default: a random id, printed before sending]
        #[arg(long, value_name = "ID")]
        id: Option<CommandId>,
        /// Whose.
        player: String,
        /// How much.
        cents: u64,
        /// Of what; practice chips where nothing is said.
        #[arg(long)]
        currency: Option<String>,
        /// Taken back instead of issued.
        #[arg(long)]
        redeem: bool,
    },
    /// Every account; each currency comes to zero.
    Balance,
    /// Movements of money.
    Journal {
        /// After this place.
        #[arg(long, default_value_t = 0)]
        after: u64,
        /// How many.
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Every round that is over, as JSON lines or, with `--format csv`, as CSV.
    Rounds {
        /// Of one table only.
        #[arg(long)]
        table: Option<String>,
    },
    /// What operators did.
    Acts {
        /// After this place.
        #[arg(long, default_value_t = 0)]
        after: u64,
        /// How many.
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Ends the process once whoever sends people there has seen that it takes nobody any more.
    Drain,
    /// Another secret in place of the old one, which holds no more.
    NewSecret {
        /// Written into this store directly, for when the old one is lost; otherwise the server is asked.
        #[arg(long, value_name = "PATH|URL")]
        store: Option<StoreLocation>,
        /// The file with the master keys: the entry of the house log is then signed. Without it an audit with keys names the entry.
        #[arg(long, value_name = "FILE", requires = "store")]
        key_file: Option<PathBuf>,
    },
}
