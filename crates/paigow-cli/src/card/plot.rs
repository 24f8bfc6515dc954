//! Plot of the costs of cards by number of lines, as SVG.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, clippy::cast_sign_loss)] // coordinates of a picture
#![cfg_attr(test, allow(clippy::unwrap_used))] // a failed unwrap fails the test

use paigow_answers::card::CardAnswer;
use paigow_math::{DecimalRounding, Fraction};
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 48.0;

/// Draws the frontier with a logarithmic scale of costs.
pub(super) fn svg(card: &CardAnswer) -> String {
    let points = card.frontier.iter().map(|point| (point.lines, percent(&point.gives_away.0)));
    draw(&format!("{} of {} against {}", card.side, card.book, card.against), points)
}

/// Draws costs in percent by number of lines.
fn draw(game: &str, points: impl Iterator<Item = (usize, f64)>) -> String {
    let points: Vec<(usize, f64)> = points.filter(|(_, cost)| *cost > 0.0).collect();
    let lines_max = points.iter().map(|(lines, _)| *lines).max().unwrap_or(1).max(2);
    let lowest = points.iter().map(|(_, cost)| cost.log10().floor()).fold(0.0, f64::min);
    let highest = points.iter().map(|(_, cost)| cost.log10().ceil()).fold(1.0, f64::max);
    let x = |lines: usize| LEFT + (lines as f64 - 1.0) / (lines_max as f64 - 1.0) * (WIDTH - LEFT - RIGHT);
    let y = |log: f64| TOP + (highest - log) / (highest - lowest) * (HEIGHT - TOP - BOTTOM);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>Value given away against best play by number of lines, {game}\
         </title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">\
         Given away against best play, {game}</text>\n"
    );
    // Writing to a string cannot fail.
    let mut log = lowest;
    while log <= highest {
        let (at, digits) = (y(log), (-log).max(0.0) as usize);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" \
             y=\"{:.1}\" text-anchor=\"end\">{:.digits$} %</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
            10f64.powf(log)
        );
        log += 1.0;
    }
    for lines in (1..=lines_max).filter(|lines| *lines == 1 || lines.is_multiple_of(5)) {
        let at = x(lines);
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{lines}</text>",
            HEIGHT - BOTTOM + 20.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">lines</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    let path: Vec<String> =
        points.iter().map(|(lines, cost)| format!("{:.1},{:.1}", x(*lines), y(cost.log10()))).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0b6b4f\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for (lines, cost) in &points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#0b6b4f\"><title>{lines} lines: {cost:.4} %</title></circle>",
            x(*lines),
            y(cost.log10())
        );
    }
    svg + "</svg>\n"
}

/// A fraction in percent with four digits, as tables print it.
fn percent(fraction: &Fraction) -> f64 {
    let units: f64 =
        fraction.decimal(6, DecimalRounding::Rounded).replace('.', "").parse().unwrap_or_default();
    units / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn costs_have_four_digits_of_a_percent() {
        for (num, den, shown) in [(1, 2_000, 0.05), (493_511, 1_000_000_000, 0.0494), (1, 1, 100.0)] {
            assert_eq!(percent(&Fraction::new(num, den)).to_string(), f64::to_string(&shown));
        }
    }

    /// The plot of the manual is that of the table above it, which `cargo xtask cards` computes. `UPDATE_GOLDEN=1` draws it
    /// again.
    #[test]
    fn plot_of_the_manual_is_that_of_its_table() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let page = fs::read_to_string(docs.join("strategy.md")).unwrap();
        let table = page.split("<!-- frontier -->").nth(1).unwrap().split("<!-- end -->").next().unwrap();
        let points: Vec<(usize, f64)> = table
            .lines()
            .filter_map(|line| {
                let mut cells = line.trim_matches('|').split('|').map(str::trim);
                let lines = cells.next()?.parse().ok()?;
                Some((lines, cells.next()?.trim_end_matches(" %").parse().ok()?))
            })
            .collect();
        assert_eq!(points.len(), 30, "{table}");
        let drawn = draw("player of washington against foxwoods", points.into_iter());
        let path = docs.join("images/frontier.svg");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &drawn).unwrap();
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == drawn, "{} is out of date: run with UPDATE_GOLDEN=1", path.display());
    }
}
