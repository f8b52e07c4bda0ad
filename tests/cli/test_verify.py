"""``facedown verify``: its checks, its sources, and its exit status."""

from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from hub.cli.main import app
from hub.journal import SqliteJournal
from hub.table.acts import Decided, Record, StoryTold
from hub.wire.log import GENESIS, MAX_LINE_BYTES, Row, decode_row, encode_record, line_hash
from tests.rules.tourists.test_falling import played as conflict_by_hub
from tests.support.evening import Evening
from tests.support.tabletalk import TableTalk
from tests.table.test_sealed_chance import begun as toy_begun
from tests.table.test_sealed_chance import play as toy_play


def rows() -> list[Row]:
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.reveal()
    head, made = GENESIS, []
    for record in table.records:
        made.append(encode_record(record, head))
        head = line_hash(made[-1].line)
    return made


ROWS = rows()
LOG = b"".join(row.line + b"\n" for row in ROWS)
HEAD = line_hash(ROWS[-1].line)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "den.log"
    path.write_bytes(LOG)
    return path


def verify(*words: str | Path, given: bytes | None = None) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, ["verify", *map(str, words)], input=given)
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


def test_a_sound_log_from_a_file_and_from_standard_input(log: Path) -> None:
    sound = (
        f"sound: table test, {len(ROWS)} lines, 2 seals opened, 0 never opened (0 taken back), "
        f"ends in scene 1, head {HEAD}\n"
    )
    assert verify(log) == (0, sound, "")
    assert verify(log, "--table", "test") == (0, sound, "")
    assert verify("-", "--table", "test", given=LOG) == (0, sound, "")
    ends = f"record {len(ROWS)} has the given head\n"
    given = verify("-", "--table", "test", "--head", HEAD.upper(), given=LOG)
    assert given == (0, sound + ends, "")


def test_a_journal_knows_its_table(tmp_path: Path) -> None:
    path = tmp_path / "den.journal"
    with SqliteJournal.open(path, "test") as journal:
        journal.append(ROWS)
    assert verify(path)[0] == 0
    assert verify(path, "--table", "other")[0] == 1


def test_every_fault_is_reported_with_its_line(log: Path) -> None:
    log.write_bytes(LOG.replace(b'"turn":1', b'"turn":2', 1))
    status, out, _ = verify(log, "--table", "test")
    assert status == 1
    assert f"{log}: line " in out
    assert "does not follow on the line before it" in out
    assert "not the one that was sealed" in out
    assert "NOT SOUND" in out


def test_a_truncated_log_is_found_by_its_head(log: Path) -> None:
    log.write_bytes(b"".join(line + b"\n" for line in LOG.splitlines()[:-1]))
    assert verify(log, "--table", "test")[0] == 0
    status, out, _ = verify(log, "--table", "test", "--head", HEAD)
    assert status == 1
    assert "no line has the given head" in out
    log.write_bytes(LOG)
    assert verify(log, "--head", HEAD[:8])[0] == 0
    assert verify(log, "--head", ("0" if HEAD[0] != "0" else "1") + HEAD[1:8])[0] == 1


def test_a_head_noted_during_play_vouches_for_the_log_up_to_it(log: Path) -> None:
    noted = next(row for row in ROWS if b'"type":"locked"' in row.line)
    head = line_hash(noted.line)[:8]
    status, out, _ = verify(log, "--table", "test", "--head", head)
    assert status == 0
    assert out.endswith(
        f"record {noted.seq} has the given head; {len(ROWS) - noted.seq} came after it\n"
    )
    log.write_bytes(b"".join(row.line + b"\n" for row in ROWS[: noted.seq - 1]))
    assert verify(log, "--table", "test", "--head", head)[0] == 1, "cut off before it"
    first, *others = map(decode_row, ROWS)
    log.write_bytes(chained([replace(first, at_ms=first.at_ms - 1), *others]))
    assert verify(log, "--table", "test")[0] == 0, "it contradicts nothing"
    assert verify(log, "--table", "test", "--head", head)[0] == 1


def test_a_log_of_another_schema_is_refused(log: Path) -> None:
    log.write_bytes(LOG.replace(b'"schema":2', b'"schema":1'))
    status, out, err = verify(log)
    assert (status, out) == (2, "")
    assert f"{log}: log schema 1; this version of Facedown reads schema 2" in err


def test_another_tables_name_is_found(log: Path) -> None:
    assert verify(log, "--table", "other")[0] == 1


@pytest.mark.parametrize("end", [b"", b"\n", b"x" * (3 * MAX_LINE_BYTES) + b"\n", b"\xff\n"])
def test_odd_bytes_at_the_end_are_found(log: Path, end: bytes) -> None:
    log.write_bytes(LOG.rstrip(b"\n") + (b"\n" + end if end else b""))
    status, out, _ = verify(log, "--table", "test")
    assert status == (1 if end else 0)
    assert end == b"" or f"line {len(ROWS) + 1}: " in out
    assert out.count("\n") <= 2


def test_inputs_that_cannot_be_checked_are_refused(log: Path, tmp_path: Path) -> None:
    for words, reason in (
        ([log, "--head", "3f2a"], "at least 8 of the hash's 64 digits"),
        ([log, "--head", "not a hash"], "at least 8 of the hash's 64 digits"),
        ([tmp_path / "none"], "cannot be read: No such file"),
        ([tmp_path], "cannot be read: is a folder, not a file"),
        (["-", "--table", "test"], "there is no line in it"),
    ):
        status, out, err = verify(*words, given=b"")
        assert (status, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1
    photos = tmp_path / "photos.db"
    photos.write_bytes(b"SQLite format 3\0" + b"nonsense" * 100)
    assert verify(photos)[0] == 2


def chained(records: list[Record]) -> bytes:
    """The lines of a log of these records; forged ones are chained like any other."""
    head, lines = GENESIS, []
    for record in records:
        lines.append(encode_record(record, head).line)
        head = line_hash(lines[-1])
    return b"".join(line + b"\n" for line in lines)


def test_the_hubs_draws_are_recomputed(tmp_path: Path) -> None:
    talk = conflict_by_hub(seed=1)
    drawn = [n for n, x in enumerate(talk.records) if getattr(x.event, "chance", "")]
    path = tmp_path / "den.log"
    path.write_bytes(chained(talk.records))
    status, told, _ = verify(path)
    assert status == 0 and f", {len(drawn)} outcomes of chance worked out again, " in told
    which = next(n for n in drawn if cast("Decided", talk.records[n].event).fell.on["who"])
    event = cast("Decided", talk.records[which].event)
    came = {"drawn": dict.fromkeys(event.fell.on["who"], "26 upright")}
    forged = replace(event, fell=replace(event.fell, came=came))
    records = [*talk.records]
    records[which] = replace(records[which], event=forged)
    path.write_bytes(chained(records))
    status, told, _ = verify(path)
    assert status == 1 and f"line {which + 1}: chance came to something else than it says" in told


def test_chance_by_unknown_rules_is_reported(tmp_path: Path) -> None:
    talk = toy_begun()
    toy_play(talk)
    path = tmp_path / "den.log"
    path.write_bytes(chained(talk.records))
    status, told, _ = verify(path)
    assert status == 1 and ", 1 not, by rules that this Facedown does not know, " in told
    assert "line 2: a scene by rules that are not known here: 'toy-dice'" in told


def test_a_smaller_deck_and_a_forged_countdown_are_reported_with_their_lines(
    tmp_path: Path,
) -> None:
    talk = conflict_by_hub(seed=1)
    at = max(n for n, x in enumerate(talk.records) if getattr(x.event, "chance", ""))
    event = cast("Decided", talk.records[at].event)
    five = {**event.fell.on, "deck": event.fell.on["deck"][:5]}
    records = [*talk.records]
    records[at] = replace(records[at], event=replace(event, fell=replace(event.fell, on=five)))
    path = tmp_path / "den.log"
    path.write_bytes(chained(records))
    status, told, _ = verify(path)
    assert (
        status == 1 and f"line {at + 1}: chance fell on something else than the log's own" in told
    )

    evening = Evening()
    evening.do("countdown new 6 The tide")
    records = [*evening.records]
    rings = {"do": "begin-countdown", "name": "The \a\x1b[2Jtide", "boxes": 6}
    records[-1] = replace(records[-1], event=StoryTold(deed=rings))
    path.write_bytes(chained(records))
    status, told, _ = verify(path)
    assert status == 1 and f"line {len(records)}: story-told is none that a hub takes" in told
    assert told.replace("\n", "").isprintable()
