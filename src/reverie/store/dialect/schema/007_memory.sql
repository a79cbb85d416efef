-- One row: the secret by which a store knows its own exports again (transfer/seal.py). It never leaves the store.
CREATE TABLE seal (
    key TEXT NOT NULL
);

-- Documents that a person gave to be studied. Their text is kept in passages: memories whose session is `study:<name>`.
CREATE TABLE studies (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    name        TEXT NOT NULL,
    path        TEXT,
    digest      TEXT NOT NULL,              -- of the text as it stands
    lines       BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    pondered    TEXT NOT NULL DEFAULT '',   -- the digest that a night last thought about
    pondered_at DOUBLE PRECISION,
    created_at  DOUBLE PRECISION NOT NULL,
    updated_at  DOUBLE PRECISION NOT NULL,
    UNIQUE (space, name)
);

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

-- Native reasoning is counted apart; a call that went out in a provider batch is found again by the batch's id.
ALTER TABLE ledger ADD COLUMN thinking BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN batch TEXT NOT NULL DEFAULT '';

-- Who sleeps for this store, on what, and when it was last heard of. A worker that ends well deletes its row.
CREATE TABLE workers (
    name     TEXT PRIMARY KEY,
    host     TEXT NOT NULL,
    pid      BIGINT NOT NULL,
    version  TEXT NOT NULL,
    engine   TEXT NOT NULL,
    owner    TEXT NOT NULL,              -- its presence, as a lease has it: tells whether it died
    space    TEXT NOT NULL DEFAULT '',   -- what it works on now; empty: it waits
    step     TEXT NOT NULL DEFAULT '',
    since    DOUBLE PRECISION NOT NULL,  -- when it began to work on that, or to wait
    began_at DOUBLE PRECISION NOT NULL,
    heard_at DOUBLE PRECISION NOT NULL
);

