-- Projects, their members, and the entries of their memories. Everything here belongs to the account that ran
-- `interleaf team init`. Members get rights on single columns, and row-level security decides on the rows.

CREATE TABLE interleaf.project (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 200)
);

CREATE TABLE interleaf.member (
    project bigint NOT NULL REFERENCES interleaf.project ON DELETE CASCADE,
    account name NOT NULL,
    role text NOT NULL CHECK (role IN ('read', 'write', 'curate')),
    PRIMARY KEY (project, account)
);

CREATE TABLE interleaf.entry (
    project bigint NOT NULL REFERENCES interleaf.project ON DELETE CASCADE,
    id text NOT NULL CHECK (length(id) BETWEEN 1 AND 200),
    -- Grows with every write of a project, in the order of its commits.
    number bigint NOT NULL,
    -- Who wrote the entry first.
    account name NOT NULL,
    body jsonb NOT NULL CHECK (octet_length(body::text) <= 1048576),
    PRIMARY KEY (project, id),
    -- Whoever may write one entry must not speak for another one.
    CHECK (body ->> 'id' IS NOT DISTINCT FROM id)
);
CREATE UNIQUE INDEX entry_by_number ON interleaf.entry (project, number);

CREATE SEQUENCE interleaf.entry_number;

-- Without the lock, a transaction with a lower number could end after a reader has seen a higher one, and the
-- reader would never ask for the lower one again.
CREATE FUNCTION interleaf.number_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('interleaf.entry', NEW.project));
    NEW.number := nextval('interleaf.entry_number');
    IF TG_OP = 'INSERT' THEN
        NEW.account := session_user;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER number_entry BEFORE INSERT OR UPDATE ON interleaf.entry
    FOR EACH ROW EXECUTE FUNCTION interleaf.number_entry();

-- Asks as the owner, because a policy of a table that reads the same table would never end.
CREATE FUNCTION interleaf.role_in(which bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT role FROM interleaf.member WHERE project = which AND account = session_user
$$;

ALTER TABLE interleaf.project ENABLE ROW LEVEL SECURITY;
ALTER TABLE interleaf.member ENABLE ROW LEVEL SECURITY;
ALTER TABLE interleaf.entry ENABLE ROW LEVEL SECURITY;

CREATE POLICY members_see_their_projects ON interleaf.project FOR SELECT
    USING (interleaf.role_in(id) IS NOT NULL);
CREATE POLICY members_see_each_other ON interleaf.member FOR SELECT
    USING (interleaf.role_in(project) IS NOT NULL);
CREATE POLICY members_read ON interleaf.entry FOR SELECT
    USING (project IN (SELECT project FROM interleaf.member WHERE account = session_user));
CREATE POLICY writers_add ON interleaf.entry FOR INSERT
    WITH CHECK (account = session_user AND interleaf.role_in(project) IN ('write', 'curate'));
CREATE POLICY writers_change_their_own ON interleaf.entry FOR UPDATE
    USING (account = session_user AND interleaf.role_in(project) = 'write');
CREATE POLICY curators_change_all ON interleaf.entry FOR UPDATE
    USING (interleaf.role_in(project) = 'curate');
