"""The room around a table: an output of the hub that checks every announcement."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import msgspec
from msgspec import Struct

from hub.config.output_section import Said
from hub.config.settings import Config
from hub.daemon.output import Opened, Output, Stage
from hub.ports import Announcement, Publisher
from hub.table.state import Phase
from hub.table.views import PublicView
from hub.wire.log import GENESIS, line_hash


class Line(Struct):
    """The fields of a log line that are checked."""

    seq: int
    prev: str
    type: str


class Room(Publisher):
    """A :class:`hub.ports.Publisher` that belongs to no hub: it outlives each one's end.

    ``stored``: number → line of what the disk holds for good, as the disk itself says.
    """

    def __init__(self) -> None:
        self.stage: Stage | None = None
        self.view: PublicView | None = None
        self.stored: dict[int, bytes] = {}
        self.told: dict[int, bytes] = {}
        self.reached: Counter[str] = Counter()
        self.findings: list[str] = []
        self._phase: Phase | None = None
        self._deaf = False
        self.ended = asyncio.Event()
        self.stalled = False
        """Whether the hub says that it waits for its disk."""
        self.news = 0
        """Counts what was announced."""
        self.noted: list[tuple[float, str, str]] = []
        """When it was told of which ``record`` or ``phase``."""

    def begin(self) -> None:
        """A hub starts."""
        self.stage, self._phase, self._deaf, self.stalled = None, None, False, False
        self.ended.clear()

    def end(self) -> None:
        """The hub's process has ended; its later announcements are ignored."""
        self._deaf, self.view = True, None
        self.ended.set()

    def find(self, why: str) -> None:
        """Note that the hub broke a promise."""
        self.findings.append(why)

    @property
    def runner(self) -> Any:
        assert self.stage is not None
        return self.stage.runner

    def announce(self, announcement: Announcement) -> None:
        if self._deaf:
            return
        self.news += 1
        view, self.stalled = announcement.view, announcement.stalled
        for line in announcement.lines:
            self._hear(line)
        if view.seq and view.seq not in self.stored:
            self.find(f"told before it is stored: a view of record {view.seq}")
        elif view.seq:
            self.told.setdefault(view.seq, self.stored[view.seq])
        if self._phase is not view.phase:
            self.reached[f"{self._phase} to {view.phase}"] += 1
            self._phase = view.phase
            self._note("phase", str(view.phase))
        self.view = view

    def _note(self, who: str, what: str) -> None:
        self.noted.append((asyncio.get_running_loop().time(), who, what))

    def _hear(self, line: bytes) -> None:
        said = msgspec.json.decode(line, type=Line)
        self.reached[f"event {said.type}"] += 1
        self._note("record", f"{said.seq} {said.type}")
        if self.stored.get(said.seq) != line:
            self.find(f"told before it is stored: record {said.seq} ({said.type})")
        if self.told.setdefault(said.seq, line) != line:
            self.find(f"told twice, and not the same: record {said.seq}")

    def output(self) -> Output[Any]:
        """The output that each of the room's hubs opens."""

        async def opened(stage: Stage, _: Said, stack: AsyncExitStack) -> Opened:
            self.stage, self._phase = stage, None
            return Opened(self)

        return _Room(open=opened)


class _Room(Output[Any]):
    """Enabled at every table; it has no section."""

    def __init__(self, open: Any) -> None:
        object.__setattr__(self, "open", open)
        object.__setattr__(self, "name", "room")

    def enabled_in(self, config: Config) -> Any:
        return config


def broken_chain(lines: dict[int, bytes]) -> str:
    """Why lines are not numbered from 1 and chained; empty if they are."""
    head = GENESIS
    for seq in range(1, len(lines) + 1):
        if seq not in lines:
            return f"record {seq} is missing"
        if msgspec.json.decode(lines[seq], type=Line).prev != head:
            return f"record {seq} does not follow the one before it"
        head = line_hash(lines[seq])
    return ""
