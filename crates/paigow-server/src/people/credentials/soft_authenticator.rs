//! Authenticator in software for tests: answers the options of a ceremony as a browser does, in JSON.

use data_encoding::BASE64URL_NOPAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::cell::Cell;

/// Flags of the authenticator data: present, verified, and with a public key.
const PRESENT: u8 = 1;
const VERIFIED: u8 = 4;
const WITH_KEY: u8 = 64;

/// One ES256 passkey.
pub(super) struct SoftAuthenticator {
    key: SigningKey,
    id: [u8; 32],
    counter: Cell<u32>,
    is_verified: Cell<bool>,
}

impl SoftAuthenticator {
    pub(super) fn new(seed: u8) -> SoftAuthenticator {
        let key = SigningKey::from_slice(&[seed; 32]).unwrap();
        SoftAuthenticator { key, id: [seed; 32], counter: Cell::new(2), is_verified: Cell::new(true) }
    }

    /// Sets the signature counter of the next sign-ins. A registration sends 1 at most, and 0 without a counter.
    pub(super) fn count_to(&self, counter: u32) {
        self.counter.set(counter);
    }

    /// Sets whether the next responses claim that a PIN or a fingerprint was checked.
    pub(super) fn verifies_person(&self, is_verified: bool) {
        self.is_verified.set(is_verified);
    }

    /// Answers `navigator.credentials.create`.
    pub(super) fn create(&self, options: &Value, origin: &str) -> Value {
        let options = &options["publicKey"];
        let point = self.key.verifying_key().to_sec1_point(false);
        let (x, y) = (point.x().unwrap(), point.y().unwrap());
        // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}, an EC2 key for ES256 on P-256.
        let mut data = self.data(options["rp"]["id"].as_str().unwrap(), WITH_KEY, self.counter.get().min(1));
        data.extend([0; 16]);
        data.extend([0, 32]);
        data.extend(self.id);
        data.extend([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]);
        data.extend_from_slice(x);
        data.extend([0x22, 0x58, 32]);
        data.extend_from_slice(y);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        self.response(&json!({
            "attestationObject": BASE64URL_NOPAD.encode(&attestation),
            "clientDataJSON": BASE64URL_NOPAD.encode(&client_data("webauthn.create", options, origin)),
            "transports": ["internal"],
        }))
    }

    /// Answers `navigator.credentials.get`.
    pub(super) fn get(&self, options: &Value, origin: &str) -> Value {
        let options = &options["publicKey"];
        let data = self.data(options["rpId"].as_str().unwrap(), 0, self.counter.get());
        let client_data = client_data("webauthn.get", options, origin);
        let signed = [data.as_slice(), &Sha256::digest(&client_data)].concat();
        let signature: Signature = self.key.sign(&signed);
        self.response(&json!({
            "authenticatorData": BASE64URL_NOPAD.encode(&data),
            "clientDataJSON": BASE64URL_NOPAD.encode(&client_data),
            "signature": BASE64URL_NOPAD.encode(signature.to_der().as_bytes()),
        }))
    }

    fn data(&self, host: &str, flags: u8, counter: u32) -> Vec<u8> {
        let verified = if self.is_verified.get() { VERIFIED } else { 0 };
        let mut data = Sha256::digest(host).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(counter.to_be_bytes());
        data
    }

    fn response(&self, response: &Value) -> Value {
        let id = BASE64URL_NOPAD.encode(&self.id);
        json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": response,
        })
    }
}

fn client_data(kind: &str, options: &Value, origin: &str) -> Vec<u8> {
    json!({ "type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": false })
        .to_string()
        .into_bytes()
}
