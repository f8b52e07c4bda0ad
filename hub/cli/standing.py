"""A table's state in words: the end of the output of ``facedown replay``."""

from collections.abc import Iterator

from hub.games.registry import words_of
from hub.kernel.texts import Said, names, said
from hub.table.state import Ended, Phase, TableState
from hub.table.views import PublicView, public_view


def standing(state: TableState) -> Iterator[Said]:
    """The public state, a line for each item; the result last.

    Between scenes, the result of the newest one.
    """
    view = public_view(state)
    told: list[Said] = []
    if state.scene is not None and view.game is not None:
        words = words_of(state.scene.rules.ruleset)
        over = view.phase is Phase.OVER
        yield from _scene(view, Said("standing.step.over") if over else words.left(view.step))
        told = [*words.standing(view.game)]
        yield from told[:-1] if over else told
    if state.story is not None and view.story is not None:
        words = words_of(state.story.rules.ruleset)
        yield from words.story(view.story, between=view.game is None)
        for each in view.story.countdowns:
            full = ".full" if each.marked == each.boxes else ""
            places: dict[str, int | str] = {"name": each.name, "boxes": each.boxes}
            yield said(f"standing.countdown{full}", marked=each.marked, **places)
    if state.scene is None and state.ended:
        yield from _result(state.ended[-1])
    elif view.phase is Phase.OVER:
        yield from told[-1:]


def _scene(view: PublicView, step: Said) -> Iterator[Said]:
    titled = {"title": view.title} if view.title else {}
    key = "standing.scene" if view.title else "standing.scene.untitled"
    yield said(key, number=view.scene, turn=view.turn_number, step=step, **titled)
    if view.awaited:
        yield said("standing.awaited", names=names(view.awaited))
    if view.committed:
        yield said("standing.chosen", names=names(view.committed))


def _result(ended: Ended) -> Iterator[Said]:
    untitled = "" if ended.title else ".untitled"
    places: dict[str, int | str] = {"number": ended.number, "title": ended.title}
    if not ended.over:
        yield said(f"standing.closed{untitled}", **places)
        return
    told = [*words_of(ended.rules.ruleset).standing(ended.rules.view(ended.game))]
    yield from (said(f"standing.result{untitled}", result=each, **places) for each in told[-1:])
