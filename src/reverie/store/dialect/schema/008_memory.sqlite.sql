CREATE TABLE word_postings (
    num     BIGINT NOT NULL,
    word    TEXT NOT NULL,
    memory  BIGINT NOT NULL,            -- the number of its row in `memory_words`
    PRIMARY KEY (num, word, memory)
) WITHOUT ROWID;
CREATE TABLE band_postings (
    num     BIGINT NOT NULL,
    band    BIGINT NOT NULL,
    memory  BIGINT NOT NULL,
    PRIMARY KEY (num, band, memory)
) WITHOUT ROWID;
CREATE TABLE name_postings (
    num     BIGINT NOT NULL,
    name    TEXT NOT NULL,
    memory  BIGINT NOT NULL,
    PRIMARY KEY (num, name, memory)
) WITHOUT ROWID;

INSERT INTO memory_words (memory, num, words, bands, names)
    SELECT m.id, s.num,
        coalesce((SELECT group_concat(k.word, ' ') FROM (SELECT word FROM keywords WHERE memory = m.id ORDER BY word) k), ''),
        (SELECT from_hex(group_concat('0' || b.band, '')) FROM (SELECT band FROM bands WHERE memory = m.id ORDER BY band) b),
        coalesce((SELECT group_concat(n.entity, char(10)) FROM (SELECT entity FROM mentions WHERE memory = m.id ORDER BY entity) n), '')
    FROM memories m JOIN spaces s ON s.id = m.space
    WHERE EXISTS (SELECT 1 FROM keywords WHERE memory = m.id) OR EXISTS (SELECT 1 FROM bands WHERE memory = m.id)
        OR EXISTS (SELECT 1 FROM mentions WHERE memory = m.id)
    ORDER BY m.id;
INSERT INTO word_postings (num, word, memory)
    SELECT w.num, k.word, w.row FROM keywords k JOIN memory_words w ON w.memory = k.memory;
INSERT INTO band_postings (num, band, memory)
    SELECT w.num, number_of_hex(b.band), w.row FROM bands b JOIN memory_words w ON w.memory = b.memory;
INSERT INTO name_postings (num, name, memory)
    SELECT w.num, n.entity, w.row FROM mentions n JOIN memory_words w ON w.memory = n.memory;
DROP TABLE keywords;
DROP TABLE bands;
DROP TABLE mentions;

DELETE FROM sqlite_stat1 WHERE idx IN ('memories_tier', 'memories_reinforced', 'vectors_embedder', 'vectors_changed');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('vectors', 'vectors_changed', '1000000 10000 50 50');
ANALYZE sqlite_schema;
