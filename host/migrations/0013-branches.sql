-- The branches on which memories were written, as this repository has seen them: the newest commit of each, and whether
-- the default branch has its changes. `deleted` is a branch that was deleted without that. The worker writes it.
CREATE TABLE branches (
    name TEXT PRIMARY KEY NOT NULL,
    tip TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('unmerged', 'merged', 'deleted'))
) WITHOUT ROWID;
