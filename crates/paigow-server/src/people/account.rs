//! Accounts: a person with a unique name and credentials to sign in with.
//!
//! An account has two documents: the account by player id, and the claim of its name by the digest of the name's key. Both
//! are written in one change with the person's name, so no two accounts have names that look alike.

use super::credentials::Credentials;
use super::document::{DocumentKind, DocumentWrite, Documents, Stored, Versioned, load};
use super::{PeopleChange, PersonName};
use crate::StoreError;
use paigow_table::{PlayerId, Secret, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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
    store: &impl Documents,
    player: &PlayerId,
    name: &PersonName,
    credentials: Credentials,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    let account = PersonAccount { name_key: name.key(), since: now, credentials };
    let claim = Versioned::new(claim_id(&account.name_key), AccountName { player: player.clone() });
    let documents = vec![Versioned::new(player.as_str(), account).write(), claim.write()];
    let change =
        PeopleChange { documents, rename: Some((player.clone(), name.clone())), ..PeopleChange::default() };
    outcome(store, name, player, change, now).await
}

/// Renames a person. The claim of an account moves to the new name.
pub(crate) async fn rename(
    store: &impl Documents,
    player: &PlayerId,
    name: &PersonName,
    now: Time,
) -> Result<ClaimOutcome, StoreError> {
    if owner_of_name(store, name).await?.is_some_and(|owner| owner != *player) {
        return Ok(ClaimOutcome::Taken);
    }
    let account: Option<Versioned<PersonAccount>> = load(store, player.as_str()).await?;
    let documents = match account {
        None => Vec::new(),
        Some(account) => moved_claim(store, account, player, name).await?,
    };
    let change =
        PeopleChange { documents, rename: Some((player.clone(), name.clone())), ..PeopleChange::default() };
    outcome(store, name, player, change, now).await
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
