CREATE TABLE people (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('guest', 'bot')),
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_since ON people (kind, since);

-- Only the client knows the secret of a session. The store has its digest.
CREATE TABLE sessions (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    who TEXT NOT NULL,
    since INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_who ON sessions (who);
CREATE INDEX sessions_by_until ON sessions (until);

-- At most one row: if several processes start at once, exactly one generates the secret.
CREATE TABLE operator_secret (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_log (
    place INTEGER NOT NULL PRIMARY KEY CHECK (place > 0),
    at INTEGER NOT NULL,
    operator TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
