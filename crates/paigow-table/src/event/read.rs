//! Deserialization of stored events.
//!
//! The name of an event is its first field, so the other fields are deserialized directly. This matters because a
//! restart spends most of its time reading events. The code that serde would derive buffers the fields until it finds
//! the name, and ignores unknown fields of unit variants.

use super::{StoredEvent, TableEvent};
use serde::de::value::{EnumAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;

impl<'de> Deserialize<'de> for TableEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableEvent, D::Error> {
        deserializer.deserialize_map(EventVisitor)
    }
}

struct EventVisitor;

impl<'de> Visitor<'de> for EventVisitor {
    type Value = TableEvent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event with its name first")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<TableEvent, A::Error> {
        if fields.next_key::<Text<'de>>()?.is_none_or(|key| key.0 != "event") {
            return Err(A::Error::custom("the first field of an event must be `event`, its name"));
        }
        let name = fields.next_value::<Text<'de>>()?.0;
        StoredEvent::deserialize(EnumAccessDeserializer::new(Named { name, fields }))
    }
}

/// A string, borrowed from the input if possible.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Name of an event and the fields after it, for serde to deserialize as an enum.
struct Named<'de, A> {
    name: Cow<'de, str>,
    fields: A,
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Named<'de, A> {
    type Error = A::Error;
    type Variant = Fields<A>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Fields<A>), A::Error> {
        let name = StrDeserializer::new(&self.name);
        Ok((seed.deserialize(name)?, Fields(self.fields)))
    }
}

struct Fields<A>(A);

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Fields<A> {
    type Error = A::Error;

    fn unit_variant(mut self) -> Result<(), A::Error> {
        match self.0.next_key::<Text<'de>>()? {
            Some(key) => Err(A::Error::unknown_field(&key.0, &[])),
            None => Ok(()),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, A::Error> {
        Err(A::Error::custom("events have named fields"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("events have named fields"))
    }
}
