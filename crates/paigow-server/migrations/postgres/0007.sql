-- At most one row, in the target of a move that is not complete. Only a move opens such a store.
CREATE TABLE unfinished_move (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    source TEXT COLLATE "C" NOT NULL,
    origin BYTEA NOT NULL CHECK (length(origin) = 32)
);
