//! Bytes written in hexadecimal digits.

use std::fmt::Write;

/// A text that is not the expected number of pairs of hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these are not as many pairs of hexadecimal digits as there must be")]
pub struct HexFault;

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>, HexFault> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8).ok_or(HexFault);
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return Err(HexFault) };
    pairs.iter().map(|[high, low]| Ok(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// Defines types of a fixed number of bytes that are written in hexadecimal digits.
macro_rules! hex_bytes {
    ($($(#[$doc:meta])* $name:ident, $length:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String)]
        pub struct $name(pub [u8; $length]);

        impl TryFrom<String> for $name {
            type Error = $crate::fair::HexFault;

            fn try_from(text: String) -> Result<$name, $crate::fair::HexFault> {
                let bytes = $crate::fair::hex::from_hex(&text)?;
                bytes.try_into().map($name).map_err(|_| $crate::fair::HexFault)
            }
        }

        impl From<$name> for String {
            fn from(bytes: $name) -> String {
                $crate::fair::hex::to_hex(&bytes.0)
            }
        }
    )*};
}

/// Shows the digits of these types where programs are debugged.
macro_rules! hex_debug {
    ($($name:ident),*) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), $crate::fair::hex::to_hex(&self.0))
            }
        }
    )*};
}

pub(crate) use {hex_bytes, hex_debug};
