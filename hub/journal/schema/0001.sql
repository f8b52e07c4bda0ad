-- The journal's own data: the name of its table.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per record: the public line of the event log and, separately, its secret.
CREATE TABLE record (
    seq    INTEGER PRIMARY KEY,
    line   BLOB NOT NULL,
    secret BLOB
) STRICT;

-- How far a channel has published the log, by the channel's name.
CREATE TABLE cursor (
    name TEXT PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
