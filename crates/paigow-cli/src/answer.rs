//! Answers of commands, and the four output formats.
//!
//! An answer is JSON for scripts, and sheets for people. A sheet has a title, columns and rows. It is printed as a
//! table, as CSV or as Markdown.

use comfy_table::{
    Attribute, Cell as TableCell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle,
};
use paigow::{Amount, Net};
use paigow_server::csv_row;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, IsTerminal, Write};

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns, for people.
    Table,
    /// JSON, for scripts.
    Json,
    /// CSV, for spreadsheets.
    Csv,
    /// Markdown, for documents.
    Markdown,
}

/// Answer of a command.
pub(crate) struct Answer {
    pub(crate) json: Value,
    pub(crate) sheets: Vec<Sheet>,
}

/// Rows and columns under a title.
pub(crate) struct Sheet {
    pub(crate) title: String,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// Maximum width of a table. Narrower terminals wrap earlier.
const WIDTH_MAX: u16 = 120;

/// One cell of a sheet. CSV uses the form for machines; tables and Markdown use the form for people.
pub(crate) enum Cell {
    Text(String),
    /// A count, with thousands separators for people.
    Count(u64),
    /// Different texts for people and for machines.
    Shown {
        people: String,
        machines: String,
    },
    /// Money, in cents for machines.
    Cents {
        people: String,
        cents: i64,
    },
}

impl Answer {
    /// Creates an answer from a serializable value and its sheets.
    ///
    /// # Errors
    /// The value does not serialize to JSON. All answers of the program do.
    pub(crate) fn new(answer: &impl Serialize, sheets: Vec<Sheet>) -> io::Result<Answer> {
        Ok(Answer { json: serde_json::to_value(answer)?, sheets })
    }

    pub(crate) fn print(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        if format == Format::Json {
            return writeln!(out, "{}", self.json);
        }
        if format == Format::Csv {
            return print_csv(&self.sheets, out);
        }
        for (i, sheet) in self.sheets.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            if format == Format::Markdown { sheet.print_markdown(out)? } else { sheet.print_table(out)? }
        }
        Ok(())
    }
}

/// Prints sheets as one CSV table, so that programs load it as it is.
///
/// If there are several sheets, the first column is the title of the sheet, and the other columns are those of all
/// sheets. A row leaves the columns of other sheets empty.
fn print_csv(sheets: &[Sheet], out: &mut impl Write) -> io::Result<()> {
    match sheets {
        [] => return Ok(()),
        [sheet] => return sheet.print_csv(out),
        _ => {}
    }
    let mut columns: Vec<&str> = Vec::new();
    for column in sheets.iter().flat_map(|sheet| &sheet.columns) {
        if !columns.contains(column) {
            columns.push(column);
        }
    }
    writeln!(out, "{}", csv_row([&["table"], &columns[..]].concat()))?;
    for sheet in sheets {
        let unit = if sheet.has_cents() { ", in cents" } else { "" };
        let title = format!("{}{unit}", printable(&sheet.title).replace('\n', "; "));
        for row in &sheet.rows {
            let cell = |name: &&str| {
                let index = sheet.columns.iter().position(|column| column == name);
                index.map(|index| row[index].for_machines()).unwrap_or_default()
            };
            let cells = std::iter::once(title.clone()).chain(columns.iter().map(cell));
            writeln!(out, "{}", csv_row(cells.collect::<Vec<_>>()))?;
        }
    }
    Ok(())
}

/// Table style with a line under the header only.
const LINE_UNDER_HEADER: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

impl Sheet {
    fn print_table(&self, out: &mut impl Write) -> io::Result<()> {
        // Bold only on a terminal. A file or a pipe gets plain text.
        let bold = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let mut table = Table::new();
        table.load_style(LINE_UNDER_HEADER).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(table.width().unwrap_or(WIDTH_MAX).min(WIDTH_MAX));
        if !bold {
            table.force_no_tty();
        }
        table.set_header(self.columns.iter().enumerate().map(|(column, name)| {
            let cell = TableCell::new(name).set_alignment(self.alignment(column));
            if bold { cell.add_attribute(Attribute::Bold) } else { cell }
        }));
        for row in &self.rows {
            table.add_row(
                row.iter()
                    .enumerate()
                    .map(|(i, cell)| TableCell::new(cell.for_people()).set_alignment(self.alignment(i))),
            );
        }
        writeln!(out, "{}", printable(&self.title))?;
        for line in table.to_string().lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Whether the sheet has money that machines get in cents.
    fn has_cents(&self) -> bool {
        self.rows.iter().flatten().any(|cell| matches!(cell, Cell::Cents { .. }))
    }

    fn alignment(&self, column: usize) -> CellAlignment {
        let is_count = |cell: &Cell| matches!(cell, Cell::Count(_) | Cell::Cents { .. });
        let count = self.rows.first().is_some_and(|row| is_count(&row[column]));
        if count { CellAlignment::Right } else { CellAlignment::Left }
    }

    fn print_csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", csv_row(&self.columns))?;
        for row in &self.rows {
            writeln!(out, "{}", csv_row(row.iter().map(Cell::for_machines)))?;
        }
        Ok(())
    }

    fn print_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let title = printable(&self.title).replace('*', "\\*");
        let (title, rest) = title.split_once('\n').unwrap_or((&title, ""));
        writeln!(out, "**{title}**\n")?;
        if !rest.is_empty() {
            writeln!(out, "{rest}\n")?;
        }
        writeln!(out, "| {} |", self.columns.join(" | "))?;
        let rules = (0..self.columns.len()).map(|column| match self.alignment(column) {
            CellAlignment::Right => "---:",
            _ => "---",
        });
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| markdown_cell(&cell.for_people())).collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}

impl Cell {
    fn for_people(&self) -> String {
        match self {
            Cell::Text(text) => printable(text),
            Cell::Count(count) => with_separators(*count),
            Cell::Shown { people, .. } | Cell::Cents { people, .. } => printable(people),
        }
    }

    fn for_machines(&self) -> String {
        match self {
            Cell::Text(text) => without_percent(text).unwrap_or_else(|| text.clone()),
            Cell::Count(count) => count.to_string(),
            Cell::Shown { machines, .. } => machines.clone(),
            Cell::Cents { cents, .. } => cents.to_string(),
        }
    }
}

impl Cell {
    /// Creates a cell with different texts for people and for machines.
    pub(crate) fn shown(people: impl Into<String>, machines: impl Into<String>) -> Cell {
        Cell::Shown { people: people.into(), machines: machines.into() }
    }

    /// An amount of money: `$20,000` for people, `20000.00` for machines.
    pub(crate) fn amount(amount: Amount) -> Cell {
        Cell::shown(format!("${amount:#}"), amount.to_string())
    }

    /// Money won or lost: `+$200` for people, `+200.00` for machines.
    pub(crate) fn net(net: Net) -> Cell {
        Cell::shown(format!("{net:#}"), net.to_string())
    }

    /// An amount of money, in cents for machines.
    pub(crate) fn cents(cents: u64) -> Cell {
        let people = format!("${:#}", Amount::from_cents(cents));
        Cell::Cents { people, cents: i64::try_from(cents).unwrap_or(i64::MAX) }
    }

    /// Money won or lost, in cents for machines.
    pub(crate) fn net_cents(cents: i64) -> Cell {
        Cell::Cents { people: format!("{:#}", Net::from_cents(cents)), cents }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<i128> for Cell {
    fn from(count: i128) -> Cell {
        u64::try_from(count).map_or_else(|_| Cell::Text(count.to_string()), Cell::Count)
    }
}

/// Converts a percentage such as `8.0008 %` to the number `0.080008`. Returns `None` for other texts.
fn without_percent(text: &str) -> Option<String> {
    let number = text.strip_suffix(" %")?;
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.chars().chain(part.chars()).all(|c| c.is_ascii_digit()) {
        return None;
    }
    let whole = format!("{whole:0>3}");
    let (units, hundredths) = whole.split_at(whole.len() - 2);
    Some(format!("{sign}{units}.{hundredths}{part}"))
}

/// Formats a count with thousands separators, such as `154,143,080`.
pub(crate) fn with_separators(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Replaces control characters, because text from untrusted files could move the cursor or change colors.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Escapes a text for a cell of a Markdown table.
pub(crate) fn markdown_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_thousands_separators() {
        let printed = [0, 7, 999, 1_000, 154_143_080].map(with_separators);
        assert_eq!(printed, ["0", "7", "999", "1,000", "154,143,080"]);
    }

    #[test]
    fn percentages_are_numbers_for_machines() {
        let printed = ["8.0008 %", "-0.5 %", "100 %", "1234.5 %", "0.0000 %"]
            .map(|text| without_percent(text).unwrap());
        assert_eq!(printed, ["0.080008", "-0.005", "1.00", "12.345", "0.000000"]);
        for text in ["8.0008", "commission of 5.00 %", " %", "8,0 %", "- %"] {
            assert_eq!(without_percent(text), None, "{text}");
        }
    }

    #[test]
    fn sheets_are_one_csv_table_with_the_columns_of_all() {
        let sheet = |title: &str, columns: &[&'static str], cells: &[&str]| Sheet {
            title: title.to_owned(),
            columns: columns.to_vec(),
            rows: vec![cells.iter().map(|cell| (*cell).into()).collect()],
        };
        let sheets = vec![
            sheet("One", &["hand", "share"], &["pair", "50 %"]),
            sheet("Two", &["measure", "hand"], &["edge", "x"]),
        ];
        let mut out = Vec::new();
        Answer { json: Value::Null, sheets }.print(Format::Csv, &mut out).unwrap();
        let expected = "table,hand,share,measure\nOne,pair,0.50,\nTwo,x,,edge\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn money_has_forms_for_people_and_for_machines() {
        let printed = |cell: Cell| (cell.for_people(), cell.for_machines());
        let pair = |people: &str, machines: &str| (people.to_owned(), machines.to_owned());
        assert_eq!(printed(Cell::amount(Amount::from_cents(2_000_000))), pair("$20,000", "20000.00"));
        assert_eq!(printed(Cell::net(Net::from_cents(2_375))), pair("+$23.75", "+23.75"));
        assert_eq!(printed(Cell::net(Net::from_cents(-500))), pair("-$5", "-5.00"));
        assert_eq!(printed(Cell::net(Net::from_cents(0))), pair("$0", "0.00"));
        assert_eq!(printed(Cell::cents(500)), pair("$5", "500"));
        assert_eq!(printed(Cell::net_cents(-500)), pair("-$5", "-500"));
    }
}
