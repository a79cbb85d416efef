-- What the user wants to be reminded of when something comes up: made by their own words or by a person, never by a night.
CREATE TABLE intents (
    id           TEXT PRIMARY KEY,
    space        TEXT NOT NULL,
    turn         TEXT,                       -- what the user said; none where a person wrote it down
    remind       TEXT NOT NULL,              -- of what, in their words
    trigger_text TEXT NOT NULL,              -- what has to come up, in their words
    session      TEXT,                       -- the session that it was said in
    scope        TEXT NOT NULL DEFAULT '',   -- only in sessions of this channel, source or name; empty: anywhere
    made_at      DOUBLE PRECISION NOT NULL,
    expires_at   DOUBLE PRECISION NOT NULL,
    cancelled_at DOUBLE PRECISION,
    fired        BIGINT NOT NULL DEFAULT 0,
    fired_at     DOUBLE PRECISION
);
CREATE INDEX intents_of_space ON intents (space, expires_at);
CREATE INDEX intents_of_turn ON intents (turn);

-- What a proxy has added to a user's turn: sent again with that turn, byte for byte, so that prompt caches keep hitting.
CREATE TABLE added_blocks (
    space   TEXT NOT NULL,
    session TEXT NOT NULL,
    turn    TEXT NOT NULL,  -- a digest of what the client sent
    text    TEXT NOT NULL,  -- empty: the turn went without
    seen    TEXT NOT NULL,  -- what it shows, as marks: nothing is shown twice in a session
    at      DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, session, turn)
);
CREATE INDEX added_blocks_at ON added_blocks (space, at);

-- Native reasoning is counted apart.
ALTER TABLE awake_ledger ADD COLUMN thinking BIGINT NOT NULL DEFAULT 0;

