-- The sentence vectors of a turn's prompt and closing message, one signed byte per number, and a digest of the model's
-- id. A turn without a row, or with one of another model, gets one from the worker.
CREATE TABLE vectors (
    turn    INTEGER PRIMARY KEY,
    model   INTEGER NOT NULL,
    prompt  BLOB,
    closing BLOB
) STRICT;
