"""Plays a script of Tricube Tales at a table: every event in the words of its steps, dice by hand.

:data:`DEAF` names what a table cannot hear, and the reasons.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.registry import game_of
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.tale import next_scene, next_session
from hub.games.tricube.script import state_object
from tests.rules.tricube.scripts import Json, played

GAME: Any = game_of("tricube")
DEAF: Mapping[str, str] = {
    "karma for nothing": "karma is asked for where a die reaches the difficulty by it (C5)",
    "nothing back": "what a quirk brings is asked where both could come; else what can come comes",
    "no name": "an affliction at a table has a name that can be shown",
    "no line": "what is told at a table is one printable line",
    "another order": "the rolls of a call are settled around the table",
    "mixed call": "in a call all defend themselves or nobody does, and each rolls once",
}
WORDS = 40
"""More than any event can take."""


class Deaf(Exception):
    """A table cannot hear this script; the key of :data:`DEAF`."""


def with_concepts(characters: Mapping[str, Json]) -> Json:
    """Fill in empty concepts: a script may have them, but a table needs one to show."""
    return {
        who: each if each.get("concept") else {**each, "concept": "stranger"}
        for who, each in characters.items()
    }


class AtTheTable:
    """Plays a script event by event and compares each with the output of ``facedown resolve``.

    ``reached`` counts what was said, ``deaf`` what could not be said.
    """

    def __init__(self, script: Json) -> None:
        characters = with_concepts(script["characters"])
        self.script = {**script, "characters": characters}
        self.state: Table = GAME.begin({"characters": characters, "dice": "hand"})
        self.reached: Counter[str] = Counter()
        self.deaf: Counter[str] = Counter()

    def play(self) -> None:
        *printed, _ = played(self.script["characters"], *self.script["events"])
        for at, (events, last) in enumerate(_calls(self.script["events"], printed)):
            before = self.state
            try:
                self.say(events)
            except Deaf as deaf:
                self.deaf[str(deaf)] += 1
                self.state = _as_printed(before, last)
                continue
            assert GAME.pending(self.state).step == "scene", (at, events)
            stood = state_object(self.state.tale)
            assert stood == {key: last[key] for key in stood}, (at, events)

    # Events

    def say(self, events: list[Json]) -> None:
        do = events[0]["do"]
        getattr(self, f"_{do}")(*events)
        self.reached[do] += 1

    def advance(self, who: str, choice: str) -> None:
        self.all_say({who: choice})

    def all_say(self, said: dict[str, str]) -> None:
        chosen = {who: Choice.parse(text, 1200) for who, text in said.items()}
        for who, choice in chosen.items():
            assert GAME.why_not(self.state, who, choice) is None, f"deaf to {choice} of {who}"
        self.state = GAME.advance(self.state, chosen, b"")

    def declare(self, who: str, word: str, /, **said: Any) -> None:
        choice = Choice(word, json.dumps(said))
        assert GAME.why_not(self.state, who, choice) is None, f"deaf to {choice} of {who}"
        self.state = GAME.declare(self.state, who, choice)

    def _challenge(self, event: Json) -> None:
        self.declare(GM, "challenge", **_of(event, "name", "difficulty", "effort", "deadly"))

    def _roll(self, *events: Json) -> None:
        names = [event["who"] for event in events]
        if sorted(names, key=[*self.script["characters"]].index) != names:
            raise Deaf("another order")
        if len({*names}) < len(names) or len({e.get("defense", False) for e in events}) > 1:
            raise Deaf("mixed call")
        self.reached["called together"] += len(events) > 1
        rollers = {
            event["who"]: _of(event, "type", "difficulty", "scope", "hindered", "again")
            for event in events
        }
        first = events[0]
        said = {"challenge": first["challenge"], "type": first["type"], "rollers": rollers}
        said |= _of(first, "defense")
        self.advance(GM, f"call {json.dumps(said)}")
        self._rolled({event["who"]: event for event in events})

    def _opposed(self, event: Json) -> None:
        sides = event["sides"]
        if all(side.get("npc", False) for side in sides.values()):
            self.reached["npcs"] += 1
            count = {name: len(side["dice"]) for name, side in sides.items()}
            self.declare(GM, "npcs", sides=count)
            for side in sides.values():
                self.advance(GM, _dice(side))
            return
        rolls = {who: _of(side, "type", "scope", "hindered") for who, side in sides.items()}
        self.declare(GM, "oppose", sides=rolls, **_of(event, "deadly"))
        self._rolled(sides)

    def _rolled(self, rolls: dict[str, Json]) -> None:
        """Play from the approach until the last roll is settled."""
        approach = {
            who: f"approach quirk {roll['quirk']}" if "quirk" in roll else "approach plain"
            for who, roll in rolls.items()
        }
        self.all_say(approach)
        self.all_say({who: _dice(roll) for who, roll in rolls.items()})
        paid = {
            (roll["karma"].get("by", who), who) for who, roll in rolls.items() if "karma" in roll
        }
        for _ in range(WORDS):
            pending = GAME.pending(self.state)
            if pending.step == "scene":
                break
            if pending.step == "karma":
                self.all_say({who: self._karma(who, rolls, paid) for who in pending.must})
                continue
            self._settled(pending, rolls)
        self._check_regained(rolls)
        for by, name in paid:
            assert not self._changes(name), f"deaf to karma of {by} for {name}"
        if paid:
            raise Deaf("karma for nothing")

    def _changes(self, name: str) -> bool:
        """Whether karma would have given this roll more hits."""
        assert self.state.last
        roll = self.state.last.rolls[name]
        final = roll.final
        assert final
        return max(roll.dice) > 1 and final - 1 in roll.dice

    def _karma(self, who: str, rolls: dict[str, Json], paid: set[tuple[str, str]]) -> str:
        for by, name in sorted(paid):
            offered = [str(o.choice) for o in GAME.offers(self.state, who) if o.reason is None]
            heard = any(f'"for":"{name}"' in each for each in offered)
            own = name == who and any("{" not in e and "none" not in e for e in offered)
            if by == who and (heard or own):
                paid.discard((by, name))
                self.reached["karma"] += 1
                self.reached["karma for another"] += name != who
                self.reached["karma for two"] += (
                    sum(
                        "karma" in roll and roll["karma"].get("by", of) == who
                        for of, roll in rolls.items()
                    )
                    > 1
                )
                said: Json = {"perks": rolls[name]["karma"]["perks"]}
                return "karma " + json.dumps(said | ({"for": name} if name != who else {}))
        return "karma none"

    def _settled(self, pending: Any, rolls: dict[str, Json]) -> None:
        asking, (who, *_) = self.state.asking, pending.must
        name = asking.roll if asking and asking.roll else GAME.view(self.state).rolling.now
        roll = rolls.get(name, {})
        match pending.step:
            case "instead":
                self.advance(GM, f"complication {_line(roll['karma']['complication'])}")
            case "accept":
                self.advance(who, "accept yes")
            case "regain":
                self.advance(who, f"regain {roll.get('regain', 'karma')}")
            case "price":
                self.advance(GM, f"price {_json(roll.get('price'))}".strip())
            case "fate":
                self.advance(who, f"fate {_json(_fate(roll['fate']))}")
            case "victor":
                self.advance(who, "told")
            case other:
                raise AssertionError(f"{other} is asked, and no script says it")

    def _check_regained(self, rolls: dict[str, Json]) -> None:
        last = self.state.last
        assert last
        for name, gain in last.gains.items():
            wanted = rolls[name].get("regain", "karma") if name in rolls else ""
            if gain is not None and str(gain.what) != wanted:
                raise Deaf("nothing back")

    def _perk(self, event: Json) -> None:
        self.declare(event["who"], "perk", **_of(event, "perks", "use", "challenge"))
        self._answered(event)

    def _cure(self, event: Json) -> None:
        said = _of(event, "affliction", "perks", "who")
        self.declare(event.get("by", event["who"]), "cure", **said)
        self._answered(event)

    def _answered(self, event: Json) -> None:
        """Let the GM nod, or offer a complication instead of karma."""
        payer = event.get("by", event["who"])
        if GAME.pending(self.state).step == "instead":
            self.advance(GM, f"complication {_line(event['complication'])}")
            self.advance(payer, "accept yes")
            self.reached["instead"] += 1
        elif GAME.pending(self.state).step == "nod":
            self.advance(GM, "nod yes")

    def _complication(self, event: Json) -> None:
        self.declare(GM, "offer", **_of(event, "who", "quirk"))
        yes = event.get("accepted", True)
        self.advance(event["who"], f"accept {'yes' if yes else 'no'}")

    def _recover(self, event: Json) -> None:
        self.declare(GM, event["do"], **_of(event, "who", "affliction"))

    _convert = _recover

    def _turn(self, event: Json) -> None:
        self.advance(GM, "turn")

    def _scene(self, event: Json) -> None:
        """The scene ends; the story begins the next one with the same sheets."""
        over = GAME.advance(self.state, {GM: Choice("end")}, b"")
        assert GAME.pending(over).step == "over"
        tale, _ = next_scene(over.tale)
        self.state = replace(self.state, tale=tale, last=None)

    def _session(self, event: Json) -> None:
        """A deed of the story, between scenes."""
        tale, _ = next_session(self.state.tale)
        self.state = replace(self.state, tale=tale, last=None)


def _calls(events: list[Json], printed: list[Json]) -> Iterator[tuple[list[Json], Json]]:
    """The events grouped by call, each with the printed object of its last event."""
    call: list[Json] = []
    for at, (event, shown) in enumerate(zip(events, printed, strict=True)):
        call.append(event)
        if at + 1 == len(events) or not events[at + 1].get("together", False):
            yield call, shown
            call = []


def _as_printed(before: Table, printed: Json) -> Table:
    """The state from which the script goes on after an event that the table could not hear."""
    document = {"characters": {}, "dice": "hand"}
    people = before.tale.characters
    for who, one in printed["characters"].items():
        sheet = {"trait": people[who].trait, "concept": people[who].concept}
        sheet |= {"style": people[who].style, "perks": [*people[who].perks]}
        shown = ("karma", "karma_max", "resolve", "resolve_max", "quirks", "afflictions", "dead")
        document["characters"] |= {who: sheet | {key: one[key] for key in shown}}
    fresh: Table = GAME.begin(document)
    out = {
        who: replace(each, out=printed["characters"][who]["out"] and not each.dead)
        for who, each in fresh.tale.characters.items()
    }
    things = {
        name: replace(
            before.tale.challenges[name],
            left=one["left"], over=one["over"], bypassed=tuple(one["bypassed"]),
        )
        for name, one in printed["challenges"].items()
    }  # fmt: skip
    tale = replace(before.tale, characters=out, challenges=things)
    return replace(before, tale=tale, rolling=None, last=None, asking=None)


def _of(event: Json, *keys: str) -> Json:
    return {key: event[key] for key in keys if key in event}


def _dice(roll: Json) -> str:
    return "dice " + " ".join(map(str, roll["dice"]))


def _line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise Deaf("no line")
    return text


def _json(said: Json | None) -> str:
    if said is None:
        return ""
    for key in ("complication", "told"):
        if said.get(key):
            _line(said[key])
    return json.dumps(said)


def _fate(said: Json) -> Json:
    name = said["affliction"]
    if not name.strip() or name != name.strip() or not name.isprintable():
        raise Deaf("no name")
    return said
