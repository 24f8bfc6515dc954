//! Tables and columns of a store, for copies of whole stores.
//!
//! A new table or column is a line of [`STORED_TABLES`]. A test compares the list with the schemas of both databases.

/// Every table of a store, each after the tables that it refers to.
///
/// `unfinished_move` is not in the list, because it belongs to a database and not to its contents.
pub const STORED_TABLES: &[StoredTable] = &[
    StoredTable::new("tables", 1, &[text("id"), integer("opened_at")]),
    StoredTable::new(
        "commands",
        2,
        &[
            text("actor"),
            text("id"),
            integer("at"),
            text("table_id").or_null(),
            text("body"),
            text("answer"),
            bytes("digest"),
        ],
    ),
    StoredTable::new(
        "events",
        2,
        &[
            text("table_id"),
            integer("seq"),
            integer("round"),
            text("json"),
            integer("at"),
            text("actor"),
            text("command"),
            bytes("hash"),
        ],
    ),
    StoredTable::new(
        "journal",
        1,
        &[
            integer("place").generated(),
            text("id"),
            text("kind"),
            text("hold").or_null(),
            text("debit"),
            text("credit"),
            text("currency"),
            integer("cents"),
            text("purpose"),
            integer("at"),
            text("actor"),
            text("command"),
            integer("number"),
            text("table_id").or_null(),
            integer("round"),
        ],
    ),
    StoredTable::new(
        "blocks",
        1,
        &[
            integer("id").generated(),
            text("table_id"),
            integer("first_seq"),
            integer("last_seq"),
            integer("first_round"),
            integer("last_round"),
            integer("first_place"),
            integer("last_place"),
            integer("last_at"),
            bytes("before"),
            bytes("hash"),
            bytes("digest"),
            bytes("content").or_null(),
            bytes("archive").or_null(),
        ],
    ),
    StoredTable::new("block_commands", 2, &[integer("key"), integer("block")]),
    StoredTable::new(
        "block_accounts",
        3,
        &[
            text("owner"),
            text("currency"),
            integer("block"),
            integer("first_place"),
            integer("last_place"),
            integer("debit_cents"),
            integer("credit_cents"),
        ],
    ),
    StoredTable::new(
        "archives",
        1,
        &[
            integer("number"),
            bytes("digest"),
            text("file"),
            integer("at"),
            integer("older_than"),
            integer("tables"),
            integer("blocks"),
            integer("rounds"),
            integer("events"),
            integer("commands"),
            integer("transfers"),
        ],
    ),
    StoredTable::new(
        "checkpoints",
        2,
        &[text("table_id"), integer("seq"), bytes("hash"), text("opened"), text("json"), bytes("archive")],
    ),
    StoredTable::new("accounts", 3, &[text("owner"), text("currency"), text("shard"), integer("cents")]),
    StoredTable::new(
        "holds",
        1,
        &[text("id"), text("holder"), text("escrow"), text("currency"), integer("cents_left")],
    ),
    StoredTable::new("people", 1, &[text("id"), text("name"), text("kind"), integer("since")]),
    StoredTable::new(
        "sessions",
        1,
        &[bytes("digest"), text("who"), integer("since"), integer("seen"), integer("until"), text("client")],
    ),
    StoredTable::new("documents", 2, &[text("kind"), text("id"), integer("version"), text("json")]),
    StoredTable::new("ceremonies", 1, &[bytes("id"), text("json"), integer("until")]),
    StoredTable::new("operator_secret", 1, &[integer("one"), bytes("digest"), integer("at")]),
    StoredTable::new(
        "operator_log",
        1,
        &[integer("place"), integer("at"), text("operator"), text("what"), text("detail"), bytes("hash")],
    ),
    StoredTable::new(
        "house_log",
        1,
        &[integer("seq"), integer("at"), text("json"), bytes("hash"), bytes("signature").or_null()],
    ),
    StoredTable::new(PROGRAMS, 1, &[text("program"), integer("since")]),
];

/// Table of the programs that have opened a store. Opening a store adds a row, so it may have rows in an empty store.
pub(crate) const PROGRAMS: &str = "programs";

/// Query for the hash of the first entry of the house log, valid in both databases.
pub(super) const ORIGIN: &str = "SELECT hash FROM house_log ORDER BY seq LIMIT 1";

/// Table of a store.
#[derive(Debug)]
pub struct StoredTable {
    /// Name of the table in both databases.
    pub name: &'static str,
    /// Number of columns of the primary key, which are the first of `columns`.
    pub key: usize,
    /// All columns.
    pub columns: &'static [StoredColumn],
}

/// Column of a table.
#[derive(Clone, Copy, Debug)]
pub struct StoredColumn {
    /// Name of the column in both databases.
    pub name: &'static str,
    /// Type of its values.
    pub kind: ColumnType,
    /// Whether values may be `NULL`.
    pub is_nullable: bool,
    /// Whether a sequence of PostgreSQL generates the values of new rows.
    pub is_generated: bool,
}

/// Type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// `TEXT` in both databases.
    Text,
    /// `INTEGER` in SQLite, `BIGINT` in PostgreSQL.
    Integer,
    /// `BLOB` in SQLite, `BYTEA` in PostgreSQL.
    Bytes,
}

/// Value of a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum StoredValue {
    Null,
    Text(String),
    Integer(i64),
    Bytes(Vec<u8>),
}

/// Values of a row, in the order of [`StoredTable::columns`].
pub(crate) type StoredRow = Vec<StoredValue>;

const fn text(name: &'static str) -> StoredColumn {
    StoredColumn::new(name, ColumnType::Text)
}

const fn integer(name: &'static str) -> StoredColumn {
    StoredColumn::new(name, ColumnType::Integer)
}

const fn bytes(name: &'static str) -> StoredColumn {
    StoredColumn::new(name, ColumnType::Bytes)
}

impl StoredColumn {
    const fn new(name: &'static str, kind: ColumnType) -> StoredColumn {
        StoredColumn { name, kind, is_nullable: false, is_generated: false }
    }

    const fn or_null(mut self) -> StoredColumn {
        self.is_nullable = true;
        self
    }

    const fn generated(mut self) -> StoredColumn {
        self.is_generated = true;
        self
    }
}

impl StoredTable {
    const fn new(name: &'static str, key: usize, columns: &'static [StoredColumn]) -> StoredTable {
        StoredTable { name, key, columns }
    }

    /// Values of the primary key of a row.
    pub(crate) fn key_of<'r>(&self, row: &'r [StoredValue]) -> &'r [StoredValue] {
        row.get(..self.key).unwrap_or(row)
    }

    /// Names of all columns, separated by commas.
    pub(super) fn column_names(&self) -> String {
        self.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// Query for the next rows in the order of the primary key, with the values of a key as parameters unless the page
    /// is the first.
    ///
    /// `collation` follows each text of the key. Both databases must sort texts by their bytes.
    pub(super) fn page_query(&self, is_first: bool, limit: usize, collation: &str) -> String {
        let key = self.columns.iter().take(self.key).map(|column| match column.kind {
            ColumnType::Text => format!("{}{collation}", column.name),
            ColumnType::Integer | ColumnType::Bytes => column.name.to_owned(),
        });
        let key = key.collect::<Vec<_>>().join(", ");
        let after =
            if is_first { String::new() } else { format!(" WHERE ({key}) > ({})", parameters(self.key)) };
        format!("SELECT {} FROM {}{after} ORDER BY {key} LIMIT {limit}", self.column_names(), self.name)
    }
}

/// Parameters `$1, $2, …`, which both databases number from 1.
pub(super) fn parameters(count: usize) -> String {
    (1..=count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}
