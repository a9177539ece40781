-- How one would ask for a memory without knowing its words, as JSON text. Their terms stand in `terms` after those of the
-- memory's own texts, in a second line.
ALTER TABLE memories ADD COLUMN asked_as TEXT NOT NULL DEFAULT '[]';
