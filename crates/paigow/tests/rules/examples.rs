//! Runs the examples.

#[path = "../../examples/own_rule_book.rs"]
mod own_rule_book;
#[path = "../../examples/set_a_hand.rs"]
mod set_a_hand;
#[path = "../../examples/settle_a_round.rs"]
mod settle_a_round;

#[test]
fn set_a_hand() {
    set_a_hand::main().unwrap();
}

#[test]
fn settle_a_round() {
    settle_a_round::main().unwrap();
}

#[test]
fn own_rule_book() {
    own_rule_book::main().unwrap();
}
