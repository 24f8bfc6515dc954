//! A guest becomes an account; names of accounts are unique.

use super::{PASSWORD, after_a_round, assert_clean, patch, register, sign_in};
use crate::kit::TestServer;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn guest_becomes_an_account_and_keeps_chips_seat_and_history() {
    let server = TestServer::new(&[]).await;
    let (ann, mut live) = after_a_round(&server).await;
    let before = ann.get("/api/session").await.json();
    assert_eq!((&before["account"], &before["practice"]), (&json!(false), &json!(true)));
    let guest = ann.get("/api/account").await.json();
    assert_eq!((&guest["account"], &guest["password"]), (&json!(false), &json!(false)));

    let codes = register(&ann, "Marina").await;
    assert_eq!(codes.len(), 10);
    let after = ann.get("/api/session").await.json();
    assert_eq!(after["cents"], before["cents"]);
    assert_eq!(after["player"], before["player"]);
    assert_eq!(
        (&after["name"], &after["account"], &after["practice"]),
        (&json!("Marina"), &json!(true), &json!(false))
    );
    let account = ann.get("/api/account").await.json();
    assert_eq!((&account["password"], &account["recovery_codes"]), (&json!(true), &json!(10)));
    // The socket and the seat stay, and the history too.
    live.expect_done(json!({ "do": "next_round" })).await;
    assert_eq!(live.own_seat()["player"], before["player"]);
    assert_eq!(ann.get("/api/session/rounds").await.json()["rounds"].as_array().unwrap().len(), 1);
    let again = ann.post("/api/account", &json!({ "name": "Other", "password": PASSWORD })).await;
    assert_eq!(again.problem(), (409, "already_account".to_owned()));
    assert_clean(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_look_alike_are_refused() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    register(&ann, "Iris Marina").await;
    let taken = (409, "name_taken".to_owned());
    for name in [
        "Iris Marina",
        "iris marina",
        "lris Marina",
        "IRIS-MARINA",
        "\u{406}ris M\u{430}rina",
        "Iris rnarina",
    ] {
        let guest = server.browser().post("/api/session", &json!({ "name": name })).await;
        assert_eq!(guest.problem(), taken, "{name}");
        let bob = server.guest("Bob").await;
        assert_eq!(patch(&bob, "/api/session", &json!({ "name": name })).await.problem(), taken, "{name}");
        let account = bob.post("/api/account", &json!({ "name": name, "password": PASSWORD })).await;
        assert_eq!(account.problem(), taken, "{name}");
        let options = bob
            .with_header("host", "localhost:80")
            .with_header("origin", "http://localhost:80")
            .post("/api/account/passkeys/options", &json!({ "name": name }))
            .await;
        assert_eq!(options.status, 409, "{name}: {options:?}");
    }
    // The account may write its own name differently, and a rename frees the old name.
    assert_eq!(patch(&ann, "/api/session", &json!({ "name": "IRIS marina" })).await.status, 200);
    assert_eq!(patch(&ann, "/api/session", &json!({ "name": "Nora" })).await.status, 200);
    let bob = server.guest("Iris Marina").await;
    assert_eq!(patch(&bob, "/api/session", &json!({ "name": "n\u{f6}ra" })).await.problem(), taken);
    assert_eq!(sign_in(&server.browser(), "Iris Marina", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&server.browser(), "nora", PASSWORD).await.status, 200);
    assert_clean(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn weak_passwords_and_bad_names_are_refused() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    for (password, codes) in [
        ("short", &["password_short", "password_common"] as &[&str]),
        ("password1234", &["password_common"]),
        ("wilhelmina77", &["password_common"]),
        (&"Xk7#vQ2!".repeat(17), &["password_long"]),
    ] {
        let response = ann.post("/api/account", &json!({ "name": "Wilhelmina", "password": password })).await;
        assert_eq!(response.problem(), (422, "bad_password".to_owned()), "{password}");
        let problem = response.json();
        let found: Vec<&str> = problem["faults"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| fault["code"].as_str().unwrap())
            .collect();
        assert_eq!(found, codes, "{password}");
    }
    for name in ["", "The House", "Ada (bot)"] {
        let response = ann.post("/api/account", &json!({ "name": name, "password": PASSWORD })).await;
        assert_eq!(response.problem(), (422, "bad_name".to_owned()), "{name}");
    }
    assert_eq!(ann.get("/api/account").await.json()["account"], false);
}

/// The name of an account is unique among everyone: guests who had it first get another.
#[tokio::test(flavor = "multi_thread")]
async fn guests_give_up_the_name_of_an_account() {
    let server = TestServer::new(&[]).await;
    let name_of =
        async |browser: &crate::kit::Browser| browser.get("/api/session").await.json()["name"].clone();
    let (first, second, other) =
        (server.guest("Marina").await, server.guest("M\u{430}rlna").await, server.guest("Martin").await);
    let ann = server.guest("marina").await;
    register(&ann, "Marina").await;
    assert_eq!(name_of(&ann).await, "Marina");
    assert_eq!(name_of(&other).await, "Martin");
    let names = [name_of(&first).await, name_of(&second).await];
    for name in &names {
        assert!(name.as_str().unwrap().starts_with("Guest "), "{name}");
    }
    assert_ne!(names[0], names[1]);
    // Another name of the account is unique too.
    assert_eq!(patch(&ann, "/api/session", &json!({ "name": "martin" })).await.status, 200);
    assert!(name_of(&other).await.as_str().unwrap().starts_with("Guest "));
    // The old name is free again.
    assert_eq!(patch(&first, "/api/session", &json!({ "name": "Marina" })).await.status, 200);
    assert_clean(&server).await;
}
