"""The transition table: which inputs are accepted in which phase, and where they may lead.

``step()`` refuses everything else, the tests walk every pair, and the diagram in
``docs/develop/architecture.md`` is drawn from it.
"""

from collections.abc import Iterable

from hub.kernel.reasons import Reason
from hub.table import inputs as i
from hub.table.state import ASKING, Phase

ALL = frozenset(Phase)
PLAYING = ASKING | {Phase.LOCKED}
AFTER_ANSWER = ASKING | {Phase.OVER}
"""The phases that may follow once all awaited actors have answered."""

TRANSITIONS: dict[tuple[Phase, type], frozenset[Phase]] = {}
"""(phase, input type) → the phases that may follow. Missing pairs are refused."""


def _hear(*kinds: type[i.Input], where: Iterable[Phase], to: Iterable[Phase] | None = None) -> None:
    """Accept ``kinds`` in each phase of ``where``; without ``to``, the phase stays the same."""
    for phase in where:
        for kind in kinds:
            TRANSITIONS[phase, kind] = frozenset({phase} if to is None else to)


_hear(i.ReaderTroubled, i.BeginLog, i.TellStory, i.WishFor, where=ALL)
_hear(i.AddCharacter, i.RemoveCharacter, where=ALL)
_hear(i.PlayFor, i.Portray, i.NameEvening, i.SetTimer, i.SetClock, where=ALL)
_hear(i.BeginStory, i.EndEvening, where={Phase.IDLE})
_hear(i.StartScene, i.StageScene, where={Phase.IDLE}, to=AFTER_ANSWER)
_hear(i.EndScene, where=ALL - {Phase.IDLE}, to={Phase.IDLE})
_hear(
    *(i.FieldChanged, i.ReaderFound, i.ReaderMissing, i.Tick),
    *(i.Commit, i.Decide, i.Withdraw, i.DropSeal, i.SitOut, i.LetHubPlay),
    where={Phase.SEALED},
    to=AFTER_ANSWER | {Phase.LOCKED},
)
_hear(i.TakeBack, where={Phase.SEALED, Phase.DECISION})
_hear(i.FieldChanged, i.Decide, i.SitOut, where={Phase.OPEN, Phase.DECISION}, to=AFTER_ANSWER)
_hear(i.SitOut, where={Phase.IDLE, Phase.OVER})
_hear(i.FieldChanged, where=ALL - ASKING)
_hear(i.ReaderFound, i.ReaderMissing, i.LetHubPlay, where=ALL - {Phase.SEALED})
_hear(i.Tick, where=ALL - {Phase.SEALED, Phase.LOCKED})
_hear(i.Tick, where={Phase.LOCKED}, to=AFTER_ANSWER | {Phase.LOCKED})
_hear(i.Overrule, where=ASKING, to=AFTER_ANSWER)
_hear(i.Pause, where=PLAYING, to={Phase.PAUSED})
_hear(i.Resume, where={Phase.PAUSED}, to=PLAYING | {Phase.OVER})
_hear(i.ButtonPressed, where=PLAYING, to={Phase.PAUSED})
_hear(i.ButtonPressed, where={Phase.PAUSED}, to=AFTER_ANSWER | {Phase.LOCKED, Phase.PAUSED})
_hear(i.ButtonPressed, where={Phase.IDLE, Phase.OVER})
_hear(i.Undo, where={Phase.IDLE}, to=AFTER_ANSWER | {Phase.IDLE, Phase.PAUSED})
_hear(i.Undo, where=AFTER_ANSWER, to=AFTER_ANSWER | {Phase.IDLE})
_hear(i.Undo, where={Phase.LOCKED}, to=AFTER_ANSWER | {Phase.IDLE, Phase.LOCKED})
_hear(i.Undo, where={Phase.PAUSED})

NOT_NOW = {
    Phase.IDLE: Reason("start-scene-first"),
    Phase.SEALED: Reason("cards-chosen"),
    Phase.LOCKED: Reason("reveal-due"),
    Phase.OPEN: Reason("open-choice-awaited"),
    Phase.DECISION: Reason("decision-awaited"),
    Phase.PAUSED: Reason("paused"),
    Phase.OVER: Reason("scene-over"),
}
"""Why an input is refused in this phase, for its sender."""


def mermaid() -> str:
    """The table as a Mermaid state diagram, without inputs that never change the phase."""
    arrows: dict[tuple[Phase, Phase], list[str]] = {}
    for (phase, kind), following in TRANSITIONS.items():
        for after in following:
            if after is not phase or len(following) > 1:
                arrows.setdefault((phase, after), []).append(kind.__name__)
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.IDLE}"]
    order = list(Phase)
    for (phase, after), kinds in sorted(
        arrows.items(), key=lambda item: (order.index(item[0][0]), order.index(item[0][1]))
    ):
        lines.append(f"    {phase} --> {after}: {', '.join(sorted(kinds))}")
    return "\n".join(lines) + "\n"
