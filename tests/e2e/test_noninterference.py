"""Nothing that leaves the hub depends on a sealed card before its reveal.

Two hubs see the same hands do the same public things with different cards. Whatever they say, on
every channel and in its order, has to be the same bytes up to the reveal, but for the digests of
the seals and the hashes that are built on them. The checker itself is checked by planting leaks.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.cards.deck import Card, Deck
from hub.rules.game import GM, Choice
from hub.rules.story import ProblemWish, parse_deed
from hub.table import inputs as i
from hub.table.records import StorySheets
from hub.table.state import AtZero, Phase, SeatFault, phase_of
from tests.rules.cast import starting
from tests.support.box import Box, Output
from tests.support.evening import written
from tests.support.tabletalk import SEATS
from tests.support.tabletalk import SPECIALS as GIFTS

SEATS_PLAYING = ("ada", "gm")
PLAYS = {"ada": "ada", "bo": "bo", "gm": "ninja"}
"""Of them bo is not in the turn: both of its cards can lie beside the moves at once."""
SEATED = ("ada", "ninja")
USED, PROBLEM, BLUFFED = 3, 4, 6
"""In place of the number of phases: at once the step in which specials are laid, asked for by one
of the turn (USED) or from outside it (BLUFFED); the numbers of a problem, out of a story."""
RANDOM_HASHES = re.compile(rb'"[0-9a-f]{64}"')

STANCES = [f"stance {t} {n}" for t in ("attack", "defend", "grapple") for n in range(1, 6)]
ALL_CARDS = [
    "stance none",
    *STANCES,
    *(f"move {a}-{e}" for a in ("attack", "defend", "grapple") for e in ("low", "mid", "high")),
    "move surrender",
    *(f"option {number}" for number in range(1, 5)),
]
SPECIALS = sorted({f"special {name}" for names in GIFTS.values() for name in names})
ALL_CARDS += ["special none", *SPECIALS]
TAGS = {card: f"tag-{Random(card).getrandbits(64):016x}" for card in ALL_CARDS}
DECK = Deck(tuple(Card(tag, Choice.parse(card)) for card, tag in TAGS.items()))

ODD = ("?", "move grapple-low", "stance grapple 5", "special yojimbo")
GUESSES = (*SPECIALS, "special none", "stance none", "move attack-mid", "option 1")
"""What the GM may say for another seat, whatever lies sealed there."""
seats = st.sampled_from(sorted(SEATS))
playing = st.sampled_from(SEATS_PLAYING)
laying = st.sampled_from(sorted(PLAYS))
slots = st.integers(0, 1)
others = st.sampled_from(["ada", "bo"])
sayings = st.sampled_from(["commit", "withdraw", "take-back"])
deeds = st.one_of(
    st.tuples(st.just("lay"), playing, slots),
    st.tuples(st.just("lay"), laying, slots),
    st.tuples(st.just("lift"), seats),
    st.tuples(st.just("wait"), st.sampled_from([50, 300, 400, 900])),
    st.tuples(st.just("wait"), st.just(300)),
    st.tuples(st.just("tap"), laying, slots),
    st.tuples(st.just("tap"), laying, slots),
    st.tuples(st.just("tap"), st.just("bo"), slots),
    st.tuples(st.just("pass"), playing),
    st.tuples(st.just("page-tap"), laying, slots),
    st.tuples(st.just("page-withdraw"), laying, slots),
    st.tuples(st.just("odd"), seats, st.sampled_from(ODD)),
    st.tuples(st.just("down"), seats),
    st.tuples(st.just("up"), seats),
    st.tuples(st.just("kill")),
    st.tuples(st.just("page"), laying, slots),
    st.tuples(st.just("page-back"), laying),
    st.tuples(st.just("drop"), laying, st.booleans()),
    st.tuples(st.just("stand-in"), st.just("commit"), others, st.sampled_from(SPECIALS)),
    st.tuples(st.just("stand-in"), sayings, others, st.sampled_from(GUESSES)),
    st.tuples(st.just("pause")),
    st.tuples(st.just("resume")),
    st.tuples(st.just("tell"), st.sampled_from(["mark The tide", "unmark The tide", "new 4 Rain"])),
)


class Hands:
    """Does abstract deeds at a box; ``secret`` decides which cards stand in the slots."""

    def __init__(self, box: Box, secret: int) -> None:
        self.box = box
        self.secret = secret
        self.said = 0
        self.field: dict[str, list[str]] = {seat: [] for seat in SEATS}

    def card(self, seat: str, slot: int, *, beside: bool = False) -> str | None:
        """A card that may be laid, or set beside; None if the step has none of that sort."""
        pending = self.box.runner._state.scene.pending  # type: ignore[union-attr]
        kinds = pending.beside if beside else pending.kinds
        offers = self.box.runner.offers(PLAYS[seat])
        legal = sorted(str(o.choice) for o in offers if not o.reason and o.choice.kind in kinds)
        Random(f"{self.secret} {seat} {legal}").shuffle(legal)
        return legal[slot] if legal else None

    async def add(self, seat: str, card: str | None) -> None:
        if card is None:
            return
        if card not in self.field[seat]:
            self.field[seat].append(card)
        await self.box.show(seat, tuple(self.field[seat]))

    async def page(self, seat: str, card: str | None) -> None:
        if card is not None:
            await self.say("commit", seat, choice=card)

    async def say(self, command: str, seat: str, *, by: str = "", **fields: str) -> None:
        """A command for the seat's actor: of the seat's page, or of the GM's."""
        self.said += 1
        said = {"id": str(self.said), "command": command, "actor": PLAYS[seat], **fields}
        await self.box.command(json.dumps(said), by or seat, own=not by)

    async def play_until(self, phases: int) -> None:
        """The same public prefix for everybody: so many sealed phases of a first turn."""
        box = self.box
        for seat in SEATS:
            await box.up(seat)
            await box.show(seat, ())
        if phases == PROBLEM:
            party = written([starting(name=name) for name in ("ada", "bo", "ninja")])
            tide = parse_deed("countdown new 6 The tide")
            await box.give(i.BeginStory("unroll", StorySheets(party), (tide,)))
            await box.give(i.StageScene(ProblemWish(interested=SEATED)))
            return
        await box.runner.apply(i.StartScene(*box.runner._scene()))
        await box.give(i.Decide(GM, Choice("active", "ada"), GM))
        await box.give(i.Decide("ada", Choice("opponent", "ninja"), GM))
        prefix = [("stance attack 2", "stance defend 1"), ("move attack-mid", "move attack-low")]
        for cards in prefix[: phases % USED]:
            for seat, card in zip(SEATS_PLAYING, cards, strict=True):
                await box.show(seat, (card,))
            await box.wait(400)
            await box.wait(2000)
            for seat in SEATS_PLAYING:
                await box.show(seat, ())
        if phases in {USED, BLUFFED}:
            await box.give(i.Decide("ada" if phases == USED else "bo", Choice("use"), GM))
        while phase_of(box.runner._state) is Phase.DECISION:
            awaited = box.runner._state.scene.pending.must  # type: ignore[union-attr]
            question = next(q for q in hub_questions(box) if q.actor in awaited)
            offer = next(o for o in question.offers if not o.reason)
            await box.give(i.Decide(question.actor, offer.choice, GM))

    async def do(self, deed: tuple[Any, ...]) -> None:
        box = self.box
        match deed:
            case ("lay", seat, slot):
                await self.add(seat, self.card(seat, slot))
            case ("tap", seat, slot):
                await self.add(seat, self.card(seat, slot, beside=True))
            case ("odd", "bo", "special yojimbo"):
                pass  # in the open, it would tell what bo's own slots hold
            case ("odd", seat, card):
                await self.add(seat, card)
            case ("pass", seat):
                await box.give(i.Decide(PLAYS[seat], Choice("pass"), seat))
            case ("page-tap", seat, slot):
                await self.page(seat, self.card(seat, slot, beside=True))
            case ("lift", seat):
                self.field[seat].clear()
                await box.show(seat, ())
            case ("wait", ms):
                await box.wait(ms)
            case ("down", seat):
                await box.down(seat)
            case ("up", seat):
                await box.up(seat)
                await box.show(seat, tuple(self.field[seat]))
            case ("kill",):
                await box.boot()
                for seat in SEATS:
                    await box.up(seat)
                    await box.show(seat, tuple(self.field[seat]))
            case ("page", seat, slot):
                await self.page(seat, self.card(seat, slot))
            case ("page-back", seat):
                await self.say("take-back", seat)
            case ("page-withdraw", seat, slot):
                if card := self.card(seat, slot, beside=True):
                    await self.say("withdraw", seat, choice=card)
            case ("stand-in", "take-back", seat, _):
                await self.say("take-back", seat, by=GM)
            case ("stand-in", command, seat, card):
                await self.say(command, seat, by=GM, choice=card)
            case ("drop", seat, beside):
                await box.give(i.DropSeal(PLAYS[seat], beside))
            case ("pause",):
                await box.give(i.Pause())
            case ("resume",):
                await box.give(i.Resume())
            case ("tell", told):
                await box.give(i.TellStory(parse_deed(f"countdown {told}")))


def hub_questions(box: Box) -> Any:
    return box.runner._announcement(()).questions


def up_to_the_reveal(out: Output) -> Output:
    for at, (channel, data) in enumerate(out):
        if channel == "mqtt event" and b'"type":"revealed"' in data:
            return out[:at]
    return out


def public(out: Output) -> Output:
    return [(channel, RANDOM_HASHES.sub(b'""', data)) for channel, data in out]


async def run(
    secret: int, phases: int, plan: list[tuple[Any, ...]], leak: "Leak | None" = None
) -> Output:
    async with Box(DECK, TAGS, commit_s=0.2, at_zero=AtZero.GM_DECIDES) as box:
        hands = Hands(box, secret)
        await hands.play_until(phases)
        box.out.clear()
        if leak is not None:
            leak(box)
        before = phase_of(box.runner._state)
        assert before is Phase.SEALED
        seen = box.runner._state.scene.phase_no  # type: ignore[union-attr]
        for deed in plan:
            await hands.do(deed)
            if box.runner._state.scene.phase_no != seen:  # type: ignore[union-attr]
                break
        return public(up_to_the_reveal(box.out))


Leak = Callable[[Box], None]


@given(
    phases=st.sampled_from([0, 1, 1, 2, USED, PROBLEM, BLUFFED]),
    plan=st.lists(deeds, min_size=5, max_size=40),
    secrets=st.tuples(st.integers(0, 50), st.integers(51, 100)),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_two_hubs_with_different_cards_say_the_same(
    phases: int, plan: list[tuple[Any, ...]], secrets: tuple[int, int]
) -> None:
    first, second = (asyncio.run(run(secret, phases, plan)) for secret in secrets)
    assert first == second


PLAN = [
    ("lay", "ada", 0), ("wait", 300), ("lift", "ada"), ("lay", "ada", 1), ("wait", 300),
    ("down", "ada"), ("up", "ada"), ("kill",), ("lay", "gm", 0), ("wait", 300), ("wait", 900),
]  # fmt: skip


TAPS = [
    ("lay", "gm", 0), ("wait", 300), ("tap", "ada", 0), ("wait", 300), ("lift", "ada"),
    ("tap", "bo", 0), ("wait", 300), ("lift", "bo"),
    ("tap", "bo", 1), ("wait", 300), ("lift", "bo"),
    ("lay", "ada", 0), ("wait", 300), ("tap", "gm", 0), ("wait", 300), ("wait", 900),
]  # fmt: skip
"""A special, two of a bystander, and one that answers them, tapped onto the sealed move."""


async def _says(phases: int, plan: list[tuple[Any, ...]], kind: bytes) -> int:
    out = await run(1, phases, plan)
    return sum(
        b'"type":"' + kind + b'"' in data for channel, data in out if channel == "mqtt event"
    )


def test_the_plans_for_the_planted_leaks_come_to_the_lock() -> None:
    assert asyncio.run(_says(0, PLAN, b"locked")) == 1
    assert asyncio.run(_says(1, TAPS, b"set-beside")) == 4
    assert asyncio.run(_says(BLUFFED, [("lay", "bo", 0), ("wait", 300)], b"committed")) == 1
    assert asyncio.run(_says(1, TAPS, b"locked")) == 1
    assert asyncio.run(_says(PROBLEM, PLAN, b"locked")) == 1


PAGES = [
    ("page", "ada", 0), ("page-back", "ada"), ("down", "ada"), ("page", "ada", 1), ("up", "ada"),
    ("page", "ada", 0), ("page", "gm", 0), ("wait", 900),
]  # fmt: skip
"""Cards that no reader has seen."""


def leak_in_a_hand(box: Box) -> None:
    hand = box.runner.hand

    def leaky(seat: str) -> dict[str, Any]:
        """Without the card that the player has laid down, as a real hand."""
        shown = hand(seat)
        seals = box.runner._state.scene.seals  # type: ignore[union-attr]
        for actor in shown["actors"]:
            laid = str(seals[actor["name"]].choice()) if actor["name"] in seals else ""
            actor["offers"] = [offer for offer in actor["offers"] if offer["choice"] != laid]
        return shown

    box.runner.hand = leaky  # type: ignore[method-assign]


def leak_of_a_command(box: Box) -> None:
    apply = box.runner.apply

    async def leaky(given: i.Input, once: str = "") -> None:
        if isinstance(given, i.Commit):
            logging.getLogger("hub.daemon").debug("commit of %s", given.choice.unseal())
        await apply(given, once)

    box.runner.apply = leaky  # type: ignore[method-assign]


@pytest.mark.parametrize("leak", [leak_in_a_hand, leak_of_a_command])
def test_the_checker_finds_a_leak_of_what_a_page_has_said(leak: Leak) -> None:
    outputs = [asyncio.run(run(secret, 0, PAGES, leak)) for secret in range(6)]
    assert any(out != outputs[0] for out in outputs[1:])
    clean = [asyncio.run(run(secret, 0, PAGES)) for secret in range(6)]
    assert all(out == clean[0] for out in clean[1:])
    replies = [data for channel, data in clean[0] if channel == "web reply"]
    assert b"illegal" in replies[3] and sum(b"done" in reply for reply in replies) == 4
    assert asyncio.run(_says(0, PAGES, b"locked")) == 1


STANDS_IN = [
    ("page-tap", "bo", 0), ("wait", 900), ("wait", 900),
    *(("stand-in", command, "bo", card) for card in SPECIALS for command in ("commit", "withdraw")),
    ("stand-in", "commit", "ada", "move attack-mid"),
    ("stand-in", "commit", "ada", "move attack-mid"), ("stand-in", "take-back", "ada", ""),
]  # fmt: skip
"""The GM asks for everything that may lie beside, after the commit timer."""


def leak_to_who_stands_in(box: Box) -> None:
    apply = box.runner.apply

    async def leaky(given: i.Input, once: str = "") -> None:
        if isinstance(given, i.Commit) and given.by == GM:
            beside = box.runner._state.scene.beside  # type: ignore[union-attr]
            if given.choice.unseal() in [s.choice() for s in beside.get(given.actor, ())]:
                raise SeatFault("it lies beside already; withdraw it first")
        await apply(given, once)

    box.runner.apply = leaky  # type: ignore[method-assign]


def test_the_checker_finds_a_leak_to_who_stands_in() -> None:
    outputs = [asyncio.run(run(secret, 1, STANDS_IN, leak_to_who_stands_in)) for secret in range(6)]
    assert any(out != outputs[0] for out in outputs[1:])
    clean = [asyncio.run(run(secret, 1, STANDS_IN)) for secret in range(6)]
    assert all(out == clean[0] for out in clean[1:])
    replies = [data for channel, data in clean[0] if channel == "web reply"]
    assert [b"done" in reply for reply in replies[-3:]] == [True, False, False]
    assert sum(b"nothing beside" in reply for reply in replies) == len(SPECIALS)


def leak_in_a_topic(box: Box) -> None:
    tell = box.announce

    def leaky(told: Any) -> None:
        tell(told)
        for seal in box.runner._state.scene.seals.values():  # type: ignore[union-attr]
            box.out.append(("mqtt debug", str(seal.choice()).encode()))

    box.announce = leaky  # type: ignore[method-assign]


def leak_of_what_lies_beside(box: Box) -> None:
    tell = box.announce

    def leaky(told: Any) -> None:
        tell(told)
        beside = box.runner._state.scene.beside  # type: ignore[union-attr]
        for seal in (seal for seals in beside.values() for seal in seals):
            size = len(str(seal.choice()))
            box.out.append(("mqtt debug", str(size).encode()))

    box.announce = leaky  # type: ignore[method-assign]


def leak_in_a_hand(box: Box) -> None:
    hand = box.runner.hand

    def leaky(seat: str) -> Any:
        seals = box.runner._state.scene.seals  # type: ignore[union-attr]
        return hand(seat) | {"sealed": [str(seal.choice()) for seal in seals.values()]}

    box.runner.hand = leaky  # type: ignore[method-assign]


def leak_in_the_log(box: Box) -> None:
    report = box.runner.reported

    def leaky(event: Any) -> Any:
        given = report(event)
        if isinstance(given, i.FieldChanged):
            logging.getLogger("hub.readers").debug("seen %s", given.cards.unseal())
        return given

    box.runner.reported = leaky  # type: ignore[method-assign]


def leak_of_the_tag(box: Box) -> None:
    report = box.runner.reported

    def leaky(event: Any) -> Any:
        logging.getLogger("hub.readers").debug("%r", event)
        return report(event)

    box.runner.reported = leaky  # type: ignore[method-assign]


def leak_by_length(box: Box) -> None:
    tell = box.announce

    def leaky(told: Any) -> None:
        tell(told)
        size = sum(len(row.secret or b"") for row in box.journal.stored)
        box.out.append(("metric", str(size).encode()))

    box.announce = leaky  # type: ignore[method-assign]


def leak_by_order(box: Box) -> None:
    tell = box.announce

    def leaky(told: Any) -> None:
        at = len(box.out)
        tell(told)
        seals = box.runner._state.scene.seals  # type: ignore[union-attr]
        if any("attack" in str(seal.choice()) for seal in seals.values()):
            box.out[at:] = reversed(box.out[at:])

    box.announce = leaky  # type: ignore[method-assign]


def leak_by_a_lamp(box: Box) -> None:
    tell = box._tell

    def leaky(told: Any) -> None:
        tell(told)
        cards = box.runner._desk[told.seat].cards.unseal()
        if cards and cards[0] and "none" not in str(cards[0]):
            box.out.append(("lamp", b"blink"))

    box.runner._listeners[:] = [leaky]


def test_the_checker_finds_a_leak_of_what_lies_beside() -> None:
    leak = leak_of_what_lies_beside
    outputs = [asyncio.run(run(secret, 1, TAPS, leak)) for secret in range(6)]
    assert any(out != outputs[0] for out in outputs[1:])
    clean = [asyncio.run(run(secret, 1, TAPS)) for secret in range(6)]
    assert all(out == clean[0] for out in clean[1:])


@pytest.mark.parametrize(
    "leak",
    [leak_in_a_topic, leak_in_a_hand, leak_in_the_log, leak_of_the_tag, leak_by_length,
     leak_by_order, leak_by_a_lamp],
)  # fmt: skip
def test_the_checker_finds_planted_leaks(leak: Leak) -> None:
    plan = [deed for deed in PLAN if deed != ("kill",)]  # a leak is planted in one hub's life
    outputs = [asyncio.run(run(secret, 0, plan, leak)) for secret in range(6)]
    assert any(out != outputs[0] for out in outputs[1:])
    clean = [asyncio.run(run(secret, 0, plan)) for secret in range(6)]
    assert all(out == clean[0] for out in clean[1:])
