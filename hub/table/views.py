"""The public view of the table, built field by field from public facts (an allow-list).

:class:`PublicView` is the one public document: everything that MQTT, the pages and the log show of
a table is this, or a part of it. Times are UTC with milliseconds, ``2026-01-31T19:00:00.000Z``.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import GM, Choice, GameView, Kind, Offer, Tally
from hub.games.story import DeedOffer, Leaver, StoryView
from hub.kernel.memo import Memo
from hub.kernel.reasons import Reason
from hub.table.looks import Portrait
from hub.table.seating import seated, stands_in_scene
from hub.table.spots import Desk
from hub.table.state import (
    ASKING,
    PASS,
    LeftOpen,
    Phase,
    Scene,
    Settings,
    TableState,
    Version,
    phase_of,
    version_of,
)

SCHEMA = 2
"""Version of the public document and its topics; ``docs/connect/mqtt.md`` lists changes."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=8)
def utc(at_ms: int) -> str:
    """``at_ms`` (ms since the Unix epoch) as UTC text. Raises OverflowError past the year 9999."""
    text = (_EPOCH + timedelta(milliseconds=at_ms)).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class TimerView(Struct, frozen=True):
    """A running commit timer. Clocks count down to ``deadline`` by themselves."""

    deadline: str
    """When the timer ends (UTC)."""
    seconds: float
    """The timer's full length."""
    warnings: tuple[float, ...] = ()
    """Seconds before ``deadline`` at which clocks warn."""


class MomentView(Struct, frozen=True):
    """The state that a clock needs, with the time, because a clock may not know it."""

    at: str
    """The table's time when this was sent (UTC). Retained messages from a broker are older."""
    phase: Phase
    awaited: int
    """How many actors have to choose in this phase, whether or not they have; a group in which one
    chooses for all counts as one."""
    committed: int
    """How many of the awaited actors have chosen."""
    reveal_at: str | None = None
    revealed_at: str | None = None


class SeatView(Struct, frozen=True, kw_only=True):
    """The public state of a seat, as published on the topic ``seat/S``."""

    seat: str
    characters: tuple[str, ...]
    reader: str
    """``ok``; ``lost`` while the reader does not answer, or has not yet; ``writes-cards`` while it
    is out of play because the GM writes cards on it. Only the GM sees how often it failed."""
    awaited: bool
    committed: bool


class EndedView(Struct, frozen=True, kw_only=True):
    """The scene that was closed last, and its result."""

    scene: int
    title: str
    stakes: str = ""
    """The scene's stakes; empty if none were told."""
    over: bool
    """Whether the scene was played to its end; false: the GM closed it early."""
    left: LeftOpen | None
    """The choices left undecided when the GM closed the scene."""
    began: GameView
    """The scene's own fields at its start."""
    game: GameView
    """The scene's own fields when it was closed."""


class PastSceneView(Struct, frozen=True, kw_only=True):
    """The result of a past scene of the evening."""

    scene: int
    title: str
    stakes: str = ""
    over: bool
    came: tuple[dict[str, Any], ...]
    """The scene's consequences by the rules, each of the kind named by ``what``."""


class PublicView(Struct, frozen=True, kw_only=True):
    """The public state of the whole table, as published on the topic ``state``."""

    schema: int = SCHEMA
    table: str
    log: str
    """The event log's random id, in hex."""
    seq: int
    """Number of the last event included."""
    head: str = ""
    """SHA-256 (hex) of the line of event ``seq``; see ``facedown verify``."""
    scene: int
    """Number of the current scene or, between scenes, of the last one, from 1; 0 before the
    first."""
    title: str = ""
    phase: Phase
    version: Version
    """Version of the table; a command that names one is carried out only while it is current."""
    step: str = ""
    """The current choice, in the book's words; empty without a scene."""
    turn_number: int = 0
    """The turn's number, from 1; 0 before the first. (``turn`` in ``game`` is the game's own
    account of the turn.)"""
    awaited: tuple[str, ...] = ()
    """The actors that have to choose in this phase, whether or not they have."""
    one_of: tuple[tuple[str, ...], ...] = ()
    """Groups of ``awaited`` in which one chooses for all and none has chosen yet. Once one has, the
    rest of the group is no longer in ``awaited``."""
    committed: tuple[str, ...] = ()
    """The awaited actors whose choice is in."""
    beside: tuple[str, ...] = ()
    """The actors with cards sealed beside the step, once for each card; never which cards."""
    counted: dict[str, Tally] = {}
    """Actor that counts out points card by card → the count so far; see ``counted`` events."""
    answers: tuple[str, ...] = ()
    """Actors that had chosen before a card was set beside the step, and may answer it or pass."""
    timer: TimerView | None = None
    reveal_at: str | None = None
    """When the reveal is due (UTC); null unless the table is locked."""
    revealed_at: str | None = None
    """When cards were last revealed (UTC), in this scene or an earlier one; null before the first
    time. From then on, pages show the reveal cue by cue for 1.5 to 4 s, and then the new state."""
    seats: tuple[SeatView, ...] = ()
    """All seats, in the table's order."""
    gm_plays: tuple[str, ...] = ()
    """Characters that the GM plays for a player who has left, sorted."""
    sits_out: tuple[str, ...] = ()
    """Characters that sit out the scene because their player has left, sorted."""
    evening: str = ""
    """The evening's title as set by the GM; empty: the configured one."""
    evening_over: bool = False
    """Whether the GM has ended the evening and no scene has begun since."""
    commit_seconds: float = 0.0
    """Seconds to choose from the next sealed step on; 0: no timer. ``timer`` is the running one."""
    away: tuple[str, ...] = ()
    """Characters left out of new scenes because their player has left, sorted."""
    hub_plays: tuple[str, ...] = ()
    """Actors that the hub plays, sorted; ``gm`` for the GM as referee. The hub knows only what
    their own pages are sent."""
    portraits: dict[str, Portrait] = {}
    """Character → portrait, if any part of it was chosen."""
    game: GameView | None = None
    """The scene's own fields, which depend on ``ruleset``. Null while no scene is played."""
    story: StoryView | None = None
    """The story, which lasts between scenes; null at a table without one."""
    ended: EndedView | None = None
    """The previous scene; null while one is played, and before the first has ended."""
    results: tuple[PastSceneView, ...] = ()
    """Results of the evening's newest scenes, the last one first; empty while a scene is played."""


def count_awaited(view: PublicView) -> int:
    """How many choices the phase waits for, whether or not they are in."""
    return len(view.awaited) - sum(len(group) - 1 for group in view.one_of)


def moment_of(view: PublicView, now_ms: int) -> MomentView:
    """The part of ``view`` that a clock needs, at ``now_ms`` (ms since the Unix epoch)."""
    return MomentView(
        utc(now_ms),
        view.phase,
        count_awaited(view),
        len(view.committed),
        view.reveal_at,
        view.revealed_at,
    )


class Question(Struct, frozen=True):
    """An open decision to make in words, and the answers to offer."""

    actor: str
    step: str
    offers: tuple[Offer, ...]
    free: tuple[str, ...] = ()
    """Kinds of choice in ``offers`` that are optional: the step does not wait for them."""


_MADE = Memo()
"""The newest views of a game and of a story: most inputs, such as a seal, change neither."""


def _story(state: TableState) -> StoryView | None:
    told = state.story
    return (
        _MADE.of("story", (told.rules, told.state), partial(told.rules.view, told.state))
        if told
        else None
    )


def public_view(
    state: TableState, seats: tuple[SeatView, ...] = (), head: str = "", commit_s: float = 0
) -> PublicView:
    """The table's public view. ``head``: hash of the last line of the event log; ``commit_s``: the
    configured commit timer."""
    shown = PublicView(
        table=state.table,
        log=state.log,
        seq=state.seq,
        head=head,
        scene=state.scenes,
        phase=phase_of(state),
        version=version_of(state),
        revealed_at=_utc(state.revealed_at_ms),
        seats=seats,
        gm_plays=tuple(sorted(state.gm_plays)),
        evening=state.evening,
        evening_over=state.evening_over,
        commit_seconds=float(commit_s if state.commit_s is None else state.commit_s),
        away=tuple(sorted(state.away)),
        hub_plays=tuple(sorted(state.hub_plays)),
        portraits=dict(state.portraits),
        story=_story(state),
    )
    scene = state.scene
    if scene is None:
        return replace(shown, ended=_ended(state), results=tuple(_results(state)))
    chosen, game = scene.chosen(), scene.game
    return replace(
        shown,
        scene=scene.number,
        title=scene.title,
        step=scene.pending.step,
        turn_number=scene.rules.turn(scene.game),
        awaited=(awaited := scene.awaited()),
        one_of=tuple(group for group in scene.pending.one_of if {*group} <= {*awaited} - {*chosen}),
        committed=chosen,
        beside=lying_beside(scene),
        counted=dict(scene.counted),
        answers=tuple(sorted(scene.answers)),
        timer=_timer(scene),
        reveal_at=_utc(scene.reveal_at_ms),
        sits_out=tuple(sorted(scene.sits_out)),
        game=_MADE.of("game", (scene.rules, game), partial(scene.rules.view, game)),
    )


def _ended(state: TableState) -> EndedView | None:
    if not state.ended:
        return None
    last = state.ended[-1]
    began, game = last.rules.view(last.began), last.rules.view(last.game)
    return EndedView(
        scene=last.number,
        title=last.title,
        stakes=last.stakes,
        over=last.over,
        left=last.left,
        began=began,
        game=game,
    )


def _results(state: TableState) -> Iterator[PastSceneView]:
    for each in reversed(state.ended):
        if each.number < state.evening_first:
            return
        rules = each.rules
        came = rules.consequences(rules.view(each.began), rules.view(each.game))
        values = tuple(msgspec.to_builtins(one) for one in came)
        yield PastSceneView(
            scene=each.number, title=each.title, stakes=each.stakes, over=each.over, came=values
        )


def lying_beside(scene: Scene) -> tuple[str, ...]:
    """The actors with cards sealed beside the step, sorted, once for each card."""
    return tuple(sorted(actor for actor, seals in scene.beside.items() for _ in seals))


def _utc(at_ms: int | None) -> str | None:
    return None if at_ms is None else utc(at_ms)


def deeds(state: TableState, offers: Sequence[DeedOffer] | None = None) -> tuple[DeedOffer, ...]:
    """The deeds to offer now on the GM's own pages. ``offers``: the story's offers, if already
    known."""
    campaign = state.story
    if campaign is None:
        return ()
    story = campaign.rules
    return tuple(
        offer
        for offer in (story.offers(campaign.state) if offers is None else offers)
        if state.scene is None or (story.anytime(offer.deed) and not _leaves(state, offer.deed))
    )


def _leaves(state: TableState, deed: Mapping[str, Any]) -> bool:
    """Whether a deed would remove a character from the current scene."""
    casting = state.story.rules.casting(deed) if state.story else None
    return isinstance(casting, Leaver) and stands_in_scene(state, casting.name)


def _timer(scene: Scene) -> TimerView | None:
    if scene.deadline_ms is None or scene.deadline_passed:
        return None
    return TimerView(utc(scene.deadline_ms), scene.deadline_s, scene.warnings_s)


def seat_views(
    state: TableState, settings: Settings, desk: Desk | None = None
) -> tuple[SeatView, ...]:
    """The public state of every seat, in the table's order. With a ``desk``, a reader that has not
    answered since the hub started counts as lost; without one, the log decides."""
    scene = state.scene
    chosen, awaited = (scene.chosen(), scene.awaited()) if scene else ((), ())
    views = []
    seats = seated(settings, state).seats
    silent = set() if desk is None else {s for s in seats if s not in desk or not desk[s].answers}
    taken = {s for s, spot in (desk or {}).items() if spot.writes_cards}
    lost = state.lost | silent
    for seat, actors in seats.items():
        playing = scene.seats.get(seat, ()) if scene else actors
        must = tuple(actor for actor in playing if actor in awaited)
        views.append(
            SeatView(
                seat=seat,
                characters=tuple(actor for actor in playing if actor != GM),
                reader="writes-cards" if seat in taken else "lost" if seat in lost else "ok",
                awaited=bool(must),
                committed=bool(must) and all(actor in chosen for actor in must),
            )
        )
    return tuple(views)


def questions(state: TableState) -> tuple[Question, ...]:
    """The decisions open now, and the declarations possible beside the step.

    All of them are public knowledge, because every offer follows from public facts. In a sealed
    step only open declarations are listed.
    """
    scene = state.scene
    if scene is None or phase_of(state) not in ASKING:
        return ()
    game = scene.rules
    pending = scene.pending
    kinds = {*pending.declarations}
    if pending.kind is not Kind.SEALED:
        kinds.update(pending.kinds)
    found = []
    for actor in (*game.actors(scene.game), GM):
        if actor in scene.decided or scene.asks_nothing_of(actor):
            continue
        offers = tuple(o for o in hand_offers(state, actor) if o.choice.kind in kinds)
        free = {*pending.declarations}
        if actor in scene.answers:
            free.add(PASS)
            offers = (Offer(Choice(PASS)), *offers)
        if offers:
            kinds_free = tuple(
                dict.fromkeys(o.choice.kind for o in offers if o.choice.kind in free)
            )
            found.append(Question(actor, pending.step, offers, kinds_free))
    return tuple(found)


def hand_offers(state: TableState, actor: str) -> tuple[Offer, ...]:
    """The choices offered to one actor now: for the page of its own seat, never for others."""
    scene = state.scene
    if scene is None or scene.asks_nothing_of(actor):
        return ()
    offers = scene.rules.offers(scene.game, actor)
    if scene.chosen_for(actor) is None:
        return offers
    return tuple(each for each in offers if each.choice.kind not in scene.pending.kinds)


def refusal(state: TableState, actor: str, choice: Choice) -> Reason | None:
    """Why ``actor`` may not choose ``choice`` in this step; None if it may."""
    scene = state.scene
    if scene is None:
        return Reason("no-scene")
    pending = scene.pending
    if scene.asks_nothing_of(actor):
        return Reason("sits-out-already", who=actor)
    if choice.kind in pending.kinds and (other := scene.chosen_for(actor)):
        group = next(each for each in pending.one_of if actor in each)
        return Reason("chosen-for-all", who=other, names=[*group])
    reason = scene.rules.why_not(scene.game, actor, choice)
    aside = pending.asides if pending.kind is not Kind.SEALED else ()
    if choice.kind in (*pending.kinds, *pending.beside, *aside):
        return reason
    wanted = [*pending.kinds]
    return reason or Reason("wrong-kind", what=wanted, kind=choice.kind)
