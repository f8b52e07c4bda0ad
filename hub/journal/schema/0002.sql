-- Commands already carried out, so that none is repeated: the key of each, and the number of the
-- last record that it made.
CREATE TABLE done (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
