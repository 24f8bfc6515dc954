-- Everything that happens outside tables: chips issued and redeemed, people, operators' sessions, the operators' secret, operators' acts.
-- Each entry's hash covers the entry before it. Each is written in the transaction of what it covers.
CREATE TABLE house_log (
    seq BIGINT NOT NULL PRIMARY KEY CHECK (seq > 0),
    at BIGINT NOT NULL,
    json TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    signature BYTEA CHECK (length(signature) = 64)
);
