-- The journal's own data: the name of its table.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per record: the public line of the event log and, separately, its secret. `once` is the
-- key of the command that made the row and those before it, so that no command is repeated. `link`
-- is the private chain: SHA-256 over the previous row's link, the row's line, its secret and its key
-- (see hub/journal/chain.py).
CREATE TABLE record (
    seq    INTEGER PRIMARY KEY,
    line   BLOB NOT NULL,
    secret BLOB,
    once   TEXT,
    link   BLOB
) STRICT;
CREATE UNIQUE INDEX done ON record (once) WHERE once IS NOT NULL;

-- How far a channel has published the log, by the channel's name.
CREATE TABLE cursor (
    name TEXT PRIMARY KEY,
    seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
