"""Parse and write moves, stances and splits, as on cards, in choices and in views; and find names
in text that the GM writes.

Moves: ``attack-high``, ``attack-high +1``, ``surrender``. Stances: ``grapple 3``, ``none``. Splits:
``attack 2 defend 1``. Each ``parse_…`` function raises :class:`IllegalChoice` for other text.

A name may hold any word, even a keyword, so text is matched against the known names. Double quotes
settle an ambiguity, because a quoted name is never a keyword: ``lose "Ada" attack 3``.
"""

import re
from collections.abc import Iterable, Iterator

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Stance
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition, Energy, Move
from hub.kernel.faults import shown

SURRENDER = "surrender"
NONE = "none"
NO_STANCE = NO_SPECIAL = NONE
_AMOUNT = re.compile(r"0|[1-9][0-9]{0,8}")


def parse_move(edition: Edition, text: str) -> Move | None:
    """Parse a move; returns None for a surrender. Raises :class:`IllegalChoice` if the book lacks
    it."""
    if text == SURRENDER:
        return None
    original_id, _, variant = text.partition(" ")
    original = edition.moves.get(original_id)
    if original is None:
        raise IllegalChoice(Reason("no-move", move=shown(text), book=edition.id))
    if not variant:
        return original
    card = edition.variant(original, variant) if variant in VARIANTS else None
    if card is None or not edition.variants:
        raise IllegalChoice(Reason("variant-not-in-book", move=shown(text), book=edition.id))
    return card


def write_move(move: Move | None) -> str:
    """Return the written form of a revealed move."""
    return str(move) if move else SURRENDER


def parse_stance(text: str) -> Stance | None:
    """Parse a stance; returns None for no stance. An amount of 0 counts as no stance."""
    if text == NO_STANCE:
        return None
    counts = _counts(text)
    if len(counts) != 1:
        raise IllegalChoice(Reason("no-stance-form", text=shown(text), none=NO_STANCE))
    ((action, amount),) = counts.items()
    return Stance(action, amount) if amount else None


def write_stance(stance: Stance | None) -> str:
    """Return the written form of a revealed stance."""
    return str(stance) if stance else NO_STANCE


def parse_split(text: str) -> Energy:
    """Parse a split: types with their points. A type that is not named gets 0."""
    counts = _counts(text)
    if not counts:
        raise IllegalChoice(Reason("no-split-form", text=shown(text)))
    return Energy(**counts)


def write_split(split: Energy) -> str:
    """Return the written form of a split, without zeros."""
    return " ".join(f"{action} {split.of(action)}" for action in Action if split.of(action))


def _counts(text: str) -> dict[Action, int]:
    """Parse single-spaced pairs of type and amount, each type once; empty if malformed."""
    words = text.split(" ")
    counts: dict[Action, int] = {}
    for word, amount in zip(words[::2], words[1::2], strict=False):
        action = next((action for action in Action if action == word), None)
        if action is None or action in counts or not _AMOUNT.fullmatch(amount):
            return {}
        counts[action] = int(amount)
    return counts if len(words) % 2 == 0 else {}


QUOTE = '"'
_ENDS = ("", " ", ";")
"""Text that may follow a name directly: nothing, a space or a semicolon."""


def readings(names: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to read a name at the start of the text: the name, longest first, and the rest
    of the text."""
    for name in sorted(names, key=len, reverse=True):
        for written in (name, quoted(name)):
            if text.startswith(written) and text[len(written) :][:1] in _ENDS:
                yield name, text[len(written) :].strip()


def name_first(names: Iterable[str], text: str) -> tuple[str, str]:
    """Return the longest of ``names`` that the text starts with, and the rest of the text. If there
    is none, return an empty name and the whole text."""
    return next(readings(names, text), ("", text))


def name_before(names: Iterable[str], text: str, word: str) -> tuple[str, str]:
    """Split text such as ``Marit by Wenna`` at ``word`` into a name and the rest. A name may hold
    ``word`` too, so the longest of ``names`` that fits is taken. If none fits, split at the first
    ``word``."""
    for name, rest in readings(names, text):
        if f"{rest} ".startswith(f"{word} "):
            return name, rest[len(word) :].strip()
    old, _, new = f"{text} ".partition(f" {word} ")
    return old.strip(), new.strip()


def quoted(name: str) -> str:
    """Return the name in double quotes, so that it cannot be taken for a keyword."""
    return f"{QUOTE}{name}{QUOTE}"
