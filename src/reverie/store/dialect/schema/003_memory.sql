-- Large spaces whose vectors nights index, in a pgvector table or in a file: its name, and the change it has caught up with.
-- A Postgres store of version 2 may have it already.
CREATE TABLE IF NOT EXISTS near (
    space       TEXT NOT NULL,
    embedder    TEXT NOT NULL,
    relation    TEXT NOT NULL,
    dim         INTEGER NOT NULL,
    seen        BIGINT NOT NULL,
    PRIMARY KEY (space, embedder)
);
