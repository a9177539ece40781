-- A job that was submitted again after it was begun: what it is told now it may have missed, so it is done once more, not
-- before this moment.
ALTER TABLE jobs ADD COLUMN again_at INTEGER;
