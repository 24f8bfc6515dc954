-- At most one row, in the target of a move that is not complete. Only a move opens such a store.
CREATE TABLE unfinished_move (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    source TEXT NOT NULL,
    origin BLOB NOT NULL CHECK (length(origin) = 32)
) STRICT;
