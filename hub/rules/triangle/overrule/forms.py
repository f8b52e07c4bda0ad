"""What the GM can say of a conflict now, as forms (R11)."""

from collections.abc import Callable, Iterator, Mapping

from hub.rules.forms import Field, Option, each_of, flag, number, one, several
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.edition import Action, Energy
from hub.rules.triangle.overrule import word as w
from hub.rules.triangle.overrule.clauses import open_now
from hub.rules.triangle.specials import left_of
from hub.rules.triangle.step import turn_of
from hub.rules.words import Holds, tag

MOST_TURNS = 99


def forms(conflict: Conflict) -> tuple[Option, ...]:
    """What can be said, by ``what``, with its fields; nothing of what nobody could be said of."""
    found = ((kind, tuple(_FIELDS[kind](conflict))) for kind in open_now(conflict))
    return tuple(Option(tag(kind), fields) for kind, fields in found if fields)


def energy_fields(now: Energy, most: Energy) -> tuple[Field, ...]:
    """Points of each type."""
    return tuple(number("energy", each, first=now.of(each), most=most.of(each)) for each in Action)


def _energy(conflict: Conflict) -> Iterator[Field]:
    sheets, fighters = conflict.scene.sheets, conflict.fighters
    yield from each_of(
        fighters, lambda name: energy_fields(fighters[name].energy, sheets[name].max)
    )


def _out(conflict: Conflict) -> Iterator[Field]:
    fighters = conflict.fighters
    yield from each_of(fighters, lambda name: (flag("out", first=not fighters[name].out),))


def _dead(conflict: Conflict) -> Iterator[Field]:
    fighters = conflict.fighters
    yield from each_of(fighters, lambda name: (flag("dead", first=not fighters[name].dead),))


def _disadvantage(conflict: Conflict) -> Iterator[Field]:
    def fields(name: str) -> tuple[Field, ...]:
        known = map(str, conflict.scene.sheets[name].moves)
        return (several("moves", "move", known, map(str, conflict.fighters[name].face_up)),)

    yield from each_of(conflict.fighters, fields)


def _special(conflict: Conflict) -> Iterator[Field]:
    sheets = conflict.scene.sheets

    def fields(name: str) -> tuple[Field, ...]:
        left = left_of(conflict, name)
        uses = {str(each): (flag("used", first=each in left),) for each in sheets[name].specials}
        return (one("special", "special", uses),)

    yield from each_of((name for name in sheets if sheets[name].specials), fields)


def _turns(conflict: Conflict) -> Iterator[Field]:
    fighters = conflict.fighters
    yield from each_of(
        fighters, lambda name: (number("turns", first=fighters[name].turns, most=MOST_TURNS),)
    )


def _free(conflict: Conflict) -> Iterator[Field]:
    yield from each_of(filter(conflict.bond, conflict.fighters), lambda _: ())


def _combo(conflict: Conflict) -> Iterator[Field]:
    """None, where one is alive; or the moves of the other side against somebody."""
    sheets, fighters = conflict.scene.sheets, conflict.fighters
    found: dict[str, tuple[Field, ...]] = {"": ()} if conflict.run else {}
    for victim in conflict.still_in():
        now = conflict.run.cards if conflict.run and conflict.run.victim == victim else ()
        cards = [
            {"name": name, "move": str(move)}
            for name, sheet in sheets.items()
            for move in sheet.moves
            if sheet.side != sheets[victim].side and move not in fighters[name].face_up
        ]
        lie = [{"name": name, "move": str(move)} for name, move in now]
        found[victim] = (several("cards", "played", cards, lie),)
    yield one("against", "victim", found)


def _turn(conflict: Conflict) -> Iterator[Field]:
    turn = turn_of(conflict)
    yield one("winner", "winner", (turn.active, turn.opponent, None))


def _loss(conflict: Conflict) -> Iterator[Field]:
    verdict = turn_of(conflict).verdict
    losses = verdict.losses if verdict else {}

    def fields(name: str) -> tuple[Field, ...]:
        now = losses[name].total if name in losses else 0
        return (number("points", first=now, most=conflict.fighters[name].energy.total),)

    yield from each_of(sorted(conflict.still_in(), key=lambda name: name not in losses), fields)


def _end(conflict: Conflict) -> Iterator[Field]:
    yield one("winner", "side", (None, *conflict.scene.sides))


_FIELDS: Mapping[type[Holds], Callable[[Conflict], Iterator[Field]]] = {
    w.EnergyIs: _energy,
    w.OutIs: _out,
    w.DeadIs: _dead,
    w.DisadvantageIs: _disadvantage,
    w.SpecialIs: _special,
    w.TurnsIs: _turns,
    w.IsFree: _free,
    w.ComboIs: _combo,
    w.TurnIs: _turn,
    w.LossIs: _loss,
    w.EndIs: _end,
}
