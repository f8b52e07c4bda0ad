"""The hub's players at work: an awaited player thinks for a while, and then chooses.

Their choices are commands like those of a page, judged and sealed as usual. The thinking time is
drawn when a step begins, independently of the options, so that it reveals nothing about any cards.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from logging import getLogger
from random import Random
from typing import Protocol, Self

from msgspec import Struct

from hub.games.game import GM, GameView
from hub.games.registry import playing_of
from hub.players.choosing import Seen, choose, unasked
from hub.ports import Announcement, CommandSink
from hub.table.acts.decide import Decide
from hub.table.acts.scenes import EndScene, StartScene
from hub.table.inputs import Command
from hub.table.state import HUB_PLAYER, Phase
from hub.table.views import PublicView, Question
from hub.wire.private_frames import Hand, questions_frame
from hub.wire.replies import Code

TURN_S, NEXT_S = 0.7, 0.45
"""The display's timing: how long a card takes to turn over, and the delay before the next card
starts.

``hub/web/static/js/core/score.js`` has the same in ms, and a test compares them.
"""
RISE_S = 2.0
"""How long the verdict and its cost take to appear after the last card has turned."""
WORDS_PER_S = 3.5
"""How fast people read aloud to the table."""
_FIND_S = 1.0
"""The extra time to find the place, and for players who look up late."""


def showing_s(before: GameView | None, after: GameView | None) -> float:
    """How long to show ``after``, in seconds: the display's timing and the time to read the text; 0
    if nothing new is shown.
    """
    playing = playing_of(after)
    if words := playing.words(before, after):
        return NEXT_S + TURN_S + RISE_S + _FIND_S + words / WORDS_PER_S
    return NEXT_S + TURN_S if playing.shown(after) - playing.shown(before) else 0


log = getLogger(__name__)

PACE_S = 2.0
"""The thinking time before a random factor is applied."""
_PACES = (0.6, 1.6)
"""The range of the thinking time's random factor."""
_SHOW_RESULT_PACES = 5
_UNHURRIED_S = 0.5
"""If the thinking time is below this, results are shown for a shorter time, too, as in a sped-up
demo.
"""
_TRIES = 3
_UNASKED = "unasked"


class Seats(Protocol):
    """What a player of the hub reads before it chooses: the private content of its own seat's page,
    and the open decisions, which are public."""

    def hand(self, seat: str) -> Hand:
        """The private content of the page of ``seat``."""
        ...

    def questions(self) -> Sequence[Question]:
        """The decisions open now, all of which are public."""
        ...


class _Wish(Struct, frozen=True):
    """A reason for an actor to act. A different reason starts a new thinking time."""

    actor: str
    scene: int
    phase: int
    what: str
    beside: int = 0
    said: str = ""
    """The declaration to make, if it is made unasked."""


class HubPlayers:
    """Plays for the actors that the table has given to the hub (a :class:`hub.ports.Publisher`)."""

    def __init__(
        self,
        seats: Seats,
        command: CommandSink,
        *,
        chance: Random,
        pace_s: float = PACE_S,
        directs: bool = False,
        gm_seat: str = GM,
        stuck: Callable[[Collection[str]], None] = lambda actors: None,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``command`` carries out the players' choices; ``chance`` is the source of randomness;
        ``pace_s``: the thinking time before its random factor; ``directs``: as the referee, begin
        and end scenes, too; ``gm_seat``: where the referee seals cards; ``stuck`` is called with
        the actors for whom no choice was found or accepted; ``rest`` waits for that many seconds.
        """
        self._seats = seats
        self._command = command
        self._chance = chance
        self._pace_s = pace_s
        self._directs = directs
        self._gm_seat = gm_seat
        self._tell_stuck = stuck
        self._rest = rest
        self._read_at = 0.0
        self._latest: Announcement | None = None
        self._thinking: dict[_Wish, asyncio.Task[None]] = {}
        self._stuck: frozenset[_Wish] = frozenset()
        self._told: set[tuple[int, str, str]] = set()
        """Unasked declarations already tried, by scene and actor. They are not repeated, because
        they may have been refused or undone.
        """
        self._open = False

    async def __aenter__(self) -> Self:
        self._open = True
        self._consider()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open = False
        tasks = [*self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def announce(self, announcement: Announcement) -> None:
        """Note the new state. Players act on it when they have finished thinking."""
        if announcement.view.hub_plays:
            before = self._latest.view.game if self._latest else None
            shown = showing_s(before, announcement.view.game)
            self._read_at = max(self._read_at, self._now() + shown * self._haste)
        self._latest = announcement
        if announcement.view.hub_plays or self._thinking or self._stuck:
            self._consider()

    @property
    def _haste(self) -> float:
        return min(1, self._pace_s / _UNHURRIED_S)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _consider(self) -> None:
        if not self._open or self._latest is None:
            return
        view = self._latest.view
        wanted = set(_wishes(view, directs=self._directs, told=self._told))
        # Unasked declarations come first; if one fails, play goes on without it.
        said = {wish for wish in wanted if wish.what == _UNASKED}
        wanted = said if said - self._stuck else wanted
        for wish in self._thinking.keys() - wanted:
            self._thinking.pop(wish).cancel()
        if self._stuck - wanted:
            self._note_stuck(self._stuck & wanted)
        for wish in sorted(wanted - self._thinking.keys() - self._stuck, key=lambda w: w.actor):
            self._thinking[wish] = asyncio.create_task(self._think(wish), name="hub player")

    async def _think(self, wish: _Wish) -> None:
        paces = self._chance.uniform(*_PACES)
        match wish:
            case _Wish(what="begin", scene=0):
                paces = 0  # whoever has invited the hub waits for the first scene
            case _Wish(what="end"):
                paces = _SHOW_RESULT_PACES
        left = self._read_at - self._now()
        if left > 0:
            await self._rest(left)
        await self._rest(self._pace_s * paces)
        acted = False
        for _ in range(_TRIES):
            code = await self._act(wish)
            acted = code is Code.DONE
            if acted or code is None:
                break
            await self._rest(self._pace_s)
        self._thinking.pop(wish, None)
        if not acted:
            self._note_stuck(self._stuck | {wish})
        self._consider()

    async def _act(self, wish: _Wish) -> Code | None:
        latest = self._latest
        if latest is None:
            return None
        by, command = self._chosen(wish, latest.view)
        if command is None:
            return None
        if wish.what == _UNASKED:
            self._told.add((wish.scene, wish.actor, wish.said))
        reply = await self._command(command, by, browser=HUB_PLAYER)
        return reply.code

    def _chosen(self, wish: _Wish, view: PublicView) -> tuple[str, Command | None]:
        if wish.what == "begin":
            return GM, StartScene()
        if wish.what == "end":
            return GM, EndScene()
        seat = next((s.seat for s in view.seats if wish.actor in s.characters), None)
        if wish.what == _UNASKED:
            return seat or GM, Decide(actor=wish.actor, choice=wish.said)
        at = self._gm_seat if wish.actor == GM else seat
        seen = look(self._seats, view, at, wish.actor)
        return seat or GM, choose(seen, self._chance)

    def _note_stuck(self, now: Collection[_Wish]) -> None:
        if self._stuck != now:
            self._stuck = frozenset(now)
            self._tell_stuck(sorted({wish.actor for wish in now}))


def look(seats: Seats, view: PublicView, seat: str | None, actor: str) -> Seen:
    """The content of the page of ``seat`` about ``actor``; if ``seat`` is None, only the public
    content.
    """
    hand = seats.hand(seat)["actors"] if seat else []
    held = next((each for each in hand if each["name"] == actor), None)
    asked = questions_frame(seats.questions(), (actor,))["questions"]
    return Seen(actor, view, held, asked)


def _wishes(
    view: PublicView, *, directs: bool, told: Collection[tuple[int, str, str]] = ()
) -> list[_Wish]:
    """The reasons to act now for the actors that the hub plays, without the declarations in
    ``told``.
    """
    scene, phase = view.version.scene, view.version.phase
    directs = directs and GM in view.hub_plays
    match view.phase:
        case Phase.IDLE if directs:
            return [_Wish(GM, scene, phase, "begin")]
        case Phase.OVER if directs:
            return [_Wish(GM, scene, phase, "end")]
        case Phase.SEALED | Phase.OPEN | Phase.DECISION:
            left = {g: {*g} - {*view.hub_plays} for g in view.one_of}  # people choose for them
            due = {
                a: "choose"
                for a in view.awaited
                if a not in view.committed and not any(left[g] for g in view.one_of if a in g)
            }
            due |= dict.fromkeys(view.answers, "answer")
            said = {a: each.choice for a in view.hub_plays if (each := unasked(view, a))}
            return [
                *(
                    _Wish(actor, scene, phase, _UNASKED, said=choice)
                    for actor, choice in said.items()
                    if (scene, actor, choice) not in told
                ),
                *(
                    _Wish(actor, scene, phase, what, view.beside.count(actor))
                    for actor, what in due.items()
                    if actor in view.hub_plays
                ),
            ]
    return []
