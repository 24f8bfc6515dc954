CREATE TABLE tables (
    id TEXT NOT NULL PRIMARY KEY,
    opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE commands (
    actor TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    table_id TEXT REFERENCES tables (id),
    body TEXT NOT NULL,
    answer TEXT NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (actor, id)
) STRICT;
CREATE INDEX commands_by_table ON commands (table_id);

-- The primary key arbitrates: if two processes append at the same sequence number, one succeeds. Rows are stored in its
-- order, so that reading a table touches few pages.
CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    round INTEGER NOT NULL CHECK (round >= 0),
    json TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    command TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY (actor, command) REFERENCES commands (actor, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_round ON events (table_id, round);

CREATE TABLE journal (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('plain', 'hold', 'post', 'void')),
    hold TEXT CHECK ((hold IS NOT NULL) = (kind IN ('post', 'void'))),
    debit TEXT NOT NULL,
    credit TEXT NOT NULL CHECK (credit <> debit),
    currency TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    purpose TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    command TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 0),
    table_id TEXT REFERENCES tables (id),
    round INTEGER NOT NULL,
    FOREIGN KEY (actor, command) REFERENCES commands (actor, id)
) STRICT;
CREATE INDEX journal_by_debit ON journal (debit, currency, place);
CREATE INDEX journal_by_credit ON journal (credit, currency, place);
CREATE INDEX journal_by_table ON journal (table_id, place);

-- Accounts that many tables use are split into shards, one for each table. The balance is the sum of the shards.
CREATE TABLE accounts (
    owner TEXT NOT NULL,
    currency TEXT NOT NULL,
    shard TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (owner, currency, shard),
    CHECK (cents >= 0 OR substr(owner, 1, 7) NOT IN ('player:', 'escrow:'))
) STRICT, WITHOUT ROWID;

CREATE TABLE holds (
    id TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    escrow TEXT NOT NULL,
    currency TEXT NOT NULL,
    cents_left INTEGER NOT NULL CHECK (cents_left >= 0)
) STRICT, WITHOUT ROWID;
