CREATE TABLE word_postings (
    num     BIGINT NOT NULL,
    word    TEXT NOT NULL,
    memory  BIGINT NOT NULL,            -- the number of its row in `memory_words`
    PRIMARY KEY (num, word, memory)
);
CREATE TABLE band_postings (
    num     BIGINT NOT NULL,
    band    BIGINT NOT NULL,
    memory  BIGINT NOT NULL,
    PRIMARY KEY (num, band, memory)
);
CREATE TABLE name_postings (
    num     BIGINT NOT NULL,
    name    TEXT NOT NULL,
    memory  BIGINT NOT NULL,
    PRIMARY KEY (num, name, memory)
);

INSERT INTO memory_words (memory, num, words, bands, names)
    SELECT m.id, s.num,
        coalesce((SELECT string_agg(k.word, ' ' ORDER BY k.word) FROM keywords k WHERE k.memory = m.id), ''),
        (SELECT decode(string_agg('0' || b.band, '' ORDER BY b.band), 'hex') FROM bands b WHERE b.memory = m.id),
        coalesce((SELECT string_agg(n.entity, chr(10) ORDER BY n.entity) FROM mentions n WHERE n.memory = m.id), '')
    FROM memories m JOIN spaces s ON s.id = m.space
    WHERE EXISTS (SELECT 1 FROM keywords k WHERE k.memory = m.id) OR EXISTS (SELECT 1 FROM bands b WHERE b.memory = m.id)
        OR EXISTS (SELECT 1 FROM mentions n WHERE n.memory = m.id)
    ORDER BY m.id;
INSERT INTO word_postings (num, word, memory)
    SELECT w.num, k.word, w.row FROM keywords k JOIN memory_words w ON w.memory = k.memory;
INSERT INTO band_postings (num, band, memory)
    SELECT w.num, ('x' || lpad(b.band, 16, '0'))::bit(64)::bigint, w.row
    FROM bands b JOIN memory_words w ON w.memory = b.memory;
INSERT INTO name_postings (num, name, memory)
    SELECT w.num, n.entity, w.row FROM mentions n JOIN memory_words w ON w.memory = n.memory;
DROP TABLE keywords;
DROP TABLE bands;
DROP TABLE mentions;
