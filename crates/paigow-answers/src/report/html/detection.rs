//! Bands, rounds to detect a fault, and limits of hits in a report.

use super::html_document::{Column, HtmlDocument, key, number, text};
use super::markup::{Markup, count, decimal, percent, root_percent};
use super::plot;
use super::rules::hand_title;
use super::summary::play_name;
use super::wagers::wager_title;
use crate::report::detection::HIT_ROUNDS;
use crate::report::{DetectionFigures, GameReport, ReportedWager};
use paigow_math::{DecimalRounding, Fraction, TestLevel};

pub(super) fn section(page: &mut HtmlDocument, report: &GameReport) {
    page.section("Telling a faulty game from bad luck");
    method(page);
    for play in report.base_game.plays.iter().filter(|play| play.play == "house_way") {
        figures(page, &play_name(play.side, play.play), &play.detection, None);
    }
    for wager in &report.wagers {
        figures(page, &wager_title(wager), &wager.detection, Some(wager));
    }
}

fn method(page: &mut HtmlDocument) {
    page.paragraph(
        "Let μ be the expected return and σ the standard deviation of one unit wagered, and let the results of n rounds be \
         independent. The mean return of n rounds is nearly normal, so that with probability 1 − α it is within",
    );
    page.formula("μ ± z<sub>α/2</sub> · σ / √n");
    page.paragraph(
        "and a game whose edge is wrong by δ is detected by this band with probability 1 − β after the number of rounds",
    );
    page.formula("n = ( (z<sub>α/2</sub> + z<sub>β</sub>) · σ / δ )<sup>2</sup>, rounded up.");
    let quantiles = TestLevel::ALL.map(|level| {
        let rounded = |fraction: Fraction| fraction.decimal(6, DecimalRounding::Rounded);
        format!(
            "{} for {} (power {}: {})",
            rounded(level.quantile()),
            per_mille(level.within_per_mille),
            per_mille(level.power_per_mille),
            rounded(level.power_quantile())
        )
    });
    page.paragraph(format!(
        "The quantiles z of the standard normal distribution are {}. Wagers of one round share a deck and a dealer's hand and \
         are not independent: count rounds, with one wager of each kind per round.",
        quantiles.join("; ")
    ));
    page.paragraph(
        "The approximation has limits. A row that is paid rarely carries much of the variance, and before it has been paid some \
         times the mean is skewed. Two columns say how far the band can be trusted. The first is the expected number of rounds \
         in which the rarest row pays: below about 10, use the limits of hits instead. The second is the bound of Berry and \
         Esseen with the constant 0.4748 (Shevtsova, 2011),",
    );
    page.formula("0.4748 · E|X − μ|<sup>3</sup> / (σ<sup>3</sup> √n),");
    page.paragraph(
        "by which no probability of the mean is off by more than the value; 1 or more says nothing, and the bound is cautious. \
         The limits of hits count how often each row pays. For a row with a probability of at most 1 in 100 and an expected \
         number of at most 1,000 they are those of a Poisson number, exact to the last hit; for other rows n p ± z √(n p (1 − p)). \
         A fair game is outside them with a probability of at most 0.1 %.",
    );
}

fn per_mille(number: u32) -> String {
    percent(&Fraction::new(number, 1_000), u32::from(!number.is_multiple_of(10)))
}

fn figures(page: &mut HtmlDocument, name: &str, detection: &DetectionFigures, wager: Option<&ReportedWager>) {
    if wager.is_some() {
        page.sheet(name);
    } else {
        page.subsection(name);
    }
    let mut columns = vec![
        number("Rounds"),
        number("Expected return"),
        number("± at 95 %"),
        number("± at 99 %"),
        number("± at 99.9 %"),
    ];
    if wager.is_some() {
        columns.push(number("Rarest row pays"));
    }
    columns.push(number("Normal error ≤"));
    let rows = detection.bands.iter().map(|band| {
        let mut cells: Vec<Markup> = vec![
            count(band.rounds).into(),
            percent(&band.expected_return.0, 4).into(),
            root_percent(&band.half_width_95.0, 4).into(),
            root_percent(&band.half_width_99.0, 4).into(),
            root_percent(&band.half_width_999.0, 4).into(),
        ];
        if let Some(hits) = &band.rarest_hits {
            cells.push(expected(&hits.0).into());
        }
        let error = band.normal_error.as_ref().map_or_else(
            || "–".to_owned(),
            |error| if error.0 >= Fraction::one() { "1 or more".to_owned() } else { error.0.root(4) },
        );
        cells.push(error.into());
        cells
    });
    page.short_table(format!("{name}: bands of the mean return."), &columns, rows);
    let bands: Vec<(u64, [f64; 3])> = detection
        .bands
        .iter()
        .map(|band| {
            let halves = [&band.half_width_95, &band.half_width_99, &band.half_width_999];
            (band.rounds, halves.map(|half| plot::root_coordinate(&half.0)))
        })
        .collect();
    if let Some(first) = detection.bands.first() {
        let title = format!("Bands of the mean return of {name}");
        let svg = plot::funnel(&title, plot::coordinate(&first.expected_return.0), &bands);
        page.figure(format!("{title}, by number of rounds."), &svg);
    }
    let heads = TestLevel::ALL.map(|level| {
        format!("α {}, power {}", per_mille(1_000 - level.within_per_mille), per_mille(level.power_per_mille))
    });
    let columns: Vec<Column> =
        [text("Edge wrong by")].into_iter().chain(heads.iter().map(|head| number(head))).collect();
    let rows = detection.rounds_to_detect.chunks(TestLevel::ALL.len()).map(|tests| {
        let shift = percent(&tests[0].shift.0, 2);
        [shift.into()].into_iter().chain(tests.iter().map(|test| count(test.rounds).into())).collect()
    });
    page.short_table(
        format!("{name}: rounds after which a wrong edge is detected."),
        &columns,
        rows.collect::<Vec<Vec<Markup>>>(),
    );
    if let Some(wager) = wager {
        hits(page, name, wager);
    }
}

fn hits(page: &mut HtmlDocument, name: &str, wager: &ReportedWager) {
    let heads = HIT_ROUNDS.map(|rounds| format!("in {} rounds", count(rounds)));
    let mut columns = vec![key("Row")];
    for head in &heads {
        columns.extend([number("Expected"), number(head)]);
    }
    let rows = wager.hits.chunks(HIT_ROUNDS.len()).map(|hits| {
        let cells = hits.iter().flat_map(|hits| {
            let limits = format!("{} to {}", count(hits.least), count(hits.most));
            [expected(&hits.expected.0).into(), Markup::from(limits)]
        });
        [hand_title(&hits[0].hand).into()].into_iter().chain(cells).collect()
    });
    page.table(
        format!("{name}: limits of the number of rounds in which each row pays, at 99.9 %."),
        &columns,
        rows.collect::<Vec<Vec<Markup>>>(),
    );
}

/// An expected number of hits, with more digits if it is small.
fn expected(hits: &Fraction) -> String {
    let digits = match hits {
        hits if *hits < Fraction::one() => 4,
        hits if *hits < Fraction::new(1_000, 1) => 1,
        _ => 0,
    };
    let text = decimal(hits, digits);
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    rest.map_or_else(|| count(whole), |rest| format!("{}.{rest}", count(whole)))
}
