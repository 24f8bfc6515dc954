//! Results of players: for every round, the result is the sum of its parts, and the results agree with the journal.

use crate::kit::{BOOKS, Browser, LiveClient, TestServer, clocks, until};
use futures_util::future::join_all;
use paigow::{Arrangement, SevenCards};
use paigow_math::Fraction;
use paigow_testkit::{Rng, hand, table_rules};
use serde_json::{Value, json};
use std::env;

/// Rounds at the table of each book. `PAIGOW_ROUNDS` sets another number for a longer run.
fn rounds_per_book() -> u64 {
    env::var("PAIGOW_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(6)
}

/// Parses an exact fraction of cents.
pub(crate) fn exact(value: &Value) -> Fraction {
    let (top, bottom) = value.as_str().unwrap().split_once('/').unwrap();
    Fraction::new(top.parse::<i128>().unwrap(), bottom.parse::<i128>().unwrap())
}

fn whole(value: &Value) -> Fraction {
    Fraction::new(value.as_i64().unwrap(), 1)
}

/// Returns a random legal low hand, which often gives something away.
fn random_low_hand(book: &str, cards: SevenCards, rng: &mut Rng) -> String {
    let rules = table_rules(book, &[], &[]);
    let legal =
        cards.splits().filter_map(|(high, low)| Arrangement { high, low }.set(rules.evaluator()).ok());
    let legal: Vec<String> = legal.map(|setting| setting.low.to_string()).collect();
    rng.pick(&legal).clone()
}

/// Wagers of a table at their minimum, without those whose odds need a count of the base game.
pub(crate) fn wagers(live: &LiveClient) -> Value {
    let offered = live.view["facts"]["wagers"].as_array().unwrap().iter();
    let counted = offered.filter(|wager| wager["wager"] != "pai-gowd").map(|wager| {
        let color = if wager["color"] == true { json!("black") } else { Value::Null };
        json!({ "wager": wager["wager"], "cents": wager["min_cents"], "color": color })
    });
    counted.collect()
}

/// Plays rounds at a table: the first player sets at random, the second by the house way. Seats bank where they may.
pub(crate) async fn play(book: &str, rounds: u64, players: &mut [(Browser, LiveClient)], rng: &mut Rng) {
    let banking = players[0].1.view["facts"]["banking"].clone();
    for round in 1..=rounds {
        let mut banker = None;
        if banking["offered"] == true {
            let live = &mut players[0].1;
            live.until("the next round", |live| live.round() == round && live.phase() == "offering").await;
            let seat = live.view["offered"].as_u64().unwrap() as usize;
            banker = Some(seat);
            players[seat - 1].1.expect_done(json!({ "do": "take_bank", "cents": 50_000 })).await;
        }
        for (index, (_, live)) in players.iter_mut().enumerate() {
            live.until("wagers", |live| live.round() == round && live.phase() == "wagers").await;
            if banker != Some(index + 1) {
                let wagers = wagers(live);
                live.expect_done(json!({ "do": "wagers", "wagers": wagers, "ready": true })).await;
            }
        }
        for (index, (_, live)) in players.iter_mut().enumerate() {
            live.until_phase("settings").await;
            let cards = hand(live.own_seat()["hand"]["cards"].as_str().unwrap());
            let command = match index {
                0 => json!({ "do": "set", "front": random_low_hand(book, cards, rng) }),
                _ => json!({ "do": "house_way" }),
            };
            live.expect_done(command).await;
        }
        for (_, live) in players.iter_mut() {
            live.until("the result", |live| live.round() > round || live.phase() == "between").await;
        }
    }
}

/// Returns all results of a player, page by page.
async fn all_results(player: &Browser, limit: u32) -> Vec<Value> {
    let (mut all, mut before) = (Vec::new(), String::new());
    loop {
        let page = player.get(&format!("/api/session/results?limit={limit}{before}")).await.json();
        all.extend(page["results"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_u64() else { return all };
        before = format!("&before={next}");
    }
}

/// Returns the sum of a player's transfers that belong to a round.
async fn journal_of_rounds(player: &Browser) -> i64 {
    let me = format!("player:{}", player.player);
    let (mut sum, mut after) = (0, 0);
    loop {
        let page = player.get(&format!("/api/session/journal?limit=500&after={after}")).await.json();
        for transfer in page["transfers"].as_array().unwrap() {
            let sign = i64::from(transfer["to"] == me.as_str()) - i64::from(transfer["from"] == me.as_str());
            if !transfer["round"].is_null() {
                sum += sign * transfer["cents"].as_i64().unwrap();
            }
        }
        let Some(next) = page["next"].as_u64() else { return sum };
        after = next;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_the_sum_of_their_parts_and_agree_with_the_journal() {
    let rounds = rounds_per_book();
    let server = TestServer::new(&[("guest_chips_cents", "100000000")]).await;
    let mut rng = Rng::new(21);
    let first = server.guest("Guest 1").await;
    let second = server.guest("Guest 2").await;
    for book in BOOKS {
        let table = format!("results-{book}");
        server.open_table(&table, book, &clocks(600_000, 600_000, 600_000, 1)).await;
        let mut players = Vec::new();
        for (seat, guest) in [(1, &first), (2, &second)] {
            let mut live = LiveClient::open(guest, &table).await;
            live.expect_done(json!({ "do": "sit", "seat": seat })).await;
            players.push((guest.clone(), live));
        }
        play(book, rounds, &mut players, &mut rng).await;
        server.operator_command(&table, &format!("close-{book}"), json!({ "do": "close" })).await;
        server
            .operator_command(
                &table,
                &format!("void-{book}"),
                json!({ "do": "void", "reason": { "code": "machine_fault" } }),
            )
            .await;
    }
    for player in [&first, &second] {
        let all = rounds as usize * BOOKS.len();
        until("the end of all rounds", async || all_results(player, 50).await.len() >= all).await;
        let results = all_results(player, 7).await;
        assert_eq!(results, all_results(player, 50).await, "pages of another size have the same results");
        let mut net = 0;
        for result in &results {
            let parts = [&result["expected"], &result["given_away"], &result["luck"]].map(exact);
            let sum = parts.into_iter().sum::<Fraction>() + whole(&result["unjudged_cents"]);
            assert_eq!(sum, whole(&result["net_cents"]), "{result}");
            net += result["net_cents"].as_i64().unwrap();
            let wagers = result["wagers"].as_array().unwrap();
            let judged: Vec<&Value> = wagers.iter().filter(|wager| !wager["expected"].is_null()).collect();
            let expected: Fraction = judged.iter().map(|wager| exact(&wager["expected"])).sum();
            assert_eq!(expected, exact(&result["expected"]));
            let given_away: Fraction = judged.iter().map(|wager| exact(&wager["given_away"])).sum();
            assert_eq!(given_away, exact(&result["given_away"]));
            assert!(given_away <= Fraction::zero(), "{result}");
            assert_eq!(
                given_away == Fraction::zero(),
                result["low"] == result["best_low"] || judged.is_empty()
            );
            let unjudged: i64 = wagers
                .iter()
                .filter(|wager| wager["expected"].is_null())
                .map(|wager| wager["net_cents"].as_i64().unwrap())
                .sum();
            // Results of a banking seat belong to no wager.
            if !wagers.is_empty() {
                assert_eq!(result["unjudged_cents"], unjudged);
            }
            assert_eq!(
                *result,
                player
                    .get(&format!(
                        "/api/session/results/{}/{}",
                        result["table"].as_str().unwrap(),
                        result["round"]
                    ))
                    .await
                    .json()
            );
        }
        assert_eq!(net, journal_of_rounds(player).await, "the results are the transfers of the journal");
        check_against_best(player, &results).await;
        check_against_odds(player, &results).await;
        let is_given_away = results.iter().any(|result| exact(&result["given_away"]) < Fraction::zero());
        assert!(is_given_away || player.player != first.player, "no random setting gave anything away");
    }
    let other = server.guest("Other").await;
    assert_eq!(all_results(&other, 50).await, Vec::<Value>::new());
    assert_eq!(
        other.get("/api/session/results/results-ez/1").await.problem(),
        (404, "no_such_result".to_owned())
    );
    assert_eq!(other.get("/api/session/results/none/1").await.problem(), (404, "no_such_table".to_owned()));
    let last = format!("/api/session/results/results-ez/{}", u64::MAX);
    assert_eq!(first.get(&last).await.problem(), (404, "no_such_result".to_owned()));
    assert_eq!(server.browser().get("/api/session/results").await.problem(), (401, "no_session".to_owned()));
}

/// The list and the single result of the same round are different answers, also for requests at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn own_seats_earn_no_envy_bonus_and_concurrent_requests_get_their_own_answers() {
    let server = TestServer::new(&[]).await;
    let rules = json!({ "book": "south-dakota", "changes": { "seats.hands_per_player": "2" }, "clocks": clocks(600_000, 600_000, 600_000, 600_000) });
    server.open_table_with("two-hands", rules).await;
    let guest = server.guest("Guest").await;
    let mut live = LiveClient::open(&guest, "two-hands").await;
    for seat in [1, 2] {
        live.expect_done(json!({ "do": "sit", "seat": seat })).await;
    }
    live.until_phase("wagers").await;
    for seat in [1, 2] {
        let wagers = json!([{ "wager": "pai-gow", "cents": 1_000 }, { "wager": "fortune", "cents": 500 }]);
        live.expect_done(json!({ "do": "wagers", "seat": seat, "wagers": wagers, "ready": true })).await;
    }
    live.until_phase("settings").await;
    for seat in [1, 2] {
        live.expect_done(json!({ "do": "house_way", "seat": seat })).await;
    }
    live.until_phase("between").await;
    let paths =
        ["/api/session/results?limit=1", "/api/session/results/two-hands/1", "/api/session/results?limit=2"];
    let answers = join_all((0..12).map(|index| {
        let guest = guest.clone();
        async move { (index % 3, guest.get(paths[index % 3]).await.json()) }
    }))
    .await;
    let single = guest.get(paths[1]).await.json();
    for (path, answer) in answers {
        let result = if path == 1 { &answer } else { &answer["results"][0] };
        assert_eq!(*result, single, "{}", paths[path]);
    }
    assert_eq!(single["cards"], Value::Null, "two hands");
    let odds = guest
        .post("/api/odds", &json!({ "book": "south-dakota", "wager": "fortune", "stake_cents": 500 }))
        .await
        .json();
    let wagers = single["wagers"].as_array().unwrap().iter().filter(|wager| wager["wager"] == "fortune");
    for wager in wagers {
        let name = default_paytable(&single, wager);
        let odds =
            odds["wagers"].as_array().unwrap().iter().find(|odds| odds["paytable"] == name.as_str()).unwrap();
        assert_eq!(
            exact(&wager["expected"]),
            -exact(&odds["at_stake"]["edge_exact"]) * Fraction::new(500, 1)
        );
    }
}

/// Compares the expectation of side wagers with the odds of the wager at its stake. Two players have a hand, and their
/// wagers are below the stake for an envy bonus or earn it for one other hand.
async fn check_against_odds(player: &Browser, results: &[Value]) {
    let mut compared = 0;
    for result in results {
        for wager in result["wagers"].as_array().unwrap() {
            if wager["wager"] == "pai-gow" || wager["expected"].is_null() {
                continue;
            }
            let question = json!({ "book": result["book"], "wager": wager["wager"], "stake_cents": wager["staked_cents"] });
            let odds = player.post("/api/odds", &question).await.json();
            let paytable = odds["wagers"]
                .as_array()
                .unwrap()
                .iter()
                .find(|odds| odds["paytable"] == default_paytable(result, wager));
            let odds = paytable.unwrap();
            let stake = whole(&wager["staked_cents"]);
            let kept = -exact(&odds["at_stake"]["edge_exact"]) * stake;
            let from = odds["envy_from_cents"]
                .as_u64()
                .filter(|from| *from <= wager["staked_cents"].as_u64().unwrap());
            let envy = from
                .map_or(Fraction::zero(), |from| exact(&odds["envy_return_exact"]) * Fraction::new(from, 1));
            let expected = exact(&wager["expected"]);
            assert!(expected == kept || expected == kept + envy, "{result}");
            compared += 1;
        }
    }
    assert!(compared > 0, "no side wager was compared");
}

/// Paytable that a table posts by default.
fn default_paytable(result: &Value, wager: &Value) -> String {
    let rules = table_rules(result["book"].as_str().unwrap(), &[], &[]);
    rules.paytable(rules.side_wager_index(wager["wager"].as_str().unwrap()).unwrap()).name.clone()
}

/// Compares the expectation of base wagers with the values of the settings that `/api/best` returns.
async fn check_against_best(player: &Browser, results: &[Value]) {
    for result in results.iter().step_by(3) {
        let wagers = result["wagers"].as_array().unwrap();
        let Some(base) =
            wagers.iter().find(|wager| wager["wager"] == "pai-gow" && !wager["expected"].is_null())
        else {
            continue;
        };
        let question = json!({ "cards": result["cards"], "book": result["book"] });
        let best = player.post("/api/best", &question).await.json();
        let settings = best["settings"].as_array().unwrap();
        let chosen = settings.iter().find(|setting| setting["low"] == result["low"]).unwrap();
        let stake = whole(&base["staked_cents"]);
        // The minimum wagers are multiples of a dollar, whose commission of 5 % needs no rounding.
        let expected = exact(&settings[0]["ev_exact"]) * stake.clone();
        assert_eq!(expected, exact(&base["expected"]), "{result}");
        let cost = (exact(&chosen["ev_exact"]) - exact(&settings[0]["ev_exact"])) * stake;
        assert_eq!(cost, exact(&base["given_away"]), "{result}");
    }
}
