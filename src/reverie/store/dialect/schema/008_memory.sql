-- The keywords and MinHash bands of a memory and whom it mentions, in one row. Its number stands for it in the postings,
-- which are an index of this table: in which memories of a space a word, a band or a name occurs. A row a word and memory,
-- with both ids as text and two indexes, took 40% of a store (store/tables/memory_words.py).
CREATE TABLE memory_words (
    row     ${SERIAL},
    memory  TEXT NOT NULL UNIQUE,
    num     BIGINT NOT NULL,            -- the space's number
    words   TEXT NOT NULL DEFAULT '',   -- its keywords, with spaces between them
    bands   ${BLOB},                    -- its bands, five bytes each; NULL: none were made
    names   TEXT NOT NULL DEFAULT ''    -- whom or what it mentions, a line each
);

-- No query takes these: the tiers are read by `memories_fading`, and nothing looks for what was last reinforced.
DROP INDEX memories_tier;
DROP INDEX memories_reinforced;

-- Which embedders a space has had is read from the index of changes.
DROP INDEX vectors_embedder;
DROP INDEX vectors_changed;
CREATE INDEX vectors_changed ON vectors (space, changed, embedder);
