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
