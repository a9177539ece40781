-- Changes of this store that a replica does not take, because its account may not make them there. They are offered again
-- with each exchange, until the replica takes them. The change itself stands in the change log.
CREATE TABLE withheld (
    place TEXT NOT NULL,
    memory TEXT NOT NULL,
    PRIMARY KEY (place, memory)
) WITHOUT ROWID;

-- What was withheld before is not known. A server has everything offered once more, and takes what is new to it.
UPDATE replicas SET sent = 0 WHERE place LIKE 'postgres://%';
