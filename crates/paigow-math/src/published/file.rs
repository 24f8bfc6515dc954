//! Parser of the data file, whose header describes the format.

use super::explanation::Explanation;
use super::measure::Cell;
use super::{FiguresFault, PrintedFigure};

/// A document and its figures.
#[derive(Clone, Debug)]
pub(super) struct FigureDocument {
    pub(super) key: String,
    pub(super) book: String,
    /// Description of the contents of a document without figures.
    pub(super) none: Option<String>,
    pub(super) tables: Vec<FigureTable>,
}

/// A table of figures.
#[derive(Clone, Debug)]
pub(super) struct FigureTable {
    pub(super) id: String,
    /// Location of the table in the document.
    pub(super) location: String,
    pub(super) wager: String,
    /// Paytable of all figures, unless rows or columns name it.
    pub(super) paytable: Option<String>,
    /// Measure of all figures, unless rows or columns name it.
    pub(super) measure: Option<String>,
    pub(super) explained: Vec<Explained>,
    columns: Vec<String>,
    pub(super) rows: Vec<FigureRow>,
}

/// A row: its name, and its figures. A cell without a figure is `None`.
#[derive(Clone, Debug)]
pub(super) struct FigureRow {
    pub(super) name: String,
    figures: Vec<Option<PrintedFigure>>,
}

/// An explanation of some figures of a table.
#[derive(Clone, Debug)]
pub(super) struct Explained {
    row: Option<String>,
    column: Option<String>,
    pub(super) by: Explanation,
    pub(super) says: String,
}

impl Explained {
    pub(super) fn applies_to(&self, cell: &Cell<'_>) -> bool {
        self.row.as_deref().is_none_or(|name| name == cell.row)
            && self.column.as_deref().is_none_or(|name| name == cell.column)
    }
}

impl FigureTable {
    /// The figures, each with the names of its row and column.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&str, &str, &PrintedFigure)> {
        self.rows.iter().flat_map(|row| {
            let figures = self.columns.iter().zip(&row.figures);
            figures
                .filter_map(|(column, figure)| Some((row.name.as_str(), column.as_str(), figure.as_ref()?)))
        })
    }
}

/// Parses the documents.
pub(super) fn read(text: &str) -> Result<Vec<FigureDocument>, FiguresFault> {
    let root: toml::Table = text.parse().map_err(|error: toml::de::Error| FiguresFault(error.to_string()))?;
    let root = FigureReader { table: &root, name: "the file" };
    root.check_keys(&["documents"])?;
    root.tables("documents")?.iter().map(document).collect()
}

fn document(table: &toml::Table) -> Result<FigureDocument, FiguresFault> {
    let reader = FigureReader { table, name: "a document" };
    reader.check_keys(&["key", "book", "none", "tables"])?;
    let document = FigureDocument {
        key: reader.text("key")?,
        book: reader.text("book")?,
        none: reader.optional_text("none")?,
        tables: reader.tables("tables")?.iter().map(figures).collect::<Result<_, _>>()?,
    };
    if document.none.is_some() != document.tables.is_empty() {
        return Err(reader.fault("must have either `tables` or `none`"));
    }
    Ok(document)
}

fn figures(table: &toml::Table) -> Result<FigureTable, FiguresFault> {
    let id = FigureReader { table, name: "a table" }.text("id")?;
    let reader = FigureReader { table, name: &id };
    reader.check_keys(&["id", "location", "wager", "paytable", "is", "columns", "rows", "explained"])?;
    let columns = reader.words("columns", reader.value("columns")?)?;
    let mut rows = Vec::new();
    for row in reader.list("rows", reader.value("rows")?)? {
        let words = reader.words("rows", row)?;
        let Some((name, cells)) = words.split_first() else { return Err(reader.fault("has an empty row")) };
        if cells.len() > columns.len() {
            return Err(reader.fault(&format!("has more figures than columns in row `{name}`")));
        }
        let figure = |cell: &String| match PrintedFigure::new(cell) {
            Some(printed) => Ok(Some(printed)),
            None if cell.is_empty() => Ok(None),
            None => Err(reader.fault(&format!("has `{cell}`, which is not a number"))),
        };
        rows.push(FigureRow {
            name: name.clone(),
            figures: cells.iter().map(figure).collect::<Result<_, _>>()?,
        });
    }
    Ok(FigureTable {
        location: reader.text("location")?,
        wager: reader.text("wager")?,
        paytable: reader.optional_text("paytable")?,
        measure: reader.optional_text("is")?,
        explained: reader
            .tables("explained")?
            .iter()
            .map(|table| explained(&FigureReader { table, name: &id }))
            .collect::<Result<_, _>>()?,
        columns,
        rows,
        id,
    })
}

fn explained(reader: &FigureReader<'_>) -> Result<Explained, FiguresFault> {
    reader.check_keys(&["row", "column", "by", "with", "says"])?;
    let by = Explanation::new(&reader.text("by")?, reader.optional_text("with")?.as_deref());
    Ok(Explained {
        row: reader.optional_text("row")?,
        column: reader.optional_text("column")?,
        by: by.ok_or_else(|| reader.fault("has an explanation with an unknown `by` or a wrong `with`"))?,
        says: reader.text("says")?,
    })
}

/// A table of the file, with its name for error messages.
struct FigureReader<'a> {
    table: &'a toml::Table,
    name: &'a str,
}

impl<'a> FigureReader<'a> {
    fn fault(&self, what: &str) -> FiguresFault {
        FiguresFault(format!("{} {what}", self.name))
    }

    fn check_keys(&self, known: &[&str]) -> Result<(), FiguresFault> {
        let unknown = self.table.keys().find(|key| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |key| Err(self.fault(&format!("has an unknown key `{key}`"))))
    }

    fn value(&self, key: &str) -> Result<&'a toml::Value, FiguresFault> {
        self.table.get(key).ok_or_else(|| self.fault(&format!("has no `{key}`")))
    }

    fn text(&self, key: &str) -> Result<String, FiguresFault> {
        self.optional_text(key)?.ok_or_else(|| self.fault(&format!("has no `{key}`")))
    }

    fn optional_text(&self, key: &str) -> Result<Option<String>, FiguresFault> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let text =
            value.as_str().ok_or_else(|| self.fault(&format!("has a `{key}` that is not a string")))?;
        Ok(Some(text.to_owned()))
    }

    fn list(&self, key: &str, value: &'a toml::Value) -> Result<&'a [toml::Value], FiguresFault> {
        let list =
            value.as_array().ok_or_else(|| self.fault(&format!("has a `{key}` that is not an array")))?;
        Ok(list)
    }

    fn words(&self, key: &str, value: &'a toml::Value) -> Result<Vec<String>, FiguresFault> {
        let words = self.list(key, value)?.iter().map(|word| word.as_str().map(str::to_owned));
        words
            .collect::<Option<_>>()
            .ok_or_else(|| self.fault(&format!("has a `{key}` that is not an array of strings")))
    }

    /// The tables under a key. An absent key gives an empty list.
    fn tables(&self, key: &str) -> Result<Vec<toml::Table>, FiguresFault> {
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let tables = self.list(key, value)?.iter().map(|table| table.as_table().cloned());
        tables
            .collect::<Option<_>>()
            .ok_or_else(|| self.fault(&format!("has a `{key}` that is not an array of tables")))
    }
}
