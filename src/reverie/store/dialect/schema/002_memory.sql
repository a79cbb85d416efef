-- A running night changes memory many times a second. Caches take up what it does now and then, and whatever is settled
-- (a person's edit, a night that has ended) before the next search.

ALTER TABLE spaces ADD COLUMN settled BIGINT NOT NULL DEFAULT 0;   -- the last change that is seen at once

UPDATE spaces SET settled = changes;
