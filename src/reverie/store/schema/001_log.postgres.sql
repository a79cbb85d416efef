-- Full text over the log's fresh tail. Terms are stemmed and prefixed per space in Python.
CREATE TABLE turn_words (
    rowid   BIGINT PRIMARY KEY,
    body    TEXT NOT NULL,
    context TEXT NOT NULL,
    words   TSVECTOR GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', body), 'A') || setweight(to_tsvector('simple', context), 'B')
    ) STORED
);
CREATE INDEX turn_words_words ON turn_words USING gin (words);
