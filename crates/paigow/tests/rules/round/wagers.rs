//! Wagers: limits, colors, envy buttons, and the wagers that a seat may place.

use super::kit::{
    apply, apply_all, bank, base, check_refused, colored, deal, ez_dealt, refused, round, round_with, side,
    unshuffled,
};
use paigow::rulebook::BuiltIn;
use paigow::{Action, Color, Refusal, RoundEvent, WagerRef};
use paigow_testkit::{amount, seat};

#[test]
fn sd_1_a_side_wager_needs_a_pai_gow_wager() {
    for book in BuiltIn::book_names() {
        let mut round = round(book);
        check_refused(&mut round, &side(2, 0, "5.00"), "no_pai_gow_wager");
        apply(&mut round, &base(2, "25.00"));
        check_refused(&mut round, &side(3, 0, "5.00"), "no_pai_gow_wager");
        apply(&mut round, &side(2, 0, "5.00"));
    }
}

#[test]
fn wagers_outside_the_limits_are_refused() {
    let cases = [
        ("0.00", "below_minimum"),
        ("4.99", "below_minimum"),
        ("5.00", "ok"),
        ("10000.00", "ok"),
        ("10000.01", "above_maximum"),
    ];
    for (stake, expect) in cases {
        let checked = round("ez").check(&base(1, stake));
        assert_eq!(checked.map_or_else(|refusal| refusal.code(), |()| "ok"), expect, "pai-gow {stake}");
    }
    let cases = [
        ("0.00", "below_minimum"),
        ("0.99", "below_minimum"),
        ("1.00", "ok"),
        ("500.00", "ok"),
        ("500.01", "above_maximum"),
    ];
    let mut round = round("ez");
    apply(&mut round, &base(1, "25.00"));
    for index in 0..3 {
        for (stake, expect) in cases {
            let checked = round.check(&side(1, index, stake));
            assert_eq!(checked.map_or_else(|refusal| refusal.code(), |()| "ok"), expect, "{index}: {stake}");
        }
    }
}

#[test]
fn limits_come_from_the_book() {
    let mut round =
        round_with("ez", &[("base_game.limits.min", "100.00"), ("wagers.dynasty.limits.max", "5.00")]);
    check_refused(&mut round, &base(1, "99.99"), "below_minimum");
    apply(&mut round, &base(1, "100.00"));
    check_refused(&mut round, &side(1, 1, "5.01"), "above_maximum");
    apply(&mut round, &side(1, 1, "5.00"));
}

#[test]
fn a_seat_has_one_wager_of_each_kind() {
    let mut round = round("ez");
    apply_all(&mut round, &[base(1, "25.00"), side(1, 0, "5.00")]);
    check_refused(&mut round, &base(1, "25.00"), "wager_twice");
    check_refused(&mut round, &side(1, 0, "5.00"), "wager_twice");
    apply_all(&mut round, &[side(1, 1, "5.00"), base(2, "25.00"), side(2, 0, "5.00")]);
    let Refusal::WagerTwice { seat: refused_seat, wager } = refused(&mut round, &side(1, 1, "1.00")) else {
        panic!("not refused as a second wager")
    };
    assert_eq!((refused_seat, &wager[..]), (seat(1), "dynasty"));
}

#[test]
fn ez_9_no_wager_is_placed_after_the_deal() {
    let mut round = ez_dealt(&[1], unshuffled());
    check_refused(&mut round, &base(2, "25.00"), "wrong_phase");
    check_refused(&mut round, &side(1, 0, "5.00"), "wrong_phase");
    apply(&mut round, &Action::Settle);
    check_refused(&mut round, &base(2, "25.00"), "wrong_phase");
}

#[test]
fn sd_3_an_envy_button_comes_with_five_dollars() {
    let button = |book: &str, index: u8, stake: &str| {
        let mut round = round(book);
        assert!(matches!(
            apply(&mut round, &base(3, "25.00"))[..],
            [RoundEvent::Wagered { wager: WagerRef::PaiGow, envy_button: false, .. }]
        ));
        match apply(&mut round, &side(3, index, stake))[..] {
            [RoundEvent::Wagered { seat: wagering, wager, stake: placed, envy_button }] => {
                assert_eq!((wagering, wager, placed.amount), (seat(3), WagerRef::Side(index), amount(stake)));
                envy_button
            }
            ref events => panic!("{events:?}"),
        }
    };
    for book in ["south-dakota", "washington", "california", "south-beach"] {
        assert!(!button(book, 0, "4.99"), "{book}");
        assert!(button(book, 0, "5.00"), "{book}");
        assert!(button(book, 0, "500.00"), "{book}");
    }
    // In the EZ book only the Dynasty Bonus has an envy bonus (EZ-6).
    assert_eq!([0, 1, 2].map(|index| button("ez", index, "5.00")), [false, true, false]);
    assert!(!button("ez", 1, "4.99"));
}

#[test]
fn ez_8_red_black_needs_a_color_and_no_other_wager_has_one() {
    let mut round = round("ez");
    check_refused(&mut round, &colored(base(1, "25.00"), Color::Red), "color_unexpected");
    apply(&mut round, &base(1, "25.00"));
    check_refused(&mut round, &side(1, 3, "5.00"), "color_missing");
    for index in 0..3 {
        check_refused(&mut round, &colored(side(1, index, "5.00"), Color::Black), "color_unexpected");
    }
    match apply(&mut round, &colored(side(1, 3, "5.00"), Color::Black))[..] {
        [RoundEvent::Wagered { stake, .. }] => assert_eq!(stake.color, Some(Color::Black)),
        ref events => panic!("{events:?}"),
    }
}

#[test]
fn unknown_wagers_and_seats_are_refused() {
    let offered = [("ez", 4, 6), ("washington", 2, 6), ("south-dakota", 1, 6), ("california", 1, 7)];
    for (book, wagers, seats) in offered {
        let mut round = round(book);
        apply(&mut round, &base(1, "25.00"));
        for index in [wagers, wagers + 1, 7, 8, 255] {
            check_refused(&mut round, &side(1, index, "5.00"), "unknown_wager");
        }
        apply(&mut round, &base(seats, "25.00"));
        if seats < 7 {
            check_refused(&mut round, &base(seats + 1, "25.00"), "seat_out_of_range");
            check_refused(&mut round, &bank(seats + 1, Some("1000.00")), "seat_out_of_range");
        }
    }
}

#[test]
fn deal_without_wagers_is_refused() {
    check_refused(&mut round("ez"), &deal(unshuffled(), 1, None), "no_wagers");
    let mut round = round("california");
    apply(&mut round, &bank(1, Some("100.00")));
    check_refused(&mut round, &deal(unshuffled(), 1, None), "no_wagers");
}
