-- What outlives a hook process without being a memory: small values of layers, what was shown to whom,
-- what waits to be looked at, and work put off. Times are milliseconds since the Unix epoch.

-- One row a session, so that everything of an old one can be found and dropped; and what its budget has spent.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    seen_at INTEGER NOT NULL,
    units INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sessions_by_age ON sessions (seen_at);

-- Values of layers; session '' holds those of the project.
CREATE TABLE state_values (
    session TEXT NOT NULL,
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (session, owner, key)
);
-- Answers "how much does this owner hold" without reading a value.
CREATE INDEX state_values_by_owner ON state_values (session, owner, bytes);

-- Memories that a context has seen; agent '' is the main conversation.
CREATE TABLE shown (
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (session, agent, memory)
) WITHOUT ROWID;

-- Things noticed that nobody has looked at yet, oldest first by `seq`.
CREATE TABLE captures (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    layer TEXT NOT NULL,
    session TEXT NOT NULL,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL
);

-- Work put off. `due_at` is when it may be taken: for a running job, when its worker's lease ends.
CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    layer TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    submitted_at INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'done', 'failed')),
    due_at INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    error TEXT,
    settled_at INTEGER,
    UNIQUE (layer, id)
);
CREATE INDEX jobs_by_due ON jobs (due_at) WHERE status IN ('waiting', 'running');

-- Losses that a person should hear of, by name.
CREATE TABLE losses (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) WITHOUT ROWID;
