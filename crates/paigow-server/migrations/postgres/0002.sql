CREATE TABLE people (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('guest', 'bot')),
    since BIGINT NOT NULL
);
CREATE INDEX people_by_since ON people (kind, since);

-- Only the client knows the secret of a session. The store has its digest.
CREATE TABLE sessions (
    digest BYTEA NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    who TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX sessions_by_who ON sessions (who);
CREATE INDEX sessions_by_until ON sessions (until);

-- At most one row: if several processes start at once, exactly one generates the secret.
CREATE TABLE operator_secret (
    one BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    at BIGINT NOT NULL
);

CREATE TABLE operator_log (
    place BIGINT NOT NULL PRIMARY KEY CHECK (place > 0),
    at BIGINT NOT NULL,
    operator TEXT COLLATE "C" NOT NULL,
    what TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);
