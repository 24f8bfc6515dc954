//! Runs the examples.

#[path = "../../examples/exact_odds.rs"]
mod exact_odds;

#[test]
fn exact_odds() {
    exact_odds::main().unwrap();
}
