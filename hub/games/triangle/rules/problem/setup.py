"""Read the description of a problem (JSON values) into its initial state.

``docs/rules/characters.md`` describes the format.
"""

from typing import Any

from hub.games.game import GM
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.book import BACKGROUND_POINTS
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.problem.state import Player, ProblemState
from hub.kernel.documents import Document
from hub.kernel.faults import shown

MAX_CHARACTERS = 64
MAX_PROBLEM_CHARS = 500


# book: problems.interested
def read_problem(
    document: Document, book: Edition, ruleset: str, setup: object
) -> ProblemState | None:
    """Return the problem before any choice; None if the document has a fault."""
    before = len(document.faults)
    given = document.table(setup, (), ("characters",), ("ruleset", "problem", "interested"))
    if given.get("ruleset", ruleset) != ruleset:
        document.blame(
            ("ruleset",), Reason("other-ruleset", value=shown(given["ruleset"]), book=ruleset)
        )
    problem = document.text(given.get("problem", ""), ("problem",))
    if len(problem) > MAX_PROBLEM_CHARS or not problem.isprintable():
        document.blame(("problem",), Reason("text-not-printable", most=MAX_PROBLEM_CHARS))
    characters = document.table(given.get("characters", {}), ("characters",))
    if len(characters) > MAX_CHARACTERS:
        document.blame(("characters",), Reason("too-many-people", most=MAX_CHARACTERS))
        return None
    players = {name: _read_player(document, name, value) for name, value in characters.items()}
    interested = _read_interested(document, given.get("interested", [*players]), players)
    if len(document.faults) > before:
        return None
    return ProblemState(book=book, problem=problem, players=players, interested=interested)


def _read_interested(
    document: Document, value: object, players: dict[str, Player]
) -> tuple[str, ...]:
    """Read who takes part; the result is in the order of the characters."""
    names = document.items(value, ("interested",))
    if not names:
        document.blame(("interested",), Reason("nobody-interested"))
    for index, name in enumerate(names):
        place = ("interested", index)
        if name not in [*players]:
            document.blame(place, Reason("not-a-character", name=shown(name)))
        elif name in names[:index]:
            document.blame(place, Reason("interested-twice", name=name))
    return tuple(name for name in players if name in names)


def _read_player(document: Document, name: str, value: object) -> Player:
    place = ("characters", name)
    flags = ("belief", "flaw", "veto")
    keys = document.table(value, place, (), ("backgrounds", "undecided", *flags, "decided"))
    if name == GM:
        document.blame(place, Reason("gm-no-name", gm=GM))
    at = (*place, "backgrounds")
    given = document.table(keys.get("backgrounds", {}), at)
    backgrounds = {key: document.number(left, (*at, key)) for key, left in given.items()}
    if len({key.casefold() for key in backgrounds}) < len(backgrounds):
        document.blame(at, Reason("same-name-twice"))
    undecided = document.number(keys.get("undecided", 0), (*place, "undecided"))
    if sum(backgrounds.values()) + undecided > BACKGROUND_POINTS:
        document.blame(at, Reason("backgrounds-too-many", most=BACKGROUND_POINTS))
    open_now: dict[str, Any] = {
        flag: document.flag(keys.get(flag, True), (*place, flag)) for flag in flags
    }
    decided = document.number(keys.get("decided", 0), (*place, "decided"))
    return Player(backgrounds, undecided, decided=decided, **open_now)
