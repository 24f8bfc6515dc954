//! Messages of a live socket, in both directions.

use super::resume::{HashPrefix, ResumePoint};
use crate::CommandResult;
use crate::http::ApiProblem;
use paigow_table::{Command, CommandId, SeenEvent, Time, View};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message from a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum FromClient {
    /// Executes a command. The server executes it at most once per id, however often the client sends it.
    Command {
        /// Id chosen by the client.
        id: CommandId,
        /// Command to execute.
        command: Command,
    },
    /// Requests the events after this one. The server sends a snapshot instead if it no longer has all of them.
    Resume(ResumePoint),
    /// Checks the connection. The server responds with a pong.
    Ping {
        /// Number that the pong repeats.
        n: u64,
    },
}

/// A message from the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToClient {
    /// The table as the viewer sees it after event `seq`.
    Snapshot {
        /// Sequence number of the last event in the view.
        seq: u64,
        /// Hash of that event, for resuming.
        hash: HashPrefix,
        /// Current time of the server.
        now: Time,
        /// The table as the viewer sees it.
        view: Box<View>,
    },
    /// The store went back to an earlier state, and the server reloaded the table. Events that the client received, and
    /// commands that the server acknowledged, may be lost. A snapshot follows.
    StoreWentBack {
        /// Sequence number of the last event that the client had.
        had: u64,
        /// Sequence number of the last stored event of the table.
        seq: u64,
    },
    /// An event at the table.
    Event {
        /// Sequence number of the event within its table.
        seq: u64,
        /// Hash of the event, for resuming.
        hash: HashPrefix,
        /// Time of the event.
        at: Time,
        /// The event as the viewer sees it.
        event: Box<SeenEvent>,
    },
    /// A command was executed and its result is durable.
    Done {
        /// Id of the command.
        id: CommandId,
        /// Events of the command.
        #[serde(flatten)]
        done: CommandResult,
    },
    /// A command was refused. With the code `unavailable` it may have been executed, and the client should retry it
    /// with the same id.
    Refused {
        /// Id of the command.
        id: CommandId,
        /// Reason of the refusal.
        problem: ApiProblem,
    },
    /// Response to a ping.
    Pong {
        /// Number of the ping.
        n: u64,
        /// Current time of the server.
        now: Time,
    },
    /// The server is about to close the socket.
    Goodbye {
        /// `restarting` or `unavailable`: the client should reconnect. `ended`: the session has ended. `no_such_table`:
        /// the table no longer exists. `flood`, `rubbish` or `idle`: the client sent too many messages, an invalid
        /// message, or nothing for too long.
        code: String,
        /// Time after which the client should reconnect, in milliseconds, or null.
        #[schema(required)]
        retry_ms: Option<u64>,
    },
}
