"""Plays a Conflict from a script, round by round, with the same rules functions as at a table."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from hub.games.scripts import MAX_PARTS, Part
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import answers, bidding, ending
from hub.games.tourists.rules.conflict import FOREGONE, Conflict, Losses, begin
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.setup import read_card, read_deck, read_parties
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled
from hub.kernel.faults import Place, shown

RULESETS = ("tourists",)
MAX_WORDS = 10_000
"""The most bids and passes in one round: every card of the largest deck, and all passes between."""
_ENDING = ("losses", "concede", "refill")
_ROUND = ("tactics", "tell", *_ENDING, "reframe")
_ANSWERS = {"turn": (), "redraw": ("loss",), "reserve": ("because",)}


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """Play a script: yields the opening, each finished round, each opening after a Reframing, and
    the closing. See :meth:`hub.games.family.Script.play`."""
    script = Part.script(document, "rounds", ("ruleset", "parties", "rounds"), ("deck",))
    deck = read_deck(document, script.given.get("deck", {}), ("deck",))
    rounds = script.items("rounds", MAX_PARTS)
    script.check()
    parties = read_parties(document, script.given["parties"], ("parties",), deck)
    script.check()
    conflict, number = begin(deck, parties), 1
    yield opening_object(conflict, number)
    for index, written in enumerate(rounds):
        player = RoundPlayer(conflict, document, ("rounds", index))
        player.play(written)
        conflict = player.conflict
        yield round_object(conflict, index + 1, reframed=player.reframed is not None)
        if player.reframed is not None:
            conflict, number = player.reframed, number + 1
            yield opening_object(conflict, number)
    yield _closing_object(conflict)


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
        """Play the whole round that ``value`` describes."""
        if self.conflict.over:
            self.document.refuse(self.place, Reason("conflict-is-over"))
        blame_doubled(self.document, value, self.place)
        balanced = self.conflict.control is None
        words, other = ("draw", "bids") if balanced else ("bids", "draw")
        if isinstance(value, dict) and other in value:
            self.document.refuse(self.place, Reason("other-kind-of-round", what=words))
        more = "after" if balanced else "order"
        given = Part(self.document, value, self.place, (words,), (more, *_ROUND))
        given.check()
        for key in ("tactics", "tell"):
            told = given.by_name(key)
            for name in told.given:
                self._blame_unless_in(told, name)
                told.text(name)
        given.check()
        if balanced:
            self._balance_breaker(given)
        else:
            self._unbalanced(given)
        self._end(given)

    def _blame_unless_in(self, named: Part, name: str) -> None:
        if name not in self.conflict.parties_in():
            named.blame(Reason("party-not-in", who=shown(name)), name)

    def _card(self, given: Part, key: str) -> Card:
        return read_card(self.document, given.given[key], given.at(key), self.conflict.deck)

    def _balance_breaker(self, given: Part) -> None:
        self.conflict = bidding.open_round(self.conflict)
        drawn = given.by_name("draw")
        parties = self.conflict.parties_in()
        for name in drawn.given:
            self._blame_unless_in(drawn, name)
        for name in parties if "reframe" not in given else ():
            if name not in drawn:
                drawn.blame(Reason("is-missing"), name)
        given.check()
        for name in parties:
            if name in drawn:
                self._draw(drawn, name)
        self._answers(given, "on")
        if len(drawn.given) == len(parties):
            self.conflict = bidding.judge_draws(self.conflict)

    def _draw(self, drawn: Part, party: str) -> None:
        """Lay the card that a party drew, given as its text or as an object that names the
        character, too."""
        given, key, who = drawn, party, None
        if isinstance(drawn.given[party], dict):
            given, key = drawn.part(party, ("card",), ("who",)), "card"
            given.check()
            who = given.text_or_none("who")
        card = self._card(given, key)
        given.check()
        try:
            self.conflict = bidding.draw(self.conflict, party, card, who)
        except Refused as no:
            of_card = no.part == ("draw",)
            self.document.refuse(given.at(key) if of_card else drawn.at(party, *no.part), no.reason)

    def _unbalanced(self, given: Part) -> None:
        order = given.texts("order") if "order" in given else None
        given.check()
        with given.rules():
            self.conflict = bidding.open_round(self.conflict, order)
        words = given.items("bids", MAX_WORDS)
        given.check()
        for index, word in enumerate(words):
            self._word(word, given.at("bids", index))
        if self.conflict.playing().outcome is None and "reframe" not in given:
            given.refuse(Reason("bidding-not-over"), "bids")

    def _word(self, value: object, place: Place) -> None:
        if self.conflict.playing().outcome is not None:
            self.document.refuse(place, Reason("bidding-over"))
        if isinstance(value, dict) and ("draw" in value) == ("pass" in value):
            self.document.refuse(place, Reason("draw-or-pass"))
        draws = isinstance(value, dict) and "draw" in value
        keys = ("draw", ("who", "after", "story")) if draws else ("pass", ())
        given = Part(self.document, value, place, ("party", keys[0]), keys[1])
        given.check()
        party, now = given.text("party"), self.conflict.playing()
        if party != now.speakers[now.turn]:
            why = Reason("not-its-turn", who=shown(party), next=now.speakers[now.turn])
            given.refuse(why, "party")
        if draws:
            self._bid(given, party)
        else:
            _blame_unless_true(given, "pass")
            given.check()
            self.conflict = bidding.say_pass(self.conflict, party)

    def _bid(self, given: Part, party: str) -> None:
        card, who = self._card(given, "draw"), given.text_or_none("who")
        given.check()
        with given.rules():
            self.conflict = bidding.bid(self.conflict, party, card, who)
        self._answers(given)
        story = None
        if "story" in given:
            if not bidding.lies_excuse(self.conflict):
                given.refuse(Reason("story-without-excuse"), "story")
            story = self._card(given, "story")
            given.check()
        with given.rules():
            self.conflict = bidding.settle(self.conflict, story)

    def _answers(self, given: Part, *on: str) -> None:
        """Play the answers to a card, which ``given`` lists under ``after``. ``on`` is the key that
        names the card's party, if an answer needs it."""
        for index, answer in enumerate(given.items("after")):
            self._answer(answer, given.at("after", index), *on)
        given.check()

    def _answer(self, value: object, place: Place, *on: str) -> None:
        what = [key for key in _ANSWERS if isinstance(value, dict) and key in value]
        if isinstance(value, dict) and len(what) != 1:
            self.document.refuse(place, Reason("one-answer"))
        key = what[0] if what else "turn"
        required = ("because",) if key == "reserve" else ()
        given = Part(self.document, value, place, (*on, "by", key, *required), _ANSWERS[key])
        given.check()
        by, whose = given.text("by"), given.text("on") if on else None
        if key == "turn":
            _blame_unless_true(given, key)
        else:
            card = self._card(given, key)
        loss, because = given.number_or_none("loss"), _because(given)
        given.check()
        with given.rules():
            if key == "turn":
                self.conflict = answers.turn(self.conflict, by, whose)
            elif key == "redraw":
                self.conflict = answers.reject(self.conflict, by, card, loss, whose)
            else:
                self.conflict = answers.cover(self.conflict, by, card, because, whose)

    def _end(self, given: Part) -> None:
        if self.conflict.playing().outcome is None:
            for key in _ENDING:
                if key in given:
                    given.refuse(Reason("broken-off"), key)
            self.conflict = ending.break_off(self.conflict)
        else:
            self._losses(given.by_name("losses"))
            if "concede" in given:
                self._concede(given)
            self._refill(given.by_name("refill"))
        if "reframe" in given:
            self._reframe(given)

    def _losses(self, losses: Part) -> None:
        told = {}
        for name in losses.given:
            if name not in self.conflict.parties_in() or not self.conflict.playing().reversed(name):
                losses.refuse(Reason("suffers-no-loss", who=shown(name)), name)
            given = losses.part(name, (), ("cards", "text"))
            cards = given.numbers("cards") if "cards" in given else None
            told[name] = ending.Telling(cards, given.text("text"))
        losses.check()
        with losses.rules():
            self.conflict = ending.end_round(self.conflict, told)

    def _concede(self, given: Part) -> None:
        if self.conflict.over:
            given.refuse(Reason("conflict-is-over"), "concede")
        names = given.items("concede")
        given.check()
        for index, each in enumerate(names):
            name = self.document.text(each, given.at("concede", index))
            given.check()
            with given.rules("concede", index):
                self.conflict = ending.concede(self.conflict, name)
        self.conflict = ending.after_concessions(self.conflict)

    def _refill(self, refill: Part) -> None:
        """Refill Reserves in the order of the characters around the table."""
        refill.check()
        around = [who for who in self.conflict.reserves if who in refill]
        for who in [*around, *(name for name in refill.given if name not in around)]:
            card = self._card(refill, who)
            refill.check()
            with refill.rules(who):
                self.conflict = ending.refill(self.conflict, who, card)

    def _reframe(self, given: Part) -> None:
        if self.conflict.over:
            given.refuse(Reason("conflict-is-over"), "reframe")
        frame, deck = given.part("reframe", ("parties",)), self.conflict.deck
        given.check()
        parties = read_parties(
            *(self.document, frame.given["parties"], frame.at("parties"), deck, self.conflict)
        )
        given.check()
        self.reframed = begin(deck, parties)


def _because(given: Part) -> answers.Because:
    """The justification for covering with a Reserve Card: a text, or the number of a Loss card."""
    if isinstance(given.given.get("because"), dict):
        return given.part("because", ("loss",)).number("loss")
    return given.text("because")


def _blame_unless_true(given: Part, key: str) -> None:
    if given.given[key] is not True:
        given.blame(Reason("only-true", value=shown(given.given[key])), key)


def opening_object(conflict: Conflict, number: int) -> dict[str, Any]:
    """The opening of a Conflict as JSON values; ``number`` counts the script's Conflicts from 1."""
    parties = conflict.parties.values()
    typical = sum(len(each.sheets) for each in parties if not each.gm)
    control = conflict.control
    return {
        "conflict": number,
        "totals": {each.name: each.total for each in parties},
        "control": to_builtins(control),
        "foregone": control is not None and control.ranks >= FOREGONE,
        "typical_reserve": {each.name: typical for each in parties if each.gm},
    }


def round_object(conflict: Conflict, number: int, *, reframed: bool) -> dict[str, Any]:
    """A finished round and the state of the Conflict after it, as JSON values. ``number`` counts
    rounds from 1; ``reframed`` adds what lasts beyond a Conflict."""
    now = conflict.playing()
    dominant = now.dominant
    found: dict[str, Any] = {
        "round": number,
        "kind": "unbalanced" if dominant else "balance-breaker",
        "dominant": dominant,
        "outcome": str(now.outcome),
        "by": [*now.by],
        "cards": {name: [str(card) for card in now.cards(name)] for name in now.laid},
        "tokens": {"had": now.tokens, "spent": now.spent} if dominant else None,
        "winners": [*now.winners],
        "losers": [*now.losers],
        "wiped_out": [name for name in now.laid if name in now.wiped_out],
        "losses": {
            name: {
                "kind": "temporary" if each.gravity is None else "lasting",
                "gravity": each.gravity,
                "who": each.who,
                "cards": [*each.cards],
                "text": each.text,
            }
            for name, each in now.suffered.items()
        },
        "narrate": [*now.narrate],
        "control": to_builtins(conflict.control),
        "table": {name: _losses(conflict.losses[name]) for name in conflict.parties_in()},
        "reserve": {
            who: [str(card) for card in cards]
            for who, cards in conflict.reserves.items()
            if conflict.is_in(who)
        },
        "out": {name: str(conflict.out[name]) for name in conflict.parties if name in conflict.out},
        "conceded": [who for who in conflict.reserves if who in conflict.conceded],
    }
    return found | _what_lasts(conflict) if reframed else found


def _closing_object(conflict: Conflict) -> dict[str, Any]:
    if not conflict.over:
        return {"over": False}
    winner = next(iter(conflict.parties_in()), None)
    reason = "last-standing" if winner is not None else "all-conceded"
    return {"over": True, "winner": winner, "reason": reason} | _what_lasts(conflict)


def _what_lasts(conflict: Conflict) -> dict[str, Any]:
    """The lasting results of a Conflict: Lasting Losses carried over, and the number of Reserve
    Cards that each character that conceded draws (T11, T13)."""
    return {
        "carried": {
            name: [
                {"who": each.who, "gravity": each.gravity, "text": each.text}
                for each in losses.lasting
            ]
            for name, losses in conflict.losses.items()
            if losses.lasting
        },
        "draw": ending.earned(conflict),
    }


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "temporary": [*losses.temporary],
        "lasting": [
            {
                "cards": [*each.cards],
                "face_down": [card for card in each.cards if card in each.face_down],
            }
            for each in losses.lasting
        ],
    }
