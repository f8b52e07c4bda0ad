"""What is played at a table, word by word, is what ``facedown resolve`` makes of the same words
written down: random Conflicts through the Game protocol, each compared object by object."""

from collections import Counter
from random import Random
from typing import Any

from hub.books.registry import game_of
from hub.rules.game import GM, Choice
from hub.rules.tourists.record import round_object
from hub.rules.tourists.table import Stage, Table
from tests.rules.tourists.scripts import Json, played
from tests.rules.tourists.walk import parties_of

GAME: Any = game_of("tourists")
WALKS = 60
MOST_WORDS = 1500


class Scribe:
    """Plays by chance, and writes down what was said as a script would say it."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.parties: Json = parties_of(self.chance)
        for sheet in self._sheets():
            sheet.setdefault("reserve", [])
        self.state: Table = GAME.begin({"parties": self.parties})
        self.rounds: list[Json] = []
        self.objects: list[Json] = []
        self.reached: Counter[str] = Counter()
        self.rejected: Json = {}
        """As it was said, never as the state has it."""

    def _sheets(self) -> list[Json]:
        return [s for p in self.parties.values() for s in p.get("characters", {"": p}).values()]

    def play(self) -> None:
        for _ in range(MOST_WORDS):
            pending = GAME.pending(self.state)
            if not pending.must:
                return
            before = self.state
            self._word(pending)
            self._note(before)
        self.reached["cut short"] += 1

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
        """One of the answers that are open, if there is one."""
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
        """Whether a round has begun, or ended for good."""
        now = self.state
        if now.number > before.number:
            written: Json = {} if now.conflict.playing().dominant is None else {"bids": []}
            self.rounds.append(written)
        done = {Stage.TACTICS, Stage.PARTING, Stage.OVER}
        if now.stage in done and before.stage not in done:
            self.objects.append(round_object(now.conflict, now.number, reframed=False))
            self.reached[str(now.conflict.playing().outcome)] += 1


def test_a_table_plays_what_a_script_says() -> None:
    reached: Counter[str] = Counter()
    for seed in range(WALKS):
        scribe = Scribe(seed)
        scribe.play()
        whole = scribe.rounds[: len(scribe.objects)]
        document = {"ruleset": "tourists", "parties": scribe.parties, "rounds": whole}
        opening, *rounds, closing = played(document)
        assert rounds == scribe.objects, seed
        assert opening["totals"] == {
            name: party.total for name, party in GAME.view(scribe.state).parties.items()
        }
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
        *("none", "taken", "excuse", "held", "broken", "dominant-out"),
        *("last-standing", "all-conceded"),
    }
    assert wanted <= reached.keys(), wanted - reached.keys()
    assert GM not in reached
