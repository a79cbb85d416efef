-- Full text over the log's fresh tail. Terms are stemmed and prefixed per space in Python.
CREATE VIRTUAL TABLE turn_words USING fts5 (body, context, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");

-- A space holds thousands of turns. Without statistics SQLite takes it for ten and reads a whole space to find a few ids.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('turns', 'sqlite_autoindex_turns_2', '1000000 10000 1'),
    ('turns', 'turns_session', '1000000 10000 50 1'),
    ('turns', 'turns_at', '1000000 10000 1'),
    ('recall_events', 'recall_events_ref', '1000000 10000 5'),
    ('recall_events', 'recall_events_at', '1000000 10000 1');
