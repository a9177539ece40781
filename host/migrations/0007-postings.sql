-- The numbers of the memories that contain a rare term, as in `,4,17,`: reading them here takes a tenth of a look into
-- `words`. NULL where they are not known: for frequent terms, and for those that were there before this column.
ALTER TABLE frequencies ADD COLUMN postings TEXT;
