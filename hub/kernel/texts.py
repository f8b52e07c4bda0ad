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
    """A text of the catalogues: its ``key``, and ``places``, the values for its placeholders."""

    key: str
    places: "dict[str, int | float | str | Said | list[int | float | str | Said]]" = {}
    """Placeholder → its value: a number, a text as it is, another text of the catalogues, or a list
    of these. The number at ``count`` selects the plural form ``KEY.one``."""


Part = int | float | str | Said
"""The value of a placeholder, or an item in it if it is a list."""


class Titled(Said, frozen=True, omit_defaults=True):
    """A text that begins with a capital letter wherever it stands, such as names that begin a
    sentence."""


def said(key: str, /, **places: "Part | Iterable[Part]") -> Said:
    """The text ``key``; ``places`` gives the values of its placeholders."""
    return Said(key, {name: _part(value) for name, value in places.items()})


def _part(value: "Part | Iterable[Part]") -> Any:
    return value if isinstance(value, int | float | str | Said) else [*value]


def name(of: str) -> str | Said:
    """A name as people write it: ``ada`` becomes Ada, ``elbow-clan`` Elbow clan, and ``gm`` the
    catalogue's word for the GM."""
    if of == RESERVED:
        return Said("gm")
    plain = of.replace("-", " ").replace("_", " ")
    return plain[:1].upper() + plain[1:]


def names(of: Iterable[str]) -> "list[str | Said]":
    """Several names as people write them."""
    return [name(each) for each in of]


def listed(of: "Iterable[Part]") -> Said:
    """Several things as one text: *Ada, Bo and the GM*."""
    return said("list", items=of)


def stopped(text: str) -> str:
    """A text with a full stop, unless it is empty or ends with a mark already."""
    return text if not text or text.endswith(_ENDS) else f"{text}."


class Texts:
    """The texts of one language, found by key, with their placeholders filled."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._texts = catalogue

    def __call__(self, key: str, **values: Any) -> str:
        """The text of ``key``, with ``values`` for its placeholders; the key itself if there is no
        text."""
        return self._filled(key, values)

    def told(self, part: Any) -> str:
        """A value as a person reads it: a text of the catalogues filled in, a number, or a text as
        it is."""
        if isinstance(part, Said):
            text = self._filled(part.key, part.places)
            return _capital(text) if isinstance(part, Titled) else text
        return f"{part:g}" if isinstance(part, float) else str(part)

    def title(self, part: Part) -> str:
        """The text of ``part``, beginning with a capital letter."""
        return _capital(self.told(part))

    def sentence(self, told: Said) -> str:
        """The text of ``told``, beginning with a capital letter and ending with a full stop if it
        has no other end."""
        return stopped(self.title(told))

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
        """Join ``words`` with commas. ``last``: ``and`` or ``or``, put before the last item; empty:
        a comma there as well."""
        found = [*words]
        if last and len(found) > 1:
            found[-2:] = [f"{found[-2]} {self._texts.get(f'list.{last}', last)} {found[-1]}"]
        return ", ".join(found)

    def knows(self, key: str) -> bool:
        """Whether there is a text for the key."""
        return key in self._texts


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
