//! Passkeys: WebAuthn registrations and sign-ins for the host name of the page.
//!
//! Each ceremony has two requests. The state between them is serializable, so that any process can finish it.

#[cfg(test)]
mod tests;

use super::Credentials;
use crate::people::SessionOwner;
use crate::settings::WebOrigin;
use data_encoding::BASE64URL_NOPAD;
use paigow_table::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use webauthn_rs::prelude::{
    Passkey, PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
    Url, Uuid, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

/// Name of this server in the dialogs of browsers.
const SERVER_NAME: &str = "Pai gow";

/// A registered passkey.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredPasskey {
    /// Credential id in base64url, as browsers write it.
    id: String,
    /// Name that the person gave it.
    label: String,
    /// Host name it was registered for. Browsers offer it on pages of this host only.
    host: String,
    since: Time,
    #[serde(default)]
    used_at: Option<Time>,
    /// Signature counter of the last sign-in. Synchronized passkeys have none and send 0.
    #[serde(default)]
    counter: u32,
    passkey: Passkey,
}

impl StoredPasskey {
    /// Credential id in base64url.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Name that the person gave it.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// Time of registration.
    pub(crate) fn since(&self) -> Time {
        self.since
    }

    /// Time of the last sign-in.
    pub(crate) fn used_at(&self) -> Option<Time> {
        self.used_at
    }
}

/// Why this server cannot use passkeys at an origin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PasskeysUnavailable {
    /// The host is an IP address, which browsers refuse.
    #[error(
        "passkeys need a host name, and {0} is an IP address: open the page at localhost, or set `public_origin`"
    )]
    IpAddress(String),
    /// Browsers have passkeys on secure pages only.
    #[error("passkeys need https, and {0} is plain http: open the page at localhost, or set `public_origin`")]
    NotSecure(String),
}

impl PasskeysUnavailable {
    /// Stable code for programs.
    pub(crate) const CODE: &str = "passkeys_unavailable";
}

/// Why a ceremony failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasskeyError {
    /// The response of the browser is not that of a ceremony.
    #[error("the credential is not a WebAuthn response: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The response does not prove possession of the passkey, or is for another page or challenge.
    #[error("the passkey was refused: {0}")]
    Refused(#[from] WebauthnError),
    /// The person has no passkey for this host.
    #[error("there is no passkey for {0}")]
    NoPasskey(String),
    /// The passkey was removed since the ceremony began.
    #[error("the passkey is not registered any more")]
    Removed,
    /// The signature counter did not increase, so a copy of the authenticator may exist.
    #[error("the signature counter of the passkey went from {stored} to {sent}: it may have been copied")]
    CounterWentBack {
        /// Counter of the last sign-in.
        stored: u32,
        /// Counter of this response.
        sent: u32,
    },
}

impl PasskeyError {
    /// Stable code for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            PasskeyError::Unreadable(_) => "bad_passkey",
            PasskeyError::Refused(WebauthnError::CredentialPossibleCompromise)
            | PasskeyError::CounterWentBack { .. } => "passkey_copied",
            PasskeyError::Refused(_) => "passkey_refused",
            PasskeyError::NoPasskey(_) | PasskeyError::Removed => "no_such_passkey",
        }
    }
}

/// WebAuthn relying party: the host that passkeys are registered for.
#[derive(Clone, Debug)]
pub(crate) struct RelyingParty {
    webauthn: Webauthn,
    host: String,
}

impl RelyingParty {
    /// Creates the relying party of an origin. Its id is the host name.
    ///
    /// # Errors
    /// Browsers have no passkeys at this origin.
    pub(crate) fn new(origin: &WebOrigin) -> Result<RelyingParty, PasskeysUnavailable> {
        let no_host_name = || PasskeysUnavailable::IpAddress(origin.as_str().to_owned());
        let url = Url::parse(origin.as_str()).map_err(|_| no_host_name())?;
        let host = url.domain().ok_or_else(no_host_name)?.to_owned();
        if !origin.is_https() && host != "localhost" && !host.ends_with(".localhost") {
            return Err(PasskeysUnavailable::NotSecure(origin.as_str().to_owned()));
        }
        let builder = WebauthnBuilder::new(&host, &url).map(|builder| builder.rp_name(SERVER_NAME));
        let webauthn = builder.and_then(WebauthnBuilder::build).map_err(|_| no_host_name())?;
        Ok(RelyingParty { webauthn, host })
    }

    /// Creates the relying party for a request with the given `Origin` header.
    ///
    /// A page at `localhost`, on any port, has the relying party `localhost`, so that passkeys work without settings.
    /// Every other page has that of the public origin. A passkey of one host does not work at the other.
    ///
    /// # Errors
    /// Browsers have no passkeys at the origin.
    pub(crate) fn for_request(
        origin: Option<&str>,
        public: &WebOrigin,
    ) -> Result<RelyingParty, PasskeysUnavailable> {
        let relying_party =
            origin.and_then(WebOrigin::read).and_then(|origin| RelyingParty::new(&origin).ok());
        match relying_party {
            Some(local) if local.host == "localhost" => Ok(local),
            _ => RelyingParty::new(public),
        }
    }

    /// Begins a registration. Returns the options for `navigator.credentials.create` and the state to store.
    ///
    /// The authenticator must verify the person, by a PIN or a fingerprint. Passkeys that are registered already are
    /// excluded.
    ///
    /// # Errors
    /// The name is empty.
    pub(crate) fn start_registration(
        &self,
        owner: &SessionOwner,
        name: &str,
        credentials: &Credentials,
    ) -> Result<(Value, PasskeyRegistration), PasskeyError> {
        let known = self.passkeys(credentials).map(|passkey| passkey.cred_id().clone()).collect();
        let (options, state) =
            self.webauthn.start_passkey_registration(user_handle(owner), name, name, Some(known))?;
        Ok((serde_json::to_value(options)?, state))
    }

    /// Finishes a registration with the response of the browser.
    ///
    /// # Errors
    /// The response is malformed, or is not an answer to the state at this origin.
    pub(crate) fn finish_registration(
        &self,
        response: &Value,
        state: &PasskeyRegistration,
        label: &str,
        now: Time,
    ) -> Result<StoredPasskey, PasskeyError> {
        let response = RegisterPublicKeyCredential::deserialize(response)?;
        let passkey = self.webauthn.finish_passkey_registration(&response, state)?;
        Ok(StoredPasskey {
            id: BASE64URL_NOPAD.encode(passkey.cred_id().as_slice()),
            label: label.to_owned(),
            host: self.host.clone(),
            since: now,
            used_at: None,
            counter: 0,
            passkey,
        })
    }

    /// Begins a sign-in. Returns the options for `navigator.credentials.get` and the state to store.
    ///
    /// # Errors
    /// No passkey is registered for this host.
    pub(crate) fn start_authentication(
        &self,
        credentials: &Credentials,
    ) -> Result<(Value, PasskeyAuthentication), PasskeyError> {
        let passkeys: Vec<Passkey> = self.passkeys(credentials).cloned().collect();
        if passkeys.is_empty() {
            return Err(PasskeyError::NoPasskey(self.host.clone()));
        }
        let (options, state) = self.webauthn.start_passkey_authentication(&passkeys)?;
        Ok((serde_json::to_value(options)?, state))
    }

    /// Finishes a sign-in with the response of the browser, and records the use of the passkey.
    ///
    /// Returns the id of the passkey. The caller stores the credentials.
    ///
    /// # Errors
    /// The response is malformed or no answer to the state at this origin, or the passkey was removed or copied.
    pub(crate) fn finish_authentication(
        &self,
        response: &Value,
        state: &PasskeyAuthentication,
        credentials: &mut Credentials,
        now: Time,
    ) -> Result<String, PasskeyError> {
        let response = PublicKeyCredential::deserialize(response)?;
        let result = self.webauthn.finish_passkey_authentication(&response, state)?;
        let found =
            credentials.passkeys.iter_mut().find(|stored| stored.passkey.cred_id() == result.cred_id());
        let stored = found.ok_or(PasskeyError::Removed)?;
        // The state has the counter from the start of the ceremony. Another sign-in may have increased it since.
        let sent = result.counter();
        if stored.counter > 0 && sent <= stored.counter {
            return Err(PasskeyError::CounterWentBack { stored: stored.counter, sent });
        }
        stored.counter = sent;
        stored.used_at = Some(now);
        stored.passkey.update_credential(&result);
        Ok(stored.id.clone())
    }

    /// Passkeys that were registered for this host.
    fn passkeys<'a>(&self, credentials: &'a Credentials) -> impl Iterator<Item = &'a Passkey> {
        let at_host = credentials.passkeys.iter().filter(|stored| stored.host == self.host);
        at_host.map(|stored| &stored.passkey)
    }
}

/// Id of a person in the authenticator.
///
/// It is a hash, because an authenticator reveals it to every holder of the device. Players and operators have different ids,
/// because an authenticator keeps one passkey per id.
fn user_handle(owner: &SessionOwner) -> Uuid {
    let (kind, id) = match owner {
        SessionOwner::Player(player) => ("player", player),
        SessionOwner::Operator(operator) => ("operator", operator),
    };
    let hash: [u8; 32] = Sha256::digest(format!("passkey {kind} {id}")).into();
    Uuid::from_bytes(std::array::from_fn(|index| hash[index]))
}
