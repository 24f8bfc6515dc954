-- Old rounds of tables. A block replaces the rows of its events, their commands and the transfers of these commands.
-- Programs that do not know blocks must not open the store.
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id),
    first_seq INTEGER NOT NULL CHECK (first_seq > 0),
    last_seq INTEGER NOT NULL CHECK (last_seq >= first_seq),
    first_round INTEGER NOT NULL CHECK (first_round >= 0),
    last_round INTEGER NOT NULL CHECK (last_round >= first_round),
    first_place INTEGER NOT NULL,
    last_place INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    before BLOB NOT NULL CHECK (length(before) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    -- NULL once the block is in an archive.
    content BLOB,
    archive BLOB CHECK (length(archive) = 32),
    CHECK ((content IS NULL) = (archive IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX blocks_by_seq ON blocks (table_id, last_seq);
CREATE INDEX blocks_by_round ON blocks (table_id, last_round);

-- Commands of blocks, by a digest of actor and id: a command is executed once, however old it is.
CREATE TABLE block_commands (
    key INTEGER NOT NULL,
    block INTEGER NOT NULL REFERENCES blocks (id),
    PRIMARY KEY (key, block)
) STRICT, WITHOUT ROWID;

-- Sums of the transfers of each account in each block.
CREATE TABLE block_accounts (
    owner TEXT NOT NULL,
    currency TEXT NOT NULL,
    block INTEGER NOT NULL REFERENCES blocks (id),
    first_place INTEGER NOT NULL,
    last_place INTEGER NOT NULL,
    debit_cents INTEGER NOT NULL CHECK (debit_cents >= 0),
    credit_cents INTEGER NOT NULL CHECK (credit_cents >= 0),
    PRIMARY KEY (owner, currency, block)
) STRICT, WITHOUT ROWID;
