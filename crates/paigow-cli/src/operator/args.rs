//! Command line of `paigow operator`. The doc comments are the help texts.

use clap::Subcommand;
use paigow_server::settings::StoreLocation;
use paigow_table::{CommandId, PlayerId};
use std::path::PathBuf;

/// Arguments of `paigow operator`. Most tasks need a session: `enrol` or `sign-in` writes it to a file.
#[derive(clap::Args)]
pub(crate) struct OperatorArgs {
    /// URL of the server process itself, not of a proxy in front of it.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) server: String,
    /// PEM file with the CA certificate of an https server [default: the certificates of the operating system].
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// File with the session, readable by its owner only [default: the variable `PAIGOW_OPERATOR_SESSION`, or
    /// `paigow-operator.session`]
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// Page and filters of the journal.
#[derive(clap::Args)]
pub(crate) struct JournalArgs {
    /// List transfers after this sequence number.
    #[arg(long, default_value_t = 0)]
    pub(crate) after: u64,
    /// Maximum number of transfers, without effect on CSV.
    #[arg(long, default_value_t = 100)]
    pub(crate) limit: u32,
    /// Only transfers from or to this player.
    #[arg(long)]
    pub(crate) player: Option<PlayerId>,
    /// Only transfers of this table.
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// Only transfers with this purpose, such as `issue`.
    #[arg(long)]
    pub(crate) purpose: Option<String>,
    /// Only transfers in this currency.
    #[arg(long)]
    pub(crate) currency: Option<String>,
    /// Only transfers at or after this time, in milliseconds since 1970.
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<u64>,
    /// Only transfers before this time, in milliseconds since 1970.
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<u64>,
}

/// Tasks of an operator.
#[derive(Subcommand)]
pub(crate) enum Task {
    /// Set a password and an authenticator with an enrolment code, or with the operator secret for the first admin. Reads
    /// the code, the password and a code of the authenticator from the terminal or from lines of standard input, and
    /// prints the secret of the authenticator and the recovery codes.
    Enrol {
        /// Name of the operator.
        #[arg(long)]
        name: PlayerId,
    },
    /// Begin a session. Reads the password and a code of the authenticator, or a recovery code, from the terminal or from
    /// lines of standard input.
    SignIn {
        /// Name of the operator.
        #[arg(long)]
        name: PlayerId,
    },
    /// End the session and remove its file.
    SignOut,
    /// Ask whether the server is ready, without a session. The exit status is 1 if it is not.
    Ready,
    /// List the operators.
    Operators,
    /// Add an operator and print the enrolment code.
    AddOperator {
        /// Name of the operator.
        name: PlayerId,
        /// `viewer`, `floor`, `cashier` or `admin`.
        #[arg(long)]
        role: String,
    },
    /// Change the role of an operator.
    SetRole {
        /// Name of the operator.
        name: PlayerId,
        /// `viewer`, `floor`, `cashier` or `admin`.
        #[arg(long)]
        role: String,
    },
    /// Disable an operator, who can then not sign in.
    Disable {
        /// Name of the operator.
        name: PlayerId,
    },
    /// Enable a disabled operator.
    Enable {
        /// Name of the operator.
        name: PlayerId,
    },
    /// Remove the credentials of an operator and print a new enrolment code.
    ResetOperator {
        /// Name of the operator.
        name: PlayerId,
    },
    /// List requests that wait for a second operator, and decided ones.
    Approvals,
    /// Approve a request of another operator.
    Approve {
        /// Id of the approval.
        id: String,
    },
    /// Decline a request of another operator.
    Decline {
        /// Id of the approval.
        id: String,
    },
    /// List people by a part of their name or id.
    People {
        /// Part of the name or the player id.
        #[arg(default_value = "")]
        part: String,
    },
    /// Show a person with balances, sessions and seats.
    Person {
        /// Player id.
        player: PlayerId,
    },
    /// Rename a person.
    Rename {
        /// Player id.
        player: PlayerId,
        /// New name, which other players see.
        name: String,
    },
    /// End all sessions of a person.
    SignOutPlayer {
        /// Player id.
        player: PlayerId,
    },
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
        /// Name of the table that players see [default: none]
        #[arg(long)]
        name: Option<String>,
        /// List the table in the lobby only for its players.
        #[arg(long)]
        private: bool,
        /// Let only invited players sit. `invite` makes the links.
        #[arg(long)]
        invited: bool,
    },
    /// Make an invitation to a table of the house for invited players, and print the path of the page
    /// that accepts it.
    Invite {
        /// Name of the table.
        table: String,
        /// Hours for which the invitation is valid, at most 720.
        #[arg(long, default_value_t = 24)]
        hours: u64,
    },
    /// List the valid invitations to a table of the house, and the players who have accepted one.
    Invitations {
        /// Name of the table.
        table: String,
    },
    /// Withdraw an invitation to a table of the house. Players who have accepted it keep their access.
    Withdraw {
        /// Name of the table.
        table: String,
        /// Id of the invitation.
        id: String,
    },
    /// Remove a player from those who may sit at a table of the house, and withdraw all invitations to it.
    RemoveMember {
        /// Name of the table.
        table: String,
        /// Player id.
        player: PlayerId,
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
        /// Id of the command. A repeated call of the same operator with the same id moves no more chips [default: a random id,
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
    /// List transfers of money or, with `--format csv`, print all matching transfers.
    Journal(JournalArgs),
    /// Print all finished rounds as JSON lines or, with `--format csv`, as CSV.
    Rounds {
        /// Print only rounds of this table.
        #[arg(long)]
        table: Option<String>,
    },
    /// Report handle, win and hold by day, table and wager, beside the exact expectation.
    Report {
        /// First UTC day, such as `2026-11-17`.
        #[arg(long, value_name = "DAY")]
        from: String,
        /// Last UTC day, at most 30 days after the first.
        #[arg(long, value_name = "DAY")]
        to: String,
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
    /// Show whether the server audits its store, and the result of its last audit.
    Audits {
        /// Begin an audit, unless one is running.
        #[arg(long)]
        start: bool,
    },
    /// Shut the server down gracefully, after load balancers have seen that it accepts no new clients.
    Drain,
    /// Replace the operator secret directly in a store, if no admin can sign in. The new secret enrols one admin. All
    /// sessions of operators end.
    NewSecret {
        /// Store: the path of an SQLite file, or `postgres://…`.
        #[arg(long, value_name = "PATH|URL")]
        store: StoreLocation,
        /// File for the secret, readable by its owner only, which is replaced [default: the path of the store with the
        /// extension `.operator`, or `paigow.operator`]
        #[arg(long, value_name = "FILE")]
        secret_file: Option<PathBuf>,
        /// File with the master keys, to sign the entry of the house log. Without it, an audit with keys reports the
        /// entry.
        #[arg(long, value_name = "FILE")]
        key_file: Option<PathBuf>,
    },
}
