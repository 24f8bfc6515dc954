//! Repeated commands: a command is applied once, over every connection.

use crate::kit::{LiveClient, TestServer, clocks};
use serde_json::{Value, json};

const SIT: fn() -> Value = || json!({ "do": "sit", "seat": 2 });

/// Returns the sequence numbers before and after a command, from its answer.
fn sequence_numbers(response: &Value) -> (u64, u64) {
    (response["after"].as_u64().unwrap(), response["seq"].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn command_repeated_over_sockets_and_http_is_applied_once() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let ann = server.guest("Ann").await;
    let (mut first_socket, mut second_socket) =
        (LiveClient::open(&ann, "t1").await, LiveClient::open(&ann, "t1").await);
    let first = first_socket.command_as("sit-1", SIT()).await;
    assert_eq!(first["type"], "done");
    assert_eq!(first_socket.command_as("sit-1", SIT()).await, first);
    assert_eq!(second_socket.command_as("sit-1", SIT()).await, first);
    let response = ann.command("t1", "sit-1", &SIT()).await;
    assert_eq!((response.status, sequence_numbers(&response.json())), (200, sequence_numbers(&first)));
    // Money moves once.
    let before = ann.cents().await;
    let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 });
    let response = ann.command("t1", "w", &wager).await;
    assert_eq!(response.status, 200, "{response:?}");
    let again = [
        first_socket.command_as("w", wager.clone()).await,
        second_socket.command_as("w", wager.clone()).await,
    ];
    for again in again {
        assert_eq!(sequence_numbers(&again), sequence_numbers(&response.json()));
    }
    assert_eq!(ann.cents().await, before - 1_000);
    let sat = first_socket.events.iter().filter(|(_, event)| event["event"] == "sat").count();
    let wagered = first_socket.events.iter().filter(|(_, event)| event["event"] == "wagered").count();
    assert_eq!((sat, wagered), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_copies_of_a_command_get_the_same_answer() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(9_000, 60_000, 9_000, 9_000)).await;
    let ann = server.guest("Ann").await;
    LiveClient::open(&ann, "t1").await.expect_done(SIT()).await;
    let before = ann.cents().await;
    let tasks: Vec<_> = (0..20)
        .map(|task| {
            let ann = ann.clone();
            tokio::spawn(async move {
                let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 2_000 });
                if task % 4 == 0 {
                    let response = LiveClient::open(&ann, "t1").await.command_as("w", wager).await;
                    assert_eq!(response["type"], "done", "{response}");
                    return sequence_numbers(&response);
                }
                let response = ann.command("t1", "w", &wager).await;
                assert_eq!(response.status, 200, "{response:?}");
                sequence_numbers(&response.json())
            })
        })
        .collect();
    let mut responses = Vec::new();
    for task in tasks {
        responses.push(task.await.unwrap());
    }
    responses.dedup();
    assert_eq!(responses.len(), 1, "{responses:?}");
    assert_eq!(ann.cents().await, before - 2_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn reused_command_id_is_refused_and_ids_are_per_player() {
    let server = TestServer::new(&[]).await;
    for table in ["t1", "t2"] {
        server.open_table(table, "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    }
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let mut live = LiveClient::open(&ann, "t1").await;
    assert_eq!(live.command_as("x", SIT()).await["type"], "done");
    for command in [json!({ "do": "sit", "seat": 3 }), json!({ "do": "stand" })] {
        let reply = live.command_as("x", command.clone()).await;
        assert_eq!(reply["problem"]["code"], "command_reused", "{reply}");
        assert_eq!(ann.command("t1", "x", &command).await.problem(), (409, "command_reused".to_owned()));
    }
    // The same command at another table is a different command.
    assert_eq!(ann.command("t2", "x", &SIT()).await.code(), "command_reused");
    let seats = ann.get("/api/tables/t2").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]));
    // Another player may use the same id.
    let sit = json!({ "do": "sit", "seat": 4 });
    assert_eq!(bob.command("t1", "x", &sit).await.status, 200);
}

/// Refusals are not stored.
#[tokio::test(flavor = "multi_thread")]
async fn refused_command_may_be_retried_with_the_same_id() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    assert_eq!(bob.command("t1", "b", &SIT()).await.status, 200);
    assert_eq!(ann.command("t1", "a", &SIT()).await.problem(), (409, "seat_taken".to_owned()));
    assert_eq!(bob.command("t1", "c", &json!({ "do": "stand" })).await.status, 200);
    assert_eq!(ann.command("t1", "a", &SIT()).await.status, 200);
}

/// The seat limit does not apply to a repeated command.
#[tokio::test(flavor = "multi_thread")]
async fn repeated_sit_is_answered_at_the_seat_limit() {
    let server = TestServer::new(&[("seats_per_person", "1")]).await;
    for table in ["t1", "t2"] {
        server.open_table(table, "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    }
    let ann = server.guest("Ann").await;
    let first = ann.command("t1", "sit", &SIT()).await;
    assert_eq!(first.status, 200);
    assert_eq!(ann.command("t2", "more", &SIT()).await.problem(), (409, "too_many_seats".to_owned()));
    let again = ann.command("t1", "sit", &SIT()).await;
    assert_eq!((again.status, again.json()), (200, first.json()));
}

/// Issuing chips, opening tables and sending notices have command ids as well.
#[tokio::test(flavor = "multi_thread")]
async fn repeated_operator_commands_are_applied_once() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let (ann, olga) = (server.guest("Ann").await, server.operator());
    let before = ann.cents().await;
    let chips = json!({ "id": "gift", "player": ann.player, "cents": 500 });
    for _ in 0..3 {
        assert_eq!(olga.post("/api/operator/chips", &chips).await.status, 200);
    }
    assert_eq!(ann.cents().await, before + 500);
    let more = json!({ "id": "gift", "player": ann.player, "cents": 501 });
    assert_eq!(olga.post("/api/operator/chips", &more).await.code(), "command_reused");
    let rules = json!({ "book": "ez", "clocks": clocks(9_000, 9_000, 9_000, 9_000) });
    let open = json!({ "id": "open-t1", "table": "t1", "rules": rules });
    assert_eq!(olga.post("/api/operator/tables", &open).await.status, 201);
    let notice = json!({ "id": "n", "text": "Last call" });
    let first = olga.post("/api/operator/notices", &notice).await.json();
    let again = olga.post("/api/operator/notices", &notice).await.json();
    assert_eq!(first, again);
    let seq = ann.get("/api/tables/t1").await.json()["seq"].clone();
    assert_eq!(seq, 2, "one event for the opening and one for the notice");
}
