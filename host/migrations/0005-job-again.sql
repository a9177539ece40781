-- A job that was submitted again while it ran: what it is told now it may have missed, so it is done once more, at
-- this moment.
ALTER TABLE jobs ADD COLUMN again_at INTEGER;
