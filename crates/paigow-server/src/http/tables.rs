//! Endpoints of tables: the lobby, a single table, its commands, its rounds, and its live socket.

pub(super) mod command;
pub(super) mod list;
pub(super) mod live;
pub(super) mod open;
pub(super) mod people;
pub(super) mod receipt;
pub(super) mod round;
pub(super) mod rounds;
pub(super) mod rules;
pub(super) mod show;
