//! Sets seven cards as a casino's dealer would, and prints the clause that decided.

use paigow::{Evaluator, HouseWay, SevenCards};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let hand: SevenCards = "As Kd Tc 9h 2s 2d Jk".parse()?;
    let way = HouseWay::built_in("foxwoods")?;

    let decision = way.decide(hand, Evaluator::of(way.ranking()));
    println!("{}: low hand {}, high hand {}", way.title(), decision.setting.low, decision.setting.high);
    println!("{}", way.clauses()[decision.clause].says);
    Ok(())
}
