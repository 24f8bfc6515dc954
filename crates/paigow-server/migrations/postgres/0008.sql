-- Old rounds of tables. A block replaces the rows of its events, their commands and the transfers of these commands.
-- Programs that do not know blocks must not open the store.
CREATE TABLE blocks (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables (id),
    first_seq BIGINT NOT NULL CHECK (first_seq > 0),
    last_seq BIGINT NOT NULL CHECK (last_seq >= first_seq),
    first_round BIGINT NOT NULL CHECK (first_round >= 0),
    last_round BIGINT NOT NULL CHECK (last_round >= first_round),
    first_place BIGINT NOT NULL,
    last_place BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    before BYTEA NOT NULL CHECK (length(before) = 32),
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    -- NULL once the block is in an archive.
    content BYTEA,
    archive BYTEA CHECK (length(archive) = 32),
    CHECK ((content IS NULL) = (archive IS NOT NULL))
);
-- The content is compressed already.
ALTER TABLE blocks ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX blocks_by_seq ON blocks (table_id, last_seq);
CREATE INDEX blocks_by_round ON blocks (table_id, last_round);

-- Commands of blocks, by a digest of actor and id: a command is executed once, however old it is.
CREATE TABLE block_commands (
    key BIGINT NOT NULL,
    block BIGINT NOT NULL REFERENCES blocks (id),
    PRIMARY KEY (key, block)
);

-- Sums of the transfers of each account in each block.
CREATE TABLE block_accounts (
    owner TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    block BIGINT NOT NULL REFERENCES blocks (id),
    first_place BIGINT NOT NULL,
    last_place BIGINT NOT NULL,
    debit_cents BIGINT NOT NULL CHECK (debit_cents >= 0),
    credit_cents BIGINT NOT NULL CHECK (credit_cents >= 0),
    PRIMARY KEY (owner, currency, block)
);

-- Deleting a command would search all events and transfers for these keys. An audit finds rows without a command.
ALTER TABLE events DROP CONSTRAINT events_actor_command_fkey;
ALTER TABLE journal DROP CONSTRAINT journal_actor_command_fkey;
