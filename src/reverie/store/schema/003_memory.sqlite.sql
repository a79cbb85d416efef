-- Large spaces whose vectors lie in a file of their own: its name, and the change it has caught up with.
CREATE TABLE near (
    space       TEXT NOT NULL,
    embedder    TEXT NOT NULL,
    relation    TEXT NOT NULL,
    dim         INTEGER NOT NULL,
    seen        BIGINT NOT NULL,
    PRIMARY KEY (space, embedder)
);
