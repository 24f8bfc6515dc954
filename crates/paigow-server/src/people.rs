//! Who is there: people, their sessions, the operators' secret and what operators did.
//!
//! None of it is money, and none of it decides a round. It is kept beside the tables, in the same store, and written the same way: what
//! is answered is on the disk.

mod act;
mod name;
mod session;

pub use act::{ActFault, NewAct, OperatorAct};
pub use name::{PersonName, PersonNameFault};
pub use session::{Session, SessionOf, secret_digest};

use crate::StoreError;
use paigow_table::{Currency, KeyId, PlayerId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::future::Future;

/// Somebody who may sit at tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// What tables and accounts call them. It never changes.
    pub id: PlayerId,
    /// What others see. It need not be unique.
    pub name: PersonName,
    /// What they are.
    pub kind: PersonKind,
    /// When they came.
    pub since: Time,
}

/// What a person is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonKind {
    /// Somebody who came by and gave a name.
    Guest,
    /// A player that the server plays.
    Bot,
}

/// How many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StoreCounts {
    /// Tables, the closed ones included.
    pub tables: u64,
    /// People, the bots included.
    pub people: u64,
    /// Sessions that still hold.
    pub sessions: u64,
}

/// Where people, sessions and operators are kept.
pub trait People: Send + Sync {
    /// Takes in a person. Gives false, and changes nothing, where somebody has the id already.
    fn enrol(&self, person: Person) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// A person.
    fn person(&self, id: &PlayerId) -> impl Future<Output = Result<Option<Person>, StoreError>> + Send;

    /// Several people in one read. Those who are nobody are left out.
    fn people(
        &self,
        ids: &[PlayerId],
    ) -> impl Future<Output = Result<BTreeMap<PlayerId, Person>, StoreError>> + Send;

    /// Gives a person another name. Gives false where there is nobody of that id.
    fn rename(
        &self,
        id: &PlayerId,
        name: &PersonName,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// The guests after an id, so many of them by id, and of each whether it is idle: not seen since a time, never a wager placed, and no
    /// chips but the first ones of a currency.
    fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> impl Future<Output = Result<Vec<(PlayerId, bool)>, StoreError>> + Send;

    /// Deletes an idle guest. Returns false, and changes nothing, where the guest is not idle (any more). Sessions and the journal stay.
    fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// How many guests came at or after a time.
    fn guests_since(&self, time: Time) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// How many tables, people and sessions there are.
    fn counts(&self, now: Time) -> impl Future<Output = Result<StoreCounts, StoreError>> + Send;

    /// Begins a session. Gives false, and changes nothing, where one has the digest already.
    fn begin_session(&self, session: Session) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// The session of a digest, if it still holds.
    fn session(
        &self,
        digest: &[u8; 32],
        now: Time,
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Says that a session was seen, and lets it hold until later; neither ever goes back. Gives false where it holds no more: nothing
    /// brings it back. Once a minute is often enough.
    fn touch_session(
        &self,
        digest: &[u8; 32],
        seen: Time,
        until: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends a session. Gives false where there is none.
    fn end_session(&self, digest: &[u8; 32]) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends all sessions of somebody, and says how many.
    fn end_sessions_of(&self, who: &SessionOf) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes the sessions that ended by then, and says how many: a few at a time, so that nobody waits long.
    fn forget_sessions(&self, before: Time) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Keeps the digest of the operators' secret, unless there is one. Of several processes that try, one is told true.
    fn claim_operator_secret(
        &self,
        digest: [u8; 32],
        at: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// The digest of the operators' secret.
    fn operator_secret(&self) -> impl Future<Output = Result<Option<[u8; 32]>, StoreError>> + Send;

    /// Keeps the digest of another secret, and ends all sessions of operators: whoever came in by the old one is out.
    fn replace_operator_secret(
        &self,
        digest: [u8; 32],
        at: Time,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Notes in the house log that a server started with a key. The entry is signed, and with it everything before it.
    fn note_start(&self, key: KeyId, at: Time) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Whether an entry of the house log is signed: a server with a master key has written to the store.
    fn has_signatures(&self) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Appends to the log of what operators did.
    fn log_act(&self, act: NewAct, at: Time) -> impl Future<Output = Result<OperatorAct, StoreError>> + Send;

    /// What operators did, in order, after a place.
    fn acts(
        &self,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<OperatorAct>, StoreError>> + Send;
}

/// How many sessions are deleted at once.
pub(crate) const FORGET_AT_ONCE: u32 = 500;
