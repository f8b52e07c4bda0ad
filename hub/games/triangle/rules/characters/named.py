"""Check that players' names for moves, specials and backgrounds can be told apart.

Names are checked when they come in, from a file or by a deed; names already in a journal stay.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.house import derive
from hub.games.triangle.rules.house import naming_faults as house_faults
from hub.kernel.faults import Fault, Place, shown
from hub.kernel.likeness import name_faults


def faults_of_names(sheet: Sheet) -> Iterator[Fault]:
    """Faults of deceptive names on the sheet, including the character's own."""
    own: Mapping[Place, str] = {("name",): sheet.name}
    for names in (own, *_kinds(sheet)):
        faults = dict(name_faults(names.values()))
        for place, name in names.items():
            if name in faults:
                yield Fault(place, Reason("refused-as", text=shown(name), fault=faults[name]))


def new_names(before: Sheet | None, after: Sheet) -> Iterator[Reason]:
    """Why names that were not on the sheet ``before`` are refused."""
    had = _kinds(before) if before is not None else ({}, {}, {})
    for old, new in zip(had, _kinds(after), strict=True):
        added = [name for name in new.values() if name not in old.values()]
        yield from naming_faults(added, old.values())


def setup_faults(setup: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of deceptive names in the house rules and backgrounds of a valid scene setup, each
    with its place. Names of characters and sides are checked elsewhere."""
    if setup.get("house") is not None:
        for fault in house_faults(derive(setup["house"])):
            yield Fault(("house", *fault.place), fault.reason)
    for name, character in setup["characters"].items():
        backgrounds = character.get("backgrounds", {})
        for background, why in name_faults(backgrounds):
            place = ("characters", name, "backgrounds", background)
            yield Fault(place, Reason("about", place=shown(background), why=why))


def naming_faults(new: Iterable[str], known: Iterable[str] = ()) -> Iterator[Reason]:
    """Why ``new`` names are refused, alone or beside each other and those ``known``."""
    for name, fault in name_faults(new, known):
        yield Reason("name-refused", name=shown(name), fault=fault)


def _kinds(sheet: Sheet) -> tuple[Mapping[Place, str], ...]:
    """The names of moves, specials and backgrounds; names of one kind must differ."""
    return (
        {("moves", str(each)): each.name for each in sheet.moves if each.name},
        {("specials", each.id, "name"): each.name for each in sheet.specials if each.name},
        {
            ("backgrounds", index, "name"): each.name
            for index, each in enumerate(sheet.backgrounds)
            if each.name
        },
    )
