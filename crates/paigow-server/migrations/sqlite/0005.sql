-- Everything that happens outside tables: chips issued and redeemed, people, operators' sessions, the operators' secret, operators' acts.
-- Each entry's hash covers the entry before it. Each is written in the transaction of what it covers.
CREATE TABLE house_log (
    seq INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
    at INTEGER NOT NULL,
    json TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    signature BLOB CHECK (length(signature) = 64)
) STRICT;
