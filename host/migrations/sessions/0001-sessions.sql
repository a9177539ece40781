-- The recorded sessions of one project, in a file of its own (`sessions.db`), which never travels. Only host/src/sessions
-- uses these tables. A migration that has shipped is never edited: add the next one.
--
-- Texts are BLOBs: a byte that says how the rest is stored, then the text (host/src/sessions/stored_text.rs). Every text
-- was redacted before. Keys are digests of what the transcript calls a line or a tool call, so that nothing is stored
-- twice however often a transcript is read.

-- One row a session. The cap counts here what it has taken away: texts of commands, whole turns.
CREATE TABLE sessions (
    number        INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    branch        TEXT,
    first_at      INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    removed_texts INTEGER NOT NULL DEFAULT 0,
    removed_turns INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX sessions_by_age ON sessions (last_at);

-- How far a transcript was read. A subagent has one of its own; '' is the session's.
CREATE TABLE transcripts (
    session INTEGER NOT NULL,
    agent   TEXT    NOT NULL,
    path    TEXT    NOT NULL,
    cursor  INTEGER NOT NULL,
    UNIQUE (session, agent)
) STRICT;

-- A prompt and what followed it, up to the next one. `is_stale` marks those whose row in the index is not up to date.
CREATE TABLE turns (
    number     INTEGER PRIMARY KEY,
    session    INTEGER NOT NULL,
    agent      TEXT    NOT NULL,
    key        INTEGER NOT NULL,
    branch     TEXT,
    began_at   INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    prompt     BLOB,
    closing    BLOB,
    is_stale   INTEGER NOT NULL DEFAULT 1,
    is_indexed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session, agent, key)
) STRICT;

CREATE INDEX turns_by_age ON turns (began_at);
CREATE INDEX stale_turns ON turns (number) WHERE is_stale = 1;

-- A run of a command. `position` is its place in the transcript, `looks` the number of calls before it that only looked
-- at something. While no result has come, `outcome` is 'running'.
CREATE TABLE runs (
    number      INTEGER PRIMARY KEY,
    session     INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    agent       TEXT    NOT NULL,
    key         INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    program     TEXT    NOT NULL,
    command     TEXT    NOT NULL,
    folder      TEXT    NOT NULL,
    outcome     TEXT    NOT NULL,
    exit_status INTEGER,
    signature   INTEGER,
    line        BLOB,
    error       BLOB,
    looks       INTEGER NOT NULL,
    UNIQUE (session, key)
) STRICT;

CREATE INDEX runs_of_turns ON runs (turn);
CREATE INDEX runs_by_signature ON runs (signature) WHERE signature IS NOT NULL;

-- A call of a tool that changed a file, or may have: then the path is ''. `is_pending` while no result has come.
CREATE TABLE edits (
    session    INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    agent      TEXT    NOT NULL,
    key        INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    path       TEXT    NOT NULL,
    looks      INTEGER NOT NULL,
    is_pending INTEGER NOT NULL,
    UNIQUE (session, key)
) STRICT;

CREATE INDEX edits_of_turns ON edits (turn);

CREATE TABLE commits (
    session INTEGER NOT NULL,
    turn    INTEGER NOT NULL,
    hash    TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (session, hash)
) STRICT;

CREATE INDEX commits_of_turns ON commits (turn);

-- A failed run and a later one that passed, with the difference in words.
CREATE TABLE episodes (
    session    INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    passed     INTEGER NOT NULL,
    signature  INTEGER NOT NULL,
    difference TEXT    NOT NULL,
    UNIQUE (failed, passed)
) STRICT;

CREATE INDEX episodes_by_signature ON episodes (signature);
CREATE INDEX episodes_of_sessions ON episodes (session);

-- Sessions that a person had deleted, by the digest of their id. They are not recorded again.
CREATE TABLE tombstones (
    session INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL
) STRICT;

-- Single values: the version of the redaction rules that the texts went through, and how far a new one has come.
CREATE TABLE properties (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The words of each turn, under the turn's number. The terms are made in Rust (host/src/memory/tokenizer.rs), as those of
-- the memories are.
CREATE VIRTUAL TABLE words USING fts5 (
    prompt,
    closing,
    commands,
    errors,
    files,
    content = '',
    contentless_delete = 1,
    tokenize = "ascii tokenchars '_-./:@+#'"
);
