"""Names that can be told apart: at the table, on the pages, and by a program that reads them.

A name may be in any alphabet, but in one; it has no signs that cannot be seen, and no second form
(Unicode's NFKC). Two names that look alike are not both there. It is asked when a name comes in;
what is in a journal already stays as it is.

Ref: Unicode Technical Standard 39. Its table of confusable signs lies in ``confusables.txt``, as
far as a name can hold them, and is only read for a name beyond ASCII. The library that has the
whole of it reads a megabyte of JSON when it is imported.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from hub.kernel.reasons import Reason

RESERVED = "gm"
"""A name that nobody and nothing can have, because messages use it for the GM."""

_LOOKS_LIKE = {
    # What Unicode's table tells apart by a hair, or leaves to upper and lower case. Cyrillic
    **dict(zip("АВСЕНІЈКМОРԚЅТУХԜҮ", "ABCEHIJKMOPQSTYXWY", strict=True)),
    **dict(zip("асԁеһіјкӏорԛѕтухѵԝүгмн", "acdehijklopqstyxvwyrmh", strict=True)),
    # Greek
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "ABEZHIKMNOPTYXCj", strict=True)),
    **dict(zip("αγηικνορστυχωϲ", "aynikvopotuxwc", strict=True)),
    # Armenian
    **dict(zip("ՍՏՕԼօսհոզցյ", "USOLouhnqgj", strict=True)),
    # Latin letters and signs that another one stands for
    **dict(zip("ıɑɡɩʋǀǃĸ‘’ʼ`´‐–—−", "iagivl!k'''''----", strict=True)),
}
_ONE_STROKE = {"I": "l", "1": "l", "|": "l", "0": "o", "O": "o"}
_ADDED = re.compile("COMBINING|VARIATION SELECTOR")
"""By these names Unicode has signs that only change the one before."""
_UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Signs that count as letters, marks or symbols, and show nothing."""
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
"""What every object of a page's program has already."""


def name_fault(name: str) -> Reason | None:
    """Why nobody and nothing can be called this, for a person to read; None if it can. How long a
    name may be is asked elsewhere."""
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
    """Why nothing can be said in these words, for a person to read; None if it can. A text may be
    in several alphabets, but no word of it; its other signs may have any form that can be seen."""
    for word in text.split():
        letters = "".join(filter(_counts, word))
        if (fault := name_fault(letters)) is not None:
            return fault
    return None


def alike_fault(name: str, known: Iterable[str]) -> Reason | None:
    """Why ``name`` cannot stand beside the names that are ``known``: one of them looks like it."""
    looks = _looks(name)
    for other in (*known, RESERVED):
        if other != name and looks & _looks(other):
            return Reason("name-looks-like", other=other)
    return None


def name_faults(names: Iterable[str], known: Iterable[str] = ()) -> Iterator[tuple[str, Reason]]:
    """Each of the new ``names`` that cannot be, beside the others and those ``known``; and why."""
    before = dict.fromkeys(known)
    for name in names:
        fault = name_fault(name) or alike_fault(name, before)
        if fault is not None:
            yield name, fault
        before[name] = None


def _looks(name: str) -> set[tuple[str, str]]:
    """What two names have in common that can be taken for each other: read aloud, or seen."""
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
    """Sign → the one of those that look like it by which all of them are known."""
    lines = files(__package__).joinpath("confusables.txt").read_text(encoding="utf-8").split()
    return dict(zip("".join(lines[::2]), "".join(lines[1::2]), strict=True))


def _counts(sign: str) -> bool:
    """Whether it makes a word another one; a comma, a fraction or a picture does not."""
    category = unicodedata.category(sign)
    return category[0] in "LMC" or category == "Nd" or sign == "_" or _cannot_be_seen(sign)


def _cannot_be_seen(sign: str) -> bool:
    return sign in _UNSEEN or _ADDED.match(unicodedata.name(sign, "")) is not None


def _script(sign: str) -> str:
    """The alphabet of a letter, by its name in Unicode; empty for everything else."""
    if not unicodedata.category(sign).startswith("L"):
        return ""
    script = unicodedata.name(sign, "").partition(" ")[0].partition("-")[0]
    return "" if script == "MODIFIER" else _WRITTEN_TOGETHER.get(script, script)
