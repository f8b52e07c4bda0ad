-- Commands that were done, so that none is done twice: the key of each, and the number of the last
-- record that it made.
CREATE TABLE done (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
