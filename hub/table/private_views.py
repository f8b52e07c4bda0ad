"""Private views: a seat's hand, and the GM's console.

Neither reveals sealed choices: a hand lists what the rules allow, not what was chosen.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.games.deeds import Declined
from hub.games.game import Choice, Offer
from hub.games.story import DeedOffer, SceneOffer
from hub.kernel.forms import Option
from hub.kernel.reasons import Reason
from hub.table.acts.sit_out import sitting
from hub.table.acts.undo import WayBack, ways_back
from hub.table.coming import Coming
from hub.table.desk import matters, seen_until
from hub.table.seating import cast, is_free, seated
from hub.table.signals import Signal
from hub.table.spots import Desk
from hub.table.state import ASKING, AtZero, Scene, Settings, TableState, Trouble, phase_of
from hub.table.views import hand_offers


class LiesView(Struct, frozen=True, kw_only=True):
    """A sealed card, as its own seat sees it: its presence, never its content."""

    digest: str
    """The digest of the card's seal, as in the log; the player who sealed the card recognises it by
    this."""
    page: bool
    """Whether the card was sealed on a page instead of on the reader."""


class HeldView(Struct, frozen=True, kw_only=True):
    """One actor of a seat, as that seat sees it."""

    name: str
    awaited: bool = False
    committed: bool = False
    beside: int = 0
    """How many of its cards are sealed beside the step."""
    seal: LiesView | None = None
    """The actor's card sealed for the step."""
    besides: tuple[LiesView, ...] = ()
    """Its cards sealed beside the step, in the order in which they were set."""
    kinds: tuple[str, ...] = ()
    """Kinds of choice that are awaited from it."""
    beside_kinds: tuple[str, ...] = ()
    """Kinds of choice that it may set beside the step."""
    offers: tuple[Offer, ...] = ()
    """Every choice it could be offered now; those not allowed carry the reason."""
    means: Mapping[str, Any] = {}
    """Choice, in its written form → the explanation of its card, if it needs one."""
    closed: Mapping[Choice, Reason] = {}
    """Choices that the actor has but cannot make for now, each with the reason, whether or not the
    table waits for the actor."""
    sheet: Any = None
    """Its whole sheet in the story; None without one."""
    waits: bool = False
    """Whether it waits in the reserve, not yet played."""
    own: Mapping[str, Any] | None = None
    """Further fields, as the story's family defines them."""
    wish: Mapping[str, Any] | None = None
    """The deed that the actor's player wishes for, until the GM has answered."""
    declined: Declined | None = None
    """The actor's last wish that was declined."""


class HandView(Struct, frozen=True, kw_only=True):
    """The hand of a seat, for its own page only."""

    seat: str
    actors: tuple[HeldView, ...]
    lies: Signal | None = None
    """The problem with the cards on the seat's reader, if any."""
    seen_ms: int | None = None
    """When the reader last saw a tag (ms since the Unix epoch), if ``lies`` says that it sees
    nothing."""
    free: bool = False
    """Whether the seat's player has no character, and may ask for a new one."""
    coming: str | None = None
    """The ruleset of the configured scene, if its characters' sheets are shown before it begins."""


class ConsoleView(Struct, frozen=True, kw_only=True):
    """The GM's additions to the public view, for the GM's own pages only."""

    undo: tuple[WayBack, ...]
    """The actions that can be taken back now."""
    npcs: dict[str, Any] = {}
    """Name → whole sheet of every story character that the GM plays."""
    own: Mapping[str, Any] | None = None
    """Further fields, as the story's family defines them."""
    wishes: tuple[DeedOffer, ...] = ()
    """The players' wishes, each as the deed that grants it."""
    scenes: tuple[SceneOffer, ...] = ()
    """The scenes that can begin from the story, each with its form; none during a scene."""
    overrules: tuple[Option, ...] = ()
    """The overrules possible now, by ``what``, each with its fields."""
    unreliable: Mapping[str, Trouble] = {}
    """Seats whose reader fails again and again → how often."""
    blind: tuple[str, ...] = ()
    """Seats whose reader cannot tell a dead radio from an empty field."""
    gm_seat: str | None
    lies: Mapping[str, Signal] = {}
    """Seat → the problem on its reader. Refusals are left out, because they depend on the card's
    content; everything here is visible at the table."""
    seen_ms: Mapping[str, int | None] = {}
    """Seat whose reader sees nothing → when it last saw a tag (ms since the Unix epoch)."""
    plays_for: tuple[HeldView, ...] = ()
    """The hands of characters that the GM plays for a player who has left."""
    sitting: Mapping[str, Reason | None] = {}
    """Player's character in the scene → why the scene cannot go on without it now or, if it sits
    out, why it cannot come back; None if that is possible."""
    stand_ins: Mapping[str, tuple[Offer, ...]] = {}
    """Actor → the choices that the GM may make for it, because its player did not choose before the
    timer ran out."""


def hand_view(
    state: TableState,
    settings: Settings,
    seat: str,
    desk: Desk | None = None,
    coming: Coming | None = None,
) -> HandView:
    """The hand of ``seat``; empty for a seat that the table does not have. ``coming``: the scene
    that is configured, while there is neither a scene nor a story."""
    sheets = coming.sheets if coming else _sheets(state)
    scene = state.scene
    playing = scene.seats.get(seat, ()) if scene else ()
    seats = seated(settings, state)
    everybody = (*(actor for actors in seats.seats.values() for actor in actors), *cast(state))
    resting = (
        actor
        for actor in seats.seating(everybody).get(seat, ())
        if scene is None or scene.seat_of(actor) is None
    )
    held = [_held(state, scene, actor, sheets) for actor in playing] if scene else []
    held += [_resting(state, actor, sheets) for actor in resting]
    return HandView(
        seat=seat,
        actors=tuple(held),
        lies=matters(state, desk or {}).get(seat),
        seen_ms=seen_until(state, desk or {}).get(seat),
        free=is_free(settings, state, seat),
        coming=coming.ruleset if coming else None,
    )


def _resting(state: TableState, actor: str, sheets: Mapping[str, Any]) -> HeldView:
    """The view of an actor that is in no scene."""
    shown = HeldView(name=actor, means=_means(state, actor), sheet=sheets.get(actor))
    if state.story is None:
        return shown
    story, told = state.story.rules, state.story.state
    return replace(
        shown,
        waits=actor in story.waiting(told),
        own=story.own(told, actor, playing=state.scene is not None),
        wish=told.wishes.get(actor),
        declined=told.declined.get(actor),
    )


def _held(state: TableState, scene: Scene, actor: str, sheets: Mapping[str, Any]) -> HeldView:
    pending = scene.pending
    awaited, asked = actor in scene.awaited(), not scene.asks_nothing_of(actor)
    seal, besides = scene.seals.get(actor), scene.beside.get(actor, ())
    return HeldView(
        name=actor,
        awaited=awaited,
        committed=actor in scene.chosen(),
        beside=len(besides),
        seal=LiesView(digest=seal.digest, page=seal.page) if seal else None,
        besides=tuple(LiesView(digest=s.digest, page=s.browser is not None) for s in besides),
        kinds=pending.kinds if awaited else (),
        beside_kinds=pending.beside if actor in pending.may and asked else (),
        offers=hand_offers(state, actor),
        means=_means(state, actor),
        closed=scene.rules.closed(scene.game, actor),
        sheet=sheets.get(actor),
    )


def _means(state: TableState, actor: str) -> Mapping[str, Any]:
    """Explanations from the story, overridden by those of the scene."""
    campaign, scene = state.story, state.scene
    told = campaign.rules.means(campaign.state, actor) if campaign else {}
    played = scene is not None and scene.seat_of(actor) is not None
    return {**told, **(scene.rules.means(scene.game, actor) if scene and played else {})}


def console_view(state: TableState, settings: Settings, desk: Desk | None = None) -> ConsoleView:
    """The GM's additions to the public view. Without a ``desk``, ``lies``, ``blind`` and
    ``seen_ms`` are empty."""
    seen = matters(state, desk or {})
    blind = tuple(seat for seat, spot in (desk or {}).items() if spot.blind)
    lies = {seat: signal for seat, signal in seen.items() if signal is not Signal.REFUSED}
    scene, campaign = state.scene, state.story
    heard = phase_of(state) in ASKING
    open_now = scene.rules.overrules(scene.game) if scene and heard else ()
    shown = ConsoleView(
        undo=ways_back(state),
        overrules=open_now,
        unreliable=state.unreliable,
        blind=blind,
        gm_seat=settings.gm_seat,
        lies=lies,
        seen_ms=seen_until(state, desk or {}),
        plays_for=_plays_for(state, heard=heard),
        sitting=sitting(state, settings.gm_seat) if heard else {},
        stand_ins=_stand_ins(scene, settings, state.gm_plays) if scene and heard else {},
    )
    if campaign is None:
        return shown
    sheets, story = _sheets(state), campaign.rules
    return replace(
        shown,
        npcs={name: sheets[name] for name in story.npcs(campaign.state)},
        own=story.console(campaign.state, playing=scene is not None),
        wishes=story.wishes(campaign.state),
        scenes=() if scene else story.scenes(campaign.state),
        overrules=open_now if scene else story.overrules(campaign.state),
    )


def _plays_for(state: TableState, *, heard: bool) -> tuple[HeldView, ...]:
    """The hands of the scene's characters that the GM plays for a player."""
    scene = state.scene
    if scene is None or not heard:
        return ()
    sheets = _sheets(state)
    actors = (a for a in scene.rules.actors(scene.game) if a in state.gm_plays)
    return tuple(_held(state, scene, actor, sheets) for actor in actors)


def _stand_ins(
    scene: Scene, settings: Settings, gm_plays: frozenset[str]
) -> dict[str, tuple[Offer, ...]]:
    """Actor → the choices that the GM may make for it, only once the timer has run out at a table
    where the GM then decides. The GM's own characters are left out."""
    if not scene.deadline_passed or settings.at_zero is not AtZero.GM_DECIDES:
        return {}
    return {
        actor: scene.rules.stand_in(scene.game, actor)
        for actor in scene.waits_for()
        if scene.seat_of(actor) != settings.gm_seat and actor not in gm_plays
    }


def _sheets(state: TableState) -> Mapping[str, Any]:
    campaign = state.story
    return campaign.rules.sheets(campaign.state) if campaign else {}
