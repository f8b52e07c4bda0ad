"""The public view of a story (countdowns, stakes, and the sheets of player characters), and further
data for the GM's console and the players' pages.

The sheets of player characters are public. NPCs are left out of the view; a conflict shows the
energy of those who take part.
"""

from typing import TypedDict

from msgspec import Struct

from hub.games.game import view_of
from hub.games.story import StoryView
from hub.games.triangle.rules.characters.sheet import Rest, Sheet, Trait
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.story.learning import Level, as_level, level_up_of, level_ups
from hub.games.triangle.story.newcomers import waiting_players
from hub.games.triangle.story.state import StoryState


class PersonView(Struct, frozen=True, kw_only=True):
    """The public sheet of a player character, as it is between scenes."""

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
    """The breathers and short rests since the last full rest."""
    sits_out: bool
    dead: bool


# book: countdowns.public
class TriangleStoryView(StoryView, frozen=True, kw_only=True):
    """The public view of a story by one of the three books."""

    house: str | None
    """The id of the house rules; None for the plain book."""
    party: dict[str, PersonView]


def public_view(state: StoryState) -> TriangleStoryView:
    """Return what everyone may see of the story: no NPCs, and nothing in reserve."""
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


class OwnConsole(TypedDict):
    """The data that the GM's console shows of a story in addition to its view."""

    level_ups: dict[str, Level]
    """Player character → its next level-up; empty during a scene."""
    reserve: dict[str, Sheet]
    """The sheets of the player characters in reserve, by name."""


class OwnCharacter(TypedDict):
    """The data that a player's own pages show of a character in addition to its sheet."""

    level_up: Level | None
    """The character's next level-up; None during a scene, for the dead, and for NPCs."""


def console(state: StoryState, *, playing: bool) -> OwnConsole:
    """Return the data for the GM's console. The level-ups take a few milliseconds for each
    character."""
    found = {} if playing else level_ups(state)
    return {
        "level_ups": {name: as_level(each) for name, each in found.items()},
        "reserve": {name: state.reserve[name] for name in waiting_players(state)},
    }


def own(state: StoryState, name: str, *, playing: bool) -> OwnCharacter:
    """Return the data for the pages of one character's player. The options of a level-up are listed
    only once the character can level up."""
    if playing or name not in state.party:
        return {"level_up": None}
    level = as_level(level_up_of(state, name))
    return {"level_up": level if level["why"] is None else {**level, "options": []}}
