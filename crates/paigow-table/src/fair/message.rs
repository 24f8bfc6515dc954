//! Texts that are hashed and signed: every part has a fixed length or is preceded by its length.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// A text being put together.
#[derive(Default)]
pub(crate) struct SignedText(Vec<u8>);

impl SignedText {
    /// A text that begins with what it is for.
    pub(crate) fn new(label: &str) -> SignedText {
        SignedText::default().text(label.as_bytes())
    }

    /// Adds a text after its length, which is one byte. All of them are short.
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

    /// Adds a number of eight bytes, big-endian.
    pub(crate) fn number(mut self, number: u64) -> SignedText {
        self.0.extend(number.to_be_bytes());
        self
    }

    /// Adds bytes as they are.
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
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("a key of any length will do")
    };
    mac.update(text);
    mac.finalize().into_bytes().into()
}
