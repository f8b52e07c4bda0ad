"""The steps of docs/add-a-reader.md: another kind of reader, by one class and one entry."""

import inspect
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from hub.config.settings import Seat
from hub.ports import FieldSeen, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp
from hub.readers.causes import Model
from hub.readers.kinds import KINDS, Kind, open_reader, parse_address
from hub.readers.presence import Care, Look
from hub.table.inputs import Sight

DOCS = Path(__file__).parents[3] / "docs" / "add-a-reader.md"


@dataclass(frozen=True)
class SlipAddress:
    """The path of a file with a tag id on each line."""

    path: str


class Slip:
    """A file as a reader: its tags are the tags in the field."""

    blind = False

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._cancelled = threading.Event()

    def start(self) -> None:
        self._path.read_text()

    def mend(self) -> None:
        self.start()

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        until = monotonic() + patience_s
        while True:
            began = monotonic()
            tags = tuple(sorted(self._path.read_text().split()))
            if tags or monotonic() >= until:
                return Look(tags, since=monotonic(), until=began)
            if self._cancelled.wait(0.01):
                raise InterruptedError

    def cancel(self) -> None:
        self._cancelled.set()

    def close(self) -> None:
        pass


def slip_address(rest: str) -> SlipAddress:
    if not rest.startswith("/"):
        raise ValueError("the slip has to be an absolute path")
    return SlipAddress(rest)


def connect_slip(address: SlipAddress) -> Callable[[], Slip]:
    return lambda: Slip(address.path)


SLIP = Kind(
    form="slip:/path",
    address=SlipAddress,
    parse=slip_address,
    model=Model("slip of paper", check="write on it", needs="paper"),
    connector=connect_slip,
)


@pytest.fixture
def slip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(KINDS, "slip", SLIP)  # type: ignore[misc]
    return tmp_path / "slip"


def test_a_table_file_may_name_it(slip: Path) -> None:
    seat = Seat(name="ada", reader=f"slip:{slip}", characters=("ada",))
    assert list(seat.faults()) == []
    with pytest.raises(ValueError, match=r"pn532:/dev/… or .* or sim:NAME or slip:/path"):
        parse_address("slop:/x")
    with pytest.raises(ValueError, match=r"'slip:x': the slip has to be an absolute path"):
        parse_address("slip:x")


def test_it_is_watched_like_any_other_reader(slip: Path) -> None:
    slip.write_text("")
    told: queue.Queue[ReaderEvent] = queue.Queue()
    reader = open_reader("ada", parse_address(f"slip:{slip}"), dwell_s=0.05, retry_s=(0.01, 0.02))
    reader.open(lambda event: None if isinstance(event, ReaderTroubled) else told.put(event))

    def next_told() -> ReaderEvent:
        return told.get(timeout=8)

    try:
        assert next_told() == ReaderUp("ada")
        assert next_told() == FieldSeen("ada", ())
        slip.write_text("a-tag")
        assert next_told() == FieldSeen("ada", ("a-tag",))
        assert next_told() == FieldSeen("ada", ("a-tag",), Sight.RESTED)
        slip.unlink()
        while not isinstance(down := next_told(), ReaderDown):
            assert isinstance(down, FieldSeen)
        assert down.reason.startswith(f"no device at {slip}")
        slip.write_text("")
        assert next_told() == ReaderUp("ada")
    finally:
        reader.close()


def test_the_page_shows_this_very_reader() -> None:
    page = DOCS.read_text()
    for part in (SlipAddress, Slip, slip_address, connect_slip):
        assert inspect.getsource(part).strip() in page
