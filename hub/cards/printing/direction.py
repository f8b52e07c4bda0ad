"""Text that runs from right to left: its letters in visual order, Arabic ones in joined forms.

A line runs from right to left if most of its letters do. The joined forms are Unicode's
presentation forms, so that a font needs no tables for joining.

Ref: Unicode Standard Annex 9 (bidirectional text) without explicit embeddings; chapter 9.2 of the
Unicode Standard (joining).
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_NUMBERS = frozenset({"EN", "AN"})
_WITHIN_NUMBERS = frozenset({"ES", "CS", "ET"})
_FORMS = (*range(0xFB50, 0xFDFC), *range(0xFE70, 0xFEFD))
"""Unicode's ranges of presentation forms for Arabic letters."""
_TATWEEL = "\u0640"
_BRACKETS = frozenset("()[]{}")
"""Brackets take the direction of their line (UAX 9, N0)."""
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


class _Letter(NamedTuple):
    sign: str
    """A letter with its combining marks."""
    level: int


def visual(text: str) -> str:
    """The letters of a line in the order in which they are drawn, from left to right."""
    if not any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text):
        return text
    found = [*_letters(joined(text))]
    highest = max(letter.level for letter in found)
    for level in range(highest, 0, -1):
        found = [
            letter
            for turned, run in groupby(found, lambda each: each.level >= level)  # noqa: B023
            for letter in (reversed([*run]) if turned else run)
        ]
    return "".join(sign.translate(_MIRRORED) if level % 2 else sign for sign, level in found)


def _letters(text: str) -> Iterator[_Letter]:
    """Each letter with its embedding level; odd levels run from right to left (UAX 9, W1 to I2)."""
    signs = _clusters(text)
    kinds = [unicodedata.bidirectional(sign[0]) for sign in signs]
    leftward = sum(kind in _RIGHT_TO_LEFT for kind in kinds)
    base = "R" if leftward > kinds.count("L") else "L"
    last = base
    for at, kind in enumerate(kinds):
        beside = {kinds[at - 1] if at else "", kinds[at + 1] if at + 1 < len(kinds) else ""}
        if kind in _RIGHT_TO_LEFT:
            last = kinds[at] = "R"
        elif kind == "L":
            last = "L"
        elif kind in _NUMBERS or (kind in _WITHIN_NUMBERS and beside & {*_NUMBERS, "N"}):
            kinds[at] = "L" if last == "L" else "N"
        else:
            kinds[at] = base if signs[at] in _BRACKETS else ""
    levels = {"R": 1, "N": 2, "L": 0 if base == "L" else 2}
    for sign, kind in zip(signs, _settled(kinds, base), strict=True):
        yield _Letter(sign, levels[kind])


def _settled(kinds: list[str], base: str) -> Iterator[str]:
    """The direction of each letter. A neutral letter gets that of its neighbours if they agree,
    otherwise that of the line (``base``)."""
    around = {"": base, "N": "R"}
    before = base
    for kind, run in groupby(enumerate(kinds), lambda each: each[1]):
        places = [at for at, _ in run]
        after = next(filter(None, kinds[places[-1] + 1 :]), base)
        between = around.get(before, before)
        for _ in places:
            yield kind or (between if between == around.get(after, after) else base)
        before = kind or before


def _clusters(text: str) -> list[str]:
    found: list[str] = []
    for sign in text:
        if found and unicodedata.bidirectional(sign) == "NSM":
            found[-1] += sign
        else:
            found.append(sign)
    return found


def joined(text: str) -> str:
    """The text with its Arabic letters in their joined forms."""
    forms, ligatures = _forms()
    found: list[str] = []
    signs = _clusters(text)
    heads = [sign[0] for sign in signs]
    at = 0
    while at < len(signs):
        head, tail = heads[at], signs[at][1:]
        pair = "".join(heads[at : at + 2])
        after = at + (2 if pair in ligatures else 1)
        own = ligatures.get(pair) or forms.get(head, {})
        before = at > 0 and _reaches(heads[at - 1], forms) and "final" in own
        behind = after < len(heads) and "initial" in own and _takes(heads[after], forms)
        kind = ("medial" if behind else "final") if before else "initial" if behind else "isolated"
        more = signs[at + 1][1:] if after - at > 1 else ""
        found.append(own.get(kind, head) + tail + more)
        at = after
    return "".join(found)


def _reaches(sign: str, forms: dict[str, dict[str, str]]) -> bool:
    """Whether a letter joins the one after it."""
    return sign == _TATWEEL or "initial" in forms.get(sign, {})


def _takes(sign: str, forms: dict[str, dict[str, str]]) -> bool:
    """Whether a letter joins the one before it."""
    return sign == _TATWEEL or "final" in forms.get(sign, {})


@cache
def _forms() -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Letter → its joined forms; and the same for pairs of letters that are written as one."""
    forms: dict[str, dict[str, str]] = {}
    ligatures: dict[str, dict[str, str]] = {}
    for code in _FORMS:
        kind, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        of = "".join(chr(int(letter, 16)) for letter in letters)
        if len(of) == 1:
            forms.setdefault(of, {})[kind.strip("<>")] = chr(code)
        elif len(of) == 2 and of[0] == "\u0644" and of[1] in "\u0622\u0623\u0625\u0627":  # noqa: PLR2004
            ligatures.setdefault(of, {})[kind.strip("<>")] = chr(code)
    return forms, ligatures
