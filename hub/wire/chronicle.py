"""The chronicle: events and their consequences by the rules, told as a story.

It holds nothing beyond the public log. Nonces are left out: to check a seal, read the log.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.game import Choice, Consequence
from hub.games.telling import Words
from hub.kernel.texts import Said
from hub.table import acts as r
from hub.table.acts.reveal import Revealed
from hub.table.acts.undo import Undone
from hub.table.records import Event, Record
from hub.table.sealed import Opening
from hub.table.state import TableState

_PLAIN = Words()
_UNTOLD = (r.LogBegun, r.ChanceSealed, r.Locked, r.StopMade, r.DeadlineSet, r.Counted)
"""Events that only ``facedown replay`` tells."""


class Entry(Struct, frozen=True):
    """One record of the chronicle."""

    seq: int
    at_ms: int
    """When the record was written, in ms since the Unix epoch."""
    event: dict[str, Any]
    """The public event as JSON values, of the kind named by ``type``."""
    came: tuple[Consequence, ...] = ()
    told: tuple[Said, ...] = ()
    """The event and its consequences as sentences; empty if the pages tell nothing of the
    record."""
    begins: bool = False
    """Whether the event is a choice that begins a paragraph."""


def chronicle_entry(
    before: TableState, record: Record, after: TableState, words: Words = _PLAIN
) -> Entry:
    """The entry of ``record``, which led from ``before`` to ``after``. ``words``: those of the
    ruleset that :func:`ruleset_told` names."""
    event = record.event
    came = () if before.scene is after.scene else tuple(followed(before, record, after))
    told = [] if isinstance(event, _UNTOLD) else event.told(words)
    told += (each for one in came for each in words.followed(one, event.cards()))
    begins = isinstance(event, r.Decided) and words.begins(Choice.written(event.choice))
    return Entry(record.seq, record.at_ms, _public(event), came, tuple(told), begins)


def ruleset_told(before: TableState, after: TableState) -> str:
    """The ruleset whose words tell a record: that of the scene that is played or ends here, else
    that of the story; empty without both."""
    played = after.scene or before.scene or after.story or before.story
    return played.rules.ruleset if played else ""


def followed(before: TableState, record: Record, after: TableState) -> Sequence[Consequence]:
    """The consequences of ``record`` by the rules; none for an undo, which only restores an earlier
    state."""
    scene, then = after.scene, before.scene
    if scene is None or isinstance(record.event, Undone):
        return ()
    rules = scene.rules
    if then and then.rules is rules and then.game is scene.game:
        return ()  # most records change nothing by the rules
    earlier = rules.view(then.game) if then and then.rules is rules else None
    return rules.consequences(earlier, rules.view(scene.game))


def _public(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, Revealed):
        fields["openings"] = _bare(event.openings)
        fields["beside"] = _bare(event.beside)
    return fields


def _bare(opened: Any) -> Any:
    """Openings, in any nesting, without their nonces."""
    match opened:
        case Opening(choice=choice):
            return {"choice": choice}
        case dict():
            return {key: _bare(value) for key, value in opened.items()}
        case _:
            return [_bare(each) for each in opened]
