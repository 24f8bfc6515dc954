//! Tables: the lobby, one table, its commands, its rounds, and the socket that tells of it live.

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
