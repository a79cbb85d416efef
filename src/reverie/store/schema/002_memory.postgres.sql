-- Large spaces whose vectors pgvector searches: the table that holds them, and the change it has caught up with.
CREATE TABLE near (
    space       TEXT NOT NULL,
    embedder    TEXT NOT NULL,
    relation    TEXT NOT NULL,
    dim         INTEGER NOT NULL,
    seen        BIGINT NOT NULL,
    PRIMARY KEY (space, embedder)
);
