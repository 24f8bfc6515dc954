-- Signed files that hold the content of blocks. Their rounds are no longer in the store.
CREATE TABLE archives (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    file TEXT NOT NULL,
    at INTEGER NOT NULL,
    older_than INTEGER NOT NULL,
    tables INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    events INTEGER NOT NULL,
    commands INTEGER NOT NULL,
    transfers INTEGER NOT NULL
) STRICT;

-- State of a table after its last event of each archive. The table continues from the newest.
CREATE TABLE checkpoints (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    opened TEXT NOT NULL,
    json TEXT NOT NULL,
    archive BLOB NOT NULL REFERENCES archives (digest),
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;
