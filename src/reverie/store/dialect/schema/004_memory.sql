-- A turn or memory may have several vectors, of which the nearest counts: `vec` has them one after the other.
ALTER TABLE vectors ADD COLUMN parts INTEGER NOT NULL DEFAULT 1;
