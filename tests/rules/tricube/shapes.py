"""The shape of a valid script of Tricube Tales, implemented independently of the hub."""

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Shape = Callable[[Any, str], Iterator[str]]

OWN = {"agile": "ranged", "brawny": "melee", "crafty": "mental"}
KINDS = [*OWN, *OWN.values()]
PAID, FREE = ("impact", "automatic", "bypass"), ("attempt", "flavour")
LENGTHS = ("scene", "longer", "permanent")


class Wrong(Exception):
    """An invalid script, and the places of its faults."""

    def __init__(self, *places: str) -> None:
        super().__init__(*places)
        self.places = places


def must(held: bool, place: str) -> None:
    if not held:
        raise Wrong(place)


def text(value: Any, at: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield at


def named(value: Any, at: str) -> Iterator[str]:
    fine = isinstance(value, str) and value == value.strip() and value.isprintable()
    if not fine or not 1 <= len(value) <= 64:
        yield at


def flag(value: Any, at: str) -> Iterator[str]:
    if value is not True and value is not False:
        yield at


def whole(low: int, high: int = 9999) -> Shape:
    def shape(value: Any, at: str) -> Iterator[str]:
        if type(value) is not int or value < low or value > high:
            yield at

    return shape


def word(*words: str) -> Shape:
    def shape(value: Any, at: str) -> Iterator[str]:
        if value not in words:
            yield at

    return shape


def each(of: Shape, once: bool = False) -> Shape:
    def shape(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield at
            return
        for n, one in enumerate(value):
            yield from of(one, f"{at}[{n}]")
            if once and one in value[:n]:
                yield f"{at}[{n}]"

    return shape


def thing(keys: dict[str, Shape]) -> Shape:
    """An object; a key with a ``!`` is required."""
    known = {key.rstrip("!"): shape for key, shape in keys.items()}

    def shape(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield at
            return
        within = f"{at}." if at else ""
        yield from (within + key for key in value if key not in known)
        yield from (within + k[:-1] for k in keys if k[-1] == "!" and k[:-1] not in value)
        for key in value:
            if key in known:
                yield from known[key](value[key], within + key)

    return shape


def anything(value: Any, at: str) -> Iterator[str]:
    return iter(())


FATE = thing({
    "affliction!": text, "lasts": word(*LENGTHS), "fatal": flag, "stays": flag,
})  # fmt: skip
A_ROLL = {
    "type!": word(*KINDS), "dice!": each(whole(0)), "scope": flag, "quirk": text, "hindered": text,
    "karma": thing({"perks!": each(text), "by": text, "complication": text}),
    "regain": word("karma", "resolve"),
    "price": thing({"resolve": flag, "complication": text, "told": text}), "fate": FATE,
}  # fmt: skip
WHO = {"who!": text}
EVENTS = {
    "challenge": {"name!": named, "difficulty": whole(4, 6), "effort": whole(0), "deadly": flag},
    "roll": {
        **WHO, "challenge!": text, "difficulty": whole(0), "defense": flag, "again": flag,
        "together": flag, **A_ROLL,
    },
    "opposed": {"sides!": lambda value, at: iter(()), "deadly": flag},
    "perk": {
        **WHO, "perks!": each(text), "use!": word(*PAID, *FREE),
        "challenge": text, "complication": text,
    },
    "complication": {**WHO, "quirk": text, "accepted": flag},
    "cure": {**WHO, "affliction!": text, "perks!": each(text), "by": text, "complication": text},
    "recover": {**WHO, "affliction!": text},
    "convert": {**WHO, "affliction!": text},
    "turn": {}, "scene": {}, "session": {},
}  # fmt: skip
SHEET = thing({
    "trait!": word(*OWN), "concept!": text, "style": word(*OWN.values()),
    "perks": each(text, once=True), "quirks": each(text, once=True),
    "karma": whole(0), "karma_max": whole(0), "resolve": whole(0), "resolve_max": whole(1),
    "afflictions": each(thing({"name!": text, "lasts": word(*LENGTHS)})), "dead": flag,
})  # fmt: skip


def in_shape(shape: Shape, value: Any, at: str) -> None:
    places = [*shape(value, at)]
    if places:
        raise Wrong(*places)


def bounds(sheet: Json, at: str) -> Iterator[str]:
    """Contradictions on a sheet of the right shape."""
    if sheet.get("karma", 0) > sheet.get("karma_max", 3):
        yield f"{at}.karma"
    least, most = 0 if sheet.get("dead") else 1, sheet.get("resolve_max", 3)
    if not least <= sheet.get("resolve", most) <= most:
        yield f"{at}.resolve"
    names = sheet.get("quirks", [])
    for n, one in enumerate(sheet.get("afflictions", [])):
        if one["name"] in names:
            yield f"{at}.afflictions[{n}].name"
        names = [*names, one["name"]]


def filled(sheet: Json) -> Json:
    """Fill in the defaults."""
    sheet.setdefault("style", OWN[sheet["trait"]])
    for key in ("perks", "quirks", "afflictions"):
        sheet.setdefault(key, [])
    for one in sheet["afflictions"]:
        one.setdefault("lasts", "longer")
    sheet.setdefault("dead", False)
    sheet.setdefault("karma_max", 3)
    sheet.setdefault("resolve_max", 3)
    sheet.setdefault("karma", sheet["karma_max"])
    sheet.setdefault("resolve", 0 if sheet["dead"] else sheet["resolve_max"])
    return sheet | {"away": False}
