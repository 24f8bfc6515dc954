//! Phases of a round, and the actions allowed in each.

use super::kit::{
    apply, apply_all, bank, base, check_refused, deal, dealer_wager, house_way, round, set, side, unshuffled,
};
use paigow::{Action, RoundPhase, Settlement};

#[test]
fn actions_in_the_wrong_phase_are_refused() {
    let actions = [
        (RoundPhase::Wagers, bank(2, Some("1000.00"))),
        (RoundPhase::Wagers, base(5, "25.00")),
        (RoundPhase::Wagers, side(1, 0, "5.00")),
        (RoundPhase::Wagers, dealer_wager("25.00")),
        (RoundPhase::Wagers, deal(unshuffled(), 1, None)),
        (RoundPhase::Settings, set(1, "2c 3c")),
        (RoundPhase::Settings, house_way(1)),
        (RoundPhase::Settings, Action::Settle),
    ];
    let steps =
        [vec![], vec![deal(unshuffled(), 1, None)], vec![deal(unshuffled(), 1, None), Action::Settle]];
    for steps in steps {
        let mut round = round("south-beach");
        apply_all(&mut round, &[bank(2, Some("1000.00")), base(1, "25.00")]);
        apply_all(&mut round, &steps);
        for (phase, action) in &actions {
            if *phase == round.phase() {
                assert_eq!(round.check(action), Ok(()), "{action:?}");
            } else {
                check_refused(&mut round, action, "wrong_phase");
            }
        }
    }
}

#[test]
fn phases_of_a_round() {
    let mut round = round("ez");
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Wagers, false, false)
    );
    assert_eq!(round.showdown().map(|_| ()).map_err(|all| all[0].code()), Err("wrong_phase"));
    apply_all(&mut round, &[base(1, "25.00"), deal(unshuffled(), 1, None)]);
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Settings, true, false)
    );
    apply(&mut round, &Action::Settle);
    assert_eq!(
        (round.phase(), round.deal().is_some(), round.settlement().is_some()),
        (RoundPhase::Settled, true, true)
    );
    let showdown = round.showdown().expect("settled");
    assert_eq!(round.settlement(), Some(&Settlement::of(&showdown)));
}
