"""Random scripts: a walk over the steps that a table takes, recorded as it goes."""

import copy
from random import Random
from typing import Any

from hub.games.tourists.reasons import Refused
from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import Conflict, Party, Sheet, begin
from hub.games.tourists.rules.deck import ATTRIBUTES, BEATS, EXCUSES, TRIUMPHS, Card, deck_of
from tests.rules.tourists.scripts import Json, script

DECK = deck_of(
    [*EXCUSES],
    [*TRIUMPHS],
    {name: [*cards] for name, cards in ATTRIBUTES.items()},
    {name: [*others] for name, others in BEATS.items()},
)


def sheet_of(chance: Random, pool: list[int], who: str) -> Json:
    up = ("upright", "reversed")
    reserve = [f"{pool.pop()} {chance.choice(up)}" for _ in range(chance.randrange(4))]
    return {
        "attribute": {"name": "own", "value": chance.randrange(2, 7)},
        "aspects": [f"{who} can", "knows"][: chance.randrange(3)],
        "weaknesses": [f"{who} cannot"][: chance.randrange(2)],
        "reserve": reserve,
        "reserve_max": len(reserve) + chance.randrange(2),
    }


def parties_of(chance: Random) -> Json:
    pool = chance.sample(range(4, 87), 83)
    found: Json = {}
    for name in ["p", "q", "r", "s"][: chance.randrange(2, 5)]:
        if chance.random() < 0.3:
            names = [f"{name}{n}" for n in range(1, chance.randrange(2, 4))]
            found[name] = {"characters": {who: sheet_of(chance, pool, who) for who in names}}
        else:
            found[name] = sheet_of(chance, pool, name)
        found[name]["gm"] = chance.random() < 0.3
    return found


def read(parties: Json, before: Conflict | None = None) -> list[Party]:
    def card(text: str) -> Card:
        number, way = text.split()
        return Card(int(number), way == "reversed")

    def sheet(who: str, s: Json) -> Sheet:
        reserve = tuple(map(card, s.get("reserve", ())))
        most = s.get("reserve_max", 0)
        if before is not None and who in before.party_of:
            reserve = before.reserves[who]
            most = before.parties[before.party_of[who]].sheets[who].reserve_max
        texts = tuple(s["aspects"]), tuple(s["weaknesses"])
        return Sheet(s["attribute"]["value"], *texts, reserve, most)

    return [
        Party(name, {who: sheet(who, s) for who, s in p.get("characters", {name: p}).items()})
        for name, p in parties.items()
    ]


class Walk:
    """A random Conflict: ``script`` holds its words, ``conflict`` its state."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.down = self.chance.choice((0.2, 0.5, 0.8))
        self.eager = self.chance.choice((0.35, 0.6, 0.85))
        parties = parties_of(self.chance)
        self.conflict = begin(DECK, read(parties))
        self.rounds: list[Json] = []
        for _ in range(self.chance.randrange(1, 9)):
            if not self.conflict.over:
                self.rounds.append(self.round())
        self.script = script(parties, *self.rounds)

    def draw(self) -> Card:
        now = self.conflict.playing()
        able = [n for n in range(4, 87) if n not in now.held and n not in now.seen]
        number = 4 if 4 in able and self.chance.random() < 0.04 else self.chance.choice(able)
        return Card(number, self.chance.random() < self.down)

    def round(self) -> Json:
        self.conflict = bidding.open_round(self.conflict)
        self.reframing = self.chance.random() < 0.2
        found = self.breaker() if self.conflict.control is None else self.bids()
        if self.conflict.playing().outcome is None:
            self.conflict = ending.break_off(self.conflict)
            return found | self.reframe()
        now, losses = self.conflict.playing(), {}
        for name in self.conflict.parties_in():
            if (able := now.reversed(name)) and self.chance.random() < 0.5:
                cards = self.chance.sample(able, 3 if len(able) > 2 else 1)
                losses[name] = {"cards": cards, "text": "ouch"}
        told = {p: ending.Telling(tuple(x["cards"]), x["text"]) for p, x in losses.items()}
        self.conflict = ending.end_round(self.conflict, told)
        found["losses"] = losses
        if not self.conflict.over and self.chance.random() < 0.25:
            name = self.chance.choice([*self.conflict.party_of, *self.conflict.parties])
            if self.tried(lambda: ending.concede(self.conflict, name)):
                found["concede"] = [name]
                self.conflict = ending.after_concessions(self.conflict)
        refill = {}
        for who in self.conflict.party_of:
            card = Card(self.chance.randrange(4, 87), self.chance.random() < 0.5)
            if self.tried(lambda who=who, card=card: ending.refill(self.conflict, who, card)):
                refill[who] = str(card)
        found["refill"] = refill
        return found | self.reframe() if self.reframing and not self.conflict.over else found

    def reframe(self) -> Json:
        parties = parties_of(self.chance)
        for party in parties.values():
            for each in party.get("characters", {"": party}).values():
                del each["reserve"], each["reserve_max"]
        self.conflict = begin(DECK, read(parties, self.conflict))
        return {"reframe": {"parties": parties}}

    def tried(self, step: Any) -> bool:
        try:
            self.conflict = step()
        except Refused:
            return False
        return True

    def who(self, party: str) -> str:
        return self.chance.choice(self.conflict.characters_in(party))

    def breaker(self) -> Json:
        drawn, after = {}, []
        parties = self.conflict.parties_in()
        stop = self.chance.randrange(1, 2 * len(parties)) if self.reframing else len(parties)
        for party in parties[:stop]:
            card, who = self.draw(), self.who(party)
            self.conflict = bidding.draw(self.conflict, party, card, who)
            drawn[party] = {"card": str(card), "who": who}
        for party in drawn:
            after += [{"on": party, **answer} for answer in self.answers(party, party)]
        if len(drawn) == len(parties):
            self.conflict = bidding.judge_draws(self.conflict)
        return {"draw": drawn, "after": after}

    def bids(self) -> Json:
        words: list[Json] = []
        most = self.chance.randrange(12) if self.reframing else 999
        while (now := self.conflict.playing()).outcome is None and len(words) < most:
            party = now.speakers[now.turn]
            if self.chance.random() > self.eager or len(words) > 40:
                self.conflict = bidding.say_pass(self.conflict, party)
                words.append({"party": party, "pass": True})
                continue
            card, who = self.draw(), self.who(party)
            self.conflict = bidding.bid(self.conflict, party, card, who)
            word = {"party": party, "draw": str(card), "who": who}
            if after := self.answers(party, None):
                word["after"] = after
            story = self.draw() if bidding.lies_excuse(self.conflict) else None
            if story:
                word["story"] = str(story)
            self.conflict = bidding.settle(self.conflict, story)
            words.append(word)
        return {"bids": words}

    def answers(self, party: str, on: str | None) -> list[Json]:
        found = []
        for _ in range(self.chance.randrange(4)):
            c, kind = self.conflict, self.chance.randrange(3)
            if kind == 0:
                by = c.playing().dominant or ""
                if self.tried(lambda c=c, by=by: answers.turn(c, by, on)):
                    found.append({"by": by, "turn": True})
            elif kind == 1:
                by, card = self.chance.choice([*c.parties]), self.draw()
                loss = self.chance.choice([None, *c.losses[party].face_up()])
                if self.tried(lambda c=c, by=by, k=card, n=loss: answers.reject(c, by, k, n, on)):
                    more = {} if loss is None else {"loss": loss}
                    found.append({"by": by, "redraw": str(card), **more})
            else:
                found += self.covered(c, party, on)
        return found

    def covered(self, c: Conflict, party: str, on: str | None) -> list[Json]:
        by = self.chance.choice([*c.party_of])
        marks = [*c.losses[party].marks()]
        why = self.chance.choice([f"{by} can", f"{party} cannot", "knows", *marks])
        for card in c.reserves[by][:1]:
            if self.tried(lambda card=card: answers.cover(c, by, card, why, on)):
                because = {"loss": why} if isinstance(why, int) else why
                return [{"by": by, "reserve": str(card), "because": because}]
        return []


def spoilt(document: Json, chance: Random) -> Json:
    """The same script with one thing changed, mostly into a fault."""
    found = copy.deepcopy(document)
    spots: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            spots.append((value, key))
            if isinstance(each, dict | list):
                collect(each)

    collect(found["rounds"])
    for _ in range(200):
        holder, key = chance.choice(spots)
        old = holder[key]
        if isinstance(old, str):
            cards = [f"{chance.randrange(0, 90)} {w}" for w in ("upright", "reversed")]
            card = old.endswith((" upright", " reversed"))
            holder[key] = chance.choice(cards if card else ["p", "q", "r1", "p1", "knows", "x"])
            return found
        if type(old) is int:
            holder[key] = chance.randrange(4, 87)
            return found
        if isinstance(holder, list) or key in ("story", "who", "after", "losses", "bids", "draw"):
            if key == "draw" and isinstance(old, str):
                continue
            if isinstance(holder, list) and chance.random() < 0.5:
                holder.insert(key, copy.deepcopy(old))
            else:
                del holder[key]
            return found
        if isinstance(holder, dict) and isinstance(old, list) and key == "concede":
            holder[key] = [*old, *old]
            return found
    return found
