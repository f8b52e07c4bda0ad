"""A conflict as one JSON document in, one object per turn and a closing one out.

The turns are played with the very transitions that the table uses. Every number, name and move is
checked at its place; the objects of the turns before a fault have been handed out by then.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Never

from hub.rules.registry import DEFAULT_RULESET, GAMES
from hub.rules.triangle.cards import move_problem
from hub.rules.triangle.conflict import Conflict, Loss, Outcome, Stance, Turn
from hub.rules.triangle.edition import Action, Energy, Move
from hub.rules.triangle.game import TriangleGame
from hub.rules.triangle.grammar import SURRENDER, parse_stance
from hub.rules.triangle.losses import split_problem
from hub.rules.triangle.passing import may_act, named_problem
from hub.rules.triangle.reading import DOCUMENT, Reader, below, shown
from hub.rules.triangle.setup import (
    KEYS_OPTIONAL,
    KEYS_REQUIRED,
    NO_SPECIALS,
    read_conflict,
    read_energy,
    read_move,
)
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

MAX_BYTES = 16_000_000
MAX_TURNS = 100_000
MAX_DEPTH = 16
"""Deepest nesting of lists and objects; a valid script has six levels."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_LONGEST_INT = 18
"""Digits that are read as a number; longer ones are only known to be too large."""

_TURN_REQUIRED = ("active", "opponent", "move")
_TURN_OPTIONAL = ("end_combo", "special", "stance", "loss", "kill", "next")


class ScriptError(ValueError):
    """A script is not valid: ``place`` says where, ``reason`` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class _Doubled(dict[str, Any]):
    """An object in which a key stands twice."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


def resolve_script(document: bytes) -> Iterator[dict[str, Any]]:
    """Play a script. Yields an object per turn, then the closing one.

    Raises :class:`ScriptError`, also in the middle: what was yielded before stands.
    """
    script = _parse(document)
    reader = _StrictReader()
    reader.whole(script, DOCUMENT, apart="turns")
    given = reader.table(script, DOCUMENT, (*KEYS_REQUIRED, "turns"), KEYS_OPTIONAL)
    reader.check()
    ruleset = given.get("ruleset", DEFAULT_RULESET)
    game = GAMES.get(ruleset) if isinstance(ruleset, str) else None
    if not isinstance(game, TriangleGame):
        raise ScriptError("ruleset", f"{shown(ruleset)} is not one of: {', '.join(GAMES)}")
    turns = given.pop("turns")
    conflict = read_conflict(reader, game.edition, given)
    turns = reader.items(turns, "turns", MAX_TURNS)
    reader.check()
    if conflict is None:
        raise AssertionError("a setup without a fault gives a conflict")
    next_up: str | None = None
    agreed = False
    for index, turn in enumerate(turns):
        player = _TurnPlayer(conflict, reader, below("turns", index))
        conflict, next_up, agreed = player.play(turn, next_up, agreed)
        yield _turn_object(conflict)
    yield _closing_object(conflict)


def write_object(value: dict[str, Any]) -> bytes:
    """One line of JSON Lines."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _parse(document: bytes) -> Any:
    """JSON values, nothing believed yet but that it is JSON within the limits."""
    if len(document) > MAX_BYTES:
        raise ScriptError(DOCUMENT, f"is longer than {MAX_BYTES} bytes")
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", document)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise ScriptError(DOCUMENT, f"is nested deeper than {MAX_DEPTH} levels")
    try:
        return json.loads(
            document.decode(),
            object_pairs_hook=_object,
            parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_INT else float(digits),
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError as error:
        raise ScriptError(DOCUMENT, f"is not UTF-8 (at byte {error.start})") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ScriptError(DOCUMENT, f"is not JSON: {error.msg} ({where})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            return _Doubled(key)
        found[key] = value
    return found


def _no_constant(name: str) -> Never:
    raise ScriptError(DOCUMENT, f"is not JSON: {name} is no number of JSON")


class _StrictReader(Reader):
    """A reader that stops at the first fault when asked, and finds doubled keys."""

    def check(self) -> None:
        """Raise the first fault, if there is one."""
        if self.faults:
            raise ScriptError(self.faults[0].place, self.faults[0].reason)

    def whole(self, value: object, place: str, apart: str | None = None) -> None:
        """Raise if a key stands twice in any object here, but for what is read ``apart``."""
        if isinstance(value, _Doubled):
            raise ScriptError(below(place, value.key), "stands here twice")
        if isinstance(value, dict):
            for key, item in value.items():
                if key != apart:
                    self.whole(item, below(place, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self.whole(item, below(place, index))


class _TurnPlayer:
    """Plays one turn of a script: every part is read, checked by the rules, then applied."""

    def __init__(self, conflict: Conflict, reader: _StrictReader, place: str) -> None:
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
        self.reader.whole(value, self.place)
        given = self.reader.table(value, self.place, _TURN_REQUIRED, _TURN_OPTIONAL)
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
                stance = parse_stance(text)
            except ValueError as malformed:
                raise ScriptError(
                    below(below(self.place, "stance"), name), str(malformed)
                ) from None
            fighter = self.conflict.fighters[name]
            self._refuse(stance_problem(fighter, name, stance), "stance", name)
            stances[name] = stance
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


def _move_value(move: Move) -> str | dict[str, str]:
    return {"move": move.id, "variant": move.variant} if move.variant else move.id


def _points(energy: Energy) -> dict[str, int]:
    return {action.value: energy.of(action) for action in Action}


def _loss_object(loss: Loss, split: Energy) -> dict[str, Any]:
    return {
        "total": loss.total,
        "stance": loss.stance,
        "own_stance": loss.own_stance,
        "base": loss.base,
        "combo": loss.combo,
        "disadvantage": loss.disadvantage,
        "special": 0,
        "capped": loss.raw > loss.total,
        "split": _points(split),
    }


def _turn_object(conflict: Conflict) -> dict[str, Any]:
    """What happened in the turn that was just settled, and how everybody stands after it."""
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
        "gain": {},
        "energy": {name: _points(fighter.energy) for name, fighter in fighters.items()},
        "face_up": {
            name: [_move_value(move) for move in fighter.face_up]
            for name, fighter in fighters.items()
            if fighter.face_up
        },
        "combo": {"victim": run.victim, "moves": [_move_value(move) for _, move in run.cards]}
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
