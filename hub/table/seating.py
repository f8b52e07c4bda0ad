"""Which seat plays which character: the configured seats, and the changes of the story since."""

from msgspec.structs import replace

from hub.games.game import GM
from hub.table.state import Settings, TableState


def seated(settings: Settings, state: TableState) -> Settings:
    """The settings including characters that came during the story. Each belongs to the seat named
    for it or, failing that, to the seat of the character that it replaced. A seat from the
    configuration always takes precedence."""
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
    """The characters in the reserve that were brought in for this seat."""
    story = state.story
    playing = seated(settings, state).seats.get(seat, ())
    return tuple(
        name for name in (story.rules.waiting(story.state) if story else ()) if name in playing
    )


def is_free(settings: Settings, state: TableState, seat: str) -> bool:
    """Whether the seat has no character in the story, and has not asked for one."""
    story, scene = state.story, state.scene
    if story is None or seat == settings.gm_seat or (scene and scene.seats.get(seat)):
        return False
    playing = seated(settings, state).seats.get(seat, ())
    return not {*playing} & {*story.rules.cast(story.state), *story.rules.waiting(story.state)}


def displaced(settings: Settings, state: TableState) -> dict[str, tuple[str, ...]]:
    """Seat → its actors in the current scene, for each seat that would not get all of them if the
    scene began now."""
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
