//! Rule books of the operator's own folder.

use crate::kit::{House, Process};
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
    let ways = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/house-ways");
    fs::create_dir(folder.path().join("house-ways")).unwrap();
    fs::copy(ways.join("claridge.toml"), folder.path().join("house-ways/club-way.toml")).unwrap();
    fs::write(folder.path().join("club.toml"), CLUB).unwrap();
    fs::write(folder.path().join("notes.txt"), "no book").unwrap();
    folder
}

fn problems(folder: &TempDir) -> Vec<String> {
    let problems = BookFolder::read(Some(folder.path())).map(|_| ()).unwrap_err();
    let path = format!("{}/", folder.path().display());
    problems.iter().map(Problem::to_string).map(|said| said.replace(&path, "")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_opened_with_a_book_of_the_folder() {
    let books = folder();
    let mut house = House::new(&[("books", books.path().to_str().unwrap())]).await;
    let browser = house.browser();
    let listed = browser.get("/api/books").await.json();
    let last = listed["books"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["id"], &last["house_way"]), (&json!("club"), &json!("club-way")));
    let rules = browser.get("/api/books/club").await.json();
    assert_eq!(rules["title"], "The Club");
    let odds = json!({ "book": "club", "wager": "red-black" });
    assert_eq!(browser.post("/api/odds", &odds).await.json()["book"], "club");

    let guest = house.guest("Gus").await;
    let table = guest.post("/api/tables", &json!({ "book": "club" })).await;
    assert_eq!(table.status, 201, "{table:?}");
    house.table_with("t1", json!({ "book": "club" })).await;
    let tables = house.browser().get("/api/tables").await.json();
    let tables = tables["tables"].as_array().unwrap();
    let club: Vec<_> = tables.iter().filter(|table| table["book"] == "club").collect();
    assert_eq!(club.len(), 2);
    assert_eq!((&club[0]["title"], &club[0]["min_cents"]), (&json!("The Club"), &json!(1_000)));

    // A name is a name: nothing that a client sends is opened.
    let path = books.path().join("club.toml").display().to_string();
    for name in ["club.toml", "./club", "../club", "house-ways/club-way.toml", "Club", &path, "/etc/hostname"]
    {
        let answer = guest.post("/api/tables", &json!({ "book": name })).await;
        assert_eq!(answer.problem(), (422, "bad_config".to_owned()), "{name}");
        let odds = guest.post("/api/odds", &json!({ "book": name })).await;
        assert_eq!(odds.problem(), (404, "not_found".to_owned()), "{name}");
        assert!(odds.text().contains("the operator's are club"), "{}", odds.text());
    }

    // The same rules in other words are the same rules.
    fs::write(books.path().join("club.toml"), CLUB.replace("The Club\"", "The old Club\"")).unwrap();
    house.restart().await;
    let changed = async |house: &House| {
        let tables = house.browser().get("/api/tables").await.json();
        let tables = tables["tables"].as_array().unwrap();
        tables.iter().find(|table| table["table"] == "t1").map(|table| table["rules_changed"] == true)
    };
    assert_eq!(changed(&house).await, Some(false));
    let finding = async |house: &House| {
        let library = RulesCache::new(BookFolder::read(Some(books.path())).unwrap());
        let report = audit(&house.open_store().await, library).await.unwrap();
        report.findings.into_iter().map(|finding| (finding.code, finding.says)).collect::<Vec<_>>()
    };
    assert_eq!(finding(&house).await, []);

    fs::write(books.path().join("club.toml"), CLUB.replace("100.00", "200.00")).unwrap();
    house.restart().await;
    assert_eq!(changed(&house).await, Some(true));
    assert!(finding(&house).await.iter().all(|(code, _)| *code == "rules_differ"));

    fs::remove_file(books.path().join("club.toml")).unwrap();
    house.restart().await;
    assert_eq!(changed(&house).await, None, "the server starts, and the log names the table");
    let answer = house.browser().get("/api/tables/t1").await;
    assert_eq!(answer.problem(), (500, "rules_missing".to_owned()));
    assert!(answer.text().contains("there is no rule book `club`"), "{}", answer.text());
    let found = finding(&house).await;
    assert!(
        !found.is_empty()
            && found.iter().all(|(code, says)| *code == "rules_differ" && says.contains("`club`"))
    );
}

#[test]
fn every_problem_of_a_folder_is_named_with_its_place() {
    let books = folder();
    assert!(BookFolder::read(Some(books.path())).is_ok());
    fs::write(books.path().join("ez.toml"), CLUB).unwrap();
    fs::write(books.path().join("two words.toml"), CLUB).unwrap();
    fs::write(books.path().join("bad.toml"), CLUB.replace("\"10.00\"", "\"ten\"").replace("page 2", ""))
        .unwrap();
    fs::write(books.path().join("binary.toml"), [b'a', 0xff]).unwrap();
    fs::write(books.path().join("cut.toml"), "title = ").unwrap();
    fs::write(books.path().join("house-ways/foxwoods.toml"), "").unwrap();
    let said = problems(&books);
    let said = |start: &str| assert!(said.iter().any(|said| said.starts_with(start)), "{start}: {said:#?}");
    said("ez.toml:1:1: a rule book of this name comes with the program");
    said("two words.toml:1:1: `two words` is no name");
    said("bad.toml:7:7: ");
    said("binary.toml:1:1: byte 2 of the file is not UTF-8 text");
    said("cut.toml:1:");
    said("house-ways/foxwoods.toml:1:1: a house way of this name comes with the program");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_does_not_start_with_a_faulty_book() {
    let books = folder();
    let mut house = House::new(&[("books", books.path().to_str().unwrap())]).await;
    house.process.ask_to_stop();
    house.process.ended().await;
    fs::write(books.path().join("club.toml"), CLUB.replace("\"10.00\"", "\"ten\"")).unwrap();
    let why = Process::start(house.settings()).await.map(|_| ()).unwrap_err();
    assert!(why.contains("club.toml:7:7: "), "{why}");
    let gone = TempDir::new().unwrap().path().display().to_string();
    let missing = BookFolder::read(Some(Path::new(&gone))).map(|_| ()).unwrap_err();
    assert_eq!(missing.len(), 1);
    assert!(missing[0].to_string().starts_with(&gone), "{}", missing[0]);
}
