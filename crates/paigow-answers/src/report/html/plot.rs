//! Plots as SVG, drawn when the report is made.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss)] // coordinates of a picture

use super::markup::Markup;
use paigow_math::{DecimalRounding, Fraction};
use std::fmt::Write as _;

const GREEN: &str = "#0b6b4f";
const SHADES: [&str; 3] = ["#0b6b4f", "#b9b4a6", "#8c2f1b"];
const LINES: [&str; 6] = ["#0b6b4f", "#8c2f1b", "#2a5d8f", "#a1720a", "#6b4b8a", "#555555"];
const WIDTH: f64 = 680.0;

/// A fraction as a coordinate. Only drawings use it.
pub(super) fn coordinate(fraction: &Fraction) -> f64 {
    fraction.decimal(12, DecimalRounding::Rounded).parse().unwrap_or_default()
}

/// The root of a fraction as a coordinate.
pub(super) fn root_coordinate(square: &Fraction) -> f64 {
    square.root(12).parse().unwrap_or_default()
}

fn begin(title: &str, height: f64) -> String {
    let title = Markup::from(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-size=\"11.5\" role=\"img\">\n\
         <title>{title}</title>\n"
    )
}

fn end(mut svg: String) -> Markup {
    svg.push_str("</svg>\n");
    Markup::of_html(svg)
}

fn label(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = Markup::from(text);
    // Writing to a `String` never fails.
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\" stroke-width=\"0.8\"/>"
    );
}

/// Horizontal bars, each with a name and the text of its value.
pub(super) fn bars(title: &str, rows: &[(String, f64, String)]) -> Markup {
    const ROW: f64 = 13.0;
    let (left, right) = (190.0, WIDTH - 80.0);
    let largest = rows.iter().map(|(_, value, _)| value.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let height = ROW * rows.len() as f64 + 6.0;
    let mut svg = begin(title, height);
    line(&mut svg, [left, 0.0, left, height - 2.0], "#888");
    for (index, (name, value, text)) in rows.iter().enumerate() {
        let top = ROW * index as f64 + 3.0;
        let length = value.abs() / largest * (right - left);
        label(&mut svg, left - 7.0, top + 8.7, "end", name);
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{length:.1}\" height=\"9.5\" fill=\"{GREEN}\"/>"
        );
        label(&mut svg, left + length + 6.0, top + 8.7, "start", text);
    }
    end(svg)
}

/// Bars that are divided into wins, pushes and losses.
pub(super) fn shares(title: &str, rows: &[(String, [f64; 3])]) -> Markup {
    const ROW: f64 = 30.0;
    let (left, right) = (190.0, WIDTH - 10.0);
    let height = ROW * rows.len() as f64 + 26.0;
    let mut svg = begin(title, height);
    for (index, (name, parts)) in rows.iter().enumerate() {
        let top = ROW * index as f64 + 4.0;
        label(&mut svg, left - 7.0, top + 15.0, "end", name);
        let mut at = left;
        for (part, color) in parts.iter().zip(SHADES) {
            let width = part * (right - left);
            let _ = writeln!(
                svg,
                "<rect x=\"{at:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"21\" fill=\"{color}\"/>"
            );
            let ink = if color == SHADES[1] { "#1a1a1a" } else { "#fff" };
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{:.2} %</text>",
                at + width / 2.0,
                top + 14.5,
                part * 100.0
            );
            at += width;
        }
    }
    let mut at = left;
    for (name, color) in ["win", "push", "lose"].into_iter().zip(SHADES) {
        let top = height - 14.0;
        let _ =
            writeln!(svg, "<rect x=\"{at:.1}\" y=\"{top:.1}\" width=\"10\" height=\"10\" fill=\"{color}\"/>");
        label(&mut svg, at + 15.0, top + 9.0, "start", name);
        at += 70.0;
    }
    end(svg)
}

/// Vertical scale of a plot.
struct Scale {
    low: f64,
    high: f64,
    top: f64,
    bottom: f64,
}

impl Scale {
    /// A scale that includes the values, with ends at whole steps. Returns the step too.
    fn of(values: impl Iterator<Item = f64>, top: f64, bottom: f64) -> (Scale, f64) {
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let range = (high - low).max(1e-9);
        let rough = range / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(power * 10.0);
        let scale =
            Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, top, bottom };
        (scale, step)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (self.high - value) / (self.high - self.low).max(1e-12) * (self.bottom - self.top)
    }

    /// Draws the lines of whole steps, in percent.
    fn draw(&self, svg: &mut String, step: f64, left: f64, right: f64) {
        let digits = usize::from(step < 0.01) + usize::from(step < 0.001) + usize::from(step < 0.000_1);
        let steps = ((self.high - self.low) / step).round();
        let mut index = 0.0;
        while index <= steps {
            let value = self.low + index * step;
            line(svg, [left, self.y(value), right, self.y(value)], "#ddd");
            label(svg, left - 7.0, self.y(value) + 4.0, "end", &format!("{:.digits$} %", value * 100.0));
            index += 1.0;
        }
    }
}

/// Lines of values by a whole number from 1, one line for each series with its name.
pub(super) fn lines(title: &str, axis: &str, series: &[(String, Vec<f64>)]) -> Markup {
    const HEIGHT: f64 = 270.0;
    let (left, right, top, bottom) = (70.0, WIDTH - 150.0, 10.0, HEIGHT - 42.0);
    let (scale, step) = Scale::of(series.iter().flat_map(|(_, values)| values.iter().copied()), top, bottom);
    let count = series.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
    let x = |index: usize| left + (right - left) * index as f64 / (count.max(2) - 1) as f64;
    let mut svg = begin(title, HEIGHT);
    scale.draw(&mut svg, step, left, right);
    for index in 0..count {
        label(&mut svg, x(index), bottom + 17.0, "middle", &(index + 1).to_string());
    }
    label(&mut svg, f64::midpoint(left, right), HEIGHT - 8.0, "middle", axis);
    for (index, (name, values)) in series.iter().enumerate() {
        let color = LINES[index % LINES.len()];
        let dash = ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""][index / LINES.len() % 3];
        let points: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(i, value)| format!("{:.1},{:.1}", x(i), scale.y(*value)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\"{dash}/>",
            points.join(" ")
        );
        let at = top + 8.0 + 17.0 * index as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"{color}\" stroke-width=\"2\"{dash}/>",
            right + 12.0,
            right + 34.0
        );
        label(&mut svg, right + 40.0, at + 4.0, "start", name);
    }
    end(svg)
}

/// Bands around an expected return by number of rounds, on a logarithmic scale: half widths at three levels.
pub(super) fn funnel(title: &str, expected: f64, bands: &[(u64, [f64; 3])]) -> Markup {
    const HEIGHT: f64 = 200.0;
    let (left, right, top, bottom) = (70.0, WIDTH - 150.0, 10.0, HEIGHT - 42.0);
    let widest = bands.iter().map(|(_, [_, _, half])| *half).fold(0.0, f64::max);
    let (scale, step) = Scale::of([expected - widest, expected + widest].into_iter(), top, bottom);
    let x = |index: usize| left + (right - left) * index as f64 / (bands.len().max(2) - 1) as f64;
    let mut svg = begin(title, HEIGHT);
    let fills = ["#0b6b4f", "#5f9f8b", "#c3dbd3"];
    for level in [2, 1, 0] {
        // Between two powers of ten the width falls with the root of the rounds, so the edge of the band is a curve.
        let mut points = Vec::new();
        for side in [1.0, -1.0] {
            let steps = (bands.len() - 1) * 8;
            let order: Vec<usize> =
                if side > 0.0 { (0..=steps).collect() } else { (0..=steps).rev().collect() };
            for step in order {
                let decades = step as f64 / 8.0;
                let half = bands[0].1[level] * 10f64.powf(-decades / 2.0);
                let at = left + (right - left) * decades / (bands.len().max(2) - 1) as f64;
                points.push(format!("{at:.1},{:.1}", scale.y(expected + side * half)));
            }
        }
        let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{}\"/>", points.join(" "), fills[level]);
    }
    scale.draw(&mut svg, step, left, right);
    line(&mut svg, [left, scale.y(expected), right, scale.y(expected)], "#000");
    for (index, (rounds, _)) in bands.iter().enumerate() {
        let exponent = rounds.ilog10();
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">10<tspan dy=\"-5\" font-size=\"8.5\">{exponent}</tspan></text>",
            x(index),
            bottom + 18.0
        );
    }
    label(&mut svg, f64::midpoint(left, right), HEIGHT - 8.0, "middle", "rounds");
    for (index, (name, fill)) in ["95 %", "99 %", "99.9 %"].into_iter().zip(fills).enumerate() {
        let at = top + 18.0 * index as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{at:.1}\" width=\"12\" height=\"12\" fill=\"{fill}\"/>",
            right + 14.0
        );
        label(&mut svg, right + 32.0, at + 10.0, "start", &format!("within {name}"));
    }
    end(svg)
}
