"""Frames by role: the topics that a role follows, their newest frames, and what has changed.

Non-public frames are built only while a page follows them, and sent only if they have changed.
"""

from collections.abc import Callable, Collection, Iterable
from logging import getLogger
from typing import ParamSpec, TypeVar

from hub.games.game import GM
from hub.ports import Announcement, PrivateViews
from hub.web.frames import (
    Frame,
    Topic,
    chronicle_frame,
    company_frame,
    console_frame,
    deeds_frame,
    frame,
    hand_frame,
    questions_frame,
)
from hub.web.keys import GM_PAGE, PUBLIC, TABLE, seat_of
from hub.web.settings import WebSettings
from hub.web.tabletop import Tabletop

log = getLogger(__name__)

Made = TypeVar("Made")
P = ParamSpec("P")

MOST_ENTRIES = 300
"""Entries of the chronicle that one frame holds."""
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
        """``company`` counts the browsers that may open a seat's page."""
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
        """The seat whose hand the GM holds; without one the GM's own hand, unless a player's seat
        is named ``gm``."""
        settings = self._settings
        return settings.gm_seat or (None if GM in settings.seats else GM)

    def news(self, roles: Collection[str]) -> list[Frame]:
        """Return these roles' frames that have changed since they were last sent."""
        followed = dict.fromkeys(topic for role in sorted(roles) for topic in self.topics(role))
        found = []
        for topic in followed:
            made = self._make(topic)
            if made is not None and made != self._newest.get(topic):
                self._newest[topic] = made
                found.append(made)
        return found

    def newest(self, role: str) -> list[Frame]:
        """Return a role's frames as last built."""
        return [self._newest[topic] for topic in self.topics(role) if topic in self._newest]

    def bench_news(self) -> list[Frame]:
        """Return the frame of the virtual tabletop, if it has changed."""
        made = self._make(("tabletop", ""))
        if made is None or made == self._newest.get(made.topic):
            return []
        self._newest[made.topic] = made
        return [made]

    def reads_the_chronicle(self, role: str) -> bool:
        """Whether pages of this role receive the chronicle."""
        return role in _READS_THE_CHRONICLE

    def chapter(self, roles: Iterable[str]) -> list[Frame]:
        """Return the chronicle's entries since the last call, if one of the roles receives it."""
        if not any(map(self.reads_the_chronicle, roles)):
            return []
        return self._tale(self._chronicled)

    def story_so_far(self) -> list[Frame]:
        """Return the newest entries for a page that joins; call :meth:`chapter` for the others
        first."""
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
                return self._frame(about, console_frame, private_views.console())
            case "hand":
                return self._frame(about, hand_frame, seat, private_views.hand(seat))
            case "company":
                return company_frame(seat, self._company(seat))
            case "tabletop" if tabletop is not None:
                return frame("tabletop", tabletop.picture())
        return None

    def _frame(self, topic: Topic, encode: Callable[P, Frame], *of: P.args, **_: P.kwargs) -> Frame:
        """Return ``encode(*of)``, cached while the arguments are the same objects."""
        known = self._encoded.get(topic)
        if known is None or not all(a is b for a, b in zip(known[0], of, strict=True)):
            known = self._encoded[topic] = of, encode(*of, **_)
        return known[1]


def _guarded(make: Callable[[], Made], what: str) -> Made | None:
    """Return ``make()``; on failure log a line and return None. The exception's text is not logged
    because it may name a card."""
    try:
        return make()
    except Exception as error:
        log.error("%s cannot be shown on web pages: %s", what, type(error).__name__)
        return None
