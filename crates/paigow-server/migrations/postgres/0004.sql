-- From this version on, settlement lines are stored with codes instead of sentences, and the digest of a table's rules
-- is that of their canonical form. Older rows are not changed. Programs that do not know the codes must not open the
-- store.

-- Programs that have opened the store.
CREATE TABLE programs (
    program TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);
