-- Since when a memory has its status and why, whether its person confirmed it, and what it replaced or was replaced by.
-- Ids stand as JSON text; an id that was deleted since may still stand there.
ALTER TABLE memories ADD COLUMN schema_version TEXT NOT NULL DEFAULT '1.0';
ALTER TABLE memories ADD COLUMN status_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN status_reason TEXT;
ALTER TABLE memories ADD COLUMN confirmed_at INTEGER;
ALTER TABLE memories ADD COLUMN supersedes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE memories ADD COLUMN superseded_by TEXT;
UPDATE memories SET status_since = updated_at;

-- The few that came in the place of others: whether one of them names an id is asked before anything becomes active.
CREATE INDEX memories_succeeding ON memories (number, status, supersedes) WHERE supersedes <> '[]';

-- The same two orders as before, with what tells the age and the branch beside them: what is about a moment weighs less
-- with time, so more entries are looked at than rows are read.
DROP INDEX memories_by_importance;
DROP INDEX memories_by_age;
CREATE INDEX memories_by_importance
    ON memories (status, category, importance, created_at, number, updated_at, branch);
CREATE INDEX memories_by_age ON memories (status, category, created_at, number, importance, updated_at, branch);
