"""A table without a hub, for tests that read like table talk.

``table.place("ada", "move attack-high")`` lays a card and lets it rest for the dwell time.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec.json import encode

from hub.audit import Audit
from hub.games.game import GM, Choice, IllegalChoice
from hub.games.registry import rulebooks as all_rulebooks
from hub.games.rulebooks import Rulebooks
from hub.readers.presence import AGAIN_S
from hub.table import acts as i
from hub.table.acts import Record, SceneSetup
from hub.table.desk import SeatSignal, matters, next_due
from hub.table.fold import fold_all
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.spots import Desk, Laid
from hub.table.state import Phase, SeatFault, Settings, TableState, phase_of
from hub.table.step import Step, step
from hub.table.views import PublicView, SeatView, hand_offers, public_view, questions, seat_views
from hub.wire.log import GENESIS, Row, Scribe, decode_line, decode_row, line_hash
from tests.support.asking import Given, as_input
from tests.support.said import OVERRULE, word_of

DUEL: dict[str, Any] = {
    "ruleset": "unroll",
    "sides": {"players": ["ada", "bo"], "gm-side": ["ninja", "crow"]},
    "characters": {
        "ada": {
            "energy": {"attack": 5, "defend": 3, "grapple": 2},
            "moves": ["attack-high", "attack-mid", "defend-mid", "grapple-high"],
            "combos": {"attack-mid": ["grapple-high", "attack-high"]},
        },
        "bo": {
            "energy": {"attack": 4, "defend": 3, "grapple": 3},
            "moves": ["attack-low", "defend-low", "grapple-low", "grapple-mid"],
        },
        "ninja": {
            "energy": {"attack": 4, "defend": 4, "grapple": 4},
            "moves": ["attack-low", "defend-low", "grapple-mid", "defend-high"],
        },
        "crow": {
            "energy": {"attack": 3, "defend": 2, "grapple": 1},
            "moves": ["attack-mid", "defend-mid", "grapple-low"],
        },
    },
}
SPECIALS = {
    "ada": ("to-blave", "scouter", "wax-on-attack", "santa-carla-attack", "drunken-monkey"),
    "bo": ("yojimbo", "to-blave", "liquid-metal"),
    "ninja": ("there-can-be-only-one", "wax-on-attack", "pressure-point", "to-blave"),
    "crow": ("yojimbo", "predictabo-attack"),
}
GIFTED: dict[str, Any] = {
    **DUEL,
    "characters": {
        name: {**sheet, "specials": list(SPECIALS[name])}
        for name, sheet in DUEL["characters"].items()
    },
}
""":data:`DUEL` with specials."""
SEATS = {"ada": ("ada",), "bo": ("bo",), "gm": ("ninja", "crow")}
START_MS = 1_000_000


class TableTalk:
    """A table with seats ``ada``, ``bo`` and ``gm``, and a clock that only ``wait`` moves.

    Its readers report as real ones do: cards are reported as rested after ``dwell_ms``.
    """

    def __init__(
        self,
        game: Mapping[str, Any] = DUEL,
        *,
        rulebooks: Rulebooks | None = None,
        dwell_ms: int = 300,
        **settings: Any,
    ) -> None:
        self.dwell_ms = dwell_ms
        self.settings = Settings(seats=SEATS, **settings)
        self.setup = SceneSetup(ruleset=str(game["ruleset"]), game=dict(game))
        self.rulebooks = rulebooks or all_rulebooks()
        self.state = TableState("test", self.rulebooks)
        self.desk: Desk = {}
        self.now_ms = START_MS
        self.records: list[Record] = []
        self.tells: list[SeatSignal] = []
        self.lying: dict[str, list[str]] = {seat: [] for seat in SEATS}
        self.owners: dict[str, str] = {}
        """Decks that belong to a seat: the tag ``ada-1`` is of the deck ``ada``."""
        self._rests_at: dict[str, int] = {}
        self._steps = 0
        self.rows: list[Row] = []
        self.audit: Audit | None = Audit(
            "test", games=self.rulebooks.games, stories=self.rulebooks.stories
        )
        """None: the steps are not audited."""
        self.give(i.BeginLog())
        for seat in SEATS:
            self.give(i.ReaderFound(seat))
            self._report(seat)

    # The table's state

    @property
    def phase(self) -> Phase:
        return phase_of(self.state)

    @property
    def view(self) -> PublicView:
        return public_view(self.state)

    @property
    def seats(self) -> dict[str, SeatView]:
        return {seat.seat: seat for seat in seat_views(self.state, self.settings)}

    @property
    def committed(self) -> tuple[str, ...]:
        return self.view.committed

    @property
    def step(self) -> str:
        return self.view.step

    def matter(self, seat: str) -> Signal | None:
        """The problem with the seat's reader."""
        return matters(self.state, self.desk).get(seat)

    def events(self) -> list[str]:
        return [type(record.event).__name__ for record in self.records]

    def last_signal(self, seat: str) -> Signal | None:
        return next((tell.signal for tell in reversed(self.tells) if tell.seat == seat), None)

    def last_words(self, seat: str) -> str:
        why = next((t.why.unseal() for t in reversed(self.tells) if t.seat == seat), None)
        return str(why or "")

    def entropy(self, step: int) -> bytes:
        """The random bytes of this step."""
        return sha256(step.to_bytes(8, "big")).digest()

    # Actions of people and readers

    def stepped(self, given: Given, scribe: Scribe) -> Step:
        """The step that the table makes of this input; it is not applied yet."""
        self._steps += 1
        return step(
            self.state,
            self.desk,
            as_input(given),
            settings=self.settings,
            now_ms=self.now_ms,
            entropy=self.entropy(self._steps),
            written=scribe,
        )

    def give(self, given: Given) -> tuple[Record, ...]:
        scribe = Scribe(line_hash(self.rows[-1].line) if self.rows else GENESIS)
        done = self.stepped(given, scribe)
        self.judge(given, done, scribe)
        self.rows += scribe.rows
        self.state, self.desk = done.state, done.desk
        self.records.extend(done.records)
        self.tells.extend(done.tells)
        return done.records

    def judge(self, given: Given, done: Step, scribe: Scribe) -> None:
        """Check what holds for every step."""
        if isinstance(given, i.FieldChanged) and given.is_known(self.desk):
            assert (done.records, done.tells, done.desk) == ((), (), self.desk), "it was news"
        assert fold_all(self.state, list(done.records)) == done.state
        again = fold_all(self.state, [decode_row(row) for row in scribe.rows])
        assert encode(public_view(again)) == encode(public_view(done.state)), "a restart differs"
        if self.audit is not None:
            for row in scribe.rows:
                self.audit.hear(row.seq, decode_line(row.line))
            assert not self.audit.problems, "what the table did is found unsound"

    def start(self) -> None:
        self.give(i.Request(i.StartScene(), scene=("A duel", self.setup)))

    def begin_turn(self, active: str = "ada", opponent: str = "ninja") -> None:
        """Play from the start of the scene to the stances of its first turn."""
        self.start()
        self.decide(GM, f"active {active}")
        self.decide(active, f"opponent {opponent}")

    def lay(self, seat: str, card: str) -> None:
        """Lay a card; it has not rested yet.

        ``?``: a tag that the deck lacks; ``?phone``: another kind of foreign tag. ``stance none
        @copy``: the card with this tag instead of the seat's own.
        """
        self.lying[seat].append(card)
        self._report(seat)

    def place(self, seat: str, card: str) -> None:
        self.lay(seat, card)
        self.wait(self.dwell_ms)

    def lift(self, seat: str, card: str | None = None) -> None:
        if card is None:
            self.lying[seat].clear()
        else:
            self.lying[seat].remove(card)
        self._report(seat)

    def clear(self) -> None:
        for seat, cards in self.lying.items():
            if cards:
                self.lift(seat)

    def show(self, **cards: str) -> None:
        """Lay a card at each of these seats, reveal them, and clear all readers."""
        for seat, card in cards.items():
            self.place(seat, card)
        self.reveal()
        self.clear()

    def rest(self, seat: str) -> None:
        """Report the cards at the end of the dwell."""
        self._report(seat, i.Sight.RESTED)

    def doubt(self, seat: str) -> None:
        """Report a look that misses part of the cards or is disturbed."""
        self._report(seat, i.Sight.DOUBTFUL)

    def see_again(self, seat: str) -> None:
        """Report that the next look sees them again."""
        self._report(seat, i.Sight.AGAIN)

    def lose(self, seat: str) -> None:
        self._rests_at.pop(seat, None)
        self.give(i.ReaderMissing(seat))

    def find(self, seat: str) -> None:
        self.give(i.ReaderFound(seat))
        self._report(seat)

    def restart(self) -> None:
        """Kill the hub and restore it: only the journal's rows are left."""
        empty = TableState("test", self.rulebooks)
        self.state = fold_all(empty, [decode_row(row) for row in self.rows])
        self.desk = {}
        for seat in SEATS:
            self.find(seat)

    def decide(self, actor: str, choice: str, by: str = GM) -> None:
        kind, _, said = choice.partition(" ")
        if kind == OVERRULE and self.state.scene is not None:
            self.overrule(said)
        else:
            self.give(i.Request(i.Decide(actor, choice), by))

    def overrule(self, said: str) -> None:
        """The GM's word over the scene, as text."""
        assert self.state.scene is not None
        try:
            word = word_of(self.state.scene.game, said)
        except IllegalChoice as error:
            raise SeatFault(error.reason) from None
        self.give(i.Overrule(word.holds, word.because))

    def let_be(self) -> None:
        """Let the losers bear their losses alone."""
        for question in questions(self.state):
            if any(str(offer.choice) == "let-be" for offer in question.offers):
                self.decide(question.actor, "let-be")

    def wait(self, ms: int) -> None:
        until = self.now_ms + ms
        while True:
            tick = next_due(self.state, self.desk)
            rests = min(self._rests_at, key=self._rests_at.__getitem__, default=None)
            rests_at = None if rests is None else self._rests_at[rests]
            due = min((at for at in (tick, rests_at) if at is not None), default=until + 1)
            if due > until:
                break
            self.now_ms = max(self.now_ms, due)
            if rests is not None and rests_at == due:
                self.rest(rests)
                self._rests_at[rests] = due + round(AGAIN_S * 1000)
            else:
                self.give(i.Tick())
        self.now_ms = until

    def reveal(self) -> None:
        self.wait(self.settings.reveal_delay_ms)

    def offers(self, actor: str) -> list[str]:
        """The choices open to an actor now, as text."""
        return [str(o.choice) for o in hand_offers(self.state, actor) if not o.reason]

    def _report(self, seat: str, sight: i.Sight = i.Sight.NEW) -> None:
        self._rests_at.pop(seat, None)
        if self.lying[seat] and sight in {i.Sight.NEW, i.Sight.AGAIN}:
            self._rests_at[seat] = self.now_ms + self.dwell_ms
        laid = tuple(self._laid(seat, card) for card in self.lying[seat])
        self.give(i.FieldChanged(seat, Sealed(laid), sight))

    def _laid(self, seat: str, card: str) -> Laid:
        text, _, tags = card.partition(" @")
        tag, _, other = tags.partition("/")
        if card.startswith("?"):
            return Laid(tag, strange=Signal(text[1:] or "unknown"), other=other)
        owner = self.owners.get(tag.partition("-")[0], "")
        return Laid(tag or f"{seat} {text}", Choice.parse(text), owner=owner, other=other)
