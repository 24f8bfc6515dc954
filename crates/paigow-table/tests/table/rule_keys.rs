//! Effect of every key of a rule book. Changing the value of a key changes the digest of the rules and observable
//! behavior of a table. Changing a descriptive key, which the spec declares, changes neither.

use crate::observed::{Changes, observe};
use paigow::rulebook::RULE_BOOK_SPEC;
use std::collections::{BTreeMap, BTreeSet};

/// Change of a key's value in a book.
struct Case {
    /// Path in the format of [`paigow::document::Spec::paths`].
    key: &'static str,
    book: &'static str,
    /// Changes made before, so that the key has an effect.
    given: Changes<'static>,
    change: Changes<'static>,
}

const fn case(key: &'static str, book: &'static str, change: Changes<'static>) -> Case {
    Case { key, book, given: &[], change }
}

/// Fees that depend on the wager. California's book has none.
const FEES: Changes<'static> = &[(
    "collection.schedule",
    "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }, { wager_from = \"130.00\", player = \"2.00\", banker = \"3.00\" }]",
)];

/// Fees on side wagers of $5.00 or more.
const BONUS_FEES: Changes<'static> = &[(
    "collection.bonus",
    "[{ wager_from = \"0.00\", player = \"0.00\", banker = \"0.00\" }, { wager_from = \"5.00\", player = \"0.50\", banker = \"1.00\" }]",
)];

/// A fee for every half hour.
const TIME_FEE: Changes<'static> = &[("collection.time_minutes", "30"), ("collection.time_fee", "5.00")];

/// Fees at a table with guaranteed banks, the only ones that can take fees last.
const GUARANTEED: Changes<'static> = &[
    ("banking.pays_from", "guaranteed"),
    ("collection.schedule", "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }]"),
];

/// Short paytables, so that each change differs in one value.
const HANDS: Changes<'static> = &[(
    "wagers.fortune.paytables.posted.pays",
    "[{ hand = \"full_house\", pays = 5 }, { hand = \"three_of_a_kind\", pays = 1 }]",
)];
const COLORS: Changes<'static> =
    &[("wagers.red-black.paytables.posted.pays", "[{ cards = 7, pays = 9 }, { cards = 5, pays = 1 }]")];
const ENVY: Changes<'static> = &[(
    "wagers.fortune.paytables.FPG-01.pays",
    "[{ hand = \"full_house\", pays = 5, envy = \"2.00\" }, { hand = \"three_of_a_kind\", pays = 1 }]",
)];

/// Keys with an effect. A change may have further values that the book needs to be valid.
const DECIDING: &[Case] = &[
    case("ranking.joker", "south-beach", &[("ranking.joker", "fully_wild")]),
    case("ranking.wheel", "south-beach", &[("ranking.wheel", "second_highest")]),
    case("seats.players", "south-beach", &[("seats.players", "5")]),
    case("seats.hands_per_player", "south-beach", &[("seats.hands_per_player", "2")]),
    case(
        "seats.dealer_hand",
        "california",
        &[("seats.dealer_hand", "true"), ("seats.players", "6"), ("dealing.dealer_hand", "last")],
    ),
    case("dealing.first", "south-beach", &[("dealing.first", "banker")]),
    case("dealing.order", "south-beach", &[("dealing.order", "clockwise")]),
    case("dealing.spots", "ez", &[("dealing.spots", "active")]),
    case("dealing.dealer_hand", "ez", &[("dealing.dealer_hand", "last")]),
    case("dealing.action_pile", "california", &[("dealing.action_pile", "false")]),
    case("setting.player_foul", "south-beach", &[("setting.player_foul", "house_way")]),
    case("setting.banker_foul", "south-beach", &[("setting.banker_foul", "set_again")]),
    case("base_game.copies", "south-beach", &[("base_game.copies", "player")]),
    case("base_game.dealer_push", "ez", &[("base_game.dealer_push", "[\"king_high\"]")]),
    case("base_game.dealer_push_fouls", "ez", &[("base_game.dealer_push_fouls", "false")]),
    case(
        "base_game.bonus_wagers_settled",
        "washington",
        &[("base_game.bonus_wagers_settled", "after_base_wagers")],
    ),
    case("base_game.limits.min", "south-beach", &[("base_game.limits.min", "10.00")]),
    case("base_game.limits.max", "south-beach", &[("base_game.limits.max", "500.00")]),
    case("commission.percent", "south-beach", &[("commission.percent", "4")]),
    case("commission.banker", "south-beach", &[("commission.banker", "each_win")]),
    case("commission.rounding", "south-beach", &[("commission.rounding", "up")]),
    case("commission.unit", "south-beach", &[("commission.unit", "0.25")]),
    Case {
        key: "collection.schedule.ROW.wager_from",
        book: "california",
        given: FEES,
        change: &[(
            "collection.schedule",
            "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }, { wager_from = \"110.00\", player = \"2.00\", banker = \"3.00\" }]",
        )],
    },
    Case {
        key: "collection.schedule.ROW.player",
        book: "california",
        given: FEES,
        change: &[(
            "collection.schedule",
            "[{ wager_from = \"0.00\", player = \"1.50\", banker = \"2.00\" }, { wager_from = \"130.00\", player = \"2.00\", banker = \"3.00\" }]",
        )],
    },
    Case {
        key: "collection.schedule.ROW.banker",
        book: "california",
        given: FEES,
        change: &[(
            "collection.schedule",
            "[{ wager_from = \"0.00\", player = \"1.00\", banker = \"2.00\" }, { wager_from = \"130.00\", player = \"2.00\", banker = \"3.50\" }]",
        )],
    },
    Case {
        key: "collection.bonus.ROW.wager_from",
        book: "california",
        given: BONUS_FEES,
        change: &[(
            "collection.bonus",
            "[{ wager_from = \"0.00\", player = \"0.00\", banker = \"0.00\" }, { wager_from = \"4.00\", player = \"0.50\", banker = \"1.00\" }]",
        )],
    },
    Case {
        key: "collection.bonus.ROW.player",
        book: "california",
        given: BONUS_FEES,
        change: &[(
            "collection.bonus",
            "[{ wager_from = \"0.00\", player = \"0.00\", banker = \"0.00\" }, { wager_from = \"5.00\", player = \"0.75\", banker = \"1.00\" }]",
        )],
    },
    Case {
        key: "collection.bonus.ROW.banker",
        book: "california",
        given: BONUS_FEES,
        change: &[(
            "collection.bonus",
            "[{ wager_from = \"0.00\", player = \"0.00\", banker = \"0.00\" }, { wager_from = \"5.00\", player = \"0.50\", banker = \"1.50\" }]",
        )],
    },
    Case {
        key: "collection.taken",
        book: "california",
        given: GUARANTEED,
        change: &[("collection.taken", "last")],
    },
    Case {
        key: "collection.time_minutes",
        book: "california",
        given: TIME_FEE,
        change: &[("collection.time_minutes", "1")],
    },
    Case {
        key: "collection.time_fee",
        book: "california",
        given: TIME_FEE,
        change: &[("collection.time_fee", "6.00")],
    },
    case("banking.pays_from", "california", &[("banking.pays_from", "reserved")]),
    case("banking.bankers", "south-beach", &[("banking.bankers", "[\"dealer\"]")]),
    case("banking.cover", "california", &[("banking.cover", "all")]),
    case("banking.cover_use", "california", &[("banking.cover_use", "losses_only")]),
    case("banking.plays_dealer", "south-beach", &[("banking.plays_dealer", "false")]),
    case("banking.rounds_running_max", "california", &[("banking.rounds_running_max", "1")]),
    case("banking.rotation", "california", &[("banking.rotation", "none")]),
    case("house_way.way", "south-beach", &[("house_way.way", "foxwoods")]),
    case("wagers.NAME.offered", "ez", &[("wagers.dynasty.offered", "false")]),
    case("wagers.NAME.looks_at", "ez", &[("wagers.queens-dragon.looks_at", "player_hand")]),
    case("wagers.NAME.player_must_beat", "washington", &[("wagers.pai-gowd.player_must_beat", "false")]),
    case("wagers.NAME.settled_by", "california", &[("wagers.fortune.settled_by", "house")]),
    case("wagers.NAME.banker_wagers", "south-beach", &[("wagers.fortune.banker_wagers", "false")]),
    case("wagers.NAME.envy.banker_hand", "south-beach", &[("wagers.fortune.envy.banker_hand", "false")]),
    case("wagers.NAME.default", "washington", &[("wagers.fortune.default", "FPG-04")]),
    case("wagers.NAME.limits.min", "washington", &[("wagers.fortune.limits.min", "5.00")]),
    case("wagers.NAME.limits.max", "washington", &[("wagers.fortune.limits.max", "250.00")]),
    case("wagers.NAME.envy.from", "washington", &[("wagers.fortune.envy.from", "7.00")]),
    case("wagers.NAME.payout_max.amount", "washington", &[("wagers.fortune.payout_max.amount", "10.00")]),
    Case {
        key: "wagers.NAME.payout_max.per",
        book: "washington",
        given: &[("wagers.fortune.payout_max.amount", "10.00")],
        change: &[("wagers.fortune.payout_max.per", "hand")],
    },
    case(
        "wagers.NAME.paytables.NAME.joker",
        "south-beach",
        &[("wagers.fortune.paytables.posted.joker", "fully_wild")],
    ),
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.hand",
        book: "south-beach",
        given: HANDS,
        change: &[(
            "wagers.fortune.paytables.posted.pays",
            "[{ hand = \"full_house\", pays = 5 }, { hand = \"two_pair\", pays = 1 }]",
        )],
    },
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.cards",
        book: "ez",
        given: COLORS,
        change: &[(
            "wagers.red-black.paytables.posted.pays",
            "[{ cards = 7, pays = 9 }, { cards = 4, pays = 1 }]",
        )],
    },
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.pays",
        book: "south-beach",
        given: HANDS,
        change: &[(
            "wagers.fortune.paytables.posted.pays",
            "[{ hand = \"full_house\", pays = 6 }, { hand = \"three_of_a_kind\", pays = 1 }]",
        )],
    },
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.envy",
        book: "washington",
        given: ENVY,
        change: &[(
            "wagers.fortune.paytables.FPG-01.pays",
            "[{ hand = \"full_house\", pays = 5, envy = \"3.00\" }, { hand = \"three_of_a_kind\", pays = 1 }]",
        )],
    },
];

/// Keys of which every other value is refused: the deck has 53 cards, a posted paytable is available, and some keys
/// only carry a citation.
const REFUSED: &[Case] = &[
    case("base_game.wins", "south-beach", &[("base_game.wins", "one_hand")]),
    case("base_game.pays", "south-beach", &[("base_game.pays", "2")]),
    case("banking.uncovered", "california", &[("banking.uncovered", "lost")]),
    case("wagers.NAME.envy.paid", "california", &[("wagers.fortune.envy.paid", "never")]),
    case("wagers.NAME.envy.when", "california", &[("wagers.fortune.envy.when", "never")]),
    case("wagers.NAME.payout_max.shared", "washington", &[("wagers.fortune.payout_max.shared", "evenly")]),
    case("deck.cards", "south-beach", &[("deck.cards", "52")]),
    case(
        "wagers.NAME.paytables.NAME.available",
        "washington",
        &[("wagers.fortune.paytables.FPG-01.available", "false")],
    ),
];

/// Descriptive keys.
const DESCRIBING: &[Case] = &[
    case("title", "washington", &[("title", "Another title")]),
    case("source", "washington", &[("source", "another document")]),
    case("effective", "washington", &[("effective", "1999-12-31")]),
    case("checked_on", "washington", &[("checked_on", "1999-12-31")]),
    case("glossary", "washington", &[("glossary.x.means", "another"), ("glossary.x.cite", "nowhere")]),
    case("duties", "washington", &[("duties.x.says", "another"), ("duties.x.cite", "nowhere")]),
    case("notes", "washington", &[("notes.x.says", "another"), ("notes.x.cite", "nowhere")]),
    case("terms", "washington", &[("terms.banker", "bank holder")]),
    case("wagers.NAME.title", "washington", &[("wagers.fortune.title", "Another title")]),
    case("wagers.NAME.envy.button", "washington", &[("wagers.fortune.envy.button", "sticker")]),
    case("wagers.NAME.paytables.NAME.also", "washington", &[("wagers.fortune.paytables.FPG-01.also", "X")]),
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.intended",
        book: "south-beach",
        given: &[("wagers.fortune.paytables.posted.pays", "[{ hand = \"full_house\", pays = 5 }]")],
        change: &[(
            "wagers.fortune.paytables.posted.pays",
            "[{ hand = \"full_house\", pays = 5, intended = true }]",
        )],
    },
    Case {
        key: "wagers.NAME.paytables.NAME.pays.ROW.reading",
        book: "south-beach",
        given: &[("wagers.fortune.paytables.posted.pays", "[{ hand = \"full_house\", pays = 5 }]")],
        change: &[(
            "wagers.fortune.paytables.posted.pays",
            "[{ hand = \"full_house\", pays = 5, reading = \"the joker too\" }]",
        )],
    },
    case("cite", "washington", &[("wagers.fortune.paytables.FPG-01.cite", "somewhere else")]),
    case("option", "california", &[("ranking.option.joker", "somewhere else")]),
    case("assumed", "california", &[("ranking.assumed.wheel", "a reason")]),
];

/// Keys for composing files. Overrides cannot change them.
const STRUCTURAL: [&str; 2] = ["extends", "without"];

#[test]
fn cases_cover_all_keys_of_the_spec() {
    let named = |cases: &[Case]| cases.iter().map(|case| case.key.to_owned()).collect::<BTreeSet<String>>();
    let (mut deciding, mut describing) = (BTreeSet::new(), BTreeSet::new());
    for (path, field) in RULE_BOOK_SPEC.paths() {
        if field.descriptive {
            describing.insert(path)
        } else {
            deciding.insert(path)
        };
    }
    let tested: BTreeSet<String> = named(DECIDING).union(&named(REFUSED)).cloned().collect();
    assert_eq!(deciding, tested);
    let provenance = ["cite", "option", "assumed"].map(str::to_owned);
    describing.extend(provenance);
    let mut tested = named(DESCRIBING);
    tested.extend(STRUCTURAL.map(str::to_owned));
    assert_eq!(describing, tested);
}

#[test]
fn deciding_key_changes_digest_and_play() {
    let (mut before, mut failures) = (BTreeMap::new(), Vec::new());
    for Case { key, book, given, change } in DECIDING {
        let base = before.entry((book, given)).or_insert_with(|| observe(book, given).unwrap());
        match observe(book, &[given, *change].concat()) {
            Err(refused) => failures.push(format!("{key}: {refused}")),
            Ok(seen) if seen.digest == base.digest => failures.push(format!("{key}: same digest")),
            Ok(seen) if seen.played == base.played => failures.push(format!("{key}: same play")),
            Ok(_) => {}
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn fixed_key_refuses_other_values() {
    for Case { key, book, change, .. } in REFUSED {
        assert!(observe(book, change).is_err(), "{key}");
    }
}

#[test]
fn descriptive_key_changes_nothing() {
    let mut before = BTreeMap::new();
    for Case { key, book, given, change } in DESCRIBING {
        let base = before.entry((book, given)).or_insert_with(|| observe(book, given).unwrap());
        let changed = observe(book, &[given, *change].concat()).unwrap();
        assert_eq!(changed.digest, base.digest, "{key}: different digest");
        assert!(changed == *base, "{key}: different behavior");
    }
}
