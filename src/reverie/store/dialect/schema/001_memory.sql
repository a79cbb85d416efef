-- What is known. Written by nights in short transactions, and by a person's few direct edits.

CREATE TABLE orgs (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    created_at  DOUBLE PRECISION NOT NULL
);

CREATE TABLE keys (
    id          TEXT PRIMARY KEY,
    org         TEXT NOT NULL,
    name        TEXT NOT NULL,
    hash        TEXT NOT NULL UNIQUE,
    scope       TEXT NOT NULL,
    space       TEXT,
    created_at  DOUBLE PRECISION NOT NULL,
    expires_at  DOUBLE PRECISION,
    revoked_at  DOUBLE PRECISION,
    used_at     DOUBLE PRECISION
);

CREATE TABLE spaces (
    num         ${SERIAL},                   -- prefixes this space's index terms
    id          TEXT NOT NULL UNIQUE,
    org         TEXT NOT NULL,
    name        TEXT NOT NULL,
    settings    TEXT NOT NULL DEFAULT '{}',
    metadata    TEXT NOT NULL DEFAULT '{}',
    watermark   BIGINT NOT NULL DEFAULT 0,   -- turns up to here have been read by a night
    changes     BIGINT NOT NULL DEFAULT 0,   -- the change sequence that caches catch up by
    created_at  DOUBLE PRECISION NOT NULL,
    UNIQUE (org, name)
);

CREATE TABLE blocks (
    id          TEXT PRIMARY KEY,
    org         TEXT NOT NULL,
    label       TEXT NOT NULL,
    value       TEXT NOT NULL,
    size_limit  BIGINT NOT NULL,
    description TEXT NOT NULL,
    read_only   INTEGER NOT NULL,
    protected   INTEGER NOT NULL,
    tags        TEXT NOT NULL,
    metadata    TEXT NOT NULL,
    version     BIGINT NOT NULL,
    owner       TEXT,
    session     TEXT,
    created_at  DOUBLE PRECISION NOT NULL,
    updated_at  DOUBLE PRECISION NOT NULL
);
CREATE INDEX blocks_org ON blocks (org, label);

CREATE TABLE attachments (
    space       TEXT NOT NULL,
    block       TEXT NOT NULL,
    position    BIGINT NOT NULL,
    PRIMARY KEY (space, block)
);
CREATE INDEX attachments_block ON attachments (block);

CREATE TABLE block_versions (
    block       TEXT NOT NULL,
    version     BIGINT NOT NULL,
    value       TEXT NOT NULL,
    actor       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    night       TEXT,
    at          DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (block, version)
);

-- What each sentence of a block rests on: kept beside the text, not in it. A sentence without a row is a person's own.
CREATE TABLE block_sentences (
    block       TEXT NOT NULL,
    sentence    TEXT NOT NULL,
    source      TEXT NOT NULL,
    PRIMARY KEY (block, sentence, source)
);
CREATE INDEX block_sentences_source ON block_sentences (source);

CREATE TABLE memories (
    id              TEXT PRIMARY KEY,
    space           TEXT NOT NULL,
    kind            TEXT NOT NULL,
    text            TEXT NOT NULL,
    packed          ${BLOB},                 -- the compressed text of an archived memory; `text` is then empty
    subject         TEXT,
    predicate       TEXT,
    value           TEXT,
    importance      DOUBLE PRECISION NOT NULL,
    confidence      DOUBLE PRECISION NOT NULL,
    base_confidence DOUBLE PRECISION,
    said_at         DOUBLE PRECISION,
    happened_at     DOUBLE PRECISION,
    valid_from      DOUBLE PRECISION,
    valid_until     DOUBLE PRECISION,
    tier            TEXT NOT NULL,
    pinned          INTEGER NOT NULL,
    stale           INTEGER NOT NULL,
    correction      INTEGER NOT NULL,
    asked           INTEGER NOT NULL,
    quarantined     INTEGER NOT NULL,
    auto_tags       TEXT NOT NULL,
    manual_tags     TEXT NOT NULL,
    origin          TEXT NOT NULL,
    trust           INTEGER NOT NULL,
    session         TEXT,
    speaker         TEXT,
    night           TEXT,
    version         BIGINT NOT NULL,
    title           TEXT,
    summary         TEXT,
    metadata        TEXT NOT NULL,
    created_at      DOUBLE PRECISION NOT NULL,
    last_used_at    DOUBLE PRECISION,
    uses            BIGINT NOT NULL,
    reinforced_at   DOUBLE PRECISION,
    corroborations  BIGINT NOT NULL,
    surprisal       DOUBLE PRECISION,
    last_tagged_at  DOUBLE PRECISION,
    last_linked_at  DOUBLE PRECISION,
    relationship_score DOUBLE PRECISION NOT NULL,
    priority        DOUBLE PRECISION NOT NULL,
    decay           DOUBLE PRECISION NOT NULL,
    block           TEXT,
    hash            TEXT NOT NULL
);
CREATE INDEX memories_hash ON memories (space, hash);
CREATE INDEX memories_fact ON memories (space, subject, predicate) WHERE subject IS NOT NULL;
CREATE INDEX memories_subject ON memories (space, subject, created_at) WHERE subject IS NOT NULL;
CREATE INDEX memories_kind ON memories (space, kind, created_at, id);
CREATE INDEX memories_tagged ON memories (space, last_tagged_at);
CREATE INDEX memories_tier ON memories (space, tier, last_used_at);
CREATE INDEX memories_fading ON memories (space, tier, (coalesce(last_used_at, said_at, created_at)), id);
CREATE INDEX memories_reinforced ON memories (space, reinforced_at);
CREATE INDEX memories_wanted ON memories (space, created_at) WHERE asked = 1 OR correction = 1;
CREATE INDEX memories_session ON memories (space, session);
CREATE INDEX memories_block ON memories (space, block) WHERE block IS NOT NULL;
CREATE INDEX memories_night ON memories (night) WHERE night IS NOT NULL;

CREATE TABLE sources (
    memory      TEXT NOT NULL,
    source      TEXT NOT NULL,
    space       TEXT NOT NULL,
    position    BIGINT NOT NULL,
    PRIMARY KEY (memory, source)
);
CREATE INDEX sources_source ON sources (space, source);

CREATE TABLE edges (
    space       TEXT NOT NULL,
    a           TEXT NOT NULL,
    b           TEXT NOT NULL,
    relation    TEXT NOT NULL,
    weight      DOUBLE PRECISION NOT NULL,
    why         TEXT NOT NULL,
    night       TEXT,
    created_at  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (a, b, relation)
);
CREATE INDEX edges_b ON edges (b);
CREATE INDEX edges_space ON edges (space);
CREATE INDEX edges_supersedes ON edges (space, created_at) WHERE relation = 'supersedes';

-- Who or what memories are about.
CREATE TABLE mentions (
    space       TEXT NOT NULL,
    entity      TEXT NOT NULL,
    memory      TEXT NOT NULL,
    PRIMARY KEY (space, entity, memory)
);
CREATE INDEX mentions_memory ON mentions (memory);

-- In which memories of a space a keyword occurs: rarity and shared tags without a scan.
CREATE TABLE keywords (
    space       TEXT NOT NULL,
    word        TEXT NOT NULL,
    memory      TEXT NOT NULL,
    PRIMARY KEY (space, word, memory)
);
CREATE INDEX keywords_memory ON keywords (memory);

-- MinHash bands: near duplicates are found by a shared row, never by comparing all pairs.
CREATE TABLE bands (
    space       TEXT NOT NULL,
    band        TEXT NOT NULL,
    memory      TEXT NOT NULL,
    PRIMARY KEY (space, band, memory)
);
CREATE INDEX bands_memory ON bands (memory);

CREATE TABLE vectors (
    ref         TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    embedder    TEXT NOT NULL,
    vec         ${BLOB},                 -- float32, or quantized; NULL once gone, until caches have caught up
    quantized   INTEGER NOT NULL DEFAULT 0,
    changed     BIGINT NOT NULL
);
CREATE INDEX vectors_changed ON vectors (space, changed);
CREATE INDEX vectors_embedder ON vectors (space, embedder, ref);
CREATE INDEX vectors_gone ON vectors (space, changed) WHERE vec IS NULL;

CREATE TABLE contradictions (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    older       TEXT NOT NULL,
    newer       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    status      TEXT NOT NULL,
    winner      TEXT,
    evidence    TEXT NOT NULL,
    resolved_by TEXT,
    night       TEXT,
    created_at  DOUBLE PRECISION NOT NULL,
    resolved_at DOUBLE PRECISION
);
CREATE INDEX contradictions_space ON contradictions (space, status, created_at);
CREATE INDEX contradictions_older ON contradictions (older);
CREATE INDEX contradictions_newer ON contradictions (newer);

CREATE TABLE reviews (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    kind        TEXT NOT NULL,
    target      TEXT NOT NULL,
    label       TEXT NOT NULL,
    proposal    TEXT NOT NULL,
    diff        TEXT NOT NULL,
    why         TEXT NOT NULL,
    evidence    TEXT NOT NULL,
    status      TEXT NOT NULL,
    base_version BIGINT NOT NULL,
    created_at  DOUBLE PRECISION NOT NULL,
    decided_at  DOUBLE PRECISION,
    decided_by  TEXT,
    night       TEXT
);
CREATE INDEX reviews_space ON reviews (space, status, created_at);

CREATE TABLE answers (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    question    TEXT NOT NULL,
    answer      TEXT NOT NULL,
    parsed      TEXT NOT NULL,              -- the question as the guards read it
    vec         ${BLOB},
    embedder    TEXT NOT NULL,
    confidence  DOUBLE PRECISION NOT NULL,
    threshold   DOUBLE PRECISION NOT NULL,
    predictor   TEXT NOT NULL,
    sources     TEXT NOT NULL,
    trust       INTEGER NOT NULL,
    tokens      BIGINT NOT NULL,
    model       TEXT NOT NULL,
    dropped     TEXT,                       -- why it is no longer served
    accepted    BIGINT NOT NULL DEFAULT 0,
    rejected    BIGINT NOT NULL DEFAULT 0,
    hits        BIGINT NOT NULL DEFAULT 0,
    night       TEXT,
    changed     BIGINT NOT NULL,
    created_at  DOUBLE PRECISION NOT NULL,
    expires_at  DOUBLE PRECISION NOT NULL,
    last_hit_at DOUBLE PRECISION,
    probed_at   DOUBLE PRECISION
);
CREATE INDEX answers_space ON answers (space, changed);
CREATE INDEX answers_expiry ON answers (space, expires_at);

CREATE TABLE answer_rests (
    answer      TEXT NOT NULL,
    ref         TEXT NOT NULL,              -- a memory's id, or a block's
    version     BIGINT NOT NULL,
    space       TEXT NOT NULL,
    PRIMARY KEY (answer, ref)
);
CREATE INDEX answer_rests_ref ON answer_rests (ref);

CREATE TABLE predictors (
    space       TEXT NOT NULL,
    predictor   TEXT NOT NULL,
    made        BIGINT NOT NULL,
    hits        BIGINT NOT NULL,
    wrong       BIGINT NOT NULL,
    probes      BIGINT NOT NULL,
    tokens      BIGINT NOT NULL,
    saved       BIGINT NOT NULL,
    state       TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (space, predictor)
);

CREATE TABLE nights (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    kind        TEXT NOT NULL,              -- nap, night
    trigger     TEXT NOT NULL,
    status      TEXT NOT NULL,              -- requested, running, done, failed, skipped, cancelled, undone
    why         TEXT NOT NULL,
    now         DOUBLE PRECISION NOT NULL,  -- the night's own clock: a resumed night goes on in the same moment
    requested_at DOUBLE PRECISION NOT NULL,
    began_at    DOUBLE PRECISION,
    ended_at    DOUBLE PRECISION,
    upto        BIGINT NOT NULL DEFAULT 0,  -- turns up to here belong to it
    settings    TEXT NOT NULL DEFAULT '{}',
    counts      TEXT NOT NULL DEFAULT '{}',
    tokens      BIGINT NOT NULL DEFAULT 0,
    cost        DOUBLE PRECISION NOT NULL DEFAULT 0,
    attempts    BIGINT NOT NULL DEFAULT 0,
    token       BIGINT NOT NULL DEFAULT 0,  -- the fencing token of whoever wrote last
    error       TEXT
);
CREATE INDEX nights_space ON nights (space, requested_at);
CREATE INDEX nights_status ON nights (status);

CREATE TABLE night_steps (
    night       TEXT NOT NULL,
    step        TEXT NOT NULL,
    position    BIGINT NOT NULL,
    status      TEXT NOT NULL,              -- pending, running, done, failed, skipped
    cursor      TEXT,
    batches     BIGINT NOT NULL DEFAULT 0,
    duration_ms DOUBLE PRECISION NOT NULL DEFAULT 0,
    counts      TEXT NOT NULL DEFAULT '{}',
    error       TEXT,
    PRIMARY KEY (night, step)
);

-- What a night changed, column by column: undo reads it backwards.
CREATE TABLE journal (
    night       TEXT NOT NULL,
    n           BIGINT NOT NULL,
    step        TEXT NOT NULL,
    relation    TEXT NOT NULL,              -- the table
    key         TEXT NOT NULL,
    before      TEXT,                       -- the moved columns as they were; NULL: the row was not there
    after       TEXT,                       -- as they became; NULL: the row was taken away
    space       TEXT NOT NULL,
    PRIMARY KEY (night, n)
);
CREATE INDEX journal_key ON journal (relation, key);

-- Sources of an undone night: the next one does not simply do it again.
CREATE TABLE suppressed (
    space       TEXT NOT NULL,
    ref         TEXT NOT NULL,
    night       TEXT NOT NULL,
    PRIMARY KEY (space, ref, night)
);

-- Items that failed: retried on later nights, set aside after three.
CREATE TABLE failures (
    space       TEXT NOT NULL,
    step        TEXT NOT NULL,
    item        TEXT NOT NULL,
    times       BIGINT NOT NULL,
    error       TEXT NOT NULL,
    aside       INTEGER NOT NULL DEFAULT 0,
    at          DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, step, item)
);

CREATE TABLE leases (
    space       TEXT PRIMARY KEY,
    holder      TEXT NOT NULL,
    token       BIGINT NOT NULL,
    expires_at  DOUBLE PRECISION NOT NULL
);

-- Stored due times and what gates look at, one row a space.
CREATE TABLE rhythm (
    space           TEXT PRIMARY KEY,
    state           TEXT NOT NULL,
    due_at          DOUBLE PRECISION,
    updated_at      DOUBLE PRECISION NOT NULL
);
CREATE INDEX rhythm_due ON rhythm (due_at);

CREATE TABLE ledger (
    id          TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    night       TEXT,
    step        TEXT NOT NULL,
    regime      TEXT NOT NULL,
    role        TEXT NOT NULL,
    model       TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    status      TEXT NOT NULL,              -- open, done, failed
    tokens_in   BIGINT NOT NULL DEFAULT 0,
    tokens_out  BIGINT NOT NULL DEFAULT 0,
    cached      BIGINT NOT NULL DEFAULT 0,
    cost        DOUBLE PRECISION,
    response    TEXT,                       -- for replay on resume; cleared with the night's journal
    error       TEXT,
    duration_ms DOUBLE PRECISION NOT NULL DEFAULT 0,
    at          DOUBLE PRECISION NOT NULL
);
CREATE INDEX ledger_prompt ON ledger (space, prompt_hash);
CREATE INDEX ledger_at ON ledger (space, at);
CREATE INDEX ledger_night ON ledger (night);

CREATE TABLE diary (
    night       TEXT PRIMARY KEY,
    space       TEXT NOT NULL,
    text        TEXT NOT NULL,
    at          DOUBLE PRECISION NOT NULL
);
CREATE INDEX diary_space ON diary (space, at);

-- Recall events rolled up by day, once they are old: evidence stays, rows do not.
CREATE TABLE recall_days (
    space       TEXT NOT NULL,
    ref         TEXT NOT NULL,
    day         TEXT NOT NULL,
    times       BIGINT NOT NULL,
    queries     TEXT NOT NULL,
    score       DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, ref, day)
);

-- Follow-up work of the deep phase, most urgent first.
CREATE TABLE chores (
    space       TEXT NOT NULL,
    memory      TEXT NOT NULL,
    chore       TEXT NOT NULL,
    priority    DOUBLE PRECISION NOT NULL,
    created_at  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, memory, chore)
);
CREATE INDEX chores_priority ON chores (space, priority);

CREATE TABLE mirror_files (
    space       TEXT NOT NULL,
    path        TEXT NOT NULL,
    digest      TEXT NOT NULL,
    content     TEXT NOT NULL,
    written_at  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, path)
);

-- A person's forget leaves this, without content.
CREATE TABLE tombstones (
    space       TEXT NOT NULL,
    ref         TEXT NOT NULL,
    what        TEXT NOT NULL,
    at          DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (space, ref)
);

-- Answers of POSTs that carried an idempotency key.
CREATE TABLE replies (
    org         TEXT NOT NULL,
    key         TEXT NOT NULL,
    route       TEXT NOT NULL,
    digest      TEXT NOT NULL,
    status      INTEGER NOT NULL,
    body        TEXT NOT NULL,
    at          DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (org, key, route)
);
