"""Texts as values, and the texts of a language.

What happened is kept as a :class:`Said`: the key of a text in the catalogues, and what fills its
places. A sentence is made at the edge, in a language: by a page in the browser, by :class:`Texts`
for a terminal, a log or a printer.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from hub.kernel.bounds import RESERVED

_PLACE = re.compile(r"\{(\w+)(?:, (\w+))?\}")
_ENDS = (".", "?", "!", "…")


class Said(Struct, frozen=True, omit_defaults=True):
    """A text by its key, with what fills its places."""

    key: str
    places: "dict[str, int | float | str | Said | list[int | float | str | Said]]" = {}
    """A place is a number, a text as it is, another text of the catalogues, or a list of these. The
    number at ``count`` selects the plural form ``KEY.one``."""


Part = int | float | str | Said
"""What fills a place, or one item of a list that does."""


def said(key: str, /, **places: "Part | Iterable[Part]") -> Said:
    """The text ``key``, with ``places`` for its placeholders."""
    return Said(key, {name: _part(value) for name, value in places.items()})


def _part(value: "Part | Iterable[Part]") -> Any:
    return value if isinstance(value, int | float | str | Said) else [*value]


def name(of: str) -> str | Said:
    """A name as people write it: ``ada`` is Ada, ``elbow-clan`` is Elbow clan."""
    if of == RESERVED:
        return Said("gm")
    plain = of.replace("-", " ").replace("_", " ")
    return plain[:1].upper() + plain[1:]


def names(of: Iterable[str]) -> "list[str | Said]":
    """Several names as people write them."""
    return [name(each) for each in of]


class Texts:
    """The texts of a language by key, with their places filled."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._texts = catalogue

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key, or the key itself if there is none."""
        return self._filled(key, values)

    def told(self, part: Any) -> str:
        """What a person reads for a value: a text filled in, a number, or a text as it is."""
        if isinstance(part, Said):
            return self._filled(part.key, part.places)
        return f"{part:g}" if isinstance(part, float) else str(part)

    def title(self, part: Part) -> str:
        """A text with a capital letter."""
        text = self.told(part)
        return text[:1].upper() + text[1:]

    def sentence(self, told: Said) -> str:
        """A text with a capital letter and a full stop."""
        text = self.title(told)
        return text if not text or text.endswith(_ENDS) else f"{text}."

    def _filled(self, key: str, values: Mapping[str, Any]) -> str:
        one = f"{key}.one"
        text = self._texts.get(one if values.get("count") == 1 and one in self._texts else key, key)

        def fill(found: re.Match[str]) -> str:
            value = values.get(found[1], "")
            if isinstance(value, str) or not isinstance(value, Iterable):
                return self.told(value)
            return self.row(map(self.told, value), found[2] or "")

        return _PLACE.sub(fill, text)

    def row(self, words: Iterable[str], last: str) -> str:
        """Join several items with commas. ``last`` is the word before the last one, ``and`` or
        ``or``; empty for none."""
        found = [*words]
        if last and len(found) > 1:
            found[-2:] = [f"{found[-2]} {self._texts.get(f'list.{last}', last)} {found[-1]}"]
        return ", ".join(found)

    def knows(self, key: str) -> bool:
        """Whether there is a text for the key."""
        return key in self._texts
