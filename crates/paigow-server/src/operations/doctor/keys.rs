//! Checks of the master keys and of the operator secret.

use super::DoctorCheck;
use crate::settings::Settings;
use crate::store::{HeadVerifier, StoreFacts, house_head_message};
use crate::{HouseLogEntry, read_master_keys};
use paigow_table::MasterKeys;

/// Checks both files against the store, as far as the store could be read.
pub(super) fn checks(settings: &Settings, facts: Option<&StoreFacts>) -> Vec<DoctorCheck> {
    let mut checks = vec![master_key(settings, facts)];
    checks.extend(facts.and_then(|facts| operator_secret(settings, facts)));
    checks
}

fn master_key(settings: &Settings, facts: Option<&StoreFacts>) -> DoctorCheck {
    const NAME: &str = "master key";
    let path = settings.key_path();
    let signed = facts.and_then(|facts| facts.signed.as_ref());
    if !path.exists() {
        let found = format!("{} is missing", path.display());
        return match signed {
            Some(_) => {
                let found = format!("{found}, and the store was written with a key");
                DoctorCheck::fault(NAME, found, "restore the file, or set its path with `key_file`")
            }
            None => DoctorCheck::ok(NAME, format!("{found}; the first start creates it")),
        };
    }
    let keys = match read_master_keys(&path) {
        Ok(keys) => keys,
        Err(error) => return DoctorCheck::fault(NAME, error.to_string(), "restore the file from its copy"),
    };
    let current = format!("current key {}", String::from(keys.current()));
    let Some(entry) = signed else {
        return DoctorCheck::ok(NAME, format!("{current}; the store has no signature yet"));
    };
    if !has_signed(&keys, entry) {
        let found = format!("no key of {} signed entry {} of the house log", path.display(), entry.seq);
        return DoctorCheck::fault(NAME, found, "set `key_file` to the file with the key of this store");
    }
    let last = facts.and_then(|facts| facts.started_with);
    if last.is_some_and(|last| last != keys.current()) {
        let advice = "restart all processes to use the new key; leave the earlier keys in the file";
        return DoctorCheck::warning(NAME, format!("{current} is not the one of the last start"), advice);
    }
    DoctorCheck::ok(NAME, format!("{current}, which signed entry {} of the house log", entry.seq))
}

fn has_signed(keys: &MasterKeys, entry: &HouseLogEntry) -> bool {
    let message = house_head_message(entry.seq, &entry.hash);
    entry.signature.is_some_and(|signature| keys.verify(&message, &signature))
}

fn operator_secret(settings: &Settings, facts: &StoreFacts) -> Option<DoctorCheck> {
    let path = settings.operator_secret_path();
    (facts.secret_is_used && path.exists()).then(|| {
        let found = format!("{} has enrolled an admin and does nothing any more", path.display());
        DoctorCheck::warning("operator secret", found, "delete the file")
    })
}
