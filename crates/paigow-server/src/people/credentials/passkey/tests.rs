//! Passkeys of a software authenticator, from registration to sign-in.

use super::*;
use crate::people::credentials::CredentialsFault;
use crate::people::credentials::soft_authenticator::SoftAuthenticator;
use serde_json::json;

const PAGE: &str = "https://cards.example";

fn relying_party(origin: &str) -> RelyingParty {
    RelyingParty::new(&WebOrigin::read(origin).unwrap()).unwrap()
}

fn owner() -> SessionOwner {
    SessionOwner::Player("ann".parse().unwrap())
}

/// Registers a passkey, and stores the state of the ceremony in between.
fn register(
    page: &str,
    key: &SoftAuthenticator,
    credentials: &Credentials,
) -> Result<StoredPasskey, PasskeyError> {
    let relying_party = relying_party(page);
    let (options, state) = relying_party.start_registration(&owner(), "Ann", credentials)?;
    let state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
    relying_party.finish_registration(&key.create(&options, page), &state, "laptop", Time(1000))
}

fn registered(page: &str, key: &SoftAuthenticator) -> Credentials {
    let mut credentials = Credentials::default();
    credentials.add_passkey(register(page, key, &credentials).unwrap()).unwrap();
    serde_json::from_str(&serde_json::to_string(&credentials).unwrap()).unwrap()
}

fn sign_in(
    page: &str,
    key: &SoftAuthenticator,
    credentials: &mut Credentials,
) -> Result<String, PasskeyError> {
    let relying_party = relying_party(page);
    let (options, state) = relying_party.start_authentication(credentials)?;
    let state = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
    relying_party.finish_authentication(&key.get(&options, page), &state, credentials, Time(2000))
}

fn code(result: Result<String, PasskeyError>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "signed in")
}

#[test]
fn a_registered_passkey_signs_in() {
    for page in [PAGE, "http://localhost:8080"] {
        let key = SoftAuthenticator::new(1);
        let mut credentials = registered(page, &key);
        assert!(credentials.can_sign_in());
        let id = sign_in(page, &key, &mut credentials).unwrap();
        let [passkey] = credentials.passkeys() else { panic!("one passkey was registered") };
        assert_eq!((passkey.id(), passkey.label()), (id.as_str(), "laptop"));
        assert_eq!((passkey.since(), passkey.used_at()), (Time(1000), Some(Time(2000))));
        key.count_to(3);
        assert_eq!(sign_in(page, &key, &mut credentials).unwrap(), id);
    }
}

#[test]
fn registration_requires_verification_and_excludes_known_passkeys() {
    let key = SoftAuthenticator::new(1);
    let credentials = registered(PAGE, &key);
    let (options, _) = relying_party(PAGE).start_registration(&owner(), "Ann", &credentials).unwrap();
    let options = &options["publicKey"];
    assert_eq!(options["rp"], json!({ "id": "cards.example", "name": "Pai gow" }));
    assert_eq!(options["user"]["name"], "Ann");
    assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
    assert_eq!(options["excludeCredentials"][0]["id"], credentials.passkeys()[0].id());
    assert_eq!(register(PAGE, &key, &credentials).unwrap_err().code(), "passkey_refused");
    let mut twice = credentials.clone();
    assert_eq!(twice.add_passkey(credentials.passkeys()[0].clone()), Err(CredentialsFault::SamePasskey));
    key.verifies_person(false);
    assert_eq!(register(PAGE, &key, &Credentials::default()).unwrap_err().code(), "passkey_refused");
}

#[test]
fn players_and_operators_have_different_handles() {
    let operator = SessionOwner::Operator("ann".parse().unwrap());
    assert_ne!(user_handle(&owner()), user_handle(&operator));
    assert_ne!(user_handle(&owner()), user_handle(&SessionOwner::Player("bob".parse().unwrap())));
}

#[test]
fn wrong_responses_are_refused() {
    let key = SoftAuthenticator::new(1);
    let mut credentials = registered(PAGE, &key);
    let party = relying_party(PAGE);
    let (options, state) = party.start_authentication(&credentials).unwrap();
    let mut finish =
        |response: &Value| code(party.finish_authentication(response, &state, &mut credentials, Time(2000)));
    assert_eq!(finish(&json!({})), "bad_passkey");
    assert_eq!(finish(&key.get(&options, "https://cards.example.net")), "passkey_refused");
    assert_eq!(finish(&key.get(&options, "https://cards.example:8443")), "passkey_refused");
    assert_eq!(finish(&SoftAuthenticator::new(2).get(&options, PAGE)), "passkey_refused");
    let (other, _) = party.start_authentication(&registered(PAGE, &key)).unwrap();
    assert_eq!(finish(&key.get(&other, PAGE)), "passkey_refused", "the challenge is another one");
    let mut forged = key.get(&options, PAGE);
    forged["response"]["signature"] =
        SoftAuthenticator::new(2).get(&options, PAGE)["response"]["signature"].take();
    assert_eq!(finish(&forged), "passkey_refused");
    key.verifies_person(false);
    assert_eq!(finish(&key.get(&options, PAGE)), "passkey_refused");
    key.verifies_person(true);
    assert_eq!(finish(&key.get(&options, PAGE)), "signed in");
}

#[test]
fn a_counter_that_goes_back_is_refused() {
    let key = SoftAuthenticator::new(1);
    let mut credentials = registered(PAGE, &key);
    key.count_to(7);
    let (options, early) = relying_party(PAGE).start_authentication(&credentials).unwrap();
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "signed in");
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "passkey_copied");
    key.count_to(6);
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "passkey_copied");
    // The state of a ceremony that began before the last sign-in has the older counter.
    let response = key.get(&options, PAGE);
    let result = relying_party(PAGE).finish_authentication(&response, &early, &mut credentials, Time(3000));
    assert!(matches!(result, Err(PasskeyError::CounterWentBack { stored: 7, sent: 6 })), "{result:?}");
    assert_eq!(credentials.passkeys()[0].used_at(), Some(Time(2000)));
    key.count_to(8);
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "signed in");
}

#[test]
fn synchronized_passkeys_have_no_counter() {
    let key = SoftAuthenticator::new(1);
    key.count_to(0);
    let mut credentials = registered(PAGE, &key);
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "signed in");
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "signed in");
}

#[test]
fn removed_passkeys_do_not_finish_a_sign_in() {
    let (first, second) = (SoftAuthenticator::new(1), SoftAuthenticator::new(2));
    let mut credentials = registered(PAGE, &first);
    let id = credentials.passkeys()[0].id().to_owned();
    assert_eq!(credentials.remove_passkey(&id), Err(CredentialsFault::LastCredential));
    credentials.add_passkey(register(PAGE, &second, &credentials).unwrap()).unwrap();
    let (options, state) = relying_party(PAGE).start_authentication(&credentials).unwrap();
    assert_eq!(credentials.remove_passkey(&id), Ok(()));
    assert_eq!(credentials.remove_passkey(&id), Err(CredentialsFault::NoSuchPasskey));
    let response = first.get(&options, PAGE);
    let result = relying_party(PAGE).finish_authentication(&response, &state, &mut credentials, Time(1));
    assert_eq!(code(result), "no_such_passkey");
    assert_eq!(code(sign_in(PAGE, &second, &mut credentials)), "signed in");
}

#[test]
fn passkeys_work_at_their_host_only() {
    let key = SoftAuthenticator::new(1);
    let mut credentials = registered(PAGE, &key);
    assert_eq!(code(sign_in("http://localhost:8080", &key, &mut credentials)), "no_such_passkey");
    assert_eq!(code(sign_in(PAGE, &key, &mut credentials)), "signed in");
}

#[test]
fn passkeys_need_a_host_name_and_a_secure_page() {
    let new = |origin: &str| RelyingParty::new(&WebOrigin::read(origin).unwrap()).map(|party| party.host);
    for origin in ["http://127.0.0.1:8080", "https://10.0.0.1", "http://[::1]:8080"] {
        assert_eq!(new(origin), Err(PasskeysUnavailable::IpAddress(origin.to_owned())));
    }
    assert_eq!(
        new("http://cards.example").unwrap_err().to_string(),
        "passkeys need https, and http://cards.example is plain http: open the page at localhost, or set \
         `public_origin`"
    );
    assert_eq!(new("https://cards.example:8443").as_deref(), Ok("cards.example"));
    assert_eq!(new("http://localhost:8080").as_deref(), Ok("localhost"));
}

#[test]
fn the_page_at_localhost_has_its_own_relying_party() {
    let of = |origin: Option<&str>, public: &str| {
        RelyingParty::for_request(origin, &WebOrigin::read(public).unwrap()).ok().map(|party| party.host)
    };
    let unset = "http://127.0.0.1:8080";
    assert_eq!(of(Some("http://localhost:8080"), unset).as_deref(), Some("localhost"));
    assert_eq!(of(Some("http://localhost:9000"), PAGE).as_deref(), Some("localhost"));
    assert_eq!(of(Some(unset), unset), None);
    assert_eq!(of(Some("https://evil.example"), unset), None);
    assert_eq!(of(Some("https://evil.example"), PAGE).as_deref(), Some("cards.example"));
    assert_eq!(of(Some("http://localhost.evil.example"), PAGE).as_deref(), Some("cards.example"));
    assert_eq!(of(None, PAGE).as_deref(), Some("cards.example"));
}
