"""A story at one moment."""

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
from hub.games.triangle.rules.names import name_first
from hub.kernel.faults import shown


class StoryState(Told, frozen=True, kw_only=True):
    """What lasts between scenes."""

    ruleset: str
    sheets: Mapping[str, Sheet]
    reserve: Mapping[str, Sheet] = {}
    house: Mapping[str, Any] | None = None
    """The house rules that its conflicts are played by, as their setups have them."""
    rules: Edition | UnsetType = UNSET
    """What they say about characters."""
    may_rest: bool = False
    """Whether a conflict was played since the last rest (R18)."""

    @property
    def book(self) -> Edition:
        """What its characters may have, and learn."""
        return self.rules if isinstance(self.rules, Edition) else edition_of(self.ruleset)

    @property
    def party(self) -> dict[str, Sheet]:
        """The player characters that are alive."""
        found = self.sheets.items()
        return {name: sheet for name, sheet in found if not sheet.npc and not sheet.dead}

    def with_sheets(self, sheets: Iterable[Sheet]) -> "StoryState":
        """The same story with some sheets changed."""
        return replace(self, sheets={**self.sheets, **{sheet.name: sheet for sheet in sheets}})


def named(sheets: Mapping[str, Sheet], text: str) -> tuple[Sheet, str]:
    """Whose name ``text`` begins with, the longest if there are several, and what follows it."""
    name, rest = name_first(sheets, text)
    if not name:
        raise nobody(sheets)
    return sheets[name], rest


def unknown(sheets: Mapping[str, Sheet], name: str) -> RulesError:
    """The refusal of a name that nobody has."""
    known = [*sheets] or Reason("nobody")
    return RulesError(Reason("nobody-in-story", name=shown(name), names=known))


def nobody(sheets: Mapping[str, Sheet]) -> RulesError:
    """The refusal of what begins with no name."""
    known = [*sheets] or Reason("nobody")
    return RulesError(Reason("name-character", names=known))
