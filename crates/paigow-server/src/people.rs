//! People, their sessions and documents, the operator secret and the operators' log.
//!
//! None of this is money, and none of it decides a round. It is in the same store as the tables and equally durable: a
//! write is acknowledged after its commit.

pub(crate) mod account;
mod act;
mod approval;
pub(crate) mod credentials;
mod document;
mod limits;
mod name;
mod operator;
mod results;
mod session;
mod table_access;

pub use act::{ActFault, NewAct, OperatorAct};
pub(crate) use approval::{APPROVAL_MS, Approval, ApprovalAct, Decision};
pub use document::{
    DocumentKey, DocumentKind, DocumentWrite, Documents, EndSessions, PeopleChange, StoredDocument,
};
pub(crate) use document::{KEEP_ENDED_MS, Stored, Versioned, load, load_newest, load_page};
pub(crate) use limits::{ChosenLimits, DAY_MS, LossLimit, PlayerLimits};
pub(crate) use name::name_key;
pub use name::{PersonName, PersonNameFault};
pub(crate) use operator::{
    Enrolment, Operator, OperatorNameFault, Permission, Role, SecretUse, check_operator_name,
};
pub(crate) use results::{PlayedRound, RoundResult};
pub use session::{Session, SessionOwner, secret_digest};
pub(crate) use table_access::{Invitation, TableAccess, invitation_id};

use crate::{JournalRow, StoreError};
use paigow_table::{Account, Currency, KeyId, Owner, PlayerId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::future::Future;

/// A guest or a bot that can sit at tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Id at tables and in accounts. It never changes.
    pub id: PlayerId,
    /// Displayed name. It need not be unique.
    pub name: PersonName,
    /// Guest or bot.
    pub kind: PersonKind,
    /// Time of enrollment.
    pub since: Time,
}

/// Kind of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonKind {
    /// A visitor. A visitor with a document of kind [`DocumentKind::Account`] has an account.
    Guest,
    /// A player controlled by the server.
    Bot,
}

/// Number of tables, people and sessions in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StoreCounts {
    /// Tables, including closed ones.
    pub tables: u64,
    /// People, including bots.
    pub people: u64,
    /// Sessions that have not expired.
    pub sessions: u64,
}

/// Storage of people, sessions and operators.
pub trait People: Send + Sync {
    /// Adds a person. Returns `false` and changes nothing if the id is taken.
    fn enrol(&self, person: Person) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the person with an id.
    fn person(&self, id: &PlayerId) -> impl Future<Output = Result<Option<Person>, StoreError>> + Send;

    /// Returns several people in one read. Unknown ids are left out.
    fn people(
        &self,
        ids: &[PlayerId],
    ) -> impl Future<Output = Result<BTreeMap<PlayerId, Person>, StoreError>> + Send;

    /// Returns the first `limit` people after an id whose name or id contains a text, in the order of ids. ASCII letters
    /// match in either case.
    fn people_like(
        &self,
        part: &str,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Person>, StoreError>> + Send;

    /// Returns the balance of an owner in every currency that the owner has an account in.
    fn balances_of(
        &self,
        owner: &Owner,
    ) -> impl Future<Output = Result<BTreeMap<Currency, i64>, StoreError>> + Send;

    /// Returns the latest `limit` transfers of a player's account, the latest first. With `before`, only transfers whose
    /// `seq` is less.
    fn latest_transfers(
        &self,
        account: &Account,
        before: Option<u64>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<JournalRow>, StoreError>> + Send;

    /// Renames a person. Returns `false` if the id is unknown.
    fn rename(
        &self,
        id: &PlayerId,
        name: &PersonName,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the first `limit` guests after an id, in the order of ids, each with whether the guest is idle.
    ///
    /// An idle guest has no account, has not been seen since `before`, has never placed a wager, and has received no chips
    /// except the first ones in `currency`.
    fn guests_after(
        &self,
        after: Option<&PlayerId>,
        limit: u32,
        before: Time,
        currency: &Currency,
    ) -> impl Future<Output = Result<Vec<(PlayerId, bool)>, StoreError>> + Send;

    /// Deletes an idle guest. Returns `false` and changes nothing if the guest is not idle (any more). Sessions and the
    /// journal stay.
    fn forget_guest(
        &self,
        id: &PlayerId,
        before: Time,
        currency: &Currency,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Counts the guests enrolled at or after a time.
    fn guests_since(&self, time: Time) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Counts tables, people, and sessions that have not expired by `now`.
    fn counts(&self, now: Time) -> impl Future<Output = Result<StoreCounts, StoreError>> + Send;

    /// Begins a session. Returns `false` and changes nothing if a session has the digest already.
    fn begin_session(&self, session: Session) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the session with a digest, or `None` if it is unknown or has expired.
    fn session(
        &self,
        digest: &[u8; 32],
        now: Time,
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Returns the sessions of a player or an operator that have not expired, the latest first.
    fn sessions_of(
        &self,
        who: &SessionOwner,
        now: Time,
    ) -> impl Future<Output = Result<Vec<Session>, StoreError>> + Send;

    /// Updates the time a session was last seen and extends its expiry. Neither time ever moves back.
    ///
    /// Returns `false` if the session has expired or is unknown. An expired session cannot be renewed. Callers need
    /// this about once a minute.
    fn touch_session(
        &self,
        digest: &[u8; 32],
        seen: Time,
        until: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends a session. Returns `false` if there is none.
    fn end_session(&self, digest: &[u8; 32]) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends all sessions of a player or an operator. Returns their number.
    fn end_sessions_of(&self, who: &SessionOwner) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes the sessions that expired by a time. Returns their number. Deletes in small batches, so that other
    /// writes do not wait long.
    fn forget_sessions(&self, before: Time) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Stores the digest of the operator secret unless there is one. Returns `true` to exactly one of several
    /// processes.
    fn claim_operator_secret(
        &self,
        digest: [u8; 32],
        at: Time,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Returns the digest of the operator secret.
    fn operator_secret(&self) -> impl Future<Output = Result<Option<[u8; 32]>, StoreError>> + Send;

    /// Replaces the digest of the operator secret and ends all sessions of operators, which began with the old
    /// secret.
    fn replace_operator_secret(
        &self,
        digest: [u8; 32],
        at: Time,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Records in the house log that a server started with a key. The signature of the entry covers all entries before
    /// it.
    fn note_start(&self, key: KeyId, at: Time) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Whether the house log has a signed entry, which shows that a server with a master key has written to the store.
    fn has_signatures(&self) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Appends to the operators' log.
    fn log_act(&self, act: NewAct, at: Time) -> impl Future<Output = Result<OperatorAct, StoreError>> + Send;

    /// Returns the entries of the operators' log after a sequence number.
    fn acts(
        &self,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<OperatorAct>, StoreError>> + Send;
}

/// Number of sessions deleted in one transaction.
pub(crate) const SESSION_DELETE_BATCH: u32 = 500;
