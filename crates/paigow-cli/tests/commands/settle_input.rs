//! Rounds that cannot be settled: all faults are reported with their lines, and no part is settled.

use crate::program::{paigow, with_input};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Output;
use std::time::{Duration, Instant};

/// A valid round. Tests replace its third line.
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

// Line ranges of the parts of [`ROUND`].
const ANYWHERE: RangeInclusive<usize> = 1..=100;
const BOOK: RangeInclusive<usize> = 1..=1;
const DEALER: RangeInclusive<usize> = 2..=2;
const MORE: RangeInclusive<usize> = 3..=3;
const SEAT_1: RangeInclusive<usize> = 5..=8;
const SEAT_2: RangeInclusive<usize> = 10..=13;

/// Maximum length of the messages of a refusal.
const STDERR_BYTES_MAX: usize = 20_000;

fn settle(input: &[u8]) -> Output {
    with_input(&["settle", "-", "--format", "json"], input)
}

/// Asserts a refusal without output, and returns standard error.
#[track_caller]
fn refused(output: &Output) -> String {
    let stderr = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(output.stdout.is_empty(), "output of a refusal: {}", String::from_utf8_lossy(&output.stdout));
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(stderr.len() < STDERR_BYTES_MAX, "{} bytes of messages", stderr.len());
    stderr
}

/// Parses the faults on standard error, each with its line.
fn faults(stderr: &str) -> Vec<(&str, usize)> {
    let mut lines = stderr.lines();
    let mut faults = Vec::new();
    while let Some(line) = lines.next() {
        // A refusal has its code in brackets between `error` and the colon.
        let Some((_, message)) = line.split_once(": ").filter(|(head, _)| head.starts_with("error")) else {
            continue;
        };
        let (_, location) =
            lines.next().and_then(|line| line.split_once("--> standard input:")).expect("a location");
        faults.push((message, location.split(':').next().unwrap().parse().unwrap()));
    }
    faults
}

#[track_caller]
fn check_text(round: &str, expected: &[(&str, RangeInclusive<usize>)]) {
    let stderr = refused(&settle(round.as_bytes()));
    let found = faults(&stderr);
    for (message, range) in expected {
        let count = found.iter().filter(|(other, line)| other == message && range.contains(line)).count();
        assert_eq!(count, 1, "{message:?} in lines {range:?} of\n{round}\nis not reported once:\n{stderr}");
    }
    assert_eq!(found.len(), expected.len(), "unexpected faults of\n{round}\nare reported:\n{stderr}");
}

/// Returns [`ROUND`] with some texts replaced.
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

/// Writes a file for a test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("settle-input");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
    folder.join(name)
}

#[test]
fn unchanged_round_is_settled() {
    let output = settle(ROUND.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["net_cents"]["seat-1"], 2_375);
    assert_eq!(answer["sum_cents"], 0);
}

#[test]
fn bad_cards_are_refused() {
    check(&[("8c 8d", "8c 8c")], &[("8c appears twice", 12..=12)]);
    check(&[("8c 8d", "8c 1x")], &[("unknown card \"1x\" at column 4", 12..=12)]);
    check(&[("8c 8d", "8c")], &[("expected 7 cards, found 6", 12..=12)]);
    check(&[("Qs Qd", "Qs Qd 2d")], &[("expected 7 cards, found 8", DEALER)]);
}

#[test]
fn card_in_two_hands_is_refused() {
    check(
        &[("8c 8d", "Kc 8d")],
        &[("Kc appears in more than one hand: seat 1 and seat 2", *SEAT_1.start()..=*SEAT_2.end())],
    );
    check(
        &[("8c 8d", "Qs 8d")],
        &[(
            "Qs appears in more than one hand: seat 2 and the dealer's hand",
            *DEALER.start()..=*SEAT_2.end(),
        )],
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
    check(&second("{ fortune = \"5.00\" }"), &[("seat 2: fortune requires a Pai Gow wager", SEAT_2)]);
    check(&second("{ pai-gow = \"30.005\" }"), &[("\"30.005\" is not an amount", 13..=13)]);
    check(&second("{ pai-gow = \"-30.00\" }"), &[("\"-30.00\" is not an amount", 13..=13)]);
    check(&second("{ pai-gow = 30 }"), &[("a wager must be an amount", 13..=13)]);
    check(&second("\"30.00\""), &[("`wagers` is not a table", 13..=13)]);
    check(&second("{ pai-gow = \"30.00\", pai-gow = \"30.00\" }"), &[("duplicate key", 13..=13)]);
}

#[test]
fn wager_of_zero_is_below_the_minimum() {
    check(&[("\"30.00\"", "\"0.00\"")], &[("seat 2: pai-gow of $0 is below the minimum of $5", SEAT_2)]);
}

#[test]
fn bad_colors_are_refused() {
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
fn bad_seats_are_refused() {
    check(&[("seat = 2", "seat = 1")], &[("seat 1 appears twice", 11..=11)]);
    check(&[("seat = 2", "seat = 7")], &[("there is no seat 7: the table has seats 1 to 6", SEAT_2)]);
    check(&[("seat = 2", "seat = 8")], &[("`seat` is 8", 11..=11)]);
    check(&[("# more", "first = 9")], &[("`first` is 9", MORE)]);
}

#[test]
fn bad_first_seat_is_refused_at_its_line() {
    check(&[("# more", "first = 7")], &[("there is no seat 7: the table has seats 1 to 6", MORE)]);
}

#[test]
fn missing_dealer_and_unknown_dealer_keys_are_refused() {
    let hand = "dealer = { cards = \"Qs Qd Jc 9h 7d 4s 2c\" }";
    check(&[(hand, "")], &[("the dealer's hand is missing", ANYWHERE)]);
    check(&[("2c\" }", "2c\", low = \"Jc 9h\" }")], &[("`low` is not a key of this table", DEALER)]);
}

#[test]
fn dealer_without_hand_or_wager_in_the_book_is_refused_at_its_line() {
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
fn malformed_bankers_are_refused() {
    for banker in ["3", "\"unknown\"", "[]"] {
        let line = format!("banker = {banker}");
        check(&[("# more", &line)], &[("`banker` is neither \"dealer\" nor a seat", MORE)]);
    }
    check(
        &[("# more", "banker = { seat = 2, cover = \"100.00\" }")],
        &[("`cover` is not a key of this table", MORE)],
    );
    check(&[("# more", "banker = { seat = 9 }")], &[("`seat` is 9", MORE)]);
    check(&[("# more", "banker = { seat = 2, covers = \"1.005\" }")], &[("`covers` is \"1.005\"", MORE)]);
}

#[test]
fn bankers_that_may_not_bank_are_refused_at_their_line() {
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
    check(&[banker], &[("seat 2 is the banker and may not place this wager", *MORE.start()..=*SEAT_2.end())]);
    let hand = ("dealer = { cards = \"Qs Qd Jc 9h 7d 4s 2c\" }", "");
    check(
        &[("south-beach", "california"), hand, banker, no_wagers],
        &[("seat 2 is the player/dealer and must state the amount covered", *MORE.start()..=*SEAT_2.end())],
    );
    check(
        &[("south-beach", "california"), hand],
        &[("the dealer may not be the player/dealer in this book", ANYWHERE)],
    );
}

#[test]
fn bad_low_hands_are_refused() {
    let with_low = |low: &str| format!("cards = \"8c 8d As Td 6h 4h 2s\"\nlow = \"{low}\"");
    let check = |low: &str, message: &str| {
        check(&[("cards = \"8c 8d As Td 6h 4h 2s\"", &with_low(low))], &[(message, 13..=13)]);
    };
    check("Ac Kd", "seat 2: the low hand is not two of the hand's seven cards");
    check("8c Kd", "seat 2: the low hand is not two of the hand's seven cards");
    check("8c 8d As", "expected 2 cards, found 3");
    check("8c", "expected 2 cards, found 1");
    check("8c 8c", "8c appears twice");
}

#[test]
fn foul_of_the_banker_is_refused_if_the_book_requires_setting_again() {
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
    check(&[("# more", "paytables = { fortune = 1 }")], &[("the name of a paytable must be text", MORE)]);
    check(&[("# more", "paytables = \"1\"")], &[("`paytables` is not a table", MORE)]);
}

#[test]
fn unknown_books_are_refused() {
    check(
        &[("south-beach", "atlantis")],
        &[(
            "there is no rule book `atlantis`; available: california, ez, south-beach, \
             south-dakota, washington, or the path of a file",
            BOOK,
        )],
    );
    check(
        &[("south-beach", "nowhere/book.toml")],
        &[("nowhere/book.toml: No such file or directory (os error 2)", BOOK)],
    );
}

#[test]
fn all_faults_of_the_text_are_reported_at_once() {
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
            ("Kc appears twice", 8..=8),
            ("\"25.005\" is not an amount", 9..=9),
            ("`seat` is 8", 12..=12),
            ("expected 7 cards, found 6", 13..=13),
            ("\"1e3\" is not an amount", 14..=14),
            ("a wager must be an amount", 14..=14),
            ("the book offers no wager `dynasty`", 14..=14),
        ],
    );
}

#[test]
fn all_broken_rules_are_reported_at_once() {
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
            ("Qs appears in more than one hand: seat 7 and the dealer's hand", ANYWHERE),
            ("Kc appears in more than one hand: seat 1 and seat 7", ANYWHERE),
        ],
    );
}

#[test]
fn faults_of_the_text_do_not_hide_broken_rules() {
    // A paytable that is not available.
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
            ("Kc appears in more than one hand: seat 1 and seat 2", ANYWHERE),
        ],
    );
    // An unknown wager next to a known one.
    check(
        &[("{ pai-gow = \"25.00\" }", "{ pai-gow = \"4.00\", dynasty = \"5.00\" }"), ("8c 8d", "Kc 8d")],
        &[
            ("the book offers no wager `dynasty`", 8..=8),
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("Kc appears in more than one hand: seat 1 and seat 2", ANYWHERE),
        ],
    );
    // A malformed dealer, banker or first seat.
    for (from, to, fault, range) in [
        ("Qs Qd", "Qs", "expected 7 cards, found 6", DEALER),
        ("# more", "banker = 3", "`banker` is neither \"dealer\" nor a seat", MORE),
        ("# more", "first = 9", "`first` is 9", MORE),
    ] {
        check(
            &[(from, to), ("25.00", "4.00")],
            &[(fault, range), ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1)],
        );
    }
    // The same seat twice, both with a bad wager.
    check(
        &[("25.00", "4.00"), ("seat = 2", "seat = 1"), ("30.00", "3.00")],
        &[
            ("seat 1 appears twice", 11..=11),
            ("seat 1: pai-gow of $4 is below the minimum of $5", SEAT_1),
            ("seat 1: pai-gow of $3 is below the minimum of $5", SEAT_2),
        ],
    );
}

#[test]
fn malformed_seat_causes_no_other_faults() {
    let round = changed(&[("seat = 1", "seat = 8")]);
    let (only_first, _) = round.rsplit_once("[[seats]]").unwrap();
    check_text(only_first, &[("`seat` is 8", 6..=6)]);
}

#[test]
fn empty_round_is_refused() {
    check_text("", &[("`book` is missing", ANYWHERE), ("`seats` is missing", ANYWHERE)]);
    let (without_seats, _) = ROUND.split_once("[[seats]]").unwrap();
    let stderr = refused(&settle(without_seats.as_bytes()));
    assert!(stderr.contains("`seats` is missing"), "{stderr}");
}

#[test]
fn input_that_is_not_utf8_is_refused() {
    let stderr = refused(&settle(b"book = \"\xFF\xFE\"\n"));
    assert_eq!(stderr, "paigow: -: byte 9 is not UTF-8 text\n");
    let path = file("not-text.toml", b"book = \"ez\"\n# \xC3\x28\n");
    let stderr = refused(&paigow().arg("settle").arg(&path).output().unwrap());
    assert_eq!(stderr, format!("paigow: {}: byte 15 is not UTF-8 text\n", path.display()));
}

#[test]
fn folder_and_missing_file_are_refused() {
    let folder = file("other.toml", b"").parent().unwrap().to_owned();
    let missing = folder.join("missing.toml");
    for (path, reason) in [(&folder, "Is a directory"), (&missing, "No such file or directory")] {
        let stderr = refused(&paigow().arg("settle").arg(path).output().unwrap());
        assert!(stderr.starts_with(&format!("paigow: {}: {reason}", path.display())), "{stderr}");
    }
}

/// Generates pseudo-random bytes from a fixed seed.
fn noise(length: usize, byte: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        byte((state >> 56) as u8)
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn random_input_is_refused_quickly_with_short_output() {
    const MEBIBYTE: usize = 1 << 20;
    /// Maximum length that the program reads.
    const BYTES_MAX: usize = 1_000_000;
    let printable = |byte: u8| b' ' + byte % 95;
    let lines = |byte: u8| if byte.is_multiple_of(16) { b'\n' } else { printable(byte) };
    let seat = "[[seats]]\nseat = 9\ncards = \"zz\"\nwagers = { x = 1 }\n";
    let inputs: Vec<Vec<u8>> = vec![
        noise(MEBIBYTE, |byte| byte),
        noise(MEBIBYTE, printable),
        noise(BYTES_MAX, printable),
        noise(BYTES_MAX, lines),
        vec![0; 64 * MEBIBYTE],
        vec![b'['; BYTES_MAX],
        seat.repeat(BYTES_MAX / seat.len()).into_bytes(),
    ];
    for input in inputs {
        let start = Instant::now();
        refused(&settle(&input));
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_secs(20), "{elapsed:?} for {} bytes", input.len());
    }
    let path = file("noise.toml", &noise(MEBIBYTE, |byte| byte));
    refused(&paigow().arg("settle").arg(&path).output().unwrap());
}

#[test]
fn long_values_are_shortened_in_messages() {
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
