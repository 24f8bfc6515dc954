//! `Serialize` and `Deserialize` of cards, hands, rankings and classes as the texts they print and parse.

use crate::{Card, CardSet, Hand, HandClass, Joker, Wheel};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;

/// Types whose text is their `Display` and `FromStr` form.
macro_rules! by_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

/// Types whose text is a name from a fixed list.
macro_rules! by_name {
    ($($type:ty: $expected:literal),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let name = Cow::<str>::deserialize(deserializer)?;
                <$type>::from_name(&name)
                    .ok_or_else(|| D::Error::invalid_value(serde::de::Unexpected::Str(&name), &$expected))
            }
        }
    )*};
}

by_text!(Card, CardSet, Hand<7>, Hand<5>, Hand<2>);
by_name!(HandClass: "the name of a hand class", Joker: "the name of a use of the joker", Wheel: "the name of a rank of the wheel");
