"""Build a problem from character sheets or from its description (JSON values), and carry its
results back to the sheets.

``docs/rules/characters.md`` describes the format.
"""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM, SetupError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import mark, spend_background, use_veto
from hub.games.triangle.rules.characters.sheet import BACKGROUND_POINTS, Sheet, Trait, said
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.problem.state import Player, ProblemState
from hub.games.triangle.rules.problem.views import ProblemView
from hub.kernel.documents import Document
from hub.kernel.faults import Fault, shown

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


# book: problems.interested
def problem_setup(
    sheets: Collection[Sheet], problem: str = "", interested: Collection[str] | None = None
) -> dict[str, Any]:
    """Return the description of a problem. Without ``interested``, all characters are.

    Raises :class:`SetupError` with every fault of the sheets.
    """
    faults = [Fault(("characters", s.name), why) for s in sheets for why in _cannot(s)]
    rulesets = {sheet.ruleset for sheet in sheets}
    if len(rulesets) != 1:
        faults.append(Fault(("characters",), Reason("some-needed")))
    if len({sheet.name for sheet in sheets}) < len(sheets):
        faults.append(Fault(("characters",), Reason("same-name-twice")))
    if faults:
        raise SetupError(*faults)
    names = [sheet.name for sheet in sheets] if interested is None else [*interested]
    return {
        "ruleset": f"{rulesets.pop()}-problem",
        "problem": problem,
        "interested": names,
        "characters": {sheet.name: _character(sheet) for sheet in sheets},
    }


# book: background.point, complication.marked, failure.marked, after-problem.nobody-dies
# book: using-veto.used-up
def after_problem(sheet: Sheet, view: ProblemView) -> Sheet:
    """Return the sheet after a problem that ended as ``view`` shows: points spent, marks, and
    whether it decided. Raises :class:`SheetError` if the sheet has changed since it entered."""
    change = view.result.changes.get(sheet.name) if view.result else None
    if change is None:
        return sheet
    if change.background:
        sheet = spend_background(sheet, change.background)
    if change.belief:
        sheet = mark(sheet, "belief")
    if change.flaw:
        sheet = mark(sheet, "flaw")
    if change.veto:
        sheet = use_veto(sheet)
    return replace(sheet, decided=change.decided)


def _cannot(sheet: Sheet) -> Iterator[Reason]:
    yield from map(said, faults_of(sheet))
    if sheet.npc:
        yield Reason("npc-decides-nothing")
    if sheet.dead:
        yield Reason("dead", who=sheet.name)


def _character(sheet: Sheet) -> dict[str, Any]:
    return {
        "backgrounds": {each.name: each.left for each in sheet.backgrounds},
        "undecided": sheet.undecided_points,
        "belief": _is_open(sheet.belief),
        "flaw": _is_open(sheet.flaw),
        "veto": sheet.veto,
        "decided": sheet.decided,
    }


def _is_open(trait: Trait) -> bool:
    return bool(trait.text) and not trait.marked
