"""Three books, Unroll and both Iron Triangles: conflicts, problems, and the story around them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hub.games.family import Dealing, Demo, Family, Fresh, Houses, Script, Sheets, Starter
from hub.kernel.faults import Fault

if TYPE_CHECKING:
    from hub.games.triangle import dealing, demo, fresh, houses, script, sheets, starter

    _faces: tuple[Dealing, Demo, Fresh, Houses, Script, Sheets, Starter] = (
        *(dealing, demo, fresh, houses),
        *(script, sheets, starter),
    )


class Triangle(Family):
    """The family of Unroll and both Iron Triangles, which share one engine."""

    id = "triangle"
    package = __name__
    story_rulesets = ("unroll", "iron-triangle", "iron-triangle-1e")
    rulesets = (*story_rulesets, *(f"{book}-problem" for book in story_rulesets))

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterator[Fault]:
        """Yield the faults of deceptive names in the house rules and backgrounds of a scene's
        setup."""
        from hub.games.triangle.rules.characters.faults import setup_faults

        return setup_faults(setup)


TRIANGLE = Triangle()
