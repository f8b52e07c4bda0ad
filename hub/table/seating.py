"""The people at the table: their names, and which seat plays which character, by the configuration
and the changes of the story since."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from hub.games.game import GM
from hub.kernel.likeness import name_faults
from hub.kernel.memo import Memo
from hub.kernel.reasons import Reason
from hub.table.state import Scene, SeatFault, Settings, TableState

_MADE = Memo()


def seated(settings: Settings, state: TableState) -> Settings:
    """The settings including characters that came during the story. Each belongs to the seat named
    for it or, failing that, to the seat of the character that it replaced. A seat from the
    configuration always takes precedence."""
    campaign, came = state.story, state.seated
    if campaign is None and not came:
        return settings
    return _MADE.of("seated", (settings, came, campaign), partial(_seated, settings, state))


def _seated(settings: Settings, state: TableState) -> Settings:
    played = {actor: seat for seat, actors in settings.seats.items() for actor in actors}
    came = {name: seat for name, seat in state.seated.items() if seat in settings.seats}
    at = {**came, **played}
    campaign = state.story
    heirs = campaign.rules.heirs(campaign.state) if campaign else {}
    for name, before in heirs.items():
        if before in at:
            at.setdefault(name, at[before])
    seats = {
        seat: (
            *actors,
            *(name for name, where in at.items() if where == seat and name not in played),
        )
        for seat, actors in settings.seats.items()
    }
    return replace(settings, seats=seats)


def waits_at(settings: Settings, state: TableState, seat: str) -> tuple[str, ...]:
    """The characters in the reserve that this seat is to play."""
    story = state.story
    playing = seated(settings, state).seats.get(seat, ())
    return tuple(
        name for name in (story.rules.waiting(story.state) if story else ()) if name in playing
    )


def is_free(settings: Settings, state: TableState, seat: str) -> bool:
    """Whether a player's seat has no character in the story, its reserve or the scene."""
    story, scene = state.story, state.scene
    if story is None or seat == settings.gm_seat or (scene and scene.seats.get(seat)):
        return False
    playing = seated(settings, state).seats.get(seat, ())
    return not {*playing} & {*story.rules.cast(story.state), *story.rules.waiting(story.state)}


def displaced(settings: Settings, state: TableState) -> dict[str, tuple[str, ...]]:
    """Seat → its actors in the current scene, if starting the scene now would give it fewer."""
    if state.scene is None:
        return {}
    playing = seated(settings, state)
    return {
        seat: actors
        for seat, actors in state.scene.seats.items()
        if not {*actors} - {GM} <= {*playing.seating(actors).get(seat, ())}
    }


def stands_in_scene(state: TableState, name: str) -> bool:
    """Whether a character of the story takes part in the current scene."""
    scene = state.scene
    return scene is not None and scene.of_story and scene.seat_of(name) is not None


def playing_seat(scene: Scene, actor: str, by: str) -> str:
    """The seat that plays ``actor``, if ``by`` may speak for it. Raises :class:`SeatFault`."""
    seat = scene.seat_of(actor)
    if seat is None:
        raise SeatFault(Reason("nobody-plays", who=actor))
    if by not in {seat, GM}:
        raise SeatFault(Reason("played-elsewhere", who=actor, seat=seat, asked=by))
    return seat


def home_of(settings: Settings, state: TableState, actor: str) -> str:
    """The seat that plays a character, in the scene or between scenes. Raises
    :class:`SeatFault`."""
    seat = state.scene.seat_of(actor) if state.scene else None
    if seat is None:
        seats = seated(settings, state)
        named = (*(each for playing in seats.seats.values() for each in playing), *cast(state))
        seat = next((s for s, a in seats.seating(named).items() if actor in a), None)
    if seat is None:
        raise SeatFault(Reason("nobody-plays", who=actor))
    return seat


def see_that_all_are_played(settings: Settings, before: TableState, after: TableState) -> None:
    """Check that every character that is newly in the story's cast has a seat. Raises
    :class:`SeatFault`."""
    new = [name for name in cast(after) if name not in cast(before)]
    seats = seated(settings, after).seating(new).values()
    homeless = [name for name in new if not any(name in actors for actors in seats)]
    if homeless:
        raise SeatFault(Reason("cannot-join-seatless", names=[*homeless]))


def cast(state: TableState) -> tuple[str, ...]:
    """All characters that can be in a scene of the story, including NPCs: for the GM only."""
    campaign = state.story
    return () if campaign is None else campaign.rules.cast(campaign.state)


def check_names(new: Iterable[str], known: Iterable[str], what: Reason) -> None:
    """Raise :class:`SeatFault` for the first ``new`` name that is invalid or too similar to another
    new or ``known`` one; ``what`` says which action fails because of it."""
    for name, fault in name_faults(new, known):
        # Escaped, because the name may contain lookalike characters.
        raise SeatFault(Reason("name-refused-in", what=what, name=ascii(name), fault=fault))


def people(state: TableState, settings: Settings) -> tuple[str, ...]:
    """All names of characters at this table: from the configuration and the story."""
    told = state.story
    sheets = told.rules.sheets(told.state) if told else ()
    return (*(actor for actors in settings.seats.values() for actor in actors), *sheets)


def countdowns(state: TableState) -> tuple[str, ...]:
    """The names of the story's countdowns."""
    told = state.story
    if told is None:
        return ()
    return tuple(one.name for one in told.rules.view(told.state).countdowns)
