-- What clients and frameworks keep in a space as they gave it: JSON values under keys of a shelf, some with versions.
CREATE TABLE entries (
    space       TEXT NOT NULL,
    shelf       TEXT NOT NULL,
    key         TEXT NOT NULL,
    id          TEXT NOT NULL,
    seq         BIGINT NOT NULL,             -- its place on the shelf; a new value keeps it
    version     BIGINT NOT NULL,
    value       TEXT NOT NULL,
    ref         TEXT,                        -- the turn or memory that carries its words to recall and to nights
    created_at  DOUBLE PRECISION NOT NULL,
    updated_at  DOUBLE PRECISION NOT NULL,
    expires_at  DOUBLE PRECISION,
    PRIMARY KEY (space, shelf, key)
);
CREATE INDEX entries_key ON entries (shelf, key);
CREATE INDEX entries_id ON entries (space, id);
CREATE INDEX entries_seq ON entries (space, shelf, seq);

CREATE TABLE entry_versions (
    space       TEXT NOT NULL,
    shelf       TEXT NOT NULL,
    entry       TEXT NOT NULL,
    version     BIGINT NOT NULL,
    key         TEXT NOT NULL,
    operation   TEXT NOT NULL,               -- created, modified, deleted
    value       TEXT,                        -- null: deleted, or taken out since
    at          DOUBLE PRECISION NOT NULL,
    actor       TEXT NOT NULL,
    redacted_at DOUBLE PRECISION,
    PRIMARY KEY (space, shelf, entry, version)
);
