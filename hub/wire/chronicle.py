"""The chronicle: events and their consequences by the rules, for a page to tell as a story.

It holds nothing beyond the public log. Nonces are left out: to check a seal, read the log.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.game import Consequence
from hub.table.acts.reveal import Revealed
from hub.table.acts.undo import Undone
from hub.table.records import Event, Record
from hub.table.sealed import Opening
from hub.table.state import TableState


class Entry(Struct, frozen=True):
    """One record of the chronicle."""

    seq: int
    at_ms: int
    """ms since the Unix epoch."""
    event: dict[str, Any]
    """The public event as JSON values, of the kind named by ``type``."""
    came: tuple[Consequence, ...] = ()


def chronicle_entry(before: TableState, record: Record, after: TableState) -> Entry:
    """The entry of ``record``, which led from ``before`` to ``after``."""
    came = () if before.scene is after.scene else tuple(followed(before, record, after))
    return Entry(record.seq, record.at_ms, _public(record.event), came)


def followed(before: TableState, record: Record, after: TableState) -> Sequence[Consequence]:
    """The consequences of ``record``; none for an undo, which only restores an earlier state."""
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
