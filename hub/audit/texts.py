"""Checks on texts in a log: each must keep the limits of the command that made it.

``BOUNDS`` lists the limits by place: a field of one event type, or of any. ``facedown
verify`` prints texts of a log on a terminal, so any text that no hub would accept is a fault.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from hub.audit.follow import ODD
from hub.audit.scene import Scene
from hub.audit.told import Told
from hub.games.deeds import MAX_DEED_CHARS, Deed
from hub.games.game import MAX_CHOICE_CHARS, MAX_TOLD_CHARS, MAX_WORD_CHARS, Choice, Game
from hub.games.overrules import typed
from hub.kernel.bounds import BECAUSE, NAME, PLAIN, TITLE, Bound
from hub.table import acts as r

HEX = Bound(most=64, pattern="[0-9a-f]{64}")
"""A digest, a nonce, or 32 random bytes, in hex."""
NO_HEX = Bound(most=64, pattern="([0-9a-f]{64})?")
"""A digest, a nonce or 32 random bytes in hex, or an empty text."""
NO_SEAT = Bound(most=PLAIN.most, pattern=f"({PLAIN.pattern})?")
ID = Bound(most=64, pattern="[a-z0-9-]{1,64}")
"""The id of a ruleset, of a type of points, or of a step of the rules."""
ORIGIN = Bound(most=64, pattern=f"(reader|page|hub):{PLAIN.pattern}")
TOLD = Bound(most=MAX_TOLD_CHARS, least=1)
"""A choice; its kind may limit its length further."""
SETUP = Bound(most=r.MOST_SETUP_BYTES)
WORDS = Bound(most=MAX_WORD_CHARS)
"""A text composed by rules."""

BOUNDS: Mapping[str, Bound] = {
    "actor": NAME,
    "away": NAME,
    "awaited": NAME,
    "because": BECAUSE,
    "beside{key}": NAME,
    "by": PLAIN,
    "chance": NO_HEX,
    "choice": TOLD,
    "came": WORDS,
    "came{key}": WORDS,
    "digest": HEX,
    "digests": HEX,
    "game": SETUP,
    "log": HEX,
    "name": NAME,
    "nonce": HEX,
    "on": WORDS,
    "on{key}": WORDS,
    "one_of": NAME,
    "openings{key}": NAME,
    "origin": ORIGIN,
    "picture": NO_HEX,
    "points": ID,
    "ruleset": ID,
    "seat": PLAIN,
    "seats": NAME,
    "seats{key}": PLAIN,
    "step": ID,
    "table": PLAIN,
    "title": TITLE,
    "waits": NAME,
    "waits_for": NAME,
    "character-joined.seat": NO_SEAT,
}
"""Place → the limit of the texts there. A place is given whole, or by its last name."""
BY_RULES = frozenset({"deed", "holds"})
"""Fields that the rules interpret: checked against the types of deeds and overrules, as commands
are."""
_INDEX = re.compile(r"\[\]|\{\}")


@cache
def bound_of(place: str) -> Bound | None:
    """The limit of a text at a place, such as ``scene-started.seats{key}``; None if no text may be
    there."""
    whole, last = names_of(place)
    return BOUNDS.get(whole) or BOUNDS.get(last)


def names_of(place: str) -> tuple[str, str]:
    """The two keys of a place in ``BOUNDS``: the whole of it, and its last name."""
    whole = _INDEX.sub("", place)
    return whole, whole.rpartition(".")[2]


def judge(told: Told, scene: Scene | None, event: r.Event) -> None:
    """Check every text of ``event``, up to the first fault."""
    for name, place in _fields(type(event)):
        value = getattr(event, name)
        found = ((place, value),) if type(value) is str else _texts(place, value)
        for at, text in found:
            bound = bound_of(at)
            if bound is None or not bound.holds(text):
                told.blame(f"{at} is none that a hub takes: {ascii(text)[:80]}")
                return
    if why := _by_rules(told, scene, event):
        told.blame(f"{r.tag_of(event)} is none that a hub takes: {why}")


@cache
def _fields(kind: type[r.Event]) -> tuple[tuple[str, str], ...]:
    """The fields of an event that may hold texts, each with its place."""
    tag, names = kind.__struct_config__.tag, kind.__struct_fields__
    return tuple((name, f"{tag}.{name}") for name in names if name not in BY_RULES)


def _texts(place: str, value: object) -> Iterator[tuple[str, str]]:
    """All texts of a value, each with its place."""
    match value:
        case Enum():
            pass
        case str():
            yield place, value
        case Struct():
            for name in value.__struct_fields__:
                yield from _texts(f"{place}.{name}", getattr(value, name))
        case dict():
            for key, each in value.items():
                yield from _texts(place + "{key}", key)
                yield from _texts(place + "{}", each)
        case list() | tuple():
            for each in value:
                yield from _texts(place + "[]", each)


def _by_rules(told: Told, scene: Scene | None, event: r.Event) -> object:
    """Why the rules cannot have produced this event; None if there is no known objection."""
    try:
        fields = asdict(event)
        if "choice" in fields:
            return _choice(fields["choice"], _most(told, scene, fields["choice"]))
        if "openings" in fields:
            opened = chain(fields["openings"].values(), *fields["beside"].values())
            return next(filter(None, (_choice(each.choice) for each in opened)), None)
        if "holds" in fields:
            game = _game(told, scene)
            typed(fields["holds"], game.holds_type if game else dict[str, Any], "word of the GM's")
        if "deed" in fields:
            return _deed(told, fields["deed"])
    except ODD as error:
        return error
    return None


def _game(told: Told, scene: Scene | None) -> Game[Any] | None:
    return told.games.get(scene.ruleset) if told.games and scene else None


def _most(told: Told, scene: Scene | None, text: str) -> int:
    """The most characters that the open choice or declaration ``text`` may have."""
    game = _game(told, scene)
    tells = game is None or game.shows_setup or text.partition(" ")[0] in game.texts
    return MAX_TOLD_CHARS if tells else MAX_CHOICE_CHARS


def _choice(text: str, most: int = MAX_CHOICE_CHARS) -> object:
    same = str(Choice.parse(text, most)) == text
    return None if same else "a choice in another form than a hub writes"


def _deed(told: Told, given: dict[str, Any]) -> object:
    if told.story is None:
        typed(given, dict[str, Any], "deed")
        long = any(len(text) > MAX_DEED_CHARS for _, text in _texts("", given))
        return "a text that is too long" if long else None
    deed: Deed = typed(given, told.story.deed_type, "deed")
    if told.story.casting(given) is not None:
        return "a deed whose newcomer, or whose leave, has a line of its own"
    wants = getattr(deed, "wants", None)
    return _deed(told, wants) if wants is not None else deed.fault()
