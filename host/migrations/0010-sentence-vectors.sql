-- The memories whose sentence vectors are missing or outdated (host/src/memory/sentence_vectors.rs). Without a sentence
-- model, all of them.
CREATE TABLE unembedded (number INTEGER PRIMARY KEY) STRICT;
INSERT INTO unembedded SELECT number FROM memories;
