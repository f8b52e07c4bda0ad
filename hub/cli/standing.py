"""How a table stands, in words: the end of what ``facedown replay`` tells."""

from collections.abc import Iterator

from hub.books.registry import words_of
from hub.table.state import TableState
from hub.table.views import public_view


def standing(state: TableState) -> Iterator[str]:
    """What everybody can see now, a line for each thing; the result last."""
    view = public_view(state)
    if view.game is not None:
        titled = f" “{view.title}”" if view.title else ""
        yield f"scene {view.scene}{titled}, turn {view.turn_number}, step {view.step}"
        if view.awaited:
            yield f"awaited: {', '.join(view.awaited)}"
            yield f"chosen already: {', '.join(view.committed) or 'nobody'}"
    if state.scene is not None and view.game is not None:
        yield from words_of(state.scene.rules.ruleset).standing(view.game)
    if state.story is not None and view.story is not None:
        words = words_of(state.story.rules.ruleset)
        yield from words.story(view.story, between=view.game is None)
        for each in view.story.countdowns:
            full = ", full" if each.marked == each.boxes else ""
            yield f"countdown {each.name}: {each.marked} of {each.boxes} boxes marked{full}"
