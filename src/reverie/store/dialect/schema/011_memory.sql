-- Native reasoning is counted apart; a call that went out in a provider batch is found again by the batch's id.
ALTER TABLE ledger ADD COLUMN thinking BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger ADD COLUMN batch TEXT NOT NULL DEFAULT '';
