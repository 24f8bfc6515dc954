//! Credentials of an account or an operator: password, passkeys, authenticator and recovery codes.
//!
//! Nothing here reads a clock, a store or a socket: time, random bytes and requests are arguments. The store keeps
//! [`Credentials`] as JSON inside the document of the account or the operator, and the caller writes it back after every
//! change.

mod authenticator;
mod passkey;
mod password;
mod recovery;
#[cfg(test)]
mod soft_authenticator;

pub(crate) use authenticator::{Authenticator, AuthenticatorFault};
pub(crate) use passkey::{PasskeyError, PasskeysUnavailable, RelyingParty, StoredPasskey};
pub(crate) use password::{NewPassword, PasswordFault, PasswordHash, PasswordHashError, PasswordHasher};
pub(crate) use recovery::RecoveryCodes;

use paigow_table::Time;
use recovery::RecoveryDigest;
use serde::{Deserialize, Serialize};
use std::fmt;

/// All credentials of one account or operator. A field that a later version adds has a default.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Credentials {
    password: Option<PasswordHash>,
    passkeys: Vec<StoredPasskey>,
    authenticator: Option<Authenticator>,
    recovery: Vec<RecoveryDigest>,
    /// Number of changes of the credentials. Sign-ins do not count.
    changes: u64,
}

/// Why credentials cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CredentialsFault {
    /// No passkey has the id.
    #[error("the account has no passkey with that id")]
    NoSuchPasskey,
    /// Without the passkey, nothing is left to sign in with.
    #[error("the passkey is the only way to sign in: set a password or add another passkey first")]
    LastCredential,
    /// The passkey is registered already.
    #[error("the passkey is registered already")]
    SamePasskey,
    /// The maximum number of passkeys is reached.
    #[error("an account may have at most {} passkeys: remove one first", Credentials::PASSKEYS_MAX)]
    TooManyPasskeys,
}

impl CredentialsFault {
    /// Stable code for programs.
    pub(crate) fn code(self) -> &'static str {
        match self {
            CredentialsFault::NoSuchPasskey => "no_such_passkey",
            CredentialsFault::LastCredential => "last_credential",
            CredentialsFault::SamePasskey => "same_passkey",
            CredentialsFault::TooManyPasskeys => "too_many_passkeys",
        }
    }
}

impl Credentials {
    /// Maximum number of passkeys, which bounds the size of the stored document.
    pub(crate) const PASSKEYS_MAX: usize = 20;

    /// Whether there is a password or a passkey. Recovery codes run out, and an authenticator is only a second factor.
    pub(crate) fn can_sign_in(&self) -> bool {
        self.password.is_some() || !self.passkeys.is_empty()
    }

    /// Returns the hash of the password.
    pub(crate) fn password(&self) -> Option<&PasswordHash> {
        self.password.as_ref()
    }

    /// Sets or replaces the password.
    pub(crate) fn set_password(&mut self, password: PasswordHash) {
        self.password = Some(password);
        self.changes += 1;
    }

    /// Replaces the hash by one of the same password.
    pub(crate) fn set_new_hash(&mut self, same_password: PasswordHash) {
        self.password = Some(same_password);
    }

    /// Replaces all credentials. The number of changes goes on.
    pub(crate) fn replace(&mut self, new: Credentials) {
        let changes = self.changes + new.changes + 1;
        *self = Credentials { changes, ..new };
    }

    /// Number of changes so far. A sign-in or registration that began before a change must fail after it.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the passkeys in the order of registration.
    pub(crate) fn passkeys(&self) -> &[StoredPasskey] {
        &self.passkeys
    }

    /// Adds a passkey.
    ///
    /// # Errors
    /// The passkey is registered already, or there are too many.
    pub(crate) fn add_passkey(&mut self, passkey: StoredPasskey) -> Result<(), CredentialsFault> {
        if self.passkeys.iter().any(|known| known.id() == passkey.id()) {
            return Err(CredentialsFault::SamePasskey);
        }
        if self.passkeys.len() >= Credentials::PASSKEYS_MAX {
            return Err(CredentialsFault::TooManyPasskeys);
        }
        self.passkeys.push(passkey);
        self.changes += 1;
        Ok(())
    }

    /// Removes the passkey with an id.
    ///
    /// # Errors
    /// The id is unknown, or nothing else is left to sign in with.
    pub(crate) fn remove_passkey(&mut self, id: &str) -> Result<(), CredentialsFault> {
        let found = self.passkeys.iter().position(|passkey| passkey.id() == id);
        let index = found.ok_or(CredentialsFault::NoSuchPasskey)?;
        if self.password.is_none() && self.passkeys.len() == 1 {
            return Err(CredentialsFault::LastCredential);
        }
        self.passkeys.remove(index);
        self.changes += 1;
        Ok(())
    }

    /// Sets or replaces the authenticator.
    pub(crate) fn set_authenticator(&mut self, authenticator: Authenticator) {
        self.authenticator = Some(authenticator);
        self.changes += 1;
    }

    /// Checks a code of the authenticator and uses it up.
    ///
    /// # Errors
    /// The code is wrong or used already, or there is no authenticator.
    pub(crate) fn use_authenticator_code(&mut self, code: &str, now: Time) -> Result<(), AuthenticatorFault> {
        self.authenticator.as_mut().ok_or(AuthenticatorFault::Wrong)?.use_code(code, now)
    }

    /// Replaces all recovery codes. Older codes become invalid.
    pub(crate) fn set_recovery_codes(&mut self, codes: &RecoveryCodes) {
        self.recovery = codes.digests();
        self.changes += 1;
    }

    /// Number of unused recovery codes.
    pub(crate) fn recovery_codes_left(&self) -> usize {
        self.recovery.len()
    }

    /// Checks a recovery code and uses it up. Returns `false` if it is wrong or used already.
    pub(crate) fn use_recovery_code(&mut self, text: &str) -> bool {
        let Some(digest) = RecoveryDigest::of(text) else { return false };
        let left = self.recovery.len();
        self.recovery.retain(|unused| *unused != digest);
        self.recovery.len() < left
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("password", &self.password.is_some())
            .field("passkeys", &self.passkeys.len())
            .field("authenticator", &self.authenticator.is_some())
            .field("recovery", &self.recovery.len())
            .field("changes", &self.changes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_document_is_read() {
        let credentials: Credentials = serde_json::from_str("{}").unwrap();
        assert!(!credentials.can_sign_in());
        assert!(credentials.authenticator.is_none());
        assert_eq!((credentials.passkeys().len(), credentials.recovery_codes_left()), (0, 0));
    }

    #[test]
    fn recovery_codes_work_once_and_survive_the_store() {
        let mut credentials = Credentials::default();
        let codes = RecoveryCodes::new(&[7; 32]);
        credentials.set_recovery_codes(&codes);
        assert_eq!(credentials.recovery_codes_left(), RecoveryCodes::COUNT);
        assert!(!credentials.can_sign_in(), "recovery codes run out");
        for (used, code) in codes.texts().iter().enumerate() {
            let json = serde_json::to_string(&credentials).unwrap();
            assert!(!json.contains(code) && !json.contains(&code.replace('-', "")));
            credentials = serde_json::from_str(&json).unwrap();
            assert!(credentials.use_recovery_code(&code.to_uppercase().replace('-', " ")), "{code}");
            assert!(!credentials.use_recovery_code(code), "{code}");
            assert_eq!(credentials.recovery_codes_left(), RecoveryCodes::COUNT - used - 1);
        }
        credentials.set_recovery_codes(&codes);
        credentials.set_recovery_codes(&RecoveryCodes::new(&[8; 32]));
        assert!(codes.texts().iter().all(|code| !credentials.use_recovery_code(code)));
    }

    #[test]
    fn authenticator_codes_work_once_and_survive_the_store() {
        let mut credentials = Credentials::default();
        assert_eq!(
            credentials.use_authenticator_code("287082", Time(59_000)),
            Err(AuthenticatorFault::Wrong)
        );
        credentials.set_authenticator(Authenticator::new(b"12345678901234567890............"));
        assert!(!credentials.can_sign_in(), "an authenticator is a second factor");
        assert_eq!(credentials.use_authenticator_code("287 082", Time(59_000)), Ok(()));
        let json = serde_json::to_string(&credentials).unwrap();
        let mut credentials: Credentials = serde_json::from_str(&json).unwrap();
        assert_eq!(credentials.use_authenticator_code("287082", Time(59_000)), Err(AuthenticatorFault::Used));
    }

    #[test]
    fn debug_output_has_no_secrets() {
        let mut credentials = Credentials::default();
        credentials.set_authenticator(Authenticator::new(&[1; 32]));
        credentials.set_recovery_codes(&RecoveryCodes::new(&[2; 32]));
        assert_eq!(
            format!("{credentials:?}"),
            "Credentials { password: false, passkeys: 0, authenticator: true, recovery: 10, changes: 2 }"
        );
    }
}
