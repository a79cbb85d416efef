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
