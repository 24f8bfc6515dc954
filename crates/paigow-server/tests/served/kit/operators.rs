//! Operators who enrol and sign in.

use super::Browser;
use crate::authenticator::code_of;
use serde_json::{Value, json};

/// Password of every operator in tests.
pub(crate) const PASSWORD: &str = "tidal lantern mosaic seven";

/// An enrolled operator with a session.
pub(crate) struct SignedIn {
    pub(crate) browser: Browser,
    /// Secret of the authenticator, in base 32.
    pub(crate) authenticator: String,
    pub(crate) recovery_codes: Vec<String>,
}

/// Enrols an operator with a password and an authenticator. `code` is an enrolment code or the operator secret.
pub(crate) async fn enrol(browser: &Browser, name: &str, code: &str) -> SignedIn {
    let body = json!({ "name": name, "code": code, "password": PASSWORD });
    let options = browser.post("/api/operator/enrolment/options", &body).await;
    assert_eq!(options.status, 200, "{options:?}");
    let options = options.json();
    let authenticator = options["totp"]["secret"].as_str().unwrap().to_owned();
    let body = json!({ "ceremony": options["ceremony"], "code": code_of(&authenticator, 0) });
    let enrolled = browser.post("/api/operator/enrolment", &body).await;
    assert_eq!(enrolled.status, 201, "{enrolled:?}");
    let codes: Vec<Value> = enrolled.json()["recovery_codes"].as_array().unwrap().clone();
    let recovery_codes = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    SignedIn { browser: browser.clone(), authenticator, recovery_codes }
}
