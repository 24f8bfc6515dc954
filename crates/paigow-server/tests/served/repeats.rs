//! A command is done once, however often and by whatever way it comes.

use crate::kit::{House, Live, clocks};
use serde_json::{Value, json};

const SIT: fn() -> Value = || json!({ "do": "sit", "seat": 2 });

/// What was answered, without the way it came by.
fn place(answer: &Value) -> (u64, u64) {
    (answer["after"].as_u64().unwrap(), answer["seq"].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_command_is_done_once_by_one_socket_two_sockets_and_http() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let ann = house.guest("Ann").await;
    let (mut one, mut other) = (Live::open(&ann, "t1").await, Live::open(&ann, "t1").await);
    let first = one.command_as("sit-1", SIT()).await;
    assert_eq!(first["type"], "done");
    assert_eq!(one.command_as("sit-1", SIT()).await, first);
    assert_eq!(other.command_as("sit-1", SIT()).await, first);
    let answer = ann.command("t1", "sit-1", &SIT()).await;
    assert_eq!((answer.status, place(&answer.json())), (200, place(&first)));
    // Money that moves moves once.
    let before = ann.cents().await;
    let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 1_000 });
    let answer = ann.command("t1", "w", &wager).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let again = [one.command_as("w", wager.clone()).await, other.command_as("w", wager.clone()).await];
    for again in again {
        assert_eq!(place(&again), place(&answer.json()));
    }
    assert_eq!(ann.cents().await, before - 1_000);
    let sat = one.events.iter().filter(|(_, event)| event["event"] == "sat").count();
    let wagered = one.events.iter().filter(|(_, event)| event["event"] == "wagered").count();
    assert_eq!((sat, wagered), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_send_the_same_command_at_once_all_hear_the_same_answer() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(9_000, 60_000, 9_000, 9_000)).await;
    let ann = house.guest("Ann").await;
    Live::open(&ann, "t1").await.done(SIT()).await;
    let before = ann.cents().await;
    let tasks: Vec<_> = (0..20)
        .map(|task| {
            let ann = ann.clone();
            tokio::spawn(async move {
                let wager = json!({ "do": "wager", "wager": "pai-gow", "cents": 2_000 });
                if task % 4 == 0 {
                    let answer = Live::open(&ann, "t1").await.command_as("w", wager).await;
                    assert_eq!(answer["type"], "done", "{answer}");
                    return place(&answer);
                }
                let answer = ann.command("t1", "w", &wager).await;
                assert_eq!(answer.status, 200, "{answer:?}");
                place(&answer.json())
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(ann.cents().await, before - 2_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_command_under_a_used_name_is_refused_and_names_are_each_ones_own() {
    let house = House::new(&[]).await;
    for table in ["t1", "t2"] {
        house.table(table, "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    }
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    let mut live = Live::open(&ann, "t1").await;
    assert_eq!(live.command_as("x", SIT()).await["type"], "done");
    for command in [json!({ "do": "sit", "seat": 3 }), json!({ "do": "stand" })] {
        let said = live.command_as("x", command.clone()).await;
        assert_eq!(said["problem"]["code"], "command_reused", "{said}");
        assert_eq!(ann.command("t1", "x", &command).await.problem(), (409, "command_reused".to_owned()));
    }
    // The same words at another table are another command.
    assert_eq!(ann.command("t2", "x", &SIT()).await.code(), "command_reused");
    let seats = ann.get("/api/tables/t2").await.json()["view"]["seats"].clone();
    assert_eq!(seats, json!([]));
    // Somebody else may call theirs the same.
    let sit = json!({ "do": "sit", "seat": 4 });
    assert_eq!(bob.command("t1", "x", &sit).await.status, 200);
}

/// A refusal changes nothing, so that asking again is asking anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_command_may_be_given_again_under_its_name() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let (ann, bob) = (house.guest("Ann").await, house.guest("Bob").await);
    assert_eq!(bob.command("t1", "b", &SIT()).await.status, 200);
    assert_eq!(ann.command("t1", "a", &SIT()).await.problem(), (409, "seat_taken".to_owned()));
    assert_eq!(bob.command("t1", "c", &json!({ "do": "stand" })).await.status, 200);
    assert_eq!(ann.command("t1", "a", &SIT()).await.status, 200);
}

/// Whoever sits at as many tables as one may has their answer again all the same.
#[tokio::test(flavor = "multi_thread")]
async fn sitting_down_again_is_answered_again_where_one_has_no_more_seats() {
    let house = House::new(&[("seats_per_person", "1")]).await;
    for table in ["t1", "t2"] {
        house.table(table, "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    }
    let ann = house.guest("Ann").await;
    let first = ann.command("t1", "sit", &SIT()).await;
    assert_eq!(first.status, 200);
    assert_eq!(ann.command("t2", "more", &SIT()).await.problem(), (409, "too_many_seats".to_owned()));
    let again = ann.command("t1", "sit", &SIT()).await;
    assert_eq!((again.status, again.json()), (200, first.json()));
}

/// Chips of the house, tables and notices have names too.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_house_does_is_done_once_too() {
    let house = House::new(&[]).await;
    house.table("t1", "ez", &clocks(9_000, 9_000, 9_000, 9_000)).await;
    let (ann, olga) = (house.guest("Ann").await, house.operator());
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
    let told = olga.post("/api/operator/notices", &notice).await.json();
    let again = olga.post("/api/operator/notices", &notice).await.json();
    assert_eq!(told, again);
    let seq = ann.get("/api/tables/t1").await.json()["seq"].clone();
    assert_eq!(seq, 2, "opened and noticed");
}
