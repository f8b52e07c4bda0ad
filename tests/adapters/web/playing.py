"""A table that is played without a daemon: the real step() and views, announced by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hub.daemon.chronicle import Chronicle
from hub.games.game import GM, Choice
from hub.games.registry import rulebooks, words_of
from hub.games.story import DeedOffer
from hub.games.telling import Words
from hub.kernel.texts import Said
from hub.ports import Announcement
from hub.table import acts as c
from hub.table import acts as i
from hub.table.acts import SceneSetup
from hub.table.preview import Difference, preview
from hub.table.private_views import console_view, hand_view
from hub.table.sealed import Sealed
from hub.table.seating import cast
from hub.table.spots import Desk, Laid
from hub.table.state import Settings, TableState
from hub.table.step import step
from hub.table.views import Question, deeds, hand_offers, public_view, questions, seat_views
from hub.web.tabletop import HandCard
from hub.wire.chronicle import ruleset_told
from hub.wire.log import GENESIS, Scribe
from hub.wire.private_frames import Console, Hand, console_frame, hand_frame
from hub.wire.replies import Reply
from tests.support.asking import OneScene, as_input
from tests.support.said import OVERRULE, word_of

SEATS = {"north": ("ada",), "south": ("bo",), "gm": ("ninja", "sensei")}
START_MS = 1_700_000_000_000
MOVES = ("attack-high", "attack-low", "defend-low", "grapple-high", "grapple-mid")


def energy(attack: int, defend: int, grapple: int) -> dict[str, int]:
    return {"attack": attack, "defend": defend, "grapple": grapple}


def fighter(
    points: dict[str, int], combos: Mapping[str, list[str]] | None = None
) -> dict[str, object]:
    return {"level": 1, "energy": points, "moves": list(MOVES), "combos": dict(combos or {})}


SCENE: dict[str, object] = {
    "sides": {"heroes": ["ada", "bo"], "elbow-clan": ["ninja", "sensei"]},
    "characters": {
        "ada": fighter(energy(3, 3, 4), {"defend-low": ["grapple-high", "attack-high"]}),
        "bo": fighter(energy(4, 5, 1)),
        "ninja": fighter(energy(6, 5, 6)),
        "sensei": fighter(energy(4, 4, 4)),
    },
}


class PlayedTable:
    """Announces every change to ``heard``, as the daemon does."""

    def __init__(self, heard: Callable[[Announcement], None], **settings: object) -> None:
        self.heard = heard
        self.settings = Settings(**({"seats": SEATS, "gm_seat": "gm"} | settings))  # type: ignore[arg-type]
        self.state = TableState("dojo", rulebooks())
        self.desk: Desk = {}
        self.now_ms = START_MS
        self.head = GENESIS
        self.story = Chronicle()
        self.signals: list[tuple[str, str]] = []
        self.asked: list[tuple[c.Command, str, str]] = []

    def tell(self, given: i.Input, after_ms: int = 10) -> None:
        self.now_ms += after_ms
        scribe = Scribe(self.head)
        done = step(
            self.state, self.desk, as_input(given),
            settings=self.settings, now_ms=self.now_ms, entropy=bytes(32),
            written=scribe,
        )  # fmt: skip
        self.head = scribe.head
        lines = [row.line for row in scribe.rows]
        if done.records:
            self.story.note(self.state, done.records)
        self.state, self.desk = done.state, done.desk
        self.signals += [(told.seat, told.signal.value) for told in done.tells]
        if lines:
            self.announce(tuple(lines))

    def announce(self, lines: tuple[bytes, ...] = ()) -> None:
        self.heard(self.announcement(lines))

    def announcement(self, lines: tuple[bytes, ...] = ()) -> Announcement:
        view = public_view(self.state, seat_views(self.state, self.settings), self.head)
        return Announcement(view, lines, self.state.revealed_at_ms)

    def questions(self) -> Sequence[Question]:
        return questions(self.state)

    def deeds(self) -> Sequence[DeedOffer]:
        return deeds(self.state)

    def cast(self) -> Sequence[str]:
        return cast(self.state)

    def start(self, **changes: object) -> None:
        self.tell(
            i.Request(
                i.StartScene(), scene=("The stolen scroll", SceneSetup("unroll", SCENE | changes))
            )
        )
        for seat in self.settings.seats:
            self.tell(i.FieldChanged(seat, Sealed(())))

    def decide(self, actor: str, choice: str) -> None:
        kind, _, said = choice.partition(" ")
        if kind == OVERRULE:
            assert self.state.scene is not None
            word = word_of(self.state.scene.game, said)
            self.tell(i.Overrule(word.holds, word.because))
        else:
            self.tell(i.Decide(actor, choice))
        if choice.startswith("split "):
            self.let_be()

    def let_be(self) -> None:
        """Let everyone who could bear a loss decline."""
        for question in questions(self.state):
            if any(str(offer.choice) == "let-be" for offer in question.offers):
                self.tell(i.Decide(question.actor, "let-be"))

    def lay(self, seat: str, *cards: str) -> None:
        """Rest cards on a reader long enough to be read; without cards the reader is empty."""
        lying = Sealed(tuple(Laid(f"{seat} {card}", Choice.parse(card)) for card in cards))
        for sight in (i.Sight.NEW, i.Sight.RESTED):
            self.tell(i.FieldChanged(seat, lying, sight))

    def reveal(self) -> None:
        self.tell(i.Tick(), self.settings.reveal_delay_ms)
        for seat in SEATS:
            self.tell(i.FieldChanged(seat, Sealed(())))

    def both(self, kind: str, **choices: str) -> None:
        """Let both characters of a turn choose, which reveals the cards."""
        for actor, value in choices.items():
            seat = next(seat for seat, actors in SEATS.items() if actor in actors)
            self.lay(seat, f"{kind} {value}")
        self.reveal()

    def turn(
        self, active: str, opponent: str, stances: dict[str, str], moves: dict[str, str]
    ) -> None:
        self.decide(self.state.scene.pending.must[0], f"active {active}")  # type: ignore[union-attr]
        if self.state.scene.pending.step == "opponent":  # type: ignore[union-attr]
            self.decide(active, f"opponent {opponent}")
        self.both("stance", **stances)
        self.both("move", **moves)

    def book_example(self) -> None:
        """Play up to the book's loss of 13, 3x2 + 1 + 4 + 1 + 1, before the split."""
        none = {"ada": "none", "ninja": "none"}
        self.turn("ada", "ninja", none, {"ada": "defend-low", "ninja": "attack-low"})
        self.decide("ninja", "split attack 1 grapple 1")
        stances = {"ada": "grapple 3", "ninja": "defend 1"}
        self.turn("ada", "ninja", stances, {"ada": "grapple-high", "ninja": "defend-low"})

    def console(self) -> Console:
        return console_frame(console_view(self.state, self.settings), words=self._words())

    def hand(self, seat: str) -> Hand:
        return hand_frame(hand_view(self.state, self.settings, seat), self._words())

    def told(self, command: c.Command) -> Said | None:
        return command.told(words_of(ruleset_told(self.state, self.state)))

    def _words(self) -> Words:
        return words_of(self.state.story.rules.ruleset if self.state.story else "")

    def preview(self, command: c.Command, by: str = GM) -> Sequence[Difference]:
        given = i.request(command, by, self.state, _FILES)
        return preview(self.state, self.settings, given)

    def chronicle(self, after: int) -> Sequence[dict[str, Any]]:
        return self.story.after(after)

    async def obey(self, command: c.Command, by: str, once: str = "", browser: str = "") -> Reply:
        """A command sink."""
        self.asked.append((command, by, once))
        try:
            if isinstance(command, c.StartScene):
                self.start()
            else:
                self.tell(i.request(command, by, self.state, _FILES, browser))
        except Exception as refused:
            return Reply(command.id, ok=False, reason=str(refused), seq=self.state.seq)
        return Reply(command.id, ok=True, seq=self.state.seq)


_FILES = OneScene("", SceneSetup("unroll", SCENE))


class HandField:
    """A reader's field that reports its tags to a table at once."""

    def __init__(self, seat: str, changed: Callable[[str, Sequence[str]], None]) -> None:
        self._name = f"reader-{seat}"
        self._seat = seat
        self._tags: tuple[str, ...] = ()
        self._changed = changed
        self.plugged = True

    @property
    def name(self) -> str:
        return self._name

    def place(self, tag: str) -> None:
        if tag not in self._tags:
            self._tags += (tag,)
            self._changed(self._seat, self._tags)

    def lift(self, tag: str | None = None) -> None:
        self._tags = tuple(lying for lying in self._tags if tag not in {None, lying})
        self._changed(self._seat, self._tags)

    def unplug(self) -> None:
        self.plugged = False

    def replug(self) -> None:
        self.plugged = True

    def tags(self) -> Sequence[str]:
        return self._tags


def cards_of(actors: Sequence[str]) -> list[HandCard]:
    cards = [HandCard(f"{actors[0]}-{move}", move, "move", move) for move in (*MOVES, "surrender")]
    cards.append(HandCard(f"{actors[0]}-none", "no stance", "stance", "none"))
    for action in ("attack", "defend", "grapple"):
        for amount in range(1, 5):
            value = f"{action} {amount}"
            cards.append(HandCard(f"{actors[0]}-{action}-{amount}", value, "stance", value))
    return cards


class HandTabletop:
    """A virtual table of such fields."""

    def __init__(self, changed: Callable[[str, Sequence[str]], None] = lambda *_: None) -> None:
        self.fields = {seat: HandField(seat, changed) for seat in SEATS}
        self.middle: list[HandCard] = []

    @property
    def readers(self) -> Mapping[str, HandField]:
        return self.fields

    def hand(self, seat: str) -> Sequence[HandCard]:
        return cards_of(SEATS[seat])

    def deck(self) -> Sequence[HandCard]:
        return self.middle


def offers_of(table: PlayedTable, actor: str) -> list[str]:
    return [str(offer.choice) for offer in hand_offers(table.state, actor)]
