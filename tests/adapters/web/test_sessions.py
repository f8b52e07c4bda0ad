"""Sessions themselves: their ends, bounds, and file."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.web.clocks import Moment
from hub.web.kept import KeptFileError, write_kept
from hub.web.keys import TABLE, hash_key
from hub.web.sessions import MOST_SESSIONS, Register, Sessions, Stored, StoredSession, load_sessions


class Clock:
    """A machine's clocks; ``now`` is its uptime."""

    now = 1000.0
    wall = 1_800_000_000.0
    boot = "first"

    def __call__(self) -> Moment:
        return Moment(self.wall + self.now, self.now, self.boot)

    def start_again(self, wall_s: float) -> None:
        """Boot the machine again, with this wall time."""
        self.boot += "'"
        self.now = 5.0
        self.wall = wall_s - self.now


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


def test_a_role_can_be_revoked_for_all() -> None:
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
    assert not sessions.opens(first, "gm")  # nor can a stream that it has opened
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
    write_kept(path, sessions.stored())
    again = Sessions(10, clock)
    again.restore(load_sessions(path), roles)
    assert again.stored() == sessions.stored()
    session = again.find(id_)
    assert session is not None
    assert all(again.opens(session, role) for role in roles)


def kept(sessions: Sessions, clock: Clock) -> Sessions:
    """Return the sessions that a hub starting now would restore."""
    again = Sessions(10, clock)
    again.restore(msgspec.json.decode(sessions.stored(), type=Stored), {"gm", "seat:ada"})
    return again


def lasting(sessions: Sessions, id_: str, role: str = "gm") -> float:
    session = sessions.find(id_)
    return 0 if session is None else round(sessions.left_s(session, role), 3)


@pytest.mark.parametrize("wall_s", [0.0, 1_700_000_000.0, 4_000_000_000.0])
def test_setting_the_clock_locks_no_one_out(wall_s: float) -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    clock.wall = wall_s
    clock.now += 4
    assert lasting(sessions, id_) == 6
    assert lasting(kept(sessions, clock), id_) == 6
    clock.now += 7
    assert lasting(sessions, id_) == 0


@pytest.mark.parametrize("first_s", [0.0, 1_600_000_000.0, 1_900_000_000.0])
def test_a_hub_that_restarts_after_the_clock_was_set_keeps_its_sessions(first_s: float) -> None:
    clock = Clock()
    clock.wall = first_s
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    stored = msgspec.json.decode(sessions.stored(), type=Stored)
    clock.wall = 1_850_000_000.0
    clock.now += 4
    again = Sessions(10, clock)
    again.restore(stored, {"gm"})
    assert lasting(again, id_) == 6


def test_a_machine_without_a_clock_starts_before_its_file() -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    clock.now += 4
    written = msgspec.json.decode(sessions.stored(), type=Stored)
    for wall_s in (0.0, clock().wall_s - 3600, clock().wall_s):
        clock.start_again(wall_s)
        again = Sessions(10, clock)
        again.restore(written, {"gm"})
        assert lasting(again, id_) == 6, wall_s
        clock.wall = 2_000_000_000.0  # then the network provides the time
        assert lasting(again, id_) == 6
        assert lasting(kept(again, clock), id_) == 6


def test_sessions_written_before_the_clock_was_set_hold_after_a_restart() -> None:
    clock = Clock()
    clock.wall = 0.0
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    written = msgspec.json.decode(sessions.stored(), type=Stored)
    clock.start_again(2_000_000_000.0)
    again = Sessions(10, clock)
    again.restore(written, {"gm"})
    assert lasting(again, id_) == 10


def test_a_machine_that_was_off_for_long_has_no_sessions() -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    id_ = sessions.open("gm")
    written = msgspec.json.decode(sessions.stored(), type=Stored)
    for later_s, left_s in ((3, 7), (11, 0)):
        clock.start_again(sum((Clock.wall, Clock.now, later_s)))
        again = Sessions(10, clock)
        again.restore(written, {"gm"})
        assert lasting(again, id_) == left_s


def test_a_file_grants_no_more_time_than_a_key() -> None:
    clock = Clock()
    wall_s = clock().wall_s
    late = {"gm": 1e300, "seat:gone": 1e300}
    for written in (clock(), Moment(-1e300, 0, ""), Moment(1e300, 1e300, "first")):
        sessions = Sessions(10, clock)
        sessions.restore(Stored((StoredSession("0" * 64, late, "1" * 16),), written), {"gm"})
        for one in msgspec.json.decode(sessions.stored(), type=Stored).sessions:
            assert one.ends.keys() == {"gm"}
            assert one.ends["gm"] <= wall_s + 10
    sessions = Sessions(10, clock)
    ended = StoredSession("1" * 64, {"gm": wall_s - 1}, "1" * 16)
    sessions.restore(Stored((ended,), clock()), {"gm"})
    assert msgspec.json.decode(sessions.stored(), type=Stored).sessions == ()


def test_a_browser_keeps_its_name_over_new_keys_and_restarts() -> None:
    clock = Clock()
    sessions = Sessions(10, clock)
    first = sessions.open("gm")
    name = sessions.find(first).name  # type: ignore[union-attr]
    second = sessions.open("seat:ada", first)
    other = sessions.open("gm")
    again = kept(sessions, clock)
    assert again.find(second).name == name != again.find(other).name  # type: ignore[union-attr]
    assert again.holders("seat:ada") == {name}


@given(data=st.binary(max_size=200))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.sessions"
    path.write_bytes(data)
    path.chmod(0o600)
    try:
        load_sessions(path)
    except KeptFileError as error:
        assert str(error)


def test_files_left_by_a_killed_hub_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.with_name("s.new").write_text("half")
    write_kept(path, Sessions(10, Clock()).stored())
    found = load_sessions(path)
    assert found is not None and found.sessions == ()
    assert [file.name for file in tmp_path.iterdir()] == ["s"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "s"
    write_kept(path, b'{"sessions":[]}')
    path.with_name("s.new").mkdir()
    with pytest.raises(KeptFileError, match="cannot be written"):
        write_kept(path, b'{"sessions":["new"]}')
    assert path.read_bytes() == b'{"sessions":[]}'


@contextmanager
def no_descriptors() -> Iterator[None]:
    """The process cannot open any more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_a_machine_without_descriptors_forgets_no_session(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "s", Clock()
    before = Sessions(10, clock)
    known, revoked = before.open("gm"), before.open("seat:ada")
    write_kept(path, before.stored())
    held = path.read_bytes()
    sessions = Sessions(10, clock)
    with no_descriptors():
        register = Register(path, sessions, {"gm", "seat:ada"}, clock)
    fresh = sessions.open("gm")
    sessions.end("seat:ada")
    with no_descriptors():
        await register.save()
    assert path.read_bytes() == held
    assert "cannot be read (Too many open files)" in caplog.text
    await register.close()
    again = Sessions(10, clock)
    again.restore(load_sessions(path), {"gm", "seat:ada"})
    assert again.find(known)
    assert again.find(fresh)
    assert again.find(revoked) is None


async def test_a_failed_write_is_repeated_when_the_hub_stops(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "s", Clock()
    sessions = Sessions(10, clock)
    register = Register(path, sessions, {"gm"}, clock)
    first = sessions.open("gm")
    await register.save()
    second = sessions.open("gm")
    with no_descriptors():
        await register.save()
        await register.save()
    assert caplog.text.count("cannot be written (Too many open files)") == 1
    stored = load_sessions(path)
    await register.close()
    for held, ids in ((stored, {first}), (load_sessions(path), {first, second})):
        assert {one.id for one in held.sessions} == set(map(hash_key, ids))


async def test_a_clock_that_was_set_is_written_down(tmp_path: Path) -> None:
    path, clock = tmp_path / "s", Clock()
    clock.wall = 1_700_000_000.0
    sessions = Sessions(10, clock)
    register = Register(path, sessions, {"gm"}, clock)
    id_ = sessions.open("gm")
    await register.save()
    clock.wall = 1_900_000_000.0
    await register.keep_time()
    clock.start_again(clock().wall_s)
    again = Sessions(10, clock)
    again.restore(load_sessions(path), {"gm"})
    assert lasting(again, id_) == 10
