"""The steps of docs/develop/add-a-reader.md: another kind of reader, by one class and one entry."""

import inspect
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hub.config.settings import Seat
from hub.ports import FieldSeen, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp, TagGone, TagSeen
from hub.readers.address import Address
from hub.readers.causes import Model
from hub.readers.driver import Driver, Equipment
from hub.readers.figures import Figures
from hub.readers.kinds import KINDS, Kind, kind_of, open_reader, open_station, parse_address
from hub.readers.lamp import Lamp, Pattern
from hub.readers.presence import Care, Look
from hub.table.acts import Sight
from hub.world import World

DOCS = Path(__file__).parents[3] / "docs/develop/add-a-reader.md"


@dataclass(frozen=True)
class SlipAddress(Address):
    """The path of a file with a tag id on each line."""


class Slip(Driver):
    """A file as a reader: its tags are the tags in the field."""

    blind = False

    def __init__(self, path: str, world: World) -> None:
        self._path, self._now = Path(path), world.monotonic
        self._cancelled = world.event()

    def start(self) -> None:
        self._path.read_text()

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        until = self._now() + patience_s
        while True:
            began = self._now()
            tags = tuple(sorted(self._path.read_text().split()))
            if tags or self._now() >= until:
                return Look(tags, since=self._now(), until=began)
            if self._cancelled.wait(0.01):
                raise InterruptedError

    def cancel(self) -> None:
        self._cancelled.set()


def slip_address(rest: str) -> SlipAddress:
    if not rest.startswith("/"):
        raise ValueError("the slip has to be an absolute path")
    return SlipAddress(rest)


def connect_slip(address: SlipAddress, equipment: Equipment) -> Callable[[], Slip]:
    return lambda: Slip(address.path, equipment.world)


SLIP = Kind(
    form="slip:/path",
    address=SlipAddress,
    parse=slip_address,
    model=Model("slip of paper", check="write on it", needs="paper"),
    connector=connect_slip,
)


class Desk(Slip):
    """A slip with a lamp and a button: files beside it."""

    chip = "slip 1.0"

    def __init__(self, path: str, equipment: Equipment) -> None:
        super().__init__(path, equipment.world)
        self._lamp, self._pressed = equipment.lamp, equipment.pressed
        self._learnt = equipment.learnt
        self._light, self._button = Path(f"{path}.lamp"), Path(f"{path}.button")

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        if self._lamp:
            self._light.write_text(self._lamp.pattern.name)
        if self._pressed and self._button.exists():
            self._button.unlink()
            self._pressed()
        look = super().observe(min(patience_s, 0.05), care)
        learnt = self._learnt or (lambda uid: None)
        return look._replace(tags=tuple(learnt(tag.encode()) or tag for tag in look.tags))


@dataclass(frozen=True)
class DeskAddress(SlipAddress):
    """The path of a slip with a lamp and a button."""


class Pen:
    """Writes on a slip; only its making is of interest here."""

    def __init__(self, path: str) -> None:
        self.path = path

    def open(self) -> None:
        pass

    def tags(self) -> Sequence[TagSeen]:
        return ()

    def exchange(self, command: bytes) -> bytes:
        raise TagGone

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


DESK = Kind(
    form="desk:/path",
    address=DeskAddress,
    parse=DeskAddress,
    model=SLIP.model,
    connector=lambda address, equipment: lambda: Desk(address.path, equipment),
    station=lambda address: Pen(address.path),
    lamps=True,
)


@pytest.fixture
def slip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(KINDS, "slip", SLIP)  # type: ignore[misc]
    monkeypatch.setitem(KINDS, "desk", DESK)  # type: ignore[misc]
    return tmp_path / "slip"


def test_a_table_file_may_name_it(slip: Path) -> None:
    seat = Seat(name="ada", reader=f"slip:{slip}", characters=("ada",))
    assert list(seat.faults()) == []
    with pytest.raises(ValueError, match=r"pn532:/dev/… or .* or slip:/path or desk:/path"):
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


def test_its_kind_says_what_it_can_do(slip: Path) -> None:
    plain, desk = (parse_address(f"{scheme}:{slip}") for scheme in ("slip", "desk"))
    assert [kind_of(each).lamps for each in (plain, desk)] == [False, True]
    with pytest.raises(ValueError, match="tags are written at"):
        open_station(plain)
    station = open_station(desk)
    assert isinstance(station, Pen) and station.path == str(slip)


def test_a_driver_takes_what_it_can_use_of_its_equipment(slip: Path) -> None:
    slip.write_text("known")
    pressed, seen = threading.Event(), threading.Event()
    figures = Figures()
    reader = open_reader(
        "ada",
        parse_address(f"desk:{slip}"),
        figures=figures,
        equipment=Equipment(
            learnt={b"known": "its-card"}.get, lamp=Lamp(Pattern.AWAITED), pressed=pressed.set
        ),
    )
    told: list[ReaderEvent] = []

    def hear(event: ReaderEvent) -> None:
        told.append(event)
        if isinstance(event, FieldSeen) and event.tags:
            seen.set()

    reader.open(hear)
    try:
        assert seen.wait(8)
        assert FieldSeen("ada", ("its-card",)) in told
        assert Path(f"{slip}.lamp").read_text() == "AWAITED"
        Path(f"{slip}.button").touch()
        assert pressed.wait(8)
        assert figures.chip == "slip 1.0"
    finally:
        reader.close()


def test_the_page_shows_this_very_reader() -> None:
    page = DOCS.read_text()
    for part in (SlipAddress, Slip, slip_address, connect_slip):
        assert inspect.getsource(part).strip() in page
