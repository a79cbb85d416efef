-- Full text over the log's fresh tail. Terms are stemmed and prefixed per space in Python.
CREATE TABLE turn_words (
    rowid   BIGINT PRIMARY KEY,
    body    TEXT NOT NULL,
    context TEXT NOT NULL,
    -- The terms are ready-made: Postgres's own parser would split them at the underscore.
    words   TSVECTOR GENERATED ALWAYS AS (
        array_to_tsvector(array_remove(string_to_array(body || ' ' || context, ' '), ''))
    ) STORED
);
CREATE INDEX turn_words_words ON turn_words USING gin (words);
