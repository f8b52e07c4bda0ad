"""Log lines and journal rows: one record has exactly one form in bytes, and only that is read."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.table import acts as r
from hub.table.sealed import Kept, Sealed
from hub.wire.log import (
    GENESIS,
    MAX_LINE_BYTES,
    LogFault,
    Row,
    Scribe,
    decode_line,
    decode_row,
    encode_record,
    in_one_form,
)

CARD = "move attack-high"
KEPT = Kept("ab" * 32, CARD, "tag")
SEAL = r.Committed(
    actor="ada", seat="north", scene=1, turn=2, phase=3, digest="cd" * 32, origin="reader:north"
)


def committed(seq: int = 7) -> Row:
    return encode_record(r.Record(seq, 1000, SEAL, Sealed(KEPT)), GENESIS)


def test_a_line_is_sorted_and_has_no_secret() -> None:
    row = committed()
    assert row.line == (
        b'{"actor":"ada","at_ms":1000,"digest":"' + b"cd" * 32
        + b'","origin":"reader:north","phase":3,"prev":"'
        + b"0" * 64 + b'","scene":1,"schema":2,"seat":"north","seq":7,"turn":2,"type":"committed"}'
    )  # fmt: skip
    assert row.secret is not None
    assert msgspec.json.decode(row.secret) == {"choice": CARD, "nonce": "ab" * 32, "tag": "tag"}
    assert CARD not in repr(row)


def test_a_row_round_trips() -> None:
    record = decode_row(committed())
    assert (record.seq, record.at_ms, record.event) == (7, 1000, SEAL)
    assert record.secret is not None
    assert record.secret.unseal() == KEPT


def test_every_event_type_has_its_own_tag() -> None:
    tags = [kind.__struct_config__.tag for kind in r.EVENTS]
    assert len(set(tags)) == len(tags)


def leaves(kind: type) -> set[type]:
    return set().union(*map(leaves, kind.__subclasses__())) or {kind}


def test_every_event_type_can_be_read() -> None:
    assert {*r.EVENTS} == leaves(r.Event)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"schema":2', b'"schema":3', "log schema 3; this version of Facedown reads schema 2"),
        (b'"schema":2', b'"schema":1', "log schema 1; this version of Facedown reads schema 2"),
        (b'"schema":2,', b"", "not a log line"),
        (b'"turn":2', b'"turn":2,"void":true', "not a log line: .* unknown field `void`"),
        (b'"seq":7,', b"", "not a log line"),
        (b'"seq":7', b'"seq":"7"', "not a log line"),
        (b'"at_ms":1000', b'"at_ms":true', "not a log line"),
        (b'"prev":"', b'"prev":3,"x":"', "not a log line"),
        (b'"type":"committed"', b'"type":"peeked"', "not a log line"),
        (b'"type":"committed"', b'"type":["committed"]', "not a log line"),
        (b',"type":"committed"', b"", "not a log line"),
        (b'"actor":"ada",', b"", "not a log line"),
        (b"ada", b"\xff", "not a log line"),
        (b"ada", b"\\ud800", "not a log line"),
        (b"}", b"", "not a log line"),
        (b"}", b"}{}", "not a log line"),
    ],
)
def test_an_invalid_line_is_refused(old: bytes, new: bytes, reason: str) -> None:
    line = committed().line
    assert old in line
    with pytest.raises(LogFault, match=reason):
        decode_line(line.replace(old, new, 1))


def test_an_overlong_or_deep_line_is_refused() -> None:
    with pytest.raises(LogFault, match="is the most"):
        decode_line(b" " * (MAX_LINE_BYTES + 1))
    with pytest.raises(LogFault):
        decode_line(b'{"schema":1,"seq":1,"at_ms":1,"prev":"","x":' + b"[" * 60_000)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Row(8, committed().line, committed().secret), "row 8 holds line 7"),
        (Row(7, committed().line), "row 7 has no secret"),
        (Row(7, committed().line, b""), "row 7: its secret part cannot be read"),
        (Row(7, committed().line, b'{"choice":"' + CARD.encode()), "cannot be read"),
        (Row(7, committed().line, b'{"choice":7,"nonce":"x"}'), "cannot be read"),
        (
            Row(1, encode_record(r.Record(1, 1, r.Paused()), GENESIS).line, b'"' + CARD.encode()),
            "row 1 has a secret too many",
        ),
        (
            Row(1, encode_record(r.Record(1, 1, r.Paused()), GENESIS).line, b""),
            "row 1 has a secret too many",
        ),
    ],
)
def test_an_invalid_row_is_refused(row: Row, reason: str) -> None:
    with pytest.raises(LogFault, match=reason) as caught:
        decode_row(row)
    assert CARD not in str(caught.value)


ODD_FORMS = [
    (b'{"actor"', b'{ "actor"'),
    (b'"turn":2', b'"turn": 2'),
    (b'"turn":2', b'"turn":2,"turn":2'),
    (b'"turn":2', b'"turn":9,"turn":2'),
    (b'"turn":2,"type":"committed"', b'"type":"committed","turn":2'),
    (b'"ada"', b'"\\u0061da"'),
    (b'"reader:north"', b'"reader:no\\/rth"'),
    (b'"reader:north"', b'"page:gm","origin":"reader:north"'),
    (b'"origin":"reader:north",', b""),
    (b'"committed"}', b'"committed"}\n'),
    (b'"committed"}', b'"committed"}\r'),
    (b'"at_ms":1000', b'"at_ms":1000.0'),
    (b'"at_ms":1000', b'"at_ms":1e3'),
    (b'"phase":3', b'"phase":-0'),
]


@pytest.mark.parametrize(("old", "new"), ODD_FORMS)
def test_a_line_has_one_form(old: bytes, new: bytes) -> None:
    line = committed().line
    assert old in line and in_one_form(line, decode_line(line))
    odd = line.replace(old, new, 1)
    try:
        read = decode_line(odd)
    except LogFault:
        return
    assert not in_one_form(odd, read)


def test_a_record_that_does_not_round_trip_is_not_written() -> None:
    scribe = Scribe(GENESIS)
    with pytest.raises(LogFault, match="reads otherwise"):
        scribe(r.Record(1, 1, r.DeadlineSet(deadline_ms=1, seconds=20)))
    assert (scribe.rows, scribe.head) == ([], GENESIS)


LINE = committed().line
MANGLED = st.builds(
    lambda at, size, new: LINE[:at] + new + LINE[at + size :],
    st.integers(0, len(LINE)),
    st.integers(0, 40),
    st.binary(max_size=12),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
ENVELOPES = st.fixed_dictionaries(
    {"schema": st.sampled_from([1, 2]) | JSON, "seq": st.just(1) | JSON},
    optional={
        "at_ms": st.integers() | JSON,
        "prev": st.text() | JSON,
        "type": st.sampled_from([k.__struct_config__.tag for k in r.EVENTS]) | JSON,
        "openings": JSON,
        "seats": JSON,
        "actor": JSON,
    },
).map(msgspec.json.encode)


@given(st.binary(max_size=200) | MANGLED | ENVELOPES, st.none() | st.binary(max_size=60))
def test_any_bytes_raise_only_log_faults(line: bytes, secret: bytes | None) -> None:
    try:
        read = decode_line(line)
    except LogFault:
        with pytest.raises(LogFault):
            decode_row(Row(1, line, secret))
        return
    try:
        record = decode_row(Row(read.seq, line, secret))
    except LogFault:
        return
    assert record.event == read.event
