-- How often a layer failed in a session: after a few times it is left alone until the next.
CREATE TABLE failures (
    session TEXT NOT NULL,
    layer TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (session, layer)
) WITHOUT ROWID;
