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
