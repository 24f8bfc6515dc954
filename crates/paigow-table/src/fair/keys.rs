//! Master keys, from which the secrets of rounds and the house's signatures are derived.

use super::hex::{hex_bytes, hex_debug};
use super::message::SignedText;
use super::{Commitment, SeatBytes, Secret};
use crate::{TableId, Time};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;

hex_bytes! {
    /// Id of a master key, in hexadecimal digits. It reveals nothing about the key.
    KeyId, 8;
    /// Random bytes from which a round's secret is derived, together with the master key. They are stored with the
    /// round.
    Nonce, 32;
    /// A public key of the house (Ed25519), in hexadecimal digits.
    PublicKey, 32;
    /// A signature of the house (Ed25519), in hexadecimal digits.
    Signature, 64;
}

hex_debug!(KeyId, Nonce, PublicKey, Signature);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from(*self))
    }
}

/// Derivation of a round's secret, and the signature of the round's opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derivation {
    /// Id of the master key.
    pub key: KeyId,
    /// Random bytes of the round.
    pub nonce: Nonce,
    /// Time at which the round opened.
    pub at: Time,
    /// Signature of [`opened_statement`](super::opened_statement).
    pub signature: Signature,
}

/// Source of the secrets of rounds and the signatures of the house. A server derives them from its master key. An audit
/// uses the revealed ones.
pub trait RoundKeys: Send + Sync {
    /// Returns the key for opening a round.
    fn key_for(&self, round: u64) -> Option<KeyId>;

    /// Returns the secret of a round, or `None` if its key is not available.
    fn secret(&self, key: &KeyId, table: &TableId, round: u64, nonce: &Nonce) -> Option<Secret>;

    /// Returns the commitment for opening a round with these rules, or `None` if it is not known.
    fn commitment(
        &self,
        key: &KeyId,
        table: &TableId,
        round: u64,
        nonce: &Nonce,
        rules: &str,
    ) -> Option<Commitment> {
        Some(self.secret(key, table, round, nonce)?.commitment_to_rules(table, round, rules))
    }

    /// Signs a statement. Returns `None` if the key is not available.
    fn sign(&self, key: &KeyId, statement: &[u8]) -> Option<Signature>;
}

/// Master keys. New rounds use the first, and earlier rounds the key that they were opened with.
#[derive(Clone)]
pub struct MasterKeys(Vec<MasterKey>);

/// Shows only the ids, so that logs do not contain keys.
impl fmt::Debug for MasterKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| key.id)).finish()
    }
}

#[derive(Clone)]
struct MasterKey {
    bytes: [u8; 32],
    id: KeyId,
    signing: SigningKey,
}

impl MasterKey {
    fn new(bytes: [u8; 32]) -> MasterKey {
        let digest = SignedText::new("paigow key id 1").bytes(&bytes).digest();
        let (id, _) = digest.split_at(8);
        let id = KeyId(id.try_into().unwrap_or_default());
        let seed = derive(&bytes, SignedText::new("paigow signing key 1"));
        MasterKey { bytes, id, signing: SigningKey::from_bytes(&seed) }
    }
}

fn derive(key: &[u8; 32], info: SignedText) -> [u8; 32] {
    let mut derived = [0; 32];
    // HKDF fails only for outputs far longer than 32 bytes.
    if Hkdf::<Sha256>::new(None, key).expand(&info.into_bytes(), &mut derived).is_err() {
        unreachable!("HKDF can output 32 bytes")
    }
    derived
}

impl MasterKeys {
    /// Creates the keys from their bytes, the key for new rounds first. Returns `None` if there are none.
    pub fn new(keys: &[[u8; 32]]) -> Option<MasterKeys> {
        (!keys.is_empty()).then(|| MasterKeys(keys.iter().copied().map(MasterKey::new).collect()))
    }

    /// Id of the key for new rounds.
    pub fn current(&self) -> KeyId {
        self.0[0].id
    }

    /// Ids and public keys of all keys, the key for new rounds first.
    pub fn public(&self) -> impl Iterator<Item = (KeyId, PublicKey)> {
        self.0.iter().map(|key| (key.id, PublicKey(key.signing.verifying_key().to_bytes())))
    }

    /// Returns the public key of a master key.
    pub fn public_key(&self, key: &KeyId) -> Option<PublicKey> {
        self.public().find(|(id, _)| id == key).map(|(_, public)| public)
    }

    /// Returns the bytes that a bot at a seat adds to a deal, or `None` if the round's key is not available.
    pub fn bot_bytes(&self, key: &KeyId, table: &TableId, round: u64, seat: u8) -> Option<SeatBytes> {
        let info =
            SignedText::new("paigow bot bytes 2").text(table.as_str().as_bytes()).number(round).byte(seat);
        Some(SeatBytes(derive(&self.get(*key)?.bytes, info).to_vec()))
    }

    fn get(&self, id: KeyId) -> Option<&MasterKey> {
        self.0.iter().find(|key| key.id == id)
    }
}

impl RoundKeys for MasterKeys {
    fn key_for(&self, _: u64) -> Option<KeyId> {
        Some(self.current())
    }

    fn secret(&self, key: &KeyId, table: &TableId, round: u64, nonce: &Nonce) -> Option<Secret> {
        let info = SignedText::new("paigow round secret 2").text(table.as_str().as_bytes());
        let info = info.number(round).bytes(&nonce.0);
        Some(Secret(derive(&self.get(*key)?.bytes, info)))
    }

    fn sign(&self, key: &KeyId, statement: &[u8]) -> Option<Signature> {
        Some(Signature(self.get(*key)?.signing.sign(statement).to_bytes()))
    }
}

impl PublicKey {
    /// Returns whether a signature of a statement was made with the private key of this public key.
    pub fn verifies(&self, statement: &[u8], signature: &Signature) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(&self.0) else { return false };
        // Strict verification accepts no second signature of the same statement.
        key.verify_strict(statement, &ed25519_dalek::Signature::from_bytes(&signature.0)).is_ok()
    }
}
