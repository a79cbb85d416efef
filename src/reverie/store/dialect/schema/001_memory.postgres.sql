-- Full text over memories; a document stands for its memory (or turn) by `ref`.
CREATE TABLE documents (
    row     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ref     TEXT NOT NULL UNIQUE,
    space   TEXT NOT NULL,
    body    TEXT NOT NULL,
    context TEXT NOT NULL,
    extra   TEXT NOT NULL,
    changed BIGINT NOT NULL DEFAULT 0,       -- the place in the space's change sequence that caches catch up by
    -- The terms are ready-made: Postgres's own parser would split them at the underscore.
    words   TSVECTOR GENERATED ALWAYS AS (
        array_to_tsvector(array_remove(string_to_array(body || ' ' || context || ' ' || extra, ' '), ''))
    ) STORED
);
CREATE INDEX documents_words ON documents USING gin (words);
CREATE INDEX documents_changed ON documents (space, changed);
