//! Reading stored events.
//!
//! An event is written with its name first, so that its fields can be read straight into it: reading them is most of what a restart
//! does. What serde would derive keeps them aside until the name turns up, and passes over what an event without fields does not know.

use super::{RulesForm, SetBy, TableEvent};
use crate::command::ColorName;
use crate::{
    Actor, Commitment, Config, Derivation, LineRecord, PlayerId, SeatBytes, Secret, Signature, Time,
    TransferId, VoidReason,
};
use serde::de::value::{EnumAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The events and their fields once more, as they are read.
#[derive(Deserialize)]
#[serde(remote = "TableEvent", rename_all = "snake_case", deny_unknown_fields)]
enum StoredEvent {
    Opened {
        config: Config,
        rules: String,
        #[serde(default)]
        form: RulesForm,
        version: String,
    },
    Sat {
        seat: u8,
        player: PlayerId,
    },
    Leaving {
        seat: u8,
    },
    Stood {
        seat: u8,
    },
    SatOut {
        seat: u8,
        by: Actor,
    },
    Returned {
        seat: u8,
    },
    RoundOpened {
        round: u64,
        #[serde(default)]
        secret: Option<Secret>,
        commitment: Commitment,
        #[serde(default)]
        derived: Option<Derivation>,
    },
    BankOffered {
        seat: u8,
        until: Time,
    },
    BankPassed {
        seat: u8,
        by: Actor,
    },
    BankTaken {
        seat: u8,
        cents: u64,
        #[serde(default)]
        fee_cents: u64,
        hold: TransferId,
    },
    BankGivenBack {
        seat: u8,
    },
    PilePicked {
        seat: u8,
        pile: u8,
    },
    WagersOpened {
        until: Time,
    },
    Wagered {
        seat: u8,
        wager: String,
        cents: u64,
        #[serde(default)]
        fee_cents: u64,
        color: Option<ColorName>,
        hold: TransferId,
    },
    Cleared {
        seat: u8,
        wager: String,
    },
    BytesAdded {
        seat: u8,
        bytes: SeatBytes,
    },
    Committed {
        seat: u8,
        commitment: Commitment,
    },
    WagersClosed {
        commitments: BTreeMap<u8, Commitment>,
        signature: Signature,
        until: Time,
    },
    Revealed {
        seat: u8,
        bytes: SeatBytes,
    },
    Ready {
        seat: u8,
    },
    Dealt {
        #[serde(default)]
        cards: String,
        dice: u8,
        until: Time,
    },
    HandSet {
        seat: u8,
        #[serde(default)]
        front: String,
        #[serde(default)]
        positions: Option<[u8; 2]>,
        by: SetBy,
    },
    Settled {
        secret: Secret,
        settlement: Vec<LineRecord>,
        until: Time,
    },
    RoundVoided {
        #[serde(default)]
        secret: Option<Secret>,
        reason: VoidReason,
        by: Actor,
        until: Time,
    },
    RoundAbandoned {
        secret: Secret,
        until: Time,
    },
    Rested,
    Paused {
        by: Actor,
    },
    Resumed {
        by: Actor,
    },
    Closing {
        by: Actor,
    },
    Closed,
    Noticed {
        text: String,
        by: Actor,
    },
}

impl<'de> Deserialize<'de> for TableEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableEvent, D::Error> {
        deserializer.deserialize_map(NameFirst)
    }
}

struct NameFirst;

impl<'de> Visitor<'de> for NameFirst {
    type Value = TableEvent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event, its name first")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<TableEvent, A::Error> {
        if fields.next_key::<Text<'de>>()?.is_none_or(|key| key.0 != "event") {
            return Err(A::Error::custom("an event begins with its name"));
        }
        let name = fields.next_value::<Text<'de>>()?.0;
        StoredEvent::deserialize(EnumAccessDeserializer::new(Named { name, fields }))
    }
}

/// A text, taken from where it is read if it can be.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A name and the fields that follow it, as serde takes an enum.
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
