"""A story at one moment, and its countdowns with the ids that they keep."""

import re
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from hub.rules.game import RulesError
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.countdowns import Countdowns
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.editions import edition_of
from hub.rules.triangle.names import name_first

MAX_ID_CHARS = 32
MOST_ERASED = 64
"""How many ids of erased countdowns are remembered."""
_OTHER = re.compile(r"[^a-z0-9]+")


class StoryState(Struct, frozen=True, kw_only=True):
    """What lasts between scenes."""

    ruleset: str
    sheets: Mapping[str, Sheet]
    """Everybody in the story by name, in order."""
    reserve: Mapping[str, Sheet] = {}
    """Characters that wait to join, or to replace somebody."""
    heirs: Mapping[str, str] = {}
    """Who replaced somebody, and whom."""
    countdowns: Countdowns = Countdowns()
    ids: Mapping[str, str] = {}
    """Countdown → its id."""
    erased: tuple[str, ...] = ()
    """Ids of countdowns that are gone, the newest last."""
    house: Mapping[str, Any] | None = None
    """The house rules that its conflicts are played by, as their setups have them."""
    rules: Edition | UnsetType = UNSET
    """What they say about characters."""
    may_rest: bool = False
    """Whether a conflict was played since the last rest (R18)."""
    stakes: str = ""
    """What the next conflict, or the one being played, is about."""

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

    def with_countdowns(self, countdowns: Countdowns) -> "StoryState":
        """The same story with other countdowns; a new one is given an id of its own."""
        names = [each.name for each in countdowns.each]
        ids = {name: self.ids[name] for name in names if name in self.ids}
        for name in names:
            if name not in ids:
                ids[name] = plain_id(name, ids.values())
        return replace(self, countdowns=countdowns, ids=ids, erased=self._erased(ids))

    def back(self, earlier: "StoryState") -> "StoryState":
        """``earlier``, with the ids that countdowns have had since among those that are gone."""
        return replace(earlier, erased=self._erased(earlier.ids))

    def _erased(self, ids: Mapping[str, str]) -> tuple[str, ...]:
        """The ids that are gone when ``ids`` are those that there are."""
        gone = [each for each in self.ids.values() if each not in ids.values()]
        erased = [each for each in self.erased if each not in {*gone, *ids.values()}]
        return (*erased, *gone)[-MOST_ERASED:]


def named(sheets: Mapping[str, Sheet], text: str) -> tuple[Sheet, str]:
    """Whose name ``text`` begins with, the longest if there are several, and what follows it."""
    name, rest = name_first(sheets, text)
    if not name:
        raise nobody(sheets)
    return sheets[name], rest


def nobody(sheets: Mapping[str, Sheet]) -> RulesError:
    """The refusal of what begins with no name."""
    known = ", ".join(sheets) or "nobody"
    return RulesError(f"name a character of the story first (there are: {known})")


def plain_id(name: str, taken: Iterable[str]) -> str:
    """A name as a topic can bear it, told from others like it by a number."""
    plain = _OTHER.sub("-", name.lower()).strip("-")[:MAX_ID_CHARS].strip("-") or "countdown"
    used = {*taken}
    for number in count(1):
        tail = f"-{number}" if number > 1 else ""
        candidate = plain[: MAX_ID_CHARS - len(tail)] + tail
        if candidate not in used:
            return candidate
    raise AssertionError("numbers do not end")
