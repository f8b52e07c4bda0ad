"""The state of a story of the three books, and how text finds a character in it."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from hub.games.deeds import Told
from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.editions import edition_of
from hub.games.triangle.rules.grammar import name_first
from hub.kernel.faults import shown


class StoryState(Told, frozen=True, kw_only=True):
    """The state of a story of the three books, which lasts between scenes."""

    ruleset: str
    sheets: Mapping[str, Sheet]
    reserve: Mapping[str, Sheet] = {}
    house: Mapping[str, Any] | None = None
    """The house rules, in the form of a conflict's setup."""
    rules: Edition | UnsetType = UNSET
    """The edition that ``house`` describes; unset without house rules."""
    may_rest: bool = False
    """Whether a rest is allowed: a conflict was played since the last one (R18)."""

    @property
    def book(self) -> Edition:
        """The edition whose rules apply: the book, or its house rules."""
        return self.rules if isinstance(self.rules, Edition) else edition_of(self.ruleset)

    @property
    def party(self) -> dict[str, Sheet]:
        """The living player characters: name → sheet."""
        found = self.sheets.items()
        return {name: sheet for name, sheet in found if not sheet.npc and not sheet.dead}

    def with_sheets(self, sheets: Iterable[Sheet]) -> "StoryState":
        """Return the story with these sheets added or replaced."""
        return replace(self, sheets={**self.sheets, **{sheet.name: sheet for sheet in sheets}})


def named(sheets: Mapping[str, Sheet], text: str) -> tuple[Sheet, str]:
    """Return the sheet with the longest name that ``text`` starts with, and the rest of the text.
    Raises :class:`RulesError` if there is none."""
    name, rest = name_first(sheets, text)
    if not name:
        raise nobody(sheets)
    return sheets[name], rest


def unknown(sheets: Mapping[str, Sheet], name: str) -> RulesError:
    """Return the error for a name that no character has."""
    known = [*sheets] or Reason("nobody")
    return RulesError(Reason("nobody-in-story", name=shown(name), names=known))


def nobody(sheets: Mapping[str, Sheet]) -> RulesError:
    """Return the error for a text that does not start with a character's name."""
    return RulesError(Reason("name-character", names=[*sheets] or Reason("nobody")))
