"""What the table shows, built field by field from what is public (an allow-list).

The same public view feeds MQTT, the display and the log.
"""

from msgspec import Struct

from hub.rules.game import GM, Choice, GameView, Kind, Offer
from hub.rules.story import Leaver, StoryView
from hub.table.seating import seated, stands_in_scene
from hub.table.state import (
    PASS,
    Desk,
    Phase,
    Scene,
    Settings,
    TableState,
    Version,
    phase_of,
    version_of,
)

SCHEMA = 1


class TimerView(Struct, frozen=True):
    """A running commit timer; clocks tick for themselves."""

    deadline_ms: int
    seconds: float
    warnings: tuple[float, ...] = ()
    """Seconds before the end at which clocks warn."""


class PublicView(Struct, frozen=True, kw_only=True):
    """The whole table as everybody may see it."""

    schema: int = SCHEMA
    table: str
    log: str
    """The log's random id; see :class:`hub.table.records.LogBegun`."""
    seq: int
    scene: int
    title: str
    phase: Phase
    basis: Version
    """What a command that is given now is based on."""
    step: str
    turn: int
    awaited: tuple[str, ...]
    """Actors that have to choose in this phase, whether or not they have."""
    committed: tuple[str, ...]
    """Those of them whose choice is in."""
    beside: tuple[str, ...] = ()
    """Actors of whom a card lies sealed beside the step, once for each: that it lies there, never
    which."""
    answers: tuple[str, ...] = ()
    """Those who had chosen before it was laid, and may still answer it or pass."""
    timer: TimerView | None
    reveal_at_ms: int | None
    """While locked: when the reveal is due."""
    revealed_at_ms: int | None = None
    """When cards were last revealed, whatever has happened since; None before the first time."""
    game: GameView | None
    story: StoryView | None = None
    """What lasts between scenes; None at a table without a story."""


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it."""

    seat: str
    characters: tuple[str, ...]
    reader: str
    """``ok``, or ``lost`` while it does not answer, or has not yet. How often it failed is the GM's
    to see."""
    awaited: bool
    committed: bool


class Question(Struct, frozen=True):
    """A decision that is open to be made by word, and the answers to offer."""

    actor: str
    step: str
    offers: tuple[Offer, ...]


def public_view(state: TableState) -> PublicView:
    """The table as everybody may see it."""
    scene = state.scene
    phase = phase_of(state)
    if scene is None:
        return PublicView(
            table=state.table, log=state.log, seq=state.seq, scene=state.scenes, title="",
            phase=phase, step="",
            basis=version_of(state), turn=0, awaited=(), committed=(), timer=None,
            reveal_at_ms=None, revealed_at_ms=state.revealed_at_ms, game=None, story=_story(state),
        )  # fmt: skip
    game = scene.rules
    return PublicView(
        table=state.table,
        log=state.log,
        seq=state.seq,
        scene=scene.number,
        title=scene.title,
        phase=phase,
        basis=version_of(state),
        step=scene.pending.step,
        turn=game.turn(scene.game),
        awaited=scene.pending.must,
        committed=scene.chosen(),
        beside=tuple(sorted(a for a, seals in scene.beside.items() for _ in seals)),
        answers=tuple(sorted(scene.answers)),
        timer=_timer(scene),
        reveal_at_ms=scene.reveal_at_ms,
        revealed_at_ms=state.revealed_at_ms,
        game=game.view(scene.game),
        story=_story(state),
    )


def _story(state: TableState) -> StoryView | None:
    campaign = state.story
    return None if campaign is None else campaign.rules.view(campaign.state)


def deeds(state: TableState) -> tuple[Offer, ...]:
    """What to put before the GM to do to the story: for the GM's own pages."""
    campaign = state.story
    if campaign is None:
        return ()
    story = campaign.rules
    offers = story.offers(campaign.state)
    return tuple(
        offer
        for offer in offers
        if state.scene is None or (story.anytime(offer.choice) and not _leaves(state, offer.choice))
    )


def _leaves(state: TableState, deed: Choice) -> bool:
    """Whether a deed would take somebody out of the scene that is being played."""
    casting = state.story.rules.casting(deed) if state.story else None
    return isinstance(casting, Leaver) and stands_in_scene(state, casting.name)


def _timer(scene: Scene) -> TimerView | None:
    if scene.deadline_ms is None or scene.deadline_passed:
        return None
    return TimerView(scene.deadline_ms, scene.deadline_s, scene.warnings_s)


def cast(state: TableState) -> tuple[str, ...]:
    """Everybody who could stand in a scene of the story, NPCs too: for the GM's own pages."""
    campaign = state.story
    return () if campaign is None else campaign.rules.cast(campaign.state)


def seat_views(
    state: TableState, settings: Settings, desk: Desk | None = None
) -> tuple[SeatView, ...]:
    """Every seat as everybody may see it, in the table's order. On a ``desk`` a reader that has
    not answered since the hub began is lost; without one readers are as the log has them."""
    scene = state.scene
    chosen = scene.chosen() if scene else ()
    views = []
    seats = seated(settings, state).seats
    silent = set() if desk is None else {s for s in seats if s not in desk or not desk[s].answers}
    lost = state.lost | silent
    for seat, actors in seats.items():
        playing = scene.seats.get(seat, ()) if scene else actors
        must = [actor for actor in playing if scene and actor in scene.pending.must]
        views.append(
            SeatView(
                seat=seat,
                characters=playing,
                reader="lost" if seat in lost else "ok",
                awaited=bool(must),
                committed=bool(must) and all(actor in chosen for actor in must),
            )
        )
    return tuple(views)


def questions(state: TableState) -> tuple[Question, ...]:
    """The decisions open now, and the declarations possible beside the step.

    Public knowledge: every offer follows from what everybody sees. In a sealed step it lists
    only what may be declared openly.
    """
    scene = state.scene
    if scene is None or phase_of(state) not in {Phase.SEALED, Phase.OPEN, Phase.DECISION}:
        return ()
    game = scene.rules
    pending = scene.pending
    kinds = set(pending.asides)
    if pending.kind is not Kind.SEALED:
        kinds.update(pending.kinds)
    found = []
    for actor in (*game.actors(scene.game), GM):
        if actor in scene.decided:
            continue
        offers = tuple(o for o in game.offers(scene.game, actor) if o.choice.kind in kinds)
        if actor in scene.answers:
            offers = (Offer(Choice(PASS)), *offers)
        if offers:
            found.append(Question(actor, pending.step, offers))
    return tuple(found)


def hand_offers(state: TableState, actor: str) -> tuple[Offer, ...]:
    """What lies before one actor now: for the page of its own seat, never for others."""
    scene = state.scene
    if scene is None:
        return ()
    return scene.rules.offers(scene.game, actor)


def refusal(state: TableState, actor: str, choice: Choice) -> str | None:
    """Why ``actor`` may not choose ``choice`` in this step; None if it may."""
    scene = state.scene
    if scene is None:
        return "no scene is being played"
    pending = scene.pending
    reason = scene.rules.why_not(scene.game, actor, choice)
    if choice.kind in (*pending.kinds, *pending.beside):
        return reason
    wanted = " or ".join(pending.kinds)
    return reason or f"a {wanted} is awaited now, this is a {choice.kind}"
