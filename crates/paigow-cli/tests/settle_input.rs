//! Rounds that cannot be settled: each is refused with every fault named and where, and nothing is half-settled.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that cannot start its program has failed

mod program;

use program::{paigow, with_input};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Output;
use std::time::{Duration, Instant};

/// A round with nothing wrong. The third line is there to be replaced.
const ROUND: &str = r#"book = "south-beach"
dealer = { cards = "Qs Qd Jc 9h 7d 4s 2c" }
# more

[[seats]]
seat = 1
cards = "Kc Kh Ad Th 8s 5c 3d"
wagers = { pai-gow = "25.00" }

[[seats]]
seat = 2
cards = "8c 8d As Td 6h 4h 2s"
wagers = { pai-gow = "30.00" }
"#;

/// Where things stand in [`ROUND`].
const ANYWHERE: RangeInclusive<usize> = 1..=100;
const BOOK: RangeInclusive<usize> = 1..=1;
const DEALER: RangeInclusive<usize> = 2..=2;
const MORE: RangeInclusive<usize> = 3..=3;
const SEAT_1: RangeInclusive<usize> = 5..=8;
const SEAT_2: RangeInclusive<usize> = 10..=13;

/// No refusal is longer than a few screens.
const COMPLAINT_BYTES_MAX: usize = 20_000;

fn settle(input: &[u8]) -> Output {
    with_input(&["settle", "-", "--format", "json"], input)
}

/// What it said, having said no and nothing else.
#[track_caller]
fn refused(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(output.stdout.is_empty(), "half an answer: {}", String::from_utf8_lossy(&output.stdout));
    assert!(!said.contains("panicked"), "{said}");
    assert!(said.len() < COMPLAINT_BYTES_MAX, "{} bytes of complaint", said.len());
    said
}

/// The faults named, each with its line.
fn faults(said: &str) -> Vec<(&str, usize)> {
    let mut lines = said.lines();
    let mut faults = Vec::new();
    while let Some(line) = lines.next() {
        // A refusal has its code between `error` and the colon.
        let Some((_, message)) = line.split_once(": ").filter(|(head, _)| head.starts_with("error")) else {
            continue;
        };
        let place = lines.next().and_then(|place| place.split_once("--> standard input:")).expect("a place");
        faults.push((message, place.1.split(':').next().unwrap().parse().unwrap()));
    }
    faults
}

#[track_caller]
fn check_text(round: &str, expected: &[(&str, RangeInclusive<usize>)]) {
    let said = refused(&settle(round.as_bytes()));
    let found = faults(&said);
    for (message, place) in expected {
        let one = found.iter().filter(|(other, line)| other == message && place.contains(line)).count();
        assert_eq!(one, 1, "{message:?} in lines {place:?} of\n{round}\nis not what was said:\n{said}");
    }
    assert_eq!(found.len(), expected.len(), "of\n{round}\nmore is said than is wrong:\n{said}");
}

/// [`ROUND`] with some of it replaced.
#[track_caller]
fn changed(changes: &[(&str, &str)]) -> String {
    let mut round = ROUND.to_owned();
    for (from, to) in changes {
        assert!(round.contains(from), "{from:?} is not in the round");
        round = round.replacen(from, to, 1);
    }
    round
}

#[track_caller]
fn check(changes: &[(&str, &str)], expected: &[(&str, RangeInclusive<usize>)]) {
    check_text(&changed(changes), expected);
}

/// A file of its own for a test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("settle-input");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
    folder.join(name)
}

#[test]
fn the_round_that_the_others_spoil_is_settled() {
    let output = settle(ROUND.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["net_cents"]["seat-1"], 2_375);
    assert_eq!(answer["sum_cents"], 0);
}

#[test]
fn bad_cards_are_refused() {
    check(&[("8c 8d", "8c 8c")], &[("8c is there twice", 12..=12)]);
    check(&[("8c 8d", "8c 1x")], &[("unknown card \"1x\" at column 4", 12..=12)]);
    check(&[("8c 8d", "8c")], &[("6 cards where 7 are needed", 12..=12)]);
    check(&[("Qs Qd", "Qs Qd 2d")], &[("8 cards where 7 are needed", DEALER)]);
}

#[test]
fn a_card_in_two_hands_is_refused() {
    check(&[("8c 8d", "Kc 8d")], &[("Kc is in seat 1 and seat 2", *SEAT_1.start()..=*SEAT_2.end())]);
    check(
        &[("8c 8d", "Qs 8d")],
        &[("Qs is in seat 2 and the dealer's hand", *DEALER.start()..=*SEAT_2.end())],
    );
}

#[test]
fn bad_wagers_are_refused() {
    let second = |wagers: &'static str| [("{ pai-gow = \"30.00\" }", wagers)];
    check(
        &second("{ pai-gow = \"30.00\", dynasty = \"5.00\" }"),
        &[("the book offers no wager `dynasty`", 13..=13)],
    );
    check(
        &second("{ pai-gow = \"10000.01\" }"),
        &[("seat 2: pai-gow of $10,000.01 is above the maximum of $10,000", SEAT_2)],
    );
    check(
        &second("{ pai-gow = \"4.99\" }"),
        &[("seat 2: pai-gow of $4.99 is below the minimum of $5", SEAT_2)],
    );
    check(
        &second("{ pai-gow = \"30.00\", fortune = \"0.99\" }"),
        &[("seat 2: fortune of $0.99 is below the minimum of $1", SEAT_2)],
    );
    check(&second("{ fortune = \"5.00\" }"), &[("seat 2: fortune needs a Pai Gow wager beside it", SEAT_2)]);
    check(&second("{ pai-gow = \"30.005\" }"), &[("\"30.005\" is no amount", 13..=13)]);
    check(&second("{ pai-gow = \"-30.00\" }"), &[("\"-30.00\" is no amount", 13..=13)]);
    check(&second("{ pai-gow = 30 }"), &[("a wager is an amount", 13..=13)]);
    check(&second("\"30.00\""), &[("`wagers` is not a table", 13..=13)]);
    check(&second("{ pai-gow = \"30.00\", pai-gow = \"30.00\" }"), &[("duplicate key", 13..=13)]);
}

#[test]
fn a_wager_of_nothing_is_below_the_least() {
    check(&[("\"30.00\"", "\"0.00\"")], &[("seat 2: pai-gow of $0 is below the minimum of $5", SEAT_2)]);
}

#[test]
fn bad_colours_are_refused() {
    let second = |wagers: &'static str| [("south-beach", "ez"), ("{ pai-gow = \"30.00\" }", wagers)];
    check(
        &second("{ pai-gow = \"30.00\", red-black = \"5.00\" }"),
        &[("seat 2: red-black needs a color, red or black", SEAT_2)],
    );
    check(
        &second("{ pai-gow = \"30.00\", red-black = { amount = \"5.00\" } }"),
        &[("`color` is missing", 13..=13)],
    );
    check(
        &second("{ pai-gow = \"30.00\", red-black = { amount = \"5.00\", color = \"green\" } }"),
        &[("`color` is \"green\"", 13..=13)],
    );
    check(
        &second("{ pai-gow = \"30.00\", dynasty = { amount = \"5.00\", color = \"red\" } }"),
        &[("seat 2: dynasty takes no color", SEAT_2)],
    );
    check(
        &second("{ pai-gow = { amount = \"30.00\", color = \"red\" } }"),
        &[("seat 2: pai-gow takes no color", SEAT_2)],
    );
}

#[test]
fn seats_the_table_does_not_have_are_refused() {
    check(&[("seat = 2", "seat = 1")], &[("seat 1 is there twice", 11..=11)]);
    check(&[("seat = 2", "seat = 7")], &[("there is no seat 7: the table has seats 1 to 6", SEAT_2)]);
    check(&[("seat = 2", "seat = 8")], &[("`seat` is 8", 11..=11)]);
    check(&[("# more", "first = 9")], &[("`first` is 9", MORE)]);
}

#[test]
fn a_first_seat_the_table_does_not_have_is_refused_where_it_stands() {
    check(&[("# more", "first = 7")], &[("there is no seat 7: the table has seats 1 to 6", MORE)]);
}

#[test]
fn a_missing_or_needless_dealer_is_refused() {
    let hand = "dealer = { cards = \"Qs Qd Jc 9h 7d 4s 2c\" }";
    check(&[(hand, "")], &[("the dealer's hand is missing", ANYWHERE)]);
    check(&[("2c\" }", "2c\", low = \"Jc 9h\" }")], &[("`low` is not a key of this table", DEALER)]);
}

#[test]
fn a_needless_dealer_is_refused_where_it_stands() {
    let banker = ("# more", "banker = { seat = 2, covers = \"100.00\" }");
    let no_wagers = ("{ pai-gow = \"30.00\" }", "{}");
    check(
        &[("south-beach", "california"), banker, no_wagers],
        &[("the dealer has no hand in this book", DEALER)],
    );
    check(
        &[("2c\" }", "2c\", wager = \"50.00\" }")],
        &[("the dealer wagers only against a player who is the banker", DEALER)],
    );
}

#[test]
fn bankers_that_cannot_be_read_are_refused() {
    for banker in ["3", "\"nobody\"", "[]"] {
        let line = format!("banker = {banker}");
        check(&[("# more", &line)], &[("`banker` says neither the dealer nor a seat", MORE)]);
    }
    check(
        &[("# more", "banker = { seat = 2, cover = \"100.00\" }")],
        &[("`cover` is not a key of this table", MORE)],
    );
    check(&[("# more", "banker = { seat = 9 }")], &[("`seat` is 9", MORE)]);
    check(&[("# more", "banker = { seat = 2, covers = \"1.005\" }")], &[("`covers` is \"1.005\"", MORE)]);
}

#[test]
fn bankers_that_may_not_bank_are_refused_where_they_stand() {
    let banks = |covers: &'static str| [("# more", covers), ("{ pai-gow = \"30.00\" }", "{}")];
    let [banker, no_wagers] = banks("banker = { seat = 2 }");
    check(
        &[("south-beach", "ez"), banker, no_wagers],
        &[("seat 2 may not be the banker in this book", MORE)],
    );
    check(
        &banks("banker = { seat = 2, covers = \"24.99\" }"),
        &[("the banker covers $24.99 of $25, and must cover all", MORE)],
    );
    check(&[("# more", "banker = { seat = 3 }")], &[("seat 3 is the banker and has no hand", MORE)]);
    check(&[banker], &[("seat 2 is the banker and places no wagers", *MORE.start()..=*SEAT_2.end())]);
    let hand = ("dealer = { cards = \"Qs Qd Jc 9h 7d 4s 2c\" }", "");
    check(
        &[("south-beach", "california"), hand, banker, no_wagers],
        &[(
            "seat 2 is the player/dealer and does not say how much is covered",
            *MORE.start()..=*SEAT_2.end(),
        )],
    );
    check(
        &[("south-beach", "california"), hand],
        &[("the dealer may not be the player/dealer in this book", ANYWHERE)],
    );
}

#[test]
fn bad_fronts_are_refused() {
    let low = |low: &str| format!("cards = \"8c 8d As Td 6h 4h 2s\"\nlow = \"{low}\"");
    let check = |front: &str, message: &str| {
        check(&[("cards = \"8c 8d As Td 6h 4h 2s\"", &low(front))], &[(message, 13..=13)]);
    };
    check("Ac Kd", "seat 2: the low hand is not two of the hand's seven cards");
    check("8c Kd", "seat 2: the low hand is not two of the hand's seven cards");
    check("8c 8d As", "3 cards where 2 are needed");
    check("8c", "1 card where 2 are needed");
    check("8c 8c", "8c is there twice");
}

#[test]
fn a_bankers_foul_is_set_again_where_the_book_says_so() {
    let book = "title = \"Set again\"\nsource = \"The sign at the table\"\nchecked_on = \"2026-11-15\"\n\
                extends = \"south-beach\"\n[setting]\nbanker_foul = \"set_again\"\ncite = \"page 1\"\n";
    let book = file("set-again.toml", book.as_bytes());
    let round = changed(&[
        ("south-beach", book.to_str().unwrap()),
        ("# more", "banker = { seat = 2 }"),
        ("wagers = { pai-gow = \"30.00\" }", "low = \"8c 8d\""),
    ]);
    check_text(&round, &[("seat 2: the low hand is higher than the high hand; set it again", SEAT_2)]);
}

#[test]
fn bad_paytables_are_refused() {
    check(
        &[("south-beach", "washington"), ("# more", "paytables = { fortune = \"FPG-08\" }")],
        &[("paytable `FPG-08` of fortune is not available", MORE)],
    );
    check(
        &[("# more", "paytables = { fortune = \"9\", dynasty = \"1\" }")],
        &[("fortune has no paytable `9`", MORE), ("the book offers no wager `dynasty`", MORE)],
    );
    check(&[("# more", "paytables = { fortune = 1 }")], &[("a paytable is named by text", MORE)]);
    check(&[("# more", "paytables = \"1\"")], &[("`paytables` is not a table", MORE)]);
}

#[test]
fn books_there_are_not_are_refused() {
    check(
        &[("south-beach", "atlantis")],
        &[(
            "there is no rule book `atlantis`; those that come with the program are california, ez, south-beach, \
             south-dakota, washington, and a path to a file will do",
            BOOK,
        )],
    );
    check(
        &[("south-beach", "nowhere/book.toml")],
        &[("nowhere/book.toml: No such file or directory (os error 2)", BOOK)],
    );
}

#[test]
fn every_fault_of_the_text_is_named_at_once() {
    check(
        &[
            ("# more", "first = 0\ncolour = \"red\""),
            ("Kc Kh", "Kc Kc"),
            ("25.00", "25.005"),
            ("seat = 2", "seat = 8"),
            ("8c 8d", "8c"),
            ("{ pai-gow = \"30.00\" }", "{ pai-gow = \"1e3\", dynasty = 5 }"),
        ],
        &[
            ("`first` is 0", MORE),
            ("`colour` is not a key of this table", 4..=4),
            ("Kc is there twice", 8..=8),
            ("\"25.005\" is no amount", 9..=9),
            ("`seat` is 8", 12..=12),
            ("6 cards where 7 are needed", 13..=13),
            ("\"1e3\" is no amount", 14..=14),
            ("a wager is an amount", 14..=14),
            ("the book offers no wager `dynasty`", 14..=14),
        ],
    );
}

#[test]
fn every_fault_under_the_rules_is_named_at_once() {
    check(
        &[
            ("25.00", "4.00"),
            ("seat = 2", "seat = 7"),
            ("8c 8d", "Kc Qs"),
            ("{ pai-gow = \"30.00\" }", "{ pai-gow = \"20000.00\", fortune = \"0.50\" }"),
        ],
        &[
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("there is no seat 7: the table has seats 1 to 6", SEAT_2),
            ("seat 7: pai-gow of $20,000 is above the maximum of $10,000", SEAT_2),
            ("seat 7: fortune of $0.50 is below the minimum of $1", SEAT_2),
            ("Qs is in seat 7 and the dealer's hand", ANYWHERE),
            ("Kc is in seat 1 and seat 7", ANYWHERE),
        ],
    );
}

#[test]
fn a_fault_of_the_text_hides_none_under_the_rules() {
    // A paytable that cannot be posted, and everything else.
    check(
        &[
            ("south-beach", "washington"),
            ("# more", "paytables = { fortune = \"FPG-08\" }"),
            ("25.00", "4.00"),
            ("8c 8d", "Kc 8d"),
        ],
        &[
            ("paytable `FPG-08` of fortune is not available", MORE),
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("Kc is in seat 1 and seat 2", ANYWHERE),
        ],
    );
    // A wager that cannot be read, beside others that can.
    check(
        &[("{ pai-gow = \"25.00\" }", "{ pai-gow = \"4.00\", dynasty = \"5.00\" }"), ("8c 8d", "Kc 8d")],
        &[
            ("the book offers no wager `dynasty`", 8..=8),
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("Kc is in seat 1 and seat 2", ANYWHERE),
        ],
    );
    // A dealer, a banker and a first seat that cannot be read.
    for (from, to, fault, place) in [
        ("Qs Qd", "Qs", "6 cards where 7 are needed", DEALER),
        ("# more", "banker = 3", "`banker` says neither the dealer nor a seat", MORE),
        ("# more", "first = 9", "`first` is 9", MORE),
    ] {
        check(
            &[(from, to), ("25.00", "4.00")],
            &[(fault, place), ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1)],
        );
    }
    // The same seat twice, both wrong.
    check(
        &[("25.00", "4.00"), ("seat = 2", "seat = 1"), ("30.00", "3.00")],
        &[
            ("seat 1 is there twice", 11..=11),
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("seat 1: pai-gow of $3 is below the minimum of $5", SEAT_2),
        ],
    );
}

#[test]
fn nothing_is_made_up_about_a_seat_that_cannot_be_read() {
    let round = changed(&[("seat = 1", "seat = 8")]);
    let (only_first, _) = round.rsplit_once("[[seats]]").unwrap();
    check_text(only_first, &[("`seat` is 8", 6..=6)]);
}

#[test]
fn an_empty_round_is_refused() {
    check_text("", &[("`book` is missing", ANYWHERE), ("`seats` is missing", ANYWHERE)]);
    let (without_seats, _) = ROUND.split_once("[[seats]]").unwrap();
    let said = refused(&settle(without_seats.as_bytes()));
    assert!(said.contains("`seats` is missing"), "{said}");
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    let said = refused(&settle(b"book = \"\xFF\xFE\"\n"));
    assert_eq!(said, "paigow: -: byte 9 is not UTF-8 text\n");
    let path = file("not-text.toml", b"book = \"ez\"\n# \xC3\x28\n");
    let said = refused(&paigow().arg("settle").arg(&path).output().unwrap());
    assert_eq!(said, format!("paigow: {}: byte 15 is not UTF-8 text\n", path.display()));
}

#[test]
fn a_folder_and_a_missing_file_are_refused() {
    let folder = file("beside.toml", b"").parent().unwrap().to_owned();
    let missing = folder.join("missing.toml");
    for (path, reason) in [(&folder, "Is a directory"), (&missing, "No such file or directory")] {
        let said = refused(&paigow().arg("settle").arg(path).output().unwrap());
        assert!(said.starts_with(&format!("paigow: {}: {reason}", path.display())), "{said}");
    }
}

/// Noise that is the same every time.
fn noise(length: usize, byte: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        byte((state >> 56) as u8)
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn noise_is_refused_quickly_and_briefly() {
    const MEBIBYTE: usize = 1 << 20;
    /// Just short of where reading stops.
    const LONGEST: usize = 1_000_000;
    let printable = |byte: u8| b' ' + byte % 95;
    let lines = |byte: u8| if byte.is_multiple_of(16) { b'\n' } else { printable(byte) };
    let seat = "[[seats]]\nseat = 9\ncards = \"zz\"\nwagers = { x = 1 }\n";
    let floods: Vec<Vec<u8>> = vec![
        noise(MEBIBYTE, |byte| byte),
        noise(MEBIBYTE, printable),
        noise(LONGEST, printable),
        noise(LONGEST, lines),
        vec![0; 64 * MEBIBYTE],
        vec![b'['; LONGEST],
        seat.repeat(LONGEST / seat.len()).into_bytes(),
    ];
    for flood in floods {
        let begun = Instant::now();
        refused(&settle(&flood));
        let seconds = begun.elapsed();
        assert!(seconds < Duration::from_secs(20), "{seconds:?} for {} bytes", flood.len());
    }
    let path = file("noise.toml", &noise(MEBIBYTE, |byte| byte));
    refused(&paigow().arg("settle").arg(&path).output().unwrap());
}

#[test]
fn a_long_word_is_not_repeated_whole() {
    let long = "x".repeat(900_000);
    for (from, to) in [
        ("Kc Kh", "Kc ".repeat(300_000)),
        ("Kc Kh", long.clone()),
        ("south-beach", long.clone()),
        ("south-beach", "../".repeat(300_000)),
        ("25.00", "9".repeat(900_000)),
        ("pai-gow", long.clone()),
        ("seat = 1", format!("seat = 1\n{long} = 1")),
        ("seat = 1", format!("seat = \"{long}\"")),
        ("# more", format!("paytables = {{ fortune = \"{long}\" }}")),
        ("# more", format!("paytables = {{ {long} = \"1\" }}")),
        ("# more", format!("banker = {{ seat = 2, covers = \"{long}\" }}")),
    ] {
        refused(&settle(changed(&[(from, &to)]).as_bytes()));
    }
}
