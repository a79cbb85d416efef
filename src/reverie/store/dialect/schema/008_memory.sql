-- Documents that a person gave to be studied. Their text is kept in passages: memories whose session is `study:<name>`.
CREATE TABLE studies (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    name        TEXT NOT NULL,
    path        TEXT,
    digest      TEXT NOT NULL,              -- of the text as it stands
    lines       BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    pondered    TEXT NOT NULL DEFAULT '',   -- the digest that a night last thought about
    pondered_at DOUBLE PRECISION,
    created_at  DOUBLE PRECISION NOT NULL,
    updated_at  DOUBLE PRECISION NOT NULL,
    UNIQUE (space, name)
);
