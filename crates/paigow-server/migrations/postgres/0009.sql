-- Signed files that hold the content of blocks. Their rounds are no longer in the store.
CREATE TABLE archives (
    number BIGINT PRIMARY KEY CHECK (number > 0),
    digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32),
    file TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    older_than BIGINT NOT NULL,
    tables BIGINT NOT NULL,
    blocks BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    events BIGINT NOT NULL,
    commands BIGINT NOT NULL,
    transfers BIGINT NOT NULL
);

-- State of a table after its last event of each archive. The table continues from the newest.
CREATE TABLE checkpoints (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables (id),
    seq BIGINT NOT NULL CHECK (seq > 0),
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    opened TEXT COLLATE "C" NOT NULL,
    json TEXT COLLATE "C" NOT NULL,
    archive BYTEA NOT NULL REFERENCES archives (digest),
    PRIMARY KEY (table_id, seq)
);
