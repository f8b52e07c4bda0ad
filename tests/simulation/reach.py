"""The kinds of faults, changes of phase and types of events that simulated evenings can reach, and
that a long run has to reach; by the keys of :attr:`Outcome.reached`."""

from collections.abc import Mapping
from itertools import chain

from hub.table import acts
from hub.table.phases import TRANSITIONS
from hub.table.records import tag_of
from hub.table.state import Phase
from tests.simulation.plan import KINDS

_FAULTS = frozenset(f"fault {kind}" for kind in chain.from_iterable(KINDS.values()))
_PHASES = frozenset(
    f"{phase} to {after}"
    for (phase, _), following in TRANSITIONS.items()
    for after in following
    if after is not phase
)
_EVENTS = frozenset(f"event {tag_of(kind)}" for kind in acts.EVENTS)
EXPECTED: Mapping[str, frozenset[str]] = {
    "kinds of faults": _FAULTS,
    "changes of phase": _PHASES,
    "types of events": _EVENTS,
}
"""All that there is."""

# Not reachable yet, with the reason
_NO_OPEN_CHOICES = frozenset(key for key in _PHASES if str(Phase.OPEN) in key.split(" to "))
"""None of the books that are played (:data:`tests.simulation.tables.BOOKS`) has open choices."""
_NOT_DONE = frozenset(
    f"event {each}"
    for each in (
        *("came-back", "sat-out", "stays-away", "character-joined", "character-left"),
        *("evening-named", "evening-ended", "log-begun", "overruled", "portrayed", "timer-set"),
        *("played-by-gm", "played-by-hub", "story-begun", "story-told", "story-undone"),
        *("stop-made", "scene-called-off", "counted"),
    )
)
"""No hands do what these events come of (:mod:`tests.simulation.hands`), or no book has it."""
_NOT_UNDONE = frozenset(
    {"idle to over", "idle to paused", "idle to sealed", "event scene-reopened"}
)
"""Only an undo after a scene's end leads to these, and hands do that too seldom."""
UNREACHABLE = _NO_OPEN_CHOICES | _NOT_DONE | _NOT_UNDONE

RARE = frozenset(
    {
        *("decision to idle", "decision to over", "locked to idle", "over to decision"),
        *("over to sealed", "paused to idle", "paused to over", "sealed to idle", "sealed to over"),
        *("event chance-sealed", "event deadline-passed", "event passed", "event reader-reliable"),
        *("event reader-unreliable", "event seal-dropped", "event set-beside", "event withdrawn"),
    }
)
"""Reached by less than one evening in twenty; only long runs demand it."""


def missing(reached: Mapping[str, int], *, rare: bool = True) -> dict[str, list[str]]:
    """The reachable keys that were not reached, by the names of :data:`EXPECTED`. ``rare``: also
    those in :data:`RARE`."""
    spared = UNREACHABLE if rare else UNREACHABLE | RARE
    return {
        name: sorted(key for key in keys - spared if not reached.get(key))
        for name, keys in EXPECTED.items()
    }
