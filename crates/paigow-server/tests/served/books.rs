//! Rule books in the operator's folder.

use crate::kit::{Process, TestServer};
use paigow::document::Problem;
use paigow_server::{BookFolder, RulesCache, audit};
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const CLUB: &str = r#"title = "The Club"
source = "The Club's own rules"
checked_on = "2026-01-02"
extends = "ez"

[base_game.limits]
min = "10.00"
max = "100.00"
cite = "page 1"

[house_way]
way = "house-ways/club-way.toml"
cite = "page 2"
"#;

/// A folder with one book and its house way.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let ways = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paigow/rulebooks/house-ways");
    fs::create_dir(folder.path().join("house-ways")).unwrap();
    fs::copy(ways.join("claridge.toml"), folder.path().join("house-ways/club-way.toml")).unwrap();
    fs::write(folder.path().join("club.toml"), CLUB).unwrap();
    fs::write(folder.path().join("notes.txt"), "no book").unwrap();
    folder
}

fn problems(folder: &TempDir) -> Vec<String> {
    let problems = BookFolder::read(Some(folder.path())).map(|_| ()).unwrap_err();
    let path = format!("{}/", folder.path().display());
    problems.iter().map(Problem::to_string).map(|problem| problem.replace(&path, "")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn table_can_use_a_book_of_the_folder() {
    let books = folder();
    let mut server = TestServer::new(&[("books", books.path().to_str().unwrap())]).await;
    let browser = server.browser();
    let listed = browser.get("/api/books").await.json();
    let last = listed["books"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["id"], &last["house_way"]), (&json!("club"), &json!("club-way")));
    let rules = browser.get("/api/books/club").await.json();
    assert_eq!(rules["title"], "The Club");
    let odds = json!({ "book": "club", "wager": "red-black" });
    assert_eq!(browser.post("/api/odds", &odds).await.json()["book"], "club");

    let guest = server.guest("Gus").await;
    let table = guest.post("/api/tables", &json!({ "book": "club" })).await;
    assert_eq!(table.status, 201, "{table:?}");
    server.open_table_with("t1", json!({ "book": "club" })).await;
    let tables = server.browser().get("/api/tables").await.json();
    let tables = tables["tables"].as_array().unwrap();
    let club: Vec<_> = tables.iter().filter(|table| table["book"] == "club").collect();
    assert_eq!(club.len(), 2);
    assert_eq!((&club[0]["title"], &club[0]["min_cents"]), (&json!("The Club"), &json!(1_000)));

    // Book names from clients are never used as paths.
    let path = books.path().join("club.toml").display().to_string();
    for name in ["club.toml", "./club", "../club", "house-ways/club-way.toml", "Club", &path, "/etc/hostname"]
    {
        let response = guest.post("/api/tables", &json!({ "book": name })).await;
        assert_eq!(response.problem(), (422, "bad_config".to_owned()), "{name}");
        let odds = guest.post("/api/odds", &json!({ "book": name })).await;
        assert_eq!(odds.problem(), (404, "not_found".to_owned()), "{name}");
        assert!(odds.text().contains("the operator's: club"), "{}", odds.text());
    }

    // A change of the title does not change the rules.
    fs::write(books.path().join("club.toml"), CLUB.replace("The Club\"", "The old Club\"")).unwrap();
    server.restart().await;
    let changed = async |server: &TestServer| {
        let tables = server.browser().get("/api/tables").await.json();
        let tables = tables["tables"].as_array().unwrap();
        tables.iter().find(|table| table["table"] == "t1").map(|table| table["rules_changed"] == true)
    };
    assert_eq!(changed(&server).await, Some(false));
    let finding = async |server: &TestServer| {
        let library = RulesCache::new(BookFolder::read(Some(books.path())).unwrap());
        let report = audit(&server.open_store().await, library).await.unwrap();
        report.findings.into_iter().map(|finding| (finding.code, finding.says)).collect::<Vec<_>>()
    };
    assert_eq!(finding(&server).await, []);

    fs::write(books.path().join("club.toml"), CLUB.replace("100.00", "200.00")).unwrap();
    server.restart().await;
    assert_eq!(changed(&server).await, Some(true));
    assert!(finding(&server).await.iter().all(|(code, _)| *code == "rules_differ"));

    fs::remove_file(books.path().join("club.toml")).unwrap();
    server.restart().await;
    assert_eq!(changed(&server).await, None, "the table is not listed, and the server starts");
    let response = server.browser().get("/api/tables/t1").await;
    assert_eq!(response.problem(), (500, "rules_missing".to_owned()));
    assert!(response.text().contains("there is no rule book `club`"), "{}", response.text());
    let found = finding(&server).await;
    assert!(
        !found.is_empty()
            && found.iter().all(|(code, says)| *code == "rules_differ" && says.contains("`club`"))
    );
}

#[test]
fn folder_problems_name_file_line_and_column() {
    let books = folder();
    assert!(BookFolder::read(Some(books.path())).is_ok());
    fs::write(books.path().join("ez.toml"), CLUB).unwrap();
    fs::write(books.path().join("two words.toml"), CLUB).unwrap();
    fs::write(books.path().join("bad.toml"), CLUB.replace("\"10.00\"", "\"ten\"").replace("page 2", ""))
        .unwrap();
    fs::write(books.path().join("binary.toml"), [b'a', 0xff]).unwrap();
    fs::write(books.path().join("cut.toml"), "title = ").unwrap();
    fs::write(books.path().join("house-ways/foxwoods.toml"), "").unwrap();
    let problems = problems(&books);
    let has = |start: &str| {
        assert!(problems.iter().any(|problem| problem.starts_with(start)), "{start}: {problems:#?}");
    };
    has("ez.toml:1:1: a built-in rule book has this name");
    has("two words.toml:1:1: `two words` is not a valid name");
    has("bad.toml:7:7: ");
    has("binary.toml:1:1: byte 2 of the file is not UTF-8 text");
    has("cut.toml:1:");
    has("house-ways/foxwoods.toml:1:1: a built-in house way has this name");
}

/// A release can add strategy cards. A server with a house way of the same name starts, and its books use the file.
#[tokio::test(flavor = "multi_thread")]
async fn house_way_may_have_the_name_of_a_strategy_card() {
    let books = folder();
    let card = "washington-player-12";
    let ways = books.path().join("house-ways");
    fs::rename(ways.join("club-way.toml"), ways.join(format!("{card}.toml"))).unwrap();
    fs::write(books.path().join("club.toml"), CLUB.replace("club-way", card)).unwrap();
    let server = TestServer::new(&[("books", books.path().to_str().unwrap())]).await;
    let browser = server.browser();
    let claridge = browser.get("/api/house-ways/claridge").await.json();
    let of_book = browser.get("/api/books/club").await.json()["house_way"].clone();
    assert_eq!((&of_book["id"], &of_book["title"]), (&json!(card), &claridge["title"]));
    // The card has an exact price, so its name means the card in questions.
    let cards = browser.get("/api/cards").await.json();
    let entry = cards["cards"].as_array().unwrap().iter().find(|entry| entry["id"] == card).unwrap();
    let of_card = browser.get(&format!("/api/house-ways/{card}")).await.json();
    assert_eq!(of_card["title"], entry["title"]);
    assert_ne!(of_card["title"], claridge["title"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn server_does_not_start_with_an_invalid_book() {
    let books = folder();
    let mut server = TestServer::new(&[("books", books.path().to_str().unwrap())]).await;
    server.process.request_stop();
    server.process.wait_for_exit().await;
    fs::write(books.path().join("club.toml"), CLUB.replace("\"10.00\"", "\"ten\"")).unwrap();
    let error = Process::start(server.settings()).await.map(|_| ()).unwrap_err();
    assert!(error.contains("club.toml:7:7: "), "{error}");
    let gone = TempDir::new().unwrap().path().display().to_string();
    let missing = BookFolder::read(Some(Path::new(&gone))).map(|_| ()).unwrap_err();
    assert_eq!(missing.len(), 1);
    assert!(missing[0].to_string().starts_with(&gone), "{}", missing[0]);
}
