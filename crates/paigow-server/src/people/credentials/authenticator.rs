//! Codes of an authenticator app: six digits every 30 seconds (TOTP, RFC 6238).

use data_encoding::BASE32_NOPAD;
use paigow_table::Time;
use serde::{Deserialize, Serialize};
use std::fmt;
use totp_rs::{Algorithm, Builder, Totp};

/// Length of the secret in bytes, as RFC 4226 recommends for SHA-1.
const SECRET_BYTES: usize = 20;
const STEP_SECONDS: u64 = 30;
/// Number of steps before and after the current one whose codes are accepted, for clocks that differ.
const SKEW_STEPS: u16 = 1;

/// Secret shared with an authenticator app, and the last time step whose code was used.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Authenticator {
    secret: AuthenticatorSecret,
    /// A code is used at most once: codes of this step and of earlier steps are refused.
    #[serde(default)]
    last_step: Option<u64>,
}

/// Why a code is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AuthenticatorFault {
    /// The code is not the current one.
    #[error("the code of the authenticator is wrong")]
    Wrong,
    /// The code, or a later one, was used before.
    #[error("the code of the authenticator was used before: wait for the next code")]
    Used,
}

impl Authenticator {
    /// Makes a secret from random bytes, of which the first 20 are used.
    pub(crate) fn new(random: &[u8; 32]) -> Authenticator {
        let (secret, _) = random.split_at(SECRET_BYTES);
        Authenticator { secret: AuthenticatorSecret(secret.to_vec()), last_step: None }
    }

    /// Returns the secret in base 32, to type it into the app.
    pub(crate) fn secret_text(&self) -> String {
        BASE32_NOPAD.encode(&self.secret.0)
    }

    /// Returns the `otpauth:` URI that apps read from a QR code.
    ///
    /// # Errors
    /// The issuer or the name contains a colon, or the name is empty.
    pub(crate) fn uri(&self, issuer: &str, name: &str) -> Result<String, totp_rs::TotpError> {
        self.builder().with_issuer(Some(issuer)).with_account_name(name).build()?.to_url()
    }

    /// Checks a code and uses it up. Spaces in the code do not matter.
    ///
    /// # Errors
    /// The code is wrong or used already.
    pub(crate) fn use_code(&mut self, code: &str, now: Time) -> Result<(), AuthenticatorFault> {
        let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let step = self.totp().check(&code, now.0 / 1000).ok_or(AuthenticatorFault::Wrong)?;
        if self.last_step.is_some_and(|last| step <= last) {
            return Err(AuthenticatorFault::Used);
        }
        self.last_step = Some(step);
        Ok(())
    }

    fn builder(&self) -> Builder {
        // Apps ignore other algorithms and lengths, and then show wrong codes.
        Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(6)
            .with_skew(SKEW_STEPS)
            .with_step_duration(STEP_SECONDS)
            .with_secret(self.secret.0.clone())
    }

    fn totp(&self) -> Totp {
        // The parameters are constants, and the length of the secret is checked when it is made or read.
        self.builder().build_noncompliant()
    }
}

impl fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authenticator").field("last_step", &self.last_step).finish_non_exhaustive()
    }
}

/// The secret, stored in base 32.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct AuthenticatorSecret(Vec<u8>);

impl TryFrom<String> for AuthenticatorSecret {
    type Error = &'static str;

    fn try_from(text: String) -> Result<AuthenticatorSecret, &'static str> {
        let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok().filter(|bytes| bytes.len() == SECRET_BYTES);
        bytes.map(AuthenticatorSecret).ok_or("expected 20 bytes in base 32")
    }
}

impl From<AuthenticatorSecret> for String {
    fn from(secret: AuthenticatorSecret) -> String {
        BASE32_NOPAD.encode(&secret.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Secret of RFC 6238, appendix B.
    fn authenticator() -> Authenticator {
        Authenticator::new(b"12345678901234567890............")
    }

    /// Last six digits of the eight that RFC 6238, appendix B, prints for SHA-1.
    const VECTORS: [(u64, &str); 6] = [
        (59, "287082"),
        (1_111_111_109, "081804"),
        (1_111_111_111, "050471"),
        (1_234_567_890, "005924"),
        (2_000_000_000, "279037"),
        (20_000_000_000, "353130"),
    ];

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let mut in_order = authenticator();
        for (seconds, code) in VECTORS {
            assert_eq!(authenticator().use_code(code, Time(seconds * 1000 + 999)), Ok(()), "{seconds}");
            assert_eq!(in_order.use_code(code, Time(seconds * 1000)), Ok(()), "{seconds}");
            assert_eq!(in_order.use_code(code, Time(seconds * 1000)), Err(AuthenticatorFault::Used));
        }
    }

    #[test]
    fn codes_of_the_steps_beside_the_current_one_are_accepted() {
        let at = |seconds: u64| authenticator().use_code("081804", Time(seconds * 1000));
        let start = 1_111_111_109 / STEP_SECONDS * STEP_SECONDS;
        assert_eq!(at(start - STEP_SECONDS), Ok(()));
        assert_eq!(at(start + 2 * STEP_SECONDS - 1), Ok(()));
        assert_eq!(at(start - STEP_SECONDS - 1), Err(AuthenticatorFault::Wrong));
        assert_eq!(at(start + 2 * STEP_SECONDS), Err(AuthenticatorFault::Wrong));
    }

    #[test]
    fn an_older_code_is_refused_after_a_newer_one() {
        let mut authenticator = authenticator();
        assert_eq!(authenticator.use_code("050471", Time(1_111_111_111_000)), Ok(()));
        assert_eq!(authenticator.use_code("081804", Time(1_111_111_111_000)), Err(AuthenticatorFault::Used));
    }

    #[test]
    fn texts_that_are_not_codes_are_wrong() {
        for text in ["", "28708", "2870820", "+87082", "287083", "２８７０８２"] {
            assert_eq!(
                authenticator().use_code(text, Time(59_000)),
                Err(AuthenticatorFault::Wrong),
                "{text}"
            );
        }
    }

    #[test]
    fn apps_can_read_the_uri() {
        assert_eq!(
            authenticator().uri("Pai gow", "Änne").unwrap(),
            "otpauth://totp/Pai%20gow:%C3%84nne?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pai%20gow"
        );
        assert_eq!(authenticator().secret_text(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(authenticator().uri("Pai gow", "a:b").is_err());
        assert!(!format!("{:?}", authenticator()).contains("GEZD"));
    }

    #[test]
    fn stored_secrets_have_their_length_checked() {
        let read =
            |secret: &str| serde_json::from_str::<Authenticator>(&format!(r#"{{"secret":"{secret}"}}"#));
        assert!(read("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").is_ok());
        assert!(read("GEZDGNBVGY3TQOJQ").is_err());
        assert!(read("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1").is_err());
    }
}
