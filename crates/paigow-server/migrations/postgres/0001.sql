CREATE TABLE tables (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    opened_at BIGINT NOT NULL
);

CREATE TABLE commands (
    actor TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    table_id TEXT COLLATE "C" REFERENCES tables (id),
    body TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (actor, id)
);
CREATE INDEX commands_by_table ON commands (table_id);

-- The primary key arbitrates: if two processes append at the same sequence number, one succeeds.
CREATE TABLE events (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables (id),
    seq BIGINT NOT NULL CHECK (seq > 0),
    round BIGINT NOT NULL CHECK (round >= 0),
    json TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    command TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY (actor, command) REFERENCES commands (actor, id)
);
CREATE INDEX events_by_round ON events (table_id, round);

CREATE TABLE journal (
    place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('plain', 'hold', 'post', 'void')),
    hold TEXT COLLATE "C" CHECK ((hold IS NOT NULL) = (kind IN ('post', 'void'))),
    debit TEXT COLLATE "C" NOT NULL,
    credit TEXT COLLATE "C" NOT NULL CHECK (credit <> debit),
    currency TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    purpose TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    command TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK (number >= 0),
    table_id TEXT COLLATE "C" REFERENCES tables (id),
    round BIGINT NOT NULL,
    FOREIGN KEY (actor, command) REFERENCES commands (actor, id)
);
CREATE INDEX journal_by_debit ON journal (debit, currency, place);
CREATE INDEX journal_by_credit ON journal (credit, currency, place);
CREATE INDEX journal_by_table ON journal (table_id, place);

-- Accounts that many tables use are split into shards, one for each table. The balance is the sum of the shards.
CREATE TABLE accounts (
    owner TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    shard TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (owner, currency, shard),
    CHECK (cents >= 0 OR left(owner, 7) NOT IN ('player:', 'escrow:'))
);

CREATE TABLE holds (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    escrow TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    cents_left BIGINT NOT NULL CHECK (cents_left >= 0)
);
