"""Rejects names that could be confused with each other at the table, on the pages, or by programs.

A name may use any alphabet, but only one. It may not contain invisible characters and must be in
Unicode's NFKC form. Two names that look alike may not be used together. Names are checked when they
come in; those already in a journal stay valid.

Ref: Unicode Technical Standard 39. ``confusables.txt`` holds its table of confusable characters,
limited to those a name can contain. It is read only for names beyond ASCII. The library with the
full table reads a megabyte of JSON on import.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from hub.kernel.bounds import RESERVED
from hub.kernel.reasons import Reason

_LOOKS_LIKE = {
    # Look-alikes that Unicode's table keeps apart, or leaves to case folding.
    # Cyrillic
    **dict(zip("АВСЕНІЈКМОРԚЅТУХԜҮ", "ABCEHIJKMOPQSTYXWY", strict=True)),
    **dict(zip("асԁеһіјкӏорԛѕтухѵԝүгмн", "acdehijklopqstyxvwyrmh", strict=True)),
    # Greek
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "ABEZHIKMNOPTYXCj", strict=True)),
    **dict(zip("αγηικνορστυχωϲ", "aynikvopotuxwc", strict=True)),
    # Armenian
    **dict(zip("ՍՏՕԼօսհոզցյ", "USOLouhnqgj", strict=True)),
    # Latin letters and signs that resemble others
    **dict(zip("ıɑɡɩʋǀǃĸ‘’ʼ`´‐–—−", "iagivl!k'''''----", strict=True)),
}
_ONE_STROKE = {"I": "l", "1": "l", "|": "l", "0": "o", "O": "o"}
_ADDED = re.compile("COMBINING|VARIATION SELECTOR")
"""Matches the Unicode names of characters that only modify the character before."""
_UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters, marks or symbols, but that are invisible."""
_WRITTEN_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "BOPOMOFO": "CJK"}
_OF_PROGRAMS = frozenset(
    {
        "constructor",
        "hasownproperty",
        "isprototypeof",
        "propertyisenumerable",
        "prototype",
        "tolocalestring",
        "tostring",
        "valueof",
    }
)
"""Names that every JavaScript object already has."""


def name_fault(name: str) -> Reason | None:
    """Why ``name`` cannot be a name; None if it can. The length is checked elsewhere."""
    if name.casefold() in _OF_PROGRAMS or name.startswith("__"):
        return Reason("name-pages-own")
    if name != unicodedata.normalize("NFKC", name):
        return Reason("name-special-letters")
    if not name.isprintable() or any(map(_cannot_be_seen, name)):
        return Reason("name-invisible")
    if "  " in name or name != name.strip():
        return Reason("name-space")
    if len({script for sign in name if (script := _script(sign))}) > 1:
        return Reason("name-mixed")
    return None


def text_fault(text: str) -> Reason | None:
    """Why this text is refused; None if it is fine.

    A text may mix alphabets, but a single word may not. Besides letters, all visible signs are
    allowed.
    """
    for word in text.split():
        letters = "".join(filter(_counts, word))
        if (fault := name_fault(letters)) is not None:
            return fault
    return None


def alike_fault(name: str, known: Iterable[str]) -> Reason | None:
    """Why ``name`` cannot be used beside the ``known`` names: it looks like one of them, or like
    ``gm``. None if it does not."""
    looks = _looks(name)
    for other in (*known, RESERVED):
        if other != name and looks & _looks(other):
            return Reason("name-looks-like", other=other)
    return None


def name_faults(names: Iterable[str], known: Iterable[str] = ()) -> Iterator[tuple[str, Reason]]:
    """Yield each of the new ``names`` that is refused, and why: for its own letters, or because it
    looks like one of the ``known`` or of the new ones before it."""
    before = dict.fromkeys(known)
    for name in names:
        fault = name_fault(name) or alike_fault(name, before)
        if fault is not None:
            yield name, fault
        before[name] = None


def _looks(name: str) -> set[tuple[str, str]]:
    """Two keys of the name: how it is read aloud, and how it is seen. Names that share a key can be
    confused."""
    plain = "".join(map(_plain, unicodedata.normalize("NFKC", name)))
    strokes = "".join(_ONE_STROKE.get(sign, sign) for sign in plain)
    return {("read", plain.casefold()), ("seen", strokes.replace("rn", "m"))}


def _plain(sign: str) -> str:
    if sign in _LOOKS_LIKE or sign.isascii():
        return _LOOKS_LIKE.get(sign, sign)
    like = _confusables().get(sign, sign)
    return _LOOKS_LIKE.get(like, like)


@cache
def _confusables() -> dict[str, str]:
    """Character → the character that represents all its look-alikes."""
    lines = files(__package__).joinpath("confusables.txt").read_text(encoding="utf-8").split()
    return dict(zip("".join(lines[::2]), "".join(lines[1::2]), strict=True))


def _counts(sign: str) -> bool:
    """Whether a character of a text is checked: a letter, a mark, a digit, ``_``, or an invisible
    character. Commas, fractions and pictures are not."""
    category = unicodedata.category(sign)
    return category[0] in "LMC" or category == "Nd" or sign == "_" or _cannot_be_seen(sign)


def _cannot_be_seen(sign: str) -> bool:
    return sign in _UNSEEN or _ADDED.match(unicodedata.name(sign, "")) is not None


def _script(sign: str) -> str:
    """The alphabet of a letter, from its Unicode name; empty for any other character."""
    if not unicodedata.category(sign).startswith("L"):
        return ""
    script = unicodedata.name(sign, "").partition(" ")[0].partition("-")[0]
    return "" if script == "MODIFIER" else _WRITTEN_TOGETHER.get(script, script)
