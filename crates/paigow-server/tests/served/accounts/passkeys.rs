//! Passkeys with an authenticator in software.

use super::soft_authenticator::SoftAuthenticator;
use super::{PASSWORD, register, sign_in};
use crate::kit::{Browser, TestServer};
use serde_json::{Value, json};

/// Returns the client as a page at `localhost`, and its origin.
fn at_localhost(browser: &Browser) -> (Browser, String) {
    let host = format!("localhost:{}", browser.address.port());
    let origin = format!("http://{host}");
    (browser.with_header("host", &host).with_header("origin", &origin), origin)
}

#[tokio::test(flavor = "multi_thread")]
async fn guest_registers_a_passkey_and_signs_in_with_it_in_another_process() {
    let server = TestServer::new(&[]).await;
    let second = server.another_process().await;
    let key = SoftAuthenticator::new(7);
    let (ann, origin) = at_localhost(&server.guest("Ann").await);
    let begun = ann.post("/api/account/passkeys/options", &json!({ "name": "Marina" })).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    let begun = begun.json();
    let public_key = &begun["options"]["publicKey"];
    assert_eq!(public_key["rp"]["id"], "localhost");
    assert_eq!(public_key["user"]["name"], "Marina");
    assert!(public_key["challenge"].is_string() && public_key["pubKeyCredParams"].is_array());
    let body = json!({
        "ceremony": begun["ceremony"],
        "credential": key.create(&begun["options"], &origin),
        "label": "Key ring",
    });
    let made = ann.post("/api/account/passkeys", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    assert_eq!(made["recovery_codes"].as_array().unwrap().len(), 10);
    assert_eq!(made["account"]["passkeys"][0]["label"], "Key ring");
    assert_eq!(made["account"]["password"], false);
    assert_eq!(
        ann.post("/api/account/passkeys", &body).await.problem(),
        (409, "no_such_ceremony".to_owned())
    );
    // The sign-in begins in one process and ends in the other.
    let (there, _) = at_localhost(&server.browser());
    let begun = there.post("/api/sign-in/passkey/options", &json!({ "name": "marina" })).await.json();
    key.count_to(2);
    let body = json!({ "ceremony": begun["ceremony"], "credential": key.get(&begun["options"], &origin) });
    let same = there.at(second.address);
    let response = same.post("/api/sign-in/passkey", &body).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.json()["player"], ann.player.as_str());
    assert_eq!(
        same.post("/api/sign-in/passkey", &body).await.problem(),
        (409, "no_such_ceremony".to_owned())
    );
    // Without a password, the passkey cannot be removed.
    let id = made["account"]["passkeys"][0]["id"].as_str().unwrap();
    let removed = ann.delete(&format!("/api/account/passkeys/{id}")).await;
    assert_eq!(removed.problem(), (409, "last_credential".to_owned()));
    assert_eq!(sign_in(&server.browser(), "Marina", PASSWORD).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn account_adds_and_removes_passkeys() {
    let server = TestServer::new(&[]).await;
    let (ann, origin) = at_localhost(&server.guest("Ann").await);
    register(&ann, "Marina").await;
    let key = SoftAuthenticator::new(8);
    let begun = ann.post("/api/account/passkeys/options", &json!({})).await.json();
    let body = json!({ "ceremony": begun["ceremony"], "credential": key.create(&begun["options"], &origin) });
    // The ceremony of one player is not that of another.
    let (eve, _) = at_localhost(&server.guest("Eve").await);
    let other = ann.post("/api/account/passkeys/options", &json!({})).await.json();
    let stolen =
        json!({ "ceremony": other["ceremony"], "credential": key.create(&other["options"], &origin) });
    assert_eq!(
        eve.post("/api/account/passkeys", &stolen).await.problem(),
        (409, "no_such_ceremony".to_owned())
    );
    let added = ann.post("/api/account/passkeys", &body).await;
    assert_eq!(added.status, 200, "{added:?}");
    let id = added.json()["passkeys"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(added.json()["passkeys"][0]["label"], "Passkey");
    let removed = ann.delete(&format!("/api/account/passkeys/{id}")).await;
    assert_eq!((removed.status, &removed.json()["passkeys"]), (200, &json!([])));
    assert_eq!(
        ann.delete(&format!("/api/account/passkeys/{id}")).await.problem(),
        (404, "no_such_passkey".to_owned())
    );
    let none = ann.post("/api/sign-in/passkey/options", &json!({ "name": "Marina" })).await;
    assert_eq!(none.problem(), (401, "wrong_credentials".to_owned()));
    // A wrong answer is refused and uses the ceremony up.
    let begun: Value = ann.post("/api/account/passkeys/options", &json!({})).await.json();
    let wrong = json!({ "ceremony": begun["ceremony"], "credential": { "id": "x" } });
    assert_eq!(ann.post("/api/account/passkeys", &wrong).await.problem(), (422, "bad_passkey".to_owned()));
    assert_eq!(
        ann.post("/api/account/passkeys", &wrong).await.problem(),
        (409, "no_such_ceremony".to_owned())
    );
}

/// A ceremony that began before a change of the credentials fails after it.
#[tokio::test(flavor = "multi_thread")]
async fn sign_in_under_way_fails_after_a_change_of_the_password() {
    let server = TestServer::new(&[]).await;
    let (ann, origin) = at_localhost(&server.guest("Ann").await);
    register(&ann, "Marina").await;
    let (key, spare) = (SoftAuthenticator::new(9), SoftAuthenticator::new(10));
    let begun = ann.post("/api/account/passkeys/options", &json!({})).await.json();
    let body = json!({ "ceremony": begun["ceremony"], "credential": key.create(&begun["options"], &origin) });
    assert_eq!(ann.post("/api/account/passkeys", &body).await.status, 200);

    let (thief, _) = at_localhost(&server.browser());
    let begin = async || {
        let begun = thief.post("/api/sign-in/passkey/options", &json!({ "name": "Marina" })).await.json();
        json!({ "ceremony": begun["ceremony"], "credential": key.get(&begun["options"], &origin) })
    };
    key.count_to(2);
    let (early, adding) = (begin().await, ann.post("/api/account/passkeys/options", &json!({})).await.json());
    let change = json!({ "current": PASSWORD, "password": "quartz violin drizzle" });
    assert_eq!(ann.patch("/api/account/password", &change).await.status, 204);
    let gone = (409, "no_such_ceremony".to_owned());
    assert_eq!(thief.post("/api/sign-in/passkey", &early).await.problem(), gone);
    let body =
        json!({ "ceremony": adding["ceremony"], "credential": spare.create(&adding["options"], &origin) });
    assert_eq!(ann.post("/api/account/passkeys", &body).await.problem(), gone);
    assert_eq!(thief.get("/api/session").await.status, 401);
    // One that begins after the change succeeds.
    key.count_to(3);
    let late = begin().await;
    assert_eq!(thief.post("/api/sign-in/passkey", &late).await.status, 200);
}
