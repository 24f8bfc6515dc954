//! The published figures: all are explained, the check can fail, and some are worked out again by plain arithmetic.

#![allow(clippy::expect_used, clippy::unwrap_used)] // a test that expects wrongly has failed

use paigow_math::{BaseGame, DecimalRounding, Figure, Fraction, Published, QUIET, Sides, Status};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The figures of one document. No game is counted: only documents that need none are asked for.
fn figures_of(text: &str, key: &str) -> Vec<Figure> {
    let published = Published::parse(text).expect("a data file");
    published.verify(Some(key), &|_| panic!("a figure about one hand asked for two")).expect("figures")
}

/// How many figures have each status, in the order of [`Status::ALL`].
fn statuses(figures: &[Figure]) -> [usize; 5] {
    Status::ALL.map(|status| figures.iter().filter(|figure| figure.status == status).count())
}

fn find<'a>(figures: &'a [Figure], id: &str) -> &'a Figure {
    figures.iter().find(|figure| figure.id == id).unwrap_or_else(|| panic!("there is no figure {id}"))
}

#[test]
fn every_figure_is_explained() {
    let published = Published::parse(Published::TEXT).expect("a data file");
    let games = Cell::new(0);
    let count = |sides: &Sides<'_>| {
        games.set(games.get() + 1);
        BaseGame::count(sides, QUIET)
    };
    let figures = published.verify(None, &count).expect("figures");
    assert_eq!(games.get(), 1, "one game is counted for all figures about two hands");

    let mut golden = BTreeMap::new();
    for figure in &figures {
        golden.entry(figure.source.as_str()).or_insert_with(Vec::new).push(figure.clone());
        assert_eq!(figure.note.is_none(), figure.status == Status::Matches, "{figure:?}");
    }
    let golden: Vec<_> = golden.iter().map(|(source, figures)| (*source, statuses(figures))).collect();
    // matches, truncated, misprint, approximation, unexplained
    assert_eq!(golden, [("EZ", [262, 0, 8, 2, 0]), ("SD", [6, 6, 0, 0, 0]), ("WA", [0, 0, 0, 6, 0])]);

    let ids: BTreeSet<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    assert_eq!(ids.len(), figures.len(), "no two figures have one id");
}

#[test]
fn documents_without_figures_say_so() {
    let published = Published::parse(Published::TEXT).expect("a data file");
    assert_eq!(published.keys().collect::<Vec<_>>(), ["SD", "WA", "CA", "SB", "EZ"]);
    for (key, prints_none) in [("SD", false), ("WA", false), ("CA", true), ("SB", true), ("EZ", false)] {
        assert_eq!(published.prints_none(key).is_some(), prints_none, "{key}");
    }
    assert!(figures_of(Published::TEXT, "CA").is_empty());
}

/// A last digit that is another is noticed. By five, so that no other rounding of the same value can be hit.
#[test]
fn a_changed_digit_is_unexplained() {
    let before = figures_of(Published::TEXT, "EZ");
    // One change at a time, but not in each of 272 figures: every seventh, and all that are explained.
    let chosen = before
        .iter()
        .enumerate()
        .filter(|(place, figure)| place % 7 == 0 || figure.status != Status::Matches);
    for (_, figure) in chosen {
        let digit = |c: char| c.is_ascii_digit();
        let text = figure.printed.to_string();
        let last = text.rfind(digit).expect("a digit");
        let raised = (text.as_bytes()[last] - b'0' + 5) % 10;
        let changed = format!("{}{raised}{}", &text[..last], &text[last + 1..]);
        let file = change(figure, &changed);
        let after = figures_of(&file, "EZ");
        assert_eq!(after.len(), before.len());
        assert_eq!(find(&after, &figure.id).status, Status::Unexplained, "{} {changed}", figure.id);
        assert_eq!(statuses(&after)[4], 1, "{} alone", figure.id);
    }
}

/// The data file with one figure changed: in its table, in its row, in its column.
fn change(figure: &Figure, to: &str) -> String {
    let figures = figures_of(Published::TEXT, &figure.source);
    // The figures stand in the file in the order they are given in, so the place among equals finds it.
    let same = |other: &&Figure| other.printed == figure.printed;
    let nth = figures.iter().filter(same).position(|other| other.id == figure.id).expect("itself");
    let start = Published::TEXT.find(&format!("key = \"{}\"", figure.source)).expect("its document");
    let quoted = format!("\"{}\"", figure.printed);
    let (at, _) = Published::TEXT[start..].match_indices(&quoted).nth(nth).expect("its place");
    let at = start + at;
    format!("{}\"{to}\"{}", &Published::TEXT[..at], &Published::TEXT[at + quoted.len()..])
}

#[test]
fn an_explanation_that_does_not_give_the_figure_is_not_taken() {
    let text = Published::TEXT.replace("\"7.76%\"", "\"7.75%\"");
    let figures = figures_of(&text, "SD");
    let figure = find(&figures, "SD-7/table-2/no-envy");
    assert_eq!(figure.status, Status::Unexplained);
    assert_eq!(
        figure.note.as_deref(),
        Some("It is not what was thought. Exactly, it is 7.765575%, which would be printed 7.76%.")
    );
    let text = Published::TEXT.replace("with = \"3\"", "with = \"4\"");
    assert_eq!(statuses(&figures_of(&text, "EZ")), [262, 0, 6, 2, 2], "tables 3 and 4 differ at the top");
}

/// South Dakota and EZ print the edges of the same tables. All twelve of the one are cut off, all of the other are rounded.
#[test]
fn one_document_cuts_off_what_another_rounds() {
    let (state, maker) = (figures_of(Published::TEXT, "SD"), figures_of(Published::TEXT, "EZ"));
    let mut differ = 0;
    for (fortune, dynasty) in [(1, 2), (2, 3), (3, 4), (4, 5), (6, 7), (7, 6)] {
        for (envy, players) in [("max-envy", "6-players"), ("no-envy", "1-player")] {
            let cut_off = find(&state, &format!("SD-7/table-{fortune}/{envy}"));
            let rounded = find(&maker, &format!("EZ-6/edge/{players}/table-{dynasty}"));
            assert_eq!(cut_off.exact, rounded.exact, "{}", cut_off.id);
            assert!(cut_off.printed.is(&cut_off.exact, DecimalRounding::Truncated), "{}", cut_off.id);
            assert!(rounded.printed.is(&rounded.exact, DecimalRounding::Rounded), "{}", rounded.id);
            differ += usize::from(cut_off.printed != rounded.printed);
        }
    }
    assert_eq!(differ, 6);
}

/// A figure in units of its last digit.
fn units(figure: &Figure) -> i128 {
    figure.printed.to_string().replace(['%', ',', '.'], "").parse().expect("digits")
}

/// The rows of a printed column add up to its printed total, as far as rounded figures can.
#[test]
fn columns_add_up() {
    let figures = figures_of(Published::TEXT, "EZ");
    let mut columns = vec![
        ("EZ-6/detailed-envy/table-2/".to_owned(), "/combinations".to_owned(), 0),
        ("EZ-6/detailed-envy/table-2/".to_owned(), "/probability".to_owned(), 8),
        ("EZ-6/detailed-envy/table-2/".to_owned(), "/envy".to_owned(), 7),
    ];
    for table in 2..=7 {
        columns.push(("EZ-6/return/".to_owned(), format!("/table-{table}"), 13));
        columns.push(("EZ-6/envy/".to_owned(), format!("/table-{table}"), 7));
    }
    for (start, end, rounded) in columns {
        let column = figures.iter().filter(|it| it.id.starts_with(&start) && it.id.ends_with(&end));
        let (total, rows): (Vec<&Figure>, Vec<&Figure>) =
            column.partition(|figure| figure.id.contains("/total/"));
        let off = units(total[0]) - rows.iter().map(|figure| units(figure)).sum::<i128>();
        assert!(2 * off.abs() <= rounded + 1, "{start}*{end} is {off} units off");
    }
}

/// Counts of `golden/census.golden`, which was counted by other means as well: by rank in play, the joker semi-wild.
fn census() -> BTreeMap<String, i128> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/census.golden");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines
        .filter(|words| words.first() == Some(&"semi_wild"))
        .map(|words| (words[1].to_owned(), words[2].parse().unwrap()))
        .collect()
}

const HANDS: i128 = 154_143_080;

/// Three of a kind is paid before a straight in these tables, and this many hands hold both.
const THREES_WITH_STRAIGHT: i128 = 201_824;

#[test]
fn edges_follow_from_the_golden_census_by_plain_arithmetic() {
    let census = census();
    let hands = [
        census["natural_7_card_straight_flush"],
        census["royal_flush_royal_match"],
        census["wild_7_card_straight_flush"],
        census["five_aces"],
        census["royal_flush"],
        census["straight_flush"],
        census["four_of_a_kind"],
        census["full_house"],
        census["flush"],
        census["three_of_a_kind"] + THREES_WITH_STRAIGHT,
        census["straight"] - THREES_WITH_STRAIGHT,
    ];
    // SD-6, paytable 2: eleven rows, the first seven with envy bonuses in dollars.
    let pays = [8_000, 2_000, 1_000, 400, 150, 50, 25, 5, 4, 3, 2];
    let envy = [5_000, 1_000, 500, 250, 50, 20, 5];
    let losing = HANDS - hands.iter().sum::<i128>();
    let lost = losing - hands.iter().zip(pays).map(|(hands, pays)| hands * pays).sum::<i128>();
    let figures = figures_of(Published::TEXT, "SD");
    assert_eq!(find(&figures, "SD-7/table-2/no-envy").exact, Fraction::new(lost, HANDS));
    assert_eq!(lost * 10_000 / HANDS, 776, "7.76 %, cut off");
    // Five others, and bonuses per five dollars.
    let bonuses: i128 = hands.iter().zip(envy).map(|(hands, envy)| hands * envy).sum();
    assert_eq!((lost - bonuses) * 10_000 / HANDS, 313, "3.13 %");

    // EZ-4 and EZ-7, the stake included.
    let gross = |class: &str, pays: i128| census[class] * (pays + 1);
    let rounded = |count: i128, units: i128| (2 * count * units / HANDS + 1) / 2;
    assert_eq!(rounded(gross("queen_high", 7), 1_000_000), 141_142, "14.1142 %");
    assert_eq!(rounded(gross("ace_high", 3), 1_000_000), 374_478, "37.4478 %");
    assert_eq!(rounded(gross("queen_high", 50), 100_000_000), 89_977_766, "printed 89.977765 %");
    let probability = rounded(census["queen_high"], 1_000_000_000);
    assert_eq!(
        (probability * 51 + 5) / 10,
        89_977_765,
        "and that is a probability of nine decimals, 51 times"
    );
}

/// WA-6: the four printed figures from six counts of the golden census. With p and q in hands, p × (1 − q − p/2) is
/// p × (2 × 154,143,080 − 2q − p) of 2 × 154,143,080².
#[test]
fn pai_gowd_follows_from_the_golden_census_by_plain_arithmetic() {
    let census = census();
    let (mut lower, mut beaten) = (0, Vec::new());
    for class in ["nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high"] {
        let p = census[class];
        beaten.push(p * (2 * HANDS - 2 * lower - p));
        lower += p;
    }
    let all = 2 * HANDS * HANDS;
    let rounded = |part: i128| (part * 20_000 / all + 1) / 2;
    assert_eq!(rounded(beaten.iter().sum()), 1_478, "14.78 %");
    let tables = [[100, 40, 10, 7, 6, 3], [100, 50, 10, 7, 5, 3], [100, 40, 10, 7, 5, 3]];
    let edges = tables.map(|pays| {
        let back: i128 = beaten.iter().zip(pays).map(|(beaten, pays)| beaten * (pays + 1)).sum();
        rounded(all - back)
    });
    assert_eq!(edges, [980, 1_214, 1_375], "9.80 %, 12.14 %, 13.75 %");
}

#[test]
fn what_is_wrong_with_a_data_file_is_said() {
    let fault = |from: &str, to: &str| {
        let text = Published::TEXT.replacen(from, to, 1);
        assert_ne!(text, Published::TEXT);
        let read = Published::parse(&text);
        let figures = read.and_then(|it| it.verify(Some("SD"), &|_| panic!("no game is asked for")));
        figures.expect_err("a fault").to_string()
    };
    for (from, to, says) in [
        (
            "key = \"SD\"",
            "kee = \"SD\"",
            "the published figures: a document has a key `kee` that means nothing",
        ),
        ("\"5.30%\"", "\"5.3O%\"", "the published figures: SD-7 has `5.3O%`, which is no number"),
        (
            "\"table 6\"",
            "\"table 5\"",
            "the published figures: SD-7: south-dakota has no paytable 5 of fortune",
        ),
        ("\"no-envy\"]", "\"some-envy\"]", "the published figures: SD-7: `some-envy` means nothing"),
        (
            "by = \"truncation\"",
            "by = \"luck\"",
            "the published figures: SD-7 is explained by no computation there is",
        ),
    ] {
        assert_eq!(fault(from, to), says);
    }
}
