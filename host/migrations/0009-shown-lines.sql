-- Whether the context has seen only the title of the memory, so that it may still be shown whole.
ALTER TABLE shown ADD COLUMN as_line INTEGER NOT NULL DEFAULT 0;
