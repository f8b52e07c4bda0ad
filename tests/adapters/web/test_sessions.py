"""Sessions as such: ends, bounds, and what a file may make of them."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.web.keys import TABLE
from hub.web.sessions import (
    MOST_SESSIONS,
    SessionFileError,
    Sessions,
    StoredSession,
    load_sessions,
    save_sessions,
)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_roles_end_one_by_one() -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    clock.now += 6
    id_ = sessions.open("seat:ada", id_)
    session = sessions.find(id_)
    assert session is not None
    assert (sessions.left_s(session, "gm"), sessions.left_s(session, "seat:ada")) == (4, 10)
    clock.now += 4
    assert not sessions.opens(session, "gm")
    assert sessions.opens(session, "seat:ada")
    assert not sessions.opens(session, "seat:bo")
    assert sessions.find("x" * 1000) is None
    assert sessions.find("") is None


def test_a_role_can_be_taken_from_everybody() -> None:
    sessions = Sessions(10, Clock())
    seat, both, table = (sessions.open(role) for role in ("seat:ada", "gm", TABLE))
    both = sessions.open("seat:ada", both)
    found = [sessions.find(id_) for id_ in (seat, both, table)]
    sessions.end("seat:ada")
    assert [s is not None and sessions.opens(s, "seat:ada") for s in found] == [False, False, True]
    assert found[1] is not None
    assert sessions.opens(found[1], "gm")
    assert sessions.find(seat) is None


def test_the_oldest_makes_room() -> None:
    sessions = Sessions(10, Clock())
    ids = [sessions.open("gm") for _ in range(MOST_SESSIONS)]
    first = sessions.find(ids[0])
    assert first is not None
    sessions.open("gm")
    assert not sessions.opens(first, "gm")  # nor a stream that it has opened
    assert sessions.find(ids[0]) is None
    assert all(sessions.find(id_) for id_ in ids[1:])


def test_a_seat_cannot_push_the_gm_out() -> None:
    sessions = Sessions(10, Clock())
    gm = sessions.open("gm")
    both = sessions.open("seat:ada", sessions.open("gm"))
    for _ in range(MOST_SESSIONS + 5):
        sessions.open("seat:bo")
    assert sessions.find(gm)
    assert sessions.find(both)


def test_a_full_file_can_be_read_again(tmp_path: Path) -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    roles = [f"seat:{'s' * 28}-{number}" for number in range(100)]
    id_ = ""
    for _ in range(MOST_SESSIONS):
        id_ = sessions.open(roles[0])
    for role in roles:
        id_ = sessions.open(role, id_)
    path = tmp_path / "s"
    save_sessions(path, sessions.stored())
    again = Sessions(10, clock)
    again.restore(load_sessions(path), roles)
    assert again.stored() == sessions.stored()
    session = again.find(id_)
    assert session is not None
    assert all(again.opens(session, role) for role in roles)


def test_a_file_gives_no_more_time_than_a_key() -> None:
    sessions = Sessions(10, Clock())
    sessions.restore([StoredSession("0" * 64, {"gm": 1e300, "seat:gone": 1e300})], {"gm"})
    assert msgspec.json.decode(sessions.stored())["sessions"][0]["ends"] == {"gm": 1010.0}
    sessions.restore([StoredSession("1" * 64, {"gm": 999.0})], {"gm"})
    assert len(msgspec.json.decode(sessions.stored())["sessions"]) == 1


@given(data=st.binary(max_size=200))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.sessions"
    path.write_bytes(data)
    path.chmod(0o600)
    try:
        load_sessions(path)
    except SessionFileError as error:
        assert str(error)


def test_what_a_killed_hub_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.with_name("s.new").write_text("half")
    save_sessions(path, b'{"sessions":[]}')
    assert load_sessions(path) == ()
    assert [file.name for file in tmp_path.iterdir()] == ["s"]


def test_what_cannot_be_written_is_not_left_as_it_was(tmp_path: Path) -> None:
    """The old file may open what has been closed since."""
    path = tmp_path / "s"
    save_sessions(path, b'{"sessions":[]}')
    path.with_name("s.new").mkdir()
    with pytest.raises(SessionFileError, match="cannot be written"):
        save_sessions(path, b'{"sessions":[]}')
    assert not path.exists()
