//! Checks of the TLS certificate of the listener and of its private key.

use super::{DoctorCheck, permissions};
use crate::settings::Settings;
use crate::tls::{EXPOSED, ServerTls, TlsFiles, WARN_SECONDS};
use crate::{Environment, SystemEnvironment};

const NAME: &str = "certificate";

/// Checks that the files hold a valid pair, when the certificate expires, and who can read the key. Without TLS there is
/// nothing to check.
pub(super) fn checks(settings: &Settings) -> Vec<DoctorCheck> {
    let (Some(cert), Some(key)) = (settings.tls_cert.clone(), settings.tls_key.clone()) else {
        return Vec::new();
    };
    let mut checks: Vec<DoctorCheck> = permissions::file_without(&key, EXPOSED).into_iter().collect();
    match ServerTls::load(TlsFiles { cert, key }) {
        Ok(tls) => checks.push(expiry(tls.expires(), SystemEnvironment.now().0 / 1_000)),
        Err(faults) => checks.extend(faults.iter().map(|fault| {
            DoctorCheck::fault(NAME, fault.to_string(), "give a certificate and its private key as PEM files")
        })),
    }
    checks
}

/// Compares the expiry with the time, both in seconds since 1970.
fn expiry(expires: u64, now: u64) -> DoctorCheck {
    let days = expires.saturating_sub(now) / 86_400;
    if expires <= now {
        DoctorCheck::fault(NAME, "the certificate has expired", "renew it; the server loads changed files")
    } else if expires - now < WARN_SECONDS {
        let found = format!("the certificate expires in {days} days");
        DoctorCheck::warning(NAME, found, "renew it; the server loads changed files")
    } else {
        DoctorCheck::ok(NAME, format!("valid for {days} more days"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CheckLevel;

    #[test]
    fn expiry_is_reported_two_weeks_ahead() {
        let day = 86_400;
        for (expires, level) in [
            (100 * day, CheckLevel::Fault),
            (100 * day + 1, CheckLevel::Warning),
            (114 * day - 1, CheckLevel::Warning),
            (114 * day, CheckLevel::Ok),
        ] {
            assert_eq!(expiry(expires, 100 * day).level, level, "{expires}");
        }
    }
}
