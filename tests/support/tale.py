"""A scene of Tricube Tales at a hub in its own process, with a PN532 at every seat.

Players have cards for a sealed approach, for perks and for dice thrown by hand; the GM has some for
a difficulty. Words without a card are sent over MQTT, as a page would; results are read from MQTT.
"""

import json
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from hub.cards.deck import Card, Deck
from hub.games.game import Choice
from hub.wire.tags import tag_id
from tests.support.broker import Mosquitto
from tests.support.conflict import Conflict, ConflictHub
from tests.support.hub import FACEDOWN, watching, with_passwords
from tests.support.process import with_us

FACES = range(1, 7)
GM = "gm"


def tag(card: str, hand: str) -> str:
    """The tag of a card in a player's hand."""
    return tag_id(sha256(f"{hand} {card}".encode()).digest()[:16])


def deck_of(seats: Sequence[str], words: Sequence[str]) -> Deck:
    """Dice, approaches and perks for each player; the difficulties for the GM."""
    dice = [f"die {face}" for face in FACES]
    own = ["approach plain", *words, "karma none", "accept yes", "accept no", "take-back", *dice]
    gms = [f"difficulty {number}" for number in (4, 5, 6)]
    return Deck(
        tuple(
            Card(tag(word, seat), Choice.parse(word), seat)
            for seat in seats
            for word in (gms if seat == GM else own)
        )
    )


class Tale(Conflict):
    """The people at the table: their hands at the readers, and their words."""

    def put(self, seat: str, card: str, hand: str = "") -> None:
        """Lay a card from the seat's own hand."""
        self.hub.readers[seat].place(tag(card, hand or seat))

    def seat_of(self, actor: str) -> str:
        return GM if actor == GM else super().seat_of(actor)

    def who(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.game["cast"][name]
        return found

    def left(self, challenge: str) -> int:
        return int(self.game["challenges"][challenge]["left"])

    @property
    def rolls(self) -> dict[str, Any]:
        """The rolls under way, or else the latest."""
        rolling = self.game["rolling"] or self.game["last_rolling"]
        return rolling["rolls"]  # type: ignore[no-any-return]

    async def says(self, actor: str, kind: str, **said: Any) -> None:
        await self.told(actor, f"{kind} {json.dumps(said)}")

    async def told(self, actor: str, choice: str) -> None:
        """Make a choice that is accepted, and wait until it is published."""
        stood = self.state["seq"]
        await self.said(actor, choice)
        await self.until(lambda now: now["seq"] > stood)
        await self.killed()

    async def call(
        self, challenge: str | dict[str, Any], kind: str, *rollers: str, **more: Any
    ) -> None:
        said = {"challenge": challenge, "type": kind, "rollers": {who: {} for who in rollers}}
        await self.says(GM, "call", **(said | more))

    async def approach(self, **cards: str) -> None:
        """Lay each player's card in turn; the last reveals them all."""
        assert self.step == "approach"
        for who, card in cards.items():
            seat, word = self.seat_of(who), ("difficulty" if who == GM else "approach")
            self.put(seat, f"{word} {card}")
            await self.until(
                lambda now, who=who: now["step"] != "approach" or who in now["committed"]  # type: ignore[misc]
            )
            if self.step == "approach":
                await self.killed()
        for who in cards:
            await self.lift(self.seat_of(who))
        await self.until(lambda now: now["step"] != "approach")
        await self.killed()

    async def tap_dice(self, who: str, *faces: int) -> None:
        """Enter dice that were thrown by hand, by their cards, one after the other."""
        seat = self.seat_of(who)
        for face in faces:
            stood = self.state["seq"]
            self.put(seat, f"die {face}")
            await self.until(lambda now, stood=stood: now["seq"] > stood)  # type: ignore[misc]
            await self.lift(seat)
            await self.killed()

    async def card(self, who: str, word: str) -> None:
        """Answer with a card."""
        seat, stood = self.seat_of(who), self.state["seq"]
        self.put(seat, word)
        await self.until(lambda now: now["seq"] > stood)
        await self.lift(seat)
        await self.killed()

    def log(self) -> list[dict[str, Any]]:
        """The event log from the journal."""
        return [json.loads(line) for line in self.log_lines().splitlines()]

    def log_lines(self) -> bytes:
        journal = self.hub.folder / "journal.db"
        return _facedown("log", str(journal)).stdout

    def verified(self, lines: bytes) -> tuple[int, str]:
        """Status and output of ``facedown verify`` for a log, from its lines alone."""
        done = _facedown("verify", "-", "--table", "test", given=lines)
        return done.returncode, (done.stdout + done.stderr).decode()


def _facedown(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        with_us(str(FACEDOWN), *words), input=given, capture_output=True, check=False
    )


def dice_again(chance: str, who: str, count: int) -> list[int]:
    """The dice of these bytes, computed independently from docs/rules/tricube.md."""
    faces: list[int] = []
    counter = 0
    while len(faces) < count:
        said = bytes.fromhex(chance) + who.encode() + counter.to_bytes(4, "big")
        faces += [byte % 6 + 1 for byte in sha256(said).digest() if byte < 252]
        counter += 1
    return faces[:count]


@asynccontextmanager
async def tale(
    folder: Path,
    scene: str,
    seats: Mapping[str, Sequence[str]],
    words: Sequence[str],
    *,
    kills: bool = False,
    **hub: Any,
) -> AsyncIterator[Tale]:
    """A broker, a hub with this scene and these seats, and the people at it; the scene has begun.

    ``words``: the cards of quirks and perks that each player has; ``hub``: further options of the
    hub.
    """
    folder.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        process = ConflictHub(folder, broker, scene, seats, deck=deck_of([*seats], words), **hub)
        for reader in process.readers.values():
            stack.enter_context(reader)
        stack.callback(process.kill)
        process.start()
        watch = await stack.enter_async_context(watching(process, broker))
        table = Tale(process, watch.heard)
        table.seats, table.kills = seats, kills
        await table.until_ready()
        await process.until_looked()
        await table.begin()
        yield table
