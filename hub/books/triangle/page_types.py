"""What the triangle's pages are sent of its own, as types: their scripts are checked by them."""

from hub.books.triangle.fresh import Beginning
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.triangle.consequences import AnyConsequence
from hub.rules.triangle.means import SpecialMeans
from hub.rules.triangle.overrule.clauses import WORD as IN_CONFLICTS
from hub.rules.triangle.problem.overrule import WORD as IN_PROBLEMS
from hub.rules.triangle.problem.views import ProblemOver
from hub.rules.triangle.rulesets import STORIES
from hub.rules.triangle.story.console import OwnCharacter, OwnConsole

PAGE_TYPES = {
    "OwnConsole": OwnConsole,
    "OwnCharacter": OwnCharacter,
    "Sheet": Sheet,
    "SpecialMeans": SpecialMeans,
    "Beginning": Beginning,
    "AnyDeed": STORIES[0].deed_type,
    "AnyConsequence": AnyConsequence | ProblemOver,
    "InConflicts": IN_CONFLICTS.kinds,
    "InProblems": IN_PROBLEMS.kinds,
}
