//! Tables with seats for invited players.

use super::assert_clean;
use crate::kit::{Browser, LiveClient, TestServer};
use paigow_server::{DocumentKey, DocumentKind, DocumentWrite, Documents, People, PeopleChange};
use serde_json::{Value, json};

async fn open_own(owner: &Browser) -> String {
    let body = json!({ "book": "ez", "name": "Club", "private": true, "seats": "invited" });
    let response = owner.post("/api/tables", &body).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()["table"].as_str().unwrap().to_owned()
}

async fn invite(owner: &Browser, table: &str) -> Value {
    let response = owner.post(&format!("/api/tables/{table}/invitations"), &json!({ "hours": 24 })).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()
}

async fn lists(browser: &Browser, table: &str) -> bool {
    browser.get("/api/tables?limit=500").await.text().contains(table)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_invited_players_sit() {
    let server = TestServer::new(&[]).await;
    let (owner, friend, eve) =
        (server.guest("Owner").await, server.guest("Friend").await, server.guest("Eve").await);
    let table = open_own(&owner).await;
    let sit = |seat: u8| json!({ "do": "sit", "seat": seat });
    assert_eq!(eve.command(&table, "sit", &sit(2)).await.problem(), (409, "not_invited".to_owned()));
    assert_eq!(LiveClient::open(&eve, &table).await.expect_refused(sit(2)).await, "not_invited");
    assert_eq!(owner.command(&table, "sit", &sit(1)).await.status, 200);
    let invitations = format!("/api/tables/{table}/invitations");
    assert_eq!(
        eve.post(&invitations, &json!({ "hours": 1 })).await.problem(),
        (403, "not_opener".to_owned())
    );
    assert_eq!(eve.get(&invitations).await.problem(), (403, "not_opener".to_owned()));
    for hours in [0, 721] {
        let response = owner.post(&invitations, &json!({ "hours": hours })).await;
        assert_eq!(response.problem(), (422, "bad_hours".to_owned()));
    }
    let invitation = invite(&owner, &table).await;
    let secret = invitation["secret"].as_str().unwrap();
    assert_eq!(invitation["path"], format!("/join/{secret}"));
    let path = format!("/api/invitations/{secret}");
    let shown = server.browser().get(&path).await.json();
    assert_eq!(
        (&shown["table"], &shown["name"], &shown["book"]),
        (&json!(table), &json!("Club"), &json!("ez"))
    );
    assert!(!lists(&friend, &table).await);
    for _ in 0..2 {
        let accepted = friend.post(&path, &json!({})).await;
        assert_eq!((accepted.status, &accepted.json()["table"]), (200, &json!(table)));
    }
    assert!(lists(&friend, &table).await && !lists(&eve, &table).await);
    assert_eq!(friend.command(&table, "sit", &sit(2)).await.status, 200);
    let listed = owner.get(&invitations).await.json();
    assert_eq!(listed["invitations"][0]["accepted"], 1);
    assert_eq!(listed["members"], json!([{ "player": friend.player, "name": "Friend" }]));
    // A removed member stands up and may not sit again.
    let member = format!("/api/tables/{table}/members/{}", friend.player);
    assert_eq!(eve.delete(&member).await.status, 403);
    assert_eq!(owner.delete(&member).await.status, 204);
    let seats = owner.get(&format!("/api/tables/{table}")).await.json()["view"]["seats"].clone();
    assert_eq!(seats.as_array().unwrap().len(), 1, "{seats}");
    assert_eq!(friend.command(&table, "again", &sit(2)).await.code(), "not_invited");
    assert_eq!(owner.delete(&member).await.problem(), (404, "no_such_member".to_owned()));
    // The removed member has the link, so it is withdrawn.
    let gone = (404, "no_such_invitation".to_owned());
    assert_eq!(friend.post(&path, &json!({})).await.problem(), gone);
    assert_eq!(owner.get(&invitations).await.json()["invitations"], json!([]));
    // A withdrawn invitation is unknown.
    let invitation = invite(&owner, &table).await;
    let id = invitation["id"].as_str().unwrap();
    assert_eq!(owner.delete(&format!("{invitations}/{id}")).await.status, 204);
    let path = format!("/api/invitations/{}", invitation["secret"].as_str().unwrap());
    assert_eq!(eve.post(&path, &json!({})).await.problem(), gone);
    assert_eq!(eve.get("/api/invitations/0000").await.problem(), gone);
    assert_clean(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invitations_expire_and_tables_for_anyone_have_none() {
    let server = TestServer::new(&[]).await;
    let (owner, friend) = (server.guest("Owner").await, server.guest("Friend").await);
    let table = open_own(&owner).await;
    let invitation = invite(&owner, &table).await;
    let store = server.open_store().await;
    let key =
        DocumentKey { kind: DocumentKind::Invitation, id: invitation["id"].as_str().unwrap().to_owned() };
    let document = store.document(&key).await.unwrap().unwrap();
    let mut json: Value = serde_json::from_str(&document.json).unwrap();
    json["until"] = json!(json["until"].as_u64().unwrap() - 25 * 3_600_000);
    let write = DocumentWrite { key, expected: document.version, json: Some(json.to_string()) };
    let change = PeopleChange { documents: vec![write], ..PeopleChange::default() };
    assert!(store.change_people(change, paigow_table::Time(1)).await.unwrap());
    let path = format!("/api/invitations/{}", invitation["secret"].as_str().unwrap());
    assert_eq!(friend.post(&path, &json!({})).await.problem(), (404, "no_such_invitation".to_owned()));
    let listed = owner.get(&format!("/api/tables/{table}/invitations")).await.json();
    assert_eq!(listed["invitations"], json!([]));
    // Anyone may sit at a table that does not ask for invitations.
    let open = owner.post("/api/tables", &json!({ "book": "ez" })).await.json()["table"].clone();
    let open = open.as_str().unwrap();
    let refused = owner.post(&format!("/api/tables/{open}/invitations"), &json!({ "hours": 1 })).await;
    assert_eq!(refused.problem(), (409, "seats_for_anyone".to_owned()));
    assert_eq!(friend.command(open, "sit", &json!({ "do": "sit", "seat": 1 })).await.status, 200);
}

/// Operators with the permission invite to tables of the house, and only to those.
#[tokio::test(flavor = "multi_thread")]
async fn operators_invite_to_tables_of_the_house() {
    let server = TestServer::new(&[]).await;
    let (floor, cashier) =
        (server.add_operator("fred", "floor").await, server.add_operator("carl", "cashier").await);
    let (floor, cashier) = (floor.browser, cashier.browser);
    let (friend, eve) = (server.guest("Friend").await, server.guest("Eve").await);
    let open = |table: &str, seats: &str| {
        let rules = json!({ "book": "ez", "name": "Club", "private": true, "seats": seats });
        json!({ "id": format!("open-{table}"), "table": table, "rules": rules })
    };
    for _ in 0..2 {
        let opened = floor.post("/api/operator/tables", &open("vip", "invited")).await;
        assert_eq!(opened.status, 201, "{opened:?}");
    }
    let sit = json!({ "do": "sit", "seat": 1 });
    assert_eq!(friend.command("vip", "early", &sit).await.problem(), (409, "not_invited".to_owned()));
    let path = "/api/operator/tables/vip/invitations";
    let hours = json!({ "hours": 24 });
    assert_eq!(cashier.post(path, &hours).await.problem(), (403, "not_allowed".to_owned()));
    assert_eq!(floor.post(path, &json!({ "hours": 0 })).await.problem(), (422, "bad_hours".to_owned()));
    // No player invites to a table of the house.
    let refused = friend.post("/api/tables/vip/invitations", &hours).await;
    assert_eq!(refused.problem(), (403, "not_opener".to_owned()));
    let made = floor.post(path, &hours).await;
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    let accept = format!("/api/invitations/{}", made["secret"].as_str().unwrap());
    assert_eq!(friend.post(&accept, &json!({})).await.json()["table"], "vip");
    assert_eq!(friend.command("vip", "sit", &sit).await.status, 200);
    assert!(lists(&friend, "vip").await && !lists(&eve, "vip").await);
    let listed = cashier.get(path).await.json();
    assert_eq!(listed["invitations"][0]["accepted"], 1);
    assert_eq!(listed["members"], json!([{ "player": friend.player, "name": "Friend" }]));
    let console = floor.get("/api/operator/tables").await.json();
    let invited: Vec<&str> = console["tables"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|table| table["invited"] == true)
        .map(|table| table["table"].as_str().unwrap())
        .collect();
    assert_eq!(invited, ["vip"]);

    let withdrawn = floor.post(path, &hours).await.json();
    let id = withdrawn["id"].as_str().unwrap();
    assert_eq!(cashier.delete(&format!("{path}/{id}")).await.problem(), (403, "not_allowed".to_owned()));
    assert_eq!(floor.delete(&format!("{path}/{id}")).await.status, 204);
    let gone = (404, "no_such_invitation".to_owned());
    let withdrawn = format!("/api/invitations/{}", withdrawn["secret"].as_str().unwrap());
    assert_eq!(eve.post(&withdrawn, &json!({})).await.problem(), gone);
    let member = format!("/api/operator/tables/vip/members/{}", friend.player);
    assert_eq!(cashier.delete(&member).await.status, 403);
    assert_eq!(floor.delete(&member).await.status, 204);
    assert_eq!(floor.delete(&member).await.problem(), (404, "no_such_member".to_owned()));
    assert_eq!(friend.command("vip", "again", &sit).await.code(), "not_invited");
    assert_eq!(friend.post(&accept, &json!({})).await.problem(), gone);
    assert_eq!(floor.get(path).await.json(), json!({ "invitations": [], "members": [] }));

    // Operators do not invite to tables of players, nor to tables for anyone.
    let own = open_own(&eve).await;
    let refused = floor.post(&format!("/api/operator/tables/{own}/invitations"), &hours).await;
    assert_eq!(refused.problem(), (403, "not_opener".to_owned()));
    assert_eq!(floor.post("/api/operator/tables", &open("all", "anyone")).await.status, 201);
    let refused = floor.post("/api/operator/tables/all/invitations", &hours).await;
    assert_eq!(refused.problem(), (409, "seats_for_anyone".to_owned()));

    let acts = server.open_store().await.acts(0, 10_000).await.unwrap();
    for what in ["invitation.make", "invitation.withdraw", "member.remove", "invitations"] {
        let by_fred = acts.iter().filter(|act| act.what == what && act.operator.as_str() == "fred");
        assert!(by_fred.count() > 0, "{what}");
    }
    let secret = made["secret"].as_str().unwrap();
    assert!(acts.iter().all(|act| !act.detail.contains(secret)), "the log has no secret");
    assert_clean(&server).await;
}
