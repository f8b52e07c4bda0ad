"""One turn of a written script: read part by part, checked by the rules, then played.

The table takes the same transitions from choices made one after another (``steps``).
"""

from typing import Any

from hub.rules.game import IllegalChoice
from hub.rules.triangle.cards import move_problem
from hub.rules.triangle.conflict import Conflict, Outcome, Stance, Turn
from hub.rules.triangle.edition import Energy, Move
from hub.rules.triangle.grammar import SURRENDER, parse_stance
from hub.rules.triangle.losses import split_problem
from hub.rules.triangle.passing import named_problem
from hub.rules.triangle.reading import Reader, ScriptError, below, shown
from hub.rules.triangle.setup import NO_SPECIALS, read_energy, read_move
from hub.rules.triangle.turn import (
    choose_opponent,
    end_combo,
    judge,
    kept_problem,
    name_active,
    opponent_problem,
    reveal_stances,
    settle,
    stance_problem,
)

TURN_REQUIRED = ("active", "opponent", "move")
TURN_OPTIONAL = ("end_combo", "special", "stance", "loss", "kill", "next")


class TurnPlayer:
    """Plays one turn of a script: every part is read, checked by the rules, then applied."""

    def __init__(self, conflict: Conflict, reader: Reader, place: str) -> None:
        self.conflict = conflict
        self.reader = reader
        self.place = place
        self.turn = Turn(0, "")

    def play(
        self, value: object, next_up: str | None, agreed: bool
    ) -> tuple[Conflict, str | None, bool]:
        """The conflict after the turn; who was named next, and whether that was agreed."""
        if self.conflict.result:
            raise ScriptError(self.place, "the conflict is over")
        given = self.reader.table(value, self.place, TURN_REQUIRED, TURN_OPTIONAL)
        self.reader.check()
        flags = {
            key: self.reader.flag(given.get(key, False), below(self.place, key))
            for key in ("end_combo", "kill")
        }
        self.reader.check()
        self._name_active(given["active"], next_up, agreed)
        self._choose_opponent(given["opponent"])
        if flags["end_combo"]:
            self._refuse(kept_problem(self.turn), "end_combo")
            self._apply(end_combo(self.conflict, self.turn))
        self._no_specials(given.get("special", {}))
        stances = self._stances(given.get("stance", {}))
        self._apply(reveal_stances(self.conflict, self.turn, stances))
        self._apply(judge(self.conflict, self.turn, self._moves(given["move"])))
        splits = self._splits(given.get("loss", {}))
        if flags["kill"]:
            self._refuse(self._kill_problem(), "kill")
        self._apply(settle(self.conflict, self.turn, splits, kill=flags["kill"]))
        if "next" not in given:
            return self.conflict, None, False
        return (self.conflict, *self._next(given["next"]))

    def _apply(self, conflict: Conflict) -> None:
        self.conflict = conflict
        self.turn = conflict.turn or self.turn

    def _refuse(self, problem: str | None, *keys: str) -> None:
        """Raise if there is a problem with what stands below these keys."""
        if problem:
            place = self.place
            for key in keys:
                place = below(place, key)
            raise ScriptError(place, problem)

    def _text(self, value: object, *keys: str) -> str:
        if not isinstance(value, str):
            self._refuse(f"has to be a text, not {shown(value)}", *keys)
        return str(value)

    def _both(self, value: object, key: str, *, required: bool = False) -> dict[str, Any]:
        """An object by the names of the two in this turn."""
        names = [n for n in self.conflict.fighters if n in (self.turn.active, self.turn.opponent)]
        place = below(self.place, key)
        if isinstance(value, dict):
            for name in value:
                if name not in names:
                    self._refuse(f"is not in this turn ({' and '.join(names)} are)", key, name)
        found = self.reader.table(value, place, names if required else (), names)
        self.reader.check()
        return found

    def _name_active(self, value: object, next_up: str | None, agreed: bool) -> None:
        name = self._text(value, "active")
        if next_up is None:
            self._refuse(named_problem(self.conflict, name), "active")
        elif name != next_up:
            self._refuse(f"{next_up} was named for this turn", "active")
        self._apply(name_active(self.conflict, name, agreed=agreed))

    def _choose_opponent(self, value: object) -> None:
        name = self._text(value, "opponent")
        self._refuse(opponent_problem(self.conflict, self.turn, name), "opponent")
        self._apply(choose_opponent(self.conflict, self.turn, name))

    def _no_specials(self, value: object) -> None:
        place = below(self.place, "special")
        for name, specials in self.reader.table(value, place).items():
            if self.reader.items(specials, below(place, name)):
                self.reader.fault(below(below(place, name), 0), NO_SPECIALS)
        self.reader.check()

    def _stances(self, value: object) -> dict[str, Stance | None]:
        stances: dict[str, Stance | None] = {self.turn.active: None, self.turn.opponent: None}
        for name, item in self._both(value, "stance").items():
            text = self._text(item, "stance", name)
            try:
                stances[name] = parse_stance(text)
            except IllegalChoice as malformed:
                self._refuse(str(malformed), "stance", name)
            fighter = self.conflict.fighters[name]
            self._refuse(stance_problem(fighter, name, stances[name]), "stance", name)
        return stances

    def _moves(self, value: object) -> dict[str, Move | None]:
        moves: dict[str, Move | None] = {}
        for name, item in self._both(value, "move", required=True).items():
            place = below(below(self.place, "move"), name)
            if item == SURRENDER:
                moves[name] = None
                continue
            moves[name] = read_move(self.reader, self.conflict.scene.edition, item, place)
            self.reader.check()
            self._refuse(move_problem(self.conflict, name, moves[name]), "move", name)
        return moves

    def _splits(self, value: object) -> dict[str, Energy]:
        losses = self.turn.verdict.losses if self.turn.verdict else {}
        splits = {}
        for name, item in self._both(value, "loss").items():
            loss = losses.get(name)
            place = below(below(self.place, "loss"), name)
            split = read_energy(self.reader, item, place, whole=False)
            self.reader.check()
            if loss is None or not loss.total:
                raise ScriptError(place, f"{name} loses nothing this turn")
            energy = self.conflict.fighters[name].energy
            self._refuse(split_problem(energy, loss, split), "loss", name)
            splits[name] = split
        return splits

    def _kill_problem(self) -> str | None:
        verdict = self.turn.verdict
        if not self.conflict.scene.lethal:
            return "the conflict is not lethal"
        if verdict is None or verdict.outcome is not Outcome.SURRENDER or verdict.winner is None:
            return "not exactly one has surrendered this turn"
        return None

    def _next(self, value: object) -> tuple[str, bool]:
        """The name, and whether it was agreed otherwise."""
        if not isinstance(value, dict):
            name = self._text(value, "next")
            self._refuse(named_problem(self.conflict, name), "next")
            return name, False
        found = self.reader.table(value, below(self.place, "next"), ("agreed",), ())
        self.reader.check()
        if self.conflict.result:
            self._refuse("the conflict is over", "next")
        name = self._text(found["agreed"], "next", "agreed")
        self._refuse(named_problem(self.conflict, name, agreed=True), "next", "agreed")
        return name, True
