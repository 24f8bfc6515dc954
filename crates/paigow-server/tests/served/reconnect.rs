//! Connections that break in every phase, and processes that end during a round: no event is missed or repeated.

use crate::cluster::Cluster;
use crate::kit::{Browser, LiveClient, SocketEvent, TestServer, clocks};
use serde_json::{Value, json};

/// Clocks without a deadline during a test.
fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

/// Reconnects a client and checks that it receives the missed events without a snapshot.
async fn reconnect(player: &Browser, live: &mut LiveClient, table: &str) {
    let (snapshots, gaps) = (live.snapshots, live.gaps);
    live.reopen(player, table).await;
    // Messages arrive in order: the missed events come before the pong.
    live.send(&json!({ "type": "ping", "n": 7 })).await;
    loop {
        let SocketEvent::Message(reply) = live.next().await else { panic!("the socket is closed") };
        if reply["type"] == "pong" {
            break;
        }
    }
    assert_eq!((live.snapshots, live.gaps), (snapshots, gaps), "the missed events were not sent");
    assert_eq!(player.get(&format!("/api/tables/{table}")).await.json()["view"], live.view);
}

/// Asserts that the sequence numbers of the events are consecutive.
fn assert_in_order(live: &LiveClient) {
    let sequence: Vec<u64> = live.events.iter().map(|(seq, _)| *seq).collect();
    assert!(sequence.windows(2).all(|pair| pair[1] == pair[0] + 1), "{sequence:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reconnect_in_any_phase_resumes_with_missed_events() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "california", &slow()).await;
    let mut watcher = LiveClient::open(&server.browser(), "t1").await;
    let (ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let mut a = LiveClient::open(&ann, "t1").await;
    let mut b = LiveClient::open(&bob, "t1").await;
    // Ann's client is disconnected during every event, and reconnects afterwards.
    let mut phases = vec![a.phase().to_owned()];
    let mut step = async |a: &mut LiveClient| {
        reconnect(&ann, a, "t1").await;
        phases.push(a.phase().to_owned());
    };
    step(&mut a).await;
    ann.command("t1", "sit", &json!({ "do": "sit", "seat": 1 })).await;
    step(&mut a).await;
    b.expect_done(json!({ "do": "sit", "seat": 2 })).await;
    step(&mut a).await;
    ann.command("t1", "bank", &json!({ "do": "take_bank", "cents": 5_000 })).await;
    step(&mut a).await;
    b.until_phase("wagers").await;
    b.wager(1_000).await;
    step(&mut a).await;
    b.expect_done(json!({ "do": "house_way" })).await;
    step(&mut a).await;
    ann.command("t1", "set", &json!({ "do": "house_way" })).await;
    step(&mut a).await;
    assert_eq!(
        phases,
        ["waiting", "waiting", "waiting", "offering", "wagers", "settings", "settings", "between"]
    );
    assert_in_order(&a);
    b.until_phase("between").await;
    watcher.until_seq(a.seq).await;
    // All viewers received the same events.
    let kinds = |live: &LiveClient| -> Vec<(u64, String)> {
        live.events.iter().map(|(seq, event)| (*seq, event["event"].to_string())).collect()
    };
    assert_eq!(kinds(&a), kinds(&watcher));
    assert!(kinds(&watcher).ends_with(&kinds(&b)));
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_from_an_old_or_invalid_event_gets_a_snapshot() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let ann = server.guest("Ann").await;
    let mut live = LiveClient::open(&ann, "t1").await;
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    live.until_phase("wagers").await;
    let early = live.seq;
    for number in 0..70 {
        let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 + 100 * (number % 5) });
        assert_eq!(ann.command("t1", &format!("w{number}"), &wager).await.status, 200);
    }
    live.until_seq(early + 70).await;
    for from in [0, early, 1_000_000, u64::MAX] {
        let mut other = LiveClient::try_open(&ann, "t1", Some(from)).await.unwrap();
        other.until("a snapshot", |live| live.snapshots == 1).await;
        assert_eq!((other.seq, &other.view, other.events.len()), (live.seq, &live.view, 0), "from {from}");
    }
    // The last 40 events are available.
    for back in [0, 1, 39, 40] {
        let mut other = LiveClient::try_open(&ann, "t1", Some(live.seq - back)).await.unwrap();
        other.seq = live.seq - back;
        other.view = live.view.clone();
        other.until_seq(live.seq).await;
        assert_eq!((other.snapshots, other.events.len() as u64), (0, back));
    }
    for bad in ["x", "-1", "1.5", ""] {
        let path = format!("/api/tables/t1/live?from={bad}");
        let upgrade = ann
            .with_header("connection", "upgrade")
            .with_header("upgrade", "websocket")
            .with_header("sec-websocket-version", "13")
            .with_header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        assert_eq!(upgrade.get(&path).await.problem(), (400, "bad_query".to_owned()), "{bad}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resume_on_the_same_socket_repeats_events() {
    let server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &slow()).await;
    let ann = server.guest("Ann").await;
    let mut live = LiveClient::open(&ann, "t1").await;
    let (start, view) = (live.seq, live.view.clone());
    live.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    let (events, now) = (live.events.clone(), live.view.clone());
    (live.seq, live.view, live.events) = (start, view, Vec::new());
    live.send(&json!({ "type": "resume", "from": start })).await;
    live.until("the repeated events", |live| live.events.len() == events.len()).await;
    assert_eq!((&live.events, &live.view), (&events, &now));
    // Later events arrive once.
    live.expect_done(json!({ "do": "ready" })).await;
    live.until_phase("settings").await;
    assert_in_order(&live);
    live.send(&json!({ "type": "resume", "from": 999_999 })).await;
    live.until("a snapshot", |live| live.snapshots == 2).await;
    assert_eq!(live.phase(), "settings");
}

/// Plays a round with a restart after every step, after which the clients reconnect.
async fn check_round_across_restarts(mut server: TestServer) {
    server.open_table("t1", "california", &slow()).await;
    let mut players = server.seat_guests("t1", 2).await;
    let mut responses = Vec::new();
    let mut own_cards = Value::Null;
    let steps = [
        (0, json!({ "do": "take_bank", "cents": 5_000 }), "wagers"),
        (
            1,
            json!({ "do": "wagers", "wagers": [{ "wager": "pai-gow", "cents": 2_000 }], "ready": true }),
            "settings",
        ),
        (1, json!({ "do": "house_way" }), "settings"),
        (0, json!({ "do": "house_way" }), "between"),
    ];
    for (step, (who, command, phase)) in steps.into_iter().enumerate() {
        let (_, live) = &mut players[who];
        let id = format!("step-{step}");
        let reply = live.command_as(&id, command.clone()).await;
        assert_eq!(reply["type"], "done", "{reply}");
        live.until_seq(reply["seq"].as_u64().unwrap()).await;
        assert_eq!(live.phase(), phase);
        let before = live.view.clone();
        responses.push((who, id, command, reply));
        server.restart().await;
        for (player, live) in &mut players {
            *player = player.at(server.process.address);
            live.reopen(player, "t1").await;
        }
        assert_eq!(players[who].0.get("/api/tables/t1").await.json()["view"], before);
        // Repeated commands get the same answers and are applied once.
        for (by, id, command, reply) in &responses {
            assert_eq!(players[*by].1.command_as(id, command.clone()).await, *reply);
        }
        let cards =
            players[1].0.get("/api/tables/t1").await.json()["view"]["seats"][1]["hand"]["cards"].clone();
        if own_cards.is_string() {
            assert_eq!(cards, own_cards, "the dealt cards changed");
        }
        own_cards = cards;
    }
    assert!(own_cards.is_string());
    let record = server.browser().get("/api/tables/t1/rounds/1").await.json();
    assert_eq!(record["record"]["outcome"], "settled");
    let nets = &record["record"]["play"]["net_cents"];
    for (index, (player, _)) in players.iter().enumerate() {
        let net = nets[(index + 1).to_string()].as_i64().unwrap();
        assert_eq!(player.cents().await, 100_000 + net);
    }
    server.process.request_stop();
    server.process.wait_for_exit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn round_continues_with_the_same_cards_after_restarts_on_sqlite() {
    check_round_across_restarts(TestServer::new(&[]).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn round_continues_with_the_same_cards_after_restarts_on_postgresql() {
    let cluster = Cluster::start();
    check_round_across_restarts(TestServer::in_database(&cluster, &[]).await).await;
}

/// A deadline that passes while no process runs fires in the next process.
#[tokio::test(flavor = "multi_thread")]
async fn overdue_deadline_fires_after_a_restart() {
    let mut server = TestServer::new(&[]).await;
    server.open_table("t1", "ez", &clocks(300, 60_000, 300, 60_000)).await;
    let (player, mut live) = server.seat_guests("t1", 1).await.remove(0);
    live.wager(1_000).await;
    live.until_phase("settings").await;
    server.restart().await;
    let player = player.at(server.process.address);
    let mut live = LiveClient::open(&player, "t1").await;
    live.until_phase("between").await;
    assert_eq!(live.own_seat()["hand"]["by"], "clock");
}

/// A client that moves between two processes with one store misses no event.
#[tokio::test(flavor = "multi_thread")]
async fn clients_of_two_processes_see_the_same_table() {
    let cluster = Cluster::start();
    let server = TestServer::in_database(&cluster, &[]).await;
    let mut second = server.another_process().await;
    assert_eq!(second.secret_file, None, "the admin has enrolled");
    server.open_table("t1", "ez", &slow()).await;
    let ann = server.guest("Ann").await;
    let bob = server.guest("Bob").await.at(second.address);
    let mut a = LiveClient::open(&ann, "t1").await;
    let mut b = LiveClient::open(&bob, "t1").await;
    a.expect_done(json!({ "do": "sit", "seat": 1 })).await;
    b.expect_done(json!({ "do": "sit", "seat": 2 })).await;
    a.until("both sit", |live| live.view["seats"].as_array().unwrap().len() == 2).await;
    a.wager(1_000).await;
    // The same command, sent to the other process.
    let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_500 });
    let first = ann.command("t1", "w", &wager).await;
    let other = ann.at(second.address).command("t1", "w", &wager).await;
    assert_eq!((first.status, first.json()), (other.status, other.json()));
    b.wager(1_000).await;
    a.expect_done(json!({ "do": "ready" })).await;
    a.until_phase("settings").await;
    b.until_phase("settings").await;
    // A client whose process is gone continues at the other process.
    a.reopen(&ann.at(second.address), "t1").await;
    a.expect_done(json!({ "do": "house_way" })).await;
    b.expect_done(json!({ "do": "house_way" })).await;
    a.until_phase("between").await;
    b.until_phase("between").await;
    assert_eq!(a.view["round"]["secret"], b.view["round"]["secret"]);
    assert_in_order(&b);
    second.request_stop();
    second.wait_for_exit().await;
}
