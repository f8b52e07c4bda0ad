"""The GM's *next* button: the obvious next action at the table, if there is one."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import Choice
from hub.kernel.reasons import Reason
from hub.table.acts.decide import Decide
from hub.table.acts.pause import Resume
from hub.table.acts.scenes import EndScene, StartScene
from hub.table.inputs import PHASE, REVISION, SCENE, Command, Files, Request
from hub.table.state import NOT_NOW, Phase, Scene, SeatFault, TableState, phase_of
from hub.table.views import Question, questions


class Next(Command, frozen=True, tag="next"):
    """Do the next thing at the table, if it is obvious: give the default answer to the decision
    that the table waits for, end a scene that is over, start the configured scene, resume after a
    pause. It never seals or reveals."""

    stale_by: ClassVar[tuple[str, ...]] = (SCENE, PHASE, REVISION)

    def prepared(self, request: Request, state: TableState, files: Files) -> Request:
        """The request that moves the table one step on. Raises :class:`SeatFault` saying what the
        table waits for if there is none."""
        scene, phase = state.scene, phase_of(state)
        if scene is None:
            if state.evening_over:
                raise SeatFault(Reason("evening-is-over"))
            return replace(request, command=StartScene(), scene=files.scene())
        match phase:
            case Phase.PAUSED:
                return replace(request, command=Resume())
            case Phase.OVER:
                return replace(request, command=EndScene())
            case Phase.SEALED:
                raise SeatFault(Reason("next-waits-for", who=[*_awaited(scene)]))
            case Phase.LOCKED:
                raise SeatFault(Reason("not-now", why=NOT_NOW[phase]))
            case _:
                return replace(request, command=_answer(state, scene))


def _awaited(scene: Scene) -> tuple[str, ...]:
    """The actors still to choose or, if all have, those that may answer a card beside the step."""
    return scene.waits_for() or tuple(sorted(scene.answers))


def _answer(state: TableState, scene: Scene) -> Decide:
    """The default answer to the first question that has one. Raises :class:`SeatFault`."""
    for asked in questions(state):
        if asked.actor in scene.waits_for():
            for choice in _sensible(asked):
                return Decide(asked.actor, str(choice))
    raise SeatFault(Reason("next-has-no-default", who=[*_awaited(scene)]))


def _sensible(asked: Question) -> Iterator[Choice]:
    """Yield the default answers of a question, and its only possible answer if there is just
    one."""
    open_ = [o for o in asked.offers if o.reason is None and o.choice.kind not in asked.free]
    yield from (offer.choice for offer in open_ if offer.default)
    if len(open_) == 1:
        yield open_[0].choice
