//! The checked-in JSON Schemas for editors match the specifications that the parser uses.
//!
//! `UPDATE_GOLDEN=1 cargo test -p paigow --test schema` rewrites them.

use paigow::HOUSE_WAY_SPEC;
use paigow::document::json_schema;
use paigow::rulebook::RULE_BOOK_SPEC;
use std::path::Path;

#[test]
fn checked_in_schemas_match_the_specifications() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks");
    let schemas = [
        ("schema.json", json_schema(&RULE_BOOK_SPEC, "A pai gow poker rule book")),
        ("house-ways/schema.json", json_schema(&HOUSE_WAY_SPEC, "A pai gow poker house way")),
    ];
    for (file, schema) in schemas {
        let path = folder.join(file);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &schema).expect("the schema is written");
        }
        let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(checked_in == schema, "{} is out of date: run with UPDATE_GOLDEN=1", path.display());
    }
}
