-- The memories of one project, and what finds them again. Applied once, in one transaction, by host/src/database.rs,
-- which counts migrations in `PRAGMA user_version`. A migration that has shipped is never edited: add the next one.

-- One row a memory. `number` is the row id, and the same in `words`. Lists and open-ended parts are JSON text.
-- `terms` is what the search index knows of the row (host/src/memory/tokenizer.rs), separated by single spaces: the share
-- of a query that a memory covers is counted from it.
CREATE TABLE memories (
    number        INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    category      TEXT    NOT NULL,
    status        TEXT    NOT NULL,
    origin        TEXT    NOT NULL,
    branch        TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    importance    REAL    NOT NULL,
    confidence    REAL    NOT NULL,
    version       INTEGER NOT NULL,
    uses          INTEGER NOT NULL DEFAULT 0,
    title         TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    content       TEXT    NOT NULL,
    tags          TEXT    NOT NULL,
    related_files TEXT    NOT NULL,
    source        TEXT    NOT NULL,
    changes       TEXT    NOT NULL,
    terms         TEXT    NOT NULL
) STRICT;

-- The two orders of a list, within a status and a category. Session start reads a handful of rows from either end.
CREATE INDEX memories_by_importance ON memories (status, category, importance, created_at);
CREATE INDEX memories_by_age ON memories (status, category, created_at);

CREATE TABLE tags (
    tag    TEXT    NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (number) ON DELETE CASCADE,
    PRIMARY KEY (tag, memory)
) STRICT, WITHOUT ROWID;

-- In how many memories a term occurs: one lookup a query word tells most prompts that nothing here is about them.
CREATE TABLE frequencies (
    term     TEXT    PRIMARY KEY NOT NULL,
    memories INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which memories hold a term. The terms are made in Rust; the `ascii` tokenizer, told that the marks inside identifiers
-- belong to a token, hands them on unchanged (it takes every character beyond ASCII as part of a token).
CREATE VIRTUAL TABLE words USING fts5 (
    terms,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = "ascii tokenchars '_-./:@+#'"
);
