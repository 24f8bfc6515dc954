-- From this version on settlement lines are stored with codes in place of sentences, and the digest of a table's rules is that of their
-- canonical form. What was stored before stays as it is. Programs that do not know the codes must not open the store.

-- Every program that has opened the store.
CREATE TABLE programs (
    program TEXT NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
