//! Metrics of money equal the ledger, to the cent.

use crate::kit::{Browser, Sample, TestServer, clocks, samples};
use crate::rounds::play;
use paigow_server::Store;
use paigow_table::{Owner, Transfer};
use serde_json::json;
use std::collections::BTreeMap;

/// Sums of transfers by currency, book, purpose, debited and credited account.
type Sums = BTreeMap<[String; 5], i64>;

/// Returns the sums that the metrics show.
async fn counted(browser: &Browser) -> Sums {
    let samples = samples(browser).await;
    let money = samples.iter().filter(|sample| sample.name == "paigow_money_cents_total");
    let labels = ["currency", "book", "purpose", "from", "to"];
    money.map(|sample| (labels.map(|label| sample.label(label).to_owned()), sample.cents())).collect()
}

/// Returns the sums of the journal. The tables of the test are named `t-` and their book.
async fn journaled(server: &TestServer) -> Sums {
    let kind = |owner: &Owner| owner.to_string().split(':').next().unwrap().to_owned();
    let mut sums = Sums::new();
    for row in server.open_store().await.journal(None, 0, 100_000).await.unwrap() {
        let Transfer { debit, credit, cents, purpose, .. } = &row.transfer;
        let purpose = serde_json::to_value(purpose).unwrap().as_str().unwrap().to_owned();
        let book =
            row.table.map_or_else(String::new, |table| table.as_str().trim_start_matches("t-").to_owned());
        let key = [debit.currency.to_string(), book, purpose, kind(&debit.owner), kind(&credit.owner)];
        *sums.entry(key).or_default() += cents.cast_signed();
    }
    sums
}

/// Returns the values of a metric by the label `of`, for one book.
fn of_book(samples: &[Sample], name: &str, book: &str, of: &str) -> BTreeMap<String, i64> {
    let found = samples.iter().filter(|sample| sample.name == name && sample.label("book") == book);
    found.map(|sample| (sample.label(of).to_owned(), sample.cents())).collect()
}

fn one(currency: &str, cents: i64) -> BTreeMap<String, i64> {
    BTreeMap::from([(currency.to_owned(), cents)])
}

#[tokio::test(flavor = "multi_thread")]
async fn money_metrics_equal_the_ledger_to_the_cent() {
    let server = TestServer::new(&[]).await;
    let browser = server.browser();
    for book in ["california", "washington"] {
        let table = format!("t-{book}");
        server.open_table(&table, book, &clocks(20_000, 20_000, 1_500, 300)).await;
        let mut players = server.seat_guests(&table, 3).await;
        play(book, &mut players).await;
        if book == "california" {
            // The next round has a banking seat too, and is voided before the deal.
            players[0].1.until_phase("offering").await;
            let seat = players[0].1.view["offered"].as_u64().unwrap() as usize;
            let base = players[0].1.view["facts"]["wagers"][0]["min_cents"].as_i64().unwrap();
            players[seat - 1].1.expect_done(json!({ "do": "take_bank", "cents": 7 * base })).await;
            for other in (1..=3).filter(|other| *other != seat) {
                let live = &mut players[other - 1].1;
                live.until_phase("wagers").await;
                live.expect_done(json!({ "do": "wager", "wager": "pai-gow", "cents": base })).await;
            }
            let during = samples(&browser).await;
            let gauge = |name: &str| of_book(&during, name, book, "currency");
            let balances = server.open_store().await.trial_balance().await.unwrap();
            let escrow: i64 = balances
                .iter()
                .filter(|(account, _)| account.owner == Owner::Escrow(table.parse().unwrap()))
                .map(|(_, cents)| cents)
                .sum();
            assert!(escrow >= 9 * base, "{escrow}");
            assert_eq!(gauge("paigow_held_cents"), one("PRACTICE", escrow));
            assert_eq!(gauge("paigow_banking_seats"), one("PRACTICE", 1));
            assert_eq!(gauge("paigow_bank_cover_cents"), one("PRACTICE", 7 * base));
            assert_eq!(gauge("paigow_bank_action_cents"), one("PRACTICE", 2 * base));
            let void = json!({ "do": "void", "reason": "machine_fault" });
            assert_eq!(server.operator_command(&table, "void", void).await.status, 200);
        }
    }
    let ann = server.guest("Ann").await;
    let chips = json!({ "id": "chips", "player": ann.player, "cents": 12_345, "currency": "CHIPS" });
    assert_eq!(server.operator().post("/api/operator/chips", &chips).await.status, 200);

    let counted = counted(&browser).await;
    assert_eq!(counted, journaled(&server).await);
    let purposes: Vec<&str> = counted.keys().map(|key| key[2].as_str()).collect();
    for purpose in ["issue", "wager", "cover", "returned", "voided"] {
        assert!(purposes.contains(&purpose), "{purpose} is not in {counted:?}");
    }
    // The metrics alone give the balance of every kind of account.
    let mut balances: BTreeMap<(String, String), i64> = BTreeMap::new();
    for ([currency, _, _, from, to], cents) in counted {
        *balances.entry((currency.clone(), from)).or_default() -= cents;
        *balances.entry((currency, to)).or_default() += cents;
    }
    for (account, cents) in server.open_store().await.trial_balance().await.unwrap() {
        let kind = account.owner.to_string().split(':').next().unwrap().to_owned();
        *balances.entry((account.currency.to_string(), kind)).or_default() -= cents;
    }
    assert!(balances.values().all(|cents| *cents == 0), "{balances:?}");
    let after = samples(&browser).await;
    let rounds = |book: &str| of_book(&after, "paigow_rounds_total", book, "outcome");
    assert_eq!(rounds("washington"), one("settled", 1));
    assert_eq!(rounds("california"), BTreeMap::from([("settled".into(), 1), ("voided".into(), 1)]));
    assert_eq!(of_book(&after, "paigow_held_cents", "washington", "currency"), one("PRACTICE", 0));
}
