-- What other devices need to know of a memory: when each of its fields was last written, and where. Only replicas
-- (host/src/replica) read it; no hook does. A stamp is the text `milliseconds-counter-device`.

-- This store as a device among others, its logical clock, and the number of the newest entry of the log.
CREATE TABLE device (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    millis INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    number INTEGER NOT NULL
);
INSERT INTO device (only, id, millis, counter, number)
SELECT 1, lower(hex(randomblob(8))), 0, 0, coalesce(max(number), 0) FROM memories;

-- One row a memory, also of one that was deleted: then `ended` is the stamp of its end. `written` is the stamp of all
-- fields that are not in `fields`. `author` is null for this device. `origin` is what the author says of the origin,
-- where the memory has another one here.
CREATE TABLE change_log (
    memory TEXT PRIMARY KEY NOT NULL,
    number INTEGER NOT NULL,
    written TEXT NOT NULL,
    fields TEXT NOT NULL DEFAULT '{}',
    author TEXT,
    origin TEXT,
    ended TEXT,
    purged INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX change_log_by_number ON change_log (number);
INSERT INTO change_log (memory, number, written)
SELECT id, number, printf('%d-0-%s', created_at, (SELECT id FROM device)) FROM memories;

-- Devices whose memories came in, and since when this user trusts them.
CREATE TABLE authors (
    device TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    trusted_at INTEGER
) WITHOUT ROWID;

-- The replicas of this project: up to which entry of the log each has everything, and how the last exchange went.
CREATE TABLE replicas (
    place TEXT PRIMARY KEY NOT NULL,
    sent INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT '',
    accepted_at INTEGER,
    synced_at INTEGER,
    tried_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    error TEXT
) WITHOUT ROWID;

-- What came in and breaks a rule of this store. It is kept until the replica has something better under its id.
CREATE TABLE refused (
    place TEXT NOT NULL,
    memory TEXT NOT NULL,
    entry TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (place, memory)
) WITHOUT ROWID;
