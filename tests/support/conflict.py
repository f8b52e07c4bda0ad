"""A Conflict of N-Dimensional Tourists at a hub in its own process, with a PN532 at every seat.

Each of the 83 cards has a tag at either end; the end over the reader is the one that is laid.
:class:`Conflict` places cards, presses buttons and kills the hub; results are read from MQTT.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from hub.cards.deck import Card, Deck, write_deck
from hub.games.game import Choice
from hub.sim.readers import SimulatedReader
from hub.wire.tags import tag_id
from tests.support.broker import Mosquitto
from tests.support.hub import CONFIG, SEAT, HubProcess, Watch, watching, with_passwords

NUMBERS = range(4, 87)
WAYS = ("upright", "reversed")
SAID = ("pass", "turn", "let-be", "let-be-all", "concede", "reject", "ask-again")


def tag(card: str, hand: str = "") -> str:
    """The tag of one end of a card, or of a word card in a player's hand."""
    return tag_id(f"{hand} {card}".encode().ljust(16, b".")[:16])


def deck_of(seats: Sequence[str]) -> Deck:
    """The Space-Time Deck, which belongs to no hand, and the word cards of each seat."""
    ends = (f"drawn {number} {way}" for number in NUMBERS for way in WAYS)
    shared = [Card(tag(_short(end)), Choice.parse(end), of=end.split()[1]) for end in ends]
    said = [Card(tag(word, seat), Choice(word), seat) for seat in seats for word in SAID]
    return Deck((*shared, *said))


def _short(card: str) -> str:
    """``drawn 48 reversed`` and ``48 reversed`` as ``48r``."""
    *_, number, way = card.split()
    return f"{number}{'r' if way == 'reversed' else ''}"


def _seat(name: str, path: str, who: Sequence[str]) -> str:
    """One seat of a configuration; the GM's may have no characters."""
    written = SEAT.format(name=name, path=path, characters=json.dumps([*who]))
    return written if who else written.replace("characters = []\n", "")


class ConflictHub(HubProcess):
    """``facedown run`` with this deck or another; ``seats``: the characters at each seat."""

    def __init__(
        self,
        folder: Path,
        broker: Mosquitto,
        scene: str,
        seats: Mapping[str, Sequence[str]],
        *,
        deck: Deck | None = None,
        dwell_s: float = 0.05,
        reveal_delay_s: float = 0,
        web: bool = False,
    ) -> None:
        self.folder = folder
        (folder / "readers").mkdir()
        self.readers = {
            seat: SimulatedReader(seat, folder / "readers", time_scale=0) for seat in seats
        }
        self.deck = deck or deck_of([*seats])
        write_deck(folder / "deck.toml", self.deck)
        (folder / "scene.toml").write_text(scene, encoding="utf-8")
        sections = "".join(
            _seat(seat, self.readers[seat].path, who) + ("gm = true\n" if seat == "gm" else "")
            for seat, who in seats.items()
        )
        self.config = folder / "hub.toml"
        self.config.write_text(
            CONFIG.format(
                seats=sections,
                dwell_s=dwell_s,
                reveal_delay_s=reveal_delay_s,
                port=broker.port,
                web=str(web).lower(),
                protocol="3.1.1",
            ),
            encoding="utf-8",
        )
        self.config.chmod(0o600)
        self.log = folder / "log.txt"
        self.process = None
        self._began = None


class Conflict(Watch):
    """The people at the table: their hands at the readers, and their words."""

    seats: Mapping[str, Sequence[str]]
    wait_s = 60.0
    kills: bool = False
    """Whether to kill and restart the hub after each word."""

    # Observing

    @property
    def game(self) -> dict[str, Any]:
        return self.state["game"]  # type: ignore[no-any-return]

    @property
    def step(self) -> str:
        return str(self.state["step"])

    @property
    def control(self) -> tuple[str, int] | None:
        found = self.game["control"]
        return found and (found["party"], found["ranks"])

    def laid(self, party: str) -> list[str]:
        return [_of(each["card"]) for each in self.game["parties"][party]["laid"]]

    def temporary(self, party: str) -> list[int]:
        return [each["number"] for each in self.game["parties"][party]["temporary"]]

    def lasting(self, party: str) -> list[list[int]]:
        return [
            [card["number"] for card in each["cards"]]
            for each in self.game["parties"][party]["lasting"]
        ]

    def seat_of(self, actor: str) -> str:
        return next(seat for seat, actors in self.seats.items() if actor in actors)

    # Acting

    def put(self, seat: str, card: str, hand: str = "") -> None:
        """Lay this end of a card."""
        self.hub.readers[seat].place(tag(card, hand))

    async def lift(self, seat: str) -> None:
        """Lift the card on the reader, and wait until the reader has noticed."""
        words = f'"cards on the reader: 0" seat={seat}'
        seen = self.hub.output().count(words)
        if self.hub.readers[seat].tags():
            self.hub.readers[seat].lift()
            await self.hub.until_logged(words, seen + 1)

    async def said(self, actor: str, choice: str) -> None:
        """Choose by a button; the choice must be accepted."""
        reply = await self.decide(actor, choice)
        assert reply["ok"], (actor, choice, reply)

    async def refused(self, actor: str, choice: str) -> str:
        """Choose by a button and return why it is refused; nothing may change."""
        before = self.state
        reply = await self.decide(actor, choice)
        assert not reply["ok"], (actor, choice)
        assert self.state == before
        return str(reply["reason"])

    async def looked(self) -> None:
        """Give the readers time to look again, so that their cards have rested."""
        for _ in range(40):
            await self.command(command="decide", actor="nobody", choice="pass")

    async def refused_card(self, seat: str, card: str) -> None:
        """Lay a card that must be refused: only the seat is told why, and nothing changes.

        A command of an unknown actor follows it through the hub's single queue.
        """
        before, words = self.game, f'"cards on the reader: 1" seat={seat}'
        heard = self.hub.output().count(words)
        self.put(seat, card)
        await self.hub.until_logged(words, heard + 1)
        await self.looked()
        await self.lift(seat)
        assert self.game == before

    async def draw_by_both_ends(self, actor: str, card: str) -> None:
        """Lay a card with both ends on the reader, then turn it so that only one end is read."""
        party, seat = self.game["members"][actor]["party"], self.seat_of(actor)
        other = card[:-1] if card.endswith("r") else f"{card}r"
        before, words = self.game, f'"cards on the reader: 2" seat={seat}'
        heard = self.hub.output().count(words)
        self.put(seat, other)
        self.put(seat, card)
        await self.hub.until_logged(words, heard + 1)
        await self.looked()
        assert self.game == before
        self.hub.readers[seat].lift(tag(other))
        await self.until(lambda _: self.laid(party) == [card])
        await self.lift(seat)

    async def begin(self) -> None:
        reply = await self.command(command="start-scene")
        assert reply["ok"], reply
        await self.until(lambda now: now["phase"] != "idle")

    async def draw(self, actor: str, card: str) -> None:
        """Lay a card from the deck on the reader of the actor's seat, and wait until it counts."""
        party, seat = self.game["members"][actor]["party"], self.seat_of(actor)
        count = len(self.laid(party))
        self.put(seat, card)
        if self.step == "draw":
            await self.until(lambda now: now["step"] != "draw" or actor in now["committed"])
        else:
            await self.until(lambda _: self.laid(party)[count:] == [card])
        await self.lift(seat)

    async def passes(self, actor: str) -> None:
        """Pass by the seat's pass card."""
        stood = self.state["seq"]
        self.put(self.seat_of(actor), "pass", self.seat_of(actor))
        await self.until(
            lambda now: now["seq"] > stood and (now["step"] != "bid" or actor not in now["awaited"])
        )
        await self.lift(self.seat_of(actor))

    async def let_be(self) -> None:
        """Accept on behalf of all who are asked."""
        while self.step == "answers":
            stood = self.state
            actor = next(who for who in stood["awaited"] if who not in stood["committed"])
            await self.said(actor, "let-be")
            await self.until(lambda now, stood=stood: now["seq"] > stood["seq"])  # type: ignore[misc]

    async def play(self, text: str) -> None:
        """Play words such as ``Guard 39, Giant 9r turn, Guard -``; kills the hub after each if
        asked to.
        """
        for word in text.split(", "):
            actor, said, *turned = word.split()
            if said == "-":
                await self.passes(actor)
            else:
                await self.draw(actor, said)
                if turned:
                    await self.turn(actor)
                await self.let_be()
            await self.killed()

    async def turn(self, actor: str) -> None:
        """Turn a card for the Dominant, by the seat's turn card."""
        spent = self.game["round"]["spent"]
        self.put(self.seat_of(actor), "turn", self.seat_of(actor))
        await self.until(lambda now: now["game"]["round"]["spent"] == spent + 1)
        await self.lift(self.seat_of(actor))

    async def default(self, *steps: str, **said: str) -> None:
        """While one of these steps is played, take the defaults, or the choices in ``said``."""
        words = {"tactics": "tactics", "losses": "losses", "tell": "told", "part": "go-on"}
        while self.step in steps:
            stood = self.state
            waiting = [who for who in stood["awaited"] if who not in stood["committed"]]
            actor = next((who for who in waiting if who in said), waiting[0])
            await self.said(actor, said.pop(actor, words.get(stood["step"], "pass")))
            await self.until(lambda now, stood=stood: now["seq"] > stood["seq"])  # type: ignore[misc]
            await self.killed()

    async def killed(self, *, always: bool = False) -> None:
        """Kill and restart the hub, and check that it is in the same state."""
        if self.kills or always:
            stood = self.state
            self.hub.kill()
            await self.until_status(b"offline")
            self.hub.start()
            await self.until_ready()
            await self.hub.until_looked()
            for key in ("game", "phase", "step", "awaited", "committed", "turn_number"):
                assert self.state[key] == stood[key], key


def _of(card: dict[str, Any]) -> str:
    return f"{card['number']}{'r' if card['reversed'] else ''}"


@asynccontextmanager
async def conflict(
    folder: Path, scene: str, seats: Mapping[str, Sequence[str]], *, kills: bool = False
) -> AsyncIterator[Conflict]:
    """A broker, a hub with this scene and these seats, and its people; the scene has begun."""
    folder.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        hub = ConflictHub(folder, broker, scene, seats)
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        watch = await stack.enter_async_context(watching(hub, broker))
        table = Conflict(hub, watch.heard)
        table.seats, table.kills = seats, kills
        await table.until_ready()
        await hub.until_looked()
        await table.begin()
        yield table
