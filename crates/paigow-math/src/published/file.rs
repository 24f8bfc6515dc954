//! The data file, read into values. Its header says what may be in it.

use super::explanation::Explanation;
use super::measure::Cell;
use super::{FiguresFault, PrintedFigure};

/// A document and its figures.
#[derive(Clone, Debug)]
pub(super) struct FigureDocument {
    pub(super) key: String,
    pub(super) book: String,
    /// What it prints instead, where it prints none.
    pub(super) none: Option<String>,
    pub(super) tables: Vec<FigureTable>,
}

/// A table of figures.
#[derive(Clone, Debug)]
pub(super) struct FigureTable {
    pub(super) id: String,
    pub(super) place: String,
    pub(super) wager: String,
    /// What all its figures are about.
    pub(super) paytable: Option<String>,
    pub(super) is: Option<String>,
    pub(super) explained: Vec<Explained>,
    columns: Vec<String>,
    pub(super) rows: Vec<FigureRow>,
}

/// A row: what it is about, and its figures as far as there are any.
#[derive(Clone, Debug)]
pub(super) struct FigureRow {
    pub(super) name: String,
    figures: Vec<Option<PrintedFigure>>,
}

/// What some figures of a table are.
#[derive(Clone, Debug)]
pub(super) struct Explained {
    row: Option<String>,
    column: Option<String>,
    pub(super) by: Explanation,
    pub(super) says: String,
}

impl Explained {
    pub(super) fn is_about(&self, cell: &Cell<'_>) -> bool {
        self.row.as_deref().is_none_or(|name| name == cell.row)
            && self.column.as_deref().is_none_or(|name| name == cell.column)
    }
}

impl FigureTable {
    /// Its figures, by the names of their rows and columns.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&str, &str, &PrintedFigure)> {
        self.rows.iter().flat_map(|row| {
            let figures = self.columns.iter().zip(&row.figures);
            figures
                .filter_map(|(column, figure)| Some((row.name.as_str(), column.as_str(), figure.as_ref()?)))
        })
    }
}

/// Reads the documents.
pub(super) fn read(text: &str) -> Result<Vec<FigureDocument>, FiguresFault> {
    let root: toml::Table = text.parse().map_err(|error: toml::de::Error| FiguresFault(error.to_string()))?;
    let root = FigureReader { table: &root, place: "the file" };
    root.only(&["documents"])?;
    root.tables("documents")?.iter().map(document).collect()
}

fn document(table: &toml::Table) -> Result<FigureDocument, FiguresFault> {
    let reader = FigureReader { table, place: "a document" };
    reader.only(&["key", "book", "none", "tables"])?;
    let document = FigureDocument {
        key: reader.text("key")?,
        book: reader.text("book")?,
        none: reader.maybe("none")?,
        tables: reader.tables("tables")?.iter().map(figures).collect::<Result<_, _>>()?,
    };
    if document.none.is_some() != document.tables.is_empty() {
        return Err(reader.fault("has figures, or says what it has instead"));
    }
    Ok(document)
}

fn figures(table: &toml::Table) -> Result<FigureTable, FiguresFault> {
    let id = FigureReader { table, place: "a table" }.text("id")?;
    let reader = FigureReader { table, place: &id };
    reader.only(&["id", "place", "wager", "paytable", "is", "columns", "rows", "explained"])?;
    let columns = reader.words("columns", reader.value("columns")?)?;
    let mut rows = Vec::new();
    for row in reader.list("rows", reader.value("rows")?)? {
        let words = reader.words("rows", row)?;
        let Some((name, cells)) = words.split_first() else { return Err(reader.fault("has an empty row")) };
        if cells.len() > columns.len() {
            return Err(reader.fault(&format!("has more figures than columns in `{name}`")));
        }
        let figure = |cell: &String| match PrintedFigure::new(cell) {
            Some(printed) => Ok(Some(printed)),
            None if cell.is_empty() => Ok(None),
            None => Err(reader.fault(&format!("has `{cell}`, which is no number"))),
        };
        rows.push(FigureRow {
            name: name.clone(),
            figures: cells.iter().map(figure).collect::<Result<_, _>>()?,
        });
    }
    Ok(FigureTable {
        place: reader.text("place")?,
        wager: reader.text("wager")?,
        paytable: reader.maybe("paytable")?,
        is: reader.maybe("is")?,
        explained: reader
            .tables("explained")?
            .iter()
            .map(|table| explained(&FigureReader { table, place: &id }))
            .collect::<Result<_, _>>()?,
        columns,
        rows,
        id,
    })
}

fn explained(reader: &FigureReader<'_>) -> Result<Explained, FiguresFault> {
    reader.only(&["row", "column", "by", "with", "says"])?;
    let by = Explanation::new(&reader.text("by")?, reader.maybe("with")?.as_deref());
    Ok(Explained {
        row: reader.maybe("row")?,
        column: reader.maybe("column")?,
        by: by.ok_or_else(|| reader.fault("is explained by no computation there is"))?,
        says: reader.text("says")?,
    })
}

/// A table of the file, and what it is called when something is wrong with it.
struct FigureReader<'a> {
    table: &'a toml::Table,
    place: &'a str,
}

impl<'a> FigureReader<'a> {
    fn fault(&self, what: &str) -> FiguresFault {
        FiguresFault(format!("{} {what}", self.place))
    }

    fn only(&self, known: &[&str]) -> Result<(), FiguresFault> {
        let unknown = self.table.keys().find(|key| !known.contains(&key.as_str()));
        unknown.map_or(Ok(()), |key| Err(self.fault(&format!("has a key `{key}` that means nothing"))))
    }

    fn value(&self, key: &str) -> Result<&'a toml::Value, FiguresFault> {
        self.table.get(key).ok_or_else(|| self.fault(&format!("has no `{key}`")))
    }

    fn text(&self, key: &str) -> Result<String, FiguresFault> {
        self.maybe(key)?.ok_or_else(|| self.fault(&format!("has no `{key}`")))
    }

    fn maybe(&self, key: &str) -> Result<Option<String>, FiguresFault> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| self.fault(&format!("has a `{key}` that is no text")))?;
        Ok(Some(text.to_owned()))
    }

    fn list(&self, key: &str, value: &'a toml::Value) -> Result<&'a [toml::Value], FiguresFault> {
        let list = value.as_array().ok_or_else(|| self.fault(&format!("has `{key}` that are no list")))?;
        Ok(list)
    }

    fn words(&self, key: &str, value: &'a toml::Value) -> Result<Vec<String>, FiguresFault> {
        let words = self.list(key, value)?.iter().map(|word| word.as_str().map(str::to_owned));
        words.collect::<Option<_>>().ok_or_else(|| self.fault(&format!("has `{key}` that are no texts")))
    }

    /// The tables under a key; none where it is left out.
    fn tables(&self, key: &str) -> Result<Vec<toml::Table>, FiguresFault> {
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let tables = self.list(key, value)?.iter().map(|table| table.as_table().cloned());
        tables.collect::<Option<_>>().ok_or_else(|| self.fault(&format!("has `{key}` that are no tables")))
    }
}
