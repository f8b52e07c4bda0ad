"""Build a problem from character sheets or from its description (JSON values), and carry its
results back to the sheets.

``docs/rules/setups.md`` describes the format.
"""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM, SetupError
from hub.games.scripts import Part
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
    """Return the problem before any choice; None if ``setup`` has faults, which the document then
    lists. If ``setup`` names a ruleset, that must be ``ruleset``."""
    before = len(document.faults)
    given = Part(document, setup, (), ("characters",), ("ruleset", "problem", "interested"))
    written = given.given.get("ruleset", ruleset)
    if written != ruleset:
        given.blame(Reason("other-ruleset", value=shown(written), book=ruleset), "ruleset")
    problem = given.text("problem")
    if len(problem) > MAX_PROBLEM_CHARS or not problem.isprintable():
        given.blame(Reason("text-not-printable", most=MAX_PROBLEM_CHARS), "problem")
    characters = given.by_name("characters")
    if len(characters.given) > MAX_CHARACTERS:
        characters.blame(Reason("too-many-people", most=MAX_CHARACTERS))
        return None
    players = {name: _read_player(characters, name) for name in characters.given}
    interested = _read_interested(given, players)
    if len(document.faults) > before:
        return None
    return ProblemState(book=book, problem=problem, players=players, interested=interested)


def _read_interested(given: Part, players: dict[str, Player]) -> tuple[str, ...]:
    """Return the characters who show a number, by default all, in the order of ``players``."""
    names = given.items("interested") if "interested" in given else [*players]
    if not names:
        given.blame(Reason("nobody-interested"), "interested")
    for index, name in enumerate(names):
        if name not in [*players]:
            given.blame(Reason("not-a-character", name=shown(name)), "interested", index)
        elif name in names[:index]:
            given.blame(Reason("interested-twice", name=name), "interested", index)
    return tuple(name for name in players if name in names)


def _read_player(characters: Part, name: str) -> Player:
    flags = ("belief", "flaw", "veto")
    given = characters.part(name, (), ("backgrounds", "undecided", *flags, "decided"))
    if name == GM:
        given.blame(Reason("gm-no-name", gm=GM))
    left = given.by_name("backgrounds")
    backgrounds = {key: left.number(key) for key in left.given}
    if len({key.casefold() for key in backgrounds}) < len(backgrounds):
        left.blame(Reason("same-name-twice"))
    undecided = given.number("undecided")
    if sum(backgrounds.values()) + undecided > BACKGROUND_POINTS:
        left.blame(Reason("backgrounds-too-many", most=BACKGROUND_POINTS))
    open_now: dict[str, Any] = {flag: given.flag(flag, usual=True) for flag in flags}
    return Player(backgrounds, undecided, decided=given.number("decided"), **open_now)


# book: problems.interested
def problem_setup(
    sheets: Collection[Sheet], problem: str = "", interested: Collection[str] | None = None
) -> dict[str, Any]:
    """Return the description of a problem. ``interested`` show a number; None means all characters.

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
    """Return the sheet after a problem that ended as ``view`` shows: points spent, marks, the veto,
    and whether the character decided. Raises :class:`SheetError` if the sheet can no longer pay for
    that."""
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
