"""Rows of an invented evening, chained as the hub chains them."""

import os
import sqlite3
import sys
from pathlib import Path

from hub.journal import SqliteJournal
from hub.journal.chain import NO_LINK, link_of
from hub.table import acts as r
from hub.table.sealed import Opening, Sealed
from hub.wire.log import GENESIS, Row, encode_record, line_hash

CARD = "move attack-high"


def record(seq: int) -> r.Record:
    """Return a record; every third is a seal with its secret."""
    if seq % 3:
        return r.Record(seq, 1000 * seq, r.Paused() if seq % 3 == 1 else r.Resumed())
    committed = r.Committed(
        actor="ada", seat="north", scene=1, turn=1, phase=seq, digest=f"{seq:064x}"
    )
    return r.Record(seq, 1000 * seq, committed, Sealed(Opening(f"{seq:064x}", CARD)))


def rows(count: int, seq: int = 0, head: str = GENESIS) -> list[Row]:
    """Return the next ``count`` rows after row ``seq``."""
    made = []
    for number in range(seq + 1, seq + count + 1):
        made.append(encode_record(record(number), head))
        head = line_hash(made[-1].line)
    return made


def change(path: Path, how: str, *given: object) -> None:
    """Run a statement of SQL on a journal that no hub has open."""
    db = sqlite3.connect(path)
    db.execute(how, given)
    db.commit()
    db.close()


def link_again(path: Path) -> None:
    """Recompute the private chain, as an attacker who may write the journal would."""
    db = sqlite3.connect(path)
    link = NO_LINK
    rows = db.execute("SELECT seq, line, secret, once FROM record ORDER BY seq").fetchall()
    for seq, line, secret, once in rows:
        link = link_of(link, Row(seq, line, secret), once)
        db.execute("UPDATE record SET link = ? WHERE seq = ?", (link, seq))
    db.commit()
    db.close()


def write_for_ever(path: Path) -> None:
    """Append one to four rows at a time, each batch under its own command id; print each last seq
    once it is durable."""
    with SqliteJournal.open(path, "den") as journal:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            after = journal.seq
            journal.append(rows(1 + after % 4, after, journal.head), f"after {after}")
            os.write(1, f"{journal.seq}\n".encode())


if __name__ == "__main__":
    write_for_ever(Path(sys.argv[1]))
