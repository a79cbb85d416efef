-- The log: what the awake side writes. On SQLite its own file, so that an append never waits for a night's commit.

CREATE TABLE turns (
    row         ${SERIAL},
    id          TEXT NOT NULL UNIQUE,
    space       TEXT NOT NULL,
    seq         BIGINT NOT NULL,
    session     TEXT NOT NULL,
    role        TEXT NOT NULL,
    text        TEXT NOT NULL,
    at          DOUBLE PRECISION NOT NULL,
    origin      TEXT NOT NULL,
    trust       INTEGER NOT NULL,
    speaker     TEXT,
    metadata    TEXT NOT NULL DEFAULT '{}',
    key         TEXT,
    digest      TEXT,
    redacted    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (space, seq)
);
CREATE UNIQUE INDEX turns_key ON turns (space, key) WHERE key IS NOT NULL;
CREATE INDEX turns_session ON turns (space, session, seq);
CREATE INDEX turns_at ON turns (space, at);

-- One row a space: the sequence, and what the triggers look at.
CREATE TABLE activity (
    space           TEXT PRIMARY KEY,
    last_seq        BIGINT NOT NULL,
    last_at         DOUBLE PRECISION NOT NULL,
    importance      DOUBLE PRECISION NOT NULL DEFAULT 0,  -- ever, so that a nap's share is a difference
    ended_sessions  BIGINT NOT NULL DEFAULT 0,
    overflows       BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
    space       TEXT NOT NULL,
    session     TEXT NOT NULL,
    first_seq   BIGINT NOT NULL,
    last_seq    BIGINT NOT NULL,
    began_at    DOUBLE PRECISION NOT NULL,
    last_at     DOUBLE PRECISION NOT NULL,
    turns       BIGINT NOT NULL,
    ended_at    DOUBLE PRECISION,
    blocks_seen TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (space, session)
);
CREATE INDEX sessions_first ON sessions (space, first_seq);

-- Evidence: a real query returned this memory.
CREATE TABLE recall_events (
    row     ${SERIAL},
    space   TEXT NOT NULL,
    ref     TEXT NOT NULL,
    query   TEXT NOT NULL,
    day     TEXT NOT NULL,
    score   DOUBLE PRECISION NOT NULL,
    at      DOUBLE PRECISION NOT NULL
);
CREATE INDEX recall_events_ref ON recall_events (space, ref);
CREATE INDEX recall_events_at ON recall_events (space, at);

-- Questions that were asked, for anticipation; one row a question and day.
CREATE TABLE asked (
    space   TEXT NOT NULL,
    hash    TEXT NOT NULL,
    day     TEXT NOT NULL,
    text    TEXT NOT NULL,
    times   BIGINT NOT NULL,
    last_at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, hash, day)
);
CREATE INDEX asked_at ON asked (space, last_at);

-- What serving a precomputed answer came to; nights read it to learn thresholds.
CREATE TABLE servings (
    row         ${SERIAL},
    space       TEXT NOT NULL,
    answer      TEXT,
    asked       TEXT NOT NULL,
    similarity  DOUBLE PRECISION NOT NULL,
    served      INTEGER NOT NULL,
    why         TEXT NOT NULL,
    verdict     TEXT,
    tokens      BIGINT NOT NULL DEFAULT 0,
    at          DOUBLE PRECISION NOT NULL
);
CREATE INDEX servings_at ON servings (space, at);

-- Model calls of the awake side; those of nights are in `ledger`, beside what they paid for.
CREATE TABLE awake_ledger (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    step        TEXT NOT NULL,
    model       TEXT NOT NULL,
    tokens_in   BIGINT NOT NULL,
    tokens_out  BIGINT NOT NULL,
    cached      BIGINT NOT NULL DEFAULT 0,
    cost        DOUBLE PRECISION,
    status      TEXT NOT NULL,
    at          DOUBLE PRECISION NOT NULL
);
CREATE INDEX awake_ledger_at ON awake_ledger (space, at);
