-- Documents about accounts and operators: ways to sign in, roles, limits, invitations, approvals. Each write has an entry
-- of the house log with the digest of the document.
CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    json TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- State of a registration or sign-in between its two requests. A row is used once and expires after minutes.
CREATE TABLE ceremonies (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    json TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ceremonies_by_until ON ceremonies (until);

-- Description of the client that began the session, for the list of a person's sessions.
ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT '';
