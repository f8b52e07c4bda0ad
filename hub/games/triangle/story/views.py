"""The public view of a story: countdowns, stakes, and the sheets of player characters.

Player characters' sheets are public. NPCs are left out; a conflict shows the energy of those who
take part.
"""

from msgspec import Struct

from hub.games.story import StoryView
from hub.games.triangle.rules.characters.book import Rest
from hub.games.triangle.rules.characters.sheet import Sheet, Trait
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.story.state import StoryState
from hub.games.views import view_of


class PersonView(Struct, frozen=True, kw_only=True):
    """A player character between scenes."""

    level: int
    style: str
    energy: Energy
    max: Energy
    zero: tuple[Action, ...]
    belief: Trait
    flaw: Trait
    goal: Trait
    veto: bool
    backgrounds: dict[str, int]
    """Background → points left."""
    moves: tuple[str, ...]
    combos: dict[str, tuple[str, ...]]
    specials: dict[str, bool]
    """Special → whether it can still be used."""
    rested: tuple[Rest, ...]
    """The lesser rests since the last full rest."""
    sits_out: bool
    dead: bool


# book: countdowns.public
class TriangleStoryView(StoryView, frozen=True, kw_only=True):
    """A story of the Koeninger family."""

    house: str | None
    """The id of the house rules for its conflicts; None: the plain book."""
    party: dict[str, PersonView]


def public_view(state: StoryState) -> TriangleStoryView:
    """Return the public parts of the story."""
    return view_of(
        TriangleStoryView,
        state,
        countdowns=state.countdowns.view(),
        erased=state.countdowns.erased,
        house=state.house["id"] if state.house else None,
        party={name: _person(sheet) for name, sheet in state.sheets.items() if not sheet.npc},
    )


def _person(sheet: Sheet) -> PersonView:
    return view_of(
        PersonView,
        sheet,
        backgrounds={each.name: each.left for each in sheet.backgrounds},
        moves=tuple(map(str, sheet.moves)),
        combos={start: tuple(moves) for start, moves in sheet.combos.items()},
        specials={each.id: not each.used for each in sheet.specials},
    )
