"""Build a problem from character sheets, and carry its results back."""

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from hub.games.game import SetupError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import mark, spend_background, use_veto
from hub.games.triangle.rules.characters.sheet import Sheet, Trait, said
from hub.games.triangle.rules.problem.views import ProblemView
from hub.kernel.faults import Fault


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
