-- Native reasoning is counted apart.
ALTER TABLE awake_ledger ADD COLUMN thinking BIGINT NOT NULL DEFAULT 0;
