-- An append merges segments of the index seldom and many at a time, which takes a quarter off its cost. This index is
-- read only in spaces too large for one in memory, where a few more segments are nothing beside the rest.
INSERT INTO turn_words (turn_words, rank) VALUES ('automerge', 16);
INSERT INTO turn_words (turn_words, rank) VALUES ('crisismerge', 64);
