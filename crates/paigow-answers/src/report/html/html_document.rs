//! Builder of the document: numbered sections, tables and plots, and the table of contents.

use super::markup::Markup;
use std::fmt::Write as _;

/// Maximum number of rows of a table that stays on one page, so that no heading is at the end of a page without its rows.
const SHORT_ROWS_MAX: usize = 8;

/// A document that is being written.
#[derive(Default)]
pub(super) struct HtmlDocument {
    body: String,
    headings: Vec<Heading>,
    section: usize,
    subsection: usize,
    tables: usize,
    figures: usize,
}

struct Heading {
    level: u8,
    number: String,
    title: Markup,
}

/// Column of a table.
pub(super) struct Column {
    title: Markup,
    class: &'static str,
}

/// A column of text.
pub(super) fn text(title: &str) -> Column {
    Column { title: title.into(), class: "text" }
}

/// A column of numbers, aligned to the right.
pub(super) fn number(title: &str) -> Column {
    Column { title: title.into(), class: "number" }
}

/// A column of short names, which are not broken.
pub(super) fn key(title: &str) -> Column {
    Column { title: title.into(), class: "key" }
}

/// A column of exact fractions, which may be long.
pub(super) fn fraction(title: &str) -> Column {
    Column { title: title.into(), class: "fraction" }
}

/// A column of citations.
pub(super) fn cite(title: &str) -> Column {
    Column { title: title.into(), class: "cite" }
}

impl HtmlDocument {
    /// Begins a section on a new page.
    pub(super) fn section(&mut self, title: impl Into<Markup>) {
        self.section += 1;
        self.subsection = 0;
        self.heading(1, self.section.to_string(), title.into());
    }

    /// Begins a part of a section.
    pub(super) fn subsection(&mut self, title: impl Into<Markup>) {
        self.subsection += 1;
        self.heading(2, format!("{}.{}", self.section, self.subsection), title.into());
    }

    /// Begins a part of a section on a new page.
    pub(super) fn sheet(&mut self, title: impl Into<Markup>) {
        self.subsection += 1;
        let number = format!("{}.{}", self.section, self.subsection);
        self.classed_heading(2, number, title.into(), " class=\"sheet\"");
    }

    fn heading(&mut self, level: u8, number: String, title: Markup) {
        self.classed_heading(level, number, title, "");
    }

    fn classed_heading(&mut self, level: u8, number: String, title: Markup, class: &str) {
        let tag = if level == 1 { "h2" } else { "h3" };
        // Writing to a `String` never fails.
        let _ = writeln!(
            self.body,
            "<{tag}{class} id=\"s{number}\"><span class=\"number\">{number}</span>{title}</{tag}>"
        );
        self.headings.push(Heading { level, number, title });
    }

    /// Adds a paragraph.
    pub(super) fn paragraph(&mut self, text: impl Into<Markup>) {
        let _ = writeln!(self.body, "<p>{}</p>", text.into());
    }

    /// Adds a formula on a line of its own.
    pub(super) fn formula(&mut self, html: &str) {
        let _ = writeln!(self.body, "<p class=\"formula\">{html}</p>");
    }

    /// Adds a list.
    pub(super) fn list(&mut self, items: impl IntoIterator<Item = Markup>) {
        let items: Vec<String> = items.into_iter().map(|item| format!("<li>{item}</li>\n")).collect();
        let items = items.concat();
        let _ = writeln!(self.body, "<ul>\n{items}</ul>");
    }

    /// Adds a numbered table. A long one repeats its head on every page.
    pub(super) fn table(
        &mut self,
        caption: impl Into<Markup>,
        columns: &[Column],
        rows: impl IntoIterator<Item = Vec<Markup>>,
    ) {
        let rows: Vec<Vec<Markup>> = rows.into_iter().collect();
        if rows.len() <= SHORT_ROWS_MAX {
            self.short_table(caption, columns, rows);
        } else {
            self.classed_table("", caption, columns, rows);
        }
    }

    /// Adds a numbered table that stays on one page.
    pub(super) fn short_table(
        &mut self,
        caption: impl Into<Markup>,
        columns: &[Column],
        rows: impl IntoIterator<Item = Vec<Markup>>,
    ) {
        self.classed_table(" class=\"short\"", caption, columns, rows);
    }

    fn classed_table(
        &mut self,
        class: &str,
        caption: impl Into<Markup>,
        columns: &[Column],
        rows: impl IntoIterator<Item = Vec<Markup>>,
    ) {
        self.tables += 1;
        let number = self.tables;
        let _ = writeln!(
            self.body,
            "<table{class} id=\"t{number}\">\n<caption><span class=\"label\">Table {number}.</span> {}</caption>\n<thead><tr>",
            caption.into()
        );
        for column in columns {
            let _ = writeln!(self.body, "<th scope=\"col\" class=\"{}\">{}</th>", column.class, column.title);
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for (cell, column) in row.into_iter().zip(columns) {
                let _ = write!(self.body, "<td class=\"{}\">{cell}</td>", column.class);
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody>\n</table>\n");
    }

    /// Adds a numbered plot.
    pub(super) fn figure(&mut self, caption: impl Into<Markup>, svg: &Markup) {
        self.figures += 1;
        let _ = writeln!(
            self.body,
            "<figure id=\"f{0}\">\n{svg}<figcaption><span class=\"label\">Figure {0}.</span> {1}</figcaption>\n</figure>",
            self.figures,
            caption.into()
        );
    }

    /// Adds markup as it is.
    pub(super) fn markup(&mut self, markup: &Markup) {
        let _ = writeln!(self.body, "{markup}");
    }

    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// The table of contents.
    pub(super) fn contents(&self) -> String {
        let entry = |heading: &Heading| {
            let Heading { level, number, title } = heading;
            format!(
                "<li class=\"level-{level}\"><a href=\"#s{number}\"><span class=\"number\">{number}</span>{title}</a></li>\n"
            )
        };
        let entries: String = self.headings.iter().map(entry).collect();
        format!("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n{entries}</ol>\n</nav>\n")
    }
}
