"""The specials of a turn in a script: read, checked by R11 and R12, and set down in one go.

A script has no windows. Choices that are made later at the table, step by step (a drawn move, a
split, a gain), are written with the special and checked when they apply.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from hub.games.scripts import Part
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict, Turn, Use
from hub.games.triangle.rules.edition import Edition, Energy, Move, Special
from hub.games.triangle.rules.effects import EFFECTS, GAIN, LOSS, REPLACE, Concern, Effect
from hub.games.triangle.rules.grammar import SURRENDER
from hub.games.triangle.rules.setup import read_energy, read_move, read_special
from hub.games.triangle.rules.specials import AS, PERSON, redraws, set_down, why_not_use
from hub.kernel.documents import Document
from hub.kernel.faults import Place, shown

NAME = "name"


class Written(Struct, frozen=True):
    """A special in a script, with the choices that are written beside it."""

    given: Part
    """The special's object in the script, where faults are recorded."""
    player: str
    special: Special
    copied: Special | None = None
    person: str = ""
    loss: Energy | None = None
    gain: Energy | None = None
    replaces: bool = False
    drawn: Move | None = None
    """The move that replaces the shown one if ``replaces`` is set; None is a surrender."""

    @property
    def effect(self) -> Effect:
        """The effect that applies, which is that of the copied special, if any."""
        return EFFECTS[(self.copied or self.special).effect]


def play_specials(turn: Part, conflict: Conflict, now: Turn) -> tuple[Conflict, list[Written]]:
    """Set down all specials of the turn ``now``, which ``turn`` describes. Returns the conflict
    after that, and the specials. Raises :class:`hub.kernel.faults.Faulty` at the first illegal
    one."""
    specials = turn.part("special", (), tuple(conflict.fighters))
    document, played = turn.document, list[Written]()
    for name in specials.given:
        for index, item in enumerate(specials.items(name)):
            place = specials.at(name, index)
            written = _read(document, conflict.scene.edition, name, item, place)
            if _goes_on(conflict, now, written):
                if any(w.player == name and w.effect.redraws for w in played):
                    written.given.refuse(Reason("replaced-once"))
            else:
                conflict = _use(conflict, now, written)
                now = conflict.turn or now
            played.append(written)
    turn.check()
    return conflict, played


def _goes_on(conflict: Conflict, turn: Turn, written: Written) -> bool:
    """Whether the special was used in an earlier turn, and now only replaces another move."""
    name = written.player
    if not written.replaces or written.special not in conflict.fighters[name].used:
        return False
    if not redraws(conflict, turn, name):
        written.given.refuse(Reason("shows-no-move", name=name))
    return True


def _use(conflict: Conflict, turn: Turn, written: Written) -> Conflict:
    person = written.person
    if written.effect.concerns is Concern.OPPONENT:
        person = turn.other(written.player)
    use = Use(written.player, written.special, written.copied, person)
    if refusal := why_not_use(conflict, turn, use):
        key, why = refusal
        written.given.refuse(why, *([key] if key else []))
    return set_down(conflict, turn, use)


def _read(
    document: Document, edition: Edition, player: str, value: object, place: Place
) -> Written:
    """Read a special: its name, or an object with its name and further keys."""
    if not isinstance(value, str | Mapping):
        document.refuse(place, Reason("special-form", value=shown(value)))
    values: Mapping[str, Any] = value if isinstance(value, Mapping) else {NAME: value}
    of_name = (*place, NAME) if values is value else place
    special, copied = _special(document, edition, values, NAME, of_name), None
    required: tuple[str, ...] = (NAME,)
    if EFFECTS[special.effect].copies:
        copied = _special(document, edition, values, AS, (*place, AS))
        required = (NAME, AS)
    effect = EFFECTS[(copied or special).effect]
    if effect.concerns in PERSON:
        required = (*required, PERSON[effect.concerns])
    given = Part(document, values, place, required, (effect.beside,) if effect.beside else ())
    given.check()
    read: dict[str, Any] = {}
    for key, item in given.given.items():
        if key in PERSON.values():
            read["person"] = given.text(key)
        elif key in (LOSS, GAIN):
            read[key] = read_energy(document, item, given.at(key), whole=False)
        elif key == REPLACE:
            read["replaces"] = True
            if item != SURRENDER:
                read["drawn"] = read_move(document, edition, item, given.at(key))
    given.check()
    return Written(given, player, special, copied, **read)


def _special(
    document: Document, edition: Edition, values: Mapping[str, Any], key: str, place: Place
) -> Special:
    """Read the special whose name is the value of ``key``. A fault gets this ``place``."""
    if key not in values:
        document.refuse(place, Reason("is-missing"))
    special = read_special(document, edition, values[key], place)
    document.check()
    if special is None:
        raise AssertionError("a special without a fault is one of the list")
    return special
