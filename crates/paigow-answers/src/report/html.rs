//! The report as one HTML document for printing: no script, no reference to another file, plots as SVG.

mod base_game;
mod detection;
mod html_document;
mod markup;
mod method;
mod plot;
mod rules;
mod simulation;
mod summary;
mod wagers;

use super::GameReport;
use html_document::HtmlDocument;
use markup::Markup;

/// Style of the document, for paper of the size A4 and for screens.
pub const STYLE: &str = include_str!("html/style.css");

/// Writes the document.
pub(super) fn document(report: &GameReport) -> String {
    let mut page = HtmlDocument::default();
    summary::section(&mut page, report);
    rules::sections(&mut page, report);
    base_game::section(&mut page, report);
    wagers::section(&mut page, report);
    wagers::players_section(&mut page, report);
    detection::section(&mut page, report);
    simulation::section(&mut page, report);
    method::section(&mut page, report);
    method::signatures(&mut page);

    let title = Markup::from(format!("Game report: {}", report.title));
    let running = css_string(&format!("Game report: {}", report.title));
    let digest = css_string(&format!("rules {}", &report.digests.rule_values[..16]));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"/>\n<title>{title}</title>\n<style>\n{STYLE}\n@page {{ @top-left \
         {{ content: {running}; }} @top-right {{ content: {digest}; }} }}\n</style>\n</head>\n<body>\n{cover}{contents}\
         <main>\n{body}</main>\n</body>\n</html>\n",
        cover = summary::cover(report),
        contents = page.contents(),
        body = page.body(),
    )
}

/// Writes a CSS string. Every character that is not a letter or a digit is escaped, so that no text can end the string or
/// the style.
fn css_string(text: &str) -> String {
    let character = |c: char| {
        // The space ends the escape and is not part of the text.
        if c.is_ascii_alphanumeric() || c == ' ' { c.to_string() } else { format!("\\{:x} ", u32::from(c)) }
    };
    format!("\"{}\"", text.chars().map(character).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::css_string;

    #[test]
    fn css_strings_cannot_end_the_style() {
        assert_eq!(css_string("A 1"), "\"A 1\"");
        assert_eq!(css_string("\"</style>\\"), "\"\\22 \\3c \\2f style\\3e \\5c \"");
    }
}
