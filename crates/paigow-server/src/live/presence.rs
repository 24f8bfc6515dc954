//! Players with open sockets at tables, as far as this process knows.

use paigow_table::{PlayerId, TableId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

type Key = (TableId, PlayerId);

/// Sockets of players at tables. A player who never had a socket in this process is unknown, not absent: another
/// process may serve the player.
#[derive(Clone, Default)]
pub(crate) struct Presence(Arc<Mutex<HashMap<Key, SocketState>>>);

/// Sockets of one player at one table.
enum SocketState {
    /// Number of open sockets, at least 1.
    Open(usize),
    /// Time at which the last one closed.
    ClosedAt(Instant),
}

impl SocketState {
    fn is_absent(&self, time: Duration, now: Instant) -> bool {
        matches!(self, SocketState::ClosedAt(at) if now.saturating_duration_since(*at) >= time)
    }
}

/// A player's socket at a table. Dropping it records that the socket is closed.
pub(crate) struct PresentSocket {
    presence: Presence,
    key: Key,
}

impl Presence {
    fn states(&self) -> MutexGuard<'_, HashMap<Key, SocketState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a socket that was opened.
    pub(crate) fn enter(&self, table: TableId, player: PlayerId) -> PresentSocket {
        let key = (table, player);
        let mut states = self.states();
        let open = match states.get(&key) {
            Some(SocketState::Open(open)) => *open,
            _ => 0,
        };
        states.insert(key.clone(), SocketState::Open(open + 1));
        PresentSocket { presence: self.clone(), key }
    }

    /// Returns the players whose last socket closed at least `time` before `now`.
    pub(crate) fn absent_for(&self, time: Duration, now: Instant) -> Vec<Key> {
        let states = self.states();
        states.iter().filter(|(_, state)| state.is_absent(time, now)).map(|(key, _)| key.clone()).collect()
    }

    /// Whether the player's last socket closed at least `time` before `now`.
    pub(crate) fn is_absent(&self, key: &Key, time: Duration, now: Instant) -> bool {
        self.states().get(key).is_some_and(|state| state.is_absent(time, now))
    }

    /// Forgets a player who is absent, unless the player has returned.
    pub(crate) fn forget(&self, key: &Key) {
        let mut states = self.states();
        if matches!(states.get(key), Some(SocketState::ClosedAt(_))) {
            states.remove(key);
        }
    }
}

impl Drop for PresentSocket {
    fn drop(&mut self) {
        if let Some(state) = self.presence.states().get_mut(&self.key) {
            *state = match state {
                SocketState::Open(open) if *open > 1 => SocketState::Open(*open - 1),
                _ => SocketState::ClosedAt(Instant::now()),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_is_absent_once_the_last_socket_has_been_closed_for_the_given_time() {
        let (table, player): (TableId, PlayerId) = ("green".parse().unwrap(), "ann".parse().unwrap());
        let key = (table.clone(), player.clone());
        let presence = Presence::default();
        let minute = Duration::from_mins(1);
        let later = || Instant::now() + minute;
        let first = presence.enter(table.clone(), player.clone());
        let second = presence.enter(table.clone(), player.clone());
        drop(first);
        assert_eq!(presence.absent_for(minute, later()), []);
        drop(second);
        assert_eq!(presence.absent_for(minute, Instant::now()), []);
        assert_eq!(presence.absent_for(minute, later()), std::slice::from_ref(&key));
        assert!(presence.is_absent(&key, minute, later()));
        let back = presence.enter(table, player);
        presence.forget(&key);
        assert!(!presence.is_absent(&key, minute, later()));
        assert_eq!(presence.absent_for(minute, later()), []);
        drop(back);
        presence.forget(&key);
        assert!(presence.states().is_empty());
    }
}
