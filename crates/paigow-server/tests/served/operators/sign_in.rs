//! Enrolment and sign-in of operators.

use super::acts;
use crate::authenticator::code_of;
use crate::kit::{PASSWORD, TestServer, enrol};
use paigow_server::People;
use serde_json::{Value, json};

fn credentials(name: &str, password: &str, code: &str) -> Value {
    json!({ "name": name, "password": password, "code": code })
}

#[tokio::test(flavor = "multi_thread")]
async fn password_needs_a_code_which_works_once() {
    let server = TestServer::new(&[]).await;
    let code = code_of(&server.admin.authenticator, 1);
    let recovery = &server.admin.recovery_codes[0];
    assert_eq!(server.admin.recovery_codes.len(), 10);
    let browser = server.browser();
    let begin = async |body: Value| browser.post("/api/operator/session", &body).await.status;
    for wrong in ["", "000000", "0000-0000-0000-0000", PASSWORD] {
        assert_eq!(begin(credentials("olga", PASSWORD, wrong)).await, 401, "{wrong}");
    }
    assert_eq!(begin(credentials("olga", "another long password", &code)).await, 401);
    assert_eq!(begin(credentials("vera", PASSWORD, &code)).await, 401);
    assert_eq!(begin(credentials("olga", PASSWORD, &code)).await, 204);
    assert_eq!(begin(credentials("olga", PASSWORD, &code)).await, 401, "the code was used");
    assert_eq!(begin(credentials("olga", PASSWORD, recovery)).await, 204);
    assert_eq!(begin(credentials("olga", PASSWORD, recovery)).await, 401, "the recovery code was used");
    let session = browser.get("/api/operator/session").await.json();
    assert_eq!((&session["name"], &session["role"]), (&json!("olga"), &json!("admin")));
    assert_eq!(session["may"], json!(["read", "tables", "chips", "administer"]));
    assert_eq!(session["approval_above_cents"], 100_000);
    let outcomes: Vec<String> = acts(&server).await.into_iter().map(|(_, _, outcome)| outcome).collect();
    let wrong = "wrong_credentials";
    assert_eq!(outcomes, ["done", wrong, wrong, wrong, wrong, wrong, wrong, "done", wrong, "done", wrong]);
}

#[tokio::test(flavor = "multi_thread")]
async fn stolen_cookie_is_refused_after_sign_out() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    let thief = server.browser();
    thief.set_cookie("paigow_operator", &olga.cookie("paigow_operator").unwrap());
    assert_eq!(thief.get("/api/operator/session").await.status, 200);
    assert_eq!(olga.delete("/api/operator/session").await.status, 204);
    assert_eq!(thief.get("/api/operator/session").await.problem(), (401, "no_session".to_owned()));
    assert_eq!(thief.get("/api/operator/acts").await.problem(), (401, "no_session".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_wrong_passwords_are_limited_and_logged_with_the_address() {
    let limits = [("sign_ins_per_name", "5"), ("sign_ins_per_address", "20"), ("trusted_proxies", "1")];
    let server = TestServer::new(&limits).await;
    let eve = server.browser().with_header("x-forwarded-for", "203.0.113.9");
    let mut statuses = Vec::new();
    for number in 0..100 {
        let body = credentials("olga", &format!("wrong password {number}"), "000000");
        statuses.push(eve.post("/api/operator/session", &body).await.status);
    }
    let tried = statuses.iter().filter(|status| **status == 401).count();
    // The limits refill slowly while the test runs.
    assert!((5..=8).contains(&tried), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 401 | 429)), "{statuses:?}");
    let store = server.open_store().await;
    let logged = store.acts(0, 1_000).await.unwrap();
    let refused: Vec<&str> = logged.iter().map(|act| act.detail.as_str()).collect();
    let of = |outcome: &str| {
        let of = refused.iter().filter(|detail| detail.contains("203.0.113.9") && detail.contains(outcome));
        of.count()
    };
    assert_eq!((of("wrong_credentials"), of("too_many_tries")), (tried, 1), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reserved_names_and_easy_passwords_are_refused() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    for name in ["house", "Clock", "OPERATOR", "dealer", "bank", "server", "system", "paigow"] {
        let new = json!({ "name": name, "role": "viewer" });
        let response = olga.post("/api/operator/operators", &new).await;
        assert_eq!(response.problem(), (422, "bad_name".to_owned()), "{name}");
        let body = json!({ "name": name, "code": server.secret, "password": PASSWORD });
        let response = server.browser().post("/api/operator/enrolment/options", &body).await;
        assert_eq!(response.problem(), (422, "bad_name".to_owned()), "{name}");
    }
    let same = json!({ "name": "OLGA", "role": "viewer" });
    assert_eq!(olga.post("/api/operator/operators", &same).await.code(), "operator_exists");
    let added =
        olga.post("/api/operator/operators", &json!({ "name": "vera", "role": "viewer" })).await.json();
    let body = json!({ "name": "vera", "code": added["code"], "password": "password" });
    let response = server.browser().post("/api/operator/enrolment/options", &body).await;
    assert_eq!(response.problem(), (422, "bad_password".to_owned()));
    let faults = response.json()["faults"].clone();
    let codes: Vec<&Value> = faults.as_array().unwrap().iter().map(|fault| &fault["code"]).collect();
    assert_eq!(codes, ["password_short", "password_common"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn secret_enrols_one_admin_until_it_is_replaced() {
    let server = TestServer::new(&[]).await;
    let options = async |name: &str, code: &str| {
        let body = json!({ "name": name, "code": code, "password": PASSWORD });
        server.browser().post("/api/operator/enrolment/options", &body).await
    };
    assert_eq!(options("eve", &server.secret).await.problem(), (409, "admin_exists".to_owned()));
    let wrong = "00".repeat(32);
    assert_eq!(options("eve", &wrong).await.problem(), (401, "wrong_credentials".to_owned()));
    // The way back for a club without admins: a new secret in the store.
    let store = server.open_store().await;
    let new = [9; 32];
    store.replace_operator_secret(paigow_server::secret_digest(&new), paigow_table::Time(1)).await.unwrap();
    assert_eq!(server.operator().get("/api/operator/session").await.status, 401, "sessions end");
    let again = enrol(&server.browser(), "olga", &"09".repeat(32)).await;
    assert_eq!(again.browser.get("/api/operator/session").await.json()["role"], "admin");
    assert_eq!(options("eve", &"09".repeat(32)).await.problem(), (409, "admin_exists".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn enrolment_codes_work_once_and_resets_end_sessions() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    let added =
        olga.post("/api/operator/operators", &json!({ "name": "vera", "role": "viewer" })).await.json();
    let code = added["code"].as_str().unwrap();
    let vera = enrol(&server.browser(), "vera", code).await.browser;
    let body = json!({ "name": "vera", "code": code, "password": PASSWORD });
    let response = server.browser().post("/api/operator/enrolment/options", &body).await;
    assert_eq!(response.problem(), (401, "wrong_credentials".to_owned()));
    let reset = olga.post("/api/operator/operators/vera/enrolment", &json!({})).await;
    assert_eq!(reset.status, 200);
    assert_eq!(vera.get("/api/operator/session").await.status, 401);
    let vera = enrol(&server.browser(), "vera", reset.json()["code"].as_str().unwrap()).await.browser;
    assert_eq!(vera.get("/api/operator/session").await.status, 200);
    let changed = olga.patch("/api/operator/operators/vera", &json!({ "disabled": true })).await;
    assert_eq!((changed.status, &changed.json()["disabled"]), (200, &json!(true)));
    assert_eq!(vera.get("/api/operator/session").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn last_admin_is_protected() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    for change in [json!({ "role": "viewer" }), json!({ "disabled": true })] {
        let response = olga.patch("/api/operator/operators/olga", &change).await;
        assert_eq!(response.problem(), (409, "last_admin".to_owned()), "{change}");
    }
    let response = olga.post("/api/operator/operators/olga/enrolment", &json!({})).await;
    assert_eq!(response.problem(), (409, "last_admin".to_owned()));
    // An admin who has not enrolled does not count.
    olga.post("/api/operator/operators", &json!({ "name": "anna", "role": "admin" })).await;
    let response = olga.patch("/api/operator/operators/olga", &json!({ "role": "viewer" })).await;
    assert_eq!(response.problem(), (409, "last_admin".to_owned()));
    server.add_operator("berta", "admin").await;
    let response = olga.patch("/api/operator/operators/olga", &json!({ "role": "viewer" })).await;
    assert_eq!((response.status, &response.json()["role"]), (200, &json!("viewer")));
}

#[tokio::test(flavor = "multi_thread")]
async fn passkey_options_are_those_of_webauthn() {
    let server = TestServer::new(&[]).await;
    let added =
        server.operator().post("/api/operator/operators", &json!({ "name": "vera", "role": "viewer" })).await;
    let body = json!({ "name": "vera", "code": added.json()["code"] });
    let port = server.process.address.port();
    let origin = format!("http://localhost:{port}");
    let page =
        server.browser().with_header("origin", &origin).with_header("host", &format!("localhost:{port}"));
    let options = page.post("/api/operator/enrolment/options", &body).await.json();
    assert_eq!(options["totp"], Value::Null);
    let key = &options["options"]["publicKey"];
    assert_eq!((&key["rp"]["id"], &key["user"]["name"]), (&json!("localhost"), &json!("vera")));
    assert_eq!(key["authenticatorSelection"]["userVerification"], "required");
    let finish = json!({ "ceremony": options["ceremony"], "credential": {} });
    assert_eq!(
        page.post("/api/operator/enrolment", &finish).await.problem(),
        (422, "bad_passkey".to_owned())
    );
    assert_eq!(page.post("/api/operator/enrolment", &finish).await.code(), "no_such_ceremony");
    let name = json!({ "name": "olga" });
    let response = page.post("/api/operator/session/passkey/options", &name).await;
    assert_eq!(response.problem(), (401, "wrong_credentials".to_owned()), "olga has no passkey");
    // Browsers have no passkeys at an IP address.
    let response = server.browser().post("/api/operator/enrolment/options", &body).await;
    assert_eq!(response.problem(), (409, "passkeys_unavailable".to_owned()));
}

/// Names that look alike would confuse the log.
#[tokio::test(flavor = "multi_thread")]
async fn operator_names_are_unique_by_how_they_look() {
    let server = TestServer::new(&[]).await;
    for name in ["OLGA", "0lga", "o.lga", "oIga"] {
        let new = json!({ "name": name, "role": "viewer" });
        let response = server.operator().post("/api/operator/operators", &new).await;
        assert_eq!(response.problem(), (409, "operator_exists".to_owned()), "{name}");
    }
    let store = server.open_store().await;
    let secret = paigow_server::secret_digest(&[9; 32]);
    store.replace_operator_secret(secret, paigow_table::Time(1)).await.unwrap();
    for name in ["Olga", "0lga"] {
        let body = json!({ "name": name, "code": "09".repeat(32), "password": PASSWORD });
        let response = server.browser().post("/api/operator/enrolment/options", &body).await;
        assert_eq!(response.problem(), (409, "operator_exists".to_owned()), "{name}");
    }
    // The secret still enrols the operator of exactly that name.
    enrol(&server.browser(), "olga", &"09".repeat(32)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refused_enrolment_is_logged_with_the_address() {
    let server = TestServer::new(&[("trusted_proxies", "1")]).await;
    let eve = server.browser().with_header("x-forwarded-for", "203.0.113.9");
    let added =
        server.operator().post("/api/operator/operators", &json!({ "name": "vera", "role": "viewer" })).await;
    let code = added.json()["code"].clone();
    let wrong = "00".repeat(32);
    let mut expected = Vec::new();
    for (name, code, password) in [
        ("house", json!(wrong), json!(PASSWORD)),
        ("vera", json!(wrong), json!(PASSWORD)),
        ("vera", json!("no code"), json!(PASSWORD)),
        ("vera", json!(server.secret), json!(PASSWORD)),
        ("vera", code.clone(), json!("password")),
        ("vera", code.clone(), Value::Null),
    ] {
        let body = json!({ "name": name, "code": code, "password": password });
        let refused = eve.post("/api/operator/enrolment/options", &body).await;
        expected.push((name.to_owned(), refused.code()));
    }
    let unknown = eve.post("/api/operator/enrolment", &json!({ "ceremony": wrong, "code": "000000" })).await;
    expected.push(("operator".to_owned(), unknown.code()));
    let body = json!({ "name": "vera", "code": code, "password": PASSWORD });
    let begun = eve.post("/api/operator/enrolment/options", &body).await.json();
    let finish = json!({ "ceremony": begun["ceremony"], "code": "000000" });
    expected.push(("vera".to_owned(), eve.post("/api/operator/enrolment", &finish).await.code()));
    let codes: Vec<&str> = expected.iter().map(|(_, code)| code.as_str()).collect();
    let wrong = "wrong_credentials";
    assert_eq!(
        codes,
        [
            "bad_name",
            wrong,
            wrong,
            "admin_exists",
            "bad_password",
            "passkeys_unavailable",
            "no_such_ceremony",
            wrong
        ]
    );
    let acts = server.open_store().await.acts(0, 1_000).await.unwrap();
    let logged = acts.iter().filter(|act| act.what == "session.begin" && act.detail.contains("203.0.113.9"));
    let logged: Vec<(String, String)> = logged
        .map(|act| {
            let detail: Value = serde_json::from_str(&act.detail).unwrap();
            assert_eq!(detail["method"], "enrolment", "{detail}");
            (act.operator.to_string(), detail["outcome"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(logged, expected);
}

/// A passkey or password that was checked before a reset begins no session after it.
#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_race_with_resets_and_never_outlive_them() {
    let server = TestServer::new(&[]).await;
    let olga = server.operator();
    let vera = server.add_operator("vera", "viewer").await;
    for recovery in &vera.recovery_codes[..3] {
        let browser = server.browser();
        let (body, disable) = (credentials("vera", PASSWORD, recovery), json!({ "disabled": true }));
        let (began, disabled) = tokio::join!(
            browser.post("/api/operator/session", &body),
            olga.patch("/api/operator/operators/vera", &disable)
        );
        assert_eq!(disabled.status, 200);
        assert!(matches!(began.status, 204 | 401), "{began:?}");
        let enabled = olga.patch("/api/operator/operators/vera", &json!({ "disabled": false })).await;
        assert_eq!(enabled.status, 200);
        assert_eq!(browser.get("/api/operator/session").await.status, 401, "{began:?}");
    }
}
