-- What the journal knows of itself: the name of its table.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per record: the public line of the event log and, apart from it, the secret beside it.
CREATE TABLE record (
    seq    INTEGER PRIMARY KEY,
    line   BLOB NOT NULL,
    secret BLOB
) STRICT;

-- How far a channel has told the log on, by the channel's name.
CREATE TABLE cursor (
    name TEXT PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
