"""Who plays whom: the seats of the configuration, and what has come of the story since."""

from msgspec.structs import replace

from hub.games.game import GM
from hub.table.state import Settings, TableState


def seated(settings: Settings, state: TableState) -> Settings:
    """The settings with those who came while the story was told: each at the seat that was named
    for it, or else at that of the character that it replaced. A seat that the configuration
    names for somebody always wins."""
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
    """Who waits in the reserve to be played at a seat: those who were brought in for it."""
    story = state.story
    playing = seated(settings, state).seats.get(seat, ())
    return tuple(
        name for name in (story.rules.waiting(story.state) if story else ()) if name in playing
    )


def is_free(settings: Settings, state: TableState, seat: str) -> bool:
    """Whether whoever sits there has nobody to play in the story, and has asked for nobody."""
    story, scene = state.story, state.scene
    if story is None or seat == settings.gm_seat or (scene and scene.seats.get(seat)):
        return False
    playing = seated(settings, state).seats.get(seat, ())
    return not {*playing} & {*story.rules.cast(story.state), *story.rules.waiting(story.state)}


def displaced(settings: Settings, state: TableState) -> dict[str, tuple[str, ...]]:
    """Seat → those whom it plays in the scene, and would not play if the scene began now."""
    if state.scene is None:
        return {}
    playing = seated(settings, state)
    return {
        seat: actors
        for seat, actors in state.scene.seats.items()
        if not {*actors} - {GM} <= {*playing.seating(actors).get(seat, ())}
    }


def stands_in_scene(state: TableState, name: str) -> bool:
    """Whether somebody of the story takes part in the scene that is being played."""
    scene = state.scene
    return scene is not None and scene.of_story and scene.seat_of(name) is not None
