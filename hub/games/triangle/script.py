"""Play a conflict from a script, turn by turn, with the same transitions as at the table.

At the table choices drive the transitions, one after the other (``rules.steps``). Here each part of
a turn is read, checked by the rules, and then played.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from hub.games.scripts import MAX_PARTS, Part
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import turn as t
from hub.games.triangle.rules.cards import why_not_move
from hub.games.triangle.rules.characters.conflicts import move_value
from hub.games.triangle.rules.conflict import Conflict, Loss, Outcome, Stance, Turn
from hub.games.triangle.rules.edition import Edition, Energy, Move
from hub.games.triangle.rules.editions import DEFAULT, EDITIONS
from hub.games.triangle.rules.grammar import SURRENDER, parse_stance
from hub.games.triangle.rules.interplay import gain_after
from hub.games.triangle.rules.judging import split_of
from hub.games.triangle.rules.passing import may_act, why_not_named
from hub.games.triangle.rules.setup import (
    KEYS_OPTIONAL,
    KEYS_REQUIRED,
    read_conflict,
    read_energy,
    read_move,
)
from hub.games.triangle.rules.specials import why_not_redraw
from hub.games.triangle.script_specials import Written, play_specials
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place, shown

RULESETS = tuple(EDITIONS)
TURN_REQUIRED = ("active", "opponent", "move")
TURN_OPTIONAL = ("end_combo", "special", "stance", "loss", "kill", "next")
_LOSS_PARTS = ("total", "stance", "own_stance", "base", "combo", "disadvantage", "special")


def play(
    document: Document, default: str, known: Sequence[str], house: Edition | None = None
) -> Iterator[dict[str, Any]]:
    """Play a script. Yields an object for each turn, then the closing one: see
    :class:`hub.games.family.Script`."""
    script = Part.script(document, "turns", (*KEYS_REQUIRED, "turns"), KEYS_OPTIONAL)
    editions = {**EDITIONS, **({house.id: house} if house else {})}
    ruleset = script.given.get("ruleset", default)
    edition = editions.get(ruleset) if isinstance(ruleset, str) else None
    if edition is None:
        script.blame(Reason("no-script-ruleset", value=shown(ruleset), books=known), "ruleset")
    turns = script.items("turns", MAX_PARTS)
    setup = {key: value for key, value in script.given.items() if key not in ("ruleset", "turns")}
    conflict = read_conflict(document, edition or EDITIONS[DEFAULT], setup, complete=False)
    script.check()
    if conflict is None:
        raise AssertionError("a setup without a fault gives a conflict")
    next_up: str | None = None
    agreed = False
    for index, turn in enumerate(turns):
        blame_doubled(document, turn, ("turns", index))
        player = TurnPlayer(conflict, document, ("turns", index))
        conflict, next_up, agreed = player.play(turn, next_up, agreed)
        yield turn_object(conflict)
    yield _closing_object(conflict)


class TurnPlayer:
    """One turn of a script: reads each part, checks it by the rules, and applies it."""

    given: Part

    def __init__(self, conflict: Conflict, document: Document, place: Place) -> None:
        self.conflict = conflict
        self.document = document
        self.place = place
        self.turn = Turn(0, "")

    def play(
        self, value: object, next_up: str | None, agreed: bool
    ) -> tuple[Conflict, str | None, bool]:
        """Play a turn of the script, ``value``. ``next_up`` is the character that the last turn
        named, and ``agreed`` whether the table had agreed on it. Returns the conflict after the
        turn, and the same two values for the next turn. Raises
        :class:`hub.kernel.faults.Faulty`."""
        if self.conflict.result:
            self.document.refuse(self.place, Reason("conflict-over"))
        given = self.given = Part(self.document, value, self.place, TURN_REQUIRED, TURN_OPTIONAL)
        given.check()
        ends_combo, kill = given.flag("end_combo"), given.flag("kill")
        given.check()
        self._name_active(next_up, agreed)
        self._choose_opponent()
        if ends_combo:
            given.refuse(t.why_not_kept(self.turn), "end_combo")
            self._apply(t.end_combo(self.conflict, self.turn))
        conflict, specials = play_specials(given, self.conflict, self.turn)
        self._apply(conflict)
        self._apply(t.reveal_stances(self.conflict, self.turn, self._stances()))
        moves = self._replaced(self._moves(), specials)
        self._apply(t.judge(self.conflict, self.turn, moves))
        splits = self._splits(specials)
        gains = self._gains(splits, specials)
        if kill:
            given.refuse(self._why_not_kill(), "kill")
        self._apply(t.settle(self.conflict, self.turn, splits, gains, kill=kill))
        return (self.conflict, *self._next()) if "next" in given else (self.conflict, None, False)

    def _apply(self, conflict: Conflict) -> None:
        self.conflict = conflict
        self.turn = conflict.turn or self.turn

    def _by_name(self, key: str, names: list[str], *, required: bool = False) -> Part:
        """Read the object at ``key``, whose keys are ``names`` of characters in this turn."""
        value = self.given.given.get(key, {})
        if isinstance(value, dict):
            for name in value:
                if name not in names:
                    self.given.refuse(Reason("not-in-this-turn", names=names), key, name)
        found = self.given.part(key, names if required else (), names)
        found.check()
        return found

    def _both(self) -> list[str]:
        return [n for n in self.conflict.fighters if n in (self.turn.active, self.turn.opponent)]

    def _name_active(self, next_up: str | None, agreed: bool) -> None:
        name = _text(self.given, "active")
        if next_up is None:
            self.given.refuse(why_not_named(self.conflict, name), "active")
        elif name != next_up:
            self.given.refuse(Reason("another-named", name=next_up), "active")
        self._apply(t.name_active(self.conflict, name, agreed=agreed))

    def _choose_opponent(self) -> None:
        name = _text(self.given, "opponent")
        self.given.refuse(t.why_not_opponent(self.conflict, self.turn, name), "opponent")
        self._apply(t.choose_opponent(self.conflict, self.turn, name))

    def _stances(self) -> dict[str, Stance | None]:
        stances: dict[str, Stance | None] = {self.turn.active: None, self.turn.opponent: None}
        given = self._by_name("stance", self._both())
        for name in given.given:
            text = _text(given, name)
            with given.rules(name):
                stances[name] = parse_stance(text)
            fighter = self.conflict.fighters[name]
            given.refuse(t.why_not_stance(fighter, name, stances[name]), name)
        return stances

    def _moves(self) -> dict[str, Move | None]:
        moves: dict[str, Move | None] = {}
        given = self._by_name("move", self._both(), required=True)
        for name, item in given.given.items():
            if item == SURRENDER:
                moves[name] = None
                continue
            edition = self.conflict.scene.edition
            moves[name] = read_move(self.document, edition, item, given.at(name))
            given.check()
            given.refuse(why_not_move(self.conflict, name, moves[name]), name)
        return moves

    def _replaced(
        self, moves: dict[str, Move | None], specials: list[Written]
    ) -> dict[str, Move | None]:
        """Return the moves, with drawn ones in place of shown ones (R12)."""
        replaced = dict(moves)
        for written in specials:
            if written.replaces:
                name, drawn = written.player, written.drawn
                why = why_not_redraw(self.conflict, name, moves[name], drawn)
                written.given.refuse(why, "replace")
                replaced[name] = drawn
        return replaced

    def _splits(self, specials: list[Written]) -> dict[str, Energy]:
        """Read the splits of losses: loser → split, decided by the loser or by the player of an
        aiming special (R12)."""
        losses = self.turn.verdict.losses if self.turn.verdict else {}
        names = [n for n in self.conflict.fighters if n in losses or n in self._both()]
        splits = {}
        for written in specials:
            if written.loss is not None:
                loser = self.turn.other(written.player)
                written.given.refuse(self._why_not_split(loser, written.loss), "loss")
                splits[loser] = written.loss
        given = self._by_name("loss", names)
        for name, item in given.given.items():
            split = read_energy(self.document, item, given.at(name), whole=False)
            given.check()
            if name in splits:
                given.refuse(Reason("split-already", name=self.turn.other(name)), name)
            given.refuse(self._why_not_split(name, split), name)
            splits[name] = split
        return splits

    def _why_not_split(self, name: str, split: Energy) -> Reason | None:
        loss = self.turn.verdict.losses.get(name) if self.turn.verdict else None
        if loss is None or not loss.total:
            return Reason("loses-nothing", name=name)
        return split_of(self.conflict.fighters[name].energy, loss).why_not(split)

    def _gains(self, splits: dict[str, Energy], specials: list[Written]) -> dict[str, Energy]:
        """Read how gains are spread after the losses: character → energy (R12)."""
        gains = {}
        for written in specials:
            if written.gain is None:
                continue
            gain = gain_after(self.conflict, self.turn, written.player, splits)
            written.given.refuse(gain.why_not(written.gain), "gain")
            gains[written.player] = written.gain
        return gains

    def _why_not_kill(self) -> Reason | None:
        verdict = self.turn.verdict
        if not self.conflict.scene.lethal:
            return Reason("not-lethal")
        if verdict is None or verdict.outcome is not Outcome.SURRENDER or verdict.winner is None:
            return Reason("nobody-surrendered")
        return None

    def _next(self) -> tuple[str, bool]:
        """Read which character takes the next turn, and whether the table has agreed on it."""
        if not isinstance(self.given.given["next"], dict):
            name = _text(self.given, "next")
            self.given.refuse(why_not_named(self.conflict, name), "next")
            return name, False
        given = self.given.part("next", ("agreed",))
        given.check()
        if self.conflict.result:
            given.refuse(Reason("conflict-over"))
        name = _text(given, "agreed")
        given.refuse(why_not_named(self.conflict, name, agreed=True), "agreed")
        return name, True


def _text(given: Part, key: str) -> str:
    value = given.given[key]
    if not isinstance(value, str):
        given.refuse(Reason("no-text", value=shown(value)), key)
    return str(value)


def _loss_object(loss: Loss, split: Energy) -> dict[str, Any]:
    parts = {part: getattr(loss, part) for part in _LOSS_PARTS}
    return {**parts, "capped": loss.raw > loss.total, "split": to_builtins(split)}


def turn_object(conflict: Conflict) -> dict[str, Any]:
    """Return the object for the last turn, which must be settled, with the state of all characters
    after it."""
    turn, fighters, run = conflict.turn, conflict.fighters, conflict.run
    if turn is None or turn.verdict is None or turn.splits is None:
        raise AssertionError("a turn is written once it is settled")
    verdict, splits = turn.verdict, turn.splits
    return {
        "turn": turn.number,
        "active": turn.active,
        "opponent": turn.opponent,
        "outcome": verdict.outcome.value,
        "winner": verdict.winner,
        "loser": verdict.loser,
        "why": verdict.why.value,
        "loss": {
            name: _loss_object(verdict.losses[name], splits[name])
            for name in fighters
            if name in verdict.losses
        },
        "gain": {name: to_builtins(turn.gains[name]) for name in fighters if name in turn.gains},
        "energy": {name: to_builtins(fighter.energy) for name, fighter in fighters.items()},
        "face_up": {
            name: [move_value(move) for move in fighter.face_up]
            for name, fighter in fighters.items()
            if fighter.face_up
        },
        "combo": {"victim": run.victim, "moves": [move_value(move) for _, move in run.cards]}
        if run
        else None,
        "zero": {name: [a.value for a in f.zero] for name, f in fighters.items()},
        "out": [name for name, fighter in fighters.items() if fighter.out],
        "dead": [name for name, fighter in fighters.items() if fighter.dead],
        "may_act": list(may_act(conflict)),
    }


def _closing_object(conflict: Conflict) -> dict[str, Any]:
    result = conflict.result
    if result is None:
        return {"over": False}
    closing = {"over": True, "winner": result.winner, "reason": result.reason.value}
    return closing if result.winner else {**closing, "undecided": True}
