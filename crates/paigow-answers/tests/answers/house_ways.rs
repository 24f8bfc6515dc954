//! Tests of the list of house ways and of their full texts.

use paigow::rulebook::BuiltIn;
use paigow_answers::rules::{self, RulesQuestion};
use paigow_answers::{books, house_ways};

#[test]
fn every_house_way_is_listed_and_matches_its_full_text() {
    let list = house_ways::list().unwrap().house_ways;
    let names: Vec<_> = list.iter().map(|way| way.id.as_str()).collect();
    assert_eq!(names, BuiltIn::house_way_names().collect::<Vec<_>>());
    for entry in list {
        let text = house_ways::answer(&entry.id, &BuiltIn).unwrap();
        assert_eq!((&text.id, &text.title, &text.source), (&entry.id, &entry.title, &entry.source));
        assert_eq!((text.clauses.len(), &text.books), (entry.clauses, &entry.books));
        assert!(
            text.clauses.iter().all(|clause| !clause.says.is_empty() && !clause.cite.is_empty()),
            "{}",
            entry.id
        );
    }
}

#[test]
fn rules_of_a_book_contain_the_clauses_of_its_house_way() {
    for book in books::answer().unwrap().books {
        let own =
            rules::answer(&RulesQuestion { book: book.id.clone(), ..RulesQuestion::default() }, &BuiltIn);
        let own = own.unwrap().house_way;
        let text = house_ways::answer(&book.house_way, &BuiltIn).unwrap();
        assert_eq!(text.clauses, own.clauses, "{}", book.id);
        assert!(text.books.contains(&book.id), "{}", book.id);
        let others =
            house_ways::list().unwrap().house_ways.into_iter().filter(|way| way.id != book.house_way);
        assert!(others.into_iter().all(|way| !way.books.contains(&book.id)), "{}", book.id);
    }
}

#[test]
fn unknown_house_way_is_not_found() {
    for name in ["nowhere", "", "../house-ways/foxwoods", "foxwoods.toml"] {
        let faults = house_ways::answer(name, &BuiltIn).unwrap_err();
        assert!(faults.faults.iter().all(|fault| fault.code == "not_found"), "{name}: {faults:?}");
    }
}
