-- One row: the secret by which a store knows its own exports again (transfer/seal.py). It never leaves the store.
CREATE TABLE seal (
    key TEXT NOT NULL
);
