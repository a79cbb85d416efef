-- Full text over memories; a document stands for its memory (or turn) by `documents.ref`.
CREATE TABLE documents (
    row     INTEGER PRIMARY KEY,
    ref     TEXT NOT NULL UNIQUE,
    space   TEXT NOT NULL,
    body    TEXT NOT NULL,
    context TEXT NOT NULL,
    extra   TEXT NOT NULL,
    changed BIGINT NOT NULL DEFAULT 0        -- the place in the space's change sequence that caches catch up by
);
CREATE INDEX documents_changed ON documents (space, changed);
CREATE VIRTUAL TABLE document_words USING fts5 (
    body, context, extra, content = 'documents', content_rowid = 'row',
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'"
);
CREATE TRIGGER documents_in AFTER INSERT ON documents BEGIN
    INSERT INTO document_words (rowid, body, context, extra) VALUES (new.row, new.body, new.context, new.extra);
END;
CREATE TRIGGER documents_out AFTER DELETE ON documents BEGIN
    INSERT INTO document_words (document_words, rowid, body, context, extra)
    VALUES ('delete', old.row, old.body, old.context, old.extra);
END;
CREATE TRIGGER documents_over AFTER UPDATE ON documents BEGIN
    INSERT INTO document_words (document_words, rowid, body, context, extra)
    VALUES ('delete', old.row, old.body, old.context, old.extra);
    INSERT INTO document_words (rowid, body, context, extra) VALUES (new.row, new.body, new.context, new.extra);
END;

-- A space holds thousands of rows. Without statistics SQLite takes it for ten and reads a whole space to find a few ids.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('memories', 'memories_hash', '1000000 10000 1'),
    ('memories', 'memories_fact', '300000 3000 30 2'),
    ('memories', 'memories_kind', '1000000 10000 3000 1 1'),
    ('memories', 'memories_tagged', '1000000 10000 10'),
    ('memories', 'memories_tier', '1000000 10000 4000 1'),
    ('memories', 'memories_fading', '1000000 10000 4000 2 1'),
    ('memories', 'memories_reinforced', '1000000 10000 10'),
    ('memories', 'memories_wanted', '10000 100 1'),
    ('memories', 'memories_session', '1000000 10000 30'),
    ('edges', 'edges_space', '1000000 10000'),
    ('edges', 'edges_supersedes', '10000 100 1'),
    ('edges', 'edges_b', '1000000 5'),
    ('edges', 'sqlite_autoindex_edges_1', '1000000 5 1 1'),
    ('contradictions', 'contradictions_space', '100000 1000 300 1'),
    ('contradictions', 'contradictions_older', '100000 2'),
    ('contradictions', 'contradictions_newer', '100000 2'),
    ('sources', 'sources_source', '2000000 20000 2'),
    ('vectors', 'vectors_changed', '1000000 10000 50'),
    ('vectors', 'vectors_embedder', '1000000 10000 10000 1'),
    ('vectors', 'vectors_gone', '10000 100 1'),
    ('documents', 'documents_changed', '1000000 10000 50');
