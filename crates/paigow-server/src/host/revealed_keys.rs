//! Keys for an audit or a replay without master keys: secrets and signatures that stored events reveal.

use paigow_table::{
    Commitment, Derivation, KeyId, MasterKeys, Nonce, RoundKeys, Secret, Signature, TableEvent, TableId,
    closed_statement, opened_statement,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Stored data about the secret of a round.
struct RevealedRound {
    commitment: Commitment,
    derived: Derivation,
    /// `None` until an event reveals it.
    secret: Option<Secret>,
}

/// Keys of one table's stored rounds.
#[derive(Default)]
pub(crate) struct RevealedKeys {
    rounds: BTreeMap<u64, RevealedRound>,
    signatures: HashMap<Vec<u8>, Signature>,
    /// Master keys for rounds whose secret is not revealed yet, if available.
    master: Option<Arc<MasterKeys>>,
}

impl RevealedKeys {
    /// Collects the secrets and signatures of a table's events.
    pub(crate) fn of<'e>(
        table: &TableId,
        rules: &str,
        events: impl IntoIterator<Item = &'e TableEvent>,
        master: Option<Arc<MasterKeys>>,
    ) -> RevealedKeys {
        let mut revealed = RevealedKeys { master, ..RevealedKeys::default() };
        let mut open: Option<(u64, Commitment)> = None;
        for event in events {
            match event {
                TableEvent::RoundOpened { round, commitment, derived, .. } => {
                    open = Some((*round, *commitment));
                    if let Some(derived) = derived {
                        let statement = opened_statement(table, *round, rules, commitment, derived.at);
                        revealed.signatures.insert(statement, derived.signature);
                        let (commitment, derived) = (*commitment, *derived);
                        revealed.rounds.insert(*round, RevealedRound { commitment, derived, secret: None });
                    }
                }
                TableEvent::WagersClosed { commitments, signature, .. } => {
                    if let Some((round, commitment)) = &open {
                        let statement = closed_statement(table, *round, commitment, commitments);
                        revealed.signatures.insert(statement, *signature);
                    }
                }
                _ => {}
            }
            if let (Some(secret), Some((round, _))) = (event.shown_secret(), &open)
                && let Some(known) = revealed.rounds.get_mut(round)
            {
                known.secret = Some(secret);
            }
        }
        revealed
    }
}

impl RoundKeys for RevealedKeys {
    fn key_for(&self, round: u64) -> Option<KeyId> {
        self.rounds.get(&round).map(|revealed| revealed.derived.key)
    }

    fn secret(&self, key: &KeyId, table: &TableId, round: u64, nonce: &Nonce) -> Option<Secret> {
        let RevealedRound { derived, secret, .. } = self.rounds.get(&round)?;
        let revealed = secret.filter(|_| (&derived.key, &derived.nonce) == (key, nonce));
        revealed.or_else(|| self.master.as_ref()?.secret(key, table, round, nonce))
    }

    /// Returns the stored commitment of a round whose secret is not revealed yet, because it cannot be verified.
    fn commitment(
        &self,
        key: &KeyId,
        table: &TableId,
        round: u64,
        nonce: &Nonce,
        rules: &str,
    ) -> Option<Commitment> {
        match self.secret(key, table, round, nonce) {
            Some(secret) => Some(secret.commitment_to_rules(table, round, rules)),
            None => self.rounds.get(&round).map(|revealed| revealed.commitment),
        }
    }

    fn sign(&self, _: &KeyId, statement: &[u8]) -> Option<Signature> {
        self.signatures.get(statement).copied()
    }
}
