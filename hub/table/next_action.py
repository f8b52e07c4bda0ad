"""The GM's *next* button: the obvious next action at the table, if there is one."""

from collections.abc import Callable, Iterator

from hub.games.game import GM, Choice
from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table.phases import NOT_NOW
from hub.table.records import SceneSetup
from hub.table.state import Phase, Scene, SeatFault, TableState, phase_of
from hub.table.views import Question, questions


def next_action(state: TableState, prepared: Callable[[], tuple[str, SceneSetup]]) -> i.Input:
    """The input that moves the table one step on, as the GM. It never seals, reveals or takes back.
    ``prepared`` loads the configured scene.

    Raises :class:`SeatFault` saying what the table waits for if there is no such input; and any
    error of ``prepared``.
    """
    scene, phase = state.scene, phase_of(state)
    if scene is None:
        if state.evening_over:
            raise SeatFault(Reason("evening-is-over"))
        return i.StartScene(*prepared())
    match phase:
        case Phase.PAUSED:
            return i.Resume()
        case Phase.OVER:
            return i.EndScene()
        case Phase.SEALED:
            raise SeatFault(Reason("next-waits-for", who=[*_awaited(scene)]))
        case Phase.LOCKED:
            raise SeatFault(Reason("not-now", why=NOT_NOW[phase]))
        case _:
            return _answer(state, scene)


def _awaited(scene: Scene) -> tuple[str, ...]:
    """The actors still to choose or, if all have, those that may still answer a card beside the
    step."""
    return scene.waits_for() or tuple(sorted(scene.answers))


def _answer(state: TableState, scene: Scene) -> i.Decide:
    """The default answer to the first question that has one. Raises :class:`SeatFault`."""
    for asked in questions(state):
        if asked.actor in scene.waits_for():
            for choice in _sensible(asked):
                return i.Decide(asked.actor, choice, GM)
    raise SeatFault(Reason("next-has-no-default", who=[*_awaited(scene)]))


def _sensible(asked: Question) -> Iterator[Choice]:
    """The default; or the only possible answer."""
    open_ = [o for o in asked.offers if o.reason is None and o.choice.kind not in asked.free]
    yield from (offer.choice for offer in open_ if offer.default)
    if len(open_) == 1:
        yield open_[0].choice
