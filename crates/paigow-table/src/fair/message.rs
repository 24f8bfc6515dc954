//! Encoding of texts that are hashed or signed. Every part has a fixed length or is preceded by its length.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Builder of a text to be hashed or signed.
#[derive(Default)]
pub(crate) struct SignedText(Vec<u8>);

impl SignedText {
    /// Begins a text with a label that names its purpose.
    pub(crate) fn new(label: &str) -> SignedText {
        SignedText::default().text(label.as_bytes())
    }

    /// Adds the length of a text as one byte, then the text. All texts are shorter than 256 bytes.
    pub(crate) fn text(mut self, bytes: &[u8]) -> SignedText {
        let length = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
        self.0.push(length);
        self.0.extend(&bytes[..usize::from(length)]);
        self
    }

    /// Adds a byte.
    pub(crate) fn byte(mut self, byte: u8) -> SignedText {
        self.0.push(byte);
        self
    }

    /// Adds a number as eight bytes, big-endian.
    pub(crate) fn number(mut self, number: u64) -> SignedText {
        self.0.extend(number.to_be_bytes());
        self
    }

    /// Adds bytes without their length.
    pub(crate) fn bytes(mut self, bytes: &[u8]) -> SignedText {
        self.0.extend(bytes);
        self
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    pub(crate) fn hmac(&self, key: &[u8; 32]) -> [u8; 32] {
        hmac(key, &self.0)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

pub(crate) fn hmac(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC accepts keys of any length")
    };
    mac.update(text);
    mac.finalize().into_bytes().into()
}
