-- A place whose name held a name and a password was kept under it. Beside `ssh`, whose account is part of the address, the
-- part between `://` and `@` goes, if the `@` stands before the first `/`.
PRAGMA secure_delete = ON;
CREATE TEMP TABLE renamed AS
    SELECT place, substr(place, 1, instr(place, '://') + 2)
            || substr(place, instr(place, '://') + 3 + instr(substr(place, instr(place, '://') + 3), '@')) AS name
    FROM (SELECT place FROM replicas UNION SELECT place FROM refused UNION SELECT place FROM withheld)
    WHERE place LIKE '%notes of http%://%@%'
        AND instr(substr(place, instr(place, '://') + 3), '@') < instr(substr(place, instr(place, '://') + 3) || '/', '/');
UPDATE OR REPLACE replicas SET place = (SELECT name FROM renamed WHERE renamed.place = replicas.place)
    WHERE place IN (SELECT place FROM renamed);
UPDATE OR REPLACE refused SET place = (SELECT name FROM renamed WHERE renamed.place = refused.place)
    WHERE place IN (SELECT place FROM renamed);
UPDATE OR REPLACE withheld SET place = (SELECT name FROM renamed WHERE renamed.place = withheld.place)
    WHERE place IN (SELECT place FROM renamed);
DROP TABLE renamed;
PRAGMA secure_delete = OFF;
