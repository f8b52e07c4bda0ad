"""A table's state in words: the end of the output of ``facedown replay``."""

from collections.abc import Iterator

from hub.games.registry import words_of
from hub.table.state import Ended, Phase, TableState
from hub.table.views import public_view


def standing(state: TableState) -> Iterator[str]:
    """The public state, a line for each item; the result last.

    Between scenes, the result of the newest one.
    """
    view, result = public_view(state), ""
    if view.game is not None:
        titled = f" “{view.title}”" if view.title else ""
        yield f"scene {view.scene}{titled}, turn {view.turn_number}, step {view.step}"
        if view.awaited:
            yield f"awaited: {', '.join(view.awaited)}"
            yield f"chosen already: {', '.join(view.committed) or 'nobody'}"
    if state.scene is not None and view.game is not None:
        told = [*words_of(state.scene.rules.ruleset).standing(view.game)]
        if view.phase is Phase.OVER and told:
            result = told.pop()
        yield from told
    if state.story is not None and view.story is not None:
        words = words_of(state.story.rules.ruleset)
        yield from words.story(view.story, between=view.game is None)
        for each in view.story.countdowns:
            full = ", full" if each.marked == each.boxes else ""
            yield f"countdown {each.name}: {each.marked} of {each.boxes} boxes marked{full}"
    if state.scene is None and state.ended:
        result = _result(state.ended[-1])
    if result:
        yield result


def _result(ended: Ended) -> str:
    named = f"“{ended.title}”" if ended.title else f"scene {ended.number}"
    if not ended.over:
        return f"{named} was closed before it was over"
    told = [*words_of(ended.rules.ruleset).standing(ended.rules.view(ended.game))]
    return f"{named}: {told[-1]}" if told else ""
