"""The one table of the phases: which input is heard in which phase, and where it may lead.

``step()`` refuses what is not here, the tests walk every pair, and the diagram in
``docs/architecture.md`` is drawn from it.
"""

from collections.abc import Iterable

from hub.rules.reasons import Reason
from hub.table import inputs as i
from hub.table.state import Phase

ALL = frozenset(Phase)
ASKING = frozenset({Phase.SEALED, Phase.OPEN, Phase.DECISION})
PLAYING = ASKING | {Phase.LOCKED}
AFTER_ANSWER = ASKING | {Phase.OVER}
"""Where the rules may stand once everybody awaited has answered."""

TRANSITIONS: dict[tuple[Phase, type], frozenset[Phase]] = {}
"""(phase, input type) → the phases that may follow. A pair that is missing is refused."""


def _hear(kind: type, where: Iterable[Phase], to: Iterable[Phase] | None = None) -> None:
    """``kind`` is heard in each phase of ``where``; ``to`` None: the phase stays as it is."""
    for phase in where:
        TRANSITIONS[phase, kind] = frozenset({phase} if to is None else to)


_hear(i.FieldChanged, ALL - ASKING)
_hear(i.FieldChanged, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.FieldChanged, {Phase.OPEN, Phase.DECISION}, AFTER_ANSWER)
_hear(i.ReaderFound, ALL - {Phase.SEALED})
_hear(i.ReaderFound, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.ReaderMissing, ALL - {Phase.SEALED})
_hear(i.ReaderMissing, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.ReaderTroubled, ALL)
_hear(i.Tick, ALL - {Phase.SEALED, Phase.LOCKED})
_hear(i.Tick, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.Tick, {Phase.LOCKED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.BeginLog, ALL)
_hear(i.StartScene, {Phase.IDLE}, AFTER_ANSWER)
_hear(i.EndScene, ALL - {Phase.IDLE}, {Phase.IDLE})
_hear(i.Commit, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.TakeBack, {Phase.SEALED})
_hear(i.Withdraw, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.DropSeal, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.Decide, {Phase.SEALED}, AFTER_ANSWER | {Phase.LOCKED})
_hear(i.Decide, {Phase.OPEN, Phase.DECISION}, AFTER_ANSWER)
_hear(i.Overrule, ASKING, AFTER_ANSWER)
_hear(i.Pause, PLAYING, {Phase.PAUSED})
_hear(i.Resume, {Phase.PAUSED}, PLAYING | {Phase.OVER})
_hear(i.Undo, {Phase.IDLE}, AFTER_ANSWER | {Phase.IDLE, Phase.PAUSED})
_hear(i.Undo, AFTER_ANSWER, AFTER_ANSWER | {Phase.IDLE})
_hear(i.Undo, {Phase.LOCKED}, AFTER_ANSWER | {Phase.IDLE, Phase.LOCKED})
_hear(i.Undo, {Phase.PAUSED})
_hear(i.BeginStory, {Phase.IDLE})
_hear(i.TellStory, ALL)
_hear(i.StageScene, {Phase.IDLE}, AFTER_ANSWER)
_hear(i.AddCharacter, ALL)
_hear(i.RemoveCharacter, ALL)

NOT_NOW = {
    Phase.IDLE: Reason("start-scene-first"),
    Phase.SEALED: Reason("cards-chosen"),
    Phase.LOCKED: Reason("reveal-due"),
    Phase.OPEN: Reason("open-choice-awaited"),
    Phase.DECISION: Reason("decision-awaited"),
    Phase.PAUSED: Reason("paused"),
    Phase.OVER: Reason("scene-over"),
}
"""What the phase means to somebody whose input is refused in it."""


def mermaid() -> str:
    """The table as a Mermaid state diagram; inputs that never change the phase are left out."""
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
