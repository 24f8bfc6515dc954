//! Sign-ins with passwords and recovery codes, and the sessions that they begin.

use super::{PASSWORD, SESSION, age_sign_in, patch, register, sign_in};
use crate::kit::TestServer;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn account_signs_in_elsewhere_and_out_for_good() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    register(&ann, "Marina").await;
    // A guest who signs in gives up the session of the guest.
    let other = server.guest("Visitor").await;
    let guest_cookie = other.cookie(SESSION).unwrap();
    let response = sign_in(&other, "marina", PASSWORD).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.json()["player"], ann.player.as_str());
    let stolen = other.cookie(SESSION).unwrap();
    assert_ne!(stolen, guest_cookie);
    let thief = server.browser();
    thief.set_cookie(SESSION, &guest_cookie);
    assert_eq!(thief.get("/api/session").await.status, 401);
    // After the sign-out a copy of the cookie is refused, and the first session stays.
    thief.set_cookie(SESSION, &stolen);
    assert_eq!(thief.get("/api/session").await.status, 200);
    assert_eq!(other.delete("/api/session").await.status, 204);
    assert_eq!(thief.get("/api/session").await.problem(), (401, "no_session".to_owned()));
    assert_eq!(ann.get("/api/session").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn password_cannot_be_tried_a_hundred_times() {
    let server = TestServer::new(&[("sign_ins_per_name", "10")]).await;
    let ann = server.guest("Ann").await;
    register(&ann, "Marina").await;
    let attacker = server.browser();
    let (mut wrong, mut limited) = (0, 0);
    for number in 0..100 {
        // Spellings that look alike are the same name.
        let name = if number % 2 == 0 { "Marina" } else { "mar1na" };
        let response = sign_in(&attacker, name, &format!("guess {number}")).await;
        match response.problem() {
            (401, code) if code == "wrong_credentials" => wrong += 1,
            (429, code) if code == "too_many_tries" => {
                assert!(response.header("retry-after").is_some());
                limited += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!((10..=20).contains(&wrong), "{wrong}");
    assert_eq!(wrong + limited, 100);
    // The right password is refused too, and an unknown name is answered alike.
    assert_eq!(sign_in(&attacker, "Marina", PASSWORD).await.status, 429);
    let unknown = sign_in(&attacker, "Unknown name", PASSWORD).await.json();
    let known = server.guest("Bob").await;
    register(&known, "Roberta").await;
    assert_eq!(sign_in(&attacker, "Roberta", "wrong").await.json(), unknown);
    // A session that exists is not affected.
    assert_eq!(ann.get("/api/session").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_are_limited_by_address() {
    let server = TestServer::new(&[("sign_ins_per_address", "5")]).await;
    let attacker = server.browser();
    let mut statuses = Vec::new();
    for number in 0..8 {
        statuses.push(sign_in(&attacker, &format!("Name {number}"), "guess").await.status);
    }
    assert_eq!(statuses[..5], [401; 5]);
    assert_eq!(statuses[7], 429, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn recovery_code_works_once_in_any_process() {
    let server = TestServer::new(&[]).await;
    let second = server.another_process().await;
    let ann = server.guest("Ann").await;
    let codes = register(&ann, "Marina").await;
    let body = json!({ "name": "Marina", "code": codes[3].to_uppercase() });
    let (here, there) = (server.browser(), second.browser());
    let (one, two) =
        tokio::join!(here.post("/api/sign-in/recovery", &body), there.post("/api/sign-in/recovery", &body));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "{one:?} {two:?}");
    assert_eq!(ann.get("/api/account").await.json()["recovery_codes"], 9);
    assert_eq!(
        there.post("/api/sign-in/recovery", &body).await.problem(),
        (401, "wrong_credentials".to_owned())
    );
    // New codes make the old ones invalid.
    let new = ann.post("/api/account/recovery-codes", &json!({})).await.json();
    let old = json!({ "name": "Marina", "code": codes[4] });
    assert_eq!(there.post("/api/sign-in/recovery", &old).await.status, 401);
    let new = json!({ "name": "Marina", "code": new["recovery_codes"][0] });
    assert_eq!(there.post("/api/sign-in/recovery", &new).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_ended_one_by_one() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    register(&ann, "Marina").await;
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let (phone, tablet) = (server.browser().with_header("user-agent", agent), server.browser());
    for browser in [&phone, &tablet] {
        assert_eq!(sign_in(browser, "Marina", PASSWORD).await.status, 200);
    }
    let sessions = ann.get("/api/account/sessions").await.json()["sessions"].as_array().unwrap().clone();
    assert_eq!(sessions.len(), 3);
    assert_eq!(sessions.iter().filter(|session| session["current"] == true).count(), 1);
    let of_phone: Vec<&Value> =
        sessions.iter().filter(|session| session["client"] == "Firefox on Linux, 127.0.0.1").collect();
    assert_eq!(of_phone.len(), 1, "{sessions:?}");
    let id = of_phone[0]["id"].as_str().unwrap();
    // Another player cannot end it.
    let eve = server.guest("Eve").await;
    assert_eq!(
        eve.delete(&format!("/api/account/sessions/{id}")).await.problem(),
        (404, "no_such_session".to_owned())
    );
    assert_eq!(ann.delete(&format!("/api/account/sessions/{id}")).await.status, 204);
    assert_eq!(phone.get("/api/session").await.status, 401);
    assert_eq!(tablet.get("/api/session").await.status, 200);
    // Another password ends all other sessions.
    let change = json!({ "current": "wrong", "password": "quartz violin drizzle" });
    assert_eq!(
        patch(&ann, "/api/account/password", &change).await.problem(),
        (401, "wrong_credentials".to_owned())
    );
    let change = json!({ "current": PASSWORD, "password": "quartz violin drizzle" });
    assert_eq!(patch(&ann, "/api/account/password", &change).await.status, 204);
    assert_eq!(tablet.get("/api/session").await.status, 401);
    assert_eq!(ann.get("/api/session").await.status, 200);
    assert_eq!(sign_in(&phone, "Marina", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&phone, "Marina", "quartz violin drizzle").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_sessions_must_sign_in_again_to_change_credentials() {
    let server = TestServer::new(&[]).await;
    let ann = server.guest("Ann").await;
    assert_eq!(
        ann.post("/api/account/recovery-codes", &json!({})).await.problem(),
        (409, "no_account".to_owned())
    );
    register(&ann, "Marina").await;
    assert_eq!(ann.post("/api/account/recovery-codes", &json!({})).await.status, 200);
    age_sign_in(&server, &ann.player).await;
    let again = (403, "sign_in_again".to_owned());
    let password = json!({ "password": "quartz violin drizzle" });
    assert_eq!(ann.post("/api/account/recovery-codes", &json!({})).await.problem(), again);
    assert_eq!(patch(&ann, "/api/account/password", &password).await.problem(), again);
    assert_eq!(ann.post("/api/account/deletion", &json!({ "name": "Marina" })).await.problem(), again);
    assert_eq!(sign_in(&ann, "Marina", PASSWORD).await.status, 200);
    assert_eq!(patch(&ann, "/api/account/password", &password).await.status, 204);
}

/// Guesses from many addresses neither go on for ever nor lock the person out at the address of the last sign-in.
#[tokio::test(flavor = "multi_thread")]
async fn attackers_do_not_lock_a_person_out() {
    let server = TestServer::new(&[("sign_ins_per_name", "4"), ("trusted_proxies", "1")]).await;
    let from = |address: &str| server.browser().with_header("x-forwarded-for", address);
    let home = "198.51.100.7";
    let ann = from(home);
    assert_eq!(ann.post("/api/session", &json!({ "name": "Ann" })).await.status, 201);
    register(&ann, "Marina").await;
    let (mut wrong, mut limited) = (0, 0);
    for number in 0..40 {
        let guess =
            sign_in(&from(&format!("203.0.113.{number}")), "Marina", &format!("guess {number}")).await;
        match guess.status {
            401 => wrong += 1,
            429 => limited += 1,
            other => panic!("{other}"),
        }
    }
    assert!((20..=28).contains(&wrong) && limited > 0, "{wrong} {limited}");
    assert_eq!(sign_in(&from("203.0.113.200"), "Marina", PASSWORD).await.status, 429, "an unknown address");
    let response = sign_in(&from(home), "Marina", PASSWORD).await;
    assert_eq!(response.status, 200, "{response:?}");
}
