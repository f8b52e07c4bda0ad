"""One turn of a script: read part by part, checked by the rules, then played.

The table drives the same transitions by successive choices (``steps``).
"""

from typing import Any

from hub.games.game import IllegalChoice
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import why_not_move
from hub.games.triangle.rules.conflict import Conflict, Outcome, Stance, Turn
from hub.games.triangle.rules.edition import Energy, Move
from hub.games.triangle.rules.grammar import SURRENDER, parse_stance
from hub.games.triangle.rules.interplay import gains_due, taken
from hub.games.triangle.rules.losses import gain_of, split_of
from hub.games.triangle.rules.passing import why_not_named
from hub.games.triangle.rules.scripted_specials import Written, play_specials
from hub.games.triangle.rules.setup import read_energy, read_move
from hub.games.triangle.rules.specials import why_not_redraw
from hub.games.triangle.rules.turn import (
    choose_opponent,
    end_combo,
    judge,
    name_active,
    reveal_stances,
    settle,
    why_not_kept,
    why_not_opponent,
    why_not_stance,
)
from hub.kernel.documents import Document
from hub.kernel.faults import Place, shown

TURN_REQUIRED = ("active", "opponent", "move")
TURN_OPTIONAL = ("end_combo", "special", "stance", "loss", "kill", "next")


class TurnPlayer:
    """Plays one turn of a script: reads each part, checks it by the rules, and applies it."""

    def __init__(self, conflict: Conflict, document: Document, place: Place) -> None:
        self.conflict = conflict
        self.document = document
        self.place = place
        self.turn = Turn(0, "")

    def play(
        self, value: object, next_up: str | None, agreed: bool
    ) -> tuple[Conflict, str | None, bool]:
        """Play the turn. Return the conflict after it, who is named next, and whether that was
        agreed. Raises :class:`hub.kernel.faults.Faulty`."""
        if self.conflict.result:
            self.document.refuse(self.place, Reason("conflict-over"))
        given = self.document.table(value, self.place, TURN_REQUIRED, TURN_OPTIONAL)
        self.document.check()
        flags = {
            key: self.document.flag(given.get(key, False), (*self.place, key))
            for key in ("end_combo", "kill")
        }
        self.document.check()
        self._name_active(given["active"], next_up, agreed)
        self._choose_opponent(given["opponent"])
        if flags["end_combo"]:
            self._refuse(why_not_kept(self.turn), "end_combo")
            self._apply(end_combo(self.conflict, self.turn))
        place = (*self.place, "special")
        conflict, specials = play_specials(
            self.document, self.conflict, self.turn, given.get("special", {}), place
        )
        self._apply(conflict)
        stances = self._stances(given.get("stance", {}))
        self._apply(reveal_stances(self.conflict, self.turn, stances))
        moves = self._replaced(self._moves(given["move"]), specials)
        self._apply(judge(self.conflict, self.turn, moves))
        splits = self._splits(given.get("loss", {}), specials)
        gains = self._gains(splits, specials)
        if flags["kill"]:
            self._refuse(self._why_not_kill(), "kill")
        self._apply(settle(self.conflict, self.turn, splits, gains, kill=flags["kill"]))
        if "next" not in given:
            return self.conflict, None, False
        return (self.conflict, *self._next(given["next"]))

    def _apply(self, conflict: Conflict) -> None:
        self.conflict = conflict
        self.turn = conflict.turn or self.turn

    def _refuse(self, why: Reason | None, *keys: str) -> None:
        """Raise if there is a reason against the value at these keys."""
        self.document.refuse((*self.place, *keys), why)

    def _text(self, value: object, *keys: str) -> str:
        if not isinstance(value, str):
            self._refuse(Reason("no-text", value=shown(value)), *keys)
        return str(value)

    def _by_name(
        self, value: object, key: str, names: list[str], *, required: bool = False
    ) -> dict[str, Any]:
        """Read an object whose keys are names of this turn."""
        place = (*self.place, key)
        if isinstance(value, dict):
            for name in value:
                if name not in names:
                    self._refuse(Reason("not-in-this-turn", names=names), key, name)
        found = self.document.table(value, place, names if required else (), names)
        self.document.check()
        return found

    def _both(self) -> list[str]:
        return [n for n in self.conflict.fighters if n in (self.turn.active, self.turn.opponent)]

    def _name_active(self, value: object, next_up: str | None, agreed: bool) -> None:
        name = self._text(value, "active")
        if next_up is None:
            self._refuse(why_not_named(self.conflict, name), "active")
        elif name != next_up:
            self._refuse(Reason("another-named", name=next_up), "active")
        self._apply(name_active(self.conflict, name, agreed=agreed))

    def _choose_opponent(self, value: object) -> None:
        name = self._text(value, "opponent")
        self._refuse(why_not_opponent(self.conflict, self.turn, name), "opponent")
        self._apply(choose_opponent(self.conflict, self.turn, name))

    def _stances(self, value: object) -> dict[str, Stance | None]:
        stances: dict[str, Stance | None] = {self.turn.active: None, self.turn.opponent: None}
        for name, item in self._by_name(value, "stance", self._both()).items():
            text = self._text(item, "stance", name)
            try:
                stances[name] = parse_stance(text)
            except IllegalChoice as malformed:
                self._refuse(malformed.reason, "stance", name)
            fighter = self.conflict.fighters[name]
            self._refuse(why_not_stance(fighter, name, stances[name]), "stance", name)
        return stances

    def _moves(self, value: object) -> dict[str, Move | None]:
        moves: dict[str, Move | None] = {}
        given = self._by_name(value, "move", self._both(), required=True)
        for name, item in given.items():
            place = (*self.place, "move", name)
            if item == SURRENDER:
                moves[name] = None
                continue
            moves[name] = read_move(self.document, self.conflict.scene.edition, item, place)
            self.document.check()
            self._refuse(why_not_move(self.conflict, name, moves[name]), "move", name)
        return moves

    def _replaced(
        self, moves: dict[str, Move | None], specials: list[Written]
    ) -> dict[str, Move | None]:
        """Substitute drawn moves for shown ones (R12)."""
        replaced = dict(moves)
        for written in specials:
            if written.replaces:
                name, drawn = written.player, written.drawn
                why = why_not_redraw(self.conflict, name, moves[name], drawn)
                self.document.refuse((*written.place, "replace"), why)
                replaced[name] = drawn
        return replaced

    def _splits(self, value: object, specials: list[Written]) -> dict[str, Energy]:
        """Splits by loser, decided by the loser or by the player of an aiming special (R12)."""
        losses = self.turn.verdict.losses if self.turn.verdict else {}
        names = [n for n in self.conflict.fighters if n in losses or n in self._both()]
        splits = {}
        for written in specials:
            if written.loss is not None:
                loser = self.turn.other(written.player)
                self._check_split(loser, written.loss, (*written.place, "loss"))
                splits[loser] = written.loss
        for name, item in self._by_name(value, "loss", names).items():
            place = (*self.place, "loss", name)
            split = read_energy(self.document, item, place, whole=False)
            self.document.check()
            if name in splits:
                self.document.refuse(place, Reason("split-already", name=self.turn.other(name)))
            self._check_split(name, split, place)
            splits[name] = split
        return splits

    def _check_split(self, name: str, split: Energy, place: Place) -> None:
        """Raise unless the character's loss can be split this way (R6)."""
        loss = self.turn.verdict.losses.get(name) if self.turn.verdict else None
        if loss is not None and loss.total:
            why = split_of(self.conflict.fighters[name].energy, loss).why_not(split)
        else:
            why = Reason("loses-nothing", name=name)
        self.document.refuse(place, why)

    def _gains(self, splits: dict[str, Energy], specials: list[Written]) -> dict[str, Energy]:
        """Read how gains are spread after the losses (R12)."""
        gains = {}
        for written in specials:
            if written.gain is None:
                continue
            name = written.player
            energy = self.conflict.fighters[name].energy
            lost = taken(self.conflict, self.turn, splits).get(name, Energy())
            due = gains_due(self.turn).get(name, 0)
            most = self.conflict.scene.sheets[name].max
            why = gain_of(energy.minus(lost), most, due).why_not(written.gain)
            self.document.refuse((*written.place, "gain"), why)
            gains[name] = written.gain
        return gains

    def _why_not_kill(self) -> Reason | None:
        verdict = self.turn.verdict
        if not self.conflict.scene.lethal:
            return Reason("not-lethal")
        if verdict is None or verdict.outcome is not Outcome.SURRENDER or verdict.winner is None:
            return Reason("nobody-surrendered")
        return None

    def _next(self, value: object) -> tuple[str, bool]:
        """The name, and whether the table agreed on it."""
        if not isinstance(value, dict):
            name = self._text(value, "next")
            self._refuse(why_not_named(self.conflict, name), "next")
            return name, False
        found = self.document.table(value, (*self.place, "next"), ("agreed",), ())
        self.document.check()
        if self.conflict.result:
            self._refuse(Reason("conflict-over"), "next")
        name = self._text(found["agreed"], "next", "agreed")
        self._refuse(why_not_named(self.conflict, name, agreed=True), "next", "agreed")
        return name, True
