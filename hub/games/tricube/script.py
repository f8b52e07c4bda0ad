"""Plays a tale from a script, event by event, with the same rules functions as at a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partialmethod
from typing import Any

from msgspec import Struct

from hub.games.scripts import MAX_PARTS, Part
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import perks, written
from hub.games.tricube.rules.roll import Roll, face, has_won, judge, judge_both, throw_for_npc
from hub.games.tricube.rules.said import check_name
from hub.games.tricube.rules.settling import apply_effort
from hub.games.tricube.rules.tale import Gone, Tale, next_scene, next_session, next_turn
from hub.games.tricube.rules.written import CHALLENGE_KEYS, TOKENS
from hub.games.tricube.script_rolls import ROLL_KEYS, RollPlayer, gain_object, roll_object
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place, shown

RULESETS = ("tricube",)
_SIDES = 2
_OF_CHALLENGE = ("difficulty", "effort", "left", "over", "deadly")
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
"""Event → its required and its optional keys. The method that plays the event has its name."""

Printed = dict[str, Any]


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[Printed]:
    """Play a script: yields each event with the state after it, then the characters at the end. See
    :meth:`hub.games.family.Script.play`."""
    script = Part.script(document, "events", ("ruleset", "characters", "events"), ())
    events = script.items("events", MAX_PARTS)
    given = script.given.get("characters", {})
    tale = Tale(written.read_characters(document, given, ("characters",)))
    script.check()
    rolled = None
    for index, event in enumerate(events):
        player = EventPlayer(tale, document, ("events", index), rolled)
        printed = player.play(event)
        tale, rolled = player.tale, player.rolled
        yield {"event": index + 1, **printed, **state_object(tale)}
    sheets = {who: written.character_object(each) for who, each in tale.characters.items()}
    yield {"end": True, "characters": sheets}


class Rolled(Struct, frozen=True):
    """The roll that an event was: the roller and the challenge."""

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
        """Play the whole event. Returns its printed form, without the state after it."""
        blame_doubled(self.document, value, self.place)
        do = self._do(value)
        required, optional = _KEYS[do]
        given = Part(self.document, value, self.place, ("do", *required), (*optional, "told"))
        given.text("told")
        playing: Callable[[Part], Printed] = getattr(self, f"_{do}")
        return {"do": do, **playing(given)}

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

    def _challenge(self, given: Part) -> Printed:
        name = given.text("name")
        found = written.read_challenge(given)
        given.check()
        with given.rules():
            check_name(name)
            self.tale = self.tale.begin_challenge(
                name, found.difficulty, found.effort, deadly=found.deadly
            )
        return {"name": name}

    def _roll(self, given: Part) -> Printed:
        who, challenge, player = given.text("who"), given.text("challenge"), RollPlayer(given)
        difficulty = given.number_or_none("difficulty")
        defense, again, together = (given.flag(key) for key in ("defense", "again", "together"))
        given.check()
        with given.rules():
            self._check_call(who, challenge, together=together)
            player.call(
                *(self.tale, who, challenge),
                difficulty=difficulty,
                defense=defense,
                again=again,
                together=together,
            )
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
        """Raise :class:`Refused` if the roller or the challenge is missing, or if a roll
        ``together`` does not fit the roll before it."""
        self.tale.able(who)
        self.tale.met(challenge)
        before = self.before
        if together and (before is None or before.who == who or before.challenge != challenge):
            raise Refused("together", Reason("together-with-roll"))

    def _opposed(self, given: Part) -> Printed:
        deadly, sides = given.flag("deadly"), given.by_name("sides")
        if self.document.sound(sides.place) and len(sides.given) != _SIDES:
            sides.blame(Reason("two-sides"))
        given.check()
        npcs = [name for name in sides.given if self._is_npc(sides, name)]
        given.check()
        if len(npcs) == 1:
            sides.refuse(Reason("npc-against-character"))
        return self._npcs(sides) if npcs else self._against(sides, deadly=deadly)

    def _is_npc(self, sides: Part, name: str) -> bool:
        """Whether this side is an NPC's. A malformed side is blamed here."""
        value = sides.given[name]
        if not isinstance(value, Mapping):
            self.document.table(value, sides.at(name))
            return False
        return self.document.flag(value.get("npc", False), sides.at(name, "npc"))

    def _npcs(self, sides: Part) -> Printed:
        rolls: list[Roll] = []
        for name in sides.given:
            if name in self.tale.characters:
                sides.blame(Reason("npc-called-so", who=name), name)
            given = sides.part(name, ("npc", "dice"))
            dice = given.numbers("dice")
            given.check()
            with given.rules():
                rolls.append(throw_for_npc(name, dice))
        facing = face(*rolls)
        pairs = [*zip(facing, judge_both(*facing), strict=True)]
        printed = {
            roll.who: {"npc": True} | roll_object(roll, judged, None, None, defeated=False)
            for roll, judged in pairs
        }
        winner = next((roll.who for roll, judged in pairs if has_won(judged)), None)
        return {"sides": printed, "winner": winner}

    def _against(self, sides: Part, *, deadly: bool) -> Printed:
        players: list[RollPlayer] = []
        for name in sides.given:
            player = RollPlayer(sides.part(name, ("type", "dice"), ("npc", *ROLL_KEYS)))
            sides.check()
            with sides.rules():
                self.tale.able(name, name)
            player.call(self.tale, name)
            players.append(player)
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

    def _perk(self, given: Part) -> Printed:
        who, some = given.text("who"), given.texts("perks")
        use = given.read("use", written.one_of, perks.Use) or perks.Use.FLAVOUR
        challenge = given.text_or_none("challenge")
        complication = given.text_or_none("complication")
        given.check()
        with given.rules():
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

    def _complication(self, given: Part) -> Printed:
        who, quirk = given.text("who"), given.text_or_none("quirk")
        accepted = given.flag("accepted", usual=True)
        given.check()
        with given.rules():
            self.tale, gain = perks.take_complication(self.tale, who, quirk, accepted=accepted)
        brought = gain and gain_object(gain)
        return {"who": who, "quirk": quirk, "accepted": accepted, "gain": brought}

    def _cure(self, given: Part) -> Printed:
        who, affliction = given.text("who"), given.text("affliction")
        some, by = given.texts("perks"), given.text_or_none("by")
        complication = given.text_or_none("complication")
        given.check()
        with given.rules():
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

    def _ended(self, given: Part, end: Callable[[Tale, str, str], Tale]) -> Printed:
        who, affliction = given.text("who"), given.text("affliction")
        given.check()
        with given.rules():
            self.tale = end(self.tale, who, affliction)
        return {"who": who, "affliction": affliction}

    _recover = partialmethod(_ended, end=perks.recover)
    _convert = partialmethod(_ended, end=perks.convert)

    def _turn(self, given: Part) -> Printed:
        given.check()
        self.tale = next_turn(self.tale)
        return {}

    def _passed(self, given: Part, over: Callable[[Tale], tuple[Tale, Gone]]) -> Printed:
        given.check()
        self.tale, gone = over(self.tale)
        return {"gone": {who: [*names] for who, names in gone.items()}}

    _scene = partialmethod(_passed, over=next_scene)
    _session = partialmethod(_passed, over=next_session)


def state_object(tale: Tale) -> Printed:
    """The state of a tale after an event, as JSON values in the order of the characters."""
    return {
        "characters": {
            who: {
                **{key: getattr(each, key) for key in TOKENS},
                "quirks": [*each.quirks],
                "afflictions": written.afflictions_list(each.afflictions),
                "out": each.out or each.dead,
                "retired": each.retired,
                "dead": each.dead,
            }
            for who, each in tale.characters.items()
        },
        "challenges": {
            name: {
                **{key: getattr(each, key) for key in _OF_CHALLENGE},
                "bypassed": [*each.bypassed],
            }
            for name, each in tale.challenges.items()
        },
    }
