//! Settlement steps of some rounds in `golden/rounds`, in the order that their documents prescribe.

use crate::golden_rounds::{parse_round, read_round};
use paigow::{Party, Settlement, WagerRef};

/// The steps of a round, one text line each: part, party, indices of the settlement lines, seats with envy buttons, and
/// the number of unreconciled wagers.
fn steps(name: &str) -> Vec<String> {
    let file = parse_round(name, &read_round(name).0);
    let showdown = file.showdown().unwrap();
    let steps = Settlement::of(&showdown).steps(&showdown).into_iter().map(|step| {
        let party = match step.who {
            Party::Seat(seat) => seat.to_string(),
            Party::Dealer => "dealer".to_owned(),
            Party::Banker => "banker".to_owned(),
            Party::House => "house".to_owned(),
        };
        assert!(step.buttons.iter().all(|button| button.wager == WagerRef::Side(0)));
        let buttons = step.buttons.iter().map(|button| button.seat.number().to_string());
        let (buttons, left) = (buttons.collect::<Vec<_>>().join(" "), step.unreconciled.len());
        format!("{} {party}: lines {:?}, buttons [{buttons}], {left} left", step.part.name(), step.lines)
    });
    steps.collect()
}

/// SD-4 and SD-5: buttons stay on the table, win or lose, until all wagers are reconciled and all envy bonuses are
/// paid.
#[test]
fn buttons_stay_until_envy_bonuses_are_paid() {
    let mut steps = steps("sd-5-several-envies.round");
    assert_eq!(steps.pop().unwrap(), "envy seat 2: lines 11..12, buttons [], 0 left");
    assert!(steps.iter().all(|step| step.contains("buttons [1 3 2]")), "{steps:#?}");
    let parts = |part: &str| steps.iter().filter(|step| step.starts_with(part)).count();
    assert_eq!((parts("base"), parts("bonus"), parts("envy")), (4, 4, 2));
    assert_eq!(steps[8], "envy seat 1: lines 8..9, buttons [1 3 2], 0 left");
    assert_eq!(steps[9], "envy seat 3: lines 9..11, buttons [1 3 2], 0 left");
    assert_eq!(steps[0], "base seat 1: lines 0..1, buttons [1 3 2], 7 left");
}

/// A partly covered wager has two lines but is one step. Fees and commissions are separate steps.
#[test]
fn a_wager_is_reconciled_in_one_step() {
    let california = steps("ca-4-some-covered.round");
    assert!(california.iter().any(|step| step.starts_with("base seat 3: lines 2..4,")), "{california:#?}");
    let south_beach = steps("sb-7-seat-banks.round");
    let commission = south_beach.iter().find(|step| step.starts_with("commission banker")).unwrap();
    assert!(commission.ends_with("0 left"), "{south_beach:#?}");
    assert!(south_beach.iter().any(|step| step.starts_with("base dealer")), "{south_beach:#?}");
}
