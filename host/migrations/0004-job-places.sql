-- Where a job was put off: whose transcript it reads, and whose state it has. The path stays as it is, home folder and
-- all, because a file is opened by it.
ALTER TABLE jobs ADD COLUMN session TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN transcript TEXT;
