//! What goes over a socket, both ways.

use super::resume::{HashPrefix, ResumePoint};
use crate::CommandResult;
use crate::http::ApiProblem;
use paigow_table::{Command, CommandId, SeenEvent, Time, View};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum FromClient {
    /// Do something. The id is the client's own; the same id is done once, however often it is sent.
    Command {
        /// What the client calls it.
        id: CommandId,
        /// What is to be done.
        command: Command,
    },
    /// Events after this one, please: or all of it as it is now, where that is less.
    Resume(ResumePoint),
    /// Are you there?
    Ping {
        /// Comes back as it is.
        n: u64,
    },
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToClient {
    /// The table as the viewer sees it after event `seq`.
    Snapshot {
        /// The last event in it.
        seq: u64,
        /// Its hash, to come back with.
        hash: HashPrefix,
        /// The server's clock.
        now: Time,
        /// The table.
        view: Box<View>,
    },
    /// The store went back to an earlier state, and the server read the table again: events that the client has seen, and commands that
    /// were answered, may not have happened. A snapshot follows.
    StoreWentBack {
        /// The last event that the client had.
        had: u64,
        /// The last event of the table as it is stored.
        seq: u64,
    },
    /// Something has happened.
    Event {
        /// Its place in the table's log.
        seq: u64,
        /// Its hash, to come back with.
        hash: HashPrefix,
        /// When.
        at: Time,
        /// What.
        event: Box<SeenEvent>,
    },
    /// A command is done, and kept.
    Done {
        /// Which command.
        id: CommandId,
        /// Its events.
        #[serde(flatten)]
        done: CommandResult,
    },
    /// A command is not done. With the code `unavailable` it may have been: send it again.
    Refused {
        /// Which command.
        id: CommandId,
        /// Why.
        problem: ApiProblem,
    },
    /// Here.
    Pong {
        /// As it was sent.
        n: u64,
        /// The server's clock.
        now: Time,
    },
    /// The socket is about to be closed.
    Goodbye {
        /// `restarting`, `unavailable`: come back; `ended`: the session is over; `no_such_table`: there is no such table any more; `flood`, `rubbish`, `idle`: your own doing.
        code: String,
        /// After so many milliseconds.
        #[schema(required)]
        retry_ms: Option<u64>,
    },
}
