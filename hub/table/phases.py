"""The transition table: which inputs are accepted in which phase, and where they may lead.

``step()`` refuses everything else, the tests walk every pair, and the diagram in
``docs/develop/architecture.md`` is drawn from it.
"""

from collections.abc import Iterable

from hub.table import acts
from hub.table.inputs import Command, Fact
from hub.table.state import ASKING, Phase

ALL = frozenset(Phase)
PLAYING = ASKING | {Phase.LOCKED}
AFTER_ANSWER = ASKING | {Phase.OVER}
"""The phases that may follow once all awaited actors have answered."""

TRANSITIONS: dict[tuple[Phase, type], frozenset[Phase]] = {}
"""(phase, input type) → the phases that may follow. Missing pairs are refused."""


def _hear(
    *kinds: type[Fact | Command], where: Iterable[Phase], to: Iterable[Phase] | None = None
) -> None:
    """Accept ``kinds`` in each phase of ``where``; without ``to``, the phase stays the same."""
    for phase in where:
        for kind in kinds:
            TRANSITIONS[phase, kind] = frozenset({phase} if to is None else to)


_hear(acts.ReaderTroubled, acts.BeginLog, acts.TellStory, acts.WishFor, where=ALL)
_hear(acts.AddCharacter, acts.RemoveCharacter, where=ALL)
_hear(acts.PlayFor, acts.Portray, acts.NameEvening, acts.SetTimer, acts.SetClock, where=ALL)
_hear(acts.BeginStory, acts.EndEvening, where={Phase.IDLE})
_hear(acts.StartScene, where={Phase.IDLE}, to=AFTER_ANSWER)
_hear(acts.EndScene, where=ALL - {Phase.IDLE}, to={Phase.IDLE})
_hear(
    *(acts.FieldChanged, acts.ReaderFound, acts.ReaderMissing, acts.Tick),
    *(acts.Commit, acts.Decide, acts.Withdraw, acts.DropSeal, acts.SitOut, acts.LetHubPlay),
    where={Phase.SEALED},
    to=AFTER_ANSWER | {Phase.LOCKED},
)
_hear(acts.TakeBack, where={Phase.SEALED, Phase.DECISION})
_hear(
    acts.FieldChanged, acts.Decide, acts.SitOut, where={Phase.OPEN, Phase.DECISION}, to=AFTER_ANSWER
)
_hear(acts.SitOut, where={Phase.IDLE, Phase.OVER})
_hear(acts.FieldChanged, where=ALL - ASKING)
_hear(acts.ReaderFound, acts.ReaderMissing, acts.LetHubPlay, where=ALL - {Phase.SEALED})
_hear(acts.Tick, where=ALL - {Phase.SEALED, Phase.LOCKED})
_hear(acts.Tick, where={Phase.LOCKED}, to=AFTER_ANSWER | {Phase.LOCKED})
_hear(acts.Overrule, where=ASKING, to=AFTER_ANSWER)
_hear(acts.Pause, where=PLAYING, to={Phase.PAUSED})
_hear(acts.Resume, where={Phase.PAUSED}, to=PLAYING | {Phase.OVER})
_hear(acts.ButtonPressed, where=PLAYING, to={Phase.PAUSED})
_hear(acts.ButtonPressed, where={Phase.PAUSED}, to=AFTER_ANSWER | {Phase.LOCKED, Phase.PAUSED})
_hear(acts.ButtonPressed, where={Phase.IDLE, Phase.OVER})
_hear(acts.Undo, where={Phase.IDLE}, to=AFTER_ANSWER | {Phase.IDLE, Phase.PAUSED})
_hear(acts.Undo, where=AFTER_ANSWER, to=AFTER_ANSWER | {Phase.IDLE})
_hear(acts.Undo, where={Phase.LOCKED}, to=AFTER_ANSWER | {Phase.IDLE, Phase.LOCKED})
_hear(acts.Undo, where={Phase.PAUSED})


def mermaid() -> str:
    """The transition table as a Mermaid state diagram, without inputs that never change the
    phase."""
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
