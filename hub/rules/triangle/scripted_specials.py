"""The specials of a written turn: read, checked by R11 and R12, and set down in one go.

A script has no moments: what a table would ask for later, step by step (a drawn move, a split, a
gain), stands beside the special and is checked when its time comes.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from hub.rules.faults import Fault, Place, shown
from hub.rules.reading import Reader, ScriptError
from hub.rules.triangle.conflict import Conflict, Turn, Use
from hub.rules.triangle.edition import Edition, Energy, Move, Special
from hub.rules.triangle.effects import EFFECTS, GAIN, LOSS, REPLACE, Concern, Effect
from hub.rules.triangle.grammar import SURRENDER
from hub.rules.triangle.setup import read_energy, read_move, read_special
from hub.rules.triangle.specials import AS, PERSON, redraws, set_down, why_not_use

NAME = "name"


class Written(Struct, frozen=True):
    """A special as it stands in a script, with what is said beside it."""

    place: Place
    player: str
    special: Special
    copied: Special | None = None
    person: str = ""
    loss: Energy | None = None
    gain: Energy | None = None
    replaces: bool = False
    drawn: Move | None = None
    """The move that replaces the shown one, if it ``replaces``; None is surrender."""

    @property
    def effect(self) -> Effect:
        """What it does."""
        return EFFECTS[(self.copied or self.special).effect]


def play_specials(
    reader: Reader, conflict: Conflict, turn: Turn, value: object, place: Place
) -> tuple[Conflict, list[Written]]:
    """All specials of a turn set down. Raises :class:`ScriptError` at the first that cannot be."""
    played: list[Written] = []
    for name, items in reader.table(value, place, (), tuple(conflict.fighters)).items():
        at = (*place, name)
        for index, item in enumerate(reader.items(items, at)):
            written = _read(reader, conflict.scene.edition, name, item, (*at, index))
            reader.check()
            if _goes_on(conflict, turn, written):
                if any(w.player == name and w.effect.redraws for w in played):
                    raise ScriptError(
                        Fault(written.place, "replaces the shown move once a turn only")
                    )
            else:
                conflict = _use(conflict, turn, written)
                turn = conflict.turn or turn
            played.append(written)
    reader.check()
    return conflict, played


def _goes_on(conflict: Conflict, turn: Turn, written: Written) -> bool:
    """Whether this is no new use, but a replacement by what was set down in an earlier turn."""
    name = written.player
    if not written.replaces or written.special not in conflict.fighters[name].used:
        return False
    if not redraws(conflict, turn, name):
        raise ScriptError(Fault(written.place, f"{name} is not in this turn and shows no move"))
    return True


def _use(conflict: Conflict, turn: Turn, written: Written) -> Conflict:
    person = written.person
    if written.effect.concerns is Concern.OPPONENT:
        person = turn.other(written.player)
    use = Use(written.player, written.special, written.copied, person)
    if refusal := why_not_use(conflict, turn, use):
        key, why = refusal
        raise ScriptError(Fault((*written.place, key) if key else written.place, why))
    return set_down(conflict, turn, use)


def _read(reader: Reader, edition: Edition, player: str, value: object, place: Place) -> Written:
    """A name, or an object of a name and what is said beside it."""
    if not isinstance(value, str | Mapping):
        raise ScriptError(
            Fault(place, f"has to be a name or an object with one, not {shown(value)}")
        )
    given: Mapping[str, Any] = value if isinstance(value, Mapping) else {NAME: value}
    special = _special(reader, edition, given, NAME, place, bare=given is not value)
    copied = None
    required: tuple[str, ...] = (NAME,)
    if EFFECTS[special.effect].copies:
        copied = _special(reader, edition, given, AS, place)
        required = (NAME, AS)
    effect = EFFECTS[(copied or special).effect]
    if effect.concerns in PERSON:
        required = (*required, PERSON[effect.concerns])
    keys = reader.table(given, place, required, (effect.beside,) if effect.beside else ())
    reader.check()
    read: dict[str, Any] = {}
    for key, item in keys.items():
        at = (*place, key)
        if key in PERSON.values():
            read["person"] = reader.text(item, at)
        elif key in (LOSS, GAIN):
            read[key] = read_energy(reader, item, at, whole=False)
        elif key == REPLACE:
            read["replaces"] = True
            read["drawn"] = None if item == SURRENDER else read_move(reader, edition, item, at)
    return Written(place, player, special, copied, **read)


def _special(
    reader: Reader,
    edition: Edition,
    given: Mapping[str, Any],
    key: str,
    place: Place,
    *,
    bare: bool = False,
) -> Special:
    """The special that stands under a key, or ``bare`` at the place itself."""
    at = place if bare else (*place, key)
    if key not in given:
        raise ScriptError(Fault(at, "is missing"))
    special = read_special(reader, edition, given[key], at)
    reader.check()
    if special is None:
        raise AssertionError("a special without a fault is one of the list")
    return special
