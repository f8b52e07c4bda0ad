"""Frames by role: the topics that a role follows, their newest frames, and what has changed.

Non-public frames are built only while a page follows them, and sent only if they have changed.

A page plays a reveal as a timed score from the moment it arrives, and shows later changes when the
score is over (``js/core/score.js``). The score's length depends on its content, which only the
pages know. A page that joins meanwhile is told how long ago the reveal began. The hub measures that
time, because a page's own clock may be wrong.
"""

from collections.abc import Callable, Collection, Iterable
from logging import getLogger
from typing import ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from hub.games.game import GM
from hub.ports import MOMENT_S, Announcement, PrivateViews
from hub.web.frames import (
    Frame,
    Topic,
    chronicle_frame,
    company_frame,
    deeds_frame,
    frame,
    questions_frame,
    state_frame,
)
from hub.web.keys import GM_PAGE, PUBLIC, TABLE, seat_of
from hub.web.settings import WebSettings
from hub.web.tabletop import Tabletop
from hub.world import MACHINE

LONGEST_MS = int(MOMENT_S * 1000)


class _Line(Struct):
    type: str


def _wall_ms() -> float:
    return MACHINE.wall_ns() / 1e6


class Showing:
    """Knows the newest state and, while a reveal is shown, that reveal and the state before it."""

    def __init__(self, clock: Callable[[], float], wall_ms: Callable[[], float] = _wall_ms) -> None:
        """``clock`` counts seconds; ``wall_ms`` returns ms since the Unix epoch."""
        self._clock = clock
        self._wall_ms = wall_ms
        self._told: Announcement | None = None
        self._state: Frame | None = None
        self._before: Frame | None = None
        self._reveal: Announcement | None = None
        self._begun_s = 0.0

    def announce(self, told: Announcement, state: Frame) -> None:
        """Note that ``state``, the frame of ``told``, is sent to all pages now."""
        revealed_ms = told.revealed_at_ms
        if self._reveal is not None and _undoes(told):
            self._before = self._reveal = None
        elif revealed_ms is not None and (
            self._told is None or revealed_ms != self._told.revealed_at_ms
        ):
            # A new reveal ends the one shown before it, on every page.
            self._before, self._reveal, self._begun_s = self._state, told, self._clock()
            if self._told is None:
                # The hub has just started: its predecessor told the reveal, perhaps by a clock that
                # was ahead.
                self._begun_s -= abs(self._wall_ms() - revealed_ms) / 1000
        self._told, self._state = told, state

    def snapshot(self) -> list[Frame]:
        """The frames for a page that joins: the newest state. During a reveal also the state before
        it, and the reveal with its age.
        """
        if self._state is None:
            return []
        gone_ms = round((self._clock() - self._begun_s) * 1000)
        if self._reveal is None or gone_ms >= LONGEST_MS:
            self._before = self._reveal = None
            return [self._state]
        before = [] if self._before is None else [self._before]
        since = [] if self._reveal is self._told else [self._state]
        return [*before, state_frame(self._reveal, gone_ms), *since]


def _undoes(told: Announcement) -> bool:
    return any(msgspec.json.decode(line, type=_Line).type == "undone" for line in told.lines)


log = getLogger(__name__)

Made = TypeVar("Made")
P = ParamSpec("P")

MOST_ENTRIES = 300
"""How many entries of the chronicle one frame may hold."""
_READS_THE_CHRONICLE = frozenset({GM_PAGE, TABLE})


class Feeds:
    """Builds the frames for roles that need a key."""

    def __init__(
        self,
        settings: WebSettings,
        private_views: PrivateViews,
        tabletop: Tabletop | None,
        company: Callable[[str], int],
    ) -> None:
        """``company`` counts the browsers that may open a seat's page. ``tabletop``: None without a
        virtual table.
        """
        self._settings = settings
        self._tabletop = tabletop
        self._private_views = private_views
        self._company = company
        self._newest: dict[Topic, Frame] = {}
        self._encoded: dict[Topic, tuple[tuple[object, ...], Frame]] = {}
        self._chronicled = 0
        self.told: Announcement | None = None

    def topics(self, role: str) -> list[Topic]:
        """The topics that a role follows besides the public frames, in the order of a snapshot."""
        seat = seat_of(role)
        if seat is not None:
            return [("questions", seat), ("hand", seat), ("company", seat)]
        if role == PUBLIC:
            return []
        hands = self._settings.seats if role == TABLE else [self._gms_hand()]
        found: list[Topic] = [("questions", ""), ("deeds", ""), ("console", "")]
        found += [("hand", hand) for hand in hands if hand is not None]
        return [*found, ("tabletop", "")] if role == TABLE else found

    def _gms_hand(self) -> str | None:
        """The seat whose hand the GM holds: the configured one, or ``gm``; None if a player's seat
        has that name.
        """
        settings = self._settings
        return settings.gm_seat or (None if GM in settings.seats else GM)

    def news(self, roles: Collection[str]) -> list[Frame]:
        """The frames of ``roles`` that have changed since they were last built."""
        return self._changed(topic for role in sorted(roles) for topic in self.topics(role))

    def _changed(self, topics: Iterable[Topic]) -> list[Frame]:
        found = []
        for topic in dict.fromkeys(topics):
            made = self._make(topic)
            if made is not None and made != self._newest.get(topic):
                self._newest[topic] = made
                found.append(made)
        return found

    def newest(self, role: str) -> list[Frame]:
        """The frames of ``role`` as last built."""
        return [self._newest[topic] for topic in self.topics(role) if topic in self._newest]

    def bench_news(self) -> list[Frame]:
        """The frame of the virtual tabletop, if it has changed; otherwise empty."""
        return self._changed([("tabletop", "")])

    def reads_the_chronicle(self, role: str) -> bool:
        """Whether pages of this role receive the chronicle."""
        return role in _READS_THE_CHRONICLE

    def chapter(self, roles: Iterable[str]) -> list[Frame]:
        """The chronicle's entries since the last call, if one of ``roles`` receives them; otherwise
        empty.
        """
        if not any(map(self.reads_the_chronicle, roles)):
            return []
        return self._tale(self._chronicled)

    def story_so_far(self) -> list[Frame]:
        """The chronicle's newest entries for a page that joins.

        Call :meth:`chapter` first, because the other pages would otherwise miss entries.
        """
        return self._tale(0, reset=True)

    def _tale(self, after: int, *, reset: bool = False) -> list[Frame]:
        return _guarded(lambda: self._write(after, reset=reset), "the chronicle") or []

    def _write(self, after: int, *, reset: bool) -> list[Frame]:
        entries = self._private_views.chronicle(after)
        if not entries and not reset:
            return []
        whole = reset or len(entries) > MOST_ENTRIES
        made = chronicle_frame(entries[-MOST_ENTRIES:], reset=whole)
        self._chronicled = entries[-1]["seq"] if entries else self._chronicled
        return [made]

    def _make(self, topic: Topic) -> Frame | None:
        return _guarded(lambda: self._build(*topic), f"a frame of {topic[0]}")

    def _build(self, kind: str, seat: str) -> Frame | None:
        told, private_views, tabletop = self.told, self._private_views, self._tabletop
        about = kind, seat
        match kind:
            case "questions" if told is not None:
                return self._frame(about, questions_frame, told, private_views.questions(), seat)
            case "deeds":
                return self._frame(about, deeds_frame, private_views.deeds(), private_views.cast())
            case "console":
                return self._frame(about, frame, kind, private_views.console())
            case "hand":
                return self._frame(about, frame, kind, private_views.hand(seat), seat)
            case "company":
                return company_frame(seat, self._company(seat))
            case "tabletop" if tabletop is not None:
                return frame("tabletop", tabletop.picture())
        return None

    def _frame(self, topic: Topic, encode: Callable[P, Frame], *of: P.args, **_: P.kwargs) -> Frame:
        """The frame that ``encode`` makes of the arguments, cached while these are the same
        objects.
        """
        known = self._encoded.get(topic)
        if known is None or not all(a is b for a, b in zip(known[0], of, strict=True)):
            known = self._encoded[topic] = of, encode(*of, **_)
        return known[1]


def _guarded(make: Callable[[], Made], what: str) -> Made | None:
    """The result of ``make()``; None if it failed. The exception's text is not logged, because it
    may name a card.
    """
    try:
        return make()
    except Exception as error:
        log.error("%s cannot be shown on web pages: %s", what, type(error).__name__)
        return None
