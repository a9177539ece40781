-- The files, symbols, commands and versions of the project that a memory names and that were there when it was written
-- (host/src/memory/citations.rs), as JSON text.
ALTER TABLE memories ADD COLUMN citations TEXT NOT NULL DEFAULT '[]';
