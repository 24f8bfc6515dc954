-- Documents about accounts and operators: ways to sign in, roles, limits, invitations, approvals. Each write has an entry
-- of the house log with the digest of the document.
CREATE TABLE documents (
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    json TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, id)
);

-- State of a registration or sign-in between its two requests. A row is used once and expires after minutes.
CREATE TABLE ceremonies (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    json TEXT COLLATE "C" NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX ceremonies_by_until ON ceremonies (until);

-- Description of the client that began the session, for the list of a person's sessions.
ALTER TABLE sessions ADD COLUMN client TEXT COLLATE "C" NOT NULL DEFAULT '';
