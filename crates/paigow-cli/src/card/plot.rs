//! Plot of the costs of cards by number of lines, as SVG.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, clippy::cast_sign_loss)] // coordinates of a picture

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
    let points: Vec<(usize, f64)> = card
        .frontier
        .iter()
        .map(|point| (point.lines, percent(&point.cost.0)))
        .filter(|(_, cost)| *cost > 0.0)
        .collect();
    let lines_max = points.iter().map(|(lines, _)| *lines).max().unwrap_or(1).max(2);
    let lowest = points.iter().map(|(_, cost)| cost.log10().floor()).fold(0.0, f64::min);
    let highest = points.iter().map(|(_, cost)| cost.log10().ceil()).fold(1.0, f64::max);
    let x = |lines: usize| LEFT + (lines as f64 - 1.0) / (lines_max as f64 - 1.0) * (WIDTH - LEFT - RIGHT);
    let y = |log: f64| TOP + (highest - log) / (highest - lowest) * (HEIGHT - TOP - BOTTOM);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>Value given away against best play by number of lines, {} of {} against {}\
         </title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">\
         Given away against best play, {} of {} against {}</text>\n",
        card.side, card.book, card.against, card.side, card.book, card.against
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
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#0b6b4f\"><title>{lines} lines: {cost:.5} %</title></circle>",
            x(*lines),
            y(cost.log10())
        );
    }
    svg + "</svg>\n"
}

/// A fraction in percent, for a coordinate.
fn percent(fraction: &Fraction) -> f64 {
    fraction.decimal(14, DecimalRounding::Rounded).parse::<f64>().unwrap_or_default() * 100.0
}
