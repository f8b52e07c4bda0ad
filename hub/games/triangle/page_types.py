"""Types of the data on the pages of the three books, against which their scripts are checked."""

from hub.games.triangle.fresh import Beginning
from hub.games.triangle.games import STORIES
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.consequences import AnyConsequence
from hub.games.triangle.rules.overrules.said import WORD as IN_CONFLICTS
from hub.games.triangle.rules.problem.game import WORD as IN_PROBLEMS
from hub.games.triangle.rules.problem.views import ProblemOver
from hub.games.triangle.rules.specials import SpecialMeans
from hub.games.triangle.story.views import OwnCharacter, OwnConsole

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
