"""Plays one event of a written script with the same functions that a table uses."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import passing, perks
from hub.games.tricube.rules.opposed import face, has_won, judge_both, throw_for_npc
from hub.games.tricube.rules.record import gain_object, roll_object
from hub.games.tricube.rules.roll import Roll, call, judge
from hub.games.tricube.rules.said import check_name
from hub.games.tricube.rules.scripted_rolls import ROLL_KEYS, Reader, RollPlayer, said_at
from hub.games.tricube.rules.settling import apply_effort
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import CHALLENGE_KEYS, one_of, read_challenge
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place, shown

_KEYS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "challenge": (("name",), CHALLENGE_KEYS),
    "roll": (
        ("who", "challenge", "type", "dice"),
        ("difficulty", "defense", "again", "together", *ROLL_KEYS),
    ),
    "opposed": (("sides",), ("deadly",)),
    "perk": (("who", "perks", "use"), ("challenge", "complication")),
    "complication": (("who",), ("quirk", "accepted")),
    "cure": (("who", "affliction", "perks"), ("by", "complication")),
    "recover": (("who", "affliction"), ()),
    "convert": (("who", "affliction"), ()),
    "turn": ((), ()),
    "scene": ((), ()),
    "session": ((), ()),
}
"""Event → its required and its optional keys."""
_SIDES = 2

Printed = dict[str, Any]


class Rolled(Struct, frozen=True):
    """The roll of an event: the roller and the challenge."""

    who: str
    challenge: str


class EventPlayer:
    """Plays one event of a script; ``before`` is the event before it, if that was a roll.

    After :meth:`play`, ``tale`` is the resulting state, and ``rolled`` this event's roll, if it was
    one. Every method may raise :class:`hub.kernel.faults.Faulty`.
    """

    def __init__(
        self, tale: Tale, document: Document, place: Place, before: Rolled | None = None
    ) -> None:
        self.tale = tale
        self.document = document
        self.place = place
        self.before = before
        self.rolled: Rolled | None = None

    def play(self, value: object) -> Printed:
        """Play the whole event. Return its printed form without the state after it."""
        blame_doubled(self.document, value, self.place)
        do = self._do(value)
        required, optional = _KEYS[do]
        given = self.document.table(value, self.place, ("do", *required), (*optional, "told"))
        reader = Reader(self.document, given, self.place)
        reader.text("told")
        playing: Callable[[Reader], Printed] = getattr(self, f"_{do}")
        return {"do": do, **playing(reader)}

    def _do(self, value: object) -> str:
        do = value.get("do") if isinstance(value, dict) else None
        if isinstance(do, str) and do in _KEYS:
            return do
        if not isinstance(value, dict):
            self.document.table(value, self.place)
        elif "do" in value:
            why = Reason("not-one-of", text=shown(do), names=[*_KEYS])
            self.document.blame((*self.place, "do"), why)
        else:
            self.document.blame((*self.place, "do"), Reason("is-missing"))
        self.document.check()
        raise AssertionError("what is blamed is refused")

    def _challenge(self, given: Reader) -> Printed:
        name = given.text("name")
        found = read_challenge(self.document, given.given, self.place)
        self.document.check()
        with said_at(self.document, self.place):
            check_name(name)
            self.tale = self.tale.begin_challenge(
                name, found.difficulty, found.effort, deadly=found.deadly
            )
        return {"name": name}

    def _roll(self, given: Reader) -> Printed:
        who, challenge, said = given.text("who"), given.text("challenge"), given.said()
        difficulty = given.number_or_none("difficulty")
        defense, again, together = (given.flag(key) for key in ("defense", "again", "together"))
        self.document.check()
        with said_at(self.document, self.place):
            self._check_call(who, challenge, together=together)
            roll = call(
                self.tale,
                who,
                said.kind,
                challenge,
                difficulty=difficulty,
                scope=said.scope,
                defense=defense,
                again=again,
                together=together,
            )
        player = RollPlayer(self.document, self.place, said, roll)
        player.throw(self.tale)
        tale = player.pay(self.tale)
        judged = judge(player.roll)
        deadly = tale.challenges[challenge].deadly
        tale, removed = apply_effort(tale, player.roll, judged)
        self.tale, printed = player.settle(tale, judged, deadly=deadly)
        over = self.tale.challenges[challenge].over
        self.rolled = Rolled(who, challenge)
        first = {"who": who, "challenge": challenge, "defense": defense}
        return {**first, **printed, "removed": removed, "over": over}

    # book: c16.call
    def _check_call(self, who: str, challenge: str, *, together: bool) -> None:
        """Raise :class:`Refused` if a roll cannot belong to the same call as the one before it."""
        self.tale.able(who)
        self.tale.met(challenge)
        before = self.before
        if together and (before is None or before.who == who or before.challenge != challenge):
            raise Refused("together", Reason("together-with-roll"))

    def _opposed(self, given: Reader) -> Printed:
        deadly, place = given.flag("deadly"), given.at("sides")
        sides = self.document.table(given.given.get("sides", {}), place)
        if self.document.sound(place) and len(sides) != _SIDES:
            self.document.blame(place, Reason("two-sides"))
        self.document.check()
        npcs = [name for name, each in sides.items() if self._is_npc(each, (*place, name))]
        self.document.check()
        if len(npcs) == 1:
            self.document.refuse(place, Reason("npc-against-character"))
        return self._npcs(sides, place) if npcs else self._against(sides, place, deadly=deadly)

    def _is_npc(self, value: object, place: Place) -> bool:
        """Whether this side is an NPC's. Malformed sides are blamed here, before the kinds of the
        sides are compared."""
        if not isinstance(value, Mapping):
            self.document.table(value, place)
            return False
        return self.document.flag(value.get("npc", False), (*place, "npc"))

    def _npcs(self, sides: Mapping[str, object], place: Place) -> Printed:
        rolls: list[Roll] = []
        for name, value in sides.items():
            at = (*place, name)
            if name in self.tale.characters:
                self.document.blame(at, Reason("npc-called-so", who=name))
            given = self.document.table(value, at, ("npc", "dice"), ())
            dice = Reader(self.document, given, at).numbers("dice")
            self.document.check()
            with said_at(self.document, at):
                rolls.append(throw_for_npc(name, dice))
        facing = face(*rolls)
        pairs = [*zip(facing, judge_both(*facing), strict=True)]
        printed = {
            roll.who: {"npc": True} | roll_object(roll, judged, None, None, defeated=False)
            for roll, judged in pairs
        }
        winner = next((roll.who for roll, judged in pairs if has_won(judged)), None)
        return {"sides": printed, "winner": winner}

    def _against(self, sides: Mapping[str, object], place: Place, *, deadly: bool) -> Printed:
        players: list[RollPlayer] = []
        for name, value in sides.items():
            at = (*place, name)
            given = self.document.table(value, at, ("type", "dice"), ("npc", *ROLL_KEYS))
            reader = Reader(self.document, given, at)
            said = reader.said()
            self.document.check()
            with said_at(self.document, place):
                self.tale.able(name, name)
            roll = call(self.tale, name, said.kind, scope=said.scope)
            players.append(RollPlayer(self.document, at, said, roll))
        for player in players:
            player.throw(self.tale)
        one, other = players
        one.roll, other.roll = face(one.roll, other.roll)
        tale = self.tale
        for player in players:
            tale = player.pay(tale)
        judgements = judge_both(one.roll, other.roll)
        printed: Printed = {}
        winner = None
        for player, judged in zip(players, judgements, strict=True):
            tale, found = player.settle(tale, judged, deadly=deadly)
            printed[player.roll.who] = {"npc": False, **found}
            winner = player.roll.who if has_won(judged) else winner
        self.tale = tale
        return {"sides": printed, "winner": winner}

    def _perk(self, given: Reader) -> Printed:
        who, some = given.text("who"), given.texts("perks")
        use = one_of(
            self.document, given.given.get("use", perks.Use.FLAVOUR), given.at("use"), perks.Use
        )
        challenge = given.text_or_none("challenge")
        complication = given.text_or_none("complication")
        self.document.check()
        with said_at(self.document, self.place):
            self.tale, paid = perks.use_perk(
                self.tale, who, some, use, challenge, complication=complication
            )
        return {
            "who": who,
            "perks": [*some],
            "use": str(use),
            "challenge": challenge,
            "paid": paid.paid,
            "complication": paid.complication,
        }

    def _complication(self, given: Reader) -> Printed:
        who, quirk = given.text("who"), given.text_or_none("quirk")
        accepted = given.flag("accepted", usual=True)
        self.document.check()
        with said_at(self.document, self.place):
            self.tale, gain = perks.take_complication(self.tale, who, quirk, accepted=accepted)
        brought = gain and gain_object(gain)
        return {"who": who, "quirk": quirk, "accepted": accepted, "gain": brought}

    def _cure(self, given: Reader) -> Printed:
        who, affliction = given.text("who"), given.text("affliction")
        some, by = given.texts("perks"), given.text_or_none("by")
        complication = given.text_or_none("complication")
        self.document.check()
        with said_at(self.document, self.place):
            self.tale, cured = perks.cure(
                self.tale, who, affliction, some, by, complication=complication
            )
        return {
            "who": who,
            "affliction": affliction,
            "by": cured.karma.by,
            "perks": [*some],
            "paid": cured.karma.paid,
            "permanent": cured.permanent,
            "complication": cured.karma.complication,
        }

    def _recover(self, given: Reader) -> Printed:
        return self._ended(given, perks.recover)

    def _convert(self, given: Reader) -> Printed:
        return self._ended(given, perks.convert)

    def _ended(self, given: Reader, end: Callable[[Tale, str, str], Tale]) -> Printed:
        who, affliction = given.text("who"), given.text("affliction")
        self.document.check()
        with said_at(self.document, self.place):
            self.tale = end(self.tale, who, affliction)
        return {"who": who, "affliction": affliction}

    def _turn(self, given: Reader) -> Printed:
        self.document.check()
        self.tale = passing.next_turn(self.tale)
        return {}

    def _scene(self, given: Reader) -> Printed:
        return self._passed(passing.next_scene)

    def _session(self, given: Reader) -> Printed:
        return self._passed(passing.next_session)

    def _passed(self, over: Callable[[Tale], tuple[Tale, passing.Gone]]) -> Printed:
        self.document.check()
        self.tale, gone = over(self.tale)
        return {"gone": {who: [*names] for who, names in gone.items()}}
