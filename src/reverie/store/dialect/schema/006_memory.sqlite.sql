-- One row: which store this file belongs to, and how often both files have been marked together (files/pair.py).
CREATE TABLE identity (
    store       TEXT NOT NULL,
    generation  BIGINT NOT NULL
);
