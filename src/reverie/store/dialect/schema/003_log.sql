-- A turn carries the terms it is found by. Its full-text index is gone: fresh turns are searched in memory, in spaces of
-- every size, and an append no longer waits for a second B-tree of words (docs/decisions/0007-the-tail-in-memory.md).

ALTER TABLE turns ADD COLUMN words TEXT NOT NULL DEFAULT '';

UPDATE turns SET words = coalesce((SELECT body FROM turn_words WHERE turn_words.rowid = turns.row), '');

DROP TABLE turn_words;

DROP INDEX turns_at;   -- nothing looks turns up by their time
