"""Plays one round of a written script with the same functions that a table uses."""

from collections.abc import Mapping
from typing import Any

from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import Conflict, begin
from hub.games.tourists.rules.setup import read_card, read_parties
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place, shown

MAX_WORDS = 10_000
"""Most words of one round: every card of the largest deck, and all passes between."""
_ENDING = ("losses", "concede", "refill")
_ROUND = ("tactics", "tell", *_ENDING, "reframe")
_ANSWERS = {"turn": (), "redraw": ("loss",), "reserve": ("because",)}


class RoundPlayer:
    """Plays one round of a script.

    After :meth:`play`, ``conflict`` is the resulting state, and ``reframed`` the Conflict begun by
    a Reframing, if there was one. Every method may raise :class:`hub.kernel.faults.Faulty`.
    """

    def __init__(self, conflict: Conflict, document: Document, place: Place) -> None:
        self.conflict = conflict
        self.document = document
        self.place = place
        self.reframed: Conflict | None = None

    def play(self, value: object) -> None:
        """Play the whole round."""
        if self.conflict.over:
            self.document.refuse(self.place, Reason("conflict-is-over"))
        blame_doubled(self.document, value, self.place)
        balanced = self.conflict.control is None
        words, other = ("draw", "bids") if balanced else ("bids", "draw")
        if isinstance(value, dict) and other in value:
            self.document.refuse(self.place, Reason("other-kind-of-round", what=words))
        more = ("after",) if balanced else ("order",)
        given = self.document.table(value, self.place, (words,), (*more, *_ROUND))
        self.document.check()
        for key in ("tactics", "tell"):
            self._told(given.get(key, {}), (*self.place, key))
        self.document.check()
        if balanced:
            self._balance_breaker(given)
        else:
            self._unbalanced(given)
        self._end(given)

    def _told(self, value: object, place: Place) -> None:
        for name, text in self.document.table(value, place).items():
            if name not in self.conflict.parties_in():
                self.document.blame((*place, name), Reason("party-not-in", who=shown(name)))
            self.document.text(text, (*place, name))

    def _balance_breaker(self, given: Mapping[str, Any]) -> None:
        self.conflict = bidding.open_round(self.conflict)
        place = (*self.place, "draw")
        drawn = self.document.table(given["draw"], place)
        parties = self.conflict.parties_in()
        for name in drawn:
            if name not in parties:
                self.document.blame((*place, name), Reason("party-not-in", who=shown(name)))
        for name in parties if "reframe" not in given else ():
            if name not in drawn:
                self.document.blame((*place, name), Reason("is-missing"))
        self.document.check()
        for name in parties:
            if name in drawn:
                self._draw(name, drawn[name], (*place, name))
        place = (*self.place, "after")
        for index, answer in enumerate(self.document.items(given.get("after", ()), place)):
            self._answer(answer, (*place, index), "on")
        self.document.check()
        if len(drawn) == len(parties):
            self.conflict = bidding.judge_draws(self.conflict)

    def _draw(self, party: str, value: object, place: Place) -> None:
        who, at = None, place
        if isinstance(value, dict):
            drawn = self.document.table(value, place, ("card",), ("who",))
            self.document.check()
            at = (*place, "card")
            if "who" in drawn:
                who = self.document.text(drawn["who"], (*place, "who"))
            value = drawn["card"]
        card = read_card(self.document, value, at, self.conflict.deck)
        self.document.check()
        try:
            self.conflict = bidding.draw(self.conflict, party, card, who)
        except Refused as no:
            self.document.refuse(at if no.part == ("draw",) else (*place, *no.part), no.reason)

    def _unbalanced(self, given: Mapping[str, Any]) -> None:
        order = None
        if "order" in given:
            place = (*self.place, "order")
            names = self.document.items(given["order"], place)
            order = tuple(
                self.document.text(name, (*place, index)) for index, name in enumerate(names)
            )
            self.document.check()
        try:
            self.conflict = bidding.open_round(self.conflict, order)
        except Refused as no:
            self.document.refuse((*self.place, *no.part), no.reason)
        place = (*self.place, "bids")
        words = self.document.items(given["bids"], place, MAX_WORDS)
        self.document.check()
        for index, word in enumerate(words):
            self._word(word, (*place, index))
        if self.conflict.playing().outcome is None and "reframe" not in given:
            self.document.refuse(place, Reason("bidding-not-over"))

    def _word(self, value: object, place: Place) -> None:
        document = self.document
        if self.conflict.playing().outcome is not None:
            document.refuse(place, Reason("bidding-over"))
        if isinstance(value, dict) and ("draw" in value) == ("pass" in value):
            document.refuse(place, Reason("draw-or-pass"))
        drawn = isinstance(value, dict) and "draw" in value
        more = ("draw",) if drawn else ("pass",)
        optional = ("who", "after", "story") if drawn else ()
        given = document.table(value, place, ("party", *more), optional)
        document.check()
        party = document.text(given["party"], (*place, "party"))
        now = self.conflict.playing()
        if party != now.speakers[now.turn]:
            why = Reason("not-its-turn", who=shown(party), next=now.speakers[now.turn])
            document.refuse((*place, "party"), why)
        if not drawn:
            if given["pass"] is not True:
                document.refuse((*place, "pass"), Reason("only-true", value=shown(given["pass"])))
            self.conflict = bidding.say_pass(self.conflict, party)
            return
        card = read_card(document, given["draw"], (*place, "draw"), self.conflict.deck)
        who = document.text(given["who"], (*place, "who")) if "who" in given else None
        document.check()
        try:
            self.conflict = bidding.bid(self.conflict, party, card, who)
        except Refused as no:
            document.refuse((*place, *no.part), no.reason)
        at = (*place, "after")
        for index, answer in enumerate(document.items(given.get("after", ()), at)):
            self._answer(answer, (*at, index))
        document.check()
        story = None
        if "story" in given:
            if not bidding.lies_excuse(self.conflict):
                document.refuse((*place, "story"), Reason("story-without-excuse"))
            story = read_card(document, given["story"], (*place, "story"), self.conflict.deck)
            document.check()
        try:
            self.conflict = bidding.settle(self.conflict, story)
        except Refused as no:
            document.refuse((*place, *no.part), no.reason)

    def _answer(self, value: object, place: Place, *on: str) -> None:
        document = self.document
        what = [key for key in _ANSWERS if isinstance(value, dict) and key in value]
        if isinstance(value, dict) and len(what) != 1:
            document.refuse(place, Reason("one-answer"))
        key = what[0] if what else "turn"
        required = ("because",) if key == "reserve" else ()
        given = document.table(value, place, (*on, "by", key, *required), _ANSWERS[key])
        document.check()
        by = document.text(given["by"], (*place, "by"))
        whose = document.text(given["on"], (*place, "on")) if on else None
        at = (*place, key)
        if key == "turn":
            if given[key] is not True:
                document.blame(at, Reason("only-true", value=shown(given[key])))
        else:
            card = read_card(document, given[key], at, self.conflict.deck)
        loss = document.number(given["loss"], (*place, "loss")) if "loss" in given else None
        because = self._because(given.get("because", ""), (*place, "because"))
        document.check()
        try:
            if key == "turn":
                self.conflict = answers.turn(self.conflict, by, whose)
            elif key == "redraw":
                self.conflict = answers.reject(self.conflict, by, card, loss, whose)
            else:
                self.conflict = answers.cover(self.conflict, by, card, because, whose)
        except Refused as no:
            document.refuse((*place, *no.part), no.reason)

    def _because(self, value: object, place: Place) -> answers.Because:
        if not isinstance(value, dict):
            return self.document.text(value, place)
        given = self.document.table(value, place, ("loss",), ())
        return self.document.number(given.get("loss", 0), (*place, "loss"))

    def _end(self, given: Mapping[str, Any]) -> None:
        if self.conflict.playing().outcome is None:
            for key in _ENDING:
                if key in given:
                    self.document.refuse((*self.place, key), Reason("broken-off"))
            self.conflict = ending.break_off(self.conflict)
        else:
            self._losses(given.get("losses", {}))
            if "concede" in given:
                self._concede(given["concede"])
            self._refill(given.get("refill", {}))
        if "reframe" in given:
            place = (*self.place, "reframe")
            if self.conflict.over:
                self.document.refuse(place, Reason("conflict-is-over"))
            frame = self.document.table(given["reframe"], place, ("parties",), ())
            self.document.check()
            at = (*place, "parties")
            deck = self.conflict.deck
            parties = read_parties(self.document, frame["parties"], at, deck, self.conflict)
            self.document.check()
            self.reframed = begin(deck, parties)

    def _losses(self, value: object) -> None:
        place = (*self.place, "losses")
        told = {}
        for name, loss in self.document.table(value, place).items():
            at = (*place, name)
            now = self.conflict.playing()
            if name not in self.conflict.parties_in() or not now.reversed(name):
                self.document.refuse(at, Reason("suffers-no-loss", who=shown(name)))
            given = self.document.table(loss, at, (), ("cards", "text"))
            cards = None
            if "cards" in given:
                numbers = self.document.items(given["cards"], (*at, "cards"))
                cards = tuple(
                    self.document.number(number, (*at, "cards", index))
                    for index, number in enumerate(numbers)
                )
            text = self.document.text(given.get("text", ""), (*at, "text"))
            told[name] = ending.Telling(cards, text)
        self.document.check()
        try:
            self.conflict = ending.end_round(self.conflict, told)
        except Refused as no:
            self.document.refuse((*place, *no.part), no.reason)

    def _concede(self, value: object) -> None:
        place = (*self.place, "concede")
        if self.conflict.over:
            self.document.refuse(place, Reason("conflict-is-over"))
        names = self.document.items(value, place)
        self.document.check()
        for index, each in enumerate(names):
            name = self.document.text(each, (*place, index))
            self.document.check()
            try:
                self.conflict = ending.concede(self.conflict, name)
            except Refused as no:
                self.document.refuse((*place, index), no.reason)
        self.conflict = ending.after_concessions(self.conflict)

    def _refill(self, value: object) -> None:
        place = (*self.place, "refill")
        given = self.document.table(value, place)
        self.document.check()
        around = [who for who in self.conflict.reserves if who in given]
        for who in [*around, *(name for name in given if name not in around)]:
            at = (*place, who)
            card = read_card(self.document, given[who], at, self.conflict.deck)
            self.document.check()
            try:
                self.conflict = ending.refill(self.conflict, who, card)
            except Refused as no:
                self.document.refuse(at, no.reason)
