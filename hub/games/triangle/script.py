"""Play a conflict that is scripted turn by turn, with the same transitions that the table uses.

Every number, name and move is checked. A fault carries its place; the results of earlier turns
have already been yielded.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.editions import DEFAULT, EDITIONS
from hub.games.triangle.rules.record import closing_object, turn_object
from hub.games.triangle.rules.scripted import TurnPlayer
from hub.games.triangle.rules.setup import KEYS_OPTIONAL, KEYS_REQUIRED, read_conflict
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import shown

MAX_TURNS = 100_000
RULESETS = tuple(EDITIONS)


def play(
    document: Document, default: str, known: Sequence[str], house: Edition | None = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.games.family.Script`."""
    blame_doubled(document, document.values, (), apart="turns")
    given = document.table(document.values, (), (*KEYS_REQUIRED, "turns"), KEYS_OPTIONAL)
    editions = {**EDITIONS, **({house.id: house} if house else {})}
    ruleset = given.get("ruleset", default)
    edition = editions.get(ruleset) if isinstance(ruleset, str) else None
    if edition is None:
        document.blame(("ruleset",), Reason("no-script-ruleset", value=shown(ruleset), books=known))
    turns = document.items(given.pop("turns", ()), ("turns",), MAX_TURNS)
    setup = {key: value for key, value in given.items() if key != "ruleset"}
    conflict = read_conflict(document, edition or EDITIONS[DEFAULT], setup, complete=False)
    document.check()
    if conflict is None:
        raise AssertionError("a setup without a fault gives a conflict")
    next_up: str | None = None
    agreed = False
    for index, turn in enumerate(turns):
        place = ("turns", index)
        blame_doubled(document, turn, place)
        conflict, next_up, agreed = TurnPlayer(conflict, document, place).play(
            turn, next_up, agreed
        )
        yield turn_object(conflict)
    yield closing_object(conflict)
