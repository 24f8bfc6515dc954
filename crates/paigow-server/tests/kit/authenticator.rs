//! Authenticator app of an operator in tests and measurements.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the code of an authenticator some steps of 30 seconds from now. A code is accepted once, and one step early.
pub(crate) fn code_of(secret: &str, steps: u64) -> String {
    let secret = data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let totp = totp_rs::Builder::new()
        .with_algorithm(totp_rs::Algorithm::SHA1)
        .with_digits(6)
        .with_step_duration(30)
        .with_secret(secret)
        .build_noncompliant();
    totp.generate(now + 30 * steps).to_string()
}
