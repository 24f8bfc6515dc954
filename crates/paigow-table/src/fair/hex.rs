//! Bytes in hexadecimal digits.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// A string is not the expected number of pairs of hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the required number of pairs of hexadecimal digits")]
pub struct HexFault;

pub(crate) fn to_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>, HexFault> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| HexFault)
}

/// Defines types of a fixed number of bytes that are serialized in hexadecimal digits.
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

/// Implements `Debug` with the hexadecimal digits of the bytes.
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
