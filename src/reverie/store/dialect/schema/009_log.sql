-- What a proxy has added to a user's turn: sent again with that turn, byte for byte, so that prompt caches keep hitting.
CREATE TABLE injections (
    space   TEXT NOT NULL,
    session TEXT NOT NULL,
    turn    TEXT NOT NULL,  -- a digest of what the client sent
    text    TEXT NOT NULL,  -- empty: the turn went without
    at      DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, session, turn)
);
CREATE INDEX injections_at ON injections (space, at);
