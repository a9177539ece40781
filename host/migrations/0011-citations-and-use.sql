-- The files, symbols, commands and versions of the project that a memory names and that were there when it was written
-- (host/src/memory/citations.rs), as JSON text.
ALTER TABLE memories ADD COLUMN citations TEXT NOT NULL DEFAULT '[]';

-- In how many sessions a memory was followed after it was shown (host/src/worker/followed_memories.rs).
ALTER TABLE memories ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;
