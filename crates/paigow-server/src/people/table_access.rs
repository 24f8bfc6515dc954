//! Tables whose seats are for invited players only, and the invitations to them.

use super::document::{DocumentKind, Stored};
use paigow_table::{PlayerId, Secret, TableId, Time};
use serde::{Deserialize, Serialize};

/// Players who may sit at a table, stored by table. A table without this document has seats for anyone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TableAccess {
    /// Player who opened the table. `None` for a table of the house, to which operators invite.
    pub(crate) opened_by: Option<PlayerId>,
    /// Players who have accepted an invitation.
    pub(crate) members: Vec<PlayerId>,
    /// Ids of the invitations that may still be valid.
    pub(crate) invitations: Vec<String>,
}

impl TableAccess {
    /// Maximum number of members, which bounds the size of the stored document.
    pub(crate) const MEMBERS_MAX: usize = 500;
    /// Maximum number of valid invitations.
    pub(crate) const INVITATIONS_MAX: usize = 50;

    pub(crate) fn new(opened_by: Option<PlayerId>) -> TableAccess {
        TableAccess { opened_by, members: Vec::new(), invitations: Vec::new() }
    }

    /// Whether a player may sit at the table.
    pub(crate) fn admits(&self, player: &PlayerId) -> bool {
        self.opened_by.as_ref() == Some(player) || self.members.contains(player)
    }
}

impl Stored for TableAccess {
    const KIND: DocumentKind = DocumentKind::TableAccess;
}

/// Invitation to a table, stored by the digest of its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Invitation {
    pub(crate) table: TableId,
    /// Time from which it is expired.
    pub(crate) until: Time,
    /// Number of players who have accepted it.
    pub(crate) accepted: u64,
}

impl Stored for Invitation {
    const KIND: DocumentKind = DocumentKind::Invitation;
}

/// Returns the id of the invitation with a secret. A reader of the store cannot accept it.
pub(crate) fn invitation_id(secret: &[u8; 32]) -> String {
    String::from(Secret(super::secret_digest(secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_players_and_of_the_house_are_read() {
        let of_player: TableAccess =
            serde_json::from_str(r#"{"opened_by":"guest-1","members":["guest-2"],"invitations":[]}"#)
                .unwrap();
        let player = |id: &str| id.parse::<PlayerId>().unwrap();
        assert!(of_player.admits(&player("guest-1")) && of_player.admits(&player("guest-2")));
        assert!(!of_player.admits(&player("guest-3")));
        let of_house = TableAccess::new(None);
        let json = serde_json::to_string(&of_house).unwrap();
        assert_eq!(serde_json::from_str::<TableAccess>(&json).unwrap(), of_house);
        assert!(!of_house.admits(&player("guest-1")));
    }
}
