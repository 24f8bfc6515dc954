-- Records of all changes outside tables: chips issued and redeemed, people, operators' sessions, the operators' secret,
-- operators' acts. The hash of an entry covers the entry before it. Each entry is written in the transaction of the row
-- it covers.
CREATE TABLE house_log (
    seq BIGINT NOT NULL PRIMARY KEY CHECK (seq > 0),
    at BIGINT NOT NULL,
    json TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    signature BYTEA CHECK (length(signature) = 64)
);
