"""What players call their moves, specials and backgrounds: it can be told apart.

It is asked when a name comes in, from a file or by a deed; what is in a journal already stays.
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
    """Every name on the sheet that deceives, the character's own too."""
    own: Mapping[Place, str] = {("name",): sheet.name}
    for names in (own, *_kinds(sheet)):
        faults = dict(name_faults(names.values()))
        for place, name in names.items():
            if name in faults:
                yield Fault(place, Reason("refused-as", text=shown(name), fault=faults[name]))


def new_names(before: Sheet | None, after: Sheet) -> Iterator[Reason]:
    """Why one of the names that were not on the sheet ``before`` cannot be."""
    had = _kinds(before) if before is not None else ({}, {}, {})
    for old, new in zip(had, _kinds(after), strict=True):
        added = [name for name in new.values() if name not in old.values()]
        yield from naming_faults(added, old.values())


def setup_faults(setup: Mapping[str, Any]) -> Iterator[Fault]:
    """Every name that a sound setup of a scene brings in, and that deceives, with its place; whom
    and whose it is of, is asked elsewhere."""
    if setup.get("house") is not None:
        for fault in house_faults(derive(setup["house"])):
            yield Fault(("house", *fault.place), fault.reason)
    for name, character in setup["characters"].items():
        backgrounds = character.get("backgrounds", {})
        for background, why in name_faults(backgrounds):
            place = ("characters", name, "backgrounds", background)
            yield Fault(place, Reason("about", place=shown(background), why=why))


def naming_faults(new: Iterable[str], known: Iterable[str] = ()) -> Iterator[Reason]:
    """Why one of the ``new`` names cannot be, beside each other and those ``known``."""
    for name, fault in name_faults(new, known):
        yield Reason("name-refused", name=shown(name), fault=fault)


def _kinds(sheet: Sheet) -> tuple[Mapping[Place, str], ...]:
    """The names of moves, of specials, of backgrounds: those of a kind stand beside each other."""
    return (
        {("moves", str(each)): each.name for each in sheet.moves if each.name},
        {("specials", each.id, "name"): each.name for each in sheet.specials if each.name},
        {
            ("backgrounds", index, "name"): each.name
            for index, each in enumerate(sheet.backgrounds)
            if each.name
        },
    )
