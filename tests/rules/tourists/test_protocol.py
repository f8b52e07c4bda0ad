"""A Conflict played at a table equals the output of ``facedown resolve`` for the same words.

Random Conflicts through the Game protocol are compared object by object.
"""

from collections import Counter
from random import Random
from typing import Any

from hub.games.game import GM, Choice
from hub.games.registry import game_of
from hub.games.tourists.rules import bidding
from hub.games.tourists.rules.table import Stage, Table
from hub.games.tourists.script import opening_object, round_object
from tests.rules.tourists.scripts import Json, played
from tests.rules.tourists.walk import parties_of

GAME: Any = game_of("tourists")
WALKS = 60
MOST_WORDS = 1500
REFRAMED = {"tactics": 0.15, "draw": 0.1, "bid": 0.01, "answers": 0.01, "tell": 0.02}
REFRAMED |= {"part": 0.03, "refill": 0.15}
"""How often the GM agrees to new goals and means, at steps where a script can express it."""


class Scribe:
    """Plays at random and records the words as a script."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.parties: Json = parties_of(self.chance)
        for sheet in self._sheets():
            sheet.setdefault("reserve", [])
        self.state: Table = GAME.begin({"parties": self.parties})
        self.totals = {n: each.total for n, each in GAME.view(self.state).parties.items()}
        self.conflicts = 1
        self.earlier = 0
        """Rounds of the earlier Conflicts."""
        self.over = 0
        """Rounds that are over."""
        self.rounds: list[Json] = []
        self.objects: list[Json] = []
        self.reached: Counter[str] = Counter()
        self.rejected: Json = {}
        """As said, never taken from the state."""

    def _sheets(self) -> list[Json]:
        return [s for p in self.parties.values() for s in p.get("characters", {"": p}).values()]

    def play(self) -> None:
        for _ in range(MOST_WORDS):
            pending = GAME.pending(self.state)
            if not pending.must and not self.state.reframed:
                return
            before = self.state
            if not pending.must:
                self._begin_anew()
            elif not self._reframe(pending.step):
                self._word(pending)
                self._note(before)
        self.reached["cut short"] += 1

    def _reframe(self, step: str) -> bool:
        """The GM agrees to a reframing, except while a card's effect is pending, because a script
        continues that effect first.
        """
        if self.chance.random() >= REFRAMED.get(step, 0):
            return False
        yes = Choice("reframe", "yes")
        now = self.state.conflict.round
        if now is None or GAME.why_not(self.state, GM, yes) is not None:
            return False
        if step == "answers" and (
            now.answerable is None
            or bidding.lies_excuse(self.state.conflict)
            or len(now.reversed(now.answerable)) >= bidding.WIPED_OUT_BY
        ):
            return False
        before = self.state
        if step == "draw":
            self.rounds[-1]["draw"] = {}
        if step == "tactics":
            self.objects.pop()
            self.over -= 1
        self.state = GAME.declare(self.state, GM, yes)
        self._end_round()
        self.reached[f"reframed at {step}"] += 1
        assert before.stops < self.state.stops
        result, last = GAME.view(self.state).result, self.objects[-1]
        assert result and (result.winner, result.reason) == (None, "reframed")
        assert result.draws == last["draw"]
        assert {
            name: [{"who": e.who, "gravity": e.gravity, "text": e.text} for e in each]
            for name, each in result.carried.items()
        } == last["carried"]
        return True

    def _begin_anew(self) -> None:
        """Other parties, of some of the same people, with what they have in Reserve (T13)."""
        kept = self.state.conflict.reserves
        parties = parties_of(self.chance)
        for name, party in parties.items():
            for who, each in party.get("characters", {name: party}).items():
                each["reserve"] = [str(card) for card in kept.get(who, ())]
        self.rounds[-1]["reframe"] = {"parties": parties}
        self.conflicts += 1
        self.earlier += self.state.number
        self.state = GAME.begin({"parties": parties})
        self.objects.append(opening_object(self.state.conflict, self.conflicts))

    def _word(self, pending: Any) -> None:
        step = pending.step
        self.reached[step] += 1
        if step == "answers" and self.chance.random() < 0.5 and self._answer():
            return
        if step == "part" and self.chance.random() < 0.3:
            staying = [who for who in GAME.actors(self.state) if self.state.conflict.is_in(who)]
            if staying:
                who = self.chance.choice(staying)
                self._declare(who, Choice("concede"))
                self.rounds[-1].setdefault("concede", []).append(who)
                return
        grouped = {who for group in pending.one_of for who in group}
        awaited = [self.chance.choice(group) for group in pending.one_of]
        awaited += [who for who in pending.must if who not in grouped]
        choices: dict[str, Choice] = {}
        for who in awaited:
            choices[who] = self._choice(step, who, choices)
        self._said(step, choices)
        self.state = GAME.advance(self.state, choices)

    def _answer(self) -> bool:
        """One of the open answers, if there is any."""
        found = [
            (who, offer.choice)
            for who in GAME.actors(self.state)
            for offer in GAME.offers(self.state, who)
            if offer.choice.kind in {"turn", "reject", "cover"} and offer.reason is None
        ]
        for who, cards in self.state.conflict.reserves.items():  # laid on a reader
            laid = (Choice("drawn", str(card)) for card in cards)
            found += [(who, card) for card in laid if GAME.why_not(self.state, who, card) is None]
        if not found:
            return False
        who, choice = self.chance.choice(found)
        self._declare(who, choice)
        self.reached[choice.kind] += 1
        party = self.state.conflict.party_of[who]
        if choice.kind == "reject":
            self.rejected = {"by": party, "on": choice.value}
        if choice.kind == "turn":
            self._after({"by": party, "turn": True}, choice.value)
        return True

    def _declare(self, who: str, choice: Choice) -> None:
        assert GAME.why_not(self.state, who, choice) is None
        self.state = GAME.declare(self.state, who, choice)

    def _choice(self, step: str, who: str, others: dict[str, Choice]) -> Choice:
        words = GAME.pending(self.state).kinds
        offers = [o.choice for o in GAME.offers(self.state, who) if o.choice.kind in words]
        offers = [each for each in offers if GAME.why_not(self.state, who, each) is None]
        if "drawn" in words and (not offers or self.chance.random() < 0.75):
            taken = {each.value.partition(" ")[0] for each in others.values()}
            while True:
                number = self.chance.randint(4, 86)
                way = self.chance.choice(("upright", "reversed"))
                card = Choice("drawn", f"{number} {way}")
                if str(number) not in taken and GAME.why_not(self.state, who, card) is None:
                    return card
        if step == "losses" and self.chance.random() < 0.5:
            now = self.state.conflict.playing()
            able = now.reversed(self.state.conflict.party_of[who])
            marks = self.chance.sample(able, 3 if len(able) > 2 else 1)
            return Choice("losses", ",".join(map(str, marks)) + " limps")
        return self.chance.choice(offers)

    def _said(self, step: str, choices: dict[str, Choice]) -> None:
        conflict = self.state.conflict
        ((who, choice), *_) = choices.items()
        match step:
            case "draw":
                draw = {
                    conflict.party_of[who]: {"card": choice.value, "who": who}
                    for who, choice in choices.items()
                }
                self.rounds[-1]["draw"] = draw
            case "bid":
                said: Json = {"party": conflict.party_of[who]}
                if choice.kind == "pass":
                    said["pass"] = True
                else:
                    said |= {"draw": choice.value, "who": who}
                self.rounds[-1]["bids"].append(said)
            case "loss":
                self.rejected["loss"] = int(choice.value)
            case "redraw":
                on = self.rejected.pop("on")
                self._after(self.rejected | {"redraw": choice.value}, on)
            case "because" if choice.value != "no":
                cover = self.state.cover
                assert cover is not None
                kind, _, text = choice.value.partition(" ")
                why: Any = {"loss": int(text)} if kind == "loss" else text
                answer = {"by": cover.who, "reserve": str(cover.card), "because": why}
                self._after(answer, cover.on or "")
            case "story":
                self.rounds[-1]["bids"][-1]["story"] = choice.value
            case "losses":
                for each, told in choices.items():
                    cards, _, text = told.value.partition(" ")
                    if cards:
                        loss = {"cards": [*map(int, cards.split(","))], "text": text}
                        losses = self.rounds[-1].setdefault("losses", {})
                        losses[conflict.party_of[each]] = loss
            case "refill":
                for each, drawn in choices.items():
                    if drawn.kind == "drawn":
                        self.rounds[-1].setdefault("refill", {})[each] = drawn.value

    def _after(self, answer: Json, on: str) -> None:
        now = self.state.conflict.playing()
        if now.dominant is None:
            self.rounds[-1].setdefault("after", []).append(answer | {"on": on})
        else:
            self.rounds[-1]["bids"][-1].setdefault("after", []).append(answer)

    def _note(self, before: Table) -> None:
        """Record whether a round has begun, or ended for good."""
        now = self.state
        if now.number > before.number:
            written: Json = {} if now.conflict.playing().dominant is None else {"bids": []}
            self.rounds.append(written)
        done = {Stage.TACTICS, Stage.PARTING, Stage.OVER}
        if now.stage in done and before.stage not in done:
            self._end_round()

    def _end_round(self) -> None:
        conflict, number = self.state.conflict, self.earlier + self.state.number
        self.objects.append(round_object(conflict, number, reframed=self.state.reframed))
        self.over += 1
        self.reached[str(conflict.playing().outcome)] += 1


def test_a_table_and_a_script_agree() -> None:
    reached: Counter[str] = Counter()
    for seed in range(WALKS):
        scribe = Scribe(seed)
        scribe.play()
        whole = scribe.rounds[: scribe.over]
        document = {"ruleset": "tourists", "parties": scribe.parties, "rounds": whole}
        opening, *rounds, closing = played(document)
        assert rounds == scribe.objects, seed
        assert opening["totals"] == scribe.totals
        over = scribe.state.conflict.over
        assert closing["over"] == over, seed
        result = GAME.view(scribe.state).result
        if over and result:
            assert (closing["winner"], closing["reason"]) == (result.winner, result.reason)
            assert closing["draw"] == result.draws
            reached[str(result.reason)] += 1
        reached.update(scribe.reached)
    wanted = {
        *("tactics", "draw", "bid", "answers", "whose", "because", "loss", "redraw", "story"),
        *("losses", "tell", "part", "refill", "parting-draw", "turn", "reject", "cover"),
        *("none", "taken", "excuse", "held", "broken", "dominant-out", "reframed"),
        *(f"reframed at {step}" for step in REFRAMED),
        *("last-standing", "all-conceded"),
    }
    assert wanted <= reached.keys(), wanted - reached.keys()
    assert GM not in reached
