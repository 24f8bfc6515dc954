//! The published figures are all explained, wrong figures are detected, and some follow from integer arithmetic.

use crate::counts::{base_game, golden};
use paigow_math::{DecimalRounding, Figure, Fraction, Matchup, PublishedFigures, Status};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of one document, which must not depend on a base game.
fn figures_of(text: &str, key: &str) -> Vec<Figure> {
    let published = PublishedFigures::parse(text).expect("a data file");
    published.verify(Some(key), &|_| panic!("a figure about one hand counted a base game")).expect("figures")
}

/// Number of figures with each status, in the order of [`Status::ALL`].
fn statuses(figures: &[Figure]) -> [usize; 5] {
    Status::ALL.map(|status| figures.iter().filter(|figure| figure.status == status).count())
}

fn find<'a>(figures: &'a [Figure], id: &str) -> &'a Figure {
    figures.iter().find(|figure| figure.id == id).unwrap_or_else(|| panic!("there is no figure {id}"))
}

#[test]
fn every_figure_is_explained() {
    let published = PublishedFigures::parse(PublishedFigures::TEXT).expect("a data file");
    let games = Cell::new(0);
    let count = |matchup: &Matchup<'_>| {
        games.set(games.get() + 1);
        base_game(matchup)
    };
    let figures = published.verify(None, &count).expect("figures");
    assert_eq!(games.get(), 1, "all figures about two hands share one base game");

    let mut by_source = BTreeMap::new();
    for figure in &figures {
        by_source.entry(figure.source.as_str()).or_insert_with(Vec::new).push(figure.clone());
        assert_eq!(figure.note.is_none(), figure.status == Status::Matches, "{figure:?}");
    }
    let found: Vec<_> = by_source.iter().map(|(source, figures)| (*source, statuses(figures))).collect();
    // matches, truncated, misprint, approximation, unexplained
    assert_eq!(found, [("EZ", [262, 0, 8, 2, 0]), ("SD", [6, 6, 0, 0, 0]), ("WA", [0, 0, 0, 6, 0])]);

    let ids: BTreeSet<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    assert_eq!(ids.len(), figures.len(), "ids are unique");
}

#[test]
fn documents_without_figures_describe_their_contents() {
    let published = PublishedFigures::parse(PublishedFigures::TEXT).expect("a data file");
    assert_eq!(published.keys().collect::<Vec<_>>(), ["SD", "WA", "CA", "SB", "EZ"]);
    for (key, contents_without_figures) in
        [("SD", false), ("WA", false), ("CA", true), ("SB", true), ("EZ", false)]
    {
        assert_eq!(published.contents_without_figures(key).is_some(), contents_without_figures, "{key}");
    }
    assert!(figures_of(PublishedFigures::TEXT, "CA").is_empty());
}

/// Changes the last digit by five, so that the result is no other rounding of the same value.
#[test]
fn a_changed_digit_is_unexplained() {
    let before = figures_of(PublishedFigures::TEXT, "EZ");
    // To keep the test fast, only every seventh of the 272 figures is changed, and all figures with an explanation.
    let chosen = before
        .iter()
        .enumerate()
        .filter(|(index, figure)| index % 7 == 0 || figure.status != Status::Matches);
    for (_, figure) in chosen {
        let digit = |c: char| c.is_ascii_digit();
        let text = figure.printed.to_string();
        let last = text.rfind(digit).expect("a digit");
        let raised = (text.as_bytes()[last] - b'0' + 5) % 10;
        let changed = format!("{}{raised}{}", &text[..last], &text[last + 1..]);
        let file = change(&before, figure, &changed);
        let after = figures_of(&file, "EZ");
        assert_eq!(after.len(), before.len());
        assert_eq!(find(&after, &figure.id).status, Status::Unexplained, "{} {changed}", figure.id);
        assert_eq!(statuses(&after)[4], 1, "only {}", figure.id);
    }
}

/// Returns the data file with one of the figures of a document changed.
fn change(figures: &[Figure], figure: &Figure, to: &str) -> String {
    // `verify` returns the figures in file order, so the index among equal figures identifies the figure.
    let same = |other: &&Figure| other.printed == figure.printed;
    let nth = figures.iter().filter(same).position(|other| other.id == figure.id).expect("itself");
    let start = PublishedFigures::TEXT.find(&format!("key = \"{}\"", figure.source)).expect("its document");
    let quoted = format!("\"{}\"", figure.printed);
    let (offset, _) = PublishedFigures::TEXT[start..].match_indices(&quoted).nth(nth).expect("the figure");
    let offset = start + offset;
    format!(
        "{}\"{to}\"{}",
        &PublishedFigures::TEXT[..offset],
        &PublishedFigures::TEXT[offset + quoted.len()..]
    )
}

#[test]
fn an_explanation_that_gives_another_figure_is_rejected() {
    let text = PublishedFigures::TEXT.replace("\"7.76%\"", "\"7.75%\"");
    let figures = figures_of(&text, "SD");
    let figure = find(&figures, "SD-7/table-2/no-envy");
    assert_eq!(figure.status, Status::Unexplained);
    assert_eq!(
        figure.note.as_deref(),
        Some(
            "The explanation does not give this figure. Exactly, it is 7.765575%, which would be printed 7.76%."
        )
    );
    let text = PublishedFigures::TEXT.replace("with = \"3\"", "with = \"4\"");
    assert_eq!(statuses(&figures_of(&text, "EZ")), [262, 0, 6, 2, 2], "tables 3 and 4 differ at the top");
}

/// South Dakota and EZ print the edges of the same tables. South Dakota truncates all twelve, EZ rounds all twelve.
#[test]
fn south_dakota_truncates_the_edges_that_ez_rounds() {
    let (state, maker) = (figures_of(PublishedFigures::TEXT, "SD"), figures_of(PublishedFigures::TEXT, "EZ"));
    let mut differ = 0;
    for (fortune, dynasty) in [(1, 2), (2, 3), (3, 4), (4, 5), (6, 7), (7, 6)] {
        for (envy, players) in [("max-envy", "6-players"), ("no-envy", "1-player")] {
            let truncated = find(&state, &format!("SD-7/table-{fortune}/{envy}"));
            let rounded = find(&maker, &format!("EZ-6/edge/{players}/table-{dynasty}"));
            assert_eq!(truncated.exact, rounded.exact, "{}", truncated.id);
            assert!(
                truncated.printed.matches(&truncated.exact, DecimalRounding::Truncated),
                "{}",
                truncated.id
            );
            assert!(rounded.printed.matches(&rounded.exact, DecimalRounding::Rounded), "{}", rounded.id);
            differ += usize::from(truncated.printed != rounded.printed);
        }
    }
    assert_eq!(differ, 6);
}

/// The printed figure in units of its last digit.
fn units(figure: &Figure) -> i128 {
    figure.printed.to_string().replace(['%', ',', '.'], "").parse().expect("digits")
}

/// The rows of a printed column add up to its printed total, within the rounding of the rows.
#[test]
fn columns_add_up() {
    let figures = figures_of(PublishedFigures::TEXT, "EZ");
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
        let column =
            figures.iter().filter(|figure| figure.id.starts_with(&start) && figure.id.ends_with(&end));
        let (total, rows): (Vec<&Figure>, Vec<&Figure>) =
            column.partition(|figure| figure.id.contains("/total/"));
        let off = units(total[0]) - rows.iter().map(|figure| units(figure)).sum::<i128>();
        assert!(2 * off.abs() <= rounded + 1, "{start}*{end} is {off} units off");
    }
}

/// Counts by class in play with a semi-wild joker, from `golden/census.golden`, which was also counted by other means.
fn census() -> BTreeMap<String, i128> {
    let lines = golden("census.golden").into_iter().filter(|words| words[0] == "semi_wild");
    lines.map(|words| (words[1].clone(), words[2].parse().unwrap())).collect()
}

const HANDS: i128 = 154_143_080;

/// Number of hands with both three of a kind and a straight. These paytables pay three of a kind first.
const THREES_WITH_STRAIGHT: i128 = 201_824;

#[test]
fn edges_follow_from_the_golden_census() {
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
    let figures = figures_of(PublishedFigures::TEXT, "SD");
    assert_eq!(find(&figures, "SD-7/table-2/no-envy").exact, Fraction::new(lost, HANDS));
    assert_eq!(lost * 10_000 / HANDS, 776, "7.76 %, truncated");
    // Five other players, and bonuses per five dollars wagered: the factors cancel.
    let bonuses: i128 = hands.iter().zip(envy).map(|(hands, envy)| hands * envy).sum();
    assert_eq!((lost - bonuses) * 10_000 / HANDS, 313, "3.13 %");

    // EZ-4 and EZ-7, the stake included.
    let gross = |class: &str, pays: i128| census[class] * (pays + 1);
    let rounded = |count: i128, units: i128| (2 * count * units / HANDS + 1) / 2;
    assert_eq!(rounded(gross("queen_high", 7), 1_000_000), 141_142, "14.1142 %");
    assert_eq!(rounded(gross("ace_high", 3), 1_000_000), 374_478, "37.4478 %");
    assert_eq!(rounded(gross("queen_high", 50), 100_000_000), 89_977_766, "printed 89.977765 %");
    let probability = rounded(census["queen_high"], 1_000_000_000);
    assert_eq!((probability * 51 + 5) / 10, 89_977_765, "a probability of nine decimals times 51");
}

/// WA-6: the four printed figures from six counts of the golden census. With p and q as numbers of hands,
/// p × (1 − q − p/2) is p × (2 × 154,143,080 − 2q − p) out of 2 × 154,143,080².
#[test]
fn pai_gowd_follows_from_the_golden_census() {
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
fn data_file_errors_are_reported() {
    let fault = |from: &str, to: &str| {
        let text = PublishedFigures::TEXT.replacen(from, to, 1);
        assert_ne!(text, PublishedFigures::TEXT);
        let published = PublishedFigures::parse(&text);
        let figures = published.and_then(|it| it.verify(Some("SD"), &|_| panic!("no base game is needed")));
        figures.expect_err("a fault").to_string()
    };
    for (from, to, message) in [
        ("key = \"SD\"", "kee = \"SD\"", "the published figures: a document has an unknown key `kee`"),
        ("\"5.30%\"", "\"5.3O%\"", "the published figures: SD-7 has `5.3O%`, which is not a number"),
        (
            "\"table 6\"",
            "\"table 5\"",
            "the published figures: SD-7: south-dakota has no paytable 5 of fortune",
        ),
        ("\"no-envy\"]", "\"some-envy\"]", "the published figures: SD-7: unknown name `some-envy`"),
        (
            "by = \"truncation\"",
            "by = \"luck\"",
            "the published figures: SD-7 has an explanation with an unknown `by` or a wrong `with`",
        ),
    ] {
        assert_eq!(fault(from, to), message);
    }
}
