-- The private chain: SHA-256 over the previous row's link, the row's line, its secret and the key
-- of its command (see hub/journal/chain.py). Rows of older versions get their links when the journal
-- is opened.
ALTER TABLE record ADD COLUMN once TEXT;
ALTER TABLE record ADD COLUMN link BLOB;
UPDATE record SET once = (SELECT key FROM done WHERE done.seq = record.seq);
DROP TABLE done;
CREATE UNIQUE INDEX done ON record (once) WHERE once IS NOT NULL;
