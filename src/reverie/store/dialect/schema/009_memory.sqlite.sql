-- Documents are searched in memory, and those of large spaces in a file: nothing reads this index any more.
DROP TRIGGER documents_in;
DROP TRIGGER documents_out;
DROP TRIGGER documents_over;
DROP TABLE document_words;

-- Rows that hold little beside their key: each is kept once, in the order of the key, and has no number.
CREATE TABLE kept_sources (
    memory      TEXT NOT NULL,
    source      TEXT NOT NULL,
    space       TEXT NOT NULL,
    position    BIGINT NOT NULL,
    PRIMARY KEY (memory, source)
) WITHOUT ROWID;
INSERT INTO kept_sources SELECT memory, source, space, position FROM sources ORDER BY memory, source;
DROP TABLE sources;
ALTER TABLE kept_sources RENAME TO sources;
CREATE INDEX sources_source ON sources (source);

CREATE TABLE kept_edges (
    space       TEXT NOT NULL,
    a           TEXT NOT NULL,
    b           TEXT NOT NULL,
    relation    TEXT NOT NULL,
    weight      DOUBLE PRECISION NOT NULL,
    why         TEXT NOT NULL,
    night       TEXT,
    created_at  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (a, b, relation)
) WITHOUT ROWID;
INSERT INTO kept_edges SELECT space, a, b, relation, weight, why, night, created_at FROM edges ORDER BY a, b, relation;
DROP TABLE edges;
ALTER TABLE kept_edges RENAME TO edges;
CREATE INDEX edges_b ON edges (b);
CREATE INDEX edges_supersedes ON edges (space, created_at) WHERE relation = 'supersedes';

CREATE TABLE kept_chores (
    space       TEXT NOT NULL,
    memory      TEXT NOT NULL,
    chore       TEXT NOT NULL,
    priority    DOUBLE PRECISION NOT NULL,
    created_at  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, memory, chore)
) WITHOUT ROWID;
INSERT INTO kept_chores SELECT space, memory, chore, priority, created_at FROM chores ORDER BY space, memory, chore;
DROP TABLE chores;
ALTER TABLE kept_chores RENAME TO chores;
CREATE INDEX chores_priority ON chores (space, priority);

DELETE FROM sqlite_stat1 WHERE tbl IN ('sources', 'edges', 'chores') OR idx = 'edges_space';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('sources', 'sources', '2000000 2 1'),
    ('sources', 'sources_source', '2000000 2 1'),
    ('edges', 'edges', '1000000 5 1 1'),
    ('edges', 'edges_b', '1000000 5 1 1'),
    ('edges', 'edges_supersedes', '10000 100 1 1 1 1');
ANALYZE sqlite_schema;
