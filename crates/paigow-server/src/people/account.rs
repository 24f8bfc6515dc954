//! Accounts: a person with a unique name and credentials to sign in with.
//!
//! An account has two documents: the account by player id, and the claim of its name by the digest of the name's key. Both
//! are written in one change with the person's name, so no two accounts have names that look alike. Guests with such a name
//! are renamed in the same change, and a guest takes a name only while no account has claimed it.

use super::credentials::Credentials;
use super::document::{DocumentKey, DocumentKind, DocumentWrite, Documents, Stored, Versioned, load};
use super::{People, PeopleChange, Person, PersonKind, PersonName};
use crate::StoreError;
use paigow_table::{PlayerId, Secret, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Number of people read at once.
const PAGE: u32 = 1_000;
/// Number of hexadecimal digits in the name of a guest who had to give up another name.
const GUEST_DIGITS: usize = 6;

/// Account of a player, stored by player id.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PersonAccount {
    /// Key of the name that the account has claimed.
    pub(crate) name_key: String,
    /// Time at which the guest became an account.
    pub(crate) since: Time,
    pub(crate) credentials: Credentials,
}

impl Stored for PersonAccount {
    const KIND: DocumentKind = DocumentKind::Account;
}

/// Claim of a name, stored by the digest of the name's key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AccountName {
    pub(crate) player: PlayerId,
}

impl Stored for AccountName {
    const KIND: DocumentKind = DocumentKind::AccountName;
}

/// Returns the id of the claim of a name with a key.
fn claim_id(key: &str) -> String {
    String::from(Secret(Sha256::digest(key).into()))
}

/// Returns the player whose account has claimed a name that looks like this one.
pub(crate) async fn owner_of_name(
    store: &impl Documents,
    name: &PersonName,
) -> Result<Option<PlayerId>, StoreError> {
    Ok(claim_of(store, &name.key()).await?.map(|claim| claim.value.player))
}

async fn claim_of(store: &impl Documents, key: &str) -> Result<Option<Versioned<AccountName>>, StoreError> {
    load(store, &claim_id(key)).await
}

/// Returns the account with a name that looks like this one, and its player.
pub(crate) async fn account_with_name(
    store: &impl Documents,
    name: &PersonName,
) -> Result<Option<(PlayerId, Versioned<PersonAccount>)>, StoreError> {
    let Some(player) = owner_of_name(store, name).await? else { return Ok(None) };
    Ok(load(store, player.as_str()).await?.map(|account| (player, account)))
}

/// Outcome of claiming a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClaimOutcome {
    /// The name and the account are stored.
    Claimed,
    /// Another account has a name that looks like it.
    Taken,
    /// The account or the person has changed meanwhile.
    Outdated,
}

/// Makes a guest an account with a name, in one change.
pub(crate) async fn register(
    store: &(impl Documents + People),
    player: &PlayerId,
    name: &PersonName,
    credentials: Credentials,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    let account = PersonAccount { name_key: name.key(), since: now, credentials };
    let claim = Versioned::new(claim_id(&account.name_key), AccountName { player: player.clone() });
    let documents = vec![Versioned::new(player.as_str(), account).write(), claim.write()];
    claim_name(store, player, name, documents, now).await
}

/// Adds a guest. Returns `false` if an account has a name that looks like the guest's.
pub(crate) async fn enrol_guest(store: &impl Documents, guest: Person) -> Result<bool, StoreError> {
    let (since, required) = (guest.since, vec![unclaimed(&guest.name)]);
    let change = PeopleChange { required, enrol: Some(guest), ..PeopleChange::default() };
    store.change_people(change, since).await
}

/// Returns the requirement that no account has a name that looks like this one.
fn unclaimed(name: &PersonName) -> (DocumentKey, u64) {
    (DocumentKey { kind: DocumentKind::AccountName, id: claim_id(&name.key()) }, 0)
}

/// Claims a name for an account. Guests whose names look like it get other names in the same change.
async fn claim_name(
    store: &(impl Documents + People),
    player: &PlayerId,
    name: &PersonName,
    documents: Vec<DocumentWrite>,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    let mut renames = renamed_guests(store, player, name).await?;
    renames.push((player.clone(), name.clone()));
    let change = PeopleChange { documents, renames, ..PeopleChange::default() };
    let outcome = outcome(store, name, player, change, now).await?;
    if outcome == ClaimOutcome::Claimed {
        // A guest may have taken the name between the search and the change. None can after it.
        for rename in renamed_guests(store, player, name).await? {
            let change = PeopleChange { renames: vec![rename], ..PeopleChange::default() };
            store.change_people(change, now).await?;
        }
    }
    Ok(outcome)
}

/// Returns the guests other than a player whose names look like a name, each with a free name.
async fn renamed_guests(
    store: &(impl Documents + People),
    player: &PlayerId,
    name: &PersonName,
) -> Result<Vec<(PlayerId, PersonName)>, StoreError> {
    let key = name.key();
    let mut renamed = Vec::new();
    let mut after: Option<PlayerId> = None;
    loop {
        let page = store.people_like("", after.as_ref(), PAGE).await?;
        after = page.last().map(|person| person.id.clone());
        let is_last = page.len() < PAGE as usize;
        for guest in page.into_iter().filter(|person| person.kind == PersonKind::Guest) {
            if guest.id != *player && guest.name.key() == key {
                renamed.push((guest.id.clone(), free_guest_name(store, &guest.id, &key).await?));
            }
        }
        if is_last {
            return Ok(renamed);
        }
    }
}

/// Returns a default name for a guest that looks like no name of an account, nor like the key.
async fn free_guest_name(
    store: &impl Documents,
    guest: &PlayerId,
    key: &str,
) -> Result<PersonName, StoreError> {
    let digits = String::from(Secret(Sha256::digest(guest.as_str()).into()));
    for start in 0..digits.len() - GUEST_DIGITS {
        let name = PersonName::of_guest(&digits[start..start + GUEST_DIGITS]);
        if let Some(name) = name.filter(|name| name.key() != key)
            && owner_of_name(store, &name).await?.is_none()
        {
            return Ok(name);
        }
    }
    Err(StoreError::Contended { attempts: 1 })
}

/// Renames a person. The claim of an account moves to the new name.
pub(crate) async fn rename(
    store: &(impl Documents + People),
    player: &PlayerId,
    name: &PersonName,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    if owner_of_name(store, name).await?.is_some_and(|owner| owner != *player) {
        return Ok(ClaimOutcome::Taken);
    }
    let account: Option<Versioned<PersonAccount>> = load(store, player.as_str()).await?;
    if let Some(account) = account {
        let documents = moved_claim(store, account, player, name).await?;
        return claim_name(store, player, name, documents, now).await;
    }
    let (required, renames) = (vec![unclaimed(name)], vec![(player.clone(), name.clone())]);
    outcome(store, name, player, PeopleChange { required, renames, ..PeopleChange::default() }, now).await
}

/// Returns the writes that move the claim of an account to a new name. None if both names have the same key.
async fn moved_claim(
    store: &impl Documents,
    mut account: Versioned<PersonAccount>,
    player: &PlayerId,
    name: &PersonName,
) -> Result<Vec<DocumentWrite>, StoreError> {
    if account.value.name_key == name.key() {
        return Ok(Vec::new());
    }
    let old = claim_of(store, &account.value.name_key).await?;
    account.value.name_key = name.key();
    let new = Versioned::new(claim_id(&account.value.name_key), AccountName { player: player.clone() });
    Ok([account.write(), new.write()].into_iter().chain(old.map(|old| old.deletion())).collect())
}

async fn outcome(
    store: &impl Documents,
    name: &PersonName,
    player: &PlayerId,
    change: PeopleChange,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    if store.change_people(change, now).await? {
        return Ok(ClaimOutcome::Claimed);
    }
    let is_taken = owner_of_name(store, name).await?.is_some_and(|owner| owner != *player);
    Ok(if is_taken { ClaimOutcome::Taken } else { ClaimOutcome::Outdated })
}

/// Returns the writes that delete an account and the claim of its name.
pub(crate) async fn deletions(
    store: &impl Documents,
    player: &PlayerId,
) -> Result<Vec<DocumentWrite>, StoreError> {
    let account: Option<Versioned<PersonAccount>> = load(store, player.as_str()).await?;
    let Some(account) = account else { return Ok(Vec::new()) };
    let claim = claim_of(store, &account.value.name_key).await?;
    Ok(std::iter::once(account.deletion()).chain(claim.map(|claim| claim.deletion())).collect())
}
