//! Sockets that break in every part of a round, and processes that end in the middle of one: nothing is missed, nothing comes twice.

use crate::cluster::Cluster;
use crate::kit::{Browser, House, Live, Said, clocks};
use serde_json::{Value, json};

/// Long enough for nothing to be due while a test looks.
fn slow() -> Value {
    clocks(60_000, 60_000, 60_000, 60_000)
}

/// A socket of a client that has just lost its own, beside one that looks on.
async fn comes_back(player: &Browser, live: &mut Live, table: &str) {
    let (snapshots, gaps) = (live.snapshots, live.gaps);
    live.reopen(player, table).await;
    // A question and its answer come in order: all that was missed comes before.
    live.send(&json!({ "type": "ping", "n": 7 })).await;
    loop {
        let Said::Message(said) = live.next().await else { panic!("the socket is closed") };
        if said["type"] == "pong" {
            break;
        }
    }
    assert_eq!((live.snapshots, live.gaps), (snapshots, gaps), "the events were at hand");
    assert_eq!(player.get(&format!("/api/tables/{table}")).await.json()["view"], live.view);
}

/// That the places of events go up by one.
fn assert_in_order(live: &Live) {
    let places: Vec<u64> = live.events.iter().map(|(seq, _)| *seq).collect();
    assert!(places.windows(2).all(|pair| pair[1] == pair[0] + 1), "{places:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_in_any_phase_goes_on_with_the_events_they_missed() {
    let house = House::new(&[]).await;
    house.table("t1", "california", &slow()).await;
    let mut watcher = Live::open(&house.browser(), "t1").await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let mut a = Live::open(&ann, "t1").await;
    let mut b = Live::open(&bob, "t1").await;
    // Ann's client is gone whenever something happens, and comes back after it.
    let mut phases = vec![a.phase().to_owned()];
    let mut step = async |a: &mut Live| {
        comes_back(&ann, a, "t1").await;
        phases.push(a.phase().to_owned());
    };
    step(&mut a).await;
    ann.command("t1", "sit", &json!({ "do": "sit", "seat": 1 })).await;
    step(&mut a).await;
    b.done(json!({ "do": "sit", "seat": 2 })).await;
    step(&mut a).await;
    ann.command("t1", "bank", &json!({ "do": "take_bank", "cents": 5_000 })).await;
    step(&mut a).await;
    b.until_phase("wagers").await;
    b.wager(1_000).await;
    step(&mut a).await;
    b.done(json!({ "do": "house_way" })).await;
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
    // All of them were told the same, each what is theirs to see.
    let kinds = |live: &Live| -> Vec<(u64, String)> {
        live.events.iter().map(|(seq, event)| (*seq, event["event"].to_string())).collect()
    };
    assert_eq!(kinds(&a), kinds(&watcher));
    assert!(kinds(&watcher).ends_with(&kinds(&b)));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_away_too_long_or_says_nonsense_gets_the_whole_table() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let ann = house.guest("Ann").await;
    let mut live = Live::open(&ann, "t1").await;
    live.done(json!({ "do": "sit", "seat": 1 })).await;
    live.until_phase("wagers").await;
    let early = live.seq;
    for number in 0..70 {
        let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 + 100 * (number % 5) });
        assert_eq!(ann.command("t1", &format!("w{number}"), &wager).await.status, 200);
    }
    live.until_seq(early + 70).await;
    for from in [0, early, 1_000_000, u64::MAX] {
        let mut other = Live::try_open(&ann, "t1", Some(from)).await.unwrap();
        other.until("a snapshot", |live| live.snapshots == 1).await;
        assert_eq!((other.seq, &other.view, other.events.len()), (live.seq, &live.view, 0), "from {from}");
    }
    // The last 40 are at hand.
    for back in [0, 1, 39, 40] {
        let mut other = Live::try_open(&ann, "t1", Some(live.seq - back)).await.unwrap();
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
async fn events_are_had_again_by_asking_on_the_same_socket() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &slow()).await;
    let ann = house.guest("Ann").await;
    let mut live = Live::open(&ann, "t1").await;
    let (start, view) = (live.seq, live.view.clone());
    live.done(json!({ "do": "sit", "seat": 1 })).await;
    live.done(json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 })).await;
    let (events, now) = (live.events.clone(), live.view.clone());
    (live.seq, live.view, live.events) = (start, view, Vec::new());
    live.send(&json!({ "type": "resume", "from": start })).await;
    live.until("all of it again", |live| live.events.len() == events.len()).await;
    assert_eq!((&live.events, &live.view), (&events, &now));
    // What comes after comes once.
    live.done(json!({ "do": "ready" })).await;
    live.until_phase("settings").await;
    assert_in_order(&live);
    live.send(&json!({ "type": "resume", "from": 999_999 })).await;
    live.until("a snapshot", |live| live.snapshots == 2).await;
    assert_eq!(live.phase(), "settings");
}

/// A round in which the process ends after every step, and clients go on with the next one.
async fn a_round_survives_restarts(mut house: House) {
    house.table("t1", "california", &slow()).await;
    let mut players = house.seated("t1", 2).await;
    let mut answers = Vec::new();
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
        let said = live.command_as(&id, command.clone()).await;
        assert_eq!(said["type"], "done", "{said}");
        live.until_seq(said["seq"].as_u64().unwrap()).await;
        assert_eq!(live.phase(), phase);
        let before = live.view.clone();
        answers.push((who, id, command, said));
        house.restart().await;
        for (player, live) in &mut players {
            *player = player.at(house.process.address);
            live.reopen(player, "t1").await;
        }
        assert_eq!(players[who].0.get("/api/tables/t1").await.json()["view"], before);
        // What was sent before is answered as it was, and done once.
        for (by, id, command, said) in &answers {
            assert_eq!(players[*by].1.command_as(id, command.clone()).await, *said);
        }
        let cards =
            players[1].0.get("/api/tables/t1").await.json()["view"]["seats"][1]["hand"]["cards"].clone();
        if own_cards.is_string() {
            assert_eq!(cards, own_cards, "what is dealt stays dealt");
        }
        own_cards = cards;
    }
    assert!(own_cards.is_string());
    let record = house.browser().get("/api/tables/t1/rounds/1").await.json();
    assert_eq!(record["record"]["outcome"], "settled");
    let nets = &record["record"]["play"]["net_cents"];
    for (index, (player, _)) in players.iter().enumerate() {
        let net = nets[(index + 1).to_string()].as_i64().unwrap();
        assert_eq!(player.cents().await, 100_000 + net);
    }
    house.process.ask_to_stop();
    house.process.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_goes_on_with_the_same_cards_after_restarts_on_sqlite() {
    a_round_survives_restarts(House::new(&[]).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_goes_on_with_the_same_cards_after_restarts_on_postgresql() {
    let cluster = Cluster::start();
    a_round_survives_restarts(House::in_database(&cluster, &[]).await).await;
}

/// A deadline that passed while no process ran is seen to by the next one.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_due_while_nobody_served_is_seen_to_afterwards() {
    let mut house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(300, 60_000, 300, 60_000)).await;
    let (player, mut live) = house.seated("t1", 1).await.remove(0);
    live.wager(1_000).await;
    live.until_phase("settings").await;
    house.restart().await;
    let player = player.at(house.process.address);
    let mut live = Live::open(&player, "t1").await;
    live.until_phase("between").await;
    assert_eq!(live.own_seat()["hand"]["by"], "clock");
}

/// Two processes over one store: who goes from one to the other misses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn clients_of_two_processes_see_the_same_table() {
    let cluster = Cluster::start();
    let house = House::in_database(&cluster, &[]).await;
    let mut second = house.second().await;
    assert_eq!(second.secret, None, "there is one secret");
    house.table("t1", "ez", &slow()).await;
    let ann = house.guest("Ann").await;
    let bob = house.guest("Bob").await.at(second.address);
    let mut a = Live::open(&ann, "t1").await;
    let mut b = Live::open(&bob, "t1").await;
    a.done(json!({ "do": "sit", "seat": 1 })).await;
    b.done(json!({ "do": "sit", "seat": 2 })).await;
    a.until("both sit", |live| live.view["seats"].as_array().unwrap().len() == 2).await;
    a.wager(1_000).await;
    // The same command, given to the other process.
    let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_500 });
    let one = ann.command("t1", "w", &wager).await;
    let other = ann.at(second.address).command("t1", "w", &wager).await;
    assert_eq!((one.status, one.json()), (other.status, other.json()));
    b.wager(1_000).await;
    a.done(json!({ "do": "ready" })).await;
    a.until_phase("settings").await;
    b.until_phase("settings").await;
    // Somebody whose process is gone goes on with the other.
    a.reopen(&ann.at(second.address), "t1").await;
    a.done(json!({ "do": "house_way" })).await;
    b.done(json!({ "do": "house_way" })).await;
    a.until_phase("between").await;
    b.until_phase("between").await;
    assert_eq!(a.view["round"]["secret"], b.view["round"]["secret"]);
    assert_in_order(&b);
    second.ask_to_stop();
    second.ended().await;
}
