-- Full text and vectors over memories. pgvector's index serves spaces too large to hold in memory.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE documents (
    row     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ref     TEXT NOT NULL UNIQUE,
    space   TEXT NOT NULL,
    body    TEXT NOT NULL,
    context TEXT NOT NULL,
    extra   TEXT NOT NULL,
    words   TSVECTOR GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', body), 'A') || setweight(to_tsvector('simple', context), 'B')
        || setweight(to_tsvector('simple', extra), 'C')
    ) STORED
);
CREATE INDEX documents_words ON documents USING gin (words);
CREATE INDEX documents_space ON documents (space);
