//! Players without open sockets: their seats sit out after one missed round.

use crate::kit::{LiveClient, TestServer, clocks};
use serde_json::{Value, json};

fn is_out(live: &LiveClient, seat: u64) -> bool {
    live.view["seats"].as_array().unwrap().iter().any(|one| one["seat"] == seat && one["out"] == true)
}

/// Plays a round of the first seat alone, until its result.
async fn play_alone(live: &mut LiveClient) {
    live.until("wagers", |live| live.phase() == "wagers").await;
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 2_500 })).await;
    live.until("the deal", |live| live.phase() == "settings").await;
    live.expect_done(json!({ "do": "house_way" })).await;
    live.until("the result", |live| live.phase() == "between").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_of_a_player_without_socket_sits_out_after_one_missed_round() {
    let server = TestServer::new(&[("absent_seconds", "1")]).await;
    server.open_table("green", "south-dakota", &clocks(1_000, 3_000, 20_000, 2_000)).await;
    let mut guests = server.seat_guests("green", 3).await;
    let (_, present) = guests.pop().unwrap();
    let (absent, socket) = guests.pop().unwrap();
    let (_, mut live) = guests.pop().unwrap();
    drop(socket);
    play_alone(&mut live).await;
    live.until("the seat of the absent player to sit out", |live| is_out(live, 2)).await;
    // The player at seat 3 missed the same round with an open socket.
    live.until("the next round", |live| live.phase() == "wagers").await;
    assert!(!is_out(&live, 3), "{}", live.view);
    // After a return the seat plays on.
    let mut back = LiveClient::open(&absent, "green").await;
    back.expect_done(json!({ "do": "return" })).await;
    play_alone(&mut live).await;
    assert!(!is_out(&live, 2) && !is_out(&live, 3), "{}", live.view);
    let events: Vec<Value> = live
        .events
        .iter()
        .map(|(_, event)| event)
        .filter(|event| event["event"] == "sat_out")
        .cloned()
        .collect();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["by"], json!({ "operator": "house" }));
    drop(present);
}
