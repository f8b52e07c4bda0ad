"""A random scene at a table, word by word through the Game protocol, recorded as a script."""

import json
from collections import Counter
from random import Random
from typing import Any

from hub.games.game import GM, Choice
from hub.games.tricube.rules.flow import easier
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.throwing import thrown
from hub.games.tricube.script import state_object
from tests.rules.tricube.scripts import Json
from tests.rules.tricube.table_kept import GAME, Kept, watched

TRAITS = ("agile", "brawny", "crafty")
KINDS = (*TRAITS, "melee", "ranged", "mental")
WORDS = 70


def characters(chance: Random) -> Json:
    found: Json = {}
    for name in ["ada", "bo", "cy", "di"][: chance.randrange(1, 5)]:
        most = chance.randrange(4)
        sheet: Json = {
            "trait": chance.choice(TRAITS),
            "concept": "somebody",
            "perks": [f"{name} {n}" for n in range(chance.randrange(3))],
            "quirks": [f"{name} odd {n}" for n in range(chance.randrange(3))],
            "karma_max": most,
            "karma": chance.randrange(most + 1),
            "resolve": chance.randrange(1, 4),
        }
        if chance.random() < 0.4:
            lasts = chance.choice(("scene", "longer", "permanent"))
            count = chance.randrange(1, 4)
            sheet["afflictions"] = [{"name": f"hurt {n}", "lasts": lasts} for n in range(count)]
        found[name] = sheet
    return found


class Walk(Kept):
    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.cast = characters(self.chance)
        dice = self.chance.choice(("table", "hand"))
        super().__init__(GAME.begin({"characters": self.cast, "dice": dice}))
        self.new = 0
        for _ in range(WORDS):
            if not GAME.pending(self.state).must:
                break
            self.word()

    # Words

    def word(self) -> None:
        pending = GAME.pending(self.state)
        self.reached[pending.step] += 1
        getattr(self, f"_{pending.step}")(pending)

    def advance(self, choices: dict[str, str]) -> None:
        rolling = self.state.rolling
        chosen = {who: Choice.parse(text, 1200) for who, text in choices.items()}
        for who, choice in chosen.items():
            assert GAME.why_not(self.state, who, choice) is None, (who, choice)
        bytes_ = self.chance.randbytes(32) if GAME.pending(self.state).chance else b""
        if bytes_ and rolling:
            for name, roll in rolling.rolls.items():
                self.said[name]["dice"] = [*thrown(bytes_, name, roll.count)]
        with watched(self.settled_before):
            self.state = GAME.advance(self.state, chosen, bytes_)
        self.settle()

    def declare(self, who: str, kind: str, said: Json) -> bool:
        choice = Choice(kind, json.dumps(said))
        if GAME.why_not(self.state, who, choice) is not None:
            return False
        self.state = GAME.declare(self.state, who, choice)
        self.reached[kind] += 1
        return True

    # Between rolls

    def _scene(self, pending: Any) -> None:
        tale, chance = self.state.tale, self.chance
        there = [*tale.there()]
        draw = chance.random()
        if draw < 0.55 and there:
            self._call(there)
        elif draw < 0.65 and len(there) > 1:
            self._oppose(chance.sample(there, 2))
        elif draw < 0.7:
            self._npcs()
        elif draw < 0.77:
            self._offer()
        elif draw < 0.85:
            self._perk()
        elif draw < 0.92:
            self._cure()
        elif draw < 0.96:
            self._ends()
        else:
            self.advance({GM: "turn"})
            self.write({"do": "turn"})

    def _call(self, there: list[str]) -> None:
        chance, tale = self.chance, self.state.tale
        standing = [name for name, each in tale.challenges.items() if not each.over]
        sealed = chance.random() < 0.3
        challenge: Any = chance.choice(standing) if standing and chance.random() < 0.6 else None
        if challenge is None:
            self.new += 1
            challenge = {"name": f"challenge {self.new}"}
            challenge |= {"effort": chance.randrange(4)} if chance.random() < 0.6 else {}
            challenge |= {"difficulty": chance.choice((4, 5, 6))} if chance.random() < 0.6 else {}
            challenge |= {"deadly": True} if chance.random() < 0.4 else {}
        defense = chance.random() < 0.25
        rollers: Json = {}
        for who in chance.sample(there, chance.randrange(1, len(there) + 1)):
            own: Json = {}
            if chance.random() < 0.2:
                own["scope"] = False
            if chance.random() < 0.2 and not sealed:
                own["difficulty"] = chance.choice((4, 5, 6))
            if chance.random() < 0.2:
                own["type"] = chance.choice(KINDS)
            if defense and who in tale.defended:
                own["again"] = True
            if tale.characters[who].afflictions and chance.random() < 0.3:
                own["hindered"] = chance.choice(tale.characters[who].afflictions).name
            rollers[who] = own
        said = {"challenge": challenge, "type": chance.choice(KINDS), "rollers": rollers}
        said |= {"defense": True} if defense else {}
        said |= {"sealed": True} if sealed else {}
        said |= {"dice": chance.choice(("table", "hand"))} if chance.random() < 0.3 else {}
        name = challenge if isinstance(challenge, str) else challenge["name"]
        self.said = {}
        for who in tale.characters:
            if who in rollers:
                own = {"do": "roll", "who": who, "challenge": name, "type": said["type"]}
                self.said[who] = own | rollers[who] | ({"defense": True} if defense else {})
        self.challenge = None if isinstance(challenge, str) else {"do": "challenge", **challenge}
        self.sealed, self.between = sealed, {}
        self.advance({GM: "call " + json.dumps(said)})
        self.left = self.state.tale.challenges[name].left
        if self.challenge and not sealed:
            self.write(self.challenge, name=name)

    def _oppose(self, two: list[str]) -> None:
        chance = self.chance
        sides: Json = {who: {"type": chance.choice(KINDS)} for who in two}
        for who in two:
            if chance.random() < 0.2:
                sides[who]["scope"] = False
            afflictions = self.state.tale.characters[who].afflictions
            if afflictions and chance.random() < 0.3:
                sides[who]["hindered"] = chance.choice(afflictions).name
        deadly = chance.random() < 0.5
        assert self.declare(GM, "oppose", {"sides": sides, "deadly": deadly})
        self.said = {who: {**sides[who]} for who in two}
        self.opposed = {"do": "opposed", "sides": self.said, "deadly": deadly}
        self.sealed, self.challenge = False, None

    def _npcs(self) -> None:
        sides = {name: self.chance.randrange(1, 4) for name in ("ogre", "wolf")}
        able = [*GAME.actors(self.state)]
        by = {"ogre": self.chance.choice(able)} if self.chance.random() < 0.6 else {}
        assert self.declare(GM, "npcs", {"sides": sides, "by": by})
        self.said = {name: {"npc": True} for name in sides}
        self.opposed = {"do": "opposed", "sides": self.said}

    def _offer(self) -> None:
        who = self.chance.choice([*self.state.tale.characters])
        one = self.state.tale.characters[who]
        said: Json = {"who": who, "told": "It rains."}
        if one.quirks and self.chance.random() < 0.5:
            said["quirk"] = one.quirks[0]
        elif one.afflictions and self.chance.random() < 0.5:
            said["affliction"] = one.afflictions[0].name
        if self.declare(GM, "offer", said):
            self.asked = {"do": "complication", "who": who}
            self.asked |= {"quirk": said["quirk"]} if "quirk" in said else {}

    def _perk(self) -> None:
        who = self.chance.choice([*self.state.tale.characters])
        perks = [*self.state.tale.characters[who].perks]
        use = self.chance.choice(("impact", "automatic", "bypass", "attempt", "flavour"))
        said: Json = {"perks": perks, "use": use}
        if use == "bypass" and self.state.tale.challenges:
            said["challenge"] = self.chance.choice([*self.state.tale.challenges])
        if self.declare(who, "perk", said):
            self.reached[f"perk {use}"] += 1
            self.asked = {"do": "perk", "who": who, **said}
            if self.state.asking is None:
                self.happened(self.state)

    def _cure(self) -> None:
        chance, tale = self.chance, self.state.tale
        patients = [who for who, each in tale.characters.items() if each.afflictions]
        # A script cannot express the GM's yes to a character who is out.
        healers = [who for who, each in tale.characters.items() if each.perks and each.there]
        if not patients or not healers:
            return
        patient, by = chance.choice(patients), chance.choice(healers)
        affliction = chance.choice(tale.characters[patient].afflictions).name
        said = {"affliction": affliction, "who": patient, "perks": [*tale.characters[by].perks]}
        if self.declare(by, "cure", said):
            self.asked = {"do": "cure", **said} | ({"by": by} if by != patient else {})

    def _ends(self) -> None:
        for who, each in self.state.tale.characters.items():
            for affliction in each.afflictions:
                said = {"who": who, "affliction": affliction.name}
                for word in ("recover", "convert"):
                    if self.declare(GM, word, said):
                        self.write({"do": word, **said}, **said)
                        return

    # Rolls

    def _approach(self, pending: Any) -> None:
        choices = {}
        for who in pending.must:
            offers = [each for each in GAME.offers(self.state, who) if each.reason is None]
            choice = self.chance.choice(offers).choice
            choices[who] = str(choice)
            if who == GM:
                for roll in self.said.values():
                    roll["difficulty"] = int(choice.value)
                if self.challenge:
                    self.challenge |= {"difficulty": int(choice.value)}
            elif choice.value != "plain":
                self.said[who]["quirk"] = choice.value.removeprefix("quirk ")
                self.reached["quirk"] += 1
        if self.sealed and self.challenge is None:
            self.reached["sealed anew"] += 1
        if self.sealed and self.challenge:
            self._sealed_is_known(self.challenge)
        self.advance(choices)

    def _sealed_is_known(self, challenge: Json) -> None:
        """The challenge has existed since the call; only now its sealed difficulty is known."""
        name, stands = challenge["name"], state_object(self.state.tale)
        stands["challenges"][name]["difficulty"] = challenge["difficulty"]
        self.written(challenge, {"do": "challenge", "name": name, **stands})

    def _throw(self, pending: Any) -> None:
        self.advance(dict.fromkeys(pending.must, "throw"))

    def _dice(self, pending: Any) -> None:
        rolling, choices = self.state.rolling, {}
        assert rolling
        for who in pending.must:
            name = next(
                name
                for name, roll in rolling.rolls.items()
                if not roll.dice and rolling.throwers.get(name, name) == who
            )
            low = 1 if self.chance.random() < 0.25 else 6
            dice = [self.chance.randint(1, low) for _ in range(rolling.rolls[name].count)]
            self.said[name]["dice"] = dice
            choices[who] = "dice " + " ".join(map(str, dice))
        self.advance(choices)

    def _karma(self, pending: Any) -> None:
        rolling, choices = self.state.rolling, {}
        assert rolling
        assert easier(rolling)
        for who in pending.must:
            offers = [each for each in GAME.offers(self.state, who) if each.reason is None]
            assert len(offers) > 1, f"{who} is asked and has nothing to say"
            choices[who] = str(self.chance.choice(offers).choice)
            self.reached["karma"] += choices[who] != "karma none"
            self.reached["karma for a friend"] += "{" in choices[who]
        promises = rolling.wants  # of earlier rounds (C5)
        self.reached["karma asked again"] += any(promises.values())
        first = {name: wants[0].by for name, wants in promises.items() if wants}
        count = Counter(want.by for wants in promises.values() for want in wants)
        for who, choice in choices.items():
            said = choice.removeprefix("karma ")
            if said == "none":
                continue
            count[who] += 1
            if "{" not in said:
                first[who] = who
        for who, choice in choices.items():
            if "{" in choice:
                first.setdefault(json.loads(choice.removeprefix("karma "))["for"], who)
        held = self.state.tale.characters
        self.payers = {name: who for name, who in first.items() if held[who].karma >= count[who]}
        self.reached["karma for two"] += any(each > 1 for each in count.values())
        self.advance(choices)

    def _instead(self, pending: Any) -> None:
        yes = self.chance.random() < 0.7
        if yes:
            self.asked = self.asked | {"complication": "It rains."}
        self.advance({GM: "complication It rains." if yes else "complication"})
        if self.state.asking is None:
            self.asked = {}

    def _accept(self, pending: Any) -> None:
        (who,) = pending.must
        yes = self.chance.random() < 0.7
        offered = self.state.asking and self.state.asking.what == "complication"
        outside, before = self.state.rolling is None, self.state
        self.advance({who: f"accept {'yes' if yes else 'no'}"})
        self.reached[f"accept {yes}"] += 1
        if outside and (yes or offered):
            self.asked |= {"accepted": yes} if offered else {}
            self.happened(before, accepted=yes)
        self.asked = {}

    def _nod(self, pending: Any) -> None:
        yes, before = self.chance.random() < 0.8, self.state
        self.advance({GM: f"nod {'yes' if yes else 'no'}"})
        if yes:
            self.happened(before)
        self.asked = {}

    def _regain(self, pending: Any) -> None:
        (who,) = pending.must
        what = self.chance.choice(("karma", "resolve"))
        self.reached[f"regain {what}"] += 1
        self.advance({who: f"regain {what}"})

    def _price(self, pending: Any) -> None:
        name = _now(self.state)
        if self.chance.random() < 0.5:
            self.advance({GM: "price"})
            return
        price = {"resolve": self.chance.random() < 0.7, "complication": "The rope breaks."}
        self.said[name]["price"] = price
        self.advance({GM: "price " + json.dumps(price)})

    def _fate(self, pending: Any) -> None:
        (victor,) = pending.must
        name = _now(self.state)
        self.reached[f"fate by {'gm' if victor == GM else 'a player'}"] += 1
        self.new += 1
        fate: Json = {"affliction": f"wound {self.new}"}
        for more in ({"fatal": True}, {"stays": True}, {"lasts": "scene"}, {"lasts": "longer"}):
            tried = "fate " + json.dumps(fate | more)
            fits = GAME.why_not(self.state, victor, Choice.parse(tried, 1200)) is None
            if fits and self.chance.random() < 0.3:
                fate |= more
                break
        self.said[name]["fate"] = fate
        self.reached[f"fate {'fatal' if 'fatal' in fate else 'lived'}"] += 1
        self.advance({victor: "fate " + json.dumps(fate)})

    def _victor(self, pending: Any) -> None:
        (who,) = pending.must
        self.advance({who: self.chance.choice(("told", "told It runs."))})


def _now(state: Table) -> str:
    now = GAME.view(state).rolling
    assert now
    assert now.now
    name: str = now.now
    return name
